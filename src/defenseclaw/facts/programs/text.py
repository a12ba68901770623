"""Programs that read, search, compare and transform text."""

from __future__ import annotations

import re
from dataclasses import replace

from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Style, names
from defenseclaw.facts.inline.awk import read_sed
from defenseclaw.facts.inline.decoding import decode_base64, decode_hex, translate
from defenseclaw.facts.invocation import Invocation
from defenseclaw.facts.posix.syntax.quoting import unescape_echo
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import NOTHING, Stream
from defenseclaw.facts.table_reader import apply_roles, standard_output


def _sed(inv: Invocation) -> None:
    """sed: the script is the first operand unless -e or -f gave it; -i edits the files."""
    parsed = inv.parsed
    operands = list(parsed.operands)
    scripted = parsed.has("expression", "file")
    for option, word in parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    scripts = parsed.all_values("expression")
    if parsed.has("in-place", "i"):
        operands = _without_suffix(operands, scripted)
    if not scripted and operands:
        scripts = [operands.pop(0)]
        inv.run_language("sed", scripts[0])
    role = "edit" if parsed.has("in-place", "i") else "read"
    for word in operands:
        apply_role(inv, role, word)
    if role == "edit":
        _keep_inserted(inv, scripts, operands)


def _keep_inserted(inv: Invocation, scripts: list[Word], files: list[Word]) -> None:
    """Keep what a script puts into the files that it edits."""
    readings = (read_sed(script.value or "", "") for script in scripts)
    text = "\n".join(piece for reading in readings for piece in reading.inserted)
    for word in files:
        remote = inv.frame.remote or word.value is None
        place = "" if remote else inv.builder.locate(word.value or "", inv.cwd).resolved
        if text and place:
            inv.builder.writes.append((place, text))


def _without_suffix(operands: list[Word], scripted: bool) -> list[Word]:
    """BSD gives ``-i`` a word of its own, empty or such as ``.bak``; elsewhere it is no script."""
    first = operands[0].value if operands else None
    suffix = first == "" or (first is not None and _SUFFIX.fullmatch(first) is not None)
    return operands[1:] if suffix and (first == "" or not scripted) else operands


_SUFFIX = re.compile(r"\.\w+|~")


def _awk(inv: Invocation) -> None:
    """awk: the program is the first operand unless -f gave it; assignments are no files."""
    parsed = inv.parsed
    operands = list(parsed.operands)
    for option, word in parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    if not parsed.has("file", "source") and operands:
        inv.run_language("awk", operands.pop(0))
    for word in operands:
        if word.value is not None and "=" in word.value and word.value[0] not in "./=":
            continue
        apply_role(inv, "edit" if _in_place(inv) else "read", word)


def _in_place(inv: Invocation) -> bool:
    value = inv.parsed.value("include")
    return value is not None and value.value == "inplace"


def _echo(inv: Invocation) -> None:
    """echo: the words become the output; they are data unless something runs them."""
    words = inv.words[1:]
    flags = 0
    for word in words:
        if word.value is None or word.value not in _ECHO_FLAGS:
            break
        flags += 1
    newline = not any("n" in (w.value or "") for w in words[:flags])
    inv.out = printed(inv, words[flags:], " ", "\n" if newline else "")
    if not flags and inv.out.text is not None and "\\" in inv.out.text:
        other = unescape_echo(inv.out.text)
        inv.out = replace(inv.out, other=other if other != inv.out.text else None)


def _print(inv: Invocation) -> None:
    """print of zsh and ksh: like echo, or into a variable, the history or the editing buffer."""
    parsed = inv.parsed
    stream = printed(
        inv, parsed.operands, "\n" if parsed.has("l") else " ", "" if parsed.has("n") else "\n"
    )
    if parsed.has("s", "S", "v", "z"):
        return
    if parsed.has("P", "f", "m", "o", "O"):
        inv.out = stream.derived()
    elif stream.text is not None and not parsed.has("r", "R"):
        inv.out = replace(
            stream, text=unescape_echo(stream.text), at=None if "\\" in stream.text else stream.at
        )
    else:
        inv.out = stream


_ECHO_FLAGS = frozenset({"-n", "-e", "-E", "-ne", "-en", "-nE", "-En", "-neE"})


def printed(inv: Invocation, words: list[Word], between: str, end: str) -> Stream:
    """The stream of words that a program prints."""
    from_words = inv.words_stream(words)
    for word in words:
        inv.data(word, f"{inv.fact.program} (text)")
    text = None
    if all(w.value is not None and not w.glob for w in words):
        text = between.join(w.value or "" for w in words) + end
    at = None
    if text is not None and len(words) == 1 and words[0].start >= 0:
        word, frame = words[0], inv.frame
        found = frame.painter.find(
            word.value or "", word.start + frame.offset, word.end + frame.offset
        )
        at = (frame.painter, found) if found >= 0 else None
    return replace(from_words, text=text, at=at, connected=True)


def _printf(inv: Invocation) -> None:
    """printf: formats and values become the output."""
    words = inv.words[1:]
    if words and words[0].value == "-v":
        for name in words[1:2]:
            content = inv.words_stream(words[2:])
            inv.builder.remember((name.value or "").partition("[")[0], content)
        inv.out = NOTHING
        return
    if words and words[0].value == "--":
        words = words[1:]
    stream = printed(inv, words, " ", "")
    text = None
    if stream.text is not None and words:
        text = _format(words[0].value or "", [w.value or "" for w in words[1:]])
    inv.out = replace(stream, text=text, at=stream.at if text == stream.text else None)


def _format(form: str, values: list[str]) -> str | None:
    """The exact output of a printf with plain directives, or None."""
    out: list[str] = []
    rest = list(values)
    while True:
        pieces = form.split("%")
        out.append(_unescape(pieces[0]))
        used = False
        for piece in pieces[1:]:
            if piece[:1] not in ("s", "b", "d"):
                return None
            value = rest.pop(0) if rest else ""
            used = True
            out.append((_unescape(value) if piece[0] == "b" else value) + _unescape(piece[1:]))
        if not rest or not used or len(out) > 4096:
            return "".join(out)


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "a": "\a", "0": "\0", "'": "'", '"': '"'}


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    while at < len(text):
        character = text[at]
        if character != "\\" or at + 1 >= len(text):
            out.append(character)
            at += 1
            continue
        taken, value = _escape(text, at + 1)
        out.append(value)
        at += 1 + taken
    return "".join(out)


def _escape(text: str, at: int) -> tuple[int, str]:
    character = text[at]
    if character == "x":
        digits = _digits(text[at + 1 : at + 3], "0123456789abcdefABCDEF")
        return 1 + len(digits), chr(int(digits, 16)) if digits else "\\x"
    if character in "01234567":
        digits = _digits(text[at : at + 4], "01234567")
        return len(digits), chr(int(digits, 8) & 0xFF)
    return 1, _ESCAPES.get(character, "\\" + character)


def _digits(text: str, allowed: str) -> str:
    count = 0
    while count < len(text) and text[count] in allowed:
        count += 1
    return text[:count]


def _base64(inv: Invocation) -> None:
    """base64: decoding of known text gives known text."""
    apply_roles(inv)
    content = inv.content()
    if not inv.parsed.has("decode"):
        inv.out = content.derived()
        return
    inv.op(O.DECODE)
    text = decode_base64(content.text) if content.text is not None else None
    inv.out = replace(
        content, text=text, at=None, decoded=True, connected=True, commands=(inv.fact.id,)
    )


def _xxd(inv: Invocation) -> None:
    apply_roles(inv)
    content = inv.content()
    decode = inv.parsed.has("revert")
    text = None
    if decode:
        inv.op(O.DECODE)
        if content.text is not None and inv.parsed.has("plain"):
            text = decode_hex(content.text)
    inv.out = replace(
        content, text=text, at=None, decoded=content.decoded or decode, connected=True
    )


def _tr(inv: Invocation) -> None:
    """tr: letters are exchanged; a rotation of known text is a decoding."""
    content = inv.content()
    text = None
    names = [w.value for w in inv.parsed.operands]
    if content.text is not None and len(names) == 2 and not inv.parsed.options:
        text = translate(content.text, names[0] or "", names[1] or "")
    inv.out = replace(
        content, text=text, at=None, connected=True, decoded=content.decoded or text is not None
    )


def _rev(inv: Invocation) -> None:
    apply_roles(inv)
    content = inv.content()
    text = None
    if content.text is not None:
        text = "\n".join(line[::-1] for line in content.text.split("\n"))
    inv.out = replace(
        content, text=text, at=None, decoded=content.decoded or text is not None, connected=True
    )


# Options with which a filter prints something else than whole lines of its input.
_CUTS = (
    "bytes",
    "count",
    "line-number",
    "only-matching",
    "with-filename",
    "byte-offset",
    "verbose",
)


def _lines(inv: Invocation) -> None:
    """Filters that pick or order lines; a few options make them print something else."""
    apply_roles(inv)
    if inv.parsed.has(*_CUTS):
        inv.out = standard_output(inv, Out.CONTENT)


def _grep_names(inv: Invocation) -> None:
    _lines(inv)
    if inv.parsed.has("files-with-matches", "files-without-match", "files"):
        own = [p.value for p in inv.builder.facts.paths if p.command_id == inv.fact.id]
        inv.out = replace(inv.content().derived(), roots=tuple(own) or (".",), connected=True)


def _rg(inv: Invocation) -> None:
    """rg: without a path it searches the working directory."""
    if inv.parsed.has("files") or len(inv.parsed.operands) > 1 or inv.parsed.has("regexp", "file"):
        _grep_names(inv)
        return
    inv.trait(Trait.RECURSIVE)
    _grep_names(inv)


_JQ_PAIRS = {"arg": "text", "argjson": "text", "slurpfile": "read", "rawfile": "read"}


def _jq(inv: Invocation) -> None:
    """jq: some options take a name and a value, which are no operands."""
    for option, name in inv.parsed.values:
        role = _JQ_PAIRS.get(option.name)
        if role is not None:
            at = next(i for i, word in enumerate(inv.words) if word is name)
            for value in inv.words[at + 1 : at + 2]:
                inv.parsed.operands = [w for w in inv.parsed.operands if w is not value]
                apply_role(inv, role, value)
    apply_roles(inv)
    if (
        "env"
        in " ".join(w.value or "" for w in inv.parsed.operands[:1]).replace("$ENV", "env").split()
    ):
        inv.op(O.ENVIRONMENT_READ)


_GREP = (
    "A,after-context= B,before-context= C,context= c,count color? colour? D,devices= d,directories="
    " E,extended-regexp e,regexp=pattern F,fixed-strings f,file=read G,basic-regexp H,with-filename"
    " h,no-filename i,y,ignore-case no-ignore-case I include= exclude= exclude-dir= exclude-from=read"
    " L,files-without-match l,files-with-matches label= line-buffered m,max-count= n,line-number"
    " o,only-matching P,perl-regexp q,quiet,silent R,dereference-recursive r,recursive s,no-messages"
    " T,initial-tab U,binary v,invert-match w,word-regexp x,line-regexp Z,null z,null-data a,text"
    " b,byte-offset binary-files= V,version # help"
)
_RG = (
    "A,after-context= B,before-context= C,context= E,encoding= e,regexp=pattern f,file=read g,glob="
    " iglob= j,threads= M,max-columns= m,max-count= r,replace= t,type= T,type-not= d,max-depth="
    " max-filesize= sort= sortr= color= colors= engine= ignore-file=read path-separator= pre=code"
    " pre-glob= type-add= type-clear= context-separator= field-match-separator= field-context-separator="
    " hostname-bin=code hyperlink-format= dfa-size-limit= regex-size-limit= stop-on-nonmatch"
    " c,count count-matches files l,files-with-matches files-without-match F,fixed-strings H,with-filename"
    " I,no-filename i,ignore-case S,smart-case s,case-sensitive n,line-number N,no-line-number"
    " o,only-matching P,pcre2 p,pretty q,quiet u,unrestricted U,multiline v,invert-match w,word-regexp"
    " x,line-regexp z,search-zip 0,null a,text hidden . no-ignore no-ignore-vcs L,follow json stats"
    " heading no-heading vimgrep trim debug column b,byte-offset passthru multiline-dotall"
    " no-messages no-config one-file-system type-list V,version h,help #"
)
_SED = (
    "n,quiet,silent e,expression=sed f,file=script E,r,regexp-extended i? in-place? l,line-length= s,separate"
    " u,unbuffered z,null-data posix debug sandbox follow-symlinks b,binary"
)
_AWK = "F,field-separator= v,assign= f,file=script e,source=awk i,include= M n N O,optimize P,posix S,sandbox b c t g h V version"
_SORT = (
    "b,ignore-leading-blanks d,dictionary-order f,ignore-case g,general-numeric-sort i M,month-sort"
    " h,human-numeric-sort n,numeric-sort R,random-sort r,reverse V,version-sort c,check? C k,key= m,merge"
    " o,output=write s,stable S,buffer-size= t,field-separator= T,temporary-directory= parallel= u,unique"
    " z,zero-terminated batch-size= compress-program=code files0-from=read random-source=read sort="
)
_READERS = names(
    "pr expand unexpand"
    " tsort colrm ul csvcut csvlook csvstat csvgrep csvsort csvjson mlr xsv miller enca uchardet"
    " zcat bzcat xzcat zstdcat lzcat gzcat zless zmore bat batcat glow pygmentize highlight nkf cksum"
    " b2sum md5sum md5 sha1sum sha224sum sha256sum sha384sum sha512sum shasum sum crc32 diff3 wdiff"
    " colordiff difft xmllint-read numfmt factor pdftotext exiftool mediainfo identify file-roller"
    " view most"
)
_CONTENT = E("", "read*", out=Out.CONTENT)
_VALUES = (
    "b= c= d,delimiter= f,fields= w,width= s= n= N= j= t,A= x? i,skip-fields= e= o= l= k= z"
    " output-delimiter= complement only-delimited B= H= p= L= q"
)

PROGRAMS = {
    **dict.fromkeys(_READERS, _CONTENT),
    "tac": E("b,before r,regex s,separator=", "read*", out=Out.LINES),
    "cat": E("A,show-all b,number-nonblank e E,show-ends n,number s,squeeze-blank t T,show-tabs u v,show-nonprinting",
             "read*", out=Out.SAME),
    "head": E("c,bytes= n,lines= q,quiet,silent v,verbose z,zero-terminated #", "read*", out=Out.LINES, special=_lines),
    "tail": E("c,bytes= n,lines= f? follow? F q,quiet,silent v,verbose r s,sleep-interval= pid= retry"
              " max-unchanged-stats= z,zero-terminated #", "read*", out=Out.LINES, special=_lines),
    "less": E("N S R X F e E i I j= k= p= P= t= T= x= y= z= o=log O=log", "read*", out=Out.CONTENT),
    "more": E("d f l p c s u n= #", "read*", out=Out.CONTENT),
    "cut": E("b,bytes= c,characters= d,delimiter= f,fields= n s,only-delimited complement output-delimiter= z",
             "read*", out=Out.CONTENT),
    "uniq": E("c,count d,repeated D f,skip-fields= i,ignore-case s,skip-chars= u,unique w,check-chars= z",
              "read write", out=Out.LINES, special=_lines),
    "paste": E("d,delimiters= s,serial z", "read*", out=Out.CONTENT),
    "join": E("a= e= i,ignore-case j= o= t= v= 1= 2= check-order nocheck-order header z", "read*", out=Out.CONTENT),
    "comm": E("1 2 3 check-order nocheck-order output-delimiter= total z", "read*", out=Out.CONTENT),
    "column": E("t,table s,separator= o,output-separator= N,table-columns= c,output-width= x,fillrows J,json n= R= H= e",
                "read*", out=Out.CONTENT),
    "fold": E("b,bytes s,spaces w,width=", "read*", out=Out.CONTENT),
    "fmt": E("c p= s t u w,width= #", "read*", out=Out.CONTENT),
    "nl": E("b= d= f= h= i= l= n= p s= v= w=", "read*", out=Out.CONTENT),
    "od": E("A= t= j= N= w? v x c b d o a i", "read*", out=Out.CONTENT),
    "hexdump": E("b c C d e= f=read n= o s= v x", "read*", out=Out.CONTENT),
    "strings": E("a,all f n,bytes= t= e= d o w #", "read*", out=Out.CONTENT),
    "iconv": E("f,from-code= t,to-code= c l,list o,output=write s", "read*", out=Out.CONTENT),
    "shuf": E("e i,input-range= n,head-count= o,output=write r z random-source=read", "read*", out=Out.LINES, special=_lines),
    "wc": E("c,bytes m,chars l,lines L,max-line-length w,words files0-from=read total=", "search*"),
    "sort": E(_SORT, "read*", out=Out.LINES, special=_lines),
    "tr": E("c,C,complement d,delete s,squeeze-repeats t,truncate-set1", "any*", special=_tr),
    "rev": E("", "read*", special=_rev),
    "grep": E(_GREP, "pattern search*", ops=(O.SEARCH,), by_option={"regexp": "search*", "file": "search*"},
              out=Out.LINES, special=_grep_names, marks={"dereference-recursive": (Trait.RECURSIVE,)}),
    "rg": E(_RG, "pattern search*", ops=(O.SEARCH,), recursive=True, out=Out.CONTENT, special=_rg,
            by_option={"regexp": "search*", "file": "search*", "files": "search*", "type-list": "search*"}),
    "ag": E("A? B? C? c f G= g= i l n o p=read Q r R s S t u U v w z depth= ignore= ignore-dir= color nocolor"
            " hidden # H", "pattern search*", ops=(O.SEARCH,), recursive=True, out=Out.CONTENT),
    "ack": E("A= B= C= c f g i l L n o Q r v w x type= ignore-dir= # H", "pattern search*", ops=(O.SEARCH,),
             recursive=True, out=Out.CONTENT),
    "ast-grep": E("p,pattern=pattern l,lang= r,rewrite=pattern U,update-all A= B= C= json? globs= i", "word search*",
                  ops=(O.SEARCH,), recursive=True),
    "sed": E(_SED, ops=(), out=Out.CONTENT, special=_sed, marks={"i": (), "in-place": ()}),
    "awk": E(_AWK, out=Out.CONTENT, special=_awk),
    "jq": E("r,raw-output c,compact-output s,slurp n,null-input e,exit-status S,sort-keys C M a j tab indent="
            " arg= argjson= slurpfile= rawfile= f,from-file=script L= R,raw-input seq stream binary ascii-output join-output color-output unbuffered",
            "pattern read*", out=Out.CONTENT, by_option={"from-file": "read*", "args": "pattern"}, special=_jq),
    "yq": E("i,inplace r,raw-output c n,null-input P,prettyPrint o,output-format= p,input-format= e,exit-status"
            " N,no-doc s,split-exp= y Y M C j", "pattern read*", out=Out.CONTENT, by_option={"inplace": "pattern edit*"}),
    "xq": E("r x= q= n c", "pattern read*", out=Out.CONTENT),
    "xmllint": E("format noout xpath= schema=read dtdvalid= output=write encode= o= html recover pretty=", "read*",
                 out=Out.CONTENT, style=Style.SINGLE),
    "diff": E("a,text b c C,context= u U,unified? d,minimal e,ed i,ignore-case N,new-file q,brief r,recursive s y,side-by-side"
              " w,ignore-all-space W,width= x,exclude= X,exclude-from=read color? label= L= B E Z t T p F= strip-trailing-cr"
              " from-file=read to-file=read normal suppress-common-lines ignore-blank-lines", "search*", out=Out.CONTENT),
    "cmp": E("b i,ignore-initial= l n,bytes= s,silent,quiet", "search search any*"),
    "echo": E("", "any*", style=Style.FREE, special=_echo),
    "print": E("a b c C= D i l m n N o O p P r R s S u= v= x= X= z f=", "any*", ordered=True, special=_print),
    "printf": E("", "any*", style=Style.FREE, special=_printf),
    "base64": E("d,D,decode i? ignore-garbage w,wrap= o,output=write b,break=", "read*", special=_base64),
    "base32": E("d,D,decode i,ignore-garbage w,wrap=", "read*", special=_base64),
    "uudecode": E("o=write p", "read*", traits=(), ops=(O.DECODE,), out=Out.CONTENT),
    "xxd": E("r,revert p,ps,plain b c= g= l= s= u i e E a o= C n= R=", "read write", special=_xxd),
    "envsubst": E("v", "any*", out=Out.CONTENT),
    "xmlstarlet": E(verbs={"*": E("t m= v= c n L,inplace", "word*", out=Out.CONTENT)}),
    "pandoc": E("f,from= t,to= o,output=write s,standalone H= B= A= c= M= V= toc template=read lua-filter=script F,filter=code",
                "read*", out=Out.CONTENT),
    "yes": E("", "any*", style=Style.FREE, special=_echo),
    "seq": E("f,format= s,separator= w,equal-width", "any*"),
    "bc": E("l,mathlib q,quiet s i", "read*"),
    "dc": E("e,expression= f,file=read", "read*"),
    "look": E("", "any read"),
    "zgrep": E(_GREP, "pattern search*", ops=(O.SEARCH,), by_option={"regexp": "search*"}, out=Out.CONTENT),
    "gron": E("u,ungron s,stream v", "read*", out=Out.CONTENT),
    "fzf": E("q,query= f,filter= preview=code bind=must m,multi height= e", "any*", out=Out.CONTENT),
}  # fmt: skip
PROGRAMS["egrep"] = PROGRAMS["fgrep"] = PROGRAMS["ugrep"] = PROGRAMS["zegrep"] = PROGRAMS["grep"]
PROGRAMS["ripgrep"] = PROGRAMS["rg"]
PROGRAMS["sg"] = PROGRAMS["ast-grep"]
PROGRAMS["gawk"] = PROGRAMS["mawk"] = PROGRAMS["nawk"] = PROGRAMS["awk"]
PROGRAMS["gsed"] = PROGRAMS["sed"]
PROGRAMS["ghead"] = PROGRAMS["head"]
PROGRAMS["gtail"] = PROGRAMS["tail"]
