"""Forges, secret stores, backups, monitoring and other services with a command line."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import CommandEffect, Dialect
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Style, joined, settled
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_url
from defenseclaw.facts.programs.cloud import actions, destroy, set_path
from defenseclaw.facts.programs.sending import ELSEWHERE, send, sender, url_host
from defenseclaw.facts.programs.transfer import upload
from defenseclaw.facts.programs.verbs import (
    after_dashes,
    apply_values,
    destroys,
    each,
    group,
    lists,
    plain,
    run_there,
    secrets,
    text_of,
)
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import merge
from defenseclaw.facts.table_reader import apply_roles

_FORGES = {"gh": "github.com", "hub": "github.com", "glab": "gitlab.com", "tea": "gitea.com"}


# --- forges ---


def _host(inv: Invocation) -> Endpoint:
    """The forge that a call talks to."""
    named = inv.parsed.value("hostname")
    host = canonical_host(text_of(named)) if named is not None else ""
    return Endpoint(host or _FORGES.get(inv.fact.program, "github.com"), "https")


def _api(inv: Invocation) -> None:
    """api: an HTTP request with the user's rights."""
    apply_values(inv)
    method = text_of(inv.parsed.value("method") or Word("")).upper()
    if method == "DELETE" or _mutation(inv, "delete"):
        destroy(inv)
    for name in ("field", "raw-field"):
        for word in inv.parsed.all_values(name):
            _field(inv, word)
    _texts(inv)


_TEXT_OPTIONS = ("title", "body", "body-text", "comment", "notes", "field", "raw-field", "desc")


def _texts(inv: Invocation) -> None:
    """Files and texts that become an issue, a comment or a request leave for the forge."""
    words = [w for name in _TEXT_OPTIONS for w in inv.parsed.all_values(name)]
    streams = [*inv.inputs, *(s for s in map(inv.word_stream, words) if s.tainted)]
    if streams and inv.fact.effect is not CommandEffect.PREVIEW:
        upload(inv, _host(inv), merge(streams))


@settled
def _forge_text(inv: Invocation) -> None:
    """create, edit, comment: what is said there is public or at least elsewhere."""
    apply_roles(inv)
    _texts(inv)


def _mutation(inv: Invocation, verb: str) -> bool:
    """A GraphQL mutation whose first field begins with a verb."""
    queries = [text_of(w) for n in ("field", "raw-field") for w in inv.parsed.all_values(n)]
    texts = [q[6:].lower() for q in queries if q.startswith("query=")]
    return any("mutation" in t and t.partition("{")[2].lstrip().startswith(verb) for t in texts)


def _field(inv: Invocation, word: Word) -> None:
    """``key=@file`` is read; anything else is data."""
    text = text_of(word)
    at = text.find("=@")
    if at >= 0 and inv.parsed.has("field") and text[at + 2 :] != "-":
        apply_role(inv, "read", joined(word, at + 2))
    else:
        inv.data(word, inv.consumer(word))


def _send_files(inv: Invocation) -> None:
    """Files among the operands leave for the forge."""
    apply_values(inv)
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    words = [w for w in inv.parsed.operands if w.value != "-"]
    skip = 1 if inv.fact.subcommand.startswith("release") else 0
    for word in words[skip:]:
        apply_role(inv, "read", joined_before(word, "#"))
    if inv.inputs or inv.stdin.connected:
        upload(inv, _host(inv), merge(inv.inputs) if inv.inputs else inv.stdin)


def joined_before(word: Word, mark: str) -> Word:
    """The word without what follows a mark, such as the label of ``file#label``."""
    if word.value is None or mark not in word.value:
        return word
    return replace(word, value=word.value.partition(mark)[0])


def _alias(inv: Invocation) -> None:
    """alias set: a shell alias is code that runs later."""
    operands = inv.parsed.operands
    if len(operands) < 2:
        return
    text = text_of(operands[1])
    if inv.parsed.has("shell") or text.startswith("!"):
        inv.trait(Trait.CONFIG_EXEC)
        word = joined(operands[1], 1) if text.startswith("!") else operands[1]
        inv.run_code(word, How(wrapper=False, dialect=Dialect.POSIX))


def _machine(inv: Invocation) -> None:
    """codespace ssh: shell text on another machine."""
    apply_values(inv)
    run_there(inv, after_dashes(inv) or inv.parsed.operands)


def _clone(inv: Invocation) -> None:
    """repo clone: a repository, and the folder it goes into."""
    apply_values(inv)
    inv.network(N.DOWNLOAD, _host(inv))
    words = [w for w in inv.parsed.operands if w not in after_dashes(inv)]
    if len(words) > 1:
        apply_role(inv, "mkdir", words[1])


_GH_COMMON = "R,repo= h,help json= q,jq=pattern t,template= hostname= w,web paginate"
_GH_LIST = f"{_GH_COMMON} L,limit= s,state= l,label= a,assignee= A,author= S,search=pattern B,base= H,head= app= d,draft sort= order= o,org= e,env= u,user= a,all status= event= branch= b= c=" \
           " created= workflow= k,key= r,ref= f,filename= language= topic= visibility= no-archived archived fork source mention= m,milestone= exclude-drafts M,merged owner= closed match= type="  # fmt: skip
_GH_VIEW = f"{_GH_COMMON} c,comments comments log log-failed j,job= v,verbose exit-status a,attempt= watch i,interval= required fail-fast name-only patch color= ref= b,branch= y,yaml r,raw f,filename= files exclude="
_GH_TEXT = (
    f"{_GH_COMMON} t,title=text b,body=text F,body-file=read body-text=text m,milestone= l,label= a,assignee= r,reviewer= p,project= B,base= H,head= d,draft f,fill fill-first fill-verbose"
    " no-maintainer-edit recover= dry-run e,editor T,template= remove-label= add-label= add-assignee= remove-assignee= add-reviewer= remove-reviewer= add-project="
    " remove-project= remove-milestone c,comment=text reason= edit-last create-if-none delete-last yes y,yes duplicate-of= approve r,request-changes"
)
_GH_TEXT_REVIEW = f"{_GH_COMMON} a,approve c,comment r,request-changes b,body=text F,body-file=read"
_GH_MERGE = f"{_GH_COMMON} m,merge s,squash r,rebase d,delete-branch auto disable-auto admin b,body=text F,body-file=read t,subject=text A,author-email= match-head-commit="
_GH_DELETE = f"{_GH_COMMON} y,yes confirm cleanup-tag a,all succeed-on-no-caches e,env= o,org= u,user= app= days= f,force c,codespace= id= owner= format= r,ref="
_GH_SET = f"{_GH_COMMON} b,body=text e,env= f,env-file=settings no-repos-selected no-store o,org= r,repos= u,user v,visibility= a,app="
_GH_MISC = f"{_GH_COMMON} y,yes f,force d,desc= p,public filename= source= private public internal clone gitignore= license= add-readme homepage= remote= push include-all-branches team= enable-issues? enable-wiki? visibility= accept-visibility-change-consequences default-branch= delete-branch-on-merge? add-topic= remove-topic= allow-forking? enable-auto-merge? enable-squash-merge? fork-name= remote-name= org= default-branch-only c,color= force m,machine= b,branch= recurse-submodules detach name= target= field= raw-field= ref= F, r= all pin= s,scopes= git-protocol= with-token insecure-storage skip-ssh-key clipboard u,unset view unset reset r,remove-scopes= branch commit= n,no-browser idle-timeout= retention-period= display-name= location= e= allow-update type= w,title="
_GH_MISC = _GH_MISC.replace(" F, ", " ").replace(" w,title=", " title=")
_gh_delete = E(_GH_DELETE, ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))
_gh_light_delete = E(_GH_DELETE, ops=(O.DELETE,))
_gh_list = E(_GH_LIST, ops=(O.LIST,), out=Out.CONTENT)
_gh_view = E(_GH_VIEW, ops=(O.READ,), out=Out.NETWORK)
_gh_text = E(_GH_TEXT, out=Out.CONTENT, special=_forge_text)


def _forge(*parts: dict[str, E]) -> E:
    """A noun of a forge's command line with the usual verbs."""
    verbs = {
        **each("list ls status search", _gh_list),
        **each("view show checks diff watch get", _gh_view),
        "*": E(_GH_MISC),
    }
    for part in parts:
        verbs.update(part)
    return E(_GH_COMMON, verbs=verbs)


_PR = _forge(each("create new edit comment close reopen ready update-branch lock unlock revert note", _gh_text), {
    "review": E(_GH_TEXT_REVIEW, special=_forge_text), "merge": E(_GH_MERGE, marks={"admin": (O.POLICY_BYPASS,)}), "checkout": E(f"{_GH_COMMON} b,branch= detach f,force recurse-submodules"),
    "delete": _gh_delete, "approve": E(), "rebase": E("skip-ci"),
})  # fmt: skip
_ISSUE = _forge(each("create new edit comment close reopen lock unlock pin unpin transfer note", _gh_text), {
    "delete": _gh_delete, "develop": E(f"{_GH_COMMON} b,base= branch-repo= c,checkout l,list n,name=")})  # fmt: skip
_REPO = _forge({"delete": _gh_delete, "archive": E(_GH_DELETE, ops=(O.CONFIG_CHANGE,)), "clone": E(f"{_GH_COMMON} u,upstream-remote-name=", ops=(O.FETCH,), special=_clone),
                "deploy-key": _forge({"add": E(f"{_GH_COMMON} w,allow-write t,title=", "read"), "delete": _gh_light_delete}),
                "edit": E(_GH_MISC), "transfer": E(_GH_DELETE)})  # fmt: skip
_RELEASE_TEXT = f"{_GH_COMMON} d,draft p,prerelease t,title=text n,notes=text F,notes-file=read target= generate-notes discussion-category= latest? verify-tag notes-from-tag notes-start-tag= fail-on-no-commits tag= clobber N,name= assets-links= m,milestone= r,ref="
_RELEASE = _forge(each("create new upload", E(_RELEASE_TEXT, special=_send_files)), {
    "edit": E(_RELEASE_TEXT), "delete": _gh_delete, "delete-asset": _gh_delete,
    "download": E(f"{_GH_COMMON} A,archive= D,dir=mkdir clobber O,output=write p,pattern= skip-existing", ops=(O.FETCH,))})  # fmt: skip
_GIST = _forge(each("create new", E(f"{_GH_COMMON} d,desc=text f,filename= p,public w", special=_send_files)), {
    "edit": E(f"{_GH_COMMON} a,add=read d,desc= f,filename= r,remove=", special=_forge_text), "delete": _gh_delete, "clone": E(ops=(O.FETCH,))})  # fmt: skip
_SECRET = _forge({"set": E(_GH_SET), **each("delete remove rm", _gh_delete)})
_KEY = _forge(
    {"add": E(f"{_GH_COMMON} t,title= type=", "stat"), **each("delete remove", _gh_light_delete)}
)
_RUN = _forge({"delete": _gh_light_delete, "download": E(f"{_GH_COMMON} D,dir=mkdir n,name= p,pattern=", ops=(O.FETCH,)), "rerun": E(f"{_GH_COMMON} d,debug failed j,job="),
               "cancel": E(f"{_GH_COMMON} force")})  # fmt: skip
_CODESPACE = _forge({"ssh": E(f"{_GH_COMMON} c,codespace= config d,debug debug-file=log profile= repo-owner= server-port=", special=_machine), "delete": _gh_delete,
                     "cp": E("c,codespace= e,expand p= r,recursive", "source* word"), "logs": E("c,codespace= f,follow")})  # fmt: skip
_AUTH = group(_GH_COMMON, secrets("token", "u,user= h,hostname="), {
    "status": E("t,show-token a,active h,hostname=", ops=(O.LIST,), marks={"show-token": (O.CREDENTIAL_READ,)}), "*": E(_GH_MISC)})  # fmt: skip
_API = E(
    "R,repo= h,help q,jq=pattern t,template= hostname= paginate slurp X,method= F,field= f,raw-field= H,header= input=read i,include silent verbose cache= p,preview= form= output=",
    special=_api, out=Out.NETWORK)  # fmt: skip
_GH = E(f"{_GH_COMMON} version", verbs={
    "pr": _PR, "mr": _PR, "issue": _ISSUE, "repo": _REPO, "release": _RELEASE, "gist": _GIST, **each("secret variable", _SECRET), **each("ssh-key gpg-key", _KEY), "run": _RUN,
    "workflow": _forge({"run": E(f"{_GH_COMMON} f,raw-field=text F,field=text r,ref= json", out=Out.CONTENT)}), **each("codespace cs", _CODESPACE), "auth": _AUTH, "api": _API,
    "cache": _forge({"delete": _gh_light_delete}), "label": _forge({"delete": _gh_light_delete}), "project": _forge({"delete": _gh_delete, "item-delete": _gh_light_delete, "field-delete": _gh_light_delete}),
    **each("alias", E(verbs={"set": E("s,shell clobber", special=_alias), "import": E("clobber", "read"), "*": E("all")})),
    **each("extension ext extensions", E(verbs={"install": E("force pin=", ops=(O.FETCH,)), "exec": E(ordered=True), **each("upgrade", E("all force dry-run", ops=(O.FETCH,))), "*": E(_GH_LIST)})),
    **each("search", E(_GH_LIST, ops=(O.LIST,), verbs={"*": _gh_list})), **each("browse status org ruleset rs attestation at co", E(_GH_LIST, verbs={"*": E(_GH_VIEW)})),
    "config": E(verbs={"set": E("h,host="), "*": E("h,host=")}), **plain("copilot", "t,target= h", ordered=True), **plain("completion help environment formatting reference skyline screensaver accessibility agent-task preview",
                                                                                                                      "s,shell= o,output=write u,user= w,web saver= y,year= f,full"), "*": E(_GH_MISC),
})  # fmt: skip
_GLAB = E(_GH.options, verbs={
    **_GH.verbs, **each("ci pipeline pipe", _forge({"delete": _gh_delete, "lint": E("", "read"), "run": E("b,branch= variables= variables-env= variables-file=settings"), "trace": E(_GH_VIEW)})),
    "snippet": _forge(each("create new", E(f"{_GH_COMMON} t,title=text f,filename= d,description=text v,visibility= p,personal", special=_send_files)), {"delete": _gh_delete}),
    **each("schedule token deploy-key milestone iteration user cluster incident stack securefile runner opentofu changelog job check-update", _forge({**each("delete revoke", _gh_delete)})),
    "project": _REPO, **each("var", _SECRET),
})  # fmt: skip
_HUB = E(verbs={"delete": E("y,yes", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "api": _API, "release": _RELEASE, "gist": _GIST, "pr": _PR, "issue": _ISSUE,
                **plain("browse ci-status compare create fork pull-request sync", _GH_TEXT.replace("b,body", "b,base= body")), "*": E(ordered=True)})  # fmt: skip

# --- secret stores ---


def _single(options: str = "", operands: str = "word*", **more: object) -> E:
    return E(options, operands, style=Style.SINGLE, **more)  # type: ignore[arg-type]


_READ = (O.CREDENTIAL_READ,)
_VAULT_GLOBALS = (
    "address=url agent-address= ca-cert=stat ca-path= client-cert=stat client-key=stat namespace= ns= tls-server-name= tls-skip-verify wrap-ttl= header= mfa= policy-override output-curl-string"
    " output-policy unlock-key non-interactive field= format= mount= detailed version= versions= token= token-only no-store method= path= log-level= force f h,help"
)
_vault_delete = _single(ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))


def _vault_group(*verbs: str) -> E:
    return _single(
        verbs={
            **dict.fromkeys(verbs, _vault_delete),
            "*": _single(
                "description= default-lease-ttl= max-lease-ttl= version= local seal-wrap options= plugin-name= path= self accessor mode="
            ),
        }
    )


_VAULT = _single(_VAULT_GLOBALS, ordered=True, verbs={
    "kv": _single(verbs={"get": _single(ops=_READ), **dict.fromkeys(("delete", "destroy"), _vault_delete), "metadata": _vault_group("delete"),
                         "list": _single(ops=(O.LIST,)), "*": _single("cas= max-versions= custom-metadata= delete-version-after= method=")}),
    "read": _single(ops=_READ), "delete": _vault_delete, "write": _single("force f", "word data*"), "list": _single(ops=(O.LIST,)),
    "secrets": _vault_group("disable"), "auth": _vault_group("disable"), "policy": _vault_group("delete"), "token": _vault_group("revoke"), "lease": _vault_group("revoke"),
    "namespace": _vault_group("delete"), "audit": _vault_group("disable"), "plugin": _vault_group("deregister"),
    "operator": _single(verbs={**dict.fromkeys(("seal", "step-down"), _single(ops=(O.CONFIG_CHANGE,))), "raft": _single(verbs={"remove-peer": _vault_delete, "snapshot": _single(
        verbs={"save": _single("", "write"), "restore": _single("force", "settings", traits=(Trait.DESTROYS_RESOURCE,)), "*": _single()}), "*": _single()}),
        "init": _single("key-shares= key-threshold= recovery-shares= recovery-threshold= pgp-keys= root-token-pgp-key= status", ops=_READ), "*": _single()}),
    "print": _single(verbs={"token": _single(ops=_READ), "*": _single()}), "server": _single("config=settings dev dev-root-token-id= dev-listen-address= log-level="),
    "agent": _single("config=settings"), "proxy": _single("config=settings"), "*": _single(),
})  # fmt: skip


def _rest(inv: Invocation) -> None:
    """The command after the options runs here, with secrets in its environment."""
    apply_values(inv)
    command = inv.parsed.value("command")
    words = [w for w in inv.parsed.operands if w.value != "--"]
    if command is not None:
        inv.run_code(command, How(dialect=Dialect.POSIX))
    elif words and inv.fact.effect is not CommandEffect.PREVIEW:
        inv.run(words)


_OP_OBJECT = {
    **destroys("delete rm", "archive vault="),
    **lists(
        "list ls",
        "vault= categories= tags= long title= favorite include-archive group= user= permission=",
    ),
    "*": E(
        "vault= category= title= template=settings url= tags= generate-password? dry-run role= description= icon= name= expires-in= can-create-vaults fields= out-file=write session= email= permissions="
    ),
}
_OP = E("account= cache config= debug encoding= format= h,help iso-timestamps no-color session= v,version", verbs={
    "read": E("n,no-newline o,out-file=write f,force file-mode=", ops=_READ), "inject": E("i,in-file=settings o,out-file=write f,force file-mode=", ops=_READ), "run": E("env-file=settings no-masking", ordered=True, special=_rest),
    **each("item document", E(verbs={**_OP_OBJECT, "get": E("fields= vault= otp reveal share-link include-archive o,out-file=write f,force output=", ops=_READ)})),
    **each("vault user group account connect service-account events-api", E(verbs={**_OP_OBJECT, "forget": E("all")})), "*": E(ordered=False),
})  # fmt: skip
_DOPPLER_COMMON = "p,project= c,config= t,token= json plain no-color silent y,yes no-exit-on-missing-secret scope= api-host= dashboard-host= config-dir= no-check-version debug print-config no-verify-tls timeout="
_DOPPLER_OBJECT = {
    **destroys("delete rm"),
    **lists("list ls get", "n,number="),
    "*": E("name= n,name= description= environment= e,environment= slug= max-age="),
}
_DOPPLER = E(_DOPPLER_COMMON, verbs={
    "run": E("command= fallback=stat fallback-only fallback-readonly no-fallback forward-signals mount= mount-format= mount-max-reads= name-transformer= only-secrets= preserve-env?", ordered=True, special=_rest),
    "secrets": E("only-names raw", ops=_READ, verbs={**destroys("delete rm"), **secrets("get", "copy raw exit-on-missing-secret"), "download": E("format= no-file name-transformer=", "write", ops=_READ),
                                                   "set": E("no-interactive raw visibility=", ops=(O.CONFIG_CHANGE,)), "upload": E("", "settings"), "substitute": E("output=write", "read", ops=_READ), "*": E()}),
    **each("projects environments configs configtokens activity workplace groups projects-roles", E(verbs=_DOPPLER_OBJECT)), "*": E(verbs={"*": E()}),
})  # fmt: skip
_INFISICAL = E("env= path= projectId= token= domain= silent telemetry format= plain t", verbs={
    "run": E("command= watch expand include-imports secret-overriding recursive", ordered=True, special=_rest), "export": E("f,format= o,output=write", ops=_READ),
    "secrets": E("recursive", ops=_READ, verbs={**destroys("delete", "type="), **secrets("get", "type= raw-value"), "set": E("type= file=settings"), "*": E()}), "*": E(verbs={"*": E()}),
})  # fmt: skip


def _dashed_here(inv: Invocation) -> None:
    words = after_dashes(inv)
    if words:
        inv.run(words)


_SECRET_RUNNER = E("c,config= s,service= r= b= f,format= only= e=", verbs={
    **each("exec run", E("pristine strict", special=_dashed_here)), **secrets("read export env"), **destroys("delete"), "*": E(),
})  # fmt: skip


# --- backups and copies ---


def _restic(inv: Invocation) -> None:
    """backup reads folders; the repository may be another host."""
    apply_values(inv)
    inv.op(O.COPY)
    for word in inv.parsed.operands:
        inv.reads(word, recursive=True)
    hosts = [url_host(word) for word in inv.parsed.all_values("repo")]
    if hosts and hosts[-1] is not None and inv.inputs:
        send(inv, hosts[-1])


_RESTIC_COMMON = (
    "r,repo= repository-file=settings p,password-file=settings password-command=code key-hint= insecure-no-password o,option= q,quiet v,verbose? json no-cache cache-dir= cacert=stat tls-client-cert=stat cleanup-cache no-lock"
    " limit-upload= limit-download= compression= pack-size= retry-lock= insecure-tls no-extra-verify host= H,host= tag= path= n,dry-run h,help"
)
_RESTIC_FORGET = "l,keep-last= H,keep-hourly= d,keep-daily= w,keep-weekly= m,keep-monthly= y,keep-yearly= keep-within= keep-tag= host= tag= path= c,compact g,group-by= prune max-unused= max-repack-size= repack-cacheable-only unsafe-allow-remove-all"
_RESTIC = E(_RESTIC_COMMON, verbs={
    **destroys("forget", _RESTIC_FORGET), **destroys("prune", "max-unused= max-repack-size= repack-cacheable-only repack-small repack-uncompressed unsafe-recover-no-free-space="),
    "key": E(verbs={**destroys("remove"), "*": E("new-password-file=settings user=")}), "unlock": E("remove-all", marks={"remove-all": (O.DELETE, Trait.DESTROYS_RESOURCE)}),
    "rewrite": E("forget e,exclude= i,iexclude= exclude-file=settings new-host= new-time=", marks={"forget": (O.DELETE, Trait.DESTROYS_RESOURCE)}),
    "backup": E("e,exclude= iexclude= exclude-file=settings exclude-caches exclude-if-present= exclude-larger-than= files-from=read files-from-raw=read files-from-verbatim=read f,force parent= x,one-file-system stdin"
                " stdin-filename= stdin-from-command time= with-atime ignore-inode ignore-ctime skip-if-unchanged g,group-by= read-concurrency= no-scan use-fs-snapshot", special=_restic),
    "restore": E("t,target=write e,exclude= i,include= iexclude= iinclude= sparse verify overwrite= delete"), "mount": E("allow-other no-default-permissions owner-root", "mkdir"), "dump": E("a,archive= t,target=write"),
    "recover": E(), "repair": E(verbs={"*": E("forget")}), **lists("snapshots ls stats check diff find list cat cache self-update version features options", "l,long latest= c,compact g,group-by= mode= read-data read-data-subset= cleanup max-age= with-cache recursive human-readable"),
    "*": E("from-repo= from-password-file=settings copy-chunker-params"),
})  # fmt: skip
_BORG_COMMON = (
    "critical error warning info debug verbose v,verbose debug-topic= p,progress log-json lock-wait= bypass-lock show-version show-rc umask= remote-path= remote-ratelimit= upload-ratelimit= consider-part-files rsh= n,dry-run s,stats list filter=AM json"
    " e,exclude= exclude-from=settings pattern= patterns-from=settings exclude-caches exclude-if-present= keep-exclude-tags C,compression= x,one-file-system comment= timestamp= files-cache= numeric-ids noatime format= short P,prefix= a,glob-archives="
    " sort-by= first= last= force save-space repair verify-data repository-only archives-only max-duration= keep-within= keep-last= H,keep-hourly= d,keep-daily= w,keep-weekly= m,keep-monthly= y,keep-yearly= encryption= append-only storage-quota= make-parent-dirs"
    " strip-components= stdout sparse cleanup-commits threshold= target= recompress? chunker-params= upload-buffer= h,help"
).replace("filter=AM", "filter=")


def _with_lock(inv: Invocation) -> None:
    words = inv.parsed.operands[1:]
    if words:
        inv.run(words)


def _borg_create(inv: Invocation) -> None:
    """create REPO::ARCHIVE SOURCE…: the repository may be on another machine."""
    apply_roles(inv, "word search*")
    host = [url_host(word) for word in inv.parsed.operands[:1]]
    if inv.inputs and host and host[0] is not None:
        send(inv, host[0])


_BORG = E(_BORG_COMMON, verbs={
    **destroys("delete", "cache-only keep-security-info"), **destroys("compact recreate prune break-lock rdelete"), "create": E("", ops=(O.COPY,), special=_borg_create), "extract": E(ops=(O.WRITE,)),
    **lists("list info check diff version rlist"), "export-tar": E("tar-filter=", "word write"), "with-lock": E(ordered=True, special=_with_lock), "*": E(),
})  # fmt: skip


def _rclone(inv: Invocation) -> None:
    """rclone: ``remote:path`` beside local paths."""
    apply_values(inv)
    words = inv.parsed.operands
    if inv.fact.effect is CommandEffect.PREVIEW or len(words) < 2:
        return
    inv.op(O.COPY)
    source, target = words[0], words[1]
    if not _is_remote(source):
        apply_role(inv, "move" if inv.fact.subcommand.startswith("move") else "tree", source)
    if _is_remote(target):
        inv.op(O.UPLOAD)
        if inv.inputs:
            send(inv, ELSEWHERE)
    else:
        inv.op(O.FETCH)
        apply_role(inv, "write", target)


def _is_remote(word: Word) -> bool:
    head, mark, rest = text_of(word).partition(":")
    return bool(mark) and "/" not in head and not (len(head) == 1 and rest[:1] in ("/", "\\"))


_RCLONE_COMMON = (
    "v,verbose q,quiet P,progress n,dry-run i,interactive config=settings transfers= checkers= include= exclude= include-from=settings exclude-from=settings filter= f,filter= filter-from=settings files-from=settings max-age= min-age= max-size= min-size= max-depth="
    " bwlimit= s,stats? stats= log-file=log log-level= checksum c,checksum size-only u,update ignore-existing ignore-errors delete-excluded backup-dir= suffix= fast-list retries= low-level-retries= drive-shared-with-me s3-acl= s3-region= no-traverse create-empty-src-dirs"
    " use-json-log max-delete= track-renames immutable no-check-certificate L,copy-links l,links I,ignore-times buffer-size= multi-thread-streams= timeout= contimeout= user-agent= header= stats-one-line human-readable R,recursive F,format= separator= json dump= rc rc-addr= rc-user= rc-pass= resync rmdirs leave-root one-file-system"
)
_RCLONE = E(_RCLONE_COMMON, verbs={
    **each("copy copyto move moveto bisync copyurl", E(special=_rclone)), "sync": E(ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,), special=_rclone), **destroys("delete deletefile rmdirs cleanup"),
    **destroys("purge", "", Trait.MASS), "rmdir": E(ops=(O.DELETE,)), **lists("ls lsl lsd lsf lsjson size tree about version check cryptcheck hashsum md5sum sha1sum listremotes ncdu cat config help"),
    "config": E(verbs={"show": E(ops=_READ), "dump": E(ops=_READ), **each("delete", E(ops=(O.CONFIG_CHANGE,))), "*": E()}), "mount": E("daemon vfs-cache-mode= allow-other read-only allow-non-empty", "word mkdir"),
    "serve": E("addr= user= pass= htpasswd= baseurl= read-only", ops=(O.LISTEN,)), "rcat": E(ops=(O.UPLOAD,), special=sender(operands="word*")), "*": E(),
})  # fmt: skip

# --- monitoring, payments, flags: the first destroying word says it ---


def _roll(inv: Invocation) -> None:
    """stripe: like other platforms, and rolling a key ends the old one."""
    actions(inv)
    words = [text_of(w) for w in inv.parsed.operands[:3]]
    if "roll" in words:
        set_path(inv, words[: words.index("roll") + 1])
        destroy(inv)


_SERVICE_OPTIONS = (
    "o,output= output= format= project= p,project= environment= e,env= env= name= n,name= key= id= flag= workspace= account= org= organization= o,org= token= api-key= auth-token= host= url=url config=settings c,config=settings f,force yes y,yes"
    " confirm json q,quiet v,verbose d,data=text description= email= type= all no-color debug log-level= limit= filter= query= from= to= since= until= tail live profile= s,skip-confirm"
)
_SERVICE = E(_SERVICE_OPTIONS, special=actions)
_STRIPE = E(
    f"{_SERVICE_OPTIONS} forward-to=url events= load-from-webhooks-api device-name= live latest H,headers= skip-verify add= override= l,limit= stripe-account= i,idempotency=",
    special=_roll,
)
_CIRCLECI = E(
    f"{_SERVICE_OPTIONS} skip-update-check",
    verbs={
        "config": E(verbs={"*": E("pipeline-parameters= org-slug= org-id=", "settings")}),
        "local": E(verbs={"*": E("job= e= config=settings v,volume=", ops=(O.CONTAINER_RUN,))}),
        "*": E(special=actions),
    },
)


def _sentry_event(inv: Invocation) -> None:
    apply_values(inv)
    if inv.inputs:
        endpoint = parse_url("https://sentry.io/")
        upload(inv, endpoint or Endpoint("sentry.io", "https"), merge(inv.inputs))


_SENTRY = E(f"{_SERVICE_OPTIONS} r,release= dist= u,url-prefix= ext= rewrite strip-prefix= wait", verbs={
    **each("sourcemaps debug-files upload-dif dif react-native", E(verbs={"upload": E("", "list*", ops=(O.UPLOAD,)), "inject": E("", "format*"), "*": E("", "list*")})),
    "send-event": E("m,message=text e,extra= tag= logfile=read", special=_sentry_event), "*": E(special=actions)})  # fmt: skip


_DECK = E(f"{_SERVICE_OPTIONS} s,state=settings output-file=write select-tag= kong-addr=url headers= konnect-token= parallelism= silence-events workspace= a,all-workspaces", verbs={
    **destroys("sync reset", "skip-consumers db-update-propagation-delay="), "gateway": E(verbs={**destroys("sync reset"), "apply": E(), "*": E()}), "*": E("", "settings*"),
})  # fmt: skip


def _signal(inv: Invocation) -> None:
    """nginx -s quit, haproxy -sf, traefik and caddy stop: the proxy goes down."""
    apply_values(inv)
    word = inv.parsed.value("s")
    if word is not None and word.value in ("quit", "stop"):
        inv.fact.subcommand = word.value
        inv.op(O.PROCESS_KILL)


_NGINX = E("s= t T v V q c=settings g= p= e=log h", special=_signal, style=Style.SINGLE)


def _haproxy(inv: Invocation) -> None:
    apply_values(inv)
    if inv.parsed.has("sf", "st"):
        inv.op(O.PROCESS_KILL)


_HAPROXY = E(
    "f=settings c d D db q V v vv W Ws p=log n= N= L= C= m= sf= st= S= x=",
    style=Style.SINGLE,
    special=_haproxy,
)


_CADDY = E("config=settings c,config=settings adapter= watch pidfile=log environ envfile=settings resume root=list listen= domain= browse access-log from= to= address= w,overwrite", verbs={
    "stop": E(ops=(O.PROCESS_KILL,)), "fmt": E("overwrite d,diff", "format"), **plain("run start reload"), **lists("validate adapt version list-modules environ build-info"), "*": E(),
})  # fmt: skip
_RUNNER = E("c,config=settings debug log-level=", verbs={
    "unregister": E("all-runners n,name= t,token= u,url=", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "exec": E(verbs={"*": E("docker-image=must env=", ops=(O.EXECUTE,))}), "*": E("u,url= r,registration-token= t,token= executor= n,name= non-interactive")})  # fmt: skip


def _gitlab_admin(inv: Invocation) -> None:
    """Administration tasks of a self-hosted forge: a restore overwrites everything."""
    apply_values(inv)
    words = [text_of(w) for w in inv.parsed.operands[:1]]
    set_path(inv, words)
    if words[:1] in (["gitlab:backup:restore"], ["restore"], ["gitlab:setup"]) or any(
        ":drop" in w or "cleanup" in w for w in words
    ):
        destroy(inv)


def _jenkins(inv: Invocation) -> None:
    apply_values(inv)
    words = [text_of(w) for w in inv.parsed.operands[:1]]
    set_path(inv, words)
    if words and words[0].startswith("delete-"):
        destroy(inv)
    elif words[:1] in (["groovy"], ["groovysh"]):
        inv.trait(Trait.INLINE_CODE)


def _nsupdate(inv: Invocation) -> None:
    """nsupdate: instructions in files or on standard input change a zone."""
    apply_values(inv)
    for word in inv.parsed.operands:
        apply_role(inv, "settings", word)
    inv.op(O.CONFIG_CHANGE)
    if "delete" in (inv.stdin.text or ""):
        destroy(inv)


def _kamal_exec(inv: Invocation) -> None:
    apply_values(inv)
    run_there(inv, inv.parsed.operands)


_KAMAL = E("d,destination= r,roles= h,hosts= p,primary v,verbose q,quiet c,config-file=settings H,skip-hooks version= P,skip-push", verbs={
    "app": E(verbs={"exec": E("i,interactive reuse e,env= detach", special=_kamal_exec), **destroys("remove"), "*": E("f,follow n,lines= s,since= g,grep=")}), **destroys("remove", "y,confirmed"),
    "accessory": E(verbs={"exec": E("i,interactive reuse", "word code"), **destroys("remove", "y,confirmed"), "*": E()}), "server": E(verbs={"exec": E("i,interactive", special=_kamal_exec), "*": E()}), "*": E(verbs={"*": E()}),
})  # fmt: skip


PROGRAMS: dict[str, E] = {
    "gh": _GH,
    "glab": _GLAB,
    "hub": _HUB,
    **each("tea fj gitea-cli bkt codeberg-cli", E(_GH.options, verbs={**_GH.verbs, **each("repos repo", _REPO), "*": E(_GH_MISC)})),
    **each("vault bao openbao", _VAULT),
    "op": _OP,
    "doppler": _DOPPLER,
    "infisical": _INFISICAL,
    **each("chamber teller envkey-source summon berglas", _SECRET_RUNNER),
    "restic": _RESTIC,
    "rustic": _RESTIC,
    **each("borg borgmatic", _BORG),
    "rclone": _RCLONE,
    "circleci": _CIRCLECI,
    "stripe": _STRIPE,
    "sentry-cli": _SENTRY,
    **each("ldcli flipt unleash unleash-cli square newrelic pd splunk apigeecli datadog datadog-ci dog grafana grafana-cli mimirtool cortextool lokitool logcli-admin honeycomb honeymarker"
           " statsig configcat posthog segment auth0 okta clerk workos twilio sendgrid mailgun resend postmark shopify contentful sanity paddle braintree plaid algolia-cli launchdarkly opsgenie rollbar bugsnag-cli"
           " jira acli linear asana trello notion slack gam zapier airtable travis drone woodpecker-cli buildkite bk codefresh harness spacectl tfx checkly rundeck semaphore sem keycloak kcadm.sh ory kratos hydra hasura typesense-cli pinecone qdrant weaviate runpodctl vastai replicate tempo-cli"
           " jaeger otel-cli otelcol elasticsearch-plugin opensearch-plugin opensearch-cli saml2aws aws-sso granted assume awsume env0 openfga upstash-cli ngrok-api tailscale-api", _SERVICE),
    "ollama": E("h,help v,version", verbs={**destroys("rm"), "run": E("verbose format= keepalive= insecure nowordwrap", "word text*"), "serve": E(ops=(O.LISTEN,)), **each("pull push", E("insecure", ops=(O.FETCH,))),
                                           "create": E("f,file=settings q,quantize="), "*": E()}),
    "modal": E("e,env= profile=", verbs={**each("run serve deploy shell", E("d,detach q,quiet m,module name= cmd= i,interactive", "run any*", ordered=True)), "*": E(special=actions)}),
    "deck": _DECK,
    "kong": E("c,conf=settings p,prefix= v,verbose vv nginx-conf= run-migrations", verbs={
        "migrations": E(verbs={**each("reset", E("y,yes f,force", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE, Trait.DESTROYS_DATABASE))), "*": E("f,force q,quiet")}),
        **each("stop quit", E("t,timeout=", ops=(O.PROCESS_KILL,))), "*": E("", "settings*")}),
    **each("nginx openresty angie freenginx", _NGINX),
    "haproxy": _HAPROXY,
    "traefik": E("configfile=settings configFile=settings api.insecure? log.level= providers.docker?", verbs={"*": E()}),
    "caddy": _CADDY,
    **each("apachectl apache2ctl httpd apache2", E("k= t f=settings v V l L M S D= d= e= E=log C= c=")),
    "gitlab-runner": _RUNNER,
    **each("gitlab-rake gitlab-backup gitlab-ctl gitlab-rails", E("", special=_gitlab_admin)),
    **each("jenkins-cli jenkins-jobs jenkins-jcli", E("s=url auth= http webSocket ssh user= i=stat noCertificateCheck logger= strictHostKey", special=_jenkins)),
    "nsupdate": E("d D L= g i k=stat y= l o p= P R= r= t= T u= v V C=", special=_nsupdate),
    "kamal": _KAMAL,
    **each("gitea forgejo gogs", E("c,config=settings w,work-path=stat C,custom-path=stat p,port=", verbs={"admin": E(special=actions), "web": E(ops=(O.LISTEN,)), "dump": E("f,file=write"), "*": E()})),
    **plain("certbot acme.sh lego step cfssl minica", "n d= domains= email= m= agree-tos nginx apache webroot w= standalone dry-run cert-name= force-renewal non-interactive install uninstall CAROOT key-file=write cert-file=write",
            verbs={**each("delete revoke", E("cert-name= cert-path=stat delete-after-revoke reason=", ops=(O.DELETE,))), "*": E()}),
}  # fmt: skip
