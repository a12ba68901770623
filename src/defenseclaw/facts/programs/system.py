"""Processes, identity, services, scheduling, packages of the system, and kernel settings."""

from __future__ import annotations

from defenseclaw.core.facts import (
    ByteKind,
    Dialect,
    IssueCode,
    NetworkAction as N,
    OperationKind as O,
    PathAccess,
)
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E, Out, Style
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import Endpoint, canonical_host
from defenseclaw.facts.roles import apply_role, require
from defenseclaw.facts.script import Word
from defenseclaw.facts.table_reader import apply_roles

_ADMIN_GROUPS = frozenset(
    {"root", "sudo", "wheel", "admin", "docker", "lxd", "incus", "podman", "adm", "disk", "shadow"}
)


# --- processes ---


def _kill(inv: Invocation) -> None:
    """kill: signal 0 only asks; a target of -1 is everything."""
    words = [w.value or "" for w in inv.words[1:]]
    signal, targets = _signal(words)
    if signal == "0" and targets:
        return
    inv.op(O.PROCESS_KILL)
    if "-1" in targets:
        inv.trait(Trait.KILL_ALL)


def _signal(words: list[str]) -> tuple[str, list[str]]:
    """The signal and the targets of a kill command line."""
    if words and words[0] in ("-s", "-n", "--signal") and len(words) > 1:
        signal, rest = words[1], words[2:]
    elif words and words[0].startswith("--signal="):
        signal, rest = words[0].partition("=")[2], words[1:]
    elif words and words[0].startswith("-") and words[0] != "--" and len(words) > 1:
        signal, rest = words[0][1:], words[1:]
    else:
        signal, rest = "TERM", words
    return signal.upper().removeprefix("SIG"), [w for w in rest if w != "--"]


def _pkill(inv: Invocation) -> None:
    inv.op(O.PROCESS_KILL)
    operands = [w.value for w in inv.parsed.operands]
    if any(o in (".", ".*", "*", "") for o in operands) or (
        inv.parsed.has("u", "U", "uid", "euid") and not operands
    ):
        inv.trait(Trait.KILL_ALL)


# --- accounts and identity ---


def _account(inv: Invocation) -> None:
    """Accounts that become privileged: user id 0, or an administrators' group."""
    parsed = inv.parsed
    groups = [g for name in ("groups", "gid", "add", "group", "G", "g", "a") for w in parsed.all_values(name)
              for g in (w.value or "").split(",")]  # fmt: skip
    operands = [w.value or "" for w in parsed.operands]
    if any(g in _ADMIN_GROUPS for g in groups + operands[1:]) or any(
        w.value == "0" for w in parsed.all_values("uid")
    ):
        inv.trait(Trait.ADMIN_GRANT)


def _useradd(inv: Invocation) -> None:
    inv.op(O.CONFIG_CHANGE if inv.parsed.has("defaults") else O.ACCOUNT_CHANGE)
    _account(inv)


def _gpasswd(inv: Invocation) -> None:
    inv.op(O.ACCOUNT_CHANGE)
    operands = [w.value or "" for w in inv.parsed.operands]
    if operands and operands[-1] in _ADMIN_GROUPS and inv.parsed.has("add"):
        inv.trait(Trait.ADMIN_GRANT)


# --- services and schedules ---


def _crontab(inv: Invocation) -> None:
    """crontab: lists, or installs from a file or standard input."""
    parsed = inv.parsed
    if parsed.has("l"):
        inv.op(O.LIST)
        return
    inv.op(O.SCHEDULE)
    if parsed.has("r"):
        inv.op(O.DELETE)
        return
    inv.trait(Trait.PERSISTENCE)
    operands = parsed.operands
    if not operands or operands[0].value == "-":
        _cron_text(inv)
        return
    require(inv, operands[0])
    apply_role(inv, "read", operands[0])
    if operands[0].value is not None:
        _cron_lines(inv, inv.inputs[-1].text if inv.inputs else None)


def _cron_text(inv: Invocation) -> None:
    inv.stdin_kind = ByteKind.EXECUTED
    if inv.stdin.text is not None:
        _cron_lines(inv, inv.stdin.text)


def _cron_lines(inv: Invocation, text: str | None) -> None:
    """The command part of each line will run."""
    for line in (text or "").splitlines()[:256]:
        fields = line.split(None, 5)
        if line.lstrip().startswith("@"):
            fields = ["", "", "", "", *line.split(None, 1)]
        if len(fields) == 6 and not line.lstrip().startswith("#"):
            inv.run_code(Word(fields[5]), How(wrapper=False, dialect=Dialect.POSIX))


def _at(inv: Invocation) -> None:
    parsed = inv.parsed
    if parsed.has("l", "c"):
        inv.op(O.LIST)
        return
    inv.op(O.SCHEDULE)
    if parsed.has("d", "r"):
        inv.op(O.DELETE)
        return
    for word in parsed.all_values("f"):
        apply_role(inv, "exec", word)
        inv.partial(IssueCode.OPAQUE_ARTIFACT)
    if parsed.has("f"):
        return
    inv.stdin_kind = ByteKind.EXECUTED
    if inv.stdin.text is not None:
        how = How(wrapper=False, dialect=Dialect.POSIX, at=inv.stdin.at)
        inv.builder.runner.code(inv, inv.stdin.text, None, how)
    elif inv.stdin.connected:
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


_SYSTEMCTL_LIST = frozenset(
    "status show list-units list-unit-files list-timers list-sockets list-jobs list-dependencies is-active is-enabled is-failed"
    " is-system-running cat help get-default show-environment list-machines".split()
)
_SYSTEMCTL_PERSIST = frozenset(
    "enable reenable link preset preset-all add-wants add-requires set-default edit unmask revert".split()
)


def _systemctl(inv: Invocation) -> None:
    verb = inv.fact.subcommand or (inv.parsed.operands[0].value or "" if inv.parsed.operands else "list-units")
    inv.fact.subcommand = verb
    if verb in _SYSTEMCTL_LIST:
        inv.op(O.LIST)
        return
    inv.op(O.SCHEDULE)
    if verb in _SYSTEMCTL_PERSIST:
        inv.trait(Trait.PERSISTENCE)
    units = [w.value or "" for w in inv.parsed.operands[1:]]
    _own_service(inv, verb, units)
    if verb == "link":
        for word in inv.parsed.operands[1:]:
            apply_role(inv, "read", word)


def _own_service(inv: Invocation, verb: str, units: list[str]) -> None:
    if verb in ("stop", "disable", "mask", "kill", "unload", "bootout", "remove", "delete") and any(
        "defenseclaw" in unit.lower() for unit in units
    ):
        inv.trait(Trait.GUARD_TAMPER)


def _launchctl(inv: Invocation) -> None:
    operands = inv.parsed.operands
    verb = operands[0].value or "" if operands else "help"
    inv.fact.subcommand = verb
    if verb in ("list", "print", "print-disabled", "help", "version", "blame", "dumpstate", "hostinfo"):
        inv.op(O.LIST)
        return
    inv.op(O.SCHEDULE)
    if verb in ("load", "bootstrap", "enable", "submit", "kickstart"):
        inv.trait(Trait.PERSISTENCE)
    for word in operands[1:]:
        if word.value is not None and word.value.endswith(".plist"):
            apply_role(inv, "read", word)
    _own_service(inv, verb, [w.value or "" for w in operands[1:]])


# --- our own commands ---

def _own(inv: Invocation) -> None:
    """Our own command line: looking is free, switching protection off or down is not."""
    words = [w.value or "" for w in inv.words[1:]]
    verbs = [w for w in words if not w.startswith("-")]
    inv.fact.subcommand = " ".join(verbs[:2])
    if _is_tamper(verbs, words):
        inv.trait(Trait.GUARD_TAMPER)


def _is_tamper(verbs: list[str], words: list[str]) -> bool:
    text = " ".join(words)
    if not verbs:
        return False
    if any(v in _OWN_SWITCH_OFF for v in verbs[:3]):
        return True
    for name, loose in _OWN_LOOSE.items():
        for index, word in enumerate(words):
            value = word.partition("=")[2] if "=" in word else (words[index + 1] if index + 1 < len(words) else "")
            if word.partition("=")[0] == name and value in loose:
                return True
    if verbs[0] == "fail-mode" or "fail-mode" in verbs[:2]:
        return "open" in verbs
    return verbs[0] in ("mode", "observe") and "observe" in text or "--no-human-approval" in words


_OWN_SWITCH_OFF = frozenset(
    {"disable", "remove", "uninstall", "stop", "teardown", "purge", "suppress", "allow", "unblock", "restore", "off", "reset", "kill"}
)
_OWN_LOOSE = {"--mode": ("observe",), "--fail-mode": ("open",), "--profile": ("permissive",), "--state": ("off", "shadow")}


# --- scanners and tunnels ---


def _scan(inv: Invocation) -> None:
    """Network scanners: every target is a scan fact."""
    parsed = inv.parsed
    for option, word in parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    if parsed.has("sL", "iflist", "script-help", "V", "version", "offline", "echo"):
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


def _tunnel(inv: Invocation) -> None:
    inv.op(O.TUNNEL)
    for word in inv.parsed.operands:
        host = canonical_host((word.value or "").partition("://")[2].split("/")[0].split(":")[0] or (word.value or "").split(":")[0])
        if host and "." in host:
            inv.network(N.TUNNEL, Endpoint(host))


def _miner(inv: Invocation) -> None:
    inv.trait(Trait.CRYPTOMINER)


# --- namespaces and roots ---


def _nsenter(inv: Invocation) -> None:
    parsed = inv.parsed
    target = parsed.value("target")
    if target is not None and target.value == "1":
        inv.trait(Trait.HOST_NAMESPACE)
    for word in [w for n in ("mount", "net", "pid", "uts", "ipc", "user", "root") for w in parsed.all_values(n)]:
        inv.path(word, PathAccess.READ)
        if (word.value or "").startswith("/proc/1/"):
            inv.trait(Trait.HOST_NAMESPACE)
    if parsed.operands:
        inv.run(parsed.operands, How(remote=True))
    else:
        inv.trait(Trait.INTERACTIVE_SHELL)


def _chroot(inv: Invocation) -> None:
    operands = inv.parsed.operands
    if not operands:
        return
    apply_role(inv, "list", operands[0])
    if (operands[0].value or "").startswith("/proc/1/root"):
        inv.trait(Trait.HOST_NAMESPACE)
    if len(operands) > 1:
        inv.run(operands[1:], How(remote=True))
    else:
        inv.trait(Trait.INTERACTIVE_SHELL)


def _visudo(inv: Invocation) -> None:
    if not inv.parsed.has("c"):
        inv.path_value("/etc/sudoers", PathAccess.WRITE)


def _passwd(inv: Invocation) -> None:
    inv.op(O.ACCOUNT_CHANGE)


def _sysctl(inv: Invocation) -> None:
    if inv.parsed.has("w", "p", "load", "write", "system") or any("=" in (w.value or "") for w in inv.parsed.operands):
        inv.op(O.CONFIG_CHANGE)


def _install(inv: Invocation) -> None:
    """Installing from a package source: a name that is not known is code that is not known."""
    for word in inv.parsed.operands:
        require(inv, word)
        if word.value is not None and "/" in word.value and "://" not in word.value:
            apply_role(inv, "run", word)
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)


def _mount(inv: Invocation) -> None:
    apply_roles(inv, "word*")
    for word in inv.parsed.operands:
        if word.value is not None and word.value.startswith("/"):
            inv.path(word, PathAccess.METADATA)


_PACKAGE_VERBS = {
    **dict.fromkeys(("install", "add", "upgrade", "dist-upgrade", "full-upgrade", "update", "in", "up", "reinstall", "localinstall",
                     "group", "build-dep", "-s", "sync"), E("y,yes,assume-yes q,quiet f,force n t= o= d no-install-recommends allow-downgrades",
                                                       ops=(O.FETCH,), special=_install)),
    **dict.fromkeys(("remove", "purge", "autoremove", "erase", "uninstall", "rm", "del", "delete", "clean", "autoclean"),
                    E("y,yes,assume-yes q f,force auto-remove purge zap", ops=(O.CONFIG_CHANGE,))),
    "*": E("y,yes,assume-yes q a,all installed names-only", out=Out.CONTENT),
}  # fmt: skip
_PACKAGES = E("y,yes,assume-yes q,quiet n,no o= t= c= h,help v,version s,simulate d R root= no-install-recommends allow-unauthenticated"
              " force-yes fix-broken f,fix-broken setopt= enablerepo= disablerepo= nogpgcheck x= C", verbs=_PACKAGE_VERBS)  # fmt: skip

PROGRAMS = {
    "kill": E(style=Style.FREE, special=_kill),
    "pkill": E("signal= f,full u,euid= U,uid= g,pgroup= P,parent= s= t= G= x,exact n,newest o,oldest v,inverse i,ignore-case e,echo c,count F=read"
               " 9 15 1 2 3 KILL TERM HUP INT STOP", "word*", special=_pkill),
    "killall": E("e,exact I,ignore-case g i,interactive q,quiet r,regexp s,signal= u,user= v,verbose V,version w,wait y= o= Z= l,list"
                 " 9 15 KILL TERM HUP", "word*", special=_pkill),
    "killall5": E("o= #", ops=(O.PROCESS_KILL,), traits=(Trait.KILL_ALL,)),
    "xkill": E("id= all", ops=(O.PROCESS_KILL,)),
    "renice": E("n,priority= p,pid= g= u=", "word*"),
    "reboot": E("f,force p,poweroff w h", traits=(), ops=(O.PROCESS_KILL,)),
    "shutdown": E("h r P k c H f no-wall", "word*", ops=(O.PROCESS_KILL,)),
    "halt": E("f p w", ops=(O.PROCESS_KILL,)),
    "poweroff": E("f p w", ops=(O.PROCESS_KILL,)),
    "useradd": E("b,base-dir= c,comment= d,home-dir= D,defaults e,expiredate= f,inactive= g,gid= G,groups= k,skel= K,key= l m,create-home M N"
                 " o,non-unique p,password= r,system R,root= s,shell= u,uid= U Z=", special=_useradd),
    "adduser": E("c,comment= system disabled-password disabled-login gecos= home= shell= uid= ingroup= group no-create-home quiet g,gid= u,uid="
                 " G,groups= s= h= D H S", special=_useradd),
    "usermod": E("a,append c,comment= d,home= e,expiredate= f,inactive= g,gid= G,groups= l,login= L,lock m,move-home o,non-unique p,password="
                 " R,root= s,shell= u,uid= U,unlock Z= r,remove", special=_useradd),
    "userdel": E("f,force r,remove R= Z", ops=(O.ACCOUNT_CHANGE, O.DELETE)),
    "deluser": E("remove-home remove-all-files backup system force quiet", ops=(O.ACCOUNT_CHANGE, O.DELETE)),
    "groupadd": E("f,force g,gid= K= o p= r,system R=", ops=(O.ACCOUNT_CHANGE,)),
    "groupdel": E("f R=", ops=(O.ACCOUNT_CHANGE,)),
    "gpasswd": E("a,add= d,delete= r R A= M= Q=", special=_gpasswd),
    "groupmems": E("a,add= d,delete= g,group= l p R=", special=_useradd),
    "passwd": E("a d,delete e,expire i= k l,lock n= q R= S,status u,unlock w= x= stdin", special=_passwd),
    "chpasswd": E("c e m R= s=", ops=(O.ACCOUNT_CHANGE,)),
    "chsh": E("s,shell= l u= R=", ops=(O.ACCOUNT_CHANGE,)),
    "chage": E("d= E= I= l m= M= R= W=", ops=(O.ACCOUNT_CHANGE,)),
    "dseditgroup": E("o= a= d= t= n= u= p q", special=_useradd),
    "dscl": E("u= P= p q raw url", ops=(O.ACCOUNT_CHANGE,)),
    "visudo": E("c f=edit s q x= O P", special=_visudo),
    "newgrp": E("", "word", ops=(O.PRIVILEGE,)),
    "crontab": E("u,user= e l r i n c T=", special=_crontab),
    "at": E("V q= f= m M l b v k d r c t= u=", special=_at),
    "batch": E("", special=_at),
    "atq": E("q= V", ops=(O.LIST,)),
    "atrm": E("", ops=(O.SCHEDULE, O.DELETE)),
    "systemctl": E("H,host= M,machine= n,lines= o,output= p,property= root= s,signal= state= t,type= kill-who= job-mode= a,all failed f,force global"
                   " l,full no-ask-password no-block no-legend no-pager no-reload now q,quiet r,recursive runtime system user dry-run show-types"
                   " value plain reverse after before preset-mode= message= what= wait check-inhibitors=", special=_systemctl),
    "service": E("status-all full-restart", special=_systemctl),
    "rc-service": E("", special=_systemctl),
    "rc-update": E("", ops=(O.SCHEDULE,), traits=(Trait.PERSISTENCE,)),
    "update-rc.d": E("f n", ops=(O.SCHEDULE,), traits=(Trait.PERSISTENCE,)),
    "chkconfig": E("list add del level=", ops=(O.SCHEDULE,), traits=(Trait.PERSISTENCE,)),
    "launchctl": E("w F S= D= k p", special=_launchctl),
    "loginctl": E(verbs={"enable-linger": E("", ops=(O.SCHEDULE,), traits=(Trait.PERSISTENCE,)), "*": E("p= no-pager a")}),
    "journalctl": E("u,unit= user-unit= n,lines= f,follow S,since= U,until= p,priority= o,output= b? k,dmesg r,reverse e x no-pager g,grep=pattern t= D=read"
                    " file=read vacuum-size= vacuum-time= rotate flush disk-usage list-boots q a h m", out=Out.CONTENT,
                    marks={"vacuum-size": (O.DELETE,), "vacuum-time": (O.DELETE,)}),
    "logger": E("t= p= f=read s i n= P= u= d T", "text*"),
    "systemd-analyze": E("user system no-pager", "word*"),
    "udevadm": E("", "word*"),
    "modprobe": E("r,remove n,dry-run v a f C= d= S=", ops=(O.CONFIG_CHANGE,)),
    "insmod": E("f", "run word*", ops=(O.CONFIG_CHANGE,)),
    "rmmod": E("f v s w", ops=(O.CONFIG_CHANGE,)),
    "depmod": E("a n v b= F=read", "word*"),
    "sysctl": E("a w,write p?,load? n e N q b system pattern=", special=_sysctl),
    "swapon": E("a e p= s show", "meta*"),
    "swapoff": E("a", "meta*"),
    "mount": E("t,types= o,options= a,all B,bind R,rbind M,move r,read-only w L= U= n v f l", special=_mount),
    "umount": E("a f,force l,lazy R,recursive n r v t= O=", special=_mount),
    "iptables": E("t= A= I= D= F? X? P= N= L? S? p= s= d= j= i= o= m= dport= sport= n v line-numbers w?", ops=(O.CONFIG_CHANGE,)),
    "ip6tables": E("", ops=(O.CONFIG_CHANGE,)),
    "nft": E("f=read a n j c", ops=(O.CONFIG_CHANGE,)),
    "ufw": E("force dry-run", verbs={"status": E(), "show": E(), "*": E("", ops=(O.CONFIG_CHANGE,))}),
    "firewall-cmd": E("permanent reload list-all list-ports state zone= add-port= remove-port= add-service=", ops=(O.CONFIG_CHANGE,)),
    "setenforce": E("", ops=(O.CONFIG_CHANGE,)),
    "ip": E("4 6 s d br,brief c,color j,json p o n= a,all", "word*", style=Style.SINGLE),
    "route": E("n v e A=", "word*"),
    "arp": E("a n d= s= i=", "word*"),
    "nmcli": E("t f= m= g= c= a w=", "word*"),
    "resolvectl": E("", "word*"),
    "scutil": E("", "word*"),
    "networksetup": E("", "word*", style=Style.SINGLE, ops=(O.CONFIG_CHANGE,)),
    "defaults": E("currentHost host=", verbs={"read": E(), "find": E(), "domains": E(), "*": E("", "text*", ops=(O.CONFIG_CHANGE,))}),
    "csrutil": E("", ops=(O.CONFIG_CHANGE,)),
    "spctl": E("", ops=(O.CONFIG_CHANGE,)),
    "security": E("", verbs={
        **dict.fromkeys(("find-generic-password", "find-internet-password"), E("a= s= l= w g D= C= G= j= r= t=",
                        marks={"w": (O.CREDENTIAL_READ,), "g": (O.CREDENTIAL_READ,)})),
        **dict.fromkeys(("dump-keychain", "export"), E("a d r i k= t= f= o=write", ops=(O.CREDENTIAL_READ,))),
        "*": E("a= s= w= d k= t= p= r= U A T= D="),
    }),
    "secret-tool": E(verbs={"lookup": E("", ops=(O.CREDENTIAL_READ,)), "search": E("all unlock", ops=(O.CREDENTIAL_READ,)), "*": E("label=")}),
    "pass": E("", verbs={**dict.fromkeys(("ls", "list", "find", "search", "grep", "help", "version"), E("", ops=(O.LIST,))),
                         **dict.fromkeys(("insert", "edit", "generate", "rm", "mv", "cp", "git", "init", "otp"), E("f m e n c i r")),
                         "show": E("c? q?", ops=(O.CREDENTIAL_READ,)), "*": E("c?", ops=(O.CREDENTIAL_READ,))}),
    "op": E("account= cache config= encoding= format= session= iso-timestamps", verbs={
        "read": E("n,no-newline o,out-file=write", ops=(O.CREDENTIAL_READ,)),
        **{g: E("", verbs={"get": E("fields= vault= otp reveal format= share-link", ops=(O.CREDENTIAL_READ,)), "*": E("vault= categories= tags= title= long")})
           for g in ("item", "document", "vault", "user", "group", "account")},
        "run": E("env-file=read no-masking", ordered=True, special=lambda inv: _run_rest(inv)),
        "inject": E("i,in-file=read o,out-file=write f", ops=(O.CREDENTIAL_READ,)), "*": E()}),
    "bw": E("", verbs={"get": E("session= raw", ops=(O.CREDENTIAL_READ,)), "list": E("session= search=", ops=(O.CREDENTIAL_READ,)),
                       "export": E("output=write format=", ops=(O.CREDENTIAL_READ,)), "*": E("session= raw passwordenv= check")}),
    "vault": E("address= agent-address= ca-cert= client-cert= client-key= namespace= ns= field= format= mount= output-curl-string non-interactive token=",
               style=Style.SINGLE, verbs={
        "kv": E(style=Style.SINGLE, verbs={"get": E("version=", style=Style.SINGLE, ops=(O.CREDENTIAL_READ,)),
                **dict.fromkeys(("delete", "destroy", "metadata"), E("versions=", style=Style.SINGLE, ops=(O.DELETE,))), "*": E(style=Style.SINGLE)}),
        "read": E(style=Style.SINGLE, ops=(O.CREDENTIAL_READ,)), "*": E(style=Style.SINGLE)}),
    "gpg": E("e,encrypt d,decrypt s,sign b,detach-sign c,symmetric a,armor r,recipient= u,local-user= o,output=write k,list-keys K,list-secret-keys"
             " import export export-secret-keys export-secret-subkeys delete-keys delete-secret-keys gen-key full-generate-key verify batch yes"
             " passphrase= passphrase-file=read pinentry-mode= keyserver= recv-keys search-keys homedir=list clearsign dearmor no-tty q,quiet v t"
             " fingerprint trust-model= with-colons no-default-keyring keyring= edit-key quick-gen-key status-fd=", "read*", out=Out.CONTENT,
             marks={"export-secret-keys": (O.CREDENTIAL_READ,), "export-secret-subkeys": (O.CREDENTIAL_READ,)}),
    "age": E("d,decrypt e,encrypt r,recipient= R=read i,identity=read o,output=write a p", "read*", out=Out.CONTENT),
    "sops": E("d,decrypt e,encrypt i,in-place output=write k= p= input-type= output-type= set=", "read*", out=Out.CONTENT),
    "nsenter": E("t,target= m?,mount? u?,uts? i?,ipc? n?,net? p?,pid? U?,user? C? T? S= G= r?,root? w?,wd? F Z a,all preserve-credentials",
                 ops=(O.NAMESPACE_ENTER,), ordered=True, special=_nsenter),
    "chroot": E("groups= userspec= skip-chdir", ops=(O.ROOT_CHANGE,), ordered=True, special=_chroot),
    "nmap": E("iL=read iR= oA=log oG=log oN=log oS=log oX=log sI= D= S= e= g= p= T= data-length= host-timeout= max-rate= min-rate= max-retries="
              " script=code-name script-args= top-ports= exclude= excludefile=read ttl= 6 A F n O Pn R sA sC sF sL sn sP sS sT sU sV v vv iflist open"
              " reason traceroute script-help=".replace("=code-name", "="), special=_scan, style=Style.SINGLE),
    "masscan": E("c=read e= oB=log oG=log oJ=log oL=log oX=log p= rate= ports= exclude= excludefile=read includefile=read iL=read range= banners echo offline",
                 special=_scan, style=Style.SINGLE),
    "zmap": E("p= o=log r= n= i= w=read b=read B= s=", special=_scan),
    "rustscan": E("a= p= r= b= t= u= g ulimit= range=", special=_scan),
    "naabu": E("host= l=read list=read o=log output=log p= port= tp= top-ports= rate= c= silent json csv", special=_scan, style=Style.SINGLE),
    "fping": E("b= B= c= C= f=read H= i= I= p= r= t= a A d D e g,generate l m n q s u", special=_scan),
    "arp-scan": E("l,localnet I= interface= r=", special=_scan),
    "netdiscover": E("r= i= p f", special=_scan),
    "gobuster": E("", "word*", ops=(O.NETWORK_SCAN,)), "ffuf": E("u=url w=read", ops=(O.NETWORK_SCAN,), style=Style.SINGLE),
    "nikto": E("h=host p=", ops=(O.NETWORK_SCAN,), style=Style.SINGLE), "sqlmap": E("u=url batch", ops=(O.NETWORK_SCAN,)),
    "hydra": E("l= L=read p= P=read s= t= f V", ops=(O.NETWORK_SCAN,)),
    "ngrok": E("", special=_tunnel), "cloudflared": E("url= name=", special=_tunnel), "localtunnel": E("p,port= s,subdomain=", special=_tunnel),
    "lt": E("p,port= s,subdomain= h,host=", special=_tunnel), "bore": E("to= p=", special=_tunnel),
    "chisel": E("auth= fingerprint= keepalive= proxy= v header= hostname= pid tls-ca= tls-cert= tls-key= port= p= reverse socks5 key=",
                special=_tunnel),
    "ligolo-agent": E("connect= ignore-cert", special=_tunnel, style=Style.SINGLE), "frpc": E("c=read", special=_tunnel),
    "tailscale": E("", verbs={"funnel": E("bg", ops=(O.TUNNEL,)), "serve": E("bg", ops=(O.TUNNEL,)), "ssh": E("", "host", ops=(O.CONNECT,)), "*": E()}),
    **dict.fromkeys(("xmrig", "xmrig-proxy", "minerd", "cpuminer", "cpuminer-multi", "ethminer", "cgminer", "bfgminer", "t-rex", "lolminer",
                     "nbminer", "teamredminer", "phoenixminer", "nanominer"), E("", special=_miner)),
    "apt": _PACKAGES, "apt-get": _PACKAGES, "aptitude": _PACKAGES, "yum": _PACKAGES, "dnf": _PACKAGES, "zypper": _PACKAGES, "apk": _PACKAGES,
    "brew": _PACKAGES, "port": _PACKAGES, "snap": _PACKAGES, "flatpak": _PACKAGES, "pkg": _PACKAGES, "microdnf": _PACKAGES, "choco": _PACKAGES,
    "scoop": _PACKAGES, "winget": _PACKAGES, "opkg": _PACKAGES, "xbps-install": E("S u y", special=_install, ops=(O.FETCH,)),
    "emerge": E("a v u D N p c 1", special=_install, ops=(O.FETCH,)),
    "pacman": E("S R Q U F D T y u s i l q n c w noconfirm needed asdeps overwrite=", "word*", ops=()),
    "yay": E("S R Q U y u s i noconfirm", "word*"), "paru": E("S R Q y u s noconfirm", "word*"),
    "dpkg": E("i,install l,list L s,status S r,remove P,purge configure a,pending unpack force-all force-depends", "run*", by_option={
        "list": "word*", "L": "word*", "status": "word*", "S": "word*", "remove": "word*", "purge": "word*", "configure": "word*"}),
    "rpm": E("i U F e,erase q,query V a l f p i qa import nodeps force v h", "word*"),
    "apt-cache": E("", "word*"), "apt-file": E("", "word*"), "apt-key": E("", verbs={"add": E("", "read", ops=(O.CONFIG_CHANGE,)), "*": E()}),
    "apt-mark": E("", "word*"), "add-apt-repository": E("y r s n u", "word*", ops=(O.CONFIG_CHANGE,)), "dpkg-query": E("W f= s l L S", "word*"),
    "debconf-set-selections": E("", "read"), "update-alternatives": E("install config= set= list= display= query= auto= remove= all", "word*"),
    "ldconfig": E("v p n X N C= f=", "word*"), "locale-gen": E("", "word*"),
    "nix": E("", "word*", ops=()), "nix-env": E("i q e u A= f= p=", "word*"), "nix-shell": E("p run=code command=code pure I= A= packages=", "word*"),
    "nix-build": E("A= o= I=", "word*"), "nix-channel": E("", "word*"), "guix": E("", "word*"),
    **dict.fromkeys(("defenseclaw", "defenseclaw-gateway", "defenseclaw-hook"), E(style=Style.FREE, special=_own)),
}  # fmt: skip


def _run_rest(inv: Invocation) -> None:
    if inv.parsed.operands:
        inv.run(inv.parsed.operands)

