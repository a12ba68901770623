"""Verbs that other packages add to git: git-extras, subtree, lfs, annex, flow and many small ones."""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.facts import Dialect, PathAccess
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import Endpoint, parse_url
from defenseclaw.facts.programs.transfer import upload
from defenseclaw.facts.programs.verbs import each
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.streams import merge


def _contact(inv: Invocation, word_at: int, action: N) -> None:
    """A repository given as a URL is contacted."""
    words = inv.parsed.operands[word_at : word_at + 1]
    for word in words:
        endpoint = parse_url(word.value or word.prefix)
        if endpoint is not None:
            inv.op(O.CONNECT)
            inv.network(action, endpoint)


def _subtree(inv: Invocation) -> None:
    """git subtree add, pull, push: the repository comes before the ref."""
    pushes = inv.fact.subcommand == "subtree push"
    inv.op(O.UPLOAD if pushes else O.FETCH)
    for word in inv.parsed.all_values("prefix"):
        apply_role(inv, "mkdir", word)
    _contact(inv, 0, N.UPLOAD if pushes else N.DOWNLOAD)


def _to_remote(inv: Invocation) -> None:
    """git scp and rscp copy files between the working tree and a remote's host."""
    inv.op(O.CONNECT)
    if inv.fact.subcommand == "scp":
        for word in inv.parsed.operands[1:]:
            apply_role(inv, "source", word)
        upload(inv, Endpoint("", "ssh"), merge(inv.inputs))
    else:
        inv.op(O.FETCH)
        for word in inv.parsed.operands[1:]:
            apply_role(inv, "write", word)


def _bulk(inv: Invocation) -> None:
    """git bulk: a git command in every registered workspace."""
    if inv.parsed.operands:
        inv.run([*inv.words[:1], *inv.parsed.operands], How(wrapper=False))


def run_words(inv: Invocation) -> None:
    """Verbs whose words are one command line."""
    words = inv.parsed.operands
    if len(words) == 1:
        inv.run_code(words[0], How(wrapper=False, dialect=Dialect.POSIX))
    elif words:
        inv.run(words, How(wrapper=False))


def _ftp(inv: Invocation) -> None:
    """git ftp push uploads the tree."""
    for word in inv.parsed.operands:
        endpoint = parse_url(word.value or word.prefix)
        if endpoint is not None:
            inv.op(O.UPLOAD)
            inv.network(N.UPLOAD, endpoint)


def _secret(inv: Invocation) -> None:
    """git secret cat and reveal show what was encrypted."""
    inv.op(O.READ)
    for word in inv.parsed.operands:
        inv.path(word, PathAccess.READ)


_DISCARDS = (Trait.DISCARD_WORK,)
_REWRITES = (Trait.DISCARD_WORK, Trait.MASS)
_REMOTE_DELETE = E("f,force h,help", ops=(O.DELETE, O.CONNECT), traits=(Trait.REWRITE_REMOTE,))
_BRANCHING = E("r,remote= a,alias= from= h,help squash", verbs={
    "finish": E("squash r,remote= h,help", ops=(O.DELETE,)), "*": E("squash")})  # fmt: skip
_FLOW_VERBS = {
    "delete": E("f,force r,remote h,help", traits=_DISCARDS, ops=(O.DELETE,), marks={"remote": (Trait.REWRITE_REMOTE, O.CONNECT)}),
    "publish": E("", ops=(O.CONNECT,)), "track pull": E(""), "*": E("F,fetch r,rebase p k,keep D,force_delete S,squash no-ff m,message=text s u= f= T,tagname= n,notag b"),
}  # fmt: skip
_LFS_READS = "env ls-files locks logs status pointer clone-info fsck ext"

# git-extras, one row for what only shows, one for what changes nothing that cannot be had again.
_EXTRAS: Mapping[str, E] = {
    **each("alias authors changelog commits-since count cp delta effort extras fame guilt info local-commits"
           " locked missing show-merged-branches show-tree show-unmerged-branches standup summary repl", E("a all email list no-merge-commits l,list n= since= s= t= x p,prune-old tag= f,final-tag= date= h,help", out=Out.CONTENT)),
    **each("abort archive-file browse browse-ci clear-alias coauthor contrib create-branch fork fresh-branch get"
           " gh-pages graft ignore ignore-io lock merge-into merge-repo mr pr pull-request release rename-branch"
           " rename-file rename-tag rename-remote rebase-patch root setup squash stamp sync-fork touch unlock unwip utimes wip"
           " psykorebase continue", E("l,local g,global p,private a append r,remote= from= squash-msg=text m=text s,search t c relative list to= ff-only h,help")),
    "clear": E("f,force h,help", ops=(O.DELETE,), traits=_REWRITES), "clear-soft": E("f,force h,help", ops=(O.DELETE,), traits=_REWRITES),
    "obliterate": E("h,help", traits=_REWRITES), "reauthor": E("old-email= correct-email= correct-name= a,all t,type= m,merge-or-rebase-author-name n,only-name h,help", traits=_DISCARDS),
    "undo": E("s,soft h,hard help", marks={"hard": _DISCARDS}), "reset-file": E("h,help", traits=_DISCARDS),
    "sync": E("f,force s,soft h,help", traits=_DISCARDS), "force-clone": E("b= h,help", ops=(O.FETCH,), traits=_DISCARDS),
    **each("delete-branch delete-tag", _REMOTE_DELETE), **each("delete-merged-branches delete-squashed-branches", E("h,help", ops=(O.DELETE,))),
    "delete-submodule": E("h,help", ops=(O.DELETE,), traits=_DISCARDS),
    **each("feature refactor bug-branch chore", _BRANCHING),
    "bulk": E("a,workspace-all g,guarded q,quiet w= no-follow-symlinks addworkspace= removeworkspace= listall purge h,help", ordered=True, special=_bulk),
    **each("scp rscp", E("h,help", special=_to_remote)), "paste": E("h,help", ops=(O.CONNECT, O.UPLOAD)),
    "sed": E("g c f= h,help", "pattern pattern word", ops=(O.WRITE,)), "magic": E("a p f m=text e h,help", ops=(O.WRITE,), marks={"p": (O.CONNECT,), "f": (O.CONNECT,)}),
    "brv": E("r,reverse h,help", out=Out.CONTENT), "stamp": E("r,replace h,help", "text*"),
}  # fmt: skip

VERBS: Mapping[str, E] = {
    **_EXTRAS,
    "subtree": E("", verbs={
        **each("add pull push", E("P,prefix= m,message=text squash q d b= onto= rejoin S,gpg-sign?", special=_subtree)),
        "*": E("P,prefix= m,message=text squash q d b,branch= onto= annotate= rejoin ignore-joins")}),
    "lfs": E("h,help", verbs={
        **each(_LFS_READS, E("a,all n= s,size l,long d,debug j,json local cached pointers objects dry-run h,help", out=Out.CONTENT)),
        "prune": E("d,dry-run v,verbose f,force recent c,verify-remote no-verify-remote h,help", ops=(O.DELETE,)),
        "push": E("d,dry-run object-id all stdin h,help", ops=(O.CONNECT,)), **each("fetch pull", E("I,include= X,exclude= r,recent a,all p,prune refetch h,help", ops=(O.FETCH,))),
        "migrate": E("", verbs={"info": E("above= top= everything I,include= X,exclude= unit= pointers= fixup", out=Out.CONTENT),
                                "*": E("I,include= X,exclude= everything fixup m,message=text no-rewrite object-map=write skip-fetch yes verbose above= remote=", traits=_REWRITES)}),
        "uninstall": E("w,worktree l,local system skip-repo"), "unlock": E("f,force id= json r,remote="), "smudge": E("skip"), "clean": E(""), "*": E("f,force l,local s,skip-smudge system manual m lockable no-excluded filename remote= json")}),
    "annex": E("", verbs={
        **each("status find list whereis info log metadata unused version diff", E("json in= all", out=Out.CONTENT)), **each("drop dropunused drop-key dropkey", E("force from= auto all", "word*", ops=(O.DELETE,), marks={"force": _DISCARDS})),
        **each("get sync pull", E("content from= J,jobs= all auto no-content", ops=(O.FETCH, O.CONNECT))), **each("copy move push", E("to= from= all fast J,jobs= auto", "search*", ops=(O.CONNECT,))),
        "addurl": E("file=write fast relaxed pathdepth=", "url*", ops=(O.FETCH,)), "importfeed": E("", "url*", ops=(O.FETCH,)), "uninit": E("", traits=_DISCARDS), "*": E("force to= from= json J=")}),
    "flow": E("", verbs={"init": E("d,defaults f,force"), **each("feature bugfix release hotfix support", E("", verbs=_FLOW_VERBS)), "*": E("")}),
    "secret": E("", verbs={"cat": E("d= p=", special=_secret, ops=(O.CREDENTIAL_READ,)), "reveal": E("f d= v p= F P", special=_secret), "killperson": E("d"), "clean": E("v", ops=(O.DELETE,)), "*": E("c d m F P v i")}),
    "crypt": E("", verbs={"export-key": E("k,key-name=", "write", ops=(O.CREDENTIAL_READ,)), "unlock": E("k,key-name=", "stat*"), "*": E("a,all k,key-name= f,force n,no-commit trusted")}),
    "ftp": E("u= user= p= passwd= s,scope= a,all D,dry-run v,verbose syncroot= remote-root= insecure f,force", verbs={"*": E("", special=_ftp)}),
    "svn": E("r,revision= q,quiet v,verbose username=", verbs={"dcommit": E("n,dry-run e,edit rmdir mergeinfo= interactive", ops=(O.CONNECT,)), "reset": E("r= p", traits=_DISCARDS), **each("clone fetch rebase init", E("s,stdlayout T,trunk= b,branches= t,tags= A,authors-file=read prefix= l,local", "url mkdir", ops=(O.FETCH,))), "*": E("oneline limit= show-commit r=")}),
    "p4": E("v,verbose", verbs={**each("clone sync", E("branch= destination= bare detect-branches max-changes= use-client-spec", ops=(O.FETCH,))), "submit": E("origin= M n,dry-run prepare-p4-only shelve commit= disable-rebase", ops=(O.CONNECT,)), "*": E("")}),
    "town": E("debug", verbs={**each("kill delete", E("", ops=(O.DELETE,), traits=_DISCARDS)), "undo": E("", traits=_DISCARDS), "*": E("all stack d,dry-run p,prune")}),
    "machete": E("", verbs={"slide-out": E("n d,down-fork-point= M delete"), "discover": E("C l r y,yes", out=Out.CONTENT), **each("status list log diff show file fork-point is-managed version help", E("l L", out=Out.CONTENT)), "*": E("M n y,yes W H P")}),
    "branchless": E("", verbs={"*": E("")}), **each("sl smartlog", E("r reverse", out=Out.CONTENT)), **each("next prev move submit sw record hide unhide amend", E("x,exact= s,source= b,base= d,dest= i,insert f,force a,all c,create m,message=text r,recursive")),
    **each("absorb revise trim gone sweep cola dag mob up open recent review semver autofixup fixup", E("b,base= a,and-rebase f,force n,dry-run s,status-filter= prompt r,repo= m=text i,interactive e,edit c,cut p,patch d,delete= no-confirm stash h,help", "word*")),
    **each("cliff quick-stats sizer when-merged churn stats linguist dircmp who loc hours",
           E("u,unreleased l,latest t,tag= c,config=read o,output=write p,prepend=edit b,bump? w,workdir= r,repository= current strip= context body=text verbose v j json branch= since= sort= cost= format= excl= incl= C,copy-file-moves cost n,no-regex h,help", out=Out.CONTENT)),
    "bug": E("", verbs={**each("ls show select termui webui user label status bug version", E("", out=Out.CONTENT)), "rm": E("", ops=(O.DELETE,)), **each("push pull", E("", ops=(O.CONNECT,))), "*": E("t,title=text m,message=text F,file=read")}),
    "imerge": E("", verbs={"remove": E("name=", traits=_DISCARDS), "*": E("name= goal= manual branch= force")}), "remote-gcrypt": E(""),
    **each("credential-manager credential-oauth credential-osxkeychain credential-libsecret credential-wincred credential-netrc", E("", verbs={"get": E("", ops=(O.CREDENTIAL_READ,)), "*": E("")})),
    **each("tf codecommit cinnabar remote-hg codereview cl pair duet together", E("", "word*")),
}  # fmt: skip
