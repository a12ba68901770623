"""Programs that move bytes over the network: curl, wget, netcat, ssh, scp, rsync and relatives."""

from __future__ import annotations

import re
from dataclasses import replace

from defenseclaw.core.facts import (
    ByteKind,
    CommandEffect,
    DataKind,
    Dialect,
    IssueCode,
    NetworkFact,
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
from defenseclaw.facts.grammar import Out, Special, Style
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import (
    Endpoint,
    canonical_host,
    classify,
    parse_port,
    parse_url,
    split_port,
)
from defenseclaw.facts.paths import has_drive
from defenseclaw.facts.roles import Need, apply_role, known_url, require
from defenseclaw.facts.script import Link, Word
from defenseclaw.facts.streams import NOTHING, Stream, merge

_SHELL_NAMES = frozenset(
    {"sh", "bash", "zsh", "dash", "ksh", "fish", "ash", "cmd.exe", "cmd", "powershell.exe", "powershell", "pwsh",
     "python", "python3", "perl"}
)  # fmt: skip


def upload(inv: Invocation, endpoint: Endpoint, content: Stream) -> None:
    """Content leaves for a network target."""
    inv.op(O.UPLOAD)
    fact = inv.network(N.UPLOAD, endpoint)
    if fact is not None and not endpoint.host:
        fact.external = True  # a place that a configuration names is another machine
    start = DataKind.STDIN if content.connected and not content.files else DataKind.PROCESS
    inv.flow(start, DataKind.NETWORK, incoming=False)
    if content.files:
        inv.flow(DataKind.FILE, DataKind.PROCESS, incoming=True)
    inv.carry(fact, content)


# --- curl ---

_CURL_DATA = ("data", "data-ascii", "data-binary", "json")
_CURL_BODY = (*_CURL_DATA, "data-raw", "data-urlencode", "form", "form-string", "upload-file")


def _curl(inv: Invocation) -> None:
    parsed = inv.parsed
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    targets = parsed.operands + parsed.all_values("url")
    _graphql(inv)
    sent = _curl_body(inv)
    _curl_files(inv)
    body = parsed.has(*_CURL_BODY) and not parsed.has("get")
    inv.op(O.UPLOAD if body else O.FETCH)
    for word in targets:
        _curl_target(inv, word, sent if body or sent.tainted else None)
    # As zsh reads `$IFS` between two words nothing may be left to fetch: curl then ends at once.
    if not targets and inv.command.link is not Link.ALIAS:
        inv.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
    saved = parsed.has("output", "remote-name", "remote-name-all")
    outputs = parsed.all_values("output")
    to_stdout = not saved or any(w.value == "-" for w in outputs)
    if outputs and len(outputs) < len(targets) and not parsed.has("remote-name-all"):
        to_stdout = True
    _curl_saved_names(inv, targets)
    network = Stream(network=True, commands=(inv.fact.id,), connected=True)
    for path in inv.outputs:
        inv.builder.files[path] = network
    inv.outputs.clear()
    printed = to_stdout and not parsed.has("head")
    inv.out = network if printed else Stream(commands=(inv.fact.id,), connected=True)


_INDEX_PORTS = (9200, 7700, 8108)  # Elasticsearch and OpenSearch, Meilisearch, Typesense
_INDEX_CALLS = ("/_delete_by_query", "/_close", "/documents/delete")


def destructive_request(inv: Invocation, method: str, endpoint: Endpoint) -> None:
    """A request that deletes what its URL names."""
    if method == "DELETE":
        inv.op(O.DELETE)
        inv.trait(Trait.DESTROYS_RESOURCE)
    index = endpoint.port in _INDEX_PORTS and (
        method == "DELETE" or any(call in endpoint.path for call in _INDEX_CALLS)
    )
    if index:
        inv.trait(Trait.DESTROYS_INDEX)


# A field of a mutation whose name says that it deletes what its arguments name.
_MUTATION = re.compile(
    r"\bmutation\b[^{}]{0,400}\{\s*(?:\w+\s*:\s*)?(?:\w+_)?(?:[dD]elete|[dD]estroy|[pP]urge|[dD]rop|[wW]ipe|[tT]runcate)(?:[A-Z_]\w*)?\s*[({]"
)  # fmt: skip


def _graphql(inv: Invocation) -> None:
    """A request whose body is a mutation that deletes does what the method DELETE does."""
    bodies = [word.value or word.prefix for o, word in inv.parsed.values if o.name in _CURL_BODY]
    if any(body in ("@-", "-") for body in bodies):
        bodies.append(inv.stdin.text or "")
    if any(_MUTATION.search(body) for body in bodies):
        inv.op(O.DELETE)
        inv.trait(Trait.DESTROYS_RESOURCE)


def _method(inv: Invocation) -> str:
    for name in ("request", "method"):
        word = inv.parsed.value(name)
        if word is not None:
            return (word.value or "").upper()
    return ""


def _curl_target(inv: Invocation, word: Word, sent: Stream | None) -> None:
    endpoint = parse_url(known_url(word), default_scheme="http")
    if endpoint is None:
        require(inv, word)
        if word.value is not None:
            inv.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)  # no host that anything could mean
        return
    destructive_request(inv, _method(inv), endpoint)
    in_url = inv.word_stream(word)
    if in_url.labels or in_url.environment:
        sent = merge([in_url, sent]) if sent is not None else in_url
    if sent is None:
        inv.network(N.DOWNLOAD, endpoint)
        inv.flow(DataKind.NETWORK, DataKind.PROCESS, incoming=True)
    else:
        upload(inv, endpoint, sent)


def _curl_body(inv: Invocation) -> Stream:
    """What the body options send."""
    streams: list[Stream] = []
    for option, word in inv.parsed.values:
        name, text = option.name, word.prefix if word.value is None else word.value
        if name in _CURL_DATA or (name == "header" and text.startswith("@")):
            streams.append(_at_file(inv, word, text, 0))
        elif name == "data-urlencode":
            at = text.find("@")
            literal = at < 0 or 0 <= text.find("=") < at
            streams.append(_literal(inv, word) if literal else _at_file(inv, word, text, at))
        elif name == "form":
            start = text.find("=") + 1
            streams.append(
                _at_file(inv, word, text, start)
                if text[start : start + 1] in ("@", "<")
                else _literal(inv, word)
            )
        elif name == "upload-file":
            streams.append(inv.stdin if text in ("-", ".") else _sent_file(inv, word, text))
        elif name in (
            "data-raw",
            "form-string",
            "header",
            "user-agent",
            "cookie",
            "referer",
            "user",
            "oauth2-bearer",
        ):
            streams.append(_literal_option(inv, name, word))
    return merge([s for s in streams if s is not NOTHING])


def _literal(inv: Invocation, word: Word) -> Stream:
    inv.data(word, inv.consumer(word))
    return inv.word_stream(word)


_AUTHENTICATION = ("header", "user", "oauth2-bearer", "cookie")


def _literal_option(inv: Invocation, name: str, word: Word) -> Stream:
    """Text of an option; a credential in an authentication option is where it belongs."""
    stream = _literal(inv, word)
    if name in _AUTHENTICATION and stream.credential:
        return NOTHING
    return stream


def _at_file(inv: Invocation, word: Word, text: str, at: int) -> Stream:
    if text[at : at + 1] not in ("@", "<"):
        return _literal(inv, word)
    name = text[at + 1 :].partition(";")[0]
    if name in ("-", "/dev/stdin"):
        return inv.stdin
    return _sent_file(inv, word, name)


def _sent_file(inv: Invocation, word: Word, name: str) -> Stream:
    known = Word(
        name if word.value is not None else None,
        word.quote,
        prefix=name,
        start=word.start,
        end=word.end,
    )
    require(inv, known)
    fact = inv.path(known, PathAccess.READ)
    inv.op(O.READ)
    return merge([inv.content_of(fact), inv.word_stream(word)]) if fact is not None else NOTHING


def _curl_files(inv: Invocation) -> None:
    """Files that options read or write beside the body."""
    done = {*_CURL_BODY, "header", "user-agent", "referer", "user", "url"}
    for option, word in inv.parsed.values:
        if option.name in done or option.role == "word":
            continue
        if option.name == "cookie" and "=" in (word.value or "="):
            continue
        if (
            option.name == "output"
            and word.value is not None
            and word.value.startswith("/dev/tcp/")
        ):
            continue
        apply_role(inv, option.role, word)
    if inv.parsed.has("config"):
        inv.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
    socket = inv.parsed.value("unix-socket")
    if socket is not None:
        inv.op(O.CONNECT)


def _curl_saved_names(inv: Invocation, targets: list[Word]) -> None:
    """``-O`` saves under the last part of the URL's path."""
    if not inv.parsed.has("remote-name", "remote-name-all"):
        return
    inv.op(O.WRITE)
    for word in targets:
        name = (word.value or "").split("?")[0].rstrip("/").rpartition("/")[2]
        folder = inv.parsed.value("output-dir")
        if folder is not None and folder.value:
            name = f"{folder.value.rstrip('/')}/{name}"
        fact = inv.path_value(name, PathAccess.WRITE) if name else None
        if fact is not None and fact.resolved:
            inv.outputs.append(fact.resolved)


_CURL_FLAGS = (
    "# 0,http1.0 1,tlsv1 2 3 4,ipv4 6,ipv6 B,use-ascii f,fail fail-early fail-with-body G,get g,globoff I,head i,include j,junk-session-cookies"
    " k,insecure L,location location-trusted l,list-only M,manual N,no-buffer n,netrc netrc-optional O,remote-name"
    " remote-name-all p,proxytunnel q,disable R,remote-time S,show-error s,silent V,version v,verbose Z,parallel"
    " a,append compressed create-dirs http1.1 http2 http2-prior-knowledge http3 next no-progress-meter no-alpn"
    " no-keepalive no-sessionid path-as-is post301 post302 post303 progress-bar raw sasl-ir ssl ssl-reqd"
    " tcp-fastopen tcp-nodelay tlsv1.2 tlsv1.3 tr-encoding xattr anyauth basic digest ntlm negotiate ca-native"
    " no-clobber remove-on-error retry-all-errors retry-connrefused styled-output suppress-connect-headers"
    " remote-header-name J crlf disable-epsv ftp-pasv ftp-create-dirs ssl-no-revoke : doh-insecure"
    " proxy-insecure no-styled-output compressed-ssh fail-early"
)
_CURL_VALUES = (
    "A,user-agent= b,cookie=read C,continue-at= c,cookie-jar=write D,dump-header=log d,data= data-ascii= data-binary="
    " data-raw= data-urlencode= json= E,cert=stat e,referer= F,form= form-string= H,header= h? help? K,config=read"
    " m,max-time= o,output=write output-dir= P,ftp-port= Q,quote= r,range= T,upload-file= t,telnet-option= U,proxy-user="
    " u,user= w,write-out= X,request= x,proxy= Y,speed-limit= y,speed-time= z,time-cond= cacert=stat capath= cert-type="
    " ciphers= connect-timeout= connect-to= key=stat key-type= interface= limit-rate= local-port= max-filesize="
    " max-redirs= netrc-file=read noproxy= oauth2-bearer= pass= pinnedpubkey= preproxy= proto= proto-default= proto-redir="
    " request-target= resolve= retry= retry-delay= retry-max-time= socks4= socks4a= socks5= socks5-hostname= stderr=log"
    " trace=log trace-ascii=log unix-socket=socket abstract-unix-socket= url= user-agent= keepalive-time= dns-servers="
    " doh-url= engine= expect100-timeout= happy-eyeballs-timeout-ms= aws-sigv4= parallel-max= rate= hostpubmd5= delegation="
    " libcurl=log mail-from= mail-rcpt= tls-max= tls13-ciphers= url-query= variable= etag-save=log etag-compare=read"
    " proxy1.0= proxy-header= service-name= ssl-sessions="
)


# --- wget ---


def _wget(inv: Invocation) -> None:
    parsed = inv.parsed
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    posts = [s for s in (_wget_body(inv, o.name, w) for o, w in parsed.values) if s is not None]
    _wget_files(inv)
    body = bool(posts)
    inv.op(O.UPLOAD if body else O.FETCH)
    for word in parsed.operands:
        _curl_target(inv, word, merge(posts) if body else None)
    output = parsed.value("output-document")
    network = Stream(network=True, commands=(inv.fact.id,), connected=True)
    inv.out = Stream(commands=(inv.fact.id,), connected=True)
    if parsed.has("spider"):
        return
    if output is not None and output.value in ("-", "/dev/stdout"):
        inv.out = network
    elif output is not None:
        apply_role(inv, "write", output)
    else:
        _wget_saved(inv)
    for path in inv.outputs:
        inv.builder.files[path] = network
    inv.outputs.clear()


def _wget_body(inv: Invocation, name: str, word: Word) -> Stream | None:
    if name in ("post-data", "body-data"):
        return replace(_literal(inv, word), connected=True)
    if name in ("post-file", "body-file"):
        if word.value == "-":
            return inv.stdin
        return _sent_file(inv, word, word.prefix if word.value is None else word.value)
    return None


def _wget_files(inv: Invocation) -> None:
    skip = {"post-data", "body-data", "post-file", "body-file", "output-document"}
    for option, word in inv.parsed.values:
        if option.name not in skip and option.role != "word":
            apply_role(inv, option.role, word)
    if inv.parsed.has("execute", "config", "use-askpass"):
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


def _wget_saved(inv: Invocation) -> None:
    prefix = inv.parsed.value("directory-prefix")
    folder = (prefix.value or "") if prefix is not None else ""
    inv.op(O.WRITE)
    for word in inv.parsed.operands:
        name = (word.value or "").split("?")[0].partition("://")[2].rpartition("/")[
            2
        ] or "index.html"
        fact = inv.path_value(f"{folder.rstrip('/')}/{name}" if folder else name, PathAccess.WRITE)
        if fact is not None and fact.resolved:
            inv.outputs.append(fact.resolved)


def _saver(output: str, folder: str = "") -> Special:
    """A downloader: into the file that an option names, into the URL's last part, or on standard
    output."""

    def special(inv: Invocation) -> None:
        if inv.fact.effect is CommandEffect.PREVIEW:
            return
        inv.op(O.FETCH)
        for option, word in inv.parsed.values:
            if option.name not in (output, folder) and option.role != "word":
                apply_role(inv, option.role, word)
        words = [w for w in inv.parsed.operands if "://" in (w.value or w.prefix) or output]
        for word in words:
            apply_role(inv, "url", word)
        network = Stream(network=True, commands=(inv.fact.id,), connected=True)
        given = inv.parsed.value(output) or next(
            (w for w in inv.parsed.operands if w not in words), None
        )
        if given is not None and given.value in ("-", "/dev/stdout"):
            inv.out = network
            return
        place = inv.parsed.value(folder)
        _saved(inv, words, given, (place.value or "") if place is not None else "")
        for path in inv.outputs:
            inv.builder.files[path] = network
        inv.outputs.clear()

    return special


def _saved(inv: Invocation, words: list[Word], given: Word | None, folder: str) -> None:
    """The files that a downloader writes."""
    base = f"{folder.rstrip('/')}/" if folder else ""
    if given is not None:
        named = given if given.value is None else replace(given, value=base + given.value)
        apply_role(inv, "write", named)
        return
    inv.op(O.WRITE)
    for word in words:
        name = (word.value or "").split("?")[0].rstrip("/").rpartition("/")[2]
        fact = inv.path_value(base + name, PathAccess.WRITE) if name else None
        if fact is not None and fact.resolved:
            inv.outputs.append(fact.resolved)


_WGET = (
    "V,version h,help b,background e,execute= o,output-file=log a,append-output=log d,debug q,quiet v,verbose"
    " n,no-verbose report-speed= i,input-file=read F,force-html B,base= config=read rejected-log=log t,tries="
    " retry-connrefused O,output-document= no-clobber no-netrc c,continue start-pos= progress= show-progress"
    " N,timestamping no-if-modified-since no-use-server-timestamps S,server-response spider T,timeout= dns-timeout="
    " connect-timeout= read-timeout= w,wait= waitretry= random-wait no-proxy Q,quota= bind-address= limit-rate="
    " no-dns-cache restrict-file-names= ignore-case 4,inet4-only 6,inet6-only prefer-family= user= password="
    " ask-password use-askpass= no-iri x,force-directories no-host-directories H,span-hosts P,directory-prefix="
    " cut-dirs= protocol-directories default-page= E,adjust-extension http-user= http-password= no-cache no-cookies"
    " load-cookies=read save-cookies=log keep-session-cookies post-data= post-file= method= body-data= body-file="
    " content-disposition content-on-error trust-server-names auth-no-challenge secure-protocol= https-only"
    " no-check-certificate certificate=read private-key=read ca-certificate=stat ca-directory= header= max-redirect="
    " proxy-user= proxy-password= referer= save-headers U,user-agent= compression= no-hsts ftp-user= ftp-password= r,recursive"
    " l,level= delete-after k,convert-links K,backup-converted m,mirror p,page-requisites A,accept= R,reject= D,domains="
    " exclude-domains= follow-tags= ignore-tags= L,relative I,include-directories= X,exclude-directories= no-parent unlink"
    " j,background-jobs no-directories no-remove-listing g,glob"
)


# --- netcat and socat ---


def _netcat(inv: Invocation) -> None:
    """nc and relatives: connect or listen, and maybe a program behind it."""
    parsed = inv.parsed
    listen = parsed.has("listen")
    words = [w for w in parsed.operands if w.value is not None]
    port_word = parsed.value("source-port") if listen else None
    host = "" if listen and len(words) < 2 else (words[0].value or "" if words else "")
    port = words[1].value if len(words) > 1 else (words[0].value if listen and words else None)
    if port_word is not None and port_word.value:
        port = port_word.value
    number = parse_port(port or "") or 0
    scheme = "udp" if parsed.has("udp") else "tcp"
    inv.op(O.LISTEN if listen else O.CONNECT)
    fact = inv.network(
        N.LISTEN if listen else N.CONNECT, Endpoint(canonical_host(host), scheme, number)
    )
    _netcat_program(inv, listen)
    if parsed.has("zero"):
        return
    inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)
    if inv.stdin.connected and fact is not None:
        inv.flow(DataKind.STDIN, DataKind.NETWORK, incoming=False)
        inv.carry(fact, inv.stdin)
        if inv.stdin.tainted:
            inv.op(O.UPLOAD)
            if not listen:
                fact.action = N.UPLOAD
        _piped_shell(inv, listen)


def _ztcp(inv: Invocation) -> None:
    """ztcp and zsocket: connections that the shell itself opens."""
    parsed, operands = inv.parsed, inv.parsed.operands
    if parsed.has("c", "L") or (not operands and not parsed.has("a")):
        return
    listen = parsed.has("l", "a")
    inv.op(O.LISTEN if listen else O.CONNECT)
    if inv.fact.program == "zsocket":
        for word in operands:
            inv.path(word, PathAccess.CONNECT)
        return
    known = [word.value or "" for word in operands]
    host = "" if listen else canonical_host(known[0])
    port = known[0] if listen and known else known[1] if len(known) > 1 else "23"
    action = N.LISTEN if listen else N.CONNECT
    inv.network(action, Endpoint(host, "tcp", parse_port(port) or 0))


def _netcat_program(inv: Invocation, listen: bool) -> None:
    program = inv.parsed.value("exec")
    command = inv.parsed.value("sh-exec")
    trait = Trait.SHELL_LISTENER if listen else Trait.REVERSE_SHELL
    if program is not None:
        inv.op(O.EXECUTE)
        inv.path(program, PathAccess.EXECUTE)
        name = (
            (program.value or "").split()[0].replace("\\", "/").rpartition("/")[2]
            if program.value
            else ""
        )
        if name.lower() in _SHELL_NAMES:
            inv.trait(trait)
    if command is not None:
        first = (command.value or "").split()[:1]
        if first and first[0].rpartition("/")[2] in _SHELL_NAMES:
            inv.trait(trait)
        inv.run_code(command, How(wrapper=False, dialect=Dialect.POSIX))


def _piped_shell(inv: Invocation, listen: bool) -> None:
    """A shell that reads unknown commands and answers into the connection."""
    for shell in inv.stdin.shells:
        for command in inv.builder.facts.commands:
            if command.id == shell:
                trait = Trait.SHELL_LISTENER if listen else Trait.REVERSE_SHELL
                if trait not in command.traits:
                    command.traits.append(trait)
                inv.trait(trait)


_NC = (
    "4 6 b C,crlf D d h,help k,keep-open l,listen N n r S t U u,udp v,verbose Z z,zero c,sh-exec=must e,exec=must g= G= I= i,interval= M= m= O= o,output=log"
    " p,source-port= P= q= s,source= T= V= W= w,wait= X,proxy-type= x,proxy-address= proxy= proxy-auth= ssl ssl-cert=read ssl-key=read"
    " ssl-verify ssl-trustfile= allow= deny= max-conns= idle-timeout= append-output broker chat recv-only send-only"
    " no-shutdown lua-exec=exec sctp ssl-servername= ssl-alpn= j"
)


def _socat(inv: Invocation) -> None:
    """socat joins two addresses; a shell at one end and the network at the other is the point."""
    before = len(inv.builder.facts.network)
    kinds = {_socat_address(inv, word) for word in inv.parsed.operands}
    _socat_content(inv, inv.builder.facts.network[before:])
    listens, connects = "listen" in kinds, "connect" in kinds
    if "shell" in kinds and listens:
        inv.trait(Trait.SHELL_LISTENER)
    elif "shell" in kinds and connects:
        inv.trait(Trait.REVERSE_SHELL)
    if connects or listens:
        inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)
        _piped_shell(inv, listens)


def _socat_content(inv: Invocation, connections: list[NetworkFact]) -> None:
    """What the file or standard input at one end gives to the connection at the other."""
    own = any((w.value or "").upper() in ("-", "STDIO", "STDIN") for w in inv.parsed.operands)
    content = merge([*inv.inputs, *([inv.stdin] if own and inv.stdin.connected else [])])
    for fact in connections:
        if fact.action is N.CONNECT and content.tainted:
            fact.action = N.UPLOAD
            inv.op(O.UPLOAD)
            inv.carry(fact, content)


def _socat_address(inv: Invocation, word: Word) -> str:
    """Facts of one address; answers whether it is a shell, a listener or a connection."""
    if word.value is None:
        inv.partial(IssueCode.DYNAMIC_WORD)
        return ""
    kind, _, rest = word.value.partition(":")
    name, body = kind.upper(), rest.partition(",")[0]
    if name in ("EXEC", "SYSTEM", "SHELL"):
        command = body.strip("'\"")
        inv.run_code(replace(word, value=command), How(wrapper=False, dialect=Dialect.POSIX))
        first = command.split()[:1]
        shell = name == "SHELL" or (bool(first) and first[0].rpartition("/")[2] in _SHELL_NAMES)
        return "shell" if shell else ""
    if "LISTEN" in name:
        inv.op(O.LISTEN)
        inv.network(N.LISTEN, Endpoint("", "tcp", parse_port(body) or 0))
        return "listen"
    if name.startswith(("TCP", "OPENSSL", "SSL", "UDP", "SOCKS", "PROXY")):
        host, port = split_port(body)
        inv.op(O.CONNECT)
        inv.network(N.CONNECT, Endpoint(canonical_host(host), "tcp", port or 0))
        return "connect"
    if body and name in ("FILE", "OPEN", "GOPEN", "CREATE"):
        apply_role(inv, "edit", replace(word, value=body))
    elif body and (name.startswith("UNIX") or name == "ABSTRACT-CONNECT"):
        apply_role(inv, "socket", replace(word, value=body))
        control_socket(inv, body)
    elif not body and kind.startswith("/") and kind.endswith(_SOCKET_SUFFIXES):
        apply_role(inv, "socket", word)
        control_socket(inv, kind)
    return ""


_SOCKET_SUFFIXES = (".sock", ".socket", ".stats", ".ctl")
# What a load balancer's socket is told that takes servers or traffic away.
_CONTROL = re.compile(
    r"(?m)(?:^|;)[ \t]*(?:@[^\s;]+[ \t]+)?(?:(?:disable|shutdown)\s+(?:agent|frontend|health|server|session|sessions)\b|del\s+(?:server|backend|map|acl|ssl)\b"
    r"|clear\s+(?:map|acl|table)\b|set\s+server\s+\S+\s+(?:state\s+(?:maint|drain)|weight\s+0)\b|set\s+weight\s+\S+\s+0\b)"
)  # fmt: skip


def control_socket(inv: Invocation, place: str) -> None:
    """Commands that are piped into the administration socket of a load balancer."""
    text = inv.stdin.text or ""
    if ("haproxy" in place or "admin" in place) and _CONTROL.search(text):
        inv.op(O.CONFIG_CHANGE, O.PROCESS_KILL)
        inv.trait(Trait.DESTROYS_RESOURCE)


# --- ssh family ---


def remote_place(text: str) -> tuple[Endpoint, str] | None:
    """Split ``user@host:path`` or an scp URL; None for a local path."""
    if "://" in text:
        endpoint = parse_url(text)
        return (replace(endpoint, scheme="ssh"), endpoint.path) if endpoint is not None else None
    head, mark, path = text.partition(":")
    if not mark or "/" in head or has_drive(text):
        return None
    host = canonical_host(head.rpartition("@")[2].strip("[]"))
    return (Endpoint(host, "ssh"), path) if host else None


def _ssh(inv: Invocation) -> None:
    """ssh: a connection, forwards, and maybe a command on the other side."""
    parsed = inv.parsed
    if parsed.has("G", "V", "Q"):
        inv.preview()
        return
    for option, word in parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    operands = list(parsed.operands)
    inv.op(O.CONNECT)
    _ssh_options(inv)
    if not operands:
        return
    host = operands.pop(0)
    endpoint = _ssh_endpoint(inv, host)
    tunnel = parsed.has("R") or _forward_option(inv)
    if tunnel:
        inv.op(O.TUNNEL)
    fact = inv.network(N.TUNNEL if tunnel else N.CONNECT, endpoint)
    inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)
    if inv.stdin.tainted and fact is not None:
        inv.op(O.UPLOAD)
        inv.flow(DataKind.STDIN, DataKind.NETWORK, incoming=False)
        inv.carry(fact, inv.stdin)
    _ssh_command(inv, operands)


def _ssh_command(inv: Invocation, operands: list[Word]) -> None:
    how = How(remote=True, dialect=Dialect.POSIX)
    if operands:
        from_words = " ".join(w.value or "" for w in operands)
        if any(w.value is None for w in operands):
            inv.trait(Trait.DYNAMIC_CODE)
            if operands[0].value is not None and " " not in operands[0].value:
                inv.run(operands, how)
            inv.partial(IssueCode.DYNAMIC_WORD)
            return
        inv.run_code(replace(operands[0], value=from_words, end=operands[-1].end), how)
        inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)
        return
    if inv.parsed.has("N"):
        return
    if inv.stdin.text is not None:
        inv.stdin_kind = ByteKind.EXECUTED
        inv.builder.runner.code(
            inv, inv.stdin.text, None, replace(how, at=inv.stdin.at, stdin=NOTHING)
        )
    elif not inv.stdin.connected:
        inv.trait(Trait.INTERACTIVE_SHELL)


# What ssh-keygen does to the file after -f, by option; without any it makes a new key there.
_KEY_FILES = {"y": "stat", "l": "stat", "B": "stat", "L": "stat", "e": "stat", "F": "stat", "H": "edit", "R": "edit", "p": "edit", "c": "edit", "i": "search"}  # fmt: skip


def _keygen(inv: Invocation) -> None:
    """ssh-keygen: makes, changes or looks at a key file; a provider is a library that it loads."""
    roles = [_KEY_FILES[name] for name in inv.parsed.options if name in _KEY_FILES]
    for word in inv.parsed.all_values("f"):
        apply_role(inv, roles[0] if roles else "write", word)
    for word in inv.parsed.all_values("s"):
        apply_role(inv, "stat", word)
    for word in inv.parsed.all_values("D"):
        inv.trait(Trait.CONFIG_EXEC)
        apply_role(inv, "exec", word)


def _ssh_endpoint(inv: Invocation, word: Word) -> Endpoint:
    if word.value is None:
        require(inv, word)
        return Endpoint("", "ssh")
    port_word = inv.parsed.value("p")
    port = parse_port(port_word.value or "") if port_word is not None else None
    if "://" in word.value:
        endpoint = parse_url(word.value)
        if endpoint is not None:
            return replace(endpoint, port=port or endpoint.port)
    host = canonical_host(word.value.rpartition("@")[2])
    return Endpoint(host, "ssh", port or 0)


def _forward_option(inv: Invocation) -> bool:
    """``-o RemoteForward=…`` opens a way back in."""
    texts = [(w.value or "").lower() for w in inv.parsed.all_values("o")]
    return any(text.startswith("remoteforward") for text in texts)


# Settings whose value a shell runs on this machine, and those that name a library to load.
_LOCAL_CODE = frozenset({"proxycommand", "localcommand", "knownhostscommand"})
_LOCAL_LIBRARY = frozenset({"pkcs11provider", "securitykeyprovider"})
_SSH_SETTING = re.compile(r"\s*([A-Za-z0-9]+)(?:\s*=\s*|\s+)(.*)", re.DOTALL)


def _ssh_options(inv: Invocation) -> None:
    """``-o ProxyCommand=…`` and its like run code here."""
    for word in inv.parsed.all_values("o"):
        found = _SSH_SETTING.fullmatch(word.prefix if word.value is None else word.value)
        if found is None:
            continue
        name, value = found[1].lower(), found[2]
        if name in _LOCAL_LIBRARY and value.lower() not in ("", "none", "internal"):
            inv.trait(Trait.CONFIG_EXEC)
            inv.path(replace(word, value=value), PathAccess.EXECUTE)
        if name in _LOCAL_CODE and value.lower() != "none":
            inv.trait(Trait.CONFIG_EXEC)
            code = replace(word, value=value if word.value is not None else None)
            inv.run_code(code, How(wrapper=False, dialect=Dialect.POSIX))


def _scp(inv: Invocation) -> None:
    """scp and rsync: the last operand is the destination, either side may be remote."""
    parsed = inv.parsed
    _option_roles(inv)
    if "rsync" not in inv.fact.program:
        _ssh_options(inv)
    if len(parsed.operands) < 2:
        if parsed.operands and "rsync" in inv.fact.program:
            apply_role(inv, "list", parsed.operands[0])
        else:
            inv.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
        return
    sources, target = parsed.operands[:-1], parsed.operands[-1]
    place = remote_place(target.value or target.prefix)
    content = [
        s
        for s in (_scp_source(inv, word, copied=place is None) for word in sources)
        if s is not None
    ]
    if place is None:
        apply_role(inv, "write", target)
        return
    inv.op(O.CONNECT)
    upload(inv, place[0], merge(content))
    inv.network(N.CONNECT, place[0])


def _scp_source(inv: Invocation, word: Word, *, copied: bool) -> Stream | None:
    place = remote_place(word.value or word.prefix)
    if place is not None:
        inv.op(O.CONNECT, O.FETCH)
        inv.network(N.DOWNLOAD, place[0])
        inv.flow(DataKind.NETWORK, DataKind.PROCESS, incoming=True)
        inv.inputs.append(Stream(network=True, connected=True))
        return None
    before = len(inv.inputs)
    apply_role(inv, "source", word)
    return merge(inv.inputs[before:])


def _option_roles(inv: Invocation) -> None:
    for option, word in inv.parsed.values:
        if option.role == "shell-command":
            _remote_shell(inv, word)
        elif option.name == "rsync-path":
            _remote_program(inv, word)
        elif option.role != "word":
            apply_role(inv, option.role, word)


def _remote_program(inv: Invocation, word: Word) -> None:
    """``rsync --rsync-path``: the other side's shell runs it; usually it is rsync, with or without sudo."""
    words = (word.value or "").split()
    usual = all(w.rpartition("/")[2] in ("rsync", "sudo", "doas") for w in words)
    if word.value is None or not usual:
        inv.run_code(word, How(wrapper=False, remote=True, dialect=Dialect.POSIX))


_SHELL_CHARACTERS = frozenset(";&|<>$`()\n")


def _remote_shell(inv: Invocation, word: Word) -> None:
    """``rsync -e CMD``: plain ssh with options is the usual transport, anything else is code."""
    require(inv, word)
    first = (word.value or "").split()[:1]
    usual = bool(first) and first[0].rpartition("/")[2] == "ssh"
    if first and not usual:
        inv.trait(Trait.CONFIG_EXEC)
    if (
        not usual
        or not _SHELL_CHARACTERS.isdisjoint(word.value or "")
        or "-o" in (word.value or "")
    ):
        inv.run_code(word, How(wrapper=False, dialect=Dialect.POSIX))


def _rsync(inv: Invocation) -> None:
    if inv.parsed.has("archive"):
        inv.trait(Trait.RECURSIVE)
    if inv.parsed.has(
        "delete", "delete-after", "delete-before", "delete-during", "delete-excluded", "del"
    ):
        inv.op(O.DELETE)
        target = inv.parsed.operands[-1] if inv.parsed.operands else None
        if target is not None and remote_place(target.value or target.prefix) is None:
            inv.path(target, PathAccess.DELETE, recursive=True)
    if inv.parsed.has("remove-source-files"):
        inv.op(O.DELETE)
        for word in inv.parsed.operands[:-1]:
            if remote_place(word.value or word.prefix) is None:
                inv.path(word, PathAccess.DELETE, recursive=Trait.RECURSIVE in inv.fact.traits)
    inv.op(O.COPY)
    if len(inv.parsed.operands) == 1:
        require(inv, inv.parsed.operands[0], Need.OUTSIDE)  # what is listed, here or elsewhere
    _scp(inv)


_SSH = "4 6 A a C f g K k M N n q s T t V v X x Y y G B= b= c= D= E=log e= F=settings I= i=stat J= L= l= m= O= o=target P= p= Q= R= S= W= w="
_SCP = "3 4 6 A B C p q R r,recursive T v c= D= F=settings i=stat J=target l= o=target P= S=shell-command X= O s="
_RSYNC = (
    "v,verbose q,quiet c,checksum a,archive r,recursive R,relative b,backup backup-dir= suffix= u,update inplace append"
    " d,dirs l,links L,copy-links k,copy-dirlinks K,keep-dirlinks H,hard-links p,perms E,executability A,acls X,xattrs o,owner"
    " g,group devices specials D t,times O,omit-dir-times J,omit-link-times super fake-super S,sparse n,dry-run W,whole-file"
    " x,one-file-system B,block-size= e,rsh=shell-command rsync-path=must existing ignore-existing remove-source-files del delete"
    " delete-before delete-during delete-after delete-excluded ignore-errors force max-delete= max-size= min-size= partial"
    " partial-dir= delay-updates m,prune-empty-dirs numeric-ids timeout= contimeout= I,ignore-times size-only T,temp-dir="
    " y,fuzzy compare-dest= copy-dest= link-dest= z,compress compress-level= C,cvs-exclude f,filter= F exclude= exclude-from=read"
    " include= include-from=read files-from=read 0,from0 s,protect-args stats h,human-readable progress P i,itemize-changes"
    " out-format= log-file=log log-file-format= password-file=read list-only bwlimit= chmod= chown= info= no-motd 4,ipv4 6,ipv6"
    " port= safe-links mkpath append-verify compress-choice= zc= delete-delay no-perms no-owner no-group no-times no-o no-g no-p"
    " no-r no-recursive debug= stop-after= usermap= groupmap= daemon config= no-compress"
)


def _grpc(inv: Invocation) -> None:
    """grpcurl: the message, or standard input for ``-d @``, goes to the server."""
    _option_roles(inv)
    inv.op(O.CONNECT)
    body = inv.parsed.value("d")
    content = inv.stdin if body is not None and body.value == "@" else NOTHING
    if body is not None:
        inv.data(body, inv.consumer(body))
        content = merge([s for s in (content, inv.word_stream(body)) if s is not NOTHING])
    for word in inv.parsed.operands[:1]:
        host, port = split_port(word.value or "")
        fact = inv.network(
            N.UPLOAD if content.tainted else N.CONNECT,
            Endpoint(canonical_host(host), "https", port or 0),
        )
        inv.carry(fact, content)


def _mail(inv: Invocation) -> None:
    """mail: the message on standard input and the attachments leave for the recipients."""
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    content = merge([s for s in (inv.stdin, *inv.inputs) if s.connected])
    for word in inv.parsed.operands:
        host = canonical_host((word.value or "").rpartition("@")[2])
        if host:
            upload(inv, Endpoint(host, "tcp"), content)


_DNS_TYPES = frozenset({"A", "AAAA", "TXT", "MX", "NS", "SOA", "ANY", "CNAME", "PTR", "SRV", "CAA"})


def _dns(inv: Invocation) -> None:
    """DNS clients: a name with a computed part carries data to its domain's name server."""
    for word in inv.parsed.operands:
        if word.value is None or word.example:
            _generated_name(inv, word)
            continue
        host = canonical_host(word.value.lstrip("@"))
        if host and not word.value.startswith("+") and word.value.upper() not in _DNS_TYPES:
            inv.network(N.DNS, Endpoint(host, "udp"))


def _generated_name(inv: Invocation, word: Word) -> None:
    suffix = word.suffix if word.value is None else "." + word.value.partition(".")[2]
    domain = canonical_host(suffix.lstrip("."))
    if not domain or not suffix.startswith("."):
        return
    inv.op(O.UPLOAD)
    fact = inv.network(N.DNS, Endpoint(f"*.{domain}", "udp"))
    if fact is not None:
        target = classify(domain)
        fact.external, fact.labels = target.external, list(target.labels)
    content = inv.word_stream(word)
    inv.carry(fact, content)
    for printer in content.commands:
        inv.builder.add_flow(printer, inv.fact.id, DataKind.STDOUT, DataKind.NETWORK)


def _openssl(inv: Invocation) -> None:
    """openssl: encoding and decoding, keys, and a client that opens connections."""
    verb = inv.fact.subcommand
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    if verb == "s_client":
        connect = inv.parsed.value("connect")
        inv.op(O.CONNECT)
        host, port = split_port((connect.value or "") if connect is not None else "")
        fact = inv.network(N.CONNECT, Endpoint(canonical_host(host), "tls", port or 0))
        inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)
        inv.carry(fact, inv.stdin)
        _piped_shell(inv, False)
        return
    content = inv.content()
    if inv.parsed.has("d") and verb in ("enc", "base64", "aes-256-cbc", "aes-128-cbc"):
        inv.op(O.DECODE)
        inv.out = replace(content, text=None, at=None, decoded=True, connected=True)
    elif verb in (
        "enc",
        "base64",
        "aes-256-cbc",
        "aes-128-cbc",
        "pkeyutl",
        "rsautl",
        "cms",
        "smime",
    ):
        inv.out = content.derived()


_OPENSSL = ("in=read out=write d e a A base64 salt pbkdf2 iter= k= pass= passin= passout= K= iv= md= kfile=read connect= servername= quiet"
            " inkey=stat key=stat cert=stat CAfile=stat CA=stat CAkey=stat config=read noout text subject issuer dates fingerprint"
            " showcerts verify= tls1_2 tls1_3 starttls= newkey= nodes noenc x509 new days= subj= keyout=write addext= pubout pubin"
            " inform= outform= hex rand= sha256 sha1 md5 sha512 algorithm= pkeyopt= extfile= extensions= CAcreateserial CAserial= req"
            " export certfile=read name= legacy aes256 aes-256-cbc genkey paramfile= alpn= ign_eof enddate startdate serial modulus check"
            " r c provider= utf8 nosalt z engine= debug msg crlf p v P hmac= sign=read signature=read checkend= hash purpose")  # fmt: skip

_SSL_ENTRY = E(_OPENSSL, "read*", style=Style.SINGLE, special=_openssl)

PROGRAMS = {
    "curl": E(f"{_CURL_FLAGS} {_CURL_VALUES}", "url*", special=_curl, strict=True, preview="help version manual"),
    "wget": E(_WGET, "url*", special=_wget, strict=True),
    "wget2": E(_WGET, "url*", special=_wget),
    "aria2c": E("d,dir= o,out= i,input-file=read x,max-connection-per-server= s,split= c,continue j= k= q,quiet allow-overwrite? header= user-agent= l,log=log",
                "url*", special=_saver("out", "dir")),
    "axel": E("o,output= n,num-connections= a,alternate q,quiet v,verbose H,header= U,user-agent= k,insecure c,no-clobber", "url*", special=_saver("output")),
    "fetch": E("o= q v r R p T= w= a A F l m n s M 4 6 no-verify-peer no-verify-hostname user-agent=", "url*", special=_saver("o")),
    "lwp-download": E("a s", "url log", special=_saver("")),
    **dict.fromkeys(("get", "lwp-request", "post", "head-request"), E("m= f b= t= i= c= a p= P u U s S e E d x o= C= H= v h", "url*", ops=(O.FETCH,), out=Out.NETWORK)),
    **dict.fromkeys(("lynx", "w3m", "links", "links2", "elinks"), E(
        "source dump dump_source dump_extra dump_head O= T= useragent= accept_all_cookies listonly nolist width= crawl traversal auth= cfg=settings cmd_script=read"
        " force_html stdin assume_charset= display_charset= nonumbers no-numbering no-references post_data get_data mime_header head cookies-file=log", "maybe-url*",
        style=Style.SINGLE, ops=(O.FETCH,), out=Out.NETWORK)),
    "nc": E(_NC, special=_netcat),
    **dict.fromkeys(("ztcp", "zsocket"), E("a c d= f l t v L", special=_ztcp)),
    "ncat": E(_NC, special=_netcat),
    "netcat": E(_NC, special=_netcat),
    "nc.traditional": E(_NC, special=_netcat),
    "nc.openbsd": E(_NC, special=_netcat),
    "socat": E("d D v x h,help V lf= t= T= s u U b= ly? L= W= 4 6 g", special=_socat),
    "telnet": E("4 6 8 E L a d e= f k= l= n= r x X=", "host word", ops=(O.CONNECT,), special=_netcat),
    "ssh": E(_SSH, ordered=False, special=_ssh, strict=False),
    "autossh": E(_SSH.replace("M ", "M= "), ordered=True, special=_ssh),
    "mosh": E("ssh= p,port= client= server= predict= 4 6 a n", special=_ssh),
    "scp": E(_SCP, special=_scp, strict=True),
    "rsync": E(_RSYNC, special=_rsync),
    "ssh-keygen": E("t= b= C= f=word N= P= m= q y e i l p R= F= H A o v a= E= r D= I= n= V= s=stat z= Z= Y= O= h U k M= K= g c L B", "word*", special=_keygen),
    "ssh-copy-id": E("i=stat p= o= f n s F=", "host", ops=(O.CONNECT, O.UPLOAD)),
    "ssh-add": E("d D l L k x X t= c e= s= K A q E= T v", "stat*"),
    "ssh-agent": E("a= c D d k s t= E= P=", ordered=True),
    "ssh-keyscan": E("4 6 c D H p= T= t= f=read v", "host*", ops=(O.CONNECT,)),
    "dig": E("4 6 b= c= f=read k= p= q= t= u x= y=", special=_dns, ops=(O.CONNECT,)),
    "nslookup": E("type= query= port= debug", special=_dns, ops=(O.CONNECT,)),
    "host": E("4 6 a C d l N= r R= s T t= v w W= c=", special=_dns, ops=(O.CONNECT,)),
    "drill": E("", special=_dns, ops=(O.CONNECT,)),
    "openssl": E("help version", ordered=True, verbs={"*": _SSL_ENTRY,
                 **dict.fromkeys(("enc", "base64", "s_client", "aes-256-cbc", "aes-128-cbc", "pkeyutl", "rsautl", "cms", "smime", "dgst", "x509", "req", "genrsa", "rsa", "pkcs12", "pkcs8", "ec", "ecparam", "genpkey", "pkey", "verify", "rand", "passwd", "version", "ciphers", "crl", "ca", "sha256", "md5", "s_server", "speed", "prime", "asn1parse", "dhparam", "pkcs7", "ocsp"), _SSL_ENTRY)}),
    **dict.fromkeys(("mail", "mailx", "mutt", "sendmail", "msmtp", "s-nail"), E(
        "s,subject=text a=read A,attach=read r= c= b= e E n f? u= v t i F= S= q= to= from= server= body=text header=text", special=_mail)),
    "ping": E("c= i= w= W= s= t= I= q v n 4 6 a A b B D d f L l= M= m= O p= Q= R r S= U V k o", special=_dns, ops=(O.CONNECT,)),
    "ping6": E("c= i= w= W= s= I= q n", "host", ops=(O.CONNECT,)),
    "traceroute": E("4 6 I T n m= w= q= p= f= i= s=", "host word", ops=(O.CONNECT,)),
    "mtr": E("r c= w n 4 6 b T u P= i= j x", "host", ops=(O.CONNECT,)),
    "whois": E("h= p= H", "word*", ops=(O.CONNECT,)),
    "ab": E("n= c= t= s= b= p=read u=read T= C= H= A= P= X= k q v= w i l r e= g= d S m= f= Z=", "url", ops=(O.FETCH,)),
    "wrk": E("t= c= d= s=script H= timeout= latency", "url", ops=(O.FETCH,)),
    "hey": E("n= c= q= z= m= H= t= A= d= D=read T= a= x= h2 disable-compression", "url", ops=(O.FETCH,)),
    "grpcurl": E("d= H= plaintext proto= import-path= insecure v vv max-time= format= emit-defaults authority= cacert=stat cert=stat key=stat", style=Style.SINGLE, special=_grpc),
}  # fmt: skip
