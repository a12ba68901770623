"""Cmdlets that talk to other machines, and what they send or bring."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import CommandEffect, PathAccess
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.facts.grammar import Out
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_url
from defenseclaw.facts.programs.windows.cmdlet import bind, cmdlet, reader, value
from defenseclaw.facts.roles import Need, known_url, require
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import Stream, merge
from defenseclaw.facts.table_reader import apply_roles

_SENDING = ("post", "put", "patch", "merge")


def request(inv: Invocation) -> None:
    """Invoke-WebRequest and Invoke-RestMethod: an address, what is sent, where the answer goes."""
    apply_roles(inv)
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    sent = _sent(inv)
    uploads = (
        bool(sent) or value(inv, "method") in _SENDING or value(inv, "custommethod") in _SENDING
    )
    inv.op(O.UPLOAD if uploads else O.FETCH)
    for word in inv.parsed.all_values("uri"):
        contact(inv, word, N.UPLOAD if uploads else N.DOWNLOAD, sent)
    target = inv.parsed.value("outfile")
    if target is None:
        inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)
        return
    save(inv, target)


def save(inv: Invocation, target: Word) -> None:
    """What the network gives goes into a file."""
    require(inv, target)
    inv.op(O.WRITE)
    inv.inputs = [Stream(network=True, connected=True)]
    fact = inv.path(target, PathAccess.WRITE)
    if fact is not None and fact.resolved:
        inv.outputs.append(fact.resolved)


def contact(inv: Invocation, word: Word, action: N, sent: list[Stream]) -> None:
    """A network fact for a URL, with what is sent there."""
    text = known_url(word)
    if not text:
        require(inv, word, Need.OUTSIDE if not word.prefix else Need.ALWAYS)
        return
    endpoint = parse_url(text, default_scheme="http")
    if endpoint is None:
        return
    told = inv.word_stream(word)
    if told.labels or told.environment:  # the address itself says what was read
        inv.op(O.UPLOAD)
        action = N.UPLOAD
    fact = inv.network(action, endpoint)
    inv.carry(fact, merge([*sent, told]))


def _sent(inv: Invocation) -> list[Stream]:
    """Bodies, forms, headers and files that go with a request."""
    found: list[Stream] = []
    for word in inv.parsed.all_values("infile"):
        require(inv, word)
        inv.op(O.READ)
        fact = inv.path(word, PathAccess.READ)
        if fact is not None:
            found.append(inv.content_of(fact))
    for name in ("body", "form", "headers"):
        for word in inv.parsed.all_values(name):
            if word.value is not None:
                inv.data(word, inv.consumer(word))
            stream = inv.word_stream(word)
            if name != "headers" or stream.tainted:
                found.append(stream)
    if not inv.parsed.all_values("body") and inv.stdin.connected and inv.command.stdin_from:
        found.append(inv.stdin)
    return found


def _probe(inv: Invocation) -> None:
    """Test-Connection and Test-NetConnection: a host that is asked whether it is there."""
    bind(inv)
    for word in (*inv.parsed.all_values("computername"), *inv.parsed.all_values("targetname")):
        host = canonical_host(word.value or "")
        if host:
            inv.network(N.CONNECT, Endpoint(host))


def _resolve(inv: Invocation) -> None:
    bind(inv)
    for word in inv.parsed.all_values("name"):
        host = canonical_host(word.value or "")
        if host:
            fact = inv.network(N.DNS, Endpoint(host))
            inv.carry(fact, inv.word_stream(word))


def _transfer(inv: Invocation) -> None:
    """Start-BitsTransfer: a file from or to a URL."""
    bind(inv)
    source, target = inv.parsed.value("source"), inv.parsed.value("destination")
    if value(inv, "transfertype").startswith("upload") and source is not None:
        inv.op(O.UPLOAD, O.READ)
        fact = inv.path(source, PathAccess.READ)
        sent = [inv.content_of(fact)] if fact is not None else []
        if target is not None:
            contact(inv, target, N.UPLOAD, sent)
        return
    inv.op(O.FETCH)
    if source is not None:
        contact(inv, source, N.DOWNLOAD, [])
    if target is not None:
        save(inv, replace(target, glob=False))


def _mail(inv: Invocation) -> None:
    """Send-MailMessage: a text and files to a mail server."""
    bind(inv)
    inv.op(O.UPLOAD)
    sent = [inv.word_stream(word) for word in inv.parsed.all_values("body")]
    for word in inv.parsed.all_values("attachments"):
        fact = inv.path(word, PathAccess.READ)
        if fact is not None:
            sent.append(inv.content_of(fact))
    for word in inv.parsed.all_values("smtpserver"):
        host = canonical_host(word.value or "")
        if host:
            inv.carry(inv.network(N.UPLOAD, Endpoint(host, "smtp")), merge(sent))


_REQUEST = (
    "uri@0=any ^body=any outfile=any infile=any method=any custommethod,cm=any headers=any contenttype=any"
    " credential=any usebasicparsing useragent=any sessionvariable,sv=any websession=any proxy=any"
    " proxycredential=any proxyusedefaultcredentials timeoutsec=any maximumredirection=any"
    " usedefaultcredentials certificate=any certificatethumbprint=any skipcertificatecheck"
    " skipheadervalidation skiphttperrorcheck disablekeepalive transferencoding=any passthru form=any"
    " authentication=any token=any allowunencryptedauthentication sslprotocol=any resume"
    " noproxy preserveauthorizationonredirect followrellink maximumfollowrellink=any"
    " responseheadersvariable,rhv=any statuscodevariable=any httpversion=any maximumretrycount=any"
    " retryintervalsec=any operationtimeoutseconds=any connectiontimeoutseconds=any"
    " allowinsecureredirect preservehttpmethodonredirect unixsocket=any"
)
# Of Windows PowerShell 5.1, where `curl` and `wget` are aliases.
_OLD_REQUEST = (
    "uri@0=any body=any outfile=any infile=any method=any headers=any contenttype=any credential=any"
    " usebasicparsing useragent=any sessionvariable,sv=any websession=any proxy=any"
    " proxycredential=any proxyusedefaultcredentials timeoutsec=any maximumredirection=any"
    " usedefaultcredentials certificate=any certificatethumbprint=any disablekeepalive"
    " transferencoding=any passthru"
)
OLD_WEB_REQUEST = cmdlet(_OLD_REQUEST, special=request)
WEB_REQUEST = cmdlet(_REQUEST.replace("^body", "body"), special=request)

CMDLETS = {
    **dict.fromkeys(("invoke-sqlcmd", "invoke-dbaquery", "invoke-sqlquery"), reader("query@0=sql serverinstance,sqlinstance=any database=any inputfile,file=script username=any password=any credential=any connectionstring=any variable=any querytimeout=any as=any encrypt=any trustservercertificate outputsqlerrors=any")),
    "invoke-webrequest": WEB_REQUEST,
    "invoke-restmethod": WEB_REQUEST,
    "test-connection": reader("targetname,computername,cn@0=any count=any quiet delay=any timeoutseconds=any tcpport=any traceroute ping mtusize ipv4 ipv6", special=_probe),
    "test-netconnection": reader("computername,cn@0=any port=any commontcpport@1=any traceroute informationlevel=any", special=_probe),
    "resolve-dnsname": reader("name@0=any type@1=any server=any dnsonly nohostsfile", special=_resolve),
    "start-bitstransfer": cmdlet("source@0=any destination@1=any transfertype=any displayname=any description=any asynchronous priority=any credential=any proxyusage=any authentication=any dynamic suspended retryinterval=any retrytimeout=any maxdownloadtime=any customheaders=any httpmethod=any", special=_transfer),
    "send-mailmessage": cmdlet("to@0=any subject@1=any body@2=any smtpserver@3=any from=any attachments,psath=any bodyashtml,bah encoding=any cc=any bcc=any credential=any usessl port=any priority=any deliverynotificationoption=any replyto=any", special=_mail),
    "install-module": cmdlet("name@0=any minimumversion=any maximumversion=any requiredversion=any repository=any credential=any scope=any allowclobber skippublishercheck force allowprerelease acceptlicense passthru proxy=any inputobject=any", O.WRITE, O.FETCH),
    "install-psresource": cmdlet("name@0=any version=any prerelease repository=any credential=any scope=any temporarypath=any trustrepository reinstall quiet acceptlicense noclobber skipdependencycheck authenticodecheck passthru inputobject=any requiredresource=any requiredresourcefile=read", O.WRITE, O.FETCH),
    "install-script": cmdlet("name@0=any minimumversion=any maximumversion=any requiredversion=any repository=any scope=any nopathupdate force allowprerelease acceptlicense passthru", O.WRITE, O.FETCH),
    "install-package": cmdlet("name@0=any minimumversion=any maximumversion=any requiredversion=any source=any providername=any scope=any force skipdependencies destination=log", O.WRITE, O.FETCH),
    "install-packageprovider": cmdlet("name@0=any minimumversion=any requiredversion=any scope=any force forcebootstrap source=any", O.WRITE, O.FETCH),
    "install-windowsfeature": cmdlet("name@0=any includeallsubfeature includemanagementtools restart source=any computername=host", O.CONFIG_CHANGE),
    "update-module": cmdlet("name@0=any requiredversion=any maximumversion=any force scope=any allowprerelease acceptlicense", O.WRITE, O.FETCH),
    "update-help": cmdlet("module@0=any sourcepath@1=any uiculture@2=any recurse force credential=any scope=any fullyqualifiedmodule=any usedefaultcredentials", O.WRITE, O.FETCH),
    "save-module": cmdlet("name@0=any path,literalpath@1=write requiredversion=any minimumversion=any repository=any force acceptlicense", O.WRITE, O.FETCH),
    "publish-module": cmdlet("name@0=any path=read nugetapikey=any repository=any requiredversion=any force", O.UPLOAD),
    "find-module": reader("name@0=any", O.FETCH, out=Out.NETWORK),
}  # fmt: skip
