"""Methods of .NET that touch the world, by type and name; ``.name`` is a method of an object."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import IssueCode, PathAccess
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Special, Style
from defenseclaw.facts.inline.decoding import decode_base64
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_port
from defenseclaw.facts.origins import listed
from defenseclaw.facts.powershell.providers import Kind, registry_key
from defenseclaw.facts.programs.shells import origin_traits
from defenseclaw.facts.programs.variables import apply_variable
from defenseclaw.facts.programs.windows.cmdlet import mark_path, piped
from defenseclaw.facts.programs.windows.internet import contact, save
from defenseclaw.facts.programs.windows.running import mark_processes, split_words
from defenseclaw.facts.roles import apply_role, require
from defenseclaw.facts.script import How, Word
from defenseclaw.facts.streams import Stream, merge


def _args(inv: Invocation) -> list[Word]:
    return inv.words[1:]


def call(roles: str, *ops: O, out: Out = Out.NOTHING, special: Special | None = None) -> E:
    """A method whose arguments have these roles."""
    return E(operands=roles, ops=ops, style=Style.FREE, out=out, special=special)


def _write(access: PathAccess) -> Special:
    """``WriteAllText(path, text)`` and its kin."""

    def special(inv: Invocation) -> None:
        words = _args(inv)
        if not words:
            return
        require(inv, words[0])
        for word in words[1:]:
            inv.data(word, inv.fact.program)
        text = words[1].value if len(words) > 1 else ""
        sources = merge([inv.word_stream(word) for word in words[1:]])
        inv.inputs = [replace(sources, text=text, draft=text, at=None, connected=True)]
        inv.op(O.APPEND if access is PathAccess.APPEND else O.WRITE)
        fact = inv.path(words[0], access)
        if fact is not None and fact.resolved:
            inv.outputs.append(fact.resolved)

    return special


def _directory_delete(inv: Invocation) -> None:
    """``[IO.Directory]::Delete(path, recursive)``."""
    words = _args(inv)
    if len(words) > 1 and (words[1].value is None or words[1].value.lower() in ("true", "1")):
        inv.trait(Trait.RECURSIVE)
    if words:
        apply_role(inv, "delete", words[0])


def _own_delete(inv: Invocation) -> None:
    """``$item.Delete()``: the object is the last word."""
    words = _args(inv)
    flags = [w for w in words[:-1] if (w.value or "").lower() == "true"]
    if flags:
        inv.trait(Trait.RECURSIVE)
    if not words:
        return
    target = words[-1]
    names = listed(inv, target) or piped(inv.word_stream(target))
    for word in names if target.value is None else [target]:
        apply_role(inv, "delete", word)


def _own_move(role: str) -> Special:
    def special(inv: Invocation) -> None:
        words = _args(inv)
        if words[1:]:
            apply_role(inv, role, words[-1])
        for word in words[:1]:
            apply_role(inv, "write", word)

    return special


def _download_text(inv: Invocation) -> None:
    """``DownloadString(url)``: what the network gives is the result."""
    inv.op(O.FETCH)
    for word in _args(inv)[:1]:
        contact(inv, word, N.DOWNLOAD, [])
    inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)


def _download_file(inv: Invocation) -> None:
    """``DownloadFile(url, path)``."""
    inv.op(O.FETCH)
    words = _args(inv)
    for word in words[:1]:
        contact(inv, word, N.DOWNLOAD, [])
    for word in words[1:2]:
        save(inv, replace(word, glob=False))


def _upload_file(inv: Invocation) -> None:
    """``UploadFile(url, path)``."""
    inv.op(O.UPLOAD, O.READ)
    words = _args(inv)
    sent = []
    for word in words[1:]:
        if word.value and word.value.lower() not in ("post", "put"):
            fact = inv.path(word, PathAccess.READ)
            if fact is not None:
                sent.append(inv.content_of(fact))
    for word in words[:1]:
        contact(inv, word, N.UPLOAD, sent)


def _upload_text(inv: Invocation) -> None:
    """``UploadString(url, text)``."""
    inv.op(O.UPLOAD)
    words = _args(inv)
    sent = [inv.word_stream(word) for word in words[1:]]
    for word in words[1:]:
        inv.data(word, inv.fact.program)
    for word in words[:1]:
        contact(inv, word, N.UPLOAD, sent)
    inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)


def _process_start(inv: Invocation) -> None:
    """``[Diagnostics.Process]::Start(program, arguments)``, or what describes the two."""
    words = _args(inv)
    if not words or words[0].value is None:
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    rest = [part for word in words[1:] for part in split_words(word)]
    inv.run([replace(words[0], more=False), *rest], How())


def _code(inv: Invocation) -> None:
    """A method that runs text as PowerShell."""
    for word in _args(inv)[:1]:
        origin_traits(inv, inv.word_stream(word))
        if word.value is not None or not inv.word_stream(word).network:
            inv.run_code(word, How(wrapper=False, scope=inv.command.variables))


def _load(inv: Invocation) -> None:
    """Loading code that is not in the text."""
    inv.trait(Trait.DYNAMIC_CODE)
    stream = merge([inv.word_stream(word) for word in _args(inv)])
    origin_traits(inv, stream)
    if not stream.network:
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


def _connect(inv: Invocation) -> None:
    """A socket to a host and a port."""
    words = _args(inv)
    inv.op(O.CONNECT)
    if not words:
        return
    host = canonical_host(words[0].value or "")
    port = parse_port(words[1].value or "") if len(words) > 1 else None
    if host:
        inv.network(N.CONNECT, Endpoint(host, "tcp", port or 0))
    inv.out = Stream(network=True, commands=(inv.fact.id,), connected=True)


def _decode(inv: Invocation) -> None:
    """``[Convert]::FromBase64String(text)``."""
    inv.op(O.DECODE)
    words = _args(inv)
    for word in words:
        inv.data(word, inv.fact.program)
    known = words[0].value if words else None
    text = decode_base64(known) if known is not None else None
    stream = merge([inv.word_stream(word) for word in words])
    inv.out = replace(stream, decoded=True, text=text, commands=(inv.fact.id,), connected=True)


def _variable(inv: Invocation) -> None:
    """``[Environment]::SetEnvironmentVariable(name, value, target)``."""
    words = _args(inv)
    if not words or words[0].value is None:
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    inv.op(O.CONFIG_CHANGE)
    apply_variable(inv, words[0].value.upper(), words[1] if len(words) > 1 else Word(None))
    if len(words) > 2 and (words[2].value or "").lower().endswith("machine"):
        mark_path(inv, words)
        inv.trait(Trait.MACHINE_SETTING)


def _shown(inv: Invocation) -> None:
    """``[Console]::WriteLine(text)``: a text on the screen."""
    for word in _args(inv):
        inv.data(word, inv.fact.program)


def _environment(inv: Invocation) -> None:
    """``[Environment]::GetEnvironmentVariables()``: all of them."""
    inv.op(O.ENVIRONMENT_READ)
    inv.trait(Trait.ENVIRONMENT_DUMP)
    inv.out = Stream(environment=True, commands=(inv.fact.id,), connected=True)


def _kill(inv: Invocation) -> None:
    """``$process.Kill()``: the process by the name that it was asked for."""
    streams = [inv.word_stream(word) for word in _args(inv)]
    sources = {id for stream in streams for id in stream.commands}
    given = [c for c in inv.builder.facts.commands if c.id in sources]
    mark_processes(inv, [word.lower() for command in given for word in command.argv[1:]])


def _registry_value(inv: Invocation) -> None:
    """``[Microsoft.Win32.Registry]::SetValue(key, name, value)``."""
    words = _args(inv)
    for word in words[:1]:
        key = registry_key(word.value or "")
        if not key:
            apply_role(inv, "must", word)
            continue
        inv.elsewhere(Kind.REGISTRY, key, PathAccess.WRITE)
        if words[1:] and words[1].value:
            inv.elsewhere(Kind.REGISTRY, f"{key}/{words[1].value}", PathAccess.WRITE)


def _reflection(inv: Invocation) -> None:
    """A field or method by its name; that of the scan for malware is looked up to break it."""
    text = " ".join((word.value or "").lower() for word in _args(inv))
    if "amsi" in text:
        inv.trait(Trait.PROTECTION_OFF)


def _unsure(inv: Invocation) -> None:
    """A method of an object that may be anything."""
    inv.trait(Trait.DYNAMIC_CODE)
    inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


def _shell_run(inv: Invocation) -> None:
    """``Run`` and ``Exec`` of a script host's shell, ``Create`` of a process: a command line."""
    for word in _args(inv)[:1]:
        if word.value is None:
            _unsure(inv)
        else:
            inv.run(split_words(word), How())


def _create(inv: Invocation) -> None:
    """``Create`` of an object: of the class of processes it starts one."""
    made = [c for c in inv.builder.facts.commands if "win32_process" in " ".join(c.argv).lower()]
    if made:
        _shell_run(inv)


_FILES = {
    "delete": call("delete any*"),
    "readalltext": call("read any*", out=Out.SAME),
    "readallbytes": call("read any*", out=Out.SAME),
    "readalllines": call("read any*", out=Out.SAME),
    "readlines": call("read any*", out=Out.SAME),
    "opentext": call("read any*", out=Out.SAME),
    "openread": call("read any*", out=Out.SAME),
    "open": call("edit any*", out=Out.SAME),
    "writealltext": call("any*", special=_write(PathAccess.WRITE)),
    "writeallbytes": call("any*", special=_write(PathAccess.WRITE)),
    "writealllines": call("any*", special=_write(PathAccess.WRITE)),
    "appendalltext": call("any*", special=_write(PathAccess.APPEND)),
    "appendalllines": call("any*", special=_write(PathAccess.APPEND)),
    "appendtext": call("append any*"),
    "create": call("write any*"),
    "createtext": call("write any*"),
    "openwrite": call("write any*"),
    "copy": call("source write any*", O.COPY),
    "move": call("move write any*", O.MOVE),
    "replace": call("move write write any*", O.MOVE),
    "exists": call("stat any*"),
    "getattributes": call("stat any*"),
    "setattributes": call("meta any*"),
    "getlastwritetime": call("stat any*"),
    "setlastwritetime": call("meta any*"),
    "encrypt": call("edit any*"),
}
_FOLDERS = {
    "delete": call("any*", special=_directory_delete),
    "createdirectory": call("mkdir any*"),
    "exists": call("stat any*"),
    "getfiles": call("list any*", O.LIST, out=Out.NAMES),
    "getdirectories": call("list any*", O.LIST, out=Out.NAMES),
    "getfilesystementries": call("list any*", O.LIST, out=Out.NAMES),
    "enumeratefiles": call("list any*", O.LIST, out=Out.NAMES),
    "enumeratedirectories": call("list any*", O.LIST, out=Out.NAMES),
    "move": call("move write any*", O.MOVE),
    "getcurrentdirectory": call("any*"),
    "setcurrentdirectory": call("any*"),
    "getparent": call("any*"),
}
_CLIENT = {
    "downloadstring": _download_text,
    "downloaddata": _download_text,
    "downloadstringtaskasync": _download_text,
    "downloaddatataskasync": _download_text,
    "openread": _download_text,
    "getstringasync": _download_text,
    "getbytearrayasync": _download_text,
    "getstreamasync": _download_text,
    "getasync": _download_text,
    "downloadfile": _download_file,
    "downloadfileasync": _download_file,
    "downloadfiletaskasync": _download_file,
    "uploadfile": _upload_file,
    "uploadfileasync": _upload_file,
    "uploadstring": _upload_text,
    "uploaddata": _upload_text,
    "uploadvalues": _upload_text,
    "postasync": _upload_text,
    "putasync": _upload_text,
}
_CLIENTS = ("object", "net.webclient", "net.http.httpclient", "webclient", "httpclient")
# The scripting host's own way to files; folders go with all that they hold.
_FILE_SYSTEM = {
    "deletefolder": E(operands="delete any*", style=Style.FREE, recursive=True),
    "deletefile": call("delete any*"),
    "copyfile": call("source write any*", O.COPY),
    "copyfolder": call("source write any*", O.COPY),
    "movefile": call("move write any*", O.MOVE),
    "movefolder": call("move write any*", O.MOVE),
    "createtextfile": call("write any*"),
    "opentextfile": call("edit any*", out=Out.SAME),
    "createfolder": call("mkdir any*"),
    "fileexists": call("stat any*"),
    "folderexists": call("stat any*"),
}
_SHELLS = ("object", "wscript.shell", "shell.application")

CALLS: dict[str, E] = {
    **{f"[{kind}]::{name}": entry for kind in ("io.file",) for name, entry in _FILES.items()},
    **{f"[io.directory]::{name}": entry for name, entry in _FOLDERS.items()},
    **{
        f"[{kind}].{name}": call("any*", special=special)
        for kind in _CLIENTS
        for name, special in _CLIENT.items()
    },
    **{
        f"[{kind}].{name}": call("any*", special=_shell_run)
        for kind in _SHELLS
        for name in ("run", "exec")
    },
    **{f"[{kind}].shellexecute": call("any*", special=_process_start) for kind in _SHELLS},
    "[wmiclass].create": call("any*", special=_shell_run),
    "[management.managementclass].create": call("any*", special=_shell_run),
    "[object].create": call("any*", special=_create),
    "[diagnostics.process].start": call("any*", special=_process_start),
    "[microsoft.visualbasic.interaction]::shell": call("any*", special=_shell_run),
    **{
        f"[{kind}].{name}": entry
        for kind in ("object", "scripting.filesystemobject")
        for name, entry in _FILE_SYSTEM.items()
    },
    "[object].getfield": call("any*", special=_reflection),
    "[object].getmethod": call("any*", special=_reflection),
    "[object].gettype": call("any*", special=_reflection),
    "[object].delete": call("any*", special=_own_delete),
    "[object].moveto": call("any*", special=_own_move("move")),
    "[object].copyto": call("any*", special=_own_move("source")),
    "[object].kill": call("any*", O.PROCESS_KILL, special=_kill),
    "[object].terminate": call("any*", O.PROCESS_KILL, special=_kill),
    "[object].closemainwindow": call("any*", O.PROCESS_KILL),
    "[object].stop": call("any*", O.PROCESS_KILL),
    "[object].invoke": call("any*", special=_unsure),
    "[object].invokescript": call("any*", special=_code),
    "[object].expandstring": call("any*", special=_code),
    "[object].addscript": call("any*", special=_code),
    "[object].load": call("any*"),
    "[object].save": call("write any*"),
    "[object].connect": call("any*", special=_connect),
    "[object].start": call("any*", O.EXECUTE),
    "[object].invokemember": call("any*", special=_unsure),
    "[xml].save": call("write any*"),
    "[xml].load": call("read any*"),
    "[diagnostics.process]::start": call("any*", O.EXECUTE, special=_process_start),
    "[diagnostics.process]::getprocesses": call("any*", O.LIST),
    "[diagnostics.process]::getprocessesbyname": call("any*", O.LIST),
    "[diagnostics.process]::getprocessbyid": call("any*", O.LIST),
    "[diagnostics.process]::getcurrentprocess": call("any*", O.LIST),
    "[reflection.assembly]::load": call("any*", special=_load),
    "[reflection.assembly]::loadfile": call("exec any*", special=_load),
    "[reflection.assembly]::loadfrom": call("exec any*", special=_load),
    "[reflection.assembly]::unsafeloadfrom": call("exec any*", special=_load),
    "[reflection.assembly]::loadwithpartialname": call("any*"),
    "[assembly]::load": call("any*", special=_load),
    "[appdomain]::currentdomain": call("any*"),
    "[activator]::createinstance": call("any*", special=_unsure),
    "[runtime.interopservices.marshal]::getactiveobject": call("any*", special=_unsure),
    "[runtime.interopservices.marshal]::getdelegateforfunctionpointer": call("any*", special=_load),
    "[runtime.interopservices.marshal]::copy": call("any*"),
    "[runtime.interopservices.marshal]::ptrtostringauto": call("any*"),
    "[runtime.interopservices.marshal]::ptrtostringbstr": call("any*"),
    "[runtime.interopservices.marshal]::securestringtobstr": call("any*"),
    "[management.automation.powershell]::create": call("any*"),
    "[powershell]::create": call("any*"),
    "[net.dns]::gethostaddresses": call("host", O.CONNECT),
    "[net.dns]::gethostentry": call("host", O.CONNECT),
    "[net.webrequest]::create": call("url", O.FETCH, out=Out.NETWORK),
    "[net.httpwebrequest]::create": call("url", O.FETCH, out=Out.NETWORK),
    "[net.sockets.tcpclient]::new": call("any*", special=_connect),
    "[net.sockets.tcpclient].connect": call("any*", special=_connect),
    "[net.sockets.tcplistener].start": call("any*", O.LISTEN),
    **{
        f"[{kind}].{name}": call("any*")
        for kind in ("object", "net.sockets.tcplistener", "net.sockets.tcpclient")
        for name in ("accepttcpclient", "acceptsocket", "getstream", "pending")
    },
    "[convert]::frombase64string": call("any*", special=_decode),
    "[convert]::fromhexstring": call("any*", special=_decode),
    "[environment]::setenvironmentvariable": call("any*", special=_variable),
    "[console]::write": call("any*", special=_shown),
    "[console]::writeline": call("any*", special=_shown),
    "[environment]::getenvironmentvariables": call("any*", special=_environment),
    "[environment]::exit": call("any*"),
    "[environment]::failfast": call("any*"),
    "[io.compression.zipfile]::extracttodirectory": call("source write any*", O.WRITE),
    "[io.compression.zipfile]::createfromdirectory": call("source write any*", O.WRITE),
    "[io.compression.zipfile]::openread": call("read any*"),
    "[io.streamreader]::new": call("read any*", out=Out.SAME),
    "[io.streamwriter]::new": call("write any*"),
    "[io.filestream]::new": call("edit any*"),
    "[microsoft.win32.registry]::setvalue": call("any*", O.CONFIG_CHANGE, special=_registry_value),
    "[microsoft.win32.registry]::getvalue": call("stat any*"),
    "[microsoft.visualbasic.fileio.filesystem]::deletedirectory": E(
        operands="delete any*", style=Style.FREE, recursive=True
    ),
    "[microsoft.visualbasic.fileio.filesystem]::deletefile": call("delete any*"),
    "[windows.forms.clipboard]::gettext": call("any*"),
    "[windows.forms.clipboard]::settext": call("any*"),
    "[windows.forms.messagebox]::show": call("any*"),
    "[windows.forms.sendkeys]::sendwait": call("any*", special=_unsure),
}
