"""Programs of Windows: what their words mean, whatever shell starts them."""

from __future__ import annotations

import re
from dataclasses import replace

from defenseclaw.core.facts import CommandEffect, PathAccess
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.cmd import command_line
from defenseclaw.facts.grammar import Entry, Out, Special, Style
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.network import parse_url
from defenseclaw.facts.options.slash import is_doubled
from defenseclaw.facts.powershell.providers import Kind, registry_key
from defenseclaw.facts.programs.variables import apply_variable
from defenseclaw.facts.programs.windows.administration import (
    ADMINISTRATORS,
    ROOT_STORES,
    mark_feature,
    marked,
)
from defenseclaw.facts.programs.windows.cmdlet import mark_guard, mark_path
from defenseclaw.facts.programs.windows.internet import contact, save
from defenseclaw.facts.programs.windows.running import (
    PROTECTION_SERVICES,
    UPDATE_SERVICES,
    mark_processes,
)
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import How, Word
from defenseclaw.facts.table_reader import apply_roles


def tool(
    options: str = "",
    operands: str = "any*",
    *ops: O,
    special: Special | None = None,
    out: Out = Out.NOTHING,
) -> Entry:
    """A program with slash options."""
    return Entry(
        f"{options} help",
        operands,
        ops=ops,
        preview="help",
        style=Style.SLASH,
        out=out,
        special=special,
    )


def texts(inv: Invocation) -> list[str]:
    """The words behind the program's name, lower case."""
    given = [(word.value or "").lower() for word in inv.words[1:]]
    return [text[is_doubled(text) :] for text in given]


def add_key(inv: Invocation, spelling: str, access: PathAccess) -> None:
    """A path fact for a registry key."""
    key = registry_key(spelling)
    if key:
        inv.elsewhere(Kind.REGISTRY, key, access)


# --- registry, services, tasks ---

_REG_WRITES = {"add": PathAccess.WRITE, "delete": PathAccess.DELETE, "import": PathAccess.WRITE, "copy": PathAccess.WRITE,
               "restore": PathAccess.WRITE, "load": PathAccess.WRITE, "unload": PathAccess.WRITE}  # fmt: skip


def _reg(inv: Invocation) -> None:
    """reg: keys that are read, changed or saved to a file."""
    words = inv.parsed.operands
    verb = (words[0].value or "").lower() if words else ""
    inv.fact.subcommand = verb
    access = _REG_WRITES.get(verb, PathAccess.READ)
    if verb in _REG_WRITES:
        inv.op(O.CONFIG_CHANGE)
    for word in words[1:2]:
        if verb == "import":
            apply_role(inv, "read", word)
        elif word.value is None:
            apply_role(inv, "must", word)
        else:
            name = inv.parsed.value("v")
            add_key(inv, word.value, access)
            if name is not None and name.value:
                add_key(inv, f"{word.value}\\{name.value}", access)
            _hive(inv, word.value, verb)
    if verb in ("save", "export"):
        for word in words[2:3]:
            apply_role(inv, "write", word)


# The accounts, the secrets of the machine, and the key that both are locked with.


def _hive(inv: Invocation, key: str, verb: str) -> None:
    """Saving the account database is reading it."""
    low = registry_key(key).lower()
    hashed = low in ("hklm/sam", "hklm/security", "hklm/system")
    if verb in ("save", "export") and (hashed or low.endswith("/currentcontrolset/control/lsa")):
        inv.op(O.CREDENTIAL_READ)
        if not hashed:  # what decrypts the secrets of the machine is in these keys
            add_key(inv, "HKLM\\SECURITY", PathAccess.READ)


def _sc(inv: Invocation) -> None:
    """sc: services; the machine's name may come first."""
    words = [word for word in texts(inv) if not word.startswith("\\\\")]
    verb = words[0] if words else ""
    inv.fact.subcommand = verb
    name = words[1] if len(words) > 1 else ""
    if verb in ("create", "config", "failure"):
        inv.op(O.SCHEDULE if verb == "create" else O.CONFIG_CHANGE)
        if verb == "create" or any(word.startswith("binpath") for word in words):
            inv.trait(Trait.PERSISTENCE)
    elif verb in ("stop", "delete", "pause", "sdset"):
        mark_guard(inv)
        inv.op(O.PROCESS_KILL if verb != "delete" else O.DELETE)
    disabled = "disabled" in " ".join(words)
    if name in UPDATE_SERVICES and disabled:
        inv.trait(Trait.PROTECTION_OFF)
    if name in PROTECTION_SERVICES and (verb in ("stop", "delete", "pause") or disabled):
        inv.trait(Trait.PROTECTION_OFF)


def _schtasks(inv: Invocation) -> None:
    """schtasks: tasks that run later, with what they run."""
    given = inv.parsed
    if given.has("create", "change"):
        inv.op(O.SCHEDULE)
        word = given.value("tr")
        if word is not None and word.value is not None:
            inv.run(command_line(word), How(uncertain=True, wrapper=False, quiet=True))
    elif given.has("delete", "end"):
        inv.op(O.CONFIG_CHANGE)
        mark_guard(inv)
    elif given.has("query") or not given.options:
        inv.op(O.LIST)


def _net(inv: Invocation) -> None:
    """net: accounts, groups, shares and services."""
    words = texts(inv)
    verb = words[0] if words else ""
    inv.fact.subcommand = verb
    adds = "/add" in words
    removes = any(word in ("/delete", "/del") for word in words)
    if verb in ("user", "localgroup", "group", "accounts"):
        plain = [word for word in words[1:] if not word.startswith("/")]
        changes = (
            adds or removes or (verb == "user" and len(plain) > 1) or "/active" in " ".join(words)
        )
        inv.op(O.ACCOUNT_CHANGE if changes else O.LIST)
        if adds and verb != "user" and plain and plain[0] in ADMINISTRATORS and len(plain) > 1:
            inv.trait(Trait.ADMIN_GRANT)
    elif verb in ("stop", "pause"):
        inv.op(O.PROCESS_KILL)
        mark_guard(inv)
        if len(words) > 1 and words[1].strip('"') in PROTECTION_SERVICES:
            inv.trait(Trait.PROTECTION_OFF)
    elif verb in ("use", "share", "session", "start", "continue"):
        inv.op(O.CONNECT if verb == "use" else O.CONFIG_CHANGE)
    else:
        inv.op(O.LIST)


# --- disks and backups ---


def _diskpart(inv: Invocation) -> None:
    """diskpart runs a script that the call does not show, or asks."""
    word = inv.parsed.value("s")
    if word is not None:
        apply_role(inv, "script", word)
    inv.op(O.DISK_WRITE)


def _format(inv: Invocation) -> None:
    """format: a drive is emptied."""
    drive = next((w for w in inv.parsed.operands if (w.value or "")[1:2] == ":"), None)
    if drive is not None and inv.fact.effect is not CommandEffect.PREVIEW:
        inv.op(O.DISK_WRITE, O.WRITE)
        inv.path(drive, PathAccess.WRITE)


def _cipher(inv: Invocation) -> None:
    """cipher /w overwrites what is free; the others change encryption."""
    for word in inv.words[1:]:
        text = (word.value or "").lower()
        if text.startswith("/w:"):
            inv.op(O.DISK_WRITE)
            inv.path_value((word.value or "")[3:], PathAccess.WRITE)
        elif text in ("/e", "/d", "/r"):
            inv.op(O.CONFIG_CHANGE)


def _fsutil(inv: Invocation) -> None:
    words = texts(inv)
    inv.fact.subcommand = " ".join(words[:2])
    if "setzerodata" in words or words[:2] in (["usn", "deletejournal"], ["file", "setzerodata"]):
        inv.op(O.WRITE)
    if words[:2] == ["volume", "dismount"]:
        inv.op(O.DISK_WRITE)
    if words[:2] == ["usn", "deletejournal"]:
        inv.trait(Trait.LOG_WIPE)


def _bitlocker(inv: Invocation) -> None:
    """manage-bde: the protection of a drive off."""
    if any(word in ("-off", "-disable", "/off", "/disable") for word in texts(inv)) or any(
        word == "-delete" for word in texts(inv)
    ):
        inv.op(O.CONFIG_CHANGE)
        inv.trait(Trait.PROTECTION_OFF)


def _bcdedit(inv: Invocation) -> None:
    """bcdedit: how the machine starts."""
    words = texts(inv)
    if any(
        w.lstrip("/-") in ("set", "delete", "deletevalue", "import", "create", "default")
        for w in words
    ):
        inv.op(O.CONFIG_CHANGE)
        inv.trait(Trait.BOOT_CHANGE)
        weakened = {
            "recoveryenabled",
            "testsigning",
            "nointegritychecks",
            "bootstatuspolicy",
            "safeboot",
        }
        if any(w.lstrip("/-") == "delete" for w in words):
            inv.trait(Trait.PROTECTION_OFF)
        if weakened & set(words):
            inv.trait(Trait.PROTECTION_OFF)


def _bootrec(inv: Invocation) -> None:
    """bootrec: /scanos only looks."""
    if inv.parsed.has("fixmbr", "fixboot", "rebuildbcd"):
        inv.trait(Trait.BOOT_CHANGE)


def _mpcmdrun(inv: Invocation) -> None:
    """MpCmdRun: the scanner's signatures are removed, or what it caught is let out."""
    words = texts(inv)
    if any(word.lstrip("-/") in ("removedefinitions", "restore") for word in words):
        inv.op(O.CONFIG_CHANGE)
        inv.trait(*(() if "-listall" in words else (Trait.PROTECTION_OFF,)))


def _dism(inv: Invocation) -> None:
    """dism: features of the system; one of them is the scanner."""
    inv.op(O.CONFIG_CHANGE)
    words = texts(inv)
    if any(word.startswith(("/disable-feature", "/remove-capability")) for word in words):
        mark_feature(inv, words)


def _powercfg(inv: Invocation) -> None:
    """powercfg: times and plans are a matter of taste; what is deleted or switched off is not."""
    words = [word.lstrip("-/") for word in texts(inv)]
    verb = words[0] if words else ""
    inv.fact.subcommand = verb
    if verb in _POWER_CHANGES:
        inv.op(O.CONFIG_CHANGE)
    if verb in _POWER_LOSSES:
        inv.trait(Trait.MACHINE_SETTING)


_POWER_LOSSES = ("h", "hibernate", "d", "delete", "restoredefaultschemes", "setsecuritydescriptor", "requestsoverride")  # fmt: skip
_POWER_CHANGES = (*_POWER_LOSSES, "x", "change", "s", "setactive", "import", "changename", "duplicatescheme",
                  "setacvalueindex", "setdcvalueindex", "deviceenablewake", "devicedisablewake")  # fmt: skip


def _wevtutil(inv: Invocation) -> None:
    words = texts(inv)
    verb = words[0] if words else ""
    if verb in ("cl", "clear-log"):
        inv.op(O.DELETE)
        inv.trait(Trait.LOG_WIPE)
    elif verb in ("sl", "set-log") and any("/e:false" in w or "/enabled:false" in w for w in words):
        inv.op(O.CONFIG_CHANGE)
        inv.trait(Trait.PROTECTION_OFF)


def _auditpol(inv: Invocation) -> None:
    words = texts(inv)
    if "/clear" in words or ("/set" in words and any("disable" in w for w in words)):
        inv.op(O.CONFIG_CHANGE)
        inv.trait(Trait.PROTECTION_OFF)


# --- permissions and processes ---


def _icacls(inv: Invocation) -> None:
    """icacls and takeown: permissions; a grant to everybody is open to all."""
    words = texts(inv)
    changes = [w for w in words if w.lstrip("/-").split(":")[0] in _ACL_CHANGES]
    recursive = any(w in ("/t", "-t") for w in words)
    if recursive:
        inv.trait(Trait.RECURSIVE)
    if changes:
        inv.op(O.PERMISSION_CHANGE)
    if {"/reset", "-reset", "/restore", "/substitute"} & set(words):
        inv.trait(Trait.ACL_REPLACED)
    everyone = any(w.startswith(("everyone:", "*s-1-1-0:", "jeder:")) for w in words)
    if everyone and any(
        w.split(":")[-1].strip("()") in ("f", "m", "w", "oi)(ci)f") or "f" in w.split(")")[-1]
        for w in words
        if w.startswith(("everyone:", "*s-1-1-0:"))
    ):
        inv.trait(Trait.WORLD_WRITABLE)
    for word in inv.parsed.operands[:1]:
        inv.path(word, PathAccess.METADATA, recursive=recursive)


_ACL_CHANGES = frozenset({"grant", "deny", "remove", "reset", "setowner", "inheritance", "setintegritylevel", "restore", "substitute", "g", "e", "p", "d", "r"})  # fmt: skip


def _takeown(inv: Invocation) -> None:
    recursive = inv.parsed.has("r")
    word = inv.parsed.value("f")
    if recursive:
        inv.trait(Trait.RECURSIVE)
    if word is not None:
        inv.path(word, PathAccess.METADATA, recursive=recursive)


def _taskkill(inv: Invocation) -> None:
    """taskkill: by number, by name, or all."""
    mark_guard(inv)
    names = [(w.value or "").lower() for w in inv.parsed.all_values("im")]
    if "*" in names:
        inv.trait(Trait.KILL_ALL, Trait.MASS)
    filters = [w.value or "" for w in inv.parsed.all_values("fi")]
    mark_processes(
        inv,
        [*names, *(text.split()[-1].lower() for text in filters if "imagename" in text.lower())],
    )


def _runas(inv: Invocation) -> None:
    """runas: a program as another user."""
    for word in inv.parsed.operands[:1]:
        if word.value is None:
            apply_role(inv, "must", word)
        else:
            inv.run(command_line(word), How(elevated=True))


# --- programs that bring or run code ---


def _certutil(inv: Invocation) -> None:
    """certutil: downloads and decodes besides certificates."""
    words = texts(inv)
    operands = inv.parsed.operands
    url = next((w for w in inv.words[1:] if parse_url(w.value or "") is not None), None)
    if url is not None and any(w.lstrip("-/") in ("urlcache", "verifyctl", "url") for w in words):
        inv.op(O.FETCH)
        contact(inv, url, N.DOWNLOAD, [])
        for word in [w for w in operands if w is not url][:1]:
            save(inv, word)
        return
    if any(w.lstrip("-/") in ("decode", "decodehex", "encode") for w in words):
        inv.op(O.DECODE)
        for word in operands[:1]:
            apply_role(inv, "read", word)
        inv.inputs = [replace(s, decoded=True) for s in inv.inputs]
        for word in operands[1:2]:
            apply_role(inv, "write", word)
    elif any(w.lstrip("-/") in ("addstore", "delstore", "importpfx") for w in words):
        inv.op(O.CONFIG_CHANGE)
        if any(w in ROOT_STORES for w in words):
            inv.trait(Trait.TRUST_ANCHOR)
    elif any(w.lstrip("-/") == "exportpfx" for w in words):
        inv.op(O.CREDENTIAL_READ)


def _bitsadmin(inv: Invocation) -> None:
    """bitsadmin /transfer: a download, an upload, or a command that is run behind it."""
    words = texts(inv)
    target = inv.words[-1]
    sends = "/upload" in words or "/upload-reply" in words
    if sends:
        inv.reads(target)
    for word in inv.words[1:]:
        if parse_url(word.value or "") is not None:
            inv.op(O.UPLOAD if sends else O.FETCH)
            contact(inv, word, N.UPLOAD if sends else N.DOWNLOAD, inv.inputs)
    if "/setnotifycmdline" in words:
        inv.trait(Trait.PERSISTENCE)
    if O.FETCH in inv.fact.operations and parse_url(target.value or "") is None:
        save(inv, target)


def _script_host(*schemes: str) -> Special:
    """Programs that load script from an address, or take it as their argument."""

    def special(inv: Invocation) -> None:
        for word in inv.words[1:]:
            text = (word.value or "").lower()
            place = text.partition("/i:")[2] or text
            if place.startswith(schemes):
                inv.trait(Trait.REMOTE_SCRIPT)
            if place.startswith("http"):
                inv.op(O.FETCH)
                at = (word.value or "").lower().find("http")
                contact(inv, replace(word, value=(word.value or "")[at:]), N.DOWNLOAD, [])
                return
        for word in inv.parsed.operands[:1]:
            text = word.value or ""
            if "," in text:  # rundll32 library,entry
                inv.path(replace(word, value=text.partition(",")[0]), PathAccess.EXECUTE)
            elif not text.lower().startswith(schemes):
                inv.path(word, PathAccess.EXECUTE)

    return special


def _msiexec(inv: Invocation) -> None:
    """msiexec: a package from an address is remote code where nobody is asked."""
    quiet = inv.parsed.has("q", "qn", "qb", "quiet", "passive")
    for word in inv.words[1:]:
        if parse_url(word.value or "") is not None:
            inv.op(O.FETCH)
            contact(inv, word, N.DOWNLOAD, [])
            if quiet:
                inv.trait(Trait.REMOTE_SCRIPT)
            return
    for option, word in inv.parsed.values:
        if option.name in ("i", "package", "a", "update"):
            inv.path(word, PathAccess.EXECUTE)


_WMI_EVENTS = re.compile(r"__eventfilter|eventconsumer|__filtertoconsumerbinding")


def _wmic(inv: Invocation) -> None:
    """wmic: management data; some verbs start programs or destroy backups."""
    words = texts(inv)
    joined = " ".join(words)
    if "process call create" in joined:
        at = words.index("create") + 1 if "create" in words else len(words)
        inv.trait(Trait.REMOTE_SCRIPT)
        given = [replace(w, more=False) for w in inv.words[1 + at :]]
        pieces = [piece for word in given for piece in command_line(word)]
        if pieces:
            inv.run(pieces, How(remote=any(w.startswith("/node") for w in words)))
    elif "create" in words and _WMI_EVENTS.search(joined):
        inv.op(O.CONFIG_CHANGE)
        inv.trait(Trait.PERSISTENCE)
    elif "process" in words and ("delete" in words or "terminate" in words):
        mark_processes(inv, re.findall(r"name\s*(?:=|like)\s*[\"'%]*([\w.]+)", joined))
        inv.op(O.PROCESS_KILL)
    elif "delete" in words:
        inv.op(O.DELETE)
    else:
        inv.op(O.LIST)


def _setx(inv: Invocation) -> None:
    """setx: a variable for every later program."""
    inv.op(O.CONFIG_CHANGE)
    if inv.parsed.has("m"):
        inv.trait(Trait.MACHINE_SETTING)
    words = inv.parsed.operands
    if words and words[0].value is not None:
        apply_variable(inv, words[0].value.upper(), words[1] if len(words) > 1 else Word(None))
        if inv.parsed.has("m"):
            mark_path(inv, words)


def _cmdkey(inv: Invocation) -> None:
    inv.op(O.CREDENTIAL_READ if "/list" in texts(inv) else O.CONFIG_CHANGE)


_NEAR = ("127.0.0.1", "::1", "loopback")


def _lets_in(words: list[str]) -> bool:
    """Whether a rule of the firewall lets others in; one for this machine alone does not."""
    given = dict(word.partition("=")[::2] for word in words)
    old = words[:1] == ["firewall"] and words[1:2] in (["add"], ["set"])
    if old:
        opens = "portopening" in words or "allowedprogram" in words
        return opens and not {"disable", "mode=disable"} & set(words)
    near = given.get("localip") in _NEAR or given.get("remoteip") in _NEAR
    return (
        "rule" in words and given.get("dir") == "in" and given.get("action") == "allow" and not near
    )


def _netsh(inv: Invocation) -> None:
    """netsh: the firewall, proxies, tunnels, and keys of wireless networks."""
    words = texts(inv)
    if "wlan" in words and "show" in words and "key=clear" in words:
        inv.op(O.CREDENTIAL_READ)
    joined = " ".join(words)
    inv.fact.subcommand = " ".join(words[:2])
    off = "state off" in joined or "opmode disable" in joined or "opmode mode=disable" in joined
    if off or "firewall delete rule" in joined or "firewall reset" in joined:
        inv.trait(Trait.PROTECTION_OFF)
    if _lets_in(words):
        inv.trait(Trait.INBOUND_OPEN)
    if "portproxy add" in joined:
        inv.op(O.TUNNEL)
    inv.op(O.LIST if "show" in words else O.CONFIG_CHANGE)


def _robocopy(inv: Invocation) -> None:
    """robocopy: a folder into another; /mir deletes what the other has more, /move what is copied."""
    words = inv.parsed.operands
    if inv.parsed.has("l"):
        inv.trait(Trait.DRY_RUN)
        inv.preview()
    for word in words[:1]:
        apply_role(inv, "tree", word)
        if inv.parsed.has("mov", "move"):
            inv.path(word, PathAccess.DELETE, recursive=True)
    for word in words[1:2]:
        apply_role(inv, "write", word)
        if inv.parsed.has("mir", "purge"):
            inv.op(O.DELETE)
            inv.path(word, PathAccess.DELETE, recursive=True)


def _xcopy(inv: Invocation) -> None:
    """xcopy: files, or with /s and /e a folder with all that is in it."""
    if inv.parsed.has("l"):
        inv.trait(Trait.DRY_RUN)
        inv.preview()
    if inv.parsed.has("s", "e"):
        inv.trait(Trait.RECURSIVE)
    apply_roles(inv)


def _mklink(inv: Invocation) -> None:
    for word, access in zip(
        inv.parsed.operands, (PathAccess.WRITE, PathAccess.METADATA), strict=False
    ):
        inv.path(word, access)


def _esentutl(inv: Invocation) -> None:
    """esentutl /y copies files that are in use, such as the account database."""
    apply_roles(inv)
    inv.op(O.COPY, O.READ)


def _rundll(inv: Invocation) -> None:
    """rundll32: a function of a library; one of them writes the memory of a process."""
    _script_host("javascript:", "vbscript:", "http")(inv)
    joined = " ".join(texts(inv))
    if "comsvcs" in joined and any(m in joined for m in ("minidump", "#24", "#+24", "#+000024")):
        inv.trait(Trait.CREDENTIAL_DUMP)
        for word in inv.parsed.operands[3:4]:
            inv.path(word, PathAccess.WRITE)


def _dump(inv: Invocation) -> None:
    """Programs that write the memory of a process; that of logins holds passwords."""
    inv.op(O.WRITE)
    if any("lsass" in word for word in texts(inv)):
        inv.trait(Trait.CREDENTIAL_DUMP)


def _ntdsutil(inv: Invocation) -> None:
    """ntdsutil: a copy of the directory's database for installation from media."""
    joined = " ".join(texts(inv))
    if "ifm" in joined.split() or "create full" in joined:
        inv.trait(Trait.CREDENTIAL_DUMP)


_DUMPED = re.compile(
    r"logonpasswords|dcsync|lsadump::(?:lsa|secrets|cache)|sekurlsa::(?:ekeys|tickets|msv|wdigest|dpapi)"
)


def _mimikatz(inv: Invocation) -> None:
    """mimikatz: some of its commands take passwords and hashes."""
    if _DUMPED.search(" ".join(texts(inv))):
        inv.op(O.CREDENTIAL_READ)
        inv.trait(Trait.CREDENTIAL_DUMP)


def _reagentc(inv: Invocation) -> None:
    """reagentc: the system that one recovers with."""
    inv.op(O.CONFIG_CHANGE)
    if inv.parsed.has("disable"):
        inv.trait(Trait.PROTECTION_OFF)


_COPY = "a b d v n y z l s e p c i q f g h r t u k o x j w m -y exclude= compress sparse noclone"
_ROBO = (
    "s e mir mov move purge copyall copy= dcopy= sec secfix timfix create fat a+= a-= mt? r= w= z b zb j efsraw"
    " xf= xd= xo xn xc xx xl is it xa= ia= max= min= maxage= minage= l np nfl ndl njh njs nc ns ts fp bytes log= log+= tee v eta"
    " lev= unicode unilog= nooffload compress ipg= fft dst sj sl nosd nodd if= job= save= quit tbd x m a"
)
PROGRAMS: dict[str, Entry] = {
    "reg": tool("v= ve va t= s d= f c e k se= z y reg:32 reg:64", special=_reg),
    "sc": tool(special=_sc),
    "schtasks": tool("create change delete end run query tn= tr= sc= mo= d= m= i= st= et= sd= ed= ri= du= rl= ru= rp= u= p= s= f it np z xml= v1 delay= k fo= nh v ec= enable disable hresult", special=_schtasks),
    "at": tool("every= next= interactive delete yes", "any*", O.SCHEDULE),
    "net": tool(special=_net),
    "net1": tool(special=_net),
    "vssadmin": tool("for= all quiet shadow= oldest on= maxsize=", "any*", O.CONFIG_CHANGE),
    "wbadmin": tool("quiet keepversions= backuptarget= version= deleteoldest all", "any*", O.CONFIG_CHANGE),
    "diskpart": tool("s= t=", special=_diskpart),
    "diskshadow": tool("s= l=", "any*", O.CONFIG_CHANGE),
    "format": tool("fs= v= q c r= d= l x p= s= a= y force i= f=", "any*", special=_format),
    "cipher": tool(special=_cipher),
    "fsutil": tool(special=_fsutil),
    "chkdsk": tool("f r x i c v l b scan spotfix", "any*", O.CONFIG_CHANGE),
    "defrag": tool(), "compact": tool(), "label": tool(),
    "manage-bde": tool(special=_bitlocker),
    "bcdedit": tool(special=_bcdedit),
    "bootrec": tool("fixmbr fixboot rebuildbcd scanos", "any*", O.CONFIG_CHANGE, special=_bootrec),
    "bcdboot": tool("l= s= f= v m p c d addlast", "any*", O.CONFIG_CHANGE, special=marked(Trait.BOOT_CHANGE)), "bootsect": tool("nt52 nt60 force mbr", "any*", O.CONFIG_CHANGE, special=marked(Trait.BOOT_CHANGE)),
    "reagentc": tool("enable disable info setreimage path= target=", special=_reagentc),
    "procdump": tool("ma mp mm mk md mt accepteula e h w t s= n= c= m= o r x p=", special=_dump), "procdump64": tool("ma mp mm mk md mt accepteula e h w t s= n= c= m= o r x p=", special=_dump),
    "rdrleakdiag": tool("p= o= fullmemdmp wait= snap", special=_dump), "createdump": tool("f= n h w t u d name=", special=_dump), "sqldumper": tool(special=_dump),
    "ntdsutil": tool(special=_ntdsutil), "mpcmdrun": tool(special=_mpcmdrun), "mimikatz": tool(special=_mimikatz),
    "wevtutil": tool(special=_wevtutil),
    "auditpol": tool(special=_auditpol),
    "icacls": tool("grant= grant:r= deny= remove= reset setowner= t c l q inheritance= setintegritylevel= save= restore= verify findsid= substitute=", special=_icacls),
    "cacls": tool("g= e r= p= d= t m s l c", special=_icacls),
    "takeown": tool("f= a r d= s= u= p= skipsl", "any*", O.PERMISSION_CHANGE, special=_takeown),
    "attrib": tool("s d l", "meta*"),
    "taskkill": tool("im= pid= f t fi= s= u= p=", "any*", O.PROCESS_KILL, special=_taskkill),
    "tskill": tool("server= id= a v", "any*", O.PROCESS_KILL),
    "tasklist": tool("fo= fi= v svc m s= u= p= nh apps", "any*", O.LIST),
    "shutdown": tool("s r a l h g p f i e o sg hybrid soft fw t= c= d= m=", "any*", O.PROCESS_KILL),
    "logoff": tool("", "any*", O.PROCESS_KILL),
    "runas": tool("user= profile noprofile env netonly savecred smartcard showtrustlevels trustlevel=", "any*", O.PRIVILEGE, special=_runas),
    "certutil": tool(special=_certutil),
    "bitsadmin": tool(special=_bitsadmin),
    "mshta": tool(special=_script_host("http", "javascript:", "vbscript:", "about:")),
    "rundll32": tool(special=_rundll),
    "regsvr32": tool("s u n i?", special=_script_host("http")),
    "msiexec": tool("i= x= a= q qn qb qr qf quiet passive norestart promptrestart l= lv= l*v= forcerestart fa= f= fp= fu= fm= p= update= uninstall= package= j= log= m= g= y= z=", special=_msiexec),
    "installutil": tool(special=_script_host("http")),
    "wscript": tool("b nologo e= d h s t= x", special=_script_host("http", "\\\\")),
    "cscript": tool("b nologo e= d h s t= x", special=_script_host("http", "\\\\")),
    "wmic": tool(special=_wmic),
    "winrm": tool("", "any*", O.CONFIG_CHANGE),
    "winrs": tool("r= u= p= t=", "any*", O.CONNECT),
    "psexec": tool("s u= p= d h i accepteula c n= r= w= e f v x", "any*", O.CONNECT),
    "setx": tool("m s= u= p= k= d= f= a= r= x", special=_setx),
    "cmdkey": tool(special=_cmdkey),
    "vaultcmd": tool("", "any*", O.CREDENTIAL_READ),
    "netsh": tool(special=_netsh),
    "route": tool("", "any*"), "arp": tool(), "getmac": tool(), "ipconfig": tool(), "netstat": tool(),
    "nbtstat": tool(), "pathping": tool("", "host"), "tracert": tool("d h= j= w= r s= 4 6", "host"),
    "robocopy": replace(tool(_ROBO, "any*", O.COPY, special=_robocopy), preview="help l"),
    "xcopy": replace(tool(_COPY, "source write any*", O.COPY, special=_xcopy), preview="help l"),
    "mklink": tool("d h j", "any*", O.WRITE, special=_mklink),
    "esentutl": tool("y=source d=write o vss vssrec= p= g= m=", "any*", special=_esentutl),
    "expand": tool("r d f= i", "source write any*", O.WRITE),
    "makecab": tool("v= d= f= l=", "source write any*", O.WRITE),
    "extrac32": tool("y e l= a c d", "source any*", O.WRITE),
    "findstr": replace(
        tool("b e l r s i x v n m o p offline a= f= c=pattern g=read d=list", "pattern search*", O.SEARCH, out=Out.LINES),
        by_option={"c": "search*", "g": "search*"}, marks={"s": (Trait.RECURSIVE,)},
    ),
    "where": tool("r=list q f t", "pattern*", O.LIST),
    "whoami": tool("upn fqdn logonid user groups claims priv all fo= nh", "any*", O.LIST),
    "systeminfo": tool("s= u= p= fo= nh", "any*", O.LIST),
    "ver": tool(), "hostname": tool(), "driverquery": tool(), "gpresult": tool("r z v scope= user= h=write f"),
    "gpupdate": tool("target= force wait= logoff boot sync"),
    "quser": tool(), "query": tool(), "qwinsta": tool(), "chcp": tool(), "timeout": tool("t= nobreak"), "choice": tool("c= n cs t= d= m="),
    "clip": tool(), "winget": Entry("id= name= source= s= version= v= e,exact silent,h i,interactive accept-package-agreements accept-source-agreements scope= all q= query= m= l=", "word*", ordered=False),
    "powercfg": tool(special=_powercfg),
    "sfc": tool("scannow verifyonly scanfile= verifyfile="), "dism": tool(special=_dism),
    "w32tm": tool(), "dcdiag": tool(), "nltest": tool(), "dsquery": tool(), "explorer": tool("", "any*"),
    "notepad": tool("", "any*"), "control": tool(), "mmc": tool(), "regedit": tool("s e= c= l= r= d=", "read any*", O.CONFIG_CHANGE),
    "pnputil": tool("", "any*", O.CONFIG_CHANGE), "devcon": tool("", "any*", O.CONFIG_CHANGE), "sdelete": tool("p= s z c q r accepteula nobanner", "delete*", O.DELETE),
    "msbuild": tool("t= target= p= property= m? maxcpucount? v= verbosity= nologo restore r fl bl? nr= noautorsp graph? tv= toolsversion= flp= clp= consoleloggerparameters= warnaserror? noconlog version interactive? isolate?", "run*"),
    "devenv": tool("build= rebuild= clean= deploy= project= out=", "run any*"), "vstest.console": tool("", "run*"), "nuget": Entry("o,OutputDirectory=log Source= ConfigFile=settings", "word*", style=Style.SINGLE),
    "signtool": tool("", "any*"), "makecert": tool("", "any*"), "tldr": Entry("platform= u,update l,list", "any*"),
    "choco": Entry("y,yes limit-output,r n= version= s,source= force,f pre params= ia= no-progress", "word*"), "scoop": Entry("g,global", "word*"),
}  # fmt: skip
