"""Archives, compression and disks."""

from __future__ import annotations

from defenseclaw.core.facts import Dialect, PathAccess
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Style, joined, option_table
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import Stream, merge
from defenseclaw.facts.table_reader import apply_roles


def _tar(inv: Invocation) -> None:
    """tar: creates, extracts or lists; old bundles without a dash are understood."""
    parsed = inv.parsed
    operands = list(parsed.operands)
    if (
        not parsed.has(
            "create", "extract", "list", "append", "update", "delete", "diff", "concatenate"
        )
        and operands
    ):
        operands = _old_bundle(inv, (operands[0].value or ""), operands)
    create = parsed.has("create", "append", "update")
    extract = parsed.has("extract")
    archive = parsed.value("file")
    _tar_code(inv)
    if create:
        inv.trait(Trait.RECURSIVE)
        for word in operands:
            apply_role(inv, "source", word)
        if archive is not None:
            apply_role(inv, "write", archive)
        if archive is None or archive.value == "-":
            inv.out = merge(
                [*inv.inputs, Stream(commands=(inv.fact.id,), connected=True)]
            ).derived()
    elif archive is not None:
        apply_role(inv, "read", archive)
    if extract:
        inv.op(O.WRITE)
        _tar_target(inv)
    if parsed.has("remove-files"):
        inv.op(O.DELETE)
        for word in operands:
            inv.path(word, PathAccess.DELETE, recursive=True)


def _old_bundle(inv: Invocation, bundle: str, operands: list) -> list:  # type: ignore[type-arg]
    names = {
        "c": "create",
        "x": "extract",
        "t": "list",
        "r": "append",
        "u": "update",
        "z": "gzip",
        "j": "bzip2",
        "J": "xz",
        "v": "verbose",
        "p": "p",
    }
    if not bundle or not set(bundle) <= {*names, "f", "C", "a", "k", "h", "o", "m", "O", "b"}:
        return operands
    rest = operands[1:]
    for letter in bundle:
        inv.parsed.options.append(names.get(letter, letter))
        if letter in "fCb" and rest:
            option = _TAR_TABLE[letter]
            inv.parsed.values.append((option, rest.pop(0)))
    inv.fact.options = list(dict.fromkeys(inv.parsed.options))
    return rest


def _tar_code(inv: Invocation) -> None:
    """Options that make tar run a program."""
    for option, word in inv.parsed.values:
        if option.name in (
            "to-command",
            "use-compress-program",
            "checkpoint-action",
            "rsh-command",
            "info-script",
            "new-volume-script",
        ):
            value = word.value or ""
            if option.name == "checkpoint-action" and not value.startswith("exec="):
                continue
            if option.name == "use-compress-program" and value.split(" ")[0] in (
                "pigz",
                "zstd",
                "xz",
                "gzip",
                "bzip2",
                "lz4",
                "pbzip2",
                "zstdmt",
            ):
                continue
            inv.trait(Trait.CONFIG_EXEC)
            inv.run_code(
                word if not value.startswith("exec=") else type(word)(value[5:]),
                How(wrapper=False, dialect=Dialect.POSIX),
            )
        elif option.name in ("files-from", "exclude-from"):
            apply_role(inv, "read", word)


def _tar_target(inv: Invocation) -> None:
    folder = inv.parsed.value("directory")
    if inv.parsed.has("to-stdout", "O"):
        inv.out = inv.content().derived()
        return
    _unpack(inv, folder)


def _unpack(inv: Invocation, folder: Word | None) -> None:
    """What an archive holds is written below a folder, by default the working one."""
    inv.op(O.WRITE)
    if folder is not None:
        apply_role(inv, "unpack", folder)
    else:
        inv.path_value(".", PathAccess.WRITE)


_TAR = ("c,create x,extract,get t,list r,append u,update A,concatenate d,diff f,file= C,directory= z,gzip j,bzip2 J,xz zstd lzma lzip Z v,verbose p,preserve-permissions k,keep-old-files"
        " h,dereference a,auto-compress T,files-from= X,exclude-from= exclude= strip-components= transform= s= O,to-stdout to-command= I,use-compress-program= checkpoint? checkpoint-action="
        " remove-files delete rsh-command= F,info-script,new-volume-script= overwrite no-same-owner numeric-owner owner= group= mode= mtime= sort= format= wildcards no-recursion exclude-vcs"
        " exclude-vcs-ignores one-file-system S W w b= m o P absolute-names U unlink-first keep-newer-files no-overwrite-dir warning= totals index-file=log L= M g= G listed-incremental=write anchored null"
        " no-same-permissions touch same-owner acls xattrs selinux utc full-time show-transformed-names pax-option= no-wildcards")  # fmt: skip
_TAR_TABLE = option_table(_TAR)


def _zip(inv: Invocation) -> None:
    for at, word in enumerate(inv.words[:-1]):
        if word.value in ("-TT", "--unzip-command"):
            inv.trait(Trait.CONFIG_EXEC)
            inv.run_code(inv.words[at + 1], How(wrapper=False, dialect=Dialect.POSIX))
    operands = [w for w in inv.parsed.operands if not inv.has_taken(w)]
    if inv.parsed.has("r", "recurse-paths"):
        inv.trait(Trait.RECURSIVE)
    for word in operands[1:]:
        apply_role(inv, "source", word)
    for word in operands[:1]:
        apply_role(inv, "write", word)
    if inv.parsed.has("m", "move"):
        for word in operands[1:]:
            inv.path(word, PathAccess.DELETE, recursive=Trait.RECURSIVE in inv.fact.traits)


def _unzip(inv: Invocation) -> None:
    for word in inv.parsed.operands[:1]:
        apply_role(inv, "read", word)
    if inv.parsed.has("l", "t", "v", "z", "Z"):
        return
    if inv.parsed.has("p", "c"):
        inv.out = inv.content().derived()
        return
    _unpack(inv, inv.parsed.value("d"))


def _compress(inv: Invocation) -> None:
    """gzip and relatives replace files, or work on streams."""
    parsed = inv.parsed
    stream = parsed.has("stdout", "list", "test") or not parsed.operands
    for word in parsed.operands:
        apply_role(inv, "read" if stream or parsed.has("keep") else "edit", word)
    if stream:
        inv.out = inv.content().derived()


def _seven(inv: Invocation) -> None:
    operands = inv.parsed.operands
    verb = operands[0].value if operands else ""
    if verb in ("a", "u"):
        for word in operands[2:]:
            apply_role(inv, "source", word)
        for word in operands[1:2]:
            apply_role(inv, "write", word)
        if any(word.value == "-sdel" for word in inv.words):  # the sources are gone afterwards
            inv.op(O.DELETE)
            for word in operands[2:]:
                inv.path(word, PathAccess.DELETE, recursive=True)
    else:
        for word in operands[1:2]:
            apply_role(inv, "read", word)
    if verb in ("x", "e"):
        joined_folder = [w for w in inv.words if (w.value or w.prefix).startswith("-o")]
        _unpack(inv, joined(joined_folder[-1], 2) if joined_folder else None)


def _cpio(inv: Invocation) -> None:
    """cpio: -i unpacks what its input holds, -p copies into the folder that it names."""
    apply_roles(inv)
    if inv.parsed.has("extract") and not inv.parsed.has("list", "to-stdout"):
        _unpack(inv, inv.parsed.value("directory"))
    elif inv.parsed.has("pass-through"):
        for word in inv.parsed.operands[:1]:
            _unpack(inv, word)


# --- disks ---


def _target_disk(inv: Invocation) -> None:
    """The last operand is written as a whole."""
    if inv.parsed.has("n", "no-act", "N", "dry-run", "p", "print", "l", "list"):
        inv.preview()
    for word in inv.parsed.operands[-1:]:
        apply_role(inv, "write", word)


def _wipefs(inv: Invocation) -> None:
    if inv.parsed.has("no-act"):
        inv.preview()
    mutates = inv.parsed.has("all", "offset")
    for word in inv.parsed.operands:
        apply_role(inv, "write" if mutates else "stat", word)


def _partition(inv: Invocation) -> None:
    operands = inv.parsed.operands
    if inv.parsed.has("list", "print", "p", "l", "verify", "v", "i") or not operands:
        inv.op(O.LIST)
        return
    if any(w.value in ("print", "p", "unit", "help", "quit") for w in operands[1:]) or (
        len(operands) == 1 and inv.fact.program in ("parted", "gdisk")
    ):
        inv.op(O.LIST)
        return
    apply_role(inv, "write", operands[0])


def _verb_disk(inv: Invocation) -> None:
    """cryptsetup, nvme, diskutil: destructive verbs name a device."""
    operands = inv.parsed.operands
    verb = (operands[0].value or "").lower() if operands else ""
    inv.fact.subcommand = verb
    if verb not in _DISK_VERBS:
        return
    for word in operands[1:]:
        if word.value is not None and (
            word.value.startswith("/dev/") or word.value.startswith("disk")
        ):
            value = word.value if word.value.startswith("/") else "/dev/" + word.value
            inv.path_value(value, PathAccess.WRITE)
            inv.op(O.WRITE)


def _hdparm(inv: Invocation) -> None:
    destructive = (
        "security-erase",
        "security-erase-enhanced",
        "trim-sector-ranges",
        "write-sector",
        "make-bad-sector",
    )
    for word in inv.parsed.operands:
        apply_role(inv, "write" if inv.parsed.has(*destructive) else "stat", word)


_DISK_VERBS = frozenset(
    [
        "luksformat",
        "lukserase",
        "erase",
        "reencrypt",
        "format",
        "sanitize",
        "write-zeroes",
        "write",
        "delete-ns",
        "detach-ns",
        "erasedisk",
        "erasevolume",
        "zerodisk",
        "randomdisk",
        "secureerase",
        "partitiondisk",
        "reformat",
        "eraseall",
        "apfs",
        "remove",
        "vgremove",
        "lvremove",
        "pvremove",
        "destroy",
        "labelclear",
        "offline",
    ]
)
_MKFS = E(
    "t,type= V v L= b= F f n N q c m= i= I j O= E= U= d= K s= l= T= M= r= p y force",
    special=_target_disk,
    ops=(O.WRITE,),
)

PROGRAMS = {
    "tar": E(_TAR, special=_tar), "bsdtar": E(_TAR, special=_tar), "gtar": E(_TAR, special=_tar),
    "zip": E("r,recurse-paths q,quiet u,update j,junk-paths m,move x= i= d e P= 9 1 0 y l v T TT= b= n= f,freshen g,grow s= X D A unzip-command=must output-file=write", special=_zip),
    "unzip": E("d= o n q l t v p c j x= P= u f z Z a L", special=_unzip),
    "gzip": E("c,stdout,to-stdout d,decompress,uncompress f,force k,keep l,list n N q r,recursive S= t,test v #", special=_compress),
    "ar": E("", "word*", style=Style.FREE),
    "cpio": E("D,directory= t,list to-stdout i,extract o,create p,pass-through d v m u t A B H= F=read O=write I=read 0,null E=read quiet no-absolute-filenames", "word*", out=Out.CONTENT, special=_cpio),
    "7z": E("p? o? y r mx= t= x= s", special=_seven, style=Style.FREE), "7za": E("", special=_seven, style=Style.FREE), "rar": E("", special=_seven, style=Style.FREE),
    "unrar": E("o? y p? r inul", "word read word* unpack", by_option={}), "unar": E("o,output-directory=unpack f q D p= e= k=", "read*"),
    **dict.fromkeys(("mkfs", "mkfs.ext2", "mkfs.ext3", "mkfs.ext4", "mkfs.xfs", "mkfs.btrfs", "mkfs.f2fs", "mkfs.vfat", "mkfs.fat", "mkfs.ntfs", "mkfs.exfat", "mkfs.minix", "mkfs.jfs",
                     "mke2fs", "mkdosfs", "mkntfs", "mkexfatfs", "mkswap", "newfs", "newfs_apfs", "newfs_hfs"), _MKFS),
    "wipefs": E("a,all n,no-act f,force q,quiet J,json i,noheadings p,parsable O,output= o,offset= t,types= b,backup", "stat*", by_option={"all": "write*"}, special=_wipefs),
    "blkdiscard": E("o,offset= l,length= p,step= f,force s,secure z,zeroout v", "write"),
    "sgdisk": E("Z,zap-all o,clear p,print n= t= c= d= l= v i= g G R= P,pretend", special=_partition),
    "fdisk": E("l,list w= W= u? o= b=", special=_partition), "sfdisk": E("l,list d,dump delete f,force n,no-act J a N=", special=_partition),
    "cfdisk": E("", special=_partition), "gdisk": E("l", special=_partition), "parted": E("s,script a= l,list m", special=_partition),
    "cryptsetup": E("q,batch-mode y type= c= s= h= d,key-file=read iter-time=", special=_verb_disk), "nvme": E("n,namespace-id= s= l= f,force", special=_verb_disk),
    "diskutil": E("", special=_verb_disk), "hdparm": E("user-master= security-erase= security-erase-enhanced= security-disable= trim-sector-ranges= write-sector= make-bad-sector= yes-i-know-what-i-am-doing I i t T",
                                                   "stat*", special=_hdparm),
    **dict.fromkeys(("vgremove", "lvremove", "pvremove"), E("f,force y,yes", "word*", traits=(Trait.DESTROYS_RESOURCE,), ops=(O.DELETE, O.DISK_WRITE))),
    "zpool": E("", verbs={**dict.fromkeys(("destroy", "labelclear"), E("f", traits=(Trait.DESTROYS_RESOURCE,), ops=(O.DELETE, O.DISK_WRITE))), "*": E()}),
    "zfs": E("", verbs={**dict.fromkeys(("destroy", "rollback"), E("r R f n v", traits=(Trait.DESTROYS_RESOURCE,), ops=(O.DELETE, O.DISK_WRITE))), "*": E()}),
    "btrfs": E("", verbs={"subvolume": E(verbs={"delete": E("c", "delete*", ops=(O.DELETE,), recursive=True), "*": E()}), "*": E()}),
    "badblocks": E("w n s v b= c= o=log", special=_target_disk), "tune2fs": E("", "word*"), "e2fsck": E("f y n p c", "stat*"), "fsck": E("A y n p t= V", "stat*"),
    "resize2fs": E("f p M", "stat word"), "losetup": E("f,find d,detach a,all P r o= j=", "word*"), "partprobe": E("", "stat*"), "blkid": E("o= s=", "stat*"),
    "smartctl": E("a i H t= l= x", "stat*"), "ddrescue": E("f n r= d", "source write log"), "pv": E("p,progress t,timer e,eta I,fineta r,rate a,average-rate b,bytes T,buffer-percent n,numeric q,quiet c,cursor W,wait f,force l,line-mode 0,null i,interval= w,width= H,height= N,name= s,size= L,rate-limit= B,buffer-size= C,no-splice E,skip-errors S,stop-at-size Y,sync D,delay-start= A,last-written= F,format= R,remote= d,watchfd= P,pidfile=log o,output=write h,help V,version", "read*", out=Out.SAME),
}  # fmt: skip
for _name in (
    "gunzip",
    "bzip2",
    "bunzip2",
    "xz",
    "unxz",
    "zstd",
    "unzstd",
    "lz4",
    "lzma",
    "unlzma",
    "lzip",
    "pigz",
    "pbzip2",
    "brotli",
    "compress",
    "uncompress",
):
    PROGRAMS[_name] = PROGRAMS["gzip"]
