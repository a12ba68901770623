"""Cmdlets for files, folders, registry keys and their content."""

from __future__ import annotations

from dataclasses import replace

from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.facts import PathAccess, PathFact, PathFlavor
from defenseclaw.core.labels import Trait
from defenseclaw.facts.builder import ACCESS_OPERATIONS
from defenseclaw.facts.grammar import Out, Special
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.origins import listed
from defenseclaw.facts.powershell.providers import Kind, provided
from defenseclaw.facts.programs.variables import apply_variable
from defenseclaw.facts.programs.windows.cmdlet import (
    PATH,
    bind,
    blocks,
    cmdlet,
    on,
    piped_option,
    printed,
    reader,
    value,
)
from defenseclaw.facts.roles import Need, require
from defenseclaw.facts.script import UNKNOWN_COMPONENT, Word
from defenseclaw.facts.streams import Stream, merge
from defenseclaw.facts.table_reader import apply_roles

_SELECT = " filter@1=any include=any exclude=any force credential=any usetransaction stream=any"
MAX_NAMES = 16  # that filters of one listing choose; more only repeat what is found
_LISTING = (
    f"^{PATH}@0=list{_SELECT} recurse,s depth=any name directory,ad file,af hidden,ah readonly,ar"
    " system attributes=any followsymlink usetransaction codesigningcert"
)


def _root(path: PathFact) -> str:
    """A place as a cmdlet that gets what is in it finds it."""
    key = path.flavor is PathFlavor.REGISTRY
    return f"Registry::{path.value}" if key else path.value or path.resolved


def _other_items(inv: Invocation, words: list[Word]) -> list[str]:
    """Places that are neither files nor keys: certificates, variables, functions."""
    place = inv.builder.scope.place
    kinds = ((w.value or "", provided(w.value or "", inv.cwd, place)[0]) for w in words)
    return [text for text, kind in kinds if kind in (Kind.OTHER, Kind.ENVIRONMENT)]


def _list(inv: Invocation) -> None:
    """Get-ChildItem: the names below folders; all of them unless a filter chooses."""
    bind(inv)
    paths = [w for o, w in inv.parsed.values if o.name == "path"]
    if not paths and not inv.stdin.connected:
        inv.path_value(".", PathAccess.LIST)
    environment = any((w.value or "").lower().startswith("env:") for w in paths)
    if environment:
        inv.op(O.ENVIRONMENT_READ)
        inv.trait(Trait.ENVIRONMENT_DUMP)
    chosen = inv.parsed.has("filter", "include", "exclude", "file", "attributes", "hidden")
    chosen = chosen or any(o.name == "filter" for o, _ in inv.parsed.values)
    own = [p for p in inv.builder.facts.paths if p.command_id == inv.fact.id]
    roots = (*map(_root, own), *_other_items(inv, paths))
    named = _named(inv)
    if named:
        inside = f"/{UNKNOWN_COMPONENT}/" if inv.parsed.has("recurse", "depth") else "/"
        roots = tuple(f"{root}{inside}{name}" for root in roots for name in named)
    whole = bool(named) or not (chosen or on(inv, "directory"))
    labels = tuple(dict.fromkeys(word for p in own for word in p.labels)) if environment else ()
    inv.out = Stream(
        roots=roots,
        whole=whole,
        environment=environment,
        labels=labels,
        commands=(inv.fact.id,),
        connected=True,
    )


def _named(inv: Invocation) -> list[str]:
    """The names that filters choose, a few of them; none where one is not known."""
    words = inv.parsed.all_values("filter") + inv.parsed.all_values("include")
    if inv.parsed.has("exclude") or any(not w.value or w.value == "*" for w in words):
        return []
    names = [w.value or "" for w in words[:MAX_NAMES]]
    return [n.rstrip("*") if n.startswith(".") and len(n) > 2 else n for n in names]


def _item(inv: Invocation) -> None:
    """Get-Item: the items themselves."""
    bind(inv)
    own = [p for p in inv.builder.facts.paths if p.command_id == inv.fact.id]
    names = [word for option, word in inv.parsed.values if option.name == "path"]
    texts = [word.value or "" for word in names if not word.glob]
    exact = bool(texts) and all(texts) and len(texts) == len(names)
    environment = O.ENVIRONMENT_READ in inv.fact.operations
    inv.out = Stream(
        text="\n".join(texts) if exact else None,
        roots=tuple(p.value for p in own if p.value),
        whole=True,
        environment=environment,
        commands=(inv.fact.id,),
        connected=True,
    )


def _content(inv: Invocation) -> None:
    """Get-Content of a file, or of a variable of the environment."""
    bind(inv)
    if O.ENVIRONMENT_READ in inv.fact.operations:
        inv.out = Stream(environment=True, commands=(inv.fact.id,), connected=True)


def _write(name: str, access: PathAccess) -> Special:
    """Set-Content and its kin: a value, or what is piped in, goes into files."""

    def special(inv: Invocation) -> None:
        apply_roles(inv)
        appends = on(inv, "append")
        kind = PathAccess.APPEND if appends else access
        values = [w for o, w in inv.parsed.values if o.name in ("value", "inputobject")]
        content = _given(inv, values)
        if (
            content.text is not None
            and not content.text.endswith("\n")
            and not on(inv, "nonewline")
        ):
            content = replace(content, text=f"{content.text}\n", at=None)
        inv.inputs = [_behind(inv, content) if kind is PathAccess.APPEND else content]
        for option, word in inv.parsed.values:
            if option.name in ("path", "filepath"):
                if (word.value or "").lower().startswith("env:"):
                    _variable(inv, word, values)
                else:
                    inv.op(ACCESS_OPERATIONS[kind])
                    for named in listed(inv, word) or [word]:
                        require(inv, named)
                        _written(inv, named, kind)

    return special


def _behind(inv: Invocation, content: Stream) -> Stream:
    """What a file holds after something was added: known if this call wrote all of it."""
    words = [w for o, w in inv.parsed.values if o.name in ("path", "filepath")]
    places = [inv.builder.locate(w.value or "", inv.cwd).resolved for w in words]
    earlier = [inv.builder.files.get(place) for place in places]
    if len(earlier) != 1 or earlier[0] is None:
        return replace(content, text=None)
    return merge([earlier[0], content])


def _written(inv: Invocation, word: Word, access: PathAccess) -> None:
    fact = inv.path(word, access)
    if fact is not None and fact.resolved:
        inv.outputs.append(fact.resolved)


def _given(inv: Invocation, values: list[Word]) -> Stream:
    if not values:
        return inv.stdin
    for word in values:
        inv.data(word, inv.consumer(word))
    streams = merge([inv.word_stream(word) for word in values])
    texts = [word.value for word in values]
    text = "\n".join(t or "" for t in texts) if None not in texts else streams.text
    draft = "\n".join(w.prefix if w.value is None else w.value for w in values)
    return replace(streams, text=text, draft=draft, at=None, connected=True)


def _variable(inv: Invocation, word: Word, values: list[Word]) -> None:
    """A variable of the environment gets a value."""
    name = (word.value or "").partition(":")[2].strip("\\/").upper()
    given = values[0] if values else Word(None)
    apply_variable(inv, name, given)


def _set_item(inv: Invocation) -> None:
    """Set-Item: a variable, an alias, a function, or a registry key's default value."""
    apply_roles(inv)
    values = inv.parsed.all_values("value")
    for word in values:
        inv.data(word, inv.consumer(word))
    for word in inv.parsed.all_values("path"):
        low = (word.value or "").lower()
        if low.startswith("env:"):
            _variable(inv, word, values)
        elif low.startswith("function:"):
            for code in values:
                inv.run_code(code)
        elif not low.startswith(("variable:", "alias:")):
            require(inv, word)
            inv.op(O.CONFIG_CHANGE)
            inv.path(word, PathAccess.WRITE)


def _joined(inv: Invocation) -> list[Word]:
    """The paths of New-Item: each folder with each name."""
    folders = inv.parsed.all_values("path")
    names = inv.parsed.all_values("name")
    if not names:
        return folders
    if not folders:
        return names
    found = []
    for folder in folders:
        for name in names:
            if folder.value is None or name.value is None:
                found.append(Word(None, prefix=folder.prefix or f"{folder.value or ''}\\"))
            else:
                text = folder.value.rstrip("\\/") + "\\" + name.value
                found.append(replace(folder, value=text, more=False))
    return found


def _new_item(inv: Invocation) -> None:
    """New-Item: an empty file or folder, a file with a text, or a link to another."""
    apply_roles(inv)
    kind = value(inv, "itemtype")
    contents = inv.parsed.all_values("value")
    link = kind in ("symboliclink", "hardlink", "junction")
    for word in contents:
        if link:
            inv.path(word, PathAccess.METADATA)
        else:
            inv.data(word, inv.consumer(word))
    inv.inputs = [_given(inv, contents)]
    for word in _joined(inv):
        if (word.value or "").lower().startswith("env:"):
            _variable(inv, word, contents)
            continue
        require(inv, word)
        inv.op(O.WRITE)
        if kind == "directory":
            inv.path(word, PathAccess.WRITE)
        else:
            _written(inv, word, PathAccess.WRITE)


def _rename(inv: Invocation) -> None:
    """Rename-Item: the new name is in the same folder."""
    bind(inv)
    new = inv.parsed.value("newname")
    old = inv.parsed.value("path")
    if new is None or new.block:
        return
    names = listed(inv, new) if new.value is None else [new]
    if not names:
        require(inv, new, Need.OUTSIDE)  # of an item that the text finds it is a name as well
    if old is not None and old.value is not None:
        folder = old.value.replace("\\", "/").rpartition("/")[0]
        for name in names:
            text = name.value or ""
            inv.path_value(f"{folder}/{text}" if folder else text, PathAccess.WRITE)


def _property(access: PathAccess) -> Special:
    """The item-property cmdlets: a named value of a registry key or a file."""

    def special(inv: Invocation) -> None:
        bind(inv)
        key = inv.parsed.value("path")
        name = inv.parsed.value("name")
        if key is None or key.value is None or name is None or not name.value:
            return
        if ":" in key.value:  # the value by its own name, for tables that list values
            inv.path_value(f"{key.value}\\{name.value}", access)

    return special


def _tee(inv: Invocation) -> None:
    """Tee-Object: what is piped in, into a file as well."""
    apply_roles(inv)
    inv.inputs = [inv.stdin]
    kind = PathAccess.APPEND if on(inv, "append") else PathAccess.WRITE
    for word in inv.parsed.all_values("filepath"):
        require(inv, word)
        inv.op(ACCESS_OPERATIONS[kind])
        _written(inv, word, kind)
    inv.out = inv.stdin


def _archive(inv: Invocation) -> None:
    """Compress-Archive reads its paths; Expand-Archive writes below a folder."""
    bind(inv)
    if piped_option(inv) is None and not inv.parsed.value("destinationpath"):
        inv.path_value(".", PathAccess.WRITE)


_ENCODING = " encoding=any force passthru nonewline width=any noclobber,nooverwrite delimiter=any"
_VALUED = f"{PATH}@0=any ^value@1=any{_ENCODING} include=any exclude=any filter=any stream=any asbytestream usetransaction credential=any"
_COPYING = " destination@1=write recurse container force passthru include=any exclude=any filter=any credential=any tosession=any fromsession=any"
_SET = _write("set-content", PathAccess.WRITE)
_ADD = _write("add-content", PathAccess.APPEND)


def _recycle(inv: Invocation) -> None:
    """Clear-RecycleBin asks; only where it is told not to ask the files are gone."""
    bind(inv)
    if on(inv, "force") or value(inv, "confirm") in ("false", "0"):
        inv.trait(Trait.MASS)


CMDLETS = {
    "get-childitem": reader(_LISTING, O.LIST, special=_list),
    "get-item": reader(f"^{PATH}@0=stat{_SELECT}", special=_item),
    "test-path": reader(f"^{PATH}@0=stat pathtype=any isvalid newerthan=any olderthan=any{_SELECT}"),
    "resolve-path": reader(f"^{PATH}@0=stat relative credential=any", special=_item),
    "convert-path": reader(f"^{PATH}@0=stat", special=_item),
    "split-path": reader(f"^{PATH}@0=any leaf parent qualifier noqualifier leafbase extension resolve isabsolute"),
    "join-path": reader("path@0=any childpath@1=any additionalchildpath@2=any resolve credential=any"),
    "get-content": reader(
        f"^{PATH}@0=read raw tail,last=any totalcount,first,head=any wait readcount=any delimiter=any encoding=any asbytestream{_SELECT}".replace("filter@1", "filter"),
        special=_content,
    ),
    "get-filehash": reader("^path,literalpath,pspath,lp@0=search algorithm=any inputstream=any"),
    "format-hex": reader("^path,literalpath@0=read encoding=any count=any offset=any inputobject=any raw"),
    "import-csv": reader("^path,literalpath@0=read delimiter@1=any header=any encoding=any useculture", out=Out.CONTENT),
    "import-clixml": reader("^path,literalpath@0=read first=any skip=any includetotalcount"),
    "import-powershelldatafile": reader("^path,literalpath@0=read skiplimitcheck"),
    "show-markdown": reader("^path,literalpath@0=read usebrowser inputobject=any"),
    "test-json": reader("json@0=text schema=any schemafile=read path,literalpath=read options=any"),
    "select-string": reader(
        "pattern@0=pattern ^path,literalpath,pspath,lp@1=search simplematch casesensitive quiet list include=any exclude=any notmatch allmatches"
        " encoding=any context=any inputobject=any raw noemphasis culture=any",
        out=Out.LINES,
    ),
    "select-xml": reader("xpath@0=text ^path,literalpath@1=read content=any namespace=any xml=any"),
    "get-acl": reader("^path,literalpath@0=stat audit allcentralaccesspolicies inputobject=any filter=any include=any exclude=any", out=Out.NAMES),
    "get-authenticodesignature": reader("^filepath,literalpath@0=stat"),
    "remove-item": cmdlet(f"^{PATH}@0=delete recurse force include=any exclude=any filter=any stream=any credential=any usetransaction", O.DELETE),
    "clear-content": cmdlet(f"^{PATH}@0=write force include=any exclude=any filter=any stream=any credential=any", O.WRITE, traits=(Trait.TRUNCATE,)),
    "clear-item": cmdlet(f"^{PATH}@0=write force include=any exclude=any filter=any credential=any", O.WRITE),
    "clear-recyclebin": cmdlet("driveletter@0=any force", O.DELETE, special=_recycle),
    "copy-item": cmdlet(f"^{PATH}@0=source{_COPYING}", O.COPY),
    "move-item": cmdlet(f"^{PATH}@0=move{_COPYING}", O.MOVE),
    "rename-item": cmdlet(f"^{PATH}@0=move newname@1=any force passthru credential=any", O.MOVE, special=_rename),
    "new-item": cmdlet("path@0=any name=any itemtype,type=any ^value,target=any force credential=any options=any", special=_new_item),
    "mkdir": cmdlet("^path@0=mkdir name=any force value=any credential=any usetransaction", O.WRITE),
    "set-item": cmdlet(f"^{PATH}@0=any value@1=any force passthru include=any exclude=any filter=any credential=any type=any options=any", special=_set_item),
    "invoke-item": cmdlet("^path,literalpath,pspath,lp@0=exec include=any exclude=any filter=any credential=any", O.EXECUTE),
    "set-content": cmdlet(_VALUED, special=_SET, out=Out.FILED),
    "add-content": cmdlet(_VALUED, special=_ADD, out=Out.FILED),
    "out-file": cmdlet("filepath,literalpath,path@0=any encoding@1=any append force noclobber,nooverwrite width=any nonewline ^inputobject=any", special=_SET, out=Out.FILED),
    "export-csv": cmdlet("path,literalpath@0=any delimiter@1=any ^inputobject=any append force noclobber encoding=any useculture notypeinformation,nti includetypeinformation quotefields=any usequotes=any noheader", special=_SET),
    "export-clixml": cmdlet("path,literalpath@0=any ^inputobject=any depth=any force noclobber encoding=any", special=_SET),
    "tee-object": cmdlet("filepath,literalpath@0=any variable=any append ^inputobject=any encoding=any", special=_tee, out=Out.SAME),
    "get-itemproperty": reader(f"^{PATH}@0=stat name@1=any include=any exclude=any filter=any credential=any", special=_property(PathAccess.READ)),
    "get-itempropertyvalue": reader(f"^{PATH}@0=read name@1=any include=any exclude=any filter=any credential=any", special=_property(PathAccess.READ)),
    "set-itemproperty": cmdlet(f"^{PATH}@0=write name@1=must value@2=any type=any force passthru inputobject=any include=any exclude=any filter=any credential=any", special=_property(PathAccess.WRITE)),
    "new-itemproperty": cmdlet(f"^{PATH}@0=write name@1=must value=any propertytype,type=any force include=any exclude=any filter=any credential=any", special=_property(PathAccess.WRITE)),
    "remove-itemproperty": cmdlet(f"^{PATH}@0=write name@1=must force include=any exclude=any filter=any credential=any", O.CONFIG_CHANGE, special=_property(PathAccess.DELETE)),
    "clear-itemproperty": cmdlet(f"^{PATH}@0=write name@1=must force include=any exclude=any filter=any", O.CONFIG_CHANGE),
    "rename-itemproperty": cmdlet(f"^{PATH}@0=write name@1=must newname@2=must force passthru", O.CONFIG_CHANGE),
    "copy-itemproperty": cmdlet(f"^{PATH}@0=stat destination@1=write name@2=must force passthru", O.CONFIG_CHANGE),
    "move-itemproperty": cmdlet(f"^{PATH}@0=write destination@1=write name@2=must force passthru", O.CONFIG_CHANGE),
    "set-acl": cmdlet("^path,literalpath@0=meta aclobject@1=any inputobject=any passthru filter=any include=any exclude=any clearcentralaccesspolicy", O.PERMISSION_CHANGE, traits=(Trait.ACL_REPLACED,)),
    "unblock-file": cmdlet("^path,literalpath@0=meta"),
    "compress-archive": cmdlet("^path,literalpath@0=tree destinationpath@1=write compressionlevel=any update force passthru", O.READ, O.WRITE, special=_archive),
    "expand-archive": cmdlet("^path,literalpath@0=source destinationpath@1=write force passthru", O.READ, O.WRITE, special=_archive),
    "start-transcript": cmdlet("path,literalpath@0=log outputdirectory=log append force noclobber includeinvocationheader useminimalheader"),
    "new-temporaryfile": cmdlet(""),
    "write-output": reader("inputobject@0=any noenumerate", special=printed),
    "write-host": reader("object@0=any foregroundcolor=any backgroundcolor=any nonewline separator=any", special=printed),
    "write-information": reader("messagedata@0=any tags@1=any", special=printed),
    "write-verbose": reader("message@0=any", special=printed),
    "write-debug": reader("message@0=any", special=printed),
    "write-warning": reader("message@0=any", special=printed),
    "write-error": reader("message@0=any exception=any category=any errorid=any targetobject=any", special=printed),
    "out-default": reader("inputobject=any", out=Out.SAME),
    "measure-command": reader("expression@0=any inputobject=any", special=blocks("expression")),
}  # fmt: skip
