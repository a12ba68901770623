"""Programs that create, remove, move and change files and their permissions."""

from __future__ import annotations

from defenseclaw.core.facts import CommandEffect, IssueCode, PathAccess
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import PathLabel, Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Style
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.paths import clean, is_below
from defenseclaw.facts.roles import require
from defenseclaw.facts.table_reader import apply_roles
from defenseclaw.facts.typed.shell_patch import apply_patch, apply_with_patch


def _permission(inv: Invocation) -> None:
    """chmod: the mode is the first operand, or the option-like ``-x``; the rest are targets."""
    parsed = inv.parsed
    symbolic = [w for w in parsed.unknown if w.value and set(w.value[1:]) <= set("rwxXst,")]
    parsed.unknown = [w for w in parsed.unknown if w not in symbolic]
    if parsed.unknown:
        inv.partial(IssueCode.UNKNOWN_OPERAND_GRAMMAR)
    if symbolic or parsed.has("reference"):
        apply_roles(inv, "meta*")
        return
    if parsed.operands:
        require(inv, parsed.operands[0])
        mode_traits(inv, parsed.operands[0].value or "")
    apply_roles(inv, "word meta*")


def mode_traits(inv: Invocation, mode: str) -> None:
    """Traits of a mode in octal or symbolic form."""
    if mode.isdigit() and len(mode) <= 5:
        bits = int(mode, 8) if set(mode) <= set("01234567") else 0
        if bits & 0o002:
            inv.trait(Trait.WORLD_WRITABLE)
        if bits & 0o044:
            inv.trait(Trait.OPEN_MODE)
        if bits & 0o6000:
            inv.trait(Trait.SETUID)
        return
    for clause in mode.split(","):
        at = next((i for i, c in enumerate(clause) if c in "+=-"), -1)
        if at >= 0 and set(clause[:at]) <= set("ugoa"):
            _symbolic_traits(inv, clause[:at], clause[at:])


def _symbolic_traits(inv: Invocation, who: str, changes: str) -> None:
    """``o+w`` and ``a=rw`` open to the world; ``u+s`` and ``+s`` set an identity bit."""
    granted = ""
    sign = ""
    for character in changes:
        if character in "+=-":
            sign = character
        elif sign in ("+", "="):
            granted += character
    if "w" in granted and ("o" in who or "a" in who):
        inv.trait(Trait.WORLD_WRITABLE)
    if "r" in granted and (not who or set(who) & set("goa")):
        inv.trait(Trait.OPEN_MODE)
    if "s" in granted:
        inv.trait(Trait.SETUID)


def _ownership(inv: Invocation) -> None:
    """chown and chgrp: the owner is the first operand unless it is taken from a file."""
    operands = inv.parsed.operands
    if not inv.parsed.has("reference") and operands:
        require(inv, operands[0])
        owner = operands[0].value or ""
        if owner.partition(":")[0].partition(".")[0] in ("root", "0"):
            inv.trait(Trait.OWNER_ROOT)
    apply_roles(inv)


# Capabilities that amount to another identity or to the whole machine.
_STRONG_CAPABILITIES = (
    "setuid",
    "setgid",
    "sys_admin",
    "dac_override",
    "dac_read_search",
    "sys_ptrace",
    "sys_module",
    "all",
)


def _capabilities(inv: Invocation) -> None:
    operands = inv.parsed.operands
    if (
        operands
        and not inv.parsed.has("r")
        and any(c in (operands[0].value or "").lower() for c in _STRONG_CAPABILITIES)
    ):
        inv.trait(Trait.SETUID)
    apply_roles(inv)


def _install(inv: Invocation) -> None:
    mode = inv.parsed.value("mode")
    if mode is not None:
        mode_traits(inv, mode.value or "")
        if Trait.SETUID in inv.fact.traits or Trait.WORLD_WRITABLE in inv.fact.traits:
            inv.op(O.PERMISSION_CHANGE)
            if inv.parsed.operands:
                inv.path(inv.parsed.operands[-1], PathAccess.METADATA)
    if inv.parsed.has("directory"):
        apply_roles(inv)
    else:
        _copied(inv)


def _fifo(inv: Invocation) -> None:
    """Named pipes join commands that stand apart in the text."""
    apply_roles(inv)
    for word in inv.parsed.operands:
        if word.value:
            inv.builder.fifos.add(inv.builder.locate(word.value, inv.cwd).resolved)


def _linked(inv: Invocation) -> None:
    """Links give files other names; whether they are symbolic does not matter to a reader."""
    apply_roles(inv)
    relative = inv.parsed.has("symbolic") and not inv.parsed.has("relative")
    for target, name in _pairs(inv):
        folder = name.rpartition("/")[0] if relative else inv.cwd
        inv.builder.links.add(name, inv.builder.locate(target, folder or "/").resolved)


def _copied(inv: Invocation) -> None:
    """A program stays what it is under another name."""
    apply_roles(inv)
    if inv.parsed.has("symbolic-link") or inv.parsed.has("link"):
        for target, name in _pairs(inv):
            inv.builder.links.add(name, inv.builder.locate(target, inv.cwd).resolved)
    for source, copy in _pairs(inv):
        inv.builder.links.add_program(copy, inv.builder.locate(source, inv.cwd).resolved)


def _pairs(inv: Invocation) -> list[tuple[str, str]]:
    """Each source as it is written, and the resolved name that it gets."""
    words = [w.value for w in inv.parsed.operands]
    if None in words or inv.frame.remote or inv.fact.effect is CommandEffect.UNCERTAIN:
        return []
    values = [value for value in words if value]
    folder = inv.parsed.value("target-directory")
    into = folder.value if folder is not None else None
    if into is None:
        into = values.pop() if len(values) > 1 else "./"
        place = inv.builder.locate(into, inv.cwd)
        single = (
            len(values) == 1 and not into.endswith(("/", "/.", "/..")) and into not in (".", "..")
        )
        if single and not _is_folder(inv, place.resolved):
            return [(values[0], place.resolved)] if place.resolved else []
    base = inv.builder.locate(into, inv.cwd).resolved
    return [(v, clean(f"{base}/{v.rstrip('/').rpartition('/')[2]}")) for v in values if base]


def _is_folder(inv: Invocation, path: str) -> bool:
    """Whether a path is surely a folder: it holds where we are, or everybody has it."""
    place = inv.builder.place(inv.cwd)
    own = any(p == path or is_below(p, path) for p in (place.cwd, place.home) if p)
    labels = inv.builder.labels_of(inv.builder.locate(path, inv.cwd), False, False)
    return own or PathLabel.SYSTEM_TREE in labels or path in ("/tmp", "/var/tmp")  # noqa: S108


_COPY_OPTIONS = (
    "a,archive attributes-only backup? b copy-contents d f,force i,interactive H l,link L,dereference"
    " n,no-clobber P,no-dereference p preserve? no-preserve= parents R,r,recursive reflink?"
    " remove-destination sparse= strip-trailing-slashes s,symbolic-link S,suffix="
    " t,target-directory=write T,no-target-directory u,update? v,verbose x,one-file-system Z context?"
    " c X debug help version exchange no-copy keep-directory-symlink"
)
_CHANGE_OPTIONS = (
    "c,changes f,silent,quiet v,verbose no-preserve-root preserve-root reference=stat R,recursive"
    " H L P h,no-dereference dereference help version"
)

PROGRAMS = {
    "rm": E(
        "d,dir f,force i I interactive? P r,R,recursive v,verbose W x,one-file-system"
        " preserve-root? no-preserve-root help version",
        "delete*",
        ops=(O.DELETE,),
        strict=True,
    ),
    "zf_rm": E("d f,force i r,R,recursive s", "delete*", ops=(O.DELETE,), strict=True),
    "zf_mv": E("f,force i s", "move* write", ops=(O.MOVE,), strict=True),
    "zf_ln": E("d f,force h i n s,symbolic", "stat* write", strict=True, special=_linked),
    "zf_mkdir": E("p,parents m,mode=", "mkdir*"),
    "zf_rmdir": E("", "delete*", ops=(O.DELETE,)),
    "zf_chmod": E("R,recursive s", ops=(O.PERMISSION_CHANGE,), special=_permission),
    **dict.fromkeys(
        ("zf_chown", "zf_chgrp"),
        E("h R,recursive s", "word meta*", ops=(O.PERMISSION_CHANGE,), strict=True),
    ),
    "zf_sync": E(""),
    "zmv": E("f,force i n,dry-run q Q s v w W C L M p= P= o=", "move write", ops=(O.MOVE,)),
    "zcp": E("f,force i n,dry-run q Q s v w W p= P= o=", "source write", ops=(O.COPY,)),
    "zln": E("f,force i n,dry-run q Q s v w W p= P= o=", "stat write"),
    "unlink": E("help version", "delete*", ops=(O.DELETE,), strict=True),
    "rmdir": E("p,parents v,verbose ignore-fail-on-non-empty help version", "delete*", ops=(O.DELETE,)),
    "shred": E(
        "f,force n,iterations= random-source=read s,size= u remove? v,verbose x,exact z,zero help version",
        "delete*",
        ops=(O.DELETE, O.WRITE),
        marks={"u": (O.DELETE,)},
        strict=True,
    ),
    "srm": E("d f,force i n R,r,recursive s,simple m,medium v,verbose z,zero", "delete*", ops=(O.DELETE,)),
    "trash": E("v F l e s y", "delete*", ops=(O.DELETE,)),
    "trash-put": E("f,force d,directory i,interactive v,verbose trash-dir=mkdir", "delete*", ops=(O.DELETE,)),
    "gio": E(verbs={
        "trash": E("f,force", "delete*", ops=(O.DELETE,)),
        "remove": E("f,force", "delete*", ops=(O.DELETE,)),
        "*": E(),
    }),
    "cp": E(
        _COPY_OPTIONS, "source* write", ops=(O.COPY,), out=Out.NOTHING,
        by_option={"target-directory": "source*"}, strict=True, special=_copied,
    ),
    "mv": E(
        _COPY_OPTIONS, "move* write", ops=(O.MOVE,),
        by_option={"target-directory": "move*"}, strict=True, special=_copied,
    ),
    "rename": E("v,verbose n,no-act f,force s,symlink= e=perl", "word*", ops=(O.MOVE,)),
    "ln": E(
        "b backup? d,F,directory f,force i,interactive L,logical n,no-dereference P,physical"
        " r,relative s,symbolic S,suffix= t,target-directory=write T,no-target-directory v,verbose h",
        "stat* write",
        by_option={"target-directory": "stat*"},
        strict=True,
        special=_linked,
    ),
    "link": E("", "stat write", special=_linked),
    "install": E(
        "b backup? c C,compare d,directory D g,group= m,mode= o,owner= p,preserve-timestamps s,strip"
        " S,suffix= t,target-directory=write T,no-target-directory v,verbose Z strip-program=must",
        "source* write",
        ops=(O.COPY,),
        by_option={"directory": "mkdir*", "target-directory": "source*"},
        special=_install,
    ),
    "chmod": E(
        _CHANGE_OPTIONS + " E", ops=(O.PERMISSION_CHANGE,), special=_permission
    ),
    "chown": E(
        _CHANGE_OPTIONS + " from=", "word meta*", ops=(O.PERMISSION_CHANGE,),
        by_option={"reference": "meta*"}, special=_ownership, strict=True,
    ),
    "chgrp": E(
        _CHANGE_OPTIONS, "word meta*", ops=(O.PERMISSION_CHANGE,),
        by_option={"reference": "meta*"}, strict=True,
    ),
    "chattr": E("R,recursive V f v= p=", "word meta*", ops=(O.PERMISSION_CHANGE,)),
    "lsattr": E("R a d V v l p", "list*"),
    "chflags": E("R,recursive H L P f h v", "word meta*", ops=(O.PERMISSION_CHANGE,)),
    "setfacl": E(
        "m,modify= x,remove= b,remove-all k,remove-default R,recursive L,logical P,physical d,default"
        " n,no-mask mask M,modify-file=read X,remove-file=read set= set-file=read restore=read test v,version h,help",
        "meta*", ops=(O.PERMISSION_CHANGE,),
    ),
    "getfacl": E("a c d e E s R,recursive L P t p n access default omit-header", "stat*"),
    "setcap": E("q v n= r", "word meta*", ops=(O.PERMISSION_CHANGE,), special=_capabilities),
    "getcap": E("r,recursive v n", "search*", ops=(O.SEARCH,), marks={"recursive": (Trait.PRIVILEGE_DISCOVERY,)}),
    "tee": E(
        "a,append i,ignore-interrupts p output-error?", "write*",
        by_option={"append": "append*"}, out=Out.SAME, strict=True,
    ),
    "sponge": E("a", "write*", by_option={"a": "append*"}),
    "truncate": E("c,no-create o,io-blocks r,reference=stat s,size=", "write*", traits=(Trait.TRUNCATE,), strict=True),
    "fallocate": E("c d i l,length= n o,offset= p,punch-hole v x z", "write*"),
    "touch": E("a c,no-create d,date= f h,no-dereference m r,reference=stat t= time=", "format*"),
    "mkdir": E("p,parents m,mode= v,verbose Z context?", "mkdir*"),
    "mkfifo": E("m,mode= Z context?", "mkdir*", special=_fifo),
    "mknod": E("m,mode= Z context?", "mkdir word*", special=_fifo),
    "mktemp": E("d,directory u,dry-run q,quiet p? tmpdir? t suffix=", "any*", preview=""),
    "dd": E(
        "if=source of=write bs= ibs= obs= cbs= count= skip= seek= iseek= oseek= conv= iflag= oflag= status=",
        style=Style.ASSIGN, ops=(), out=Out.CONTENT, strict=True,
    ),
    "split": E("a,suffix-length= b,bytes= C,line-bytes= d e x l,lines= n,number= t,separator= u,unbuffered"
               " additional-suffix= numeric-suffixes? hex-suffixes? filter=code verbose", "read log"),
    "csplit": E("b,suffix-format= f,prefix=log k,keep-files m n,digits= s,quiet z", "read word*"),
    "patch": E(
        "p,strip= i,input=script d,directory= b,backup f,force F,fuzz= l,ignore-whitespace N,forward"
        " o,output=write r,reject-file=log R,reverse s,silent,quiet t,batch u,unified v E binary dry-run"
        " verbose posix merge? no-backup-if-mismatch z,suffix=",
        "format script",
        ops=(O.WRITE,),
        special=apply_with_patch,
    ),
    **dict.fromkeys(("apply_patch", "applypatch"), E("", special=apply_patch)),
    "dos2unix": E("k q n c= o i f", "format*"),
    "unix2dos": E("k q n c= o i f", "format*"),
    "sync": E("d f", "any*"),
    "fsync": E("", "any*"),
    "umask": E("S p", "any*"),
    "attr": E("q l r g s V= L R", "word*"),
    "xattr": E("l r d= w c x p= v", "word*"),
    "setfattr": E("n,name= v,value= x,remove= h restore=", "meta*"),
    "getfattr": E("n,name= d,dump e,encoding= h m,match= R", "stat*"),
    "fuser": E("a k,kill i m,mount= n,namespace= s u v SIGNAL", "stat*", marks={"kill": (O.PROCESS_KILL,)}),
}  # fmt: skip
