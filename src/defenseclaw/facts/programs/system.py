"""Processes, accounts, services, schedules, networks, devices and everyday system tools."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

from defenseclaw.core.facts import (
    ByteKind,
    CommandEffect,
    Dialect,
    IssueCode,
    NetworkTargetKind,
    PathAccess,
)
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import PathLabel, Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Special, Style, option_table, parse_gnu, settled
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import Endpoint, canonical_host
from defenseclaw.facts.programs.launchers import launch, run_joined
from defenseclaw.facts.programs.sending import ELSEWHERE, remote_log, sends
from defenseclaw.facts.programs.variables import apply_variable
from defenseclaw.facts.programs.verbs import each, plain
from defenseclaw.facts.roles import Need, apply_role, require
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import NOTHING, merge
from defenseclaw.facts.table_reader import apply_roles

MAX_CRON_LINES = 256  # of a known crontab; more lines only repeat the finding
# Groups whose members are, or can make themselves, administrators.
_ADMIN_GROUPS = frozenset(
    {"root", "sudo", "wheel", "admin", "administrators", "docker", "lxd", "incus", "incus-admin", "podman",
     "libvirt", "disk", "shadow", "sudoers", "google-sudoers", "0"}
)  # fmt: skip
# Services that guard or watch the machine.
_PROTECTION_UNITS = frozenset(
    {"auditd", "apparmor", "firewalld", "ufw", "fail2ban", "nftables", "iptables", "ip6tables", "netfilter-persistent",
     "selinux", "clamav-daemon", "clamav-freshclam", "clamd", "crowdsec", "ossec", "wazuh-agent", "falcon-sensor", "osqueryd",
     "auditbeat", "mdatp", "snort", "suricata", "sysmon", "aide", "rkhunter", "usbguard", "tripwire", "falco", "cbagentd",
     "sentinelone", "xagt", "esets", "sophos-spl", "rsyslog", "syslog", "systemd-journald"}
)  # fmt: skip


def _shows(inv: Invocation) -> bool:
    """Whether the call was already found to do nothing but show."""
    return inv.fact.effect is CommandEffect.PREVIEW


def _texts(words: list[Word]) -> list[str]:
    return [w.value if w.value is not None else w.prefix for w in words]


def _inner(inv: Invocation) -> None:
    launch(inv)


def _inner_after_name(inv: Invocation) -> None:
    launch(inv, 1)


def _named(
    names: str, *operations: O, marks: tuple[Trait, ...] = ()
) -> dict[str, tuple[O | Trait, ...]]:
    """Marks for several options at once."""
    return dict.fromkeys(names.split(), (*operations, *marks))


def _by_verb(effects: dict[str, tuple[O | Trait, ...]]) -> Special:
    """Verbs anywhere among the operands, with what each of them does."""

    def special(inv: Invocation) -> None:
        apply_roles(inv)
        found = [w.value.lower() for w in inv.parsed.operands if w.value is not None]
        if _shows(inv):
            return
        for verb in found:
            for effect in effects.get(verb, ()):
                if isinstance(effect, Trait):
                    inv.trait(effect)
                else:
                    inv.op(effect)

    return special


# --- processes ---


_OWN_NAME = "defenseclaw"
# Programs that find or choose processes by name.
_FINDERS = frozenset(
    {"pgrep", "pidof", "ps", "lsof", "fuser", "grep", "egrep", "fgrep", "rg", "awk", "gawk", "mawk", "sed"}
)  # fmt: skip
_INVERTED = frozenset({"v", "invert-match"})


def _kill(inv: Invocation) -> None:
    """kill: signal 0 only asks, -l lists; a target of -1 is everything."""
    signal, targets = _signal(_texts(inv.words[1:]))
    if signal in ("0", "L", "LIST", "TABLE", "-HELP", "-VERSION", "-LIST") and signal != "":
        return
    inv.op(O.PROCESS_KILL)
    ours = [word for word in inv.words[1:] if _found_guard(inv, word)]
    if ours:
        inv.taken += ours
        inv.trait(Trait.GUARD_TAMPER)
    if "-1" in targets:
        inv.trait(Trait.KILL_ALL)


def _found_guard(inv: Invocation, word: Word) -> bool:
    """Whether a process number was found by our name, or stood in a file of ours."""
    stream = inv.word_stream(word)
    printers = [
        c
        for c in inv.builder.facts.commands
        if c.id in stream.commands and c.program in _FINDERS and _INVERTED.isdisjoint(c.options)
    ]
    asked = (text for c in printers for text in c.argv[1:])
    named = any(_OWN_NAME in re.sub(r"[\[\]\\]", "", text).lower() for text in asked)
    return named or PathLabel.OWN_STATE in stream.labels


def _signal(words: list[str]) -> tuple[str, list[str]]:
    """The signal and the targets of a kill command line."""
    if words and words[0] in ("-s", "-n", "--signal") and len(words) > 1:
        signal, rest = words[1], words[2:]
    elif words and words[0].startswith("--signal="):
        signal, rest = words[0].partition("=")[2], words[1:]
    elif words and words[0].startswith("-") and words[0] != "--":
        signal, rest = words[0][1:], words[1:]
    else:
        signal, rest = "TERM", words
    return signal.upper().removeprefix("SIG"), [w for w in rest if w != "--"]


# Without these there is no session, no desktop or no way into the machine.
_ESSENTIAL = frozenset(
    {"init", "systemd", "launchd", "systemd-logind", "dbus-daemon", "dbus-broker", "sshd", "Xorg", "Xwayland", "gnome-shell",
     "gnome-session", "gnome-session-binary", "plasmashell", "kwin_wayland", "kwin_x11", "sway", "Hyprland", "gdm", "gdm3", "sddm",
     "lightdm", "login", "WindowServer", "loginwindow", "opendirectoryd", "NetworkManager", "systemd-networkd", "wpa_supplicant",
     "auditd", "clamd", "falcon-sensor", "osqueryd", "rsyslogd"}
)  # fmt: skip
_SIGNAL = re.compile(r"-(?:SIG)?(?:\d{1,2}|[A-Z][A-Z0-9+-]{2,})")


def _by_name(inv: Invocation) -> None:
    """pkill and killall: signals are spelled like options; no pattern, or one for anything, is all."""
    entry = inv.entry
    assert entry is not None
    words = [w for w in inv.words[1:] if w.value is None or not _SIGNAL.fullmatch(w.value)]
    inv.parsed = parsed = parse_gnu(option_table(entry.options), words, False)
    inv.fact.options = list(dict.fromkeys(parsed.options))
    inv.fact.operands = [w.value for w in parsed.operands if w.value is not None]
    if parsed.has("list", "help", "version", "V") or _shows(inv):
        return
    inv.op(O.PROCESS_KILL)
    patterns = _texts(parsed.operands)
    if any("defenseclaw" in pattern.lower() for pattern in patterns):
        inv.trait(Trait.GUARD_TAMPER)
    if any(pattern.strip("^$").rpartition("/")[2] in _ESSENTIAL for pattern in patterns):
        inv.trait(Trait.SYSTEM_KILL)
    of_user = parsed.has("uid", "euid", "user")
    if (of_user and not patterns) or any(p.strip("^$") in (".", ".*", "*") for p in patterns):
        inv.trait(Trait.KILL_ALL)


# --- accounts and identity ---


def _account(inv: Invocation) -> None:
    """Accounts that become privileged: user id 0, or a member of an administrators' group."""
    if _shows(inv):
        return
    parsed = inv.parsed
    inv.op(O.CONFIG_CHANGE if parsed.has("defaults") else O.ACCOUNT_CHANGE)
    values = [
        w for n in ("groups", "gid", "add", "group", "append-groups") for w in parsed.all_values(n)
    ]
    for word in values:
        require(inv, word)
    groups = [g for text in _texts(values) for g in text.split(",")]
    groups += _texts(parsed.operands[1:])
    if any(g in _ADMIN_GROUPS for g in groups) or any(
        w.value == "0" for w in parsed.all_values("uid")
    ):
        inv.trait(Trait.ADMIN_GRANT)


def _gpasswd(inv: Invocation) -> None:
    """gpasswd: members of a group."""
    if _shows(inv):
        return
    inv.op(O.ACCOUNT_CHANGE)
    operands = _texts(inv.parsed.operands)
    if operands and operands[-1] in _ADMIN_GROUPS and inv.parsed.has("add", "members"):
        inv.trait(Trait.ADMIN_GRANT)


def _directory_service(inv: Invocation) -> None:
    """dscl and dseditgroup: accounts and groups of macOS."""
    texts = _texts(inv.words[1:])
    words = {t.lower() for t in texts}
    reads = words & {
        "read",
        "-read",
        "list",
        "-list",
        "readall",
        "-readall",
        "search",
        "-search",
        "checkmember",
        "diff",
    }
    if reads or _shows(inv):
        inv.op(O.LIST)
        return
    inv.op(O.ACCOUNT_CHANGE)
    grants = words & {"edit", "-append", "append", "-merge", "merge", "-create", "create"}
    if grants and any(t.rpartition("/")[2] in _ADMIN_GROUPS for t in texts):
        inv.trait(Trait.ADMIN_GRANT)


def _sysadminctl(inv: Invocation) -> None:
    words = _texts(inv.words[1:])
    if {"-addUser", "-deleteUser", "-resetPasswordFor"} & set(words):
        inv.op(O.ACCOUNT_CHANGE)
    if "-admin" in words:
        inv.trait(Trait.ADMIN_GRANT)


def _passwd(inv: Invocation) -> None:
    """passwd: -S only shows; without a password anybody may log in."""
    if inv.parsed.has("status", "S") or _shows(inv):
        return
    inv.op(O.ACCOUNT_CHANGE)
    if inv.parsed.has("delete"):
        inv.trait(Trait.ADMIN_GRANT)


def _visudo(inv: Invocation) -> None:
    if not inv.parsed.has("check", "c") and not _shows(inv):
        target = inv.parsed.value("file")
        if target is not None:
            apply_role(inv, "edit", target)
        else:
            inv.path_value("/etc/sudoers", PathAccess.WRITE)


def _account_file(path: str) -> Special:
    def special(inv: Invocation) -> None:
        if not _shows(inv):
            inv.op(O.ACCOUNT_CHANGE)
            inv.path_value(path, PathAccess.WRITE)

    return special


# --- services and schedules ---


def _crontab(inv: Invocation) -> None:
    """crontab: lists, removes, or installs from an editor, a file or standard input."""
    parsed = inv.parsed
    if _shows(inv):
        return
    if parsed.has("l"):
        inv.op(O.LIST)
        return
    if parsed.has("r"):
        inv.op(O.DELETE)
        return
    inv.op(O.SCHEDULE)
    inv.trait(Trait.PERSISTENCE)
    if parsed.has("e"):
        return
    operands = parsed.operands
    if not operands or operands[0].value == "-":
        _cron_text(inv)
        return
    apply_role(inv, "source", operands[0])
    written = inv.inputs[-1] if inv.inputs else NOTHING
    if written.text is not None:
        _cron_lines(inv, written.text)
    elif operands[0].value is not None:
        inv.partial(IssueCode.OPAQUE_ARTIFACT)  # lines for a shell, as in a script


def _cron_text(inv: Invocation) -> None:
    stream = inv.stdin
    inv.stdin_kind = ByteKind.UNKNOWN
    if stream.text is not None:
        inv.stdin_kind = ByteKind.EXECUTED
        _cron_lines(inv, stream.text)
    elif stream.connected:
        opaque = IssueCode.OPAQUE_ARTIFACT if stream.files else IssueCode.UNSUPPORTED_CONSTRUCT
        inv.partial(opaque)


def _cron_lines(inv: Invocation, text: str) -> None:
    """The command part of each line will run."""
    for line in text.splitlines()[:MAX_CRON_LINES]:
        fields = line.split(None, 5)
        if line.lstrip().startswith("@"):
            fields = ["", "", "", "", *line.split(None, 1)]
        if len(fields) == 6 and not line.lstrip().startswith("#"):
            inv.run_code(Word(fields[5]), How(wrapper=False, dialect=Dialect.POSIX))


def _at(inv: Invocation) -> None:
    """at and batch: lists, removes, or keeps text for a shell to run later."""
    parsed = inv.parsed
    if _shows(inv):
        return
    if parsed.has("l", "c"):
        inv.op(O.LIST)
        return
    if parsed.has("d", "r"):
        inv.op(O.DELETE)
        return
    inv.op(O.SCHEDULE)
    for word in parsed.all_values("f"):
        apply_role(inv, "exec", word)
        inv.partial(IssueCode.OPAQUE_ARTIFACT)
    if not parsed.has("f"):
        _shell_input(inv)


def _shell_input(inv: Invocation) -> None:
    inv.stdin_kind = ByteKind.EXECUTED
    if inv.stdin.text is not None:
        how = How(wrapper=False, dialect=Dialect.POSIX, at=inv.stdin.at)
        inv.builder.runner.code(inv, inv.stdin.text, None, how)
    elif inv.stdin.connected:
        inv.stdin_kind = ByteKind.UNKNOWN
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


_UNIT_PERSISTS = frozenset(
    {
        "enable",
        "reenable",
        "link",
        "preset",
        "preset-all",
        "add-wants",
        "add-requires",
        "edit",
        "revert",
    }
)
# The later ones stop the machine itself.
_UNIT_STOPS = frozenset(
    {"stop", "disable", "mask", "kill", "try-restart", "isolate", "poweroff", "reboot", "halt",
     "kexec", "soft-reboot", "exit", "emergency", "rescue"}
)  # fmt: skip


def _unit_name(text: str) -> str:
    base = text.rpartition("/")[2].lower()
    return (
        base.rpartition(".")[0]
        if base.endswith((".service", ".socket", ".timer", ".target"))
        else base
    )


def _require_all(inv: Invocation, words: list[Word]) -> None:
    for word in words:
        require(inv, word, Need.OUTSIDE)


@settled
def _systemctl(inv: Invocation) -> None:
    """systemctl: the verb is the first operand, units follow."""
    operands = inv.parsed.operands
    verb = (operands[0].value or "") if operands else "list-units"
    units = operands[1:]
    inv.fact.subcommand = verb
    if _shows(inv):
        return
    if verb in _UNIT_PERSISTS:
        _require_all(inv, units)
        inv.op(O.SCHEDULE)
        inv.trait(Trait.PERSISTENCE)
    elif verb in _UNIT_STOPS:
        inv.op(O.PROCESS_KILL)
        _require_all(inv, units)
        _stops(inv, verb, units)
    elif verb in ("set-environment", "import-environment"):
        inv.op(O.CONFIG_CHANGE)
        for word in units:
            name, mark, value = (word.value or "").partition("=")
            if mark:
                apply_variable(inv, name, Word(value))
    if verb in ("link", "enable"):
        for word in units:
            if "/" in (word.value or ""):
                apply_role(inv, "read", word)


def _stops(inv: Invocation, verb: str, units: list[Word]) -> None:
    """Stopping what guards the machine, or us."""
    if verb == "try-restart":
        return
    names = [_unit_name(text) for text in _texts(units)]
    if any("defenseclaw" in name for name in names):
        inv.trait(Trait.GUARD_TAMPER)
    if any(name in _PROTECTION_UNITS for name in names):
        inv.trait(Trait.PROTECTION_OFF)


def _service(inv: Invocation) -> None:
    """service NAME VERB and relatives."""
    operands = inv.parsed.operands
    verb = (operands[1].value or "") if len(operands) > 1 else "status"
    inv.fact.subcommand = verb
    if verb in ("stop", "kill", "zap") and not _shows(inv):
        inv.op(O.PROCESS_KILL)
        _stops(inv, verb, operands[:1])


def _at_boot(inv: Invocation) -> None:
    """chkconfig, update-rc.d, rc-update: whether a service starts by itself."""
    words = {t.lower().lstrip("-") for t in _texts(inv.words[1:])}
    operands = inv.parsed.operands
    if _shows(inv) or words & {"list", "show"} or len(operands) < 2:
        return
    if words & {"off", "del", "remove", "delete", "disable"}:
        inv.op(O.CONFIG_CHANGE)
        _stops(inv, "disable", operands)
        return
    inv.op(O.SCHEDULE)
    inv.trait(Trait.PERSISTENCE)


_AGENT_LOADS = frozenset({"load", "bootstrap", "enable", "submit"})
_AGENT_UNLOADS = frozenset({"unload", "bootout", "disable", "remove", "stop", "kill"})


def _launchctl(inv: Invocation) -> None:
    """launchctl: agents and daemons of macOS."""
    operands = inv.parsed.operands
    verb = (operands[0].value or "") if operands else "help"
    inv.fact.subcommand = verb
    if _shows(inv):
        return
    if verb in _AGENT_LOADS:
        inv.op(O.SCHEDULE)
        inv.trait(Trait.PERSISTENCE)
    elif verb in _AGENT_UNLOADS:
        inv.op(O.PROCESS_KILL)
        _stops(inv, verb, operands[1:])
    elif verb == "setenv" and len(operands) > 2:
        inv.op(O.CONFIG_CHANGE)
        apply_variable(inv, operands[1].value or "", operands[2])
    for word in operands[1:]:
        if word.value is not None and word.value.endswith(".plist"):
            apply_role(inv, "read", word)


def _defaults(inv: Invocation) -> None:
    """defaults write: a login hook is a program that starts by itself."""
    inv.op(O.CONFIG_CHANGE)
    if (
        any(t in ("LoginHook", "LogoutHook") for t in _texts(inv.parsed.operands))
        and inv.fact.subcommand == "write"
    ):
        inv.trait(Trait.PERSISTENCE)


# --- protection ---


def _firewall(inv: Invocation) -> None:
    """iptables and relatives: flushing or deleting all rules takes the protection away."""
    parsed = inv.parsed
    texts = _texts(inv.words[1:])
    lists = any(
        t in ("-L", "--list", "-S", "--list-rules", "-C", "--check")
        or re.fullmatch(r"-[nvx]*L[nvx]*", t)
        for t in texts
    )
    if lists or _shows(inv) or not texts:
        inv.op(O.LIST)
        return
    inv.op(O.CONFIG_CHANGE)
    if parsed.has("flush", "F") or any(t in ("--flush", "-F") for t in texts):
        inv.trait(Trait.PROTECTION_OFF)
    if _lets_in(texts):
        inv.trait(Trait.INBOUND_OPEN)


_CHAIN_WORDS = frozenset({"-A", "--append", "-I", "--insert", "-R", "--replace", "-P", "--policy"})
# Rules for this machine itself, or for answers to what it asked.
_OWN_TRAFFIC = re.compile(r"(?:^lo$|^127\.|^::1|ESTABLISHED|RELATED)")


def _lets_in(texts: list[str]) -> bool:
    """A chain of what comes in, with a rule or policy that accepts."""
    comes_in = any(a in _CHAIN_WORDS and b == "INPUT" for a, b in pairwise(texts))
    return comes_in and "ACCEPT" in texts and not any(_OWN_TRAFFIC.search(t) for t in texts)


def _ufw(inv: Invocation) -> None:
    """ufw: rules that let others in; those for what goes out or for the loopback do not."""
    if _shows(inv):
        return
    inv.op(O.CONFIG_CHANGE)
    words = [text.lower() for text in _texts(inv.words[1:])]
    allows = {"allow", "limit"} & set(words) and "delete" not in words
    own = {"out", "outgoing", "lo", "127.0.0.1", "::1"} & set(words)
    if allows and not own:
        inv.trait(Trait.INBOUND_OPEN)


def _boot_entry(inv: Invocation) -> None:
    """Entries and loaders that the machine starts with; without a change they are listed."""
    apply_roles(inv)
    changes = inv.parsed.has("delete-bootnum", "create", "create-only", "bootorder", "delete-bootorder", "bootnext", "inactive", "remove-kernel", "set-default", "update-kernel", "setBoot")  # fmt: skip
    words = set(_texts(inv.parsed.operands))
    if not _shows(inv) and (changes or words & {"install", "remove", "update", "set-default"}):
        inv.op(O.CONFIG_CHANGE)
        inv.trait(Trait.BOOT_CHANGE)


def _packet_filter(inv: Invocation) -> None:
    """pfctl: -d switches the filter off, -F flushes it."""
    parsed = inv.parsed
    if parsed.has("d", "F") and not parsed.has("n"):
        inv.trait(Trait.PROTECTION_OFF)
    if parsed.has("d", "e", "F", "f") and not parsed.has("n"):
        inv.op(O.CONFIG_CHANGE)
    apply_roles(inv)


def _anchors(inv: Invocation) -> None:
    """The bundle of those whom programs believe, made anew; `extract` alone reads it."""
    if not _shows(inv):
        inv.op(O.CONFIG_CHANGE)
        inv.trait(Trait.TRUST_ANCHOR)


def _wireless(inv: Invocation) -> None:
    """nmcli: connections that are changed, and keys that are shown."""
    _by_verb(dict.fromkeys(_NMCLI_CHANGES, (O.CONFIG_CHANGE,)))(inv)
    words = _texts(inv.parsed.operands)
    if (inv.parsed.has("show-secrets") and "show" in words) or "show-password" in words:
        inv.op(O.CREDENTIAL_READ)


_NMCLI_CHANGES = ("add", "modify", "delete", "up", "down", "connect", "disconnect", "reload", "on", "off", "import", "edit", "clone", "hotspot")  # fmt: skip


def _audit(inv: Invocation) -> None:
    """auditctl: -D deletes all rules, -e 0 switches auditing off."""
    enabled = inv.parsed.value("e")
    if inv.parsed.has("D") or (enabled is not None and enabled.value == "0"):
        inv.trait(Trait.PROTECTION_OFF)
    if not inv.parsed.has("l", "s"):
        inv.op(O.CONFIG_CHANGE)


def _first_operand(*off: str) -> Special:
    """The first operand decides whether a protection is switched off."""

    def special(inv: Invocation) -> None:
        operands = _texts(inv.parsed.operands)
        inv.fact.subcommand = operands[0] if operands else ""
        if operands and not _shows(inv):
            inv.op(O.CONFIG_CHANGE)
            if operands[0].lower() in off:
                inv.trait(Trait.PROTECTION_OFF)

    return special


_OFF = ("off", "false", "0", "disabled")


def _application_firewall(inv: Invocation) -> None:
    texts = [t.lower() for t in _texts(inv.words[1:])]
    if "--setglobalstate" in texts and any(t in _OFF for t in texts):
        inv.trait(Trait.PROTECTION_OFF)


# --- network ---

_IP_LISTS = frozenset(
    {"show", "list", "ls", "lst", "sh", "s", "l", "get", "help", "monitor", "save", ""}
)


def _ip(inv: Invocation) -> None:
    """ip OBJECT VERB …: showing is the default; ``netns exec`` and ``vrf exec`` run a command."""
    texts = _texts(inv.parsed.operands)
    if len(texts) > 2 and texts[1] == "exec" and texts[0] in ("netns", "net", "vrf"):
        inv.op(O.NAMESPACE_ENTER)
        at = next(i for i, w in enumerate(inv.words) if w.value == "exec")
        inv.run(inv.words[at + 2 :])
    elif len(texts) > 1 and texts[1] not in _IP_LISTS and not _shows(inv):
        inv.op(O.CONFIG_CHANGE)


_SHOWING = frozenset(
    {
        "show",
        "list",
        "ls",
        "status",
        "get",
        "print",
        "info",
        "help",
        "version",
        "dump",
        "check",
        "scan",
        "event",
    }
)


def _more_operands(limit: int) -> Special:
    """With more operands than these a setting is changed; with fewer it is shown."""

    def special(inv: Invocation) -> None:
        apply_roles(inv, "word*")
        operands = inv.parsed.operands
        looks = any(w.value in _SHOWING for w in operands)
        if len(operands) > limit and not looks and not _shows(inv):
            inv.op(O.CONFIG_CHANGE)

    return special


def _capture(inv: Invocation) -> None:
    """tcpdump: -z names a program that is run on every finished file."""
    apply_roles(inv, "word*")
    for word in inv.parsed.all_values("z"):
        inv.run_code(word, How(wrapper=False, dialect=Dialect.POSIX))


def _download(inv: Invocation) -> None:
    """Media downloaders fetch addresses; ``--exec`` is a command for each result."""
    if _shows(inv):
        return
    inv.op(O.FETCH)
    apply_roles(inv)


# --- scanners, tunnels, miners ---


def _scan(inv: Invocation) -> None:
    """Network scanners: every target is a scan fact."""
    parsed = inv.parsed
    for option, word in parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    if parsed.has("sL", "iflist", "script-help", "V", "version", "offline", "echo") or _shows(inv):
        inv.preview()
        return
    inv.op(O.NETWORK_SCAN)
    targets = parsed.operands + [w for n in ("host", "a", "range") for w in parsed.all_values(n)]
    for word in targets:
        if word.value is None:
            require(inv, word)
        elif "://" not in word.value and "@" not in word.value:
            inv.network(N.SCAN, Endpoint(word.value))
    if parsed.has("iL", "list", "iR", "generate"):
        inv.trait(Trait.MASS)
        many = inv.network(N.SCAN, Endpoint("*"))
        if many is not None and parsed.has("iL", "list"):
            many.target_kind = NetworkTargetKind.LIST


_TUNNEL_LOOKS = frozenset(
    {
        "version",
        "help",
        "update",
        "config",
        "login",
        "diagnose",
        "status",
        "list",
        "info",
        "authtoken",
        "service",
    }
)


def _tunnel(inv: Invocation) -> None:
    """Programs that open a way in from outside; their look-up verbs do not."""
    operands = inv.parsed.operands
    verb = (operands[0].value or "") if operands else ""
    inv.fact.subcommand = verb
    if (
        _shows(inv)
        or verb in _TUNNEL_LOOKS
        or (verb == "tunnel" and set(_texts(operands[1:2])) & {"list", "info", "delete", "login"})
    ):
        return
    inv.op(O.TUNNEL)
    for text in _texts(operands):
        bare = text.partition("://")[2] or text
        host = canonical_host(bare.split("/")[0].split(":")[0])
        if host and "." in host:
            inv.network(N.TUNNEL, Endpoint(host))


def _chisel(inv: Invocation) -> None:
    """chisel: ``R:`` opens a port on the other side that leads back."""
    operands = inv.parsed.operands
    texts = _texts(operands)
    if _shows(inv) or texts[:1] != ["client"]:
        return
    reverse = any(t.startswith("R:") for t in texts[2:])
    inv.op(O.TUNNEL if reverse else O.CONNECT)
    for text in texts[1:2]:
        host = canonical_host((text.partition("://")[2] or text).split("/")[0].split(":")[0])
        if host:
            inv.network(N.TUNNEL if reverse else N.CONNECT, Endpoint(host))


def _miner(inv: Invocation) -> None:
    if not _shows(inv):
        inv.trait(Trait.CRYPTOMINER)


def _ssh_like(inv: Invocation) -> None:
    """tailscale ssh HOST COMMAND: a command on another machine."""
    operands = inv.parsed.operands
    for word in operands[:1]:
        apply_role(inv, "host", word)
    if len(operands) > 1:
        run_joined(inv, operands[1:], How(remote=True))


_RELAYS: Mapping[str, str] = {
    "wormhole": "relay.magic-wormhole.io", "croc": "croc.schollz.com", "ffsend": "send.vis.ee",
    "portal": "portal.spatiumportae.com", "transfer": "transfer.sh",
}  # fmt: skip


def _hand_over(inv: Invocation) -> None:
    """wormhole send, croc send: files go to whoever knows the code, through a public relay."""
    inv.op(O.UPLOAD)
    apply_roles(inv, "source*")
    fact = inv.network(N.UPLOAD, Endpoint(_RELAYS[inv.fact.program]))
    inv.carry(fact, merge([*inv.inputs, inv.stdin]))


# --- secrets ---


def _pass(inv: Invocation) -> None:
    """pass NAME is ``pass show NAME``; without a name it lists."""
    if not inv.parsed.operands or _shows(inv):
        inv.op(O.LIST)
        return
    inv.fact.subcommand = "show"
    inv.op(O.CREDENTIAL_READ)


# --- devices ---


def _mount(inv: Invocation) -> None:
    """mount and umount: what is mounted is named, not read."""
    if inv.parsed.operands and not _shows(inv):
        inv.op(O.CONFIG_CHANGE)
    apply_roles(inv, "meta*")
    options = inv.parsed.value("options")
    bound = inv.parsed.has("bind", "rbind") or "bind" in ((options and options.value) or "")
    names = [w.value for w in inv.parsed.operands]
    if bound and len(names) == 2 and names[0] and names[1]:
        behind, place = (inv.builder.locate(name, inv.cwd).resolved for name in names if name)
        inv.builder.links.add(place, behind)


def _sysctl(inv: Invocation) -> None:
    sets = inv.parsed.has("write", "load", "system") or any(
        "=" in t for t in _texts(inv.parsed.operands)
    )
    if sets and not _shows(inv):
        inv.op(O.CONFIG_CHANGE)
        inv.trait(Trait.MACHINE_SETTING)
    apply_roles(inv, "word*")


def _last_written(inv: Invocation) -> None:
    """Converters: the last operand is written, the others are read."""
    operands = inv.parsed.operands
    apply_roles(inv, "search* log" if len(operands) > 1 else "search*")


def _ffmpeg(inv: Invocation) -> None:
    """ffmpeg: inputs follow -i; the last word that is no option is the output."""
    words = inv.words[1:]
    for at, word in enumerate(words[:-1]):
        if word.value == "-i":
            apply_role(
                inv,
                "maybe-url" if "://" in (words[at + 1].value or "") else "search",
                words[at + 1],
            )
    if len(words) > 1 and inv.fact.program == "ffmpeg" and words[-2].value != "-i":
        last = words[-1]
        if "://" in (last.value or ""):
            inv.op(O.UPLOAD)
            before = len(inv.builder.facts.network)
            apply_role(inv, "maybe-url", last)
            for fact in inv.builder.facts.network[before:]:
                inv.carry(fact, merge(inv.inputs))
        elif not (last.value or "").startswith("-"):
            apply_role(inv, "log", last)


def _machine(inv: Invocation) -> None:
    """machinectl shell: a command inside another machine."""
    operands = inv.parsed.operands
    if inv.fact.subcommand == "shell" and len(operands) > 1:
        inv.run(operands[1:], How(remote=True))


# --- our own commands ---


def _own(inv: Invocation) -> None:
    """Our own command line: looking is free, switching protection off or down is not."""
    words = [w.value or "" for w in inv.words[1:]]
    verbs = [w for w in words if not w.startswith("-")]
    inv.fact.subcommand = " ".join(verbs[:2])
    if _is_tamper(verbs, words):
        inv.trait(Trait.GUARD_TAMPER)


def _is_tamper(verbs: list[str], words: list[str]) -> bool:
    if not verbs or verbs[0] in _OWN_ASKING or (verbs[1:2] and verbs[1] in _OWN_LOOKING):
        return False
    if any(v in _OWN_SWITCH_OFF for v in verbs[:3]) or _loosens(words):
        return True
    if verbs[0] == "fail-mode" or "fail-mode" in verbs[:2]:
        return "open" in verbs
    observes = verbs[0] in ("mode", "observe") and "observe" in " ".join(words)
    return observes or "--no-human-approval" in words


def _loosens(words: list[str]) -> bool:
    """Whether an option asks for less protection, or for other rules."""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, mark, value = word.partition("=")
        if name in _OWN_RULES or (value if mark else following) in _OWN_LOOSE.get(name, ()):
            return True
    return False


# Commands that judge or list and change nothing, whatever their options say.
_OWN_ASKING = frozenset({"eval", "explain", "replay", "rules", "alerts", "status", "version"})
_OWN_LOOKING = frozenset({"list", "show", "status"})
# Other rules may let through what the present ones stop.
_OWN_RULES = ("--rule-pack-dir",)
_OWN_SWITCH_OFF = frozenset(
    {
        "disable",
        "remove",
        "uninstall",
        "stop",
        "teardown",
        "purge",
        "suppress",
        "allow",
        "unblock",
        "restore",
        "off",
        "reset",
        "kill",
        "use-pack",
    }
)
_OWN_LOOSE = {
    "--mode": ("observe",),
    "--fail-mode": ("open",),
    "--profile": ("permissive",),
    "--state": ("off", "shadow"),
}


# --- namespaces and roots ---


def _nsenter(inv: Invocation) -> None:
    parsed = inv.parsed
    target = parsed.value("target")
    if target is not None and target.value == "1":
        inv.trait(Trait.HOST_NAMESPACE)
    for word in [
        w
        for n in ("mount", "net", "pid", "uts", "ipc", "user", "root")
        for w in parsed.all_values(n)
    ]:
        inv.path(word, PathAccess.READ)
        if (word.value or "").startswith("/proc/1/"):
            inv.trait(Trait.HOST_NAMESPACE)
    if parsed.operands:
        inv.run(parsed.operands, How(remote=True))
    else:
        inv.trait(Trait.INTERACTIVE_SHELL)


def _chroot(inv: Invocation) -> None:
    """chroot: a command below another root, which may be the same one."""
    operands = inv.parsed.operands
    if not operands:
        return
    apply_role(inv, "meta", operands[0])
    root = operands[0].value or ""
    if root.startswith("/proc/1/root"):
        inv.trait(Trait.HOST_NAMESPACE)
    if len(operands) > 1:
        same = bool(root) and inv.builder.locate(root, inv.cwd).resolved == "/"
        inv.run(operands[1:], How(remote=not same))
    elif not _shows(inv):
        inv.trait(Trait.INTERACTIVE_SHELL)


_USER = (
    "a,append b,base-dir= c,comment= d,home-dir,home= D,defaults e,expiredate= f,inactive= g,gid= G,groups= k,skel= K,key= l m,create-home M,no-create-home N,no-user-group o,non-unique"
    " p,password= r,system,remove R,root= s,shell= u,uid= U Z,selinux-user= P,prefix= h,help"
)
_ADDUSER = (
    "c,comment= system disabled-password disabled-login gecos= home= shell= uid= u= gid= g= ingroup,group? no-create-home q,quiet debug force-badname allow-bad-names add_extra_groups firstuid="
    " lastuid= conf=read D H S G,groups= s= h= k= encrypt-home d= M N r o m help"
)
_SYSTEMCTL = (
    "H,host= M,machine= n,lines= o,output= p,property= P= root= image= s,signal= state= t,type= kill-who= kill-whom= job-mode= a,all failed f,force global"
    " l,full no-ask-password no-block no-legend no-pager no-reload now q,quiet r,recursive runtime system user dry-run show-types no-wall boot-loader-menu= firmware-setup"
    " value plain reverse after before preset-mode= message= what= wait check-inhibitors= i T,show-transaction with-dependencies legend= timestamp= mkdir read-only drop-in= when= h,help version C"
)
_NMAP = (
    "iL=read iR= oA=log oG=log oN=log oS=log oX=log sI= D= S= e= g= p= T= data-length= host-timeout= max-rate= min-rate= max-retries="
    " script= script-args= top-ports= exclude= excludefile=read ttl= 6 A F n O Pn R sA sC sF sL sn sP sS sT sU sV v vv iflist open"
    " reason traceroute script-help= min-parallelism= version-intensity= dns-servers= source-port= mtu= f d V h"
)
_GPG = (
    "e,encrypt d,decrypt s,sign b,detach-sign c,symmetric a,armor r,recipient= R,hidden-recipient= u,local-user= o,output=write k,list-keys,list-public-keys K,list-secret-keys list-sigs"
    " import export export-secret-keys export-secret-subkeys export-ssh-key delete-keys,delete-key delete-secret-keys,delete-secret-key delete-secret-and-public-key gen-key,generate-key"
    " full-generate-key,full-gen-key gen-revoke= verify batch yes no passphrase= passphrase-file=read passphrase-fd= pinentry-mode= keyserver= recv-keys,receive-keys send-keys refresh-keys search-keys homedir=list"
    " clearsign,clear-sign dearmor enarmor no-tty q,quiet v,verbose t,textmode fingerprint trust-model= with-colons with-fingerprint keyid-format= no-default-keyring keyring= edit-key quick-gen-key,quick-generate-key"
    " quick-add-key quick-set-expire status-fd= command-fd= cipher-algo= digest-algo= compress-algo= import-options= export-options= default-key= locate-keys ignore-mtime list-packets import-ownertrust export-ownertrust"
    " no-symkey-cache always-trust no-verbose use-agent debug-level= card-status card-edit change-pin sign-key lsign-key no-auto-key-locate auto-key-locate= version h,help dry-run n"
)
_lists = E("", ops=(O.LIST,))
_reads_secret = E(
    "vault= fields= otp reveal format= share-link account= session= raw force plain json o,out-file=write n,no-newline field= of-version,version= mount= c? clip? q? a= s= w g p,project= config= output= copy key= id= username= file-mode=",
    ops=(O.CREDENTIAL_READ,),
)
_SANDBOX = "q,quiet profile= private? net= noprofile whitelist= blacklist= read-only= bind=2 chdir= setenv= unsetenv= hostname= uid= gid= share-net unshare-all die-with-parent new-session h,help version"

PROGRAMS: dict[str, E] = {
    # processes
    "kill": E(style=Style.FREE, special=_kill),
    "skill": E(style=Style.FREE, special=_kill),
    **each("pkill killall pidwait", E(
        "signal= f,full u,euid= user= U,uid= g,pgroup= P,parent= s,session= t,terminal= G,group= x,exact n,newest o,oldest O,older= y,younger-than= v,inverse i,ignore-case I e,echo c,count F,pidfile=read"
        " l,list q,quiet r,regexp V w,wait Z,context= ns= nslist= cgroup= env= H,require-handler m d h,help version", special=_by_name)),
    "killall5": E("o= h", ops=(O.PROCESS_KILL,), traits=(Trait.KILL_ALL,), preview="h"),
    "xkill": E("id= all button= frame display= version", ops=(O.PROCESS_KILL,)),
    "renice": E("n,priority= p,pid= g,pgrp= u,user= relative h,help V,version", "word*"),
    **each("prlimit choom", E("n,adjust? p,pid= c,core? d,data? e,nice? f,fsize? i,sigpending? l,memlock? m,rss? nofile? nproc? as? cpu? stack? o,output= raw verbose noheadings h,help V,version", ordered=True, special=_inner)),
    **each("reboot poweroff halt", E("f,force p,poweroff w,wtmp-only h,halt n d i no-wall no-wtmp help version reboot", ops=(O.PROCESS_KILL,), preview="help version wtmp-only")),
    "shutdown": E("h r P k c H f no-wall show help", "word*", ops=(O.PROCESS_KILL,), preview="help c k show"),
    **each("init telinit", E("", special=_more_operands(0))),
    **each("fakeroot eatmydata linux32 linux64 setarch i386 x86_64 cgexec nocache trickle tsp systemd-cat catchsegv gamemoderun mangohud optirun primusrun vglrun"
           " mpirun mpiexec srun aprun", E(
        "s= i= u d= p,priority= t,identifier= n,np= N= c= g= j= R,addr-no-randomize host= hostfile=read oversubscribe f L m level-prefix= allow-run-as-root x= bind-to= map-by= mca=", ordered=True, special=_inner)),
    **each("firejail proot fakechroot schroot bubblejail", E(_SANDBOX.replace("bind=2", "bind=") + " c= u= d= r= b= w= S R 0 directory= preserve-environment", ordered=True, special=_inner)),
    "faketime": E("f m p", "word command*", ordered=True, special=_inner_after_name),
    **each("sbatch qsub bsub salloc", E("n,ntasks= c,cpus-per-task= p,partition= t,time= mem= J,job-name= o,output=log e,error=log a,array= d,dependency= wrap=code N= q= l= A= gres=", "run any*", ordered=True)),
    **each("squeue sinfo sacct qstat bjobs sstat sprio sshare", _lists), **each("scancel qdel bkill", E("u,user= n,name=", ops=(O.PROCESS_KILL,))),
    **plain("pidstat cpulimit cpupower turbostat powertop pmap pwdx pidcat slabinfo lsipc irqtop numatop schedtool tuna stress stress-ng sysbench fio iperf iperf3 bpftool bpftop "
            " tload procinfo tiptop bashtop bpytop gtop nvtop radeontop intel_gpu_top zenith ytop s-tui nmon atopsar collectl"),
    # accounts
    "useradd": E(_USER, special=_account), "usermod": E(_USER + " L,lock U,unlock", special=_account), **each("adduser addgroup", E(_ADDUSER, special=_account)),
    "newusers": E("r s R=", "read", ops=(O.ACCOUNT_CHANGE,)), "userdel": E("f,force r,remove R= Z h,help", ops=(O.ACCOUNT_CHANGE, O.DELETE)),
    **each("deluser delgroup", E("remove-home remove-all-files backup backup-to= system force quiet only-if-empty group h,help", ops=(O.ACCOUNT_CHANGE, O.DELETE))),
    "groupadd": E("f,force g,gid= K= o,non-unique p= r,system R= U,users= h,help", ops=(O.ACCOUNT_CHANGE,)), "groupmod": E("g,gid= n,new-name= o p= R= a,append U,users= h,help", ops=(O.ACCOUNT_CHANGE,)),
    "groupdel": E("f,force R= h,help", ops=(O.ACCOUNT_CHANGE, O.DELETE)), "gpasswd": E("a,add= d,delete= r,remove-password R,restrict A,administrators= M,members= Q,root= h,help", special=_gpasswd),
    "groupmems": E("a,add= d,delete= g,group= l,list p,purge R,root= h,help", special=_account, preview="help list"),
    "passwd": E("a,all d,delete e,expire i,inactive= k,keep-tokens l,lock n,mindays= q,quiet R,root= S,status u,unlock w,warndays= x,maxdays= stdin h,help f", special=_passwd),
    "chpasswd": E("c,crypt-method= e,encrypted m,md5 R,root= s,sha-rounds= h,help", ops=(O.ACCOUNT_CHANGE,)), "chgpasswd": E("c= e m R= s=", ops=(O.ACCOUNT_CHANGE,)),
    **each("chsh chfn", E("s,shell= l,list-shells u,help R= f,full-name= o= p= h,home-phone= w= r= v,version", ops=(O.ACCOUNT_CHANGE,), preview="help version list-shells")),
    "chage": E("d,lastday= E,expiredate= I,inactive= l,list m,mindays= M,maxdays= R,root= W,warndays= i,iso8601 h,help", ops=(O.ACCOUNT_CHANGE,), preview="help version list"),
    "dseditgroup": E(style=Style.FREE, special=_directory_service), "dscl": E(style=Style.FREE, special=_directory_service), "sysadminctl": E(style=Style.FREE, special=_sysadminctl),
    "visudo": E("c,check f,file=word s,strict q,quiet x= O P I h,help V,version", special=_visudo), "vipw": E("g s p q R= h,help", special=_account_file("/etc/passwd")),
    "vigr": E("g s p q R= h,help", special=_account_file("/etc/group")), **each("newgrp", E("", "word", ops=(O.PRIVILEGE,))),
    **plain("pwck grpck pwconv pwunconv grpconv faillock pam_tally2 pam-auth-update authselect authconfig realm kinit klist kdestroy kpasswd ldapsearch ldapwhoami sss_cache wbinfo lid sudoreplay",
            "x h= H= b= D= w= W Y= s= u,user= reset r,read f,file=read l c= k= p= V v n,dry-run Z L"),
    "ldapdelete": E("x h= H= D= w= W r n v", ops=(O.DELETE,)), "ldapmodify": E("x h= H= D= w= W f=read a n v", ops=(O.CONFIG_CHANGE,)),
    # services and schedules
    "crontab": E("u= e l r i n c T= V s x=", special=_crontab, preview="n T V"), **each("at batch", E("V q= f= m M l b v k d r c t= u=", special=_at, preview="V")),
    "atq": E("q= V", ops=(O.LIST,)), "atrm": E("V", ops=(O.DELETE,)), "incrontab": E("u,user= l,list e,edit r,remove d,reload", special=_crontab), **plain("anacron cronic runitor"),
    "systemctl": E(_SYSTEMCTL, "target any*", special=_systemctl), **each("service invoke-rc.d rc-service initctl rcctl", E("status-all full-restart f,force q,quiet i,ifexists D h,help version list e,exists", special=_service)),
    **each("chkconfig update-rc.d rc-update sysv-rc-conf ntsysv", E("list add del level= levels= f n s,stack h,help a,all d,delete v,verbose", special=_at_boot)),
    **each("rc-status runlevel systemd-analyze systemd-cgls systemd-cgtop systemd-path systemd-detect-virt systemd-escape systemd-delta systemd-resolve coredumpctl busctl systemd-id128 systemd-notify"
           " systemd-tmpfiles systemd-sysusers systemd-creds systemd-cryptenroll systemd-repart bootctl portablectl userdbctl homectl", E("user system no-pager global root= l,full a,all r,reverse n,lines= o,output= clean create remove")),
    "launchctl": E("w F S= D= k p h", special=_launchctl),
    "loginctl": E("p,property= no-pager a,all l,full n,lines= o,output= s,signal= H= M= help version no-legend", verbs={
        "enable-linger": E("", ops=(O.SCHEDULE,), traits=(Trait.PERSISTENCE,)), **each("terminate-session terminate-user terminate-seat kill-session kill-user", E("s,signal= kill-who=", ops=(O.PROCESS_KILL,))), "*": E("")}),
    "journalctl": E("u,unit= user-unit= n,lines? f,follow S,since= U,until= p,priority= o,output= output-fields= b? k,dmesg r,reverse e,pager-end x,catalog no-pager g,grep=pattern t,identifier= D,directory=list i"
                    " file=read vacuum-size= vacuum-time= vacuum-files= rotate flush sync disk-usage list-boots header verify q,quiet a,all no-hostname m,merge user system M,machine= case-sensitive? cursor= after-cursor= show-cursor"
                    " facility= utc no-full l,full root= image= fields N F,field= no-tail h,help version boot? list-catalog update-catalog setup-keys namespace= invocation= I,", out=Out.CONTENT,
                    marks=_named("vacuum-size vacuum-time vacuum-files", O.DELETE, marks=(Trait.LOG_WIPE,))),
    "logger": E("t,tag= p,priority= f,file=source s,stderr i n,server= P,port= u,socket= d,udp T,tcp id? e no-act size= rfc5424? h,help", "text*", special=remote_log), "logrotate": E("d,debug f,force s,state= v,verbose l,log=log m,mail= usage", "run*", preview="help version debug usage"),
    "dmesg": E("C,clear c,read-clear D,console-off E,console-on F,file=read H,human k,kernel l,level= f,facility= n,console-level= r,raw s= T,ctime t,notime u,userspace w,follow W x,decode L,color? S since= until= P J h,help V,version e d n=",
               out=Out.CONTENT, marks=_named("clear read-clear", O.DELETE, marks=(Trait.LOG_WIPE,))),
    "log": E("", verbs={"erase": E("all ttl", ops=(O.DELETE,), traits=(Trait.LOG_WIPE,)), **each("show stream collect config stats help", E("predicate= last= style= info debug start= end= process= source archive=read output=write level=", out=Out.CONTENT)), "*": E("")}),
    **plain("ausearch aureport utmpdump syslog-ng rsyslogd multitail lnav goaccess logwatch swatchdog loki logcli vector fluent-bit fluentd filebeat promtail", "f,file=read m,message= k,key= ts= te= i c,config=read r u= o,output= d x"),
    "udevadm": E("", verbs={**each("trigger control settle hwdb", E("", ops=(O.CONFIG_CHANGE,))), "*": E("n= q= a p=")}),
    # our own commands
    **each("defenseclaw defenseclaw-gateway defenseclaw-hook", E(style=Style.FREE, special=_own)),
    # protection
    **each("iptables ip6tables iptables-legacy iptables-nft ip6tables-nft ebtables arptables", E("t,table= A,append=place I,insert=place D,delete=place R,replace=place F,flush X? delete-chain? Z? zero? P,policy= N,new-chain= L,list? S? p,protocol= s,source= d,destination= j,jump= g,goto= i,in-interface="
                                                                        " o,out-interface= m,match= dport= sport= dports= sports= state= ctstate= n,numeric v,verbose x,exact line-numbers w? wait? to-destination= to-ports= to-source= comment= limit= tcp-flags= icmp-type= mark= set-mark="
                                                                        " h,help V,version C,check=", special=_firewall)),
    **each("iptables-save ip6tables-save", E("t,table= c,counters f,file=log", out=Out.CONTENT)), **each("iptables-restore ip6tables-restore iptables-apply", E("n,noflush t,test c,counters T= w v", "read", ops=(O.CONFIG_CHANGE,), preview="help version test")),
    "nft": E("f,file=read a,handle n,numeric j,json c,check s e,echo i I= h,help v,version D= t,terse o", special=_by_verb({
        "flush": (O.CONFIG_CHANGE, Trait.PROTECTION_OFF), **dict.fromkeys(("add", "insert", "delete", "destroy", "create", "replace", "reset"), (O.CONFIG_CHANGE,))}), preview="help version check"),
    "ufw": E("force dry-run version h,help", verbs={**each("status show app version", E("")), **each("disable reset", E("", ops=(O.CONFIG_CHANGE,), traits=(Trait.PROTECTION_OFF,))), "*": E("", special=_ufw)}),
    "firewall-cmd": E("permanent reload complete-reload list-all list-ports list-services state zone= get-zones get-default-zone set-default-zone= add-port= remove-port= add-service= remove-service= add-rich-rule= panic-on panic-off query-panic runtime-to-permanent"
                      " timeout= get-active-zones list-all-zones add-source= remove-source= add-masquerade q,quiet add-interface= change-interface=", special=_more_operands(0),
                      marks=_named("add-port remove-port add-service remove-service add-rich-rule set-default-zone add-source remove-source panic-on panic-off runtime-to-permanent change-interface", O.CONFIG_CHANGE)),
    "setenforce": E("", special=_first_operand("0", "permissive")), **plain("getenforce sestatus getsebool seinfo sesearch matchpathcon aa-status apparmor_status audit2why fail2ban-regex"),
    **each("setsebool semanage semodule chcon restorecon fixfiles audit2allow aa-enforce aa-genprof aa-logprof apparmor_parser", E("P a,add d,delete m,modify l,list t,type= p,proto= R,recursive r F v n i,install= e M= s= f= u reference=stat N C T= K", ops=(O.CONFIG_CHANGE,), preview="help version list n")),
    **each("aa-disable aa-complain aa-teardown", E("d= h,help no-reload", ops=(O.CONFIG_CHANGE,), traits=(Trait.PROTECTION_OFF,))),
    "auditctl": E("a= A= d= D e= f= k= l s w= W= p= S= F= b= r= R=read i c C= t h v", special=_audit, preview="h l s v"), "fail2ban-client": E("v q x s= h,help V,version d t", special=_by_verb({"stop": (O.CONFIG_CHANGE, Trait.PROTECTION_OFF), "unban": (O.CONFIG_CHANGE,), "set": (O.CONFIG_CHANGE,)})),
    "pfctl": E("d e f=read F= n s= t= T= v q i= k= a= h", special=_packet_filter), "socketfilterfw": E(style=Style.FREE, special=_application_firewall),
    "spctl": E("a,assess v,verbose t,type= master-disable,global-disable master-enable,global-enable status add remove label= list enable disable h", ops=(), marks={"master-disable": (O.CONFIG_CHANGE, Trait.PROTECTION_OFF), "disable": (O.CONFIG_CHANGE, Trait.PROTECTION_OFF)}),
    "csrutil": E("without=", special=_first_operand("disable"), verbs={}), "fdesetup": E("user= inputplist outputplist", special=_first_operand("disable")), "tccutil": E("", ops=(O.CONFIG_CHANGE,)),
    **plain("rkhunter chkrootkit lynis aide tripwire clamscan clamdscan freshclam maldet yara debsums oscap openscap usbguard osqueryi", "r,recursive i,infected remove move=mkdir l,log=log quiet q c,check sk rwo update propupd exclude= exclude-dir= z s f=read json header no-summary",),
    # network
    "ip": E("4 6 0 s,stats,statistics d,details br,brief c,color j,json p,pretty o,oneline n,netns= a,all f,family= rc= batch=read b=read h,human V,Version t l= r N force iec echo help", style=Style.SINGLE, ordered=False, special=_ip),
    "ifconfig": E("a s v L m r C X=", "any word*", special=_more_operands(1)), **each("route netplan dhclient dhcpcd udhcpc ifup ifdown brctl bridge tc ethtool iw iwconfig iwlist wpa_supplicant wpa_cli rfkill vconfig ipset conntrack nmtui netctl connmanctl hciconfig ovs-vsctl", E(
        "n v e A= r d s S= k i c p= f=read t= 4 6 a,all L,dump D,delete F,flush B w h,help j,json debug", special=_more_operands(1))),
    "arp": E("a n d= s= i= v D f=read", marks=_named("d s", O.CONFIG_CHANGE)), **plain("arping ipcalc sipcalc subnetcalc whatmask nethogs bmon vnstat jnettop darkstat ntopng tcptraceroute tracepath tracepath6 traceroute6 nstat lnstat avahi-browse"
            " avahi-resolve dns-sd delv dnsmasq named-checkconf named-checkzone rndc unbound-control kdig doggo zdns mdns-scan chronyc ntpq ntpdate ntpstat gping trippy"
            " smokeping snmpwalk snmpget ipmitool iperf2 qperf nuttcp netperf tcpflow tcpreplay httpstat httping h2load siege oha termshark ebpf_exporter goss fortio nghttp gobench plow"),
    "nmcli": E("t,terse f,fields= m,mode= g,get-values= c,colors= a,ask w,wait= p,pretty s,show-secrets e= o,overview h,help v,version", special=_wireless),
    "resolvectl": E("4 6 i= p= t= c= no-pager legend=", special=_by_verb(dict.fromkeys(("dns", "domain", "flush-caches", "revert", "dnssec", "llmnr"), ()))),
    **each("tcpdump windump", E("i,interface= w=log r=read c= C= G= W= z=word n A X v s= e q S t tttt U l Z= F=read D,list-interfaces p K N B,buffer-size= Q= E= M= y= j= # L d O", "pattern*", special=_capture)),
    **each("tshark dumpcap ngrep wireshark editcap mergecap capinfos", E("i= w=log r=read c= f=pattern Y=pattern R= T= e= E= n V x q z= a= b= d= o= s= O= l D p S t= F= X= K=read P I= W= A=", "pattern*")),
    **plain("postqueue postcat postconf newaliases mailq exim4 dovecot doveadm notmuch offlineimap isync mbsync fetchmail getmail procmail maildrop abook calcurse khal vdirsyncer"),
    "postsuper": E("d= r= h= H= p s v c=", marks={"d": (O.DELETE,)}), "uuencode": E("m", "read word", out=Out.CONTENT),
    **each("wg wg-quick openvpn strongswan ipsec nordvpn mullvad protonvpn-cli openfortivpn openconnect vpnc pppd zerotier-cli netbird headscale warp-cli", E("config=read daemon b,background u,user= passwd-on-stdin protocol= servercert= auth-user-pass?", special=_more_operands(0))),
    **each("tailscale", E("socket=", verbs={**each("funnel", E("bg https= set-path= tcp= yes off", ops=(O.TUNNEL,))), "serve": E("bg https= set-path= tcp= yes off"), "ssh": E("", "host", ops=(O.CONNECT,), ordered=True, special=_ssh_like), "file": E("verbose", verbs={**sends("cp", ELSEWHERE, "targets name=", "source* word"), "*": E("")}), "*": E("")})),
    **each("wormhole croc ffsend portal transfer", E("code= yes overwrite relay= h,help version verify text=text no-compress quiet o,out=", verbs={
        **each("send upload tx up", E("code= text=text c= hide-progress 0", special=_hand_over)), "*": E("")})),
    # downloads of media
    **each("yt-dlp youtube-dl youtube-dlc gallery-dl spotdl you-get lux annie svtplay-dl streamlink instaloader", E(
        "f,format= o,output=log P,paths=mkdir x,extract-audio audio-format= audio-quality= a,batch-file=read exec=code cookies=read cookies-from-browser= u,username= p,password= n,netrc proxy= r,limit-rate= F,list-formats s,simulate g,get-url e,get-title"
        " j,dump-json J,dump-single-json no-playlist yes-playlist playlist-items= sub-langs= sub-lang= write-subs embed-subs write-auto-sub merge-output-format= remux-video= recode-video= i,ignore-errors c,continue w,no-overwrites download-archive=edit"
        " match-filter= dateafter= external-downloader=must downloader= N,concurrent-fragments= S= k,keep-video config-location=read playlist-start= playlist-end= q,quiet v,verbose h,help version U,update write-info-json embed-thumbnail add-metadata d,directory= D=",
        "maybe-url*", special=_download, preview="help version simulate list-formats get-url get-title dump-json dump-single-json")),
    # scanners, tunnels, miners
    "nmap": E(_NMAP, special=_scan, style=Style.SINGLE),
    "masscan": E("c=read e= oB=log oG=log oJ=log oL=log oX=log p= rate= ports= exclude= excludefile=read includefile=read iL=read range= banners echo offline wait= adapter= source-port=", special=_scan, style=Style.SINGLE),
    "zmap": E("p,target-port= o,output-file=log r,rate= B,bandwidth= n= i= w,whitelist-file=read b,blacklist-file=read s= S= G= h,help V", special=_scan), "rustscan": E("a,addresses= p,ports= r,range= b,batch-size= t,timeout= u,ulimit= g,greppable scripts= top h,help", special=_scan),
    "naabu": E("host= l=read list=read o=log output=log p= port= tp= top-ports= rate= c= silent json csv", special=_scan, style=Style.SINGLE), "fping": E("b= B= c= C= f=read H= i= I= p= r= t= a A d D e g,generate l m n q s u v h", special=_scan),
    "arp-scan": E("l,localnet I,interface= r,retry= t= q x h,help", special=_scan), "netdiscover": E("r= i= p f l=read P", special=_scan),
    **each("gobuster feroxbuster dirb dirsearch wfuzz wpscan nuclei whatweb nbtscan enum4linux smbmap crackmapexec netexec amass subfinder theharvester recon-ng responder bettercap ettercap", E("u,url=url w,wordlist=read d= l=read t= o,output=log h,help version silent", "word*", ops=(O.NETWORK_SCAN,))),
    "ffuf": E("u=url w=read o=log H= X= d= mc= fc= t= h", ops=(O.NETWORK_SCAN,), style=Style.SINGLE), "nikto": E("h=host host=host p=", ops=(O.NETWORK_SCAN,), style=Style.SINGLE), "sqlmap": E("u,url=url r=read batch dbs dump D= T= h,help", ops=(O.NETWORK_SCAN,)),
    **each("medusa ncrack patator", E("l= L=read p= P=read s= t= f V C=read M=read o=log h", ops=(O.NETWORK_SCAN,))),
    **plain("john hashcat aircrack-ng airodump-ng binwalk foremost volatility msfvenom msfconsole searchsploit exploitdb metasploit setoolkit radare2 r2 rizin ghidra pwn ropper checksec zsteg steghide stegseek exiv2 hashid hash-identifier cewl crunch frida"),
    "ngrok": E("config=read log= region= subdomain= domain= url= authtoken= host-header= basic-auth= h,help", special=_tunnel), "cloudflared": E("url= name= config=read hostname= loglevel= h,help", special=_tunnel),
    **each("localtunnel lt", E("p,port= s,subdomain= h,host= l= o,open help version", special=_tunnel)), "bore": E("to= p,port= s,secret=", special=_tunnel), **each("pagekite serveo expose zrok rathole frpc frps inletsctl inlets telebit", E("c=read config=read", special=_tunnel)),
    "chisel": E("auth= fingerprint= keepalive= proxy= v header= hostname= pid tls-ca= tls-cert= tls-key= port= p= reverse socks5 key= h,help", special=_chisel), **each("ligolo-agent ligolo-ng", E("connect= ignore-cert", special=_tunnel, style=Style.SINGLE)),
    **each("xmrig xmrig-proxy minerd cpuminer cpuminer-multi ethminer cgminer bfgminer t-rex lolminer nbminer teamredminer phoenixminer nanominer gminer xmr-stak srbminer", E("h,help V,version", special=_miner)),
    **each("update-ca-certificates update-ca-trust", E("v,verbose f,fresh default hooksdir= output= h,help", special=_anchors)),
    "trust": E("", verbs={"anchor": E("r,remove store v,verbose", "read*", traits=(Trait.TRUST_ANCHOR,), ops=(O.CONFIG_CHANGE,)), "*": E("filter= format= purpose= overwrite comment")}),
    "mkcert": E("install uninstall cert-file= key-file= p12-file= client ecdsa pkcs12 csr= CAROOT", style=Style.SINGLE, marks={"install": (O.CONFIG_CHANGE, Trait.TRUST_ANCHOR)}),
    # secrets
    "security": E("q v i l p=", verbs={
        "add-trusted-cert": E("d r= a= p= s= e= u= k= i= o= D", "read*", ops=(O.CONFIG_CHANGE,), traits=(Trait.TRUST_ANCHOR,)), "remove-trusted-cert": E("d D", "read*", ops=(O.CONFIG_CHANGE,), traits=(Trait.TRUST_ANCHOR,)),
        **each("find-generic-password find-internet-password", E("a= s= l= w g D= C= G= j= r= t= P= p= d=", marks=_named("w g", O.CREDENTIAL_READ))), **each("dump-keychain export", E("a d r i k= t= f= o=write P= p", ops=(O.CREDENTIAL_READ,))),
        **each("delete-generic-password delete-internet-password delete-certificate delete-identity delete-keychain", E("a= s= l= c= Z= t", ops=(O.DELETE,))), "*": E("a= s= w= d k= t= p= r= U A T= D= c= e= Z= v g h")}),
    "secret-tool": E("", verbs={**each("lookup", _reads_secret), "search": E("all unlock", ops=(O.CREDENTIAL_READ,)), "clear": E("", ops=(O.DELETE,)), "*": E("label=")}),
    **each("pass gopass passage", E("", verbs={**each("ls list find search grep help version git audit", E("", ops=(O.LIST,))), **each("insert edit generate mv rename cp copy init otp add create sync clone config import", E("f,force m,multiline e,echo n,no-symbols c,clip i,in-place r")),
                                               **each("rm remove delete", E("r,recursive f,force", ops=(O.DELETE,))), "show": _reads_secret, "*": E("c,clip? q? o,password", special=_pass)})),
    "bw": E("session= pretty raw response cleanexit quiet nointeraction h,help v,version", verbs={
        "get": E("", verbs={**each("item password notes username totp attachment", _reads_secret), "*": E("itemid= output=")}), "list": E("search= folderid= collectionid= url= trash", special=None, ops=(O.LIST,), verbs={"items": E("search= folderid=", ops=(O.CREDENTIAL_READ,)), "*": E("")}),
        "export": E("output=write format= organizationid= password=", ops=(O.CREDENTIAL_READ,)), "delete": E("p,permanent", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "*": E("passwordenv= passwordfile=read check method= code= sso apikey")}),
    **each("gpg gpg2", E(_GPG, "read*", out=Out.CONTENT, by_option=dict.fromkeys(("list-keys", "list-secret-keys", "export", "export-secret-keys", "export-secret-subkeys", "export-ssh-key", "delete-keys", "delete-secret-keys", "delete-secret-and-public-key", "fingerprint", "recv-keys", "send-keys", "search-keys",
                                                                      "edit-key", "quick-gen-key", "quick-add-key", "quick-set-expire", "locate-keys", "refresh-keys", "gen-key", "full-generate-key", "sign-key", "lsign-key", "list-sigs"), "word*"),
                         marks={**_named("export-secret-keys export-secret-subkeys", O.CREDENTIAL_READ), **_named("delete-keys delete-secret-keys delete-secret-and-public-key", O.DELETE)})),
    **plain("gpgv gpgconf gpg-connect-agent gpg-agent gpgsm gpgtar gpg-zip dirmngr pinentry kbxutil paperkey monkeysphere minisign signify ssss-split ssss-combine hashdeep"),
    "age": E("d,decrypt e,encrypt r,recipient= R,recipients-file=read i,identity=read o,output=write a,armor p,passphrase j=", "read*", out=Out.CONTENT), "age-keygen": E("o,output=write y pq", "read"), **each("rage rage-keygen", E("d,decrypt e,encrypt r,recipient= R=read i,identity=read o,output=write a,armor p", "read*", out=Out.CONTENT)),
    "sops": E("d,decrypt e,encrypt i,in-place r,rotate output=write k,kms= p,pgp= a,age= input-type= output-type= set= extract= config=read encrypted-regex= v,version h,help verbose ignore-mac", "read*", out=Out.CONTENT, by_option={"in-place": "edit*"}, verbs={}),
    "git-crypt": E("", verbs={"export-key": E("k,key-name=", "write", ops=(O.CREDENTIAL_READ,)), "*": E("k= trusted")}), **plain("git-secret blackbox_edit transcrypt chezmoi yadm stow vcsh dotbot rcup homeshick"),
    "keyring": E("b,keyring-backend= p,keyring-path= list-backends disable h,help", verbs={"get": _reads_secret, "del": E("", ops=(O.DELETE,)), "*": E("")}), "lpass": E("", verbs={**each("show export", _reads_secret), "rm": E("", ops=(O.DELETE,)), "*": E("")}),
    "kwallet-query": E("r= l f= w= v", marks={"r": (O.CREDENTIAL_READ,)}), "keepassxc-cli": E("", verbs={**each("show clip export", E("a,attributes= s,show-protected k,key-file=read", "read word*", ops=(O.CREDENTIAL_READ,))), "rm": E("k=read", "edit word*", ops=(O.DELETE,)), "*": E("k,key-file=read", "stat word*")}),
    # namespaces and roots
    "nsenter": E("t,target=place m,mount? u,uts? i,ipc? n,net? p,pid? U,user? C,cgroup? T,time? S,setuid= G,setgid= r,root? w,wd? F,no-fork Z,follow-context a,all preserve-credentials h,help V,version", ops=(O.NAMESPACE_ENTER,), ordered=True, special=_nsenter),
    "chroot": E("groups= userspec= skip-chdir help version", ops=(O.ROOT_CHANGE,), ordered=True, special=_chroot), **each("arch-chroot jchroot", E("u= N r h", ops=(O.ROOT_CHANGE,), ordered=True, special=_chroot)),
    "systemd-nspawn": E("D,directory= M,machine= b,boot i,image= q,quiet x,ephemeral u,user= bind= bind-ro= private-network network-veth n setenv= capability= a as-pid2 template= h,help version", ordered=True, remote=True, special=_inner),
    "machinectl": E("M= H= q l a uid= E,setenv= help version no-pager", verbs={"shell": E("", ordered=True, special=_machine), **each("terminate kill poweroff reboot", E("", ops=(O.PROCESS_KILL,))), "remove": E("", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "*": E("")}),
    "virsh": E("c,connect= q,quiet r,readonly h,help version", verbs={**each("destroy shutdown reset reboot", E("graceful mode=", ops=(O.PROCESS_KILL,))), **each("undefine vol-delete pool-delete pool-undefine net-undefine net-destroy snapshot-delete vol-wipe checkpoint-delete", E("remove-all-storage nvram snapshots-metadata wipe-storage pool= children", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))), "*": E("")}),
    **each("vboxmanage vboxheadless", E("", verbs={"unregistervm": E("delete", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,)), "*": E("")})), **plain("virt-install virt-manager virt-clone virt-viewer qemu-img qemu-nbd qemu-system-x86_64 qemu-system-aarch64 qemu-x86_64 qemu-arm quickemu utmctl prlctl vmrun firecracker cloud-hypervisor guestfish virt-df virt-ls",
            "m= smp= hda=stat cdrom=stat kernel=stat drive= nographic O= f= o= net= netdev= device= cpu= machine= accel= enable-kvm serial= monitor= name= ram= vcpus= disk= cdrom= s"),
    # kernel and devices
    "modprobe": E("r,remove n,dry-run,show,first-time v,verbose a,all f,force C,config=read d,dirname= S,set-version= c,showconfig R D,show-depends q s h,help V,version", ops=(O.CONFIG_CHANGE,), preview="help version dry-run showconfig show-depends"), "insmod": E("f s", "run any*", ops=(O.CONFIG_CHANGE,)), **each("rmmod kextload kextunload kldload kldunload", E("f,force v s,syslog w b=", ops=(O.CONFIG_CHANGE,))),
    **plain("depmod modinfo kmod kextstat kldstat dkms lsinitramfs lsinitrd", "a n v b= F=read e E= C="), **each("update-initramfs mkinitcpio dracut mkinitrd update-grub grub-mkconfig grub2-mkconfig kernel-install sdboot-manage nvram", E("u c d k= p= P o,output=write f,force b= B B= n= v,verbose add-drivers= a A", special=_more_operands(1))),
    "efibootmgr": E("b,bootnum= B,delete-bootnum c,create C,create-only d,disk= p,part= l,loader= L,label= n,bootnext= N,delete-bootnext o,bootorder= O,delete-bootorder a,active A,inactive t,timeout= T,delete-timeout q,quiet v,verbose V,version u,unicode", special=_boot_entry, preview="help version"),
    "grubby": E("remove-kernel= set-default= update-kernel= args= remove-args= add-kernel= info= default-kernel default-index copy-default title= initrd= make-default", special=_boot_entry), "bless": E("setBoot mount= folder= file= device= info? getBoot nextonly", style=Style.SINGLE, special=_boot_entry),
    **each("grub-install grub2-install lilo extlinux", E("boot-directory=mkdir efi-directory=mkdir target= bootloader-id= recheck removable no-nvram force h,help V,version", "write", traits=(Trait.BOOT_CHANGE,))), "sysctl": E("a,all w,write p,load? n,values e,ignore N,names q,quiet b,binary system pattern= X A h,help V,version d", special=_sysctl),
    **each("mount", E("t,types= o,options= a,all B,bind R,rbind M,move r,read-only,ro w,rw L,label= U,uuid= n v f,fake l s,source= target= T,fstab=read i F mkdir? make-shared make-private make-rshared make-rprivate onlyonce N= h,help V,version", special=_mount, preview="help version fake")),
    **each("umount fusermount fusermount3", E("a,all f,force l,lazy R,recursive n r,read-only v t,types= O= d i q c fake A u z h,help V,version", special=_mount, preview="help version fake")), **each("swapon swapoff", E("a,all e d? f p= s,summary show? L= U= v noheadings raw bytes h,help V,version o,options=", special=_mount, preview="help version show summary")),
    **each("sshfs s3fs gcsfuse ntfs-3g mount.cifs mount.nfs davfs2 encfs gocryptfs cryfs bindfs unionfs overlayfs udisksctl pmount pumount findmnt mountpoint lsscsi rtcwake sg_map sensors-detect usb_modeswitch usbreset eject pw-cli pactl amixer alsamixer wpctl brightnessctl xbacklight"
           " light ddcutil acpi_call tlp tlp-stat auto-cpufreq powerprofilesctl fwupdmgr fwupdtool solaar evtest xinput setxkbmap xmodmap loadkeys setfont setleds showkey localedef kbdrate", E("o= p= r d a,all t= u n l s b,block-device= object-path= m,mode= no-user-interaction D f F g w,systohc s,hctosys set date=")),
    "hwclock": E("r,show w,systohc s,hctosys set date= u,utc l,localtime v,verbose h,help V,version", marks=_named("systohc hctosys set", O.CONFIG_CHANGE)),
    # clock, names, limits
    "date": E("d,date= f= file=read I? iso-8601? R,rfc-email,rfc-2822 rfc-3339= r,reference=word s,set= u,utc,universal j n v= z= debug resolution h,help version", marks={"set": (O.CONFIG_CHANGE,)}), "gdate": E("d,date= f= I? R r= s,set= u", marks={"set": (O.CONFIG_CHANGE,)}),
    "hostname": E("a,alias A,all-fqdns b,boot d,domain f,fqdn,long F,file=read i,ip-address I,all-ip-addresses s,short y,yp h,help V,version", special=_more_operands(0)),
    **each("hostnamectl timedatectl localectl", E("H,host= M,machine= p,property= P,pretty static transient no-pager no-ask-password adjust-system-clock a,all value monitor json= l no-convert j h,help version", special=_by_verb(dict.fromkeys(("set-hostname", "hostname-set", "set-time", "set-timezone", "set-ntp", "set-local-rtc", "set-locale", "set-keymap", "set-x11-keymap", "set-icon-name", "set-chassis", "set-deployment", "set-location"), (O.CONFIG_CHANGE,))))),
    "tzselect": E(""), "man": E("P,pager=code H? K f k a w,where,path l,local-file M= S= L= e= m= C=read r= E= R= T? t Z 7 h,help V,version", "word*"),
    # macOS
    "defaults": E("currentHost host=", verbs={**each("read read-type find domains export help", E("", out=Out.CONTENT)), "write": E("", style=Style.FREE, special=_defaults), **each("delete rename import", E("", special=_defaults))}),
    **each("scutil networksetup systemsetup pmset plistbuddy", E("c=word x h set= get= dns proxy prefs nc r w=", style=Style.SINGLE, special=_more_operands(1), marks={"set": (O.CONFIG_CHANGE,)})), "plutil": E("p l,lint convert=word extract=word replace=word insert=word remove=word o=write s r e= type=", "search*", style=Style.SINGLE, ordered=False),
    "tmutil": E("a l d= m= r", verbs={**each("delete deletelocalsnapshots deleteinprogress disable thinlocalsnapshots removedestination", E("d= t= p=", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))), "*": E("")}),
    "hdiutil": E("", verbs={"create": E("size= fs= volname= srcfolder=source format= ov type= layout= stdinpass encryption?", "write", style=Style.SINGLE), **each("attach mount", E("mountpoint=mkdir nobrowse readonly quiet noverify", "stat", style=Style.SINGLE)), **each("detach unmount eject", E("force quiet", style=Style.SINGLE)), "convert": E("o=write format=", "source", style=Style.SINGLE), "*": E("")}),
    "asr": E("", special=_by_verb({"restore": (O.DISK_WRITE,)})), **each("open", E("a= b= e t f F W,wait-apps R,reveal n,new g,background h s= u= i= o= args env= stdin= stdout= stderr=", "maybe-url*", ordered=False)),
    **each("xdg-open gnome-open kde-open exo-open gvfs-open sensible-browser x-www-browser wslview cygstart see firefox chromium chromium-browser google-chrome google-chrome-stable brave brave-browser microsoft-edge safari opera vivaldi browsh", E(
        "headless? screenshot? print-to-pdf? disable-gpu no-sandbox P= profile= new-window private-window user-data-dir=mkdir remote-debugging-port= dump dump-dom T source nolist width= window-size= virtual-time-budget= kiosk app= incognito version help h", "maybe-url*")),
    **plain("pbpaste xclip xsel wl-paste wl-copy pbcopy clip.exe termux-clipboard-get screencapture scrot maim grim slurp spectacle gnome-screenshot flameshot screenkey xdotool ydotool wtype wmctrl xprop xwininfo xev xset autorandr arandr i3-msg swaymsg hyprctl bspc yabai skhd awesome-client dmenu rofi wofi"
            " zenity kdialog yad dialog whiptail dunstify terminal-notifier dbus-send dbus-monitor gdbus qdbus gsettings dconf xfconf-query kwriteconfig5 kreadconfig5 gconftool-2 plasmashell gnome-shell gnome-session-quit loginwindow mdls mdutil mdimport sips ditto lsregister lsappinfo ioreg kmutil sample spindump heap leaks vmmap"
            " footprint fs_usage sc_usage opensnoop execsnoop iosnoop dtruss dtrace sysdiagnose powermetrics taskinfo latency allmemory systemstats profiles mdmclient jamf munki autopkg trimforce purge atsutil automator shortcuts osacompile osadecompile textutil afplay afconvert afinfo airport wdutil networkquality sntp"
            " bpftrace funccount trace-cmd kernelshark stap crash makedumpfile kdump drgn abrt-cli gcore eu-stack pstack usbview dmidecode biosdecode lstopo hwloc-ls likwid-topology mcelog rasdaemon edac-util ipmi-sensors sg_inq smartd blktrace btt iozone bonnie++"
            " watchman inotifywait fswatch incrond zoxide z fasd autojump mcfly atuin thefuck starship powerline oh-my-posh fisher tpm antigen asciinema ttyrec termtosvg terminalizer vhs svg-term scriptreplay lolcrab toilet boxes aafire pipes.sh hollywood no-more-secrets tty-clock"
            " termdown remind calcurse-cli taskwarrior timew todo.sh buku newsboat weechat irssi profanity mpc ncmpcpp playerctl mplayer cvlc aplay arecord speaker-test espeak festival flite pico2wave"),
    # images, sound, documents
    **each("ffmpeg ffprobe ffplay", E(style=Style.FREE, special=_ffmpeg)),
    **each("convert magick composite montage sox lame oggenc flac opusenc cwebp dwebp gif2webp pngcrush jpegtran rsvg-convert inkscape wkhtmltopdf wkhtmltoimage weasyprint pdfunite pdfseparate pdftoppm pdftocairo pdfimages pdf2svg img2pdf ocrmypdf tesseract gs ps2pdf14 potrace vtracer heif-convert avifenc cjxl svgcleaner unoconv libreoffice soffice"
           " abiword calibre ebook-convert antiword catdoc docx2txt pdftohtml html2text csvkit in2csv xlsx2csv ssconvert gdal_translate gdalwarp ogr2ogr osm2pgsql tippecanoe jpegoptim optipng pngquant gifsicle zopflipng exiftran dcraw darktable-cli rawtherapee-cli gmic stegano zbarimg qrencode barcode",
           E("o,output=log out-file=log b= q= r= s= t= f= size= quality= resize= headless convert-to= outdir=mkdir h,help version d= density= background= gravity= geometry= strip i= l= e= q,quiet", "search*", style=Style.SINGLE, special=_last_written)),
    **each("mogrify", E("resize= quality= format= path=mkdir strip rotate= crop=", "format*", style=Style.SINGLE)), **each("gm", E("", verbs={"mogrify": E("", "format*", style=Style.SINGLE), "*": E("", style=Style.SINGLE, special=_last_written)})),
    **plain("handbrakecli mkvmerge mkvextract mkvinfo mp4box mp4info vainfo v4l2-ctl gphoto2 scanimage lp lpr lpq lpstat lprm cancel cupsenable lpadmin lpinfo a2ps enscript obs streamripper liquidsoap mpd pulseaudio pipewire jackd rtmpdump gst-launch-1.0 gst-inspect-1.0 melt kdenlive povray yafaray",
            "o,output=log i= e= q= b= d= P= n= h,help version list-devices all"),
    # backups
    **each("duply", E("dry-run force full-if-older-than= exclude= include= encrypt-key= v=", special=_by_verb(dict.fromkeys(("remove-older-than", "remove-all-but-n-full", "remove-all-inc-of-but-n-full", "cleanup", "purge"), (O.DELETE, Trait.DESTROYS_RESOURCE))))),
    "kopia": E("", verbs={"snapshot": E("", verbs={**each("delete expire", E("delete all", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))), "*": E("")}), "*": E("")}), "snapper": E("c,config= q v", verbs={**each("delete remove rm delete-config", E("s,sync", ops=(O.DELETE,), traits=(Trait.DESTROYS_RESOURCE,))), "*": E("")}),
    "timeshift": E("create restore delete delete-all list snapshot= snapshot-device= comments= tags= yes scripted check", marks=_named("delete delete-all", O.DELETE, marks=(Trait.DESTROYS_RESOURCE,))), **plain("rsnapshot bup tarsnap attic bupstash urbackupclientctl deja-dup vorta autorestic resticprofile syncthing lsyncd csync2 osync"),
}  # fmt: skip
