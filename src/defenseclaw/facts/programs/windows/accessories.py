"""Programs of Windows beside the administrator's: what loads code, names drives, or only shows."""

from __future__ import annotations

import re
from dataclasses import replace

from defenseclaw.core.facts import IssueCode, PathAccess
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.cmd import command_line
from defenseclaw.facts.grammar import Entry, Special, names
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_url
from defenseclaw.facts.programs.sending import session
from defenseclaw.facts.programs.windows.internet import contact
from defenseclaw.facts.programs.windows.tools import tool
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import How, Word
from defenseclaw.facts.streams import NOTHING

_FORFILES_NAMES = re.compile(r"@(path|relpath|file|fname|ext|isdir|fsize|fdate|ftime)\b", re.I)


def _forfiles(inv: Invocation) -> None:
    """forfiles: a command for each file below a folder; without one it prints their names."""
    folder, mask, word = (inv.parsed.value(name) for name in ("p", "m", "c"))
    recursive = inv.parsed.has("s")
    if recursive:
        inv.trait(Trait.RECURSIVE)
    if word is None:
        apply_role(inv, "list", folder if folder is not None else Word("."))
        return
    given = (folder, mask, word)
    if any(item is not None and item.value is None for item in given):
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    root = (folder.value if folder is not None else None) or "."
    name = (mask.value if mask is not None else None) or "*"
    below = "\\**\\" if recursive else "\\"
    path = root.rstrip("\\") + below + name
    values = {"path": path, "relpath": path, "file": name, "fname": name}
    text = (word.value or "").replace("0x22", '"')
    text = _FORFILES_NAMES.sub(lambda m: f'"{values.get(m[1].lower(), "1")}"', text)
    words = [
        replace(w, glob="*" in (w.value or "")) for w in command_line(replace(word, value=text))
    ]
    inv.run(words, How(wrapper=False, cwd=None if recursive else inv.cwd))


def _loads(*options: str) -> Special:
    """Programs that run code of a file that an operand or option names, here or at an address."""

    def special(inv: Invocation) -> None:
        words = [w for name in options for w in inv.parsed.all_values(name)]
        for word in words or inv.parsed.operands[:1]:
            if parse_url(word.value or "") is not None:
                inv.op(O.FETCH)
                inv.trait(Trait.REMOTE_SCRIPT)
                contact(inv, word, N.DOWNLOAD, [])
            else:
                apply_role(inv, "exec", word)

    return special


def _odbcconf(inv: Invocation) -> None:
    """odbcconf /a {REGSVR library}: an action may load a library."""
    text = " ".join(word.value or "" for word in inv.words[1:])
    found = re.search(r"regsvr\s+([^\s}]+)", text, re.IGNORECASE)
    if found is not None:
        inv.path_value(found[1].strip('"'), PathAccess.EXECUTE)
    for word in inv.parsed.all_values("f"):
        apply_role(inv, "script", word)


def _mavinject(inv: Invocation) -> None:
    """mavinject: a library into a process that runs."""
    inv.trait(Trait.INJECTED_CODE)
    for word in inv.parsed.all_values("injectrunning"):
        apply_role(inv, "exec", word)


def _subst(inv: Invocation) -> None:
    """subst: a drive letter for a folder."""
    words = inv.parsed.operands
    if len(words) < 2 or words[0].value is None:
        inv.op(O.LIST)
        return
    fact = inv.path(words[1], PathAccess.METADATA)
    if fact is not None:
        inv.builder.links.add(words[0].value.upper().rstrip("\\"), fact.resolved)


def _ntdsutil(inv: Invocation) -> None:
    """ntdsutil: the accounts of a domain, also as a copy of all of them."""
    text = " ".join(word.value or "" for word in inv.words[1:]).lower()
    inv.op(O.CREDENTIAL_READ if "ifm" in text or "create full" in text else O.ACCOUNT_CHANGE)


def _ftp(inv: Invocation) -> None:
    """ftp: a session with a host, its commands in a file, typed in, or piped in."""
    host = next((canonical_host(w.value or "") for w in inv.parsed.operands), "")
    if host:
        inv.network(N.CONNECT, Endpoint(host, "ftp"))
    word = inv.parsed.value("s")
    if word is None:
        if inv.stdin.connected:
            session(inv, inv.stdin.text, host)
        return
    fact = inv.path(word, PathAccess.READ)
    content = inv.content_of(fact) if fact is not None else NOTHING
    session(inv, content.text, host)


_SHOWS = names(
    "calc mspaint write wordpad magnify osk charmap dxdiag msinfo32 msconfig taskmgr perfmon resmon services eventvwr"
    " compmgmt devmgmt diskmgmt cleanmgr winver wmplayer moviemk dvdmaker snippingtool psr stikynot excel winword"
    " powerpnt msaccess outlook onenote olk visio pptview es vswhere tzutil getmac logman lodctr relog typeperf"
    " openfiles diskperf chkntfs waitfor msg rasdial rasphone dumpbin iscc mt rc lib ml ml64 editbin undname xwizard"
    " gethelpcmd wmpconfig wmpnscfg iewzd iesetup iexpress pwlauncher octo virtualboxvm eventcreate sxstrace tracerpt"
    " wbemtest colorcpl fxscover mblctr narrator utilman sndvol"
)
PROGRAMS: dict[str, Entry] = {
    **dict.fromkeys(_SHOWS, tool()),
    **dict.fromkeys(("msedge", "iexplore", "chrome", "firefox"), tool("", "maybe-url*", O.FETCH)),
    "forfiles": tool("p= m= c= d= s", "any*", special=_forfiles),
    "ftp": tool("s= a d g i n v w= x= b= r=", "any*", O.CONNECT, special=_ftp),
    "pcalua": tool("a=exec c= d=", "any*"),
    "hh": tool("", "any*", special=_loads()),
    "wusa": tool("quiet norestart forcerestart warnrestart uninstall kb= extract=log log=", "exec any*", O.CONFIG_CHANGE),
    **dict.fromkeys(("regasm", "regsvcs"), tool("u unregister codebase tlb? nologo silent s", "any*", special=_loads())),
    **dict.fromkeys(("infdefaultinstall", "presentationhost", "ieexec", "msdt", "syncappvpublishingserver"), tool("", "any*", special=_loads())),
    "cmstp": tool("s au ns ni su u nf", "any*", special=_loads()),
    "odbcconf": tool("s e r f= a? l= h", "any*", special=_odbcconf),
    "mavinject": tool("injectrunning= hmodule=", "any*", special=_mavinject),
    "regini": tool("m= h= i= b", "script any*", O.CONFIG_CHANGE),
    "subst": tool("d", "any*", special=_subst),
    "ntdsutil": tool("", "any*", special=_ntdsutil),
    "secedit": tool("export configure analyze import validate generaterollback db=stat cfg=log log=log areas= quiet overwrite", "any*", O.CONFIG_CHANGE),
    **dict.fromkeys(("bcdboot", "bootcfg", "bootsect", "repair-bde", "uwfmgr", "syskey", "fondue", "setspn", "klist"), tool("", "any*", O.CONFIG_CHANGE)),
    **dict.fromkeys(("dsadd", "dsmod"), tool("", "any*", O.ACCOUNT_CHANGE)),
    "dsrm": tool("noprompt subtree exclude s= d= u= p= c q", "any*", O.ACCOUNT_CHANGE, O.DELETE),
    "mstsc": tool("v=host edit admin f w= h= public span multimon", "read", O.CONNECT),
    "rdpsign": tool("sha256= sha1= v q l", "edit*"),
    "ie4uinit": tool(),
    "bleachbit_console": tool("", "any*"),
}  # fmt: skip
