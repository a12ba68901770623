"""Cmdlets that run code, start programs, or act on processes, services and other machines."""

from __future__ import annotations

import re
from dataclasses import replace

from defenseclaw.core.facts import IssueCode, PathAccess, QuoteKind
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_port
from defenseclaw.facts.programs.windows.cmdlet import (
    bind,
    blocks,
    cmdlet,
    each,
    mark_guard,
    reader,
    run_expression,
    value,
)
from defenseclaw.facts.programs.windows.internet import contact
from defenseclaw.facts.roles import require
from defenseclaw.facts.script import How, Word
from defenseclaw.facts.streams import Stream
from defenseclaw.facts.table_reader import apply_roles

# Services whose stop takes the machine's protection away.
# The system stops, or nobody can work any more, when one of these ends.
SYSTEM_PROCESSES = frozenset(
    {"explorer", "lsass", "csrss", "winlogon", "wininit", "services", "smss", "svchost", "dwm", "system",
     "lsaiso", "userinit", "sihost", "logonui", "fontdrvhost", "spoolsv"}
)  # fmt: skip
PROTECTION_SERVICES = frozenset(
    {"wuauserv", "usosvc", "waasmedicsvc", "windefend", "wdnissvc", "sense", "mpssvc", "wscsvc", "securityhealthservice", "eventlog",
     "bfe", "wdfilter", "webthreatdefsvc", "sysmon", "sysmon64", "csfalconservice", "sepmasterservice"}
)  # fmt: skip
UPDATE_SERVICES = frozenset(
    {"wuauserv", "usosvc", "waasmedicsvc", "uhssvc"}
)  # for a moment they may stop
PROTECTION_PROCESSES = frozenset({"msmpeng", "mssense", "nissrv", "securityhealthservice", "csfalconservice", "sysmon"})  # fmt: skip


_WEB = re.compile(r"https?://", re.IGNORECASE)


def _start_process(inv: Invocation) -> None:
    """Start-Process: a program with its arguments, perhaps with more rights."""
    apply_roles(inv)
    program = inv.parsed.value("filepath")
    elevated = value(inv, "verb") == "runas"
    if elevated:
        inv.op(O.PRIVILEGE)
    for name in ("redirectstandardoutput", "redirectstandarderror"):
        for word in inv.parsed.all_values(name):
            inv.path_value(word.value or "", PathAccess.WRITE)
    if program is None:
        return
    if program.value is None:
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    if _WEB.match(program.value):  # a page, which the browser opens
        contact(inv, replace(program, more=False), N.CONNECT, [])
        return
    words = [replace(program, more=False, glob=False)]
    for word in inv.parsed.all_values("argumentlist"):
        words.extend(split_words(word))
    inv.run(words, How(elevated=elevated))
    if elevated and len(words) == 1:
        inv.trait(Trait.SHELL_ELEVATION)


def split_words(word: Word) -> list[Word]:
    """One string of the list may hold several arguments, with quotes around some."""
    text = word.value
    if text is None or not any(c in text for c in ' "'):
        return [replace(word, more=False, glob=False, quote=QuoteKind.NONE)]
    found: list[Word] = []
    piece, quoted = "", False
    word = replace(word, more=False, glob=False, quote=QuoteKind.NONE)
    for char in f"{text} ":
        if char == '"':
            quoted = not quoted
        elif char == " " and not quoted:
            if piece:
                found.append(replace(word, value=piece))
            piece = ""
        else:
            piece += char
    if piece.strip():
        found.append(replace(word, value=piece.strip()))
    return found


def _given(inv: Invocation) -> tuple[Word, ...]:
    """What a block is given."""
    return tuple(replace(word, more=False) for word in inv.parsed.all_values("argumentlist"))


def _invoke_command(inv: Invocation) -> None:
    """Invoke-Command: a block here or on other machines."""
    apply_roles(inv)
    remote = inv.parsed.has(
        "computername", "session", "hostname", "vmname", "vmid", "containerid", "connectionuri"
    )
    scope = None if remote else inv.command.variables
    given = _given(inv)
    for option, word in inv.parsed.values:
        if option.name == "scriptblock":
            how = How(
                remote=remote,
                wrapper=False,
                scope=scope,
                stdin=inv.stdin,
                positional=given,
                apart=remote,
            )
            inv.run_code(word, how)
        elif option.name == "filepath":
            inv.path(word, PathAccess.EXECUTE)
            inv.partial(IssueCode.OPAQUE_ARTIFACT)


def _job(inv: Invocation) -> None:
    """Start-Job: a block or a script in another process of PowerShell."""
    apply_roles(inv)
    for option, word in inv.parsed.values:
        if option.name in ("scriptblock", "initializationscript"):
            how = How(wrapper=False, scope={}, stdin=inv.stdin, positional=_given(inv), apart=True)
            inv.run_code(word, how)
        elif option.name == "filepath":
            inv.path(word, PathAccess.EXECUTE)
            inv.partial(IssueCode.OPAQUE_ARTIFACT)


def _add_type(inv: Invocation) -> None:
    """Add-Type: a library by its name, or source code that is compiled and loaded."""
    apply_roles(inv)
    for name in ("typedefinition", "memberdefinition"):
        for word in inv.parsed.all_values(name):
            inv.trait(Trait.INLINE_CODE)
            inv.unknown(word)
            inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)
    for word in inv.parsed.all_values("path"):
        inv.path(word, PathAccess.EXECUTE)


def mark_processes(inv: Invocation, names: list[str]) -> None:
    """Some processes protect the machine, others keep it running."""
    plain = {name.removesuffix(".exe") for name in names}
    if plain & PROTECTION_PROCESSES:
        inv.trait(Trait.PROTECTION_OFF)
    if plain & SYSTEM_PROCESSES:
        inv.trait(Trait.SYSTEM_KILL)


def _stop_process(inv: Invocation) -> None:
    """Stop-Process: some processes, or all of them."""
    bind(inv)
    mark_guard(inv)
    names = [w.value.lower() for w in inv.parsed.all_values("name") if w.value]
    everything = not inv.stdin.labels and inv.stdin.whole
    if "*" in names or everything:
        inv.trait(Trait.KILL_ALL, Trait.MASS)
    mark_processes(inv, [*names, *_listed(inv)])


def _listed(inv: Invocation) -> list[str]:
    """The names of processes that are piped in."""
    piped_from = [c for c in inv.builder.facts.commands if c.id in inv.stdin.commands]
    listed = (c.argv[1:] for c in piped_from if c.program == "get-process")
    return [name.lower() for words in listed for word in words for name in word.split(",")]


def _processes(inv: Invocation) -> None:
    """Get-Process: without a name it gives all of them."""
    bind(inv)
    every = not any(o.name in ("name", "id", "inputobject") for o, _ in inv.parsed.values)
    inv.out = Stream(whole=every, commands=(inv.fact.id,), connected=True)


def _service(inv: Invocation) -> None:
    """Services: those that protect the machine count more."""
    bind(inv)
    if inv.fact.program != "set-service" or value(inv, "startuptype") == "disabled":
        mark_guard(inv)
    for name in ("name", "displayname"):
        for word in inv.parsed.all_values(name):
            low = (word.value or "").lower()
            disabled = value(inv, "startuptype") == "disabled" or value(inv, "status") == "stopped"
            stops = inv.fact.program in ("stop-service", "remove-service", "suspend-service")
            off = low in PROTECTION_SERVICES and (stops or disabled)
            if off or (low in UPDATE_SERVICES and value(inv, "startuptype") == "disabled"):
                inv.trait(Trait.PROTECTION_OFF)
            require(inv, word)


def _task(inv: Invocation) -> None:
    """A task that is stopped, switched off or removed."""
    bind(inv)
    mark_guard(inv)


def _new_service(inv: Invocation) -> None:
    bind(inv)
    inv.trait(Trait.PERSISTENCE)


def _task_action(inv: Invocation) -> None:
    """New-ScheduledTaskAction: a program that runs later."""
    bind(inv)
    program = inv.parsed.value("execute")
    if program is not None and program.value is not None:
        words = [replace(program, more=False, glob=False)]
        for word in inv.parsed.all_values("argument"):
            words.extend(split_words(word))
        inv.run(words, How(uncertain=True, wrapper=False, quiet=True))


def _invoke_wmi(inv: Invocation) -> None:
    """A method of a management class; creating a process is one."""
    bind(inv)
    names = {value(inv, "class"), value(inv, "classname"), value(inv, "path")}
    method = value(inv, "methodname") or value(inv, "name")
    if "win32_process" in names and method == "create":
        inv.op(O.EXECUTE)
        inv.trait(Trait.REMOTE_SCRIPT)
        for word in (*inv.parsed.all_values("argumentlist"), *inv.parsed.all_values("arguments")):
            if word.value is not None:
                inv.run(split_words(word), How(wrapper=False))
                return
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)
    elif "win32_shadowcopy" in names and method in ("delete", "remove"):
        inv.op(O.DELETE)
        inv.trait(Trait.DESTROYS_RESOURCE)


def _set_wmi(inv: Invocation) -> None:
    """A new object of management data; those of events start programs by themselves."""
    bind(inv)
    names = " ".join(value(inv, name) for name in ("class", "classname", "path"))
    if any(kind in names for kind in ("__eventfilter", "eventconsumer", "filtertoconsumer")):
        inv.trait(Trait.PERSISTENCE)


def _remove_wmi(inv: Invocation) -> None:
    """Removing shadow copies destroys backups."""
    bind(inv)
    piped = [c for c in inv.builder.facts.commands if c.id in inv.stdin.commands]
    text = " ".join(a.lower() for c in (inv.fact, *piped) for a in c.argv)
    if "shadowcopy" in text:
        inv.trait(Trait.DESTROYS_RESOURCE)


def _module(inv: Invocation) -> None:
    """Import-Module: a module by its name, or a file whose code is loaded."""
    apply_roles(inv)
    for word in inv.parsed.all_values("name"):
        low = (word.value or "").lower()
        if word.value is None:
            inv.partial(IssueCode.DYNAMIC_WORD)
        elif low.endswith((".psm1", ".ps1", ".psd1", ".dll")) or "\\" in low or "/" in low:
            inv.path(word, PathAccess.EXECUTE)
            inv.partial(IssueCode.OPAQUE_ARTIFACT)


def _object(inv: Invocation) -> None:
    """New-Object: its type says what it may do; a COM object that runs programs may anything."""
    apply_roles(inv)
    com = value(inv, "comobject")
    if com in ("wscript.shell", "shell.application", "mmc20.application"):
        inv.trait(Trait.DYNAMIC_CODE)
    kind = value(inv, "typename").removeprefix("system.")
    if kind in ("net.sockets.tcpclient", "net.sockets.tcplistener", "net.sockets.udpclient"):
        inv.op(O.CONNECT)
        given = inv.parsed.all_values("argumentlist")
        host = canonical_host(given[0].value or "") if given else ""
        port = parse_port(given[1].value or "") if len(given) > 1 else None
        if host:
            inv.network(N.CONNECT, Endpoint(host, "tcp", port or 0))


def _elevation(inv: Invocation) -> None:
    bind(inv)
    loose = value(inv, "executionpolicy") in ("unrestricted", "bypass", "remotesigned")
    if loose and value(inv, "scope") not in ("process", "currentuser"):
        inv.trait(Trait.PROTECTION_OFF)


_BLOCKS = "process@0=block begin=block end=block remainingscripts@1=any membername=any argumentlist=any inputobject=any parallel=block throttlelimit=any timeoutseconds=any asjob usenewrunspace"
_REMOTE = " computername,cn=host credential=any port=any usessl session=any configurationname=any authentication=any hostname=host username=any keyfilepath=settings sessionoption=any vmname=any vmid=any containerid=any connectionuri=url"
_SERVICE = "^name,servicename,sn@0=any displayname=any inputobject=any force nowait passthru include=any exclude=any computername=host status=any startuptype,startmode=any credential=any description=any binarypathname=any dependson=any"

CMDLETS = {
    "foreach-object": reader(_BLOCKS, special=each("process", "begin", "end", "parallel")),
    "where-object": reader(
        "filterscript@0=block property=any value@1=any eq,ieq ne,ine gt,igt lt,ilt ge le like,ilike notlike match,imatch notmatch contains in notin is isnot not ceq cne clike cmatch inputobject=any".replace("value@1", "value"),
        special=each("filterscript", passes=True),
    ),
    "invoke-expression": reader("command@0=any", special=run_expression),
    "invoke-command": reader(f"scriptblock,command@0=any argumentlist,args=any inputobject=any filepath,pspath=any asjob jobname=any throttlelimit=any hidecomputername nonewscope{_REMOTE}", special=_invoke_command),
    "start-job": reader("scriptblock,command@0=any initializationscript@1=any argumentlist,args=any inputobject=any filepath,literalpath=any name=any credential=any workingdirectory=inside runas32 psversion=any definitionname=any", special=_job),
    "start-threadjob": reader("scriptblock@0=any initializationscript=any argumentlist=any name=any throttlelimit=any streaminghost=any filepath=any", special=_job),
    "register-objectevent": reader("inputobject@0=any eventname@1=any sourceidentifier@2=any action@3=any messagedata=any supportevent forward", special=blocks("action")),
    "register-engineevent": reader("sourceidentifier@0=any action@1=any messagedata=any supportevent forward", special=blocks("action")),
    "register-wmievent": reader("class@0=any query=any sourceidentifier@1=any action@2=any namespace=any computername=host", special=blocks("action")),
    "trace-command": reader("name@0=any expression@1=any command=any pshost filepath=log", special=blocks("expression")),
    "new-module": reader("name=any scriptblock@0=any function=any cmdlet=any returnresult ascustomobject argumentlist=any", special=blocks("scriptblock")),
    "start-process": cmdlet(
        "filepath,path@0=any argumentlist,args@1=any verb=any workingdirectory=inside credential=any loaduserprofile,lup nonewwindow,nnw passthru"
        " redirectstandarderror,rse=any redirectstandardinput,rsi=read redirectstandardoutput,rso=any wait windowstyle=any usenewenvironment environment=any",
        O.EXECUTE, special=_start_process,
    ),
    "debug-process": cmdlet("name=any id=any inputobject=any"),
    "stop-process": cmdlet("^inputobject=any id@0=any name,processname=any force passthru", O.PROCESS_KILL, special=_stop_process),
    "get-process": reader("name,processname@0=any id,pid=any computername=host module,fileversioninfo,fv inputobject=any includeusername", O.LIST, special=_processes),
    "wait-process": reader("name@0=any id=any timeout=any inputobject=any any passthru"),
    "stop-service": cmdlet(_SERVICE, O.PROCESS_KILL, special=_service),
    "suspend-service": cmdlet(_SERVICE, O.PROCESS_KILL, special=_service),
    "restart-service": cmdlet(_SERVICE),
    "start-service": cmdlet(_SERVICE),
    "resume-service": cmdlet(_SERVICE),
    "set-service": cmdlet(_SERVICE, O.CONFIG_CHANGE, special=_service),
    "remove-service": cmdlet(_SERVICE, O.DELETE, special=_service),
    "new-service": cmdlet(f"{_SERVICE} securitydescriptorsddl=any".replace("binarypathname=any", "binarypathname@1=any"), O.SCHEDULE, special=_new_service),
    "get-service": reader(f"{_SERVICE} requiredservices dependentservices", O.LIST),
    "stop-computer": cmdlet("computername@0=host credential@1=any force wsmanauthentication=any asjob", O.PROCESS_KILL),
    "restart-computer": cmdlet("computername@0=host credential@1=any force wait for=any timeout=any delay=any wsmanauthentication=any", O.PROCESS_KILL),
    "rename-computer": cmdlet("newname@0=any computername=host domaincredential=any localcredential=any force passthru restart", O.CONFIG_CHANGE),
    "add-computer": cmdlet("domainname@0=any workgroupname=any credential=any oupath=any newname=any restart force computername=host", O.CONFIG_CHANGE),
    "remove-computer": cmdlet("computername=host unjoindomaincredential=any workgroupname=any force restart passthru", O.CONFIG_CHANGE),
    "register-scheduledtask": cmdlet("taskname@0=any taskpath@1=any action@2=any trigger@3=any settings@4=any user@5=any password@6=any runlevel@7=any description@8=any principal=any inputobject=any xml=any force cimsession=any asjob", O.SCHEDULE),
    "new-scheduledtask": reader("action=any trigger=any settings=any principal=any description=any"),
    "new-scheduledtaskaction": reader("execute@0=any argument@1=any workingdirectory@2=any id=any", special=_task_action),
    "new-scheduledtasktrigger": reader(""),
    "set-scheduledtask": cmdlet("taskname@0=any taskpath@1=any action=any trigger=any settings=any user=any password=any principal=any inputobject=any", O.SCHEDULE),
    "start-scheduledtask": cmdlet("taskname@0=any taskpath@1=any inputobject=any"),
    "stop-scheduledtask": cmdlet("taskname@0=any taskpath@1=any ^inputobject=any", special=_task),
    "enable-scheduledtask": cmdlet("taskname@0=any taskpath@1=any inputobject=any", O.SCHEDULE),
    "disable-scheduledtask": cmdlet("taskname@0=any taskpath@1=any ^inputobject=any", O.CONFIG_CHANGE, special=_task),
    "unregister-scheduledtask": cmdlet("taskname@0=any taskpath@1=any ^inputobject=any", O.CONFIG_CHANGE, special=_task),
    "register-scheduledjob": cmdlet("name@0=any scriptblock@1=block filepath=exec trigger=any runnow argumentlist=any credential=any scheduledjoboption=any", O.SCHEDULE),
    "invoke-wmimethod": cmdlet("class@0=any name@1=any argumentlist=any path=any inputobject=any namespace=any computername=host credential=any", special=_invoke_wmi),
    "invoke-cimmethod": cmdlet("classname,class@0=any methodname,name@1=any arguments@2=any inputobject=any query=any namespace=any computername=host cimsession=any ciminstance=any", special=_invoke_wmi),
    "set-wmiinstance": cmdlet("class@0=any arguments@1=any path=any inputobject=any namespace=any", O.CONFIG_CHANGE, special=_set_wmi),
    "new-ciminstance": cmdlet("classname@0=any property,arguments@1=any namespace=any key=any clientonly cimsession=any computername=host", O.CONFIG_CHANGE, special=_set_wmi),
    "remove-wmiobject": cmdlet("class@0=any inputobject=any path=any namespace=any computername=host", O.DELETE, special=_remove_wmi),
    "remove-ciminstance": cmdlet("inputobject@0=any query=any namespace=any cimsession=any computername=host", O.DELETE, special=_remove_wmi),
    "get-wmiobject": reader("class@0=any property@1=any filter=any query=any namespace=any computername=host list credential=any", O.LIST),
    "get-ciminstance": reader("classname@0=any filter=any query=any namespace=any computername=host property=any cimsession=any", O.LIST),
    "enter-pssession": cmdlet(f"computernames@0=host{_REMOTE}", O.CONNECT),
    "new-pssession": cmdlet(f"computernames@0=host name=any{_REMOTE}", O.CONNECT),
    "enable-psremoting": cmdlet("force skipnetworkprofilecheck", O.CONFIG_CHANGE),
    "import-module": reader("name,path@0=any global prefix=any function=any cmdlet=any variable=any alias=any force passthru ascustomobject minimumversion=any maximumversion=any requiredversion=any modulinfo=any argumentlist=any disablenamechecking noclobber scope=any skipeditioncheck usewindowspowershell", special=_module),
    "add-type": reader("typedefinition@0=any memberdefinition=any name=any namespace=any usingnamespace=any path,literalpath=any assemblyname,an=any language=any referencedassemblies=any outputassembly=log outputtype=any passthru ignorewarnings compileroptions=any", special=_add_type),
    "new-object": reader("typename@0=any argumentlist,args@1=any property=any comobject=any strict", special=_object),
    "set-executionpolicy": cmdlet("executionpolicy@0=any scope@1=any force", O.CONFIG_CHANGE, special=_elevation),
}  # fmt: skip
