"""git and its own verbs: what loses work, rewrites a remote, shows a file, or runs code."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import (
    Dialect,
    IssueCode,
    PathAccess,
)
from defenseclaw.core.facts import (
    NetworkAction as N,
)
from defenseclaw.core.facts import (
    OperationKind as O,
)
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, names, settled
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import Endpoint, parse_url
from defenseclaw.facts.programs.transfer import remote_place, upload
from defenseclaw.facts.programs.variables import PLAIN_COMMANDS
from defenseclaw.facts.programs.vcs.extensions import VERBS
from defenseclaw.facts.roles import Need, apply_role, need_of, require
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import merge
from defenseclaw.facts.table_reader import apply_roles
from defenseclaw.facts.typed.shell_patch import apply_with_git

# Settings whose value git runs; a dot-ended key is a family.
_EXEC_KEYS = ("core.sshcommand", "core.editor", "core.pager", "core.fsmonitor", "sequence.editor", "core.askpass",
              "core.gitproxy", "diff.external", "gpg.program", "uploadpack.packobjectshook", "init.templatedir",
              "core.alternaterefscommand", "interactive.difffilter", "sendemail.smtpserver")  # fmt: skip
_EXEC_SUFFIXES = (".textconv", ".clean", ".smudge", ".process", ".command", ".driver", ".cmd", ".helper", ".program", ".sshcommand",
                  ".uploadpack", ".receivepack", ".vcs")  # fmt: skip
# Credential helpers that ship with git, its forges and the platforms: names, not commands.
_HELPERS = frozenset({"", "store", "cache", "osxkeychain", "manager", "manager-core", "libsecret", "wincred", "gcloud.sh",
                      "!gh auth git-credential", "!/usr/bin/gh auth git-credential", "!glab auth git-credential",
                      "!aws codecommit credential-helper $@"})  # fmt: skip


def _globals(inv: Invocation) -> None:
    """Options before the verb: another directory, and settings for this one call."""
    for word in inv.parsed.all_values("c") + inv.parsed.all_values("config-env"):
        key, _, value = (word.value or word.prefix).partition("=")
        if word.value is None and _is_exec_key(key.lower()):
            inv.trait(Trait.CONFIG_EXEC, Trait.DYNAMIC_CODE)
            inv.partial(IssueCode.DYNAMIC_WORD)
        else:
            setting(
                inv, key.lower(), replace(word, value=value) if word.value is not None else word
            )
    for word in inv.parsed.all_values("exec-path"):
        inv.trait(Trait.CONFIG_EXEC)
        inv.path(word, PathAccess.EXECUTE)
    directory = inv.parsed.value("C")
    if directory is not None:
        if not inv.bound_here(directory) and inv.entry is not None:
            harmless = need_of(inv.entry, "word") is Need.NEVER
            require(inv, directory, Need.NEVER if harmless else Need.ALWAYS)
        known = directory.value
        inv.cwd = (inv.builder.locate(known, inv.cwd).resolved or None) if known else None


def _is_exec_key(key: str) -> bool:
    return key in _EXEC_KEYS or key == "core.hookspath" or key.startswith("alias.") or (
        key.endswith(_EXEC_SUFFIXES) and key.partition(".")[0] in
        ("filter", "diff", "merge", "mergetool", "difftool", "pager", "credential", "gpg", "remote", "browser", "man", "trailer", "ssh")
    )  # fmt: skip


def setting(inv: Invocation, key: str, word: Word) -> None:
    """What giving a setting a value means."""
    value = word.value
    if value is None:
        if _is_exec_key(key):
            inv.trait(Trait.CONFIG_EXEC)
            inv.partial(IssueCode.DYNAMIC_WORD)
        return
    plain = value.strip()
    if key == "core.hookspath":
        _hooks_path(inv, plain)
    elif key.startswith("alias."):
        _executed(inv, word, plain[1:] if plain.startswith("!") else "")
    elif key.endswith(".helper") and key.startswith("credential"):
        if plain.partition(" ")[0] not in _HELPERS and plain not in _HELPERS:
            inv.trait(Trait.CONFIG_EXEC)
            _executed(inv, word, plain[1:] if plain.startswith("!") else "")
    elif _is_exec_key(key) and plain not in PLAIN_COMMANDS and plain not in _PLAIN_VALUES:
        _executed(inv, word, plain)


_PLAIN_VALUES = frozenset({"true", "false", "gpg", "gpg2"})
_PROJECT_HOOKS = frozenset({"", "/dev/null", ".husky", ".husky/_", ".githooks", "hooks"})


def _hooks_path(inv: Invocation, value: str) -> None:
    inv.trait(Trait.HOOKS_BYPASS if value in ("", "/dev/null", "nul") else Trait.CONFIG_EXEC)
    if value not in _PROJECT_HOOKS:
        inv.path_value(value, PathAccess.EXECUTE)


def _executed(inv: Invocation, word: Word, code: str) -> None:
    """git runs this value sooner or later: its bytes are code."""
    if not code:
        return
    inv.trait(Trait.CONFIG_EXEC)
    _config_code(inv, replace(word, value=code))


def _config_code(inv: Invocation, word: Word) -> None:
    inv.run_code(word, How(wrapper=False, dialect=Dialect.POSIX, quiet=True))


def _config(inv: Invocation) -> None:
    parsed = inv.parsed
    operands = list(parsed.operands)
    if operands and operands[0].value in ("set", "get", "list", "unset", "edit", "get-all"):
        mode = operands.pop(0).value
    else:
        mode = ""
    for word in parsed.all_values("file"):
        apply_role(inv, "edit", word)
    mutates = mode in ("set", "unset") or parsed.has(
        "add", "replace-all", "unset", "unset-all", "rename-section", "remove-section"
    )
    reading = mode in ("get", "list", "get-all") or parsed.has(
        "get", "get-all", "get-regexp", "list", "get-urlmatch", "get-color", "get-colorbool"
    )
    if not reading and len(operands) >= 2:
        mutates = True
    if not mutates:
        return
    inv.op(O.CONFIG_CHANGE)
    if len(operands) >= 2:
        key = (operands[0].value or "").lower()
        if not _is_exec_key(key):
            inv.data(operands[1], "git config value")
        setting(inv, key, operands[1])
    scope = (
        "~/.gitconfig"
        if parsed.has("global")
        else "/etc/gitconfig"
        if parsed.has("system")
        else ".git/config"
    )
    if not parsed.has("file"):
        home = inv.builder.scope.place.home
        inv.path_value(scope.replace("~", home) if home else scope, PathAccess.WRITE)


def _commit(inv: Invocation) -> None:
    for option, word in inv.parsed.values:
        if option.name == "file" and word.value == "-":
            inv.stdin_label = "git commit -F -"
        elif option.role != "word":
            apply_role(inv, option.role, word)


def _remote_target(inv: Invocation, word: Word | None, action: N) -> None:
    """A repository given as a URL or a scp-like place is contacted."""
    if word is None or word.value is None:
        return
    if word.value.startswith("ext::"):
        inv.trait(Trait.CONFIG_EXEC)
        how = How(wrapper=False, dialect=Dialect.POSIX)
        inv.run_code(replace(word, value=word.value[5:]), how)
        return
    endpoint = parse_url(word.value)
    if endpoint is None and ":" in word.value:
        place = remote_place(word.value)
        endpoint = place[0] if place is not None else None
    if endpoint is not None:
        inv.op(O.CONNECT)
        inv.network(action, endpoint)


def _push(inv: Invocation) -> None:
    parsed = inv.parsed
    operands = parsed.operands
    _remote_target(inv, parsed.value("repo") or (operands[0] if operands else None), N.UPLOAD)
    _transport(inv)
    refs = [w.value or "" for w in operands[1:]]
    forced = parsed.has("force", "mirror") or any(r.startswith("+") for r in refs)
    deleted = parsed.has("delete", "prune", "mirror") or any(
        r.startswith(":") and len(r) > 1 for r in refs
    )
    if forced or deleted:
        inv.trait(Trait.REWRITE_REMOTE)
    if deleted:
        inv.op(O.DELETE)
    if parsed.has("all", "mirror"):
        inv.trait(Trait.MASS)


def _transport(inv: Invocation) -> None:
    for name in ("receive-pack", "exec", "upload-pack"):
        word = inv.parsed.value(name)
        if word is not None and (word.value or "x").strip() not in (
            "git-receive-pack",
            "git-upload-pack",
        ):
            inv.trait(Trait.CONFIG_EXEC)
            inv.run_code(word, How(wrapper=False, remote=True, dialect=Dialect.POSIX))


@settled
def _fetch(inv: Invocation) -> None:
    operands = inv.parsed.operands
    _remote_target(inv, operands[0] if operands else None, N.DOWNLOAD)
    _transport(inv)


def _clone(inv: Invocation) -> None:
    parsed = inv.parsed
    for word in parsed.all_values("config"):
        key, _, value = (word.value or "").partition("=")
        setting(inv, key.lower(), replace(word, value=value))
    _transport(inv)
    operands = parsed.operands
    _remote_target(inv, operands[0] if operands else None, N.DOWNLOAD)
    if len(operands) > 1:
        apply_role(inv, "mkdir", operands[1])
    if parsed.has("template"):
        inv.trait(Trait.CONFIG_EXEC)


def _reset(inv: Invocation) -> None:
    if inv.parsed.has("hard", "merge"):
        inv.trait(Trait.DISCARD_WORK)


def _checkout(inv: Invocation) -> None:
    """checkout throws work away when it is forced or takes paths from the index or a commit."""
    parsed = inv.parsed
    words = [w.value for w in inv.words[1:]]
    if parsed.has("force"):
        inv.trait(Trait.DISCARD_WORK)
    elif parsed.has("b", "B", "orphan", "detach", "patch"):
        return
    elif "--" in words:
        if words[-1] != "--":
            inv.trait(Trait.DISCARD_WORK)
            _overwrites(inv, inv.words[words.index("--") + 2 :])
    elif (
        any(w.value in (".", "./", ":/", "*") for w in parsed.operands) or len(parsed.operands) > 1
    ):
        inv.trait(Trait.DISCARD_WORK)
        _mass_paths(inv, [w.value for w in parsed.operands])
    elif parsed.has("pathspec-from-file", "ours", "theirs"):
        inv.trait(Trait.DISCARD_WORK)


def _overwrites(inv: Invocation, words: list[Word]) -> None:
    """Paths that git replaces in the working tree; a pathspec with magic names no one file."""
    _mass_paths(inv, [w.value for w in words])
    for word in words:
        if word.value and not word.value.startswith(":"):
            apply_role(inv, "format", word)


def _mass_paths(inv: Invocation, paths: list[str | None]) -> None:
    if any(p in (".", "./", ":/", "*", ":/*") for p in paths):
        inv.trait(Trait.MASS)


def _restore(inv: Invocation) -> None:
    parsed = inv.parsed
    if parsed.has("staged") and not parsed.has("worktree"):
        return
    if not parsed.has("patch"):
        inv.trait(Trait.DISCARD_WORK)
        _overwrites(inv, parsed.operands)


def _clean(inv: Invocation) -> None:
    parsed = inv.parsed
    if parsed.has("dry-run", "interactive"):
        inv.preview()
    if parsed.has("force"):
        inv.trait(Trait.DISCARD_WORK)
        inv.op(O.DELETE)
        if parsed.has("x"):
            inv.trait(Trait.MASS)


def _branch(inv: Invocation) -> None:
    parsed = inv.parsed
    if parsed.has("D") or (parsed.has("delete") and parsed.has("force")):
        inv.trait(Trait.DISCARD_WORK)
        inv.op(O.DELETE)
    elif parsed.has("delete"):
        inv.op(O.DELETE)


def _stash(inv: Invocation) -> None:
    if inv.fact.subcommand in ("stash drop", "stash clear"):
        inv.trait(Trait.DISCARD_WORK)
        if inv.fact.subcommand == "stash clear":
            inv.trait(Trait.MASS)


def _remote_add(inv: Invocation) -> None:
    inv.op(O.CONFIG_CHANGE)
    operands = inv.parsed.operands
    _remote_target(inv, operands[-1] if len(operands) > 1 else None, N.CONNECT)


def _show_output(inv: Invocation) -> None:
    """Reading verbs; ``--output`` writes, external diff programs run."""
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    if inv.parsed.has("ext-diff"):
        inv.trait(Trait.CONFIG_EXEC)


def _blob(inv: Invocation) -> None:
    """``git show REV:path`` prints a stored file: the same file by another way."""
    _show_output(inv)
    for word in inv.parsed.operands:
        _, mark, path = (word.value or "").partition(":")
        if mark and path and not path.startswith("/"):
            fact = inv.path_value(path, PathAccess.READ)
            inv.op(O.READ)
            if fact is not None:
                inv.inputs.append(inv.content_of(fact))


def _rm(inv: Invocation) -> None:
    apply_roles(inv, "word*" if inv.parsed.has("cached") else "delete*")
    if inv.parsed.has("force") and not inv.parsed.has("cached"):
        inv.trait(Trait.DISCARD_WORK)


def _each_commit(inv: Invocation) -> None:
    """filter-branch, rebase --exec, bisect run, submodule foreach: commands per item."""
    for option, word in inv.parsed.values:
        if option.role == "code":
            inv.run_code(word, How(wrapper=False, dialect=Dialect.POSIX))
        elif option.role != "word":
            apply_role(inv, option.role, word)


def _foreach(inv: Invocation) -> None:
    words = inv.parsed.operands
    if len(words) == 1:
        inv.run_code(words[0], How(wrapper=False, dialect=Dialect.POSIX))
    elif words:
        inv.run(words, How(wrapper=False))


def _grep(inv: Invocation) -> None:
    parsed = inv.parsed
    for option, word in parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    operands = list(parsed.operands)
    if not parsed.has("regexp", "f") and operands:
        inv.data(operands.pop(0), "git grep (pattern)")
    if parsed.has("O", "open-files-in-pager"):
        inv.trait(Trait.CONFIG_EXEC)


def _compared(inv: Invocation) -> None:
    """``git diff --no-index`` compares any two files, as diff does."""
    _show_output(inv)
    if inv.parsed.has("no-index"):
        for word in inv.parsed.operands:
            apply_role(inv, "search", word)


def _object(inv: Invocation) -> None:
    """``git cat-file`` prints one object, which may be a file of a commit."""
    if not inv.parsed.has("t", "s", "e"):
        _blob(inv)


def _tree(inv: Invocation) -> None:
    """read-tree and checkout-index write over the working tree when told to."""
    apply_roles(inv)
    forced = inv.fact.subcommand == "checkout-index" and inv.parsed.has("force")
    if forced or (inv.parsed.has("reset") and inv.parsed.has("u")):
        inv.trait(Trait.DISCARD_WORK)
        inv.op(O.WRITE)
    if forced and inv.parsed.has("all"):
        inv.trait(Trait.MASS)


def _each_repository(inv: Invocation) -> None:
    """for-each-repo runs another git command in every repository that a setting names."""
    if inv.parsed.operands:
        inv.run([*inv.words[:1], *inv.parsed.operands], How(wrapper=False))


def _merge_program(inv: Invocation) -> None:
    """merge-index runs a program per unmerged file."""
    words = [w for w in inv.parsed.operands if not (w.value or "x").startswith("-")]
    if words and words[0].value != "git-merge-one-file":
        inv.run(words, How(wrapper=False))


def _tool(inv: Invocation) -> None:
    """difftool and mergetool start a program, which may be given on the command line."""
    for word in inv.parsed.all_values("extcmd"):
        inv.run_code(word, How(wrapper=False, dialect=Dialect.POSIX))


def _mail(inv: Invocation) -> None:
    """send-email sends the patches that it is given."""
    apply_roles(inv)
    server = inv.parsed.value("smtp-server")
    host = "" if server is None or (server.value or "/").startswith("/") else server.value or ""
    upload(inv, Endpoint(host, "tcp"), merge(inv.inputs))
    if server is not None and not host:
        inv.trait(Trait.CONFIG_EXEC)
        apply_role(inv, "run", server)


def _bundle(inv: Invocation) -> None:
    """A bundle is a repository in a file."""
    role = "write" if inv.fact.subcommand == "bundle create" else "read"
    for word in inv.parsed.operands[:1]:
        apply_role(inv, role, word)


def _notes(inv: Invocation) -> None:
    """Notes are text beside commits."""
    apply_roles(inv)
    if inv.fact.subcommand in ("notes remove", "notes prune"):
        inv.op(O.DELETE)


_GLOBAL = (
    "c=place C= config-env= exec-path? git-dir=stat work-tree=stat namespace= super-prefix= p,paginate P,no-pager bare"
    " no-replace-objects literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-optional-locks"
    " list-cmds= html-path man-path info-path v,version h,help no-advice no-lazy-fetch attr-source="
)
_LOG = (
    "output=write format= pretty= n,max-count= skip= since= after= until= before= author=pattern committer=pattern"
    " grep=pattern G=pattern S=pattern L= date= encoding= U,unified= stat? diff-filter= color? word-diff? abbrev? O="
    " ext-diff no-ext-diff p,u,patch s,no-patch follow oneline graph all decorate? name-only name-status numstat shortstat"
    " cached staged w b reverse merges no-merges first-parent i E F P C? M? B? R a z W relative? exit-code quiet check"
    " textconv no-textconv no-color no-prefix src-prefix= dst-prefix= inter-hunk-context= dirstat? submodule? #"
)
_read = E(_LOG, "any*", special=_show_output, out=Out.CONTENT)
_plain = E("", out=Out.CONTENT)
_shows = E("", "any*", out=Out.CONTENT)
_PLAIN_VERBS = names(
    "ls-remote symbolic-ref update-index sparse-checkout pack-refs unpack-objects rerere repack pack-objects"
    " index-pack citool gui imap-send commit-graph multi-pack-index scalar backfill"
    " mailinfo mailsplit merge-one-file merge-file prune-packed"
    " pack-redundant repo replay update-server-info http-backend send-pack fetch-pack gitweb"
    " archimport cvsexportcommit cvsimport cvsserver quiltimport fast-import hook receive-pack upload-pack upload-archive"
)
# Verbs that show, compute or add objects: whatever their operands are, nothing is lost or sent.
_SHOWING_VERBS = names(
    "status describe rev-parse rev-list ls-files ls-tree merge-base shortlog for-each-ref name-rev var"
    " version help count-objects fsck show-ref hash-object write-tree commit-tree check-ignore check-attr diff-index"
    " diff-files diff-tree annotate cherry range-diff stripspace column mktree verify-commit verify-tag"
    " fmt-merge-msg interpret-trailers get-tar-commit-id verify-pack show-branch check-ref-format request-pull bugreport"
    " diagnose survey diff-pairs check-mailmap merge-tree mktag patch-id show-index unpack-file gitk"
)

GIT = E(
    _GLOBAL,
    before=_globals,
    verbs={
        **dict.fromkeys(_PLAIN_VERBS, _plain),
        **dict.fromkeys(_SHOWING_VERBS, _shows), "ls-files": replace(_shows, out=Out.NAMES),
        **VERBS,
        "log": _read, "diff": E(f"{_LOG} no-index", "any*", special=_compared, out=Out.CONTENT), "whatchanged": _read, "reflog": E(_LOG, special=_show_output, out=Out.CONTENT, verbs={
            "expire": E("expire= all", traits=(Trait.DISCARD_WORK,)), "delete": E("", traits=(Trait.DISCARD_WORK,)), "*": _read}),
        "show": E(_LOG, "any*", special=_blob, out=Out.CONTENT),
        "format-patch": E("o,output-directory=mkdir stdout n N s,signoff v= cover-letter subject-prefix= start-number= #", "any*", out=Out.CONTENT),
        "archive": E("format= o,output=write prefix= remote= exec=code l v # add-file=read", "any*", out=Out.CONTENT),
        "blame": E("L= s e w C? M? l t f n p porcelain line-porcelain date= since= contents=read ignore-rev= ignore-revs-file=read", "any*", out=Out.CONTENT),
        "grep": E("e,regexp=pattern f=read n,line-number i,ignore-case l,files-with-matches L c,count w,word-regexp v E F P o,only-matching"
                  " A= B= C= O? open-files-in-pager? cached untracked no-index recurse-submodules max-depth= h H q r p and or not all-match"
                  " threads= color? heading break name-only textconv", "any*", special=_grep, ops=(O.SEARCH,), out=Out.CONTENT),
        "commit": E("m,message=text F,file=read author= date= cleanup= fixup= squash= C,reuse-message= c,reedit-message= trailer=text t,template=read"
                    " pathspec-from-file=read n,no-verify a,all p,patch s,signoff v,verbose q,quiet amend no-edit allow-empty"
                    " allow-empty-message e,edit dry-run short branch porcelain long z,null no-post-rewrite i,include o,only interactive"
                    " no-status status S,gpg-sign? u? untracked-files? no-gpg-sign reset-author no-signoff", "any*",
                    special=_commit, marks={"no-verify": (Trait.HOOKS_BYPASS,)}),
        "push": E("repo= receive-pack= exec= o,push-option= no-verify f,force force-with-lease? force-if-includes all branches mirror"
                  " tags follow-tags atomic u,set-upstream d,delete prune porcelain signed? no-signed 4,ipv4 6,ipv6 q,quiet v,verbose n,dry-run"
                  " progress thin no-thin recurse-submodules=", special=_push, ops=(O.CONNECT,), marks={"no-verify": (Trait.HOOKS_BYPASS,)}),
        "fetch": E("all a,append depth= deepen= f,force k multiple p,prune t,tags no-tags n u upload-pack= q,quiet v,verbose o= shallow-since="
                   " unshallow dry-run j,jobs= refmap= recurse-submodules? progress filter=", operands="target any*", special=_fetch, ops=(O.FETCH,)),
        "pull": E("r,rebase? no-rebase ff-only ff no-ff f,force all a depth= p,prune t,tags q,quiet v,verbose X= s= autostash no-verify n no-edit"
                  " squash no-commit upload-pack= allow-unrelated-histories no-tags", operands="target any*", special=_fetch, ops=(O.FETCH,)),
        "clone": E("b,branch= c,config= depth= o,origin= u,upload-pack= reference= template= separate-git-dir= j,jobs= l,local n,no-checkout"
                   " q,quiet v,verbose recursive recurse-submodules? shallow-since= single-branch no-single-branch bare mirror filter= sparse"
                   " s,shared progress no-tags shallow-submodules no-hardlinks dissociate", special=_clone, ops=(O.FETCH,)),
        "reset": E("hard soft mixed merge keep q,quiet p,patch N pathspec-from-file=read", "any*", special=_reset,
                   by_option=dict.fromkeys(("hard", "merge", "keep"), "word*")),
        "checkout": E("b= B= q,quiet f,force t track? no-track orphan= l detach p,patch m,merge conflict= ours theirs pathspec-from-file="
                      " recurse-submodules progress guess no-guess overlay no-overlay 2 3 d", special=_checkout,
                      by_option=dict.fromkeys(("b", "orphan"), "any*")),
        "switch": E("c,create= C,force-create= d,detach f,force discard-changes t track? q,quiet orphan= guess no-guess m,merge", "any*", by_option=dict.fromkeys(("force", "discard-changes", "force-create"), "word*"),
                    marks={"force": (Trait.DISCARD_WORK,), "discard-changes": (Trait.DISCARD_WORK,)}),
        "restore": E("s,source= S,staged W,worktree p,patch q ours theirs m pathspec-from-file= ignore-unmerged recurse-submodules overlay",
                     special=_restore),
        "clean": E("d f,force x X i,interactive n,dry-run e,exclude= q,quiet", special=_clean),
        "branch": E("a,all r,remotes d,delete D f,force m,move M c C l,list v? u,set-upstream-to= unset-upstream contains= no-contains="
                    " merged? no-merged? sort= format= points-at= show-current t track? edit-description q vv abbrev? column? i", "any*", special=_branch,
                    by_option=dict.fromkeys(("delete", "D", "force", "M", "C"), "word*")),
        "tag": E("a,annotate s,sign u= f,force d,delete v n? l,list? m,message=text F,file=read sort= format= contains= points-at= merged? i column?", "any*", by_option=dict.fromkeys(("delete", "force"), "word*"),
                 marks={"delete": (O.DELETE,)}),
        "stash": E("", special=_stash, verbs={
            **dict.fromkeys(("push", "save"), E("m,message=text p u,include-untracked a,all k,keep-index S,staged q", "any*")),
            **dict.fromkeys(("drop", "clear"), E("q", special=_stash)),
            "*": E("p u a k q stat include-untracked index", "any*", out=Out.CONTENT)}),
        "remote": E("v,verbose", verbs={
            "add": E("t= m= f tags no-tags mirror?", special=_remote_add), "set-url": E("push add delete", special=_remote_add),
            **dict.fromkeys(("rename", "remove", "rm", "set-head", "set-branches"), E("a d add", ops=(O.CONFIG_CHANGE,))),
            "*": E("n p,prune dry-run all push")}),
        "config": E("f,file= global system local worktree blob= default= comment= type= t= get get-all get-regexp get-urlmatch get-color get-colorbool"
                    " add replace-all unset unset-all rename-section remove-section l,list e,edit z,null includes no-includes show-origin"
                    " show-scope name-only fixed-value bool int path int all value= append", "word any", special=_config),
        "mv": E("f,force k n,dry-run v", "move* write", ops=(O.MOVE,)),
        "rm": E("f,force n,dry-run r,recursive cached q ignore-unmatch sparse pathspec-from-file=read", special=_rm),
        "worktree": E(verbs={"add": E("f,force b= B= d detach lock reason= track guess-remote orphan q", "mkdir any"),
                             "remove": E("f,force", "stat", marks={"force": (Trait.DISCARD_WORK,)}), "*": E("v porcelain n expire=", "any*")}),
        "rebase": E("i,interactive x,exec=code onto= root r? autosquash autostash continue abort skip quit edit-todo s= X= q v f,force-rebase"
                    " no-verify keep-base update-refs p m k no-ff committer-date-is-author-date whitespace= C= strategy= empty= fork-point", "any*",
                    special=_each_commit, marks={"no-verify": (Trait.HOOKS_BYPASS,)}),
        "filter-branch": E("env-filter=code tree-filter=code index-filter=code parent-filter=code msg-filter=code commit-filter=code"
                           " tag-name-filter=code subdirectory-filter= prune-empty original= d= f,force setup=code state-branch=",
                           special=_each_commit, traits=(Trait.DISCARD_WORK, Trait.MASS)),
        "filter-repo": E("path= invert-paths force replace-text=read analyze strip-blobs-bigger-than= commit-callback=python"
                         " blob-callback=python message-callback=python", traits=(Trait.DISCARD_WORK, Trait.MASS), special=_each_commit),
        "merge": E("m=text F=read s= X= ff no-ff ff-only squash no-squash abort continue quit edit no-edit e q v no-verify no-commit commit"
                   " allow-unrelated-histories S? autostash n stat log? verify-signatures into-name=", "any*", marks={"no-verify": (Trait.HOOKS_BYPASS,)}),
        "cherry-pick": E("e x r m= n s S? ff abort continue skip quit strategy= X= allow-empty keep-redundant-commits no-commit", "any*"),
        "revert": E("e no-edit m= n s S? abort continue skip quit strategy= X= no-commit", "any*"),
        "am": E("s k u 3 c m S? i abort continue skip quit show-current-patch? keep-cr ignore-whitespace whitespace= C= p= directory= reject n,no-verify q",
                "script*", ops=(O.WRITE,), marks={"no-verify": (Trait.HOOKS_BYPASS,)}, special=apply_with_git),
        "apply": E("stat numstat summary check index cached 3,3way R,reverse reject z p= C= unidiff-zero ignore-whitespace whitespace= directory= v,verbose"
                   " include= exclude= allow-empty inaccurate-eof recount N unsafe-paths build-fake-ancestor=write q apply", special=apply_with_git),
        "bisect": E(verbs={"run": E("", "command*", ordered=True, special=_foreach), "*": E("term-old= term-new= no-checkout first-parent", "any*")}),
        "submodule": E("q,quiet", verbs={"foreach": E("recursive q", ordered=True, special=_foreach),
                                         "add": E("b= f name= reference= depth=", operands="target any*", special=_fetch, ops=(O.FETCH,)),
                                         "deinit": E("f,force all", marks={"force": (Trait.DISCARD_WORK,)}),
                                         "*": E("init recursive f,force remote depth= j= checkout rebase merge N single-branch progress cached files", "any*")}),
        "gc": E("aggressive auto prune? no-prune q force", marks={"prune": (Trait.DISCARD_WORK,)}),
        "prune": E("n,dry-run v,verbose expire= progress", traits=(Trait.DISCARD_WORK,)),
        "update-ref": E("d m= no-deref stdin z create-reflog", marks={"d": (Trait.DISCARD_WORK, O.DELETE)}),
        "replace": E("d l f edit graft"),
        "add": E("n,dry-run v i p,patch e f,force u,update A,all N,intent-to-add refresh ignore-errors chmod= pathspec-from-file=read renormalize", "any*"),
        "cat-file": E("t s e p textconv filters batch? batch-check? batch-command? batch-all-objects path= buffer unordered Z z filter=", "any*", special=_object, out=Out.CONTENT),
        "read-tree": E("m reset u i n,dry-run v trivial aggressive prefix= index-output= no-sparse-checkout empty q", special=_tree),
        "checkout-index": E("u,index q,quiet f,force a,all n,no-create prefix=mkdir stage= temp ignore-skip-worktree-bits stdin z", special=_tree),
        "for-each-repo": E("config= keep-going", "word*", ordered=True, special=_each_repository),
        "merge-index": E("o q a", "word*", ordered=True, special=_merge_program),
        "difftool": E("d,dir-diff y,no-prompt prompt t,tool= tool-help no-symlinks x,extcmd=must g,gui no-gui trust-exit-code cached staged", special=_tool),
        "mergetool": E("t,tool= tool-help y,no-prompt prompt g,gui no-gui O=", special=_tool),
        "send-email": E("to= cc= bcc= from= subject= in-reply-to= smtp-server= smtp-server-port= smtp-user= smtp-pass= smtp-encryption= annotate compose"
                        " dry-run confirm= suppress-cc= thread no-thread 8bit-encoding= to-cmd=code cc-cmd=code header-cmd=code sendmail-cmd=code batch-size= force validate", "source*", special=_mail),
        "bundle": E("q,quiet", verbs={**dict.fromkeys(("create", "verify", "list-heads", "unbundle"), E("q,quiet progress all all-progress version=", special=_bundle)), "*": E("")}),
        "notes": E("ref=", verbs={**dict.fromkeys(("add", "append", "edit"), E("m,message=text F,file=read C= c= f,force allow-empty separator=", "any*", special=_notes)),
                                  **dict.fromkeys(("remove", "prune"), E("ignore-missing stdin n,dry-run v", special=_notes)), "*": E("f,force s= abort commit q v", out=Out.CONTENT)}),
        "maintenance": E("", verbs={"start": E("scheduler=", ops=(O.SCHEDULE,)), "*": E("auto schedule? task= quiet config-file=")}),
        "daemon": E("base-path=stat port= listen= export-all enable= disable= reuseaddr verbose detach inetd user= group= access-hook=code", "list*", ops=(O.LISTEN,)),
        "instaweb": E("l,local d,httpd= m,module-path= p,port= b,browser= start stop restart", ops=(O.LISTEN,)),
        "credential": E("", verbs={"fill": E("", ops=(O.CREDENTIAL_READ,)), "*": E("")}),
        **dict.fromkeys(("credential-store", "credential-cache"), E("file=stat timeout= socket=", verbs={"get": E("", ops=(O.CREDENTIAL_READ,)), "*": E("")})),
        "fast-export": E("all export-marks=write import-marks=read signed-tags= tag-of-filtered-object= anonymize no-data use-done-feature progress= refspec=", out=Out.CONTENT),
        "init": E("q,quiet bare template= separate-git-dir= b,initial-branch= shared? object-format=", "mkdir", marks={"template": (Trait.CONFIG_EXEC,)}),
    },
)  # fmt: skip
