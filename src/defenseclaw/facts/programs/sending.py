"""Programs that hand files over to somebody else: uploads, file sessions, requests with files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from defenseclaw.core.facts import CommandEffect, Dialect, IssueCode
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Special, Style, joined
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_url
from defenseclaw.facts.programs.transfer import destructive_request, remote_place, upload
from defenseclaw.facts.programs.verbs import apply_values, each, text_of
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import Stream, merge
from defenseclaw.facts.table_reader import apply_roles

# A place that a configuration names, such as a remote of rclone: outside, its host is not known.
ELSEWHERE = ""


def send(inv: Invocation, host: str) -> None:
    """What the command has read, or else its standard input, leaves for a host."""
    content = merge(inv.inputs) if inv.inputs else inv.stdin
    if content.connected and inv.fact.effect is not CommandEffect.PREVIEW:
        upload(inv, Endpoint(host, "https"), content)


def sender(host: str = ELSEWHERE, operands: str | None = None) -> Special:
    """A special that applies roles and then sends what was read."""

    def special(inv: Invocation) -> None:
        apply_roles(inv, operands)
        send(inv, host)

    return special


def sends(
    names: str, host: str = ELSEWHERE, options: str = "", operands: str = "source*", **more: Any
) -> dict[str, E]:
    """Verbs or programs whose operands and file options leave for a host."""
    return each(names, E(options, operands, special=sender(host), **more))


# --- one side is a remote place ---


def _to_last(is_remote: Callable[[Word], str | None]) -> Special:
    """Sources and a destination; the destination may be a remote place with or without a host."""

    def special(inv: Invocation) -> None:
        apply_values(inv)
        inv.op(O.COPY)
        words = inv.parsed.operands
        host = is_remote(words[-1]) if words else None
        for word in words[:-1]:
            if is_remote(word) is None:
                apply_role(inv, "source", word)
            else:
                inv.op(O.FETCH)
        if host is not None:
            send(inv, host)
        elif words:
            apply_role(inv, "write", words[-1])

    return special


def url_host(word: Word) -> str | None:
    """The host of a URL or of ``host:path``; None for a local path."""
    text = text_of(word).replace("::", ":", 1)
    if not text.startswith("sftp://"):
        text = text.removeprefix("sftp:").removeprefix("rest:")
    endpoint = parse_url(text)
    if endpoint is not None:
        return endpoint.host
    place = remote_place(text)
    return place[0].host if place is not None else None


# --- sessions: a text of commands for ftp and its relatives ---

_PUTS = frozenset(
    {"put", "reput", "mput", "send", "append", "mirror -R", "mirror --reverse", "upload"}
)
_GETS = frozenset({"get", "reget", "mget", "recv", "newer"})
_OPENS = frozenset({"open", "connect"})


def _session_line(inv: Invocation, line: str, host: str) -> str:
    """One command of a session; answers the host that it leaves the session connected to."""
    if line.startswith("!"):
        inv.run_code(Word(line[1:]), How(wrapper=False, dialect=Dialect.POSIX))
        return host
    words = line.split()
    verb = " ".join(words[:2]) if words[0] == "mirror" else words[0].lower()
    names = [w.strip("\"'") for w in words[len(verb.split()) :] if not w.startswith("-")]
    if verb in _OPENS and names:
        host = canonical_host(names[0].rpartition("@")[2]) or url_host(Word(names[0])) or host
    elif verb in _PUTS:
        before = len(inv.inputs)
        for name in names if verb == "mput" else names[:1]:
            apply_role(inv, "source", Word(name))
        upload(inv, Endpoint(host, "ftp"), merge(inv.inputs[before:]))
    elif verb in _GETS:
        inv.op(O.FETCH)
        for name in names[-1:]:
            apply_role(inv, "write", Word(name.rpartition("/")[2] or name))
    return host


def session(inv: Invocation, text: str | None, host: str) -> None:
    """The commands of a session, where its text is known."""
    if text is None:
        inv.partial(IssueCode.OPAQUE_ARTIFACT)
        return
    for line in text.replace(";", "\n").split("\n"):
        if line.strip():
            host = _session_line(inv, line.strip().lstrip("@-"), host)


def _file_session(*options: str) -> Special:
    """ftp, sftp and lftp: commands in options or on standard input."""

    def special(inv: Invocation) -> None:
        host = ""
        for word in inv.parsed.operands[:1]:
            host = url_host(word) or canonical_host(text_of(word).rpartition("@")[2])
            inv.op(O.CONNECT)
            inv.network(N.CONNECT, Endpoint(host, "ftp"))
        for name in options:
            for word in inv.parsed.all_values(name):
                session(inv, word.value, host)
        for word in inv.parsed.all_values("f") + inv.parsed.all_values("b"):
            if word.value != "-":
                apply_role(inv, "script", word)
                fact = inv.builder.facts.paths[-1]
                session(inv, inv.content_of(fact).text, host)
        if inv.stdin.connected:
            session(inv, inv.stdin.text, host)
        inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)

    return special


def _to_host(inv: Invocation) -> None:
    """ncftpput HOST FOLDER FILE…"""
    words = inv.parsed.operands
    for word in words[2:]:
        apply_role(inv, "source", word)
    if words:
        send(inv, canonical_host(text_of(words[0])))


def _share(inv: Invocation) -> None:
    """smbclient //HOST/SHARE -c 'put FILE'."""
    words = inv.parsed.operands
    host = text_of(words[0]).replace("\\", "/").strip("/").partition("/")[0] if words else ""
    host = canonical_host(host)
    inv.op(O.CONNECT)
    inv.network(N.CONNECT, Endpoint(host, "smb"))
    for word in inv.parsed.all_values("command"):
        session(inv, word.value, host)
    if inv.stdin.connected:
        session(inv, inv.stdin.text, host)


def _tftp(inv: Invocation) -> None:
    """tftp HOST -c put FILE."""
    words = [text_of(w) for w in inv.parsed.operands]
    host = canonical_host(words[0]) if words else ""
    inv.op(O.CONNECT)
    inv.network(N.CONNECT, Endpoint(host, "udp"))
    start = next((i for i, word in enumerate(words) if word in _PUTS | _GETS), len(words))
    if start < len(words):
        session(inv, " ".join(words[start:]), host)
    if inv.stdin.connected:
        session(inv, inv.stdin.text, host)


# --- HTTPie and its relatives ---

_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_SEPARATORS = (":=@", "=@", "==", ":=", "@", "=", ":")


def _item(inv: Invocation, word: Word) -> None:
    """One request item: a header, a query, a field, or a file."""
    text = text_of(word)
    found = [(text.find(mark), -len(mark), mark) for mark in _SEPARATORS if mark in text]
    mark = min(found)[2] if found else ""
    if mark in (":=@", "=@", "@"):
        apply_role(inv, "source", joined(word, text.index(mark) + len(mark)))
        return
    inv.data(word, inv.consumer(word))
    stream = inv.word_stream(word)
    if stream.tainted and not (stream.credential and mark == ":"):
        inv.inputs.append(replace(stream, connected=True))


def _request(inv: Invocation) -> None:
    """http [METHOD] URL [ITEM…]."""
    apply_values(inv)
    words = list(inv.parsed.operands)
    method = text_of(words[0]).upper() if words else ""
    if method in _METHODS and len(words) > 1:
        words.pop(0)
    else:
        method = ""
    for word in words[1:]:
        _item(inv, word)
    if inv.stdin.connected and not inv.parsed.has("ignore-stdin"):
        inv.inputs.append(inv.stdin)
    if inv.parsed.has("raw"):
        inv.inputs.extend(inv.word_stream(w) for w in inv.parsed.all_values("raw"))
    inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)
    target = text_of(words[0]) if words else ""
    endpoint = parse_url(
        f"localhost{target}" if target.startswith(":") else target, default_scheme="http"
    )
    if endpoint is None or inv.parsed.has("offline"):
        return
    destructive_request(inv, method, endpoint)
    content = merge([s for s in inv.inputs if s.connected])
    if content.connected or method in ("POST", "PUT", "PATCH"):
        upload(inv, endpoint, content)
    else:
        inv.op(O.FETCH)
        inv.network(N.DOWNLOAD, endpoint)


_HTTP = E(
    "j,json f,form multipart boundary= raw= x,compress p,print= h,headers b,body m,meta v,verbose all P,history-print= S,stream"
    " o,output=write d,download c,continue q,quiet session=stat session-read-only=stat a,auth= A,auth-type= ignore-netrc offline"
    " proxy= F,follow max-redirects= max-headers= timeout= check-status path-as-is chunked verify= ssl= ciphers= cert=stat"
    " cert-key=stat cert-key-pass= I,ignore-stdin no-verify s,style= pretty= unsorted sorted response-charset= response-mime="
    " format-options= default-scheme= debug traceback version help bearer= body-only curl curl-long https http-version= resolve=",
    "word*", special=_request,
)  # fmt: skip
_PUBLISH = "h= host= p= port= t= topic= u= user= P= pw= q= qos= r,retain f=source file=source m= message= l s,stdin-file n i= cafile=stat cert=stat key=stat tls-version="


def _publish(inv: Invocation) -> None:
    """mosquitto_pub: a file, standard input or a text goes to a broker."""
    apply_values(inv)
    for word in inv.parsed.all_values("m") + inv.parsed.all_values("message"):
        inv.data(word, inv.consumer(word))
        inv.inputs.append(inv.word_stream(word))
    host = inv.parsed.value("host") or inv.parsed.value("h")
    inv.op(O.CONNECT)
    send(inv, canonical_host(text_of(host)) if host is not None else "localhost")


def _stream_to(inv: Invocation) -> None:
    """A client that copies its standard input to the place it is given."""
    apply_values(inv)
    inv.op(O.CONNECT)
    for word in inv.parsed.operands[:1]:
        endpoint = parse_url(text_of(word)) or Endpoint(
            canonical_host(text_of(word).partition(":")[0]), "tcp"
        )
        fact = inv.network(N.CONNECT, endpoint)
        inv.carry(fact, inv.stdin)
    inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)


def _swaks(inv: Invocation) -> None:
    """swaks: a message with attachments goes to a server or to the recipient's."""
    apply_values(inv)
    for word in inv.parsed.all_values("attach"):
        apply_role(inv, "data" if text_of(word).startswith("@") else "source", word)
    place = inv.parsed.value("server") or inv.parsed.value("s") or inv.parsed.value("to")
    host = canonical_host(text_of(place).rpartition("@")[2]) if place is not None else ELSEWHERE
    inv.op(O.CONNECT)
    send(inv, host)


def remote_log(inv: Invocation) -> None:
    """logger -n HOST sends what it logs there."""
    apply_roles(inv)
    host = inv.parsed.value("server")
    if host is not None:
        send(inv, canonical_host(text_of(host)))


PROGRAMS: Mapping[str, E] = {
    **each("http https xh xhs ht curlie", _HTTP),
    **each("sftp psftp", E("4 6 A a C f N p q r v B= b=script c= D= F=stat i=stat J= l= o= P= pw= R= S= s= X= batch bc be", special=_file_session())),
    **each("ftp tnftp pftp ncftp", E("4 6 A a d e f=script g i n p v t u= o= P= r= s= N=", special=_file_session())),
    "lftp": E("e=word c=word f=script u= p= d s=", special=_file_session("e", "c")),
    "tftp": E("4 6 c l v r= p m= R=", special=_tftp),
    **each("ncftpput", E("u= p= P= R r z m v V f=settings d= t= E F DD c", special=_to_host)),
    "smbclient": E("c,command=word U,user= N,no-pass W,workgroup= D,directory= L,list= m,max-protocol= p,port= A,authentication-file=stat I,ip-address= k g T=", special=_share),
    **each("pscp", E("p q r v l= P= pw= i=stat C sftp scp batch unsafe hostkey= 1 2 4 6 ls", special=_to_last(url_host))),
    "rdiff-backup": E("v= terminal-verbosity= exclude= include= exclude-globbing-filelist=read remote-schema= print-statistics force b", special=_to_last(url_host)),
    "swaks": E("to= from= server= s= p,port= attach=must attach-type= attach-name= body=data d,data=data header=text h-subject=text tls au,auth-user= ap,auth-password= a,auth? q,quit-after= ehlo= n", style=Style.SINGLE, special=_swaks),
    **each("duplicity", E("full-if-older-than= encrypt-key= sign-key= no-encryption volsize= exclude= include= name= v= ssh-options= archive-dir=", special=_to_last(url_host), verbs={
        **each("full incr incremental restore verify list-current-files collection-status", E("", special=_to_last(url_host))), **each("remove-older-than remove-all-but-n-full cleanup", E("force", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))), "*": E("", special=_to_last(url_host))})),
    "unison": E("batch auto force= prefer= path= ignore= ui= repeat= times silent perms= sshargs= servercmd= root= logfile=log", style=Style.SINGLE, special=_to_last(url_host)),
    **each("mosquitto_pub", E(_PUBLISH, style=Style.SINGLE, special=_publish)),
    **each("websocat wscat", E("1 n t b E v q s k H,header= protocol= origin= basic-auth= c,connect= p,ping-interval=", special=_stream_to)),
    # model and data hubs
    **each("huggingface-cli hf", E("token= repo-type= revision= private commit-message=text include= exclude= delete= every= quiet h,help", verbs={
        **sends("upload upload-large-folder", "huggingface.co", operands="word source word"), **each("download", E("local-dir=mkdir cache-dir=mkdir force-download", ops=(O.FETCH,))),
        **each("repo repos repo-files", E("", verbs={**each("delete", E("y,yes", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))), "*": E()})), "*": E("")})),
    "kaggle": E("h,help v,version q,quiet csv", verbs={**each("datasets d kernels k models m competitions c", E("", verbs={
        **sends("create version push", "www.kaggle.com", "p,path=source m,message=text r,dir-mode= u,public t,keep-tabular d,delete-old-versions", "word*"),
        **sends("submit", "www.kaggle.com", "f,file=source m,message=text c,competition= k,kernel= v,version=", "word*"), **each("download pull output", E("p,path=mkdir w,wp f,file= unzip o,force q", ops=(O.FETCH,))),
        "delete": E("y,yes", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "*": E("s,search= sort-by= p,page= v,csv mine")})), "*": E()}),
    "wandb": E("h,help version", verbs={"artifact": E("", verbs={**sends("put", "api.wandb.ai", "n,name= d,description=text t,type= a,alias= id= resume= skip_cache policy="), "get": E("root=mkdir type=", ops=(O.FETCH,)), "*": E()}),
        **sends("sync", "api.wandb.ai", "id= p,project= e,entity= sync-all include-offline clean view verbose"), "server": E("", verbs={"*": E()}), "*": E("")}),
    # paste bins and file drops
    **sends("pastebinit wgetpaste fpaste", "paste.debian.net", "i=source b= a= f= j= r= t= u= p= m= P V E v h,help l x,raw"),
    **sends("gist jist", "gist.github.com", "p,private d,description= f,filename= u,update= o,open c,copy e s,shorten type= a,anonymous"),
    **sends("ix sprunge haste dpaste", "ix.io", "t= l="),
    **sends("slackcat", "slack.com", "c,channel= t,tee n,filename= s,stream p,post noop comment="), **sends("imgur", "imgur.com"),
    **sends("gdrive skicka", "www.googleapis.com", "p,parent= r,recursive name= description= share c="),
    **sends("dropbox_uploader dropbox_uploader.sh dbxcli", "content.dropboxapi.com", "f= s d q h p k x="), **sends("megaput mega-put megacopy", "g.api.mega.co.nz", "path= u= p= c"),
    **sends("kdeconnect-cli", ELSEWHERE, "d,device= n,name= share=source share-text=text l,list-devices a,list-available ping ping-msg= ring", "word*"),
    **sends("qrcp", ELSEWHERE, "p= i= k z= b o= c="), **sends("ossutil ossutil64 obsutil coscmd qshell", ELSEWHERE, "r,recursive f,force u,update c,config-file=settings e,endpoint= i= k= path= destination= brief", "word source*"),
}  # fmt: skip
