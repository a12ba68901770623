"""Version control beside git, its front ends, and hook managers."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out
from defenseclaw.facts.programs.vcs.extensions import run_words
from defenseclaw.facts.programs.verbs import each, lists

_DISCARDS = (Trait.DISCARD_WORK,)
_URL_FETCH = E("r,revision= depth= force q", "url mkdir", ops=(O.FETCH,))
_SHOWS = "status st stat info log diff di blame praise ann cat list ls help proplist pl propget pg annotate summary summ parents paths heads tip root branches tags bookmarks config showconfig identify id manifest files locate grep version verify incoming outgoing in out"

OTHERS: Mapping[str, E] = {
    "svn": E("m,message=text F,file=read r,revision= username= password= q,quiet v,verbose force non-interactive no-auth-cache x= trust-server-cert config-dir= depth= h,help version",
             verbs={**lists(_SHOWS), "revert": E("R,recursive depth=", traits=_DISCARDS), "cleanup": E("remove-unversioned remove-ignored vacuum-pristines", marks={"remove-unversioned": (*_DISCARDS, O.DELETE)}),
                    **each("checkout co export", _URL_FETCH), **each("delete del remove rm", E("keep-local", "delete*", ops=(O.DELETE,))), **each("commit ci import", E("", ops=(O.CONNECT,))), "*": E()}),
    **each("svnadmin svnlook svnserve svnsync svndumpfilter svnversion svnrdump", E("r= q d daemon X i R,read-only root= listen-port= listen-host= force-uuid ignore-uuid incremental", "word*")),
    "hg": E("m,message=text l=read r,rev= R,repository= config= cwd= q,quiet v,verbose y,noninteractive debug traceback pager= h,help version",
            verbs={**lists(_SHOWS), "revert": E("a,all C,no-backup I= X= d=", traits=_DISCARDS), **each("update up checkout co", E("C,clean c,check d=", marks={"clean": _DISCARDS})),
                   **each("strip prune", E("f,force k,keep B=", traits=_DISCARDS)), "purge": E("a,all p,print", traits=_DISCARDS, ops=(O.DELETE,), preview="help print"), "rollback": E("n,dry-run f,force", traits=_DISCARDS),
                   "push": E("f,force new-branch B= b=", ops=(O.CONNECT,), marks={"force": (Trait.REWRITE_REMOTE,)}), **each("pull clone", E("u,update f,force b= B= rebase", ops=(O.FETCH,))), **each("remove rm", E("A,after f,force", "delete*", ops=(O.DELETE,))), "serve": E("p,port= a,address= d", ops=(O.LISTEN,)), "*": E()}),
    "jj": E("R,repository=stat at-operation= ignore-working-copy color= quiet no-pager config= h,help V,version", verbs={
        **lists("log status st diff show interdiff obslog evolog help root version", "r= n= T= s p git"), **each("abandon restore undo", E("r= f,from= t,to= into= s i", traits=_DISCARDS)),
        **each("op operation", E("", verbs={**each("restore undo revert abandon", E("", traits=_DISCARDS)), "*": E()})), **each("git", E("", verbs={"push": E("b= c= all deleted r= dry-run", ops=(O.CONNECT,)), **each("fetch clone", E("colocate remote=", ops=(O.FETCH,))), "*": E()})), "*": E("m,message=text r= f,from= t,to= b= d= s= o= i,interactive A,insert-after= B,insert-before=")}),
    **each("bzr brz", E("m=text r= q v", verbs={"revert": E("no-backup", traits=_DISCARDS), "uncommit": E("force", traits=_DISCARDS), "clean-tree": E("force ignored detritus dry-run", traits=_DISCARDS, ops=(O.DELETE,)), "push": E("overwrite", ops=(O.CONNECT,), marks={"overwrite": (Trait.REWRITE_REMOTE,)}), **each("pull branch checkout", E("overwrite", ops=(O.FETCH,))), "*": E()})),
    "cvs": E("d= z= q Q n f r w t", verbs={**each("checkout co export", E("P d=mkdir r= D= A", ops=(O.FETCH,))), **each("commit ci import", E("m=text F=read R l f", ops=(O.CONNECT,))), **each("remove rm delete", E("f", "word*")), "update": E("d P A C r= D=", marks={"C": _DISCARDS}), "*": E()}),
    "darcs": E("", verbs={**each("revert obliterate unpull", E("a,all l,last=", traits=_DISCARDS)), "push": E("a", ops=(O.CONNECT,)), **each("pull get clone", E("a", ops=(O.FETCH,))), "*": E("m=text a,all l")}),
    "fossil": E("R=stat", verbs={"revert": E("r=", "word*", traits=_DISCARDS), "clean": E("f,force x,verily dotfiles emptydirs n,dry-run", traits=_DISCARDS, ops=(O.DELETE,)), "scrub": E("force verily private", traits=_DISCARDS), **each("ui server http", E("port= P= create localhost", ops=(O.LISTEN,))), **each("clone pull sync update", E("private", ops=(O.FETCH,))), "push": E("", ops=(O.CONNECT,)), "*": E("m,comment=text tag= branch=")}),
    "pijul": E("", verbs={**each("reset unrecord", E("", traits=_DISCARDS)), "push": E("a,all", ops=(O.CONNECT,)), **each("pull clone", E("a,all", ops=(O.FETCH,))), "*": E("m=text a,all")}),
    "p4": E("c= p= u= d= P= H= C= s q", verbs={"revert": E("a k w c=", "word*", traits=_DISCARDS), "obliterate": E("y a b h", marks={"y": (O.DELETE, *_DISCARDS, Trait.DESTROYS_RESOURCE)}), "clean": E("n a d e", traits=_DISCARDS, preview="help n"), "submit": E("d=text c= r f=", ops=(O.CONNECT,)), "*": E("c= d f n k a")}),
    **each("sapling", E("R= config= q v", verbs={**each("revert goto", E("C,clean a,all r=", marks={"clean": _DISCARDS, "all": _DISCARDS})), **each("hide strip purge clean", E("f r=", traits=_DISCARDS)), "push": E("f,force to= r=", ops=(O.CONNECT,)), "*": E("m,message=text r= s= d= b= u n=")})),
    "repo": E("p h,help", verbs={"forall": E("c r= p e v g=", ordered=True, special=run_words), "sync": E("j= c d f q n l m= force-sync force-remove-dirty no-tags", ops=(O.FETCH,), marks={"force-remove-dirty": _DISCARDS, "d": ()}), "init": E("u=url b= m= depth= mirror", ops=(O.FETCH,)), "upload": E("t re= cc= br= current-branch", ops=(O.CONNECT,)), "prune": E("", ops=(O.DELETE,)), "abandon": E("all", ops=(O.DELETE,), traits=_DISCARDS), "*": E("all p j=")}),
    **each("tig gitk gitui lazygit lazyjj gitg qgit gitahead git-cola git-gui git-delta delta ungit gitmux git-quick-stats git-sizer gitstats gource smartgit sourcetree gitkraken", E("w,work-tree=stat g,git-dir=stat p,path=stat f,filter= side-by-side n,line-numbers s output-framerate= seconds-per-day= o=log resolution= help version", "word*", out=Out.CONTENT)),
    "git-lfs": E("", verbs={"prune": E("d,dry-run f,force", ops=(O.DELETE,)), "*": E("a,all")}), **each("git-filter-repo", E("path= invert-paths force replace-text=read analyze strip-blobs-bigger-than= commit-callback=python blob-callback=python message-callback=python", traits=(*_DISCARDS, Trait.MASS))),
    "bfg": E("D,delete-files= delete-folders= b,strip-blobs-bigger-than= B= rt,replace-text=read protect-blobs-from= no-blob-protection private", "word*", traits=(*_DISCARDS, Trait.MASS)),
    "gita": E("", verbs={**each("super shell", E("", ordered=True, special=run_words)), "rm": E(), "*": E("a n d= g=")}), "ghq": E("", verbs={**each("get clone", E("u,update p shallow l,look b,branch= silent", ops=(O.FETCH,))), "rm": E("dry-run", ops=(O.DELETE,)), "*": E("p,full-path e,exact unique")}),
    **each("mr", E("c,config=read d,directory=stat v,verbose q,quiet j,jobs=", verbs={"run": E("", ordered=True, special=run_words), "*": E()})), **each("vcstool", E("", verbs={**each("import pull", E("input=read recursive shallow force", "mkdir*", ops=(O.FETCH,))), "*": E("exact")})),
    **each("ci co rcs rcsdiff rlog rcsmerge rcsclean ident", E("f? u? l? r? m? t? d? q? k? s? w? p? i n? a? b? c? e? o? U L M? T V?", "format*")),
    **each("sccs", E("r= p e k d=", "word*")), "quilt": E("quiltrc=read trace", verbs={**each("pop", E("a f q v R", traits=())), **each("delete remove", E("r backup n", "word*", ops=(O.DELETE,))), **each("mail", E("from= to= cc= send mbox=write", ops=())), "*": E("a q f v p= P= m=text")}),
    **each("stg stgit", E("", verbs={**each("delete clean", E("spill t A U", ops=(O.DELETE,), traits=_DISCARDS)), "reset": E("hard", marks={"hard": _DISCARDS}), "*": E("m,message=text a,all")})), **each("guilt topgit tg", E("", "word*")),
    **each("diff-so-fancy diff-highlight difftastic icdiff interdiff combinediff filterdiff lsdiff splitdiff rediff recountdiff unwrapdiff flipdiff grepdiff dwdiff ydiff git-split-diffs vbindiff meld kdiff3 opendiff kompare xxdiff diffuse p4merge sdiff diffpdf diff-pdf wiggle", E("p,strip-match= i,include= x,exclude= U,unified= L,label= N,line-numbers cols= n H r,recursive highlight u s,suppress-common-lines w,width= o,output=write output-diff=write help version", "search*", out=Out.CONTENT)),
    "diffstat": E("p= w= n= c f= l m r= t u v z", "search*", out=Out.CONTENT),
    "pre-commit": E("c,config=read v,verbose color=", verbs={"uninstall": E("t,hook-type=", traits=(Trait.HOOKS_BYPASS,)), "*": E("a,all-files files f,overwrite v,verbose hook-stage= t,hook-type= from-ref= to-ref= show-diff-on-failure bleeding-edge freeze repo= j= install-hooks")}),
    **each("prek", E("c,config=read v,verbose", verbs={"uninstall": E("t,hook-type=", traits=(Trait.HOOKS_BYPASS,)), "*": E("a,all-files files")})),
    "husky": E(verbs={"uninstall": E("", traits=(Trait.HOOKS_BYPASS,)), "*": E()}),
    "lefthook": E("v,verbose no-colors", verbs={"uninstall": E("f,force keep-config", traits=(Trait.HOOKS_BYPASS,)), "*": E("f,force a,aggressive all-files files-from-stdin")}),
}  # fmt: skip
