"""Compilers, runtimes and tools of programming languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from defenseclaw.core.facts import ByteKind, CommandEffect, Dialect, IssueCode, PathAccess
from defenseclaw.core.facts import NetworkAction as N
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Style, joined, parse, settled
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.network import Endpoint, canonical_host, parse_port, parse_url
from defenseclaw.facts.programs import build, packages, shells
from defenseclaw.facts.programs.launchers import run_joined
from defenseclaw.facts.programs.verbs import each, plain
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word
from defenseclaw.facts.table_reader import apply_roles

# --- Python modules run with -m ---

# Modules whose program has a table of its own, by another name than the module's.
_MODULE_PROGRAMS: Mapping[str, str] = {
    "django": "django-admin", "IPython": "ipython", "jupyter": "jupyter", "notebook": "jupyter",
    "sphinx": "sphinx-build", "build": "pyproject-build", "pre_commit": "pre-commit",
    "pip._internal": "pip", "defenseclaw.gateway": "defenseclaw-gateway", "aider": "aider", "pipenv": "pipenv", "awscli": "aws",
    "ansible": "ansible", "httpie": "http", "nuitka": "nuitka", "PyInstaller": "pyinstaller",
    "yt_dlp": "yt-dlp", "youtube_dl": "youtube-dl", "pytest_watch": "ptw", "trace": "coverage",
}  # fmt: skip
# Modules of the standard library that take files, and what they do with them.
_LIBRARY: Mapping[str, E] = {
    "json.tool": E("indent= tab no-indent compact sort-keys no-ensure-ascii json-lines", "read write", out=Out.CONTENT),
    "base64": E("d e u t", "read", out=Out.CONTENT),
    "zipfile": E("l,list= t,test= c,create=write e,extract=read metadata-encoding=", "word*"),
    "tarfile": E("l,list= t,test= c,create=write e,extract=read v,verbose filter=", "word*"),
    "gzip": E("d,decompress fast best", "edit*"),
    "compileall": E("q f l r= j= d= b x= i=read", "search*"),
    "py_compile": E("q", "search*"),
    "tokenize": E("e", "read", out=Out.CONTENT), "ast": E("m= a i=", "read", out=Out.CONTENT),
    "dis": E("", "read", out=Out.CONTENT), "tabnanny": E("q v", "search*"),
    "venv": E("system-site-packages symlinks copies clear upgrade without-pip prompt= upgrade-deps", "mkdir*"),
    "ensurepip": E("upgrade U user altinstall default-pip root=", ops=(O.FETCH,)),
    "cProfile": E("o=log s= m", "run any*", ordered=True), "profile": E("o=log s=", "run any*", ordered=True),
    "pdb": E("c= m", "run any*", ordered=True), "trace": E("c t l count f= C= summary", "run any*", ordered=True),
    "timeit": E("n= r= s=python p v u=", "python*"), "unittest": E("v q f b c k= s= p= t=", "word*"),
    "sqlite3": E("v", "edit sql"), "webbrowser": E("n t", "url"), "telnetlib": E("d", "host word", ops=(O.CONNECT,)),
    "smtpd": E("n c=", ops=(O.LISTEN,)), "pydoc": E("p= b w k=", "word*"), "idlelib": E("c=python r=run", "run*"),
    **each("site sysconfig platform this antigravity calendar locale turtledemo test symtable pickletools pickle"
           " encodings.rot_13 getpass zipapp lib2to3 doctest http.client mimetypes uuid random inspect", E("", "word*")),
}  # fmt: skip
_SERVER = E("b,bind= d,directory=list p,protocol= cgi", "word")


_OWN_PACKAGE = "defenseclaw"


def _module(inv: Invocation, at: int, name: Word, rest: list[Word]) -> None:
    """``python -m NAME``: a program of its own, a module of the library, or one of the project."""
    fact = inv.fact
    fact.options = [o for o in _before(inv, at) if o]
    fact.operands = [w.value for w in rest if w.value is not None]
    fact.subcommand = f"-m {name.value}"
    inv.stdin_kind = ByteKind.UNKNOWN
    module = name.value or ""
    if module in ("http.server", "SimpleHTTPServer"):
        _serve(inv, rest)
    elif module in _LIBRARY:
        entry = _LIBRARY[module]
        inv.parsed, inv.entry = parse(entry, rest), entry
        inv.op(*entry.ops)
        apply_roles(inv)
        inv.out = inv.content().derived() if entry.out is Out.CONTENT else None
    else:
        if module.startswith(f"{_OWN_PACKAGE}."):
            module = _OWN_PACKAGE + (".gateway" if ".gateway" in module else "")
        program = _MODULE_PROGRAMS.get(module) or module.removesuffix(".__main__").replace("_", "-")
        if program in _RUNNABLE:
            inv.run([replace(name, value=program), *rest])


def _before(inv: Invocation, at: int) -> list[str]:
    return [
        "m",
        *((w.value or "").lstrip("-") for w in inv.words[1:at] if (w.value or "").startswith("-")),
    ]


def _serve(inv: Invocation, rest: list[Word]) -> None:
    """A file server over a folder."""
    inv.parsed, inv.entry = parse(_SERVER, rest), _SERVER
    inv.op(O.LISTEN)
    operands = inv.parsed.operands
    port = operands[0].value if operands else "8000"
    number = parse_port(port or "") or 0
    served = inv.network(N.LISTEN, Endpoint("", "http", number))
    apply_roles(inv, "word")
    folder = inv.parsed.value("directory")
    bound = inv.parsed.value("bind")
    if folder is None or (bound is not None and canonical_host(bound.value or "") in _LOOPBACK):
        return
    inv.reads(folder, recursive=True)  # whoever reaches the port reads it
    inv.carry(served, inv.content())


_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def _module_at(words: list[Word]) -> tuple[int, Word | None]:
    """Where ``-m`` stands and the module it names, reading options as Python does."""
    at = 1
    while at < len(words):
        text = words[at].value or words[at].prefix
        if not text.startswith("-") or text in ("-", "--"):
            break
        if text.startswith("--"):
            at += 1
            continue
        for index, letter in enumerate(text[1:], start=1):
            if letter == "c":
                return 0, None
            if letter == "m":
                joined = text[index + 1 :]
                if joined:
                    return at, replace(words[at], value=joined)
                return at + 1, words[at + 1] if at + 1 < len(words) else None
            if letter in "WXQ":
                at += index + 1 == len(text)
                break
        at += 1
    return 0, None


_python_program = shells.PROGRAMS["python"].special


def _python(inv: Invocation) -> None:
    """Python: a module, or what shells.py knows; Django's manage.py has commands of its own."""
    at, name = _module_at(inv.words)
    if name is not None and inv.fact.effect is not CommandEffect.PREVIEW:
        if name.value is None:
            inv.trait(Trait.DYNAMIC_CODE)
            inv.partial(IssueCode.DYNAMIC_WORD)
            return
        _module(inv, at, name, inv.words[at + 1 :])
        return
    assert _python_program is not None
    _python_program(inv)
    operands = inv.parsed.operands
    if operands and _base(operands[0]) == "manage.py" and not inv.parsed.has("c"):
        inv.run([replace(operands[0], value="manage.py"), *operands[1:]])


def _base(word: Word) -> str:
    return (word.value or "").replace("\\", "/").rpartition("/")[2].lower()


_PYTHON = replace(shells.PROGRAMS["python"], special=_python)


# --- JavaScript runtimes ---


def _script_file(inv: Invocation) -> None:
    """A runtime for typed JavaScript: the same as node with the file that it is given."""
    node = shells.PROGRAMS["node"].special
    operands = inv.parsed.operands
    if operands and operands[0].value == "watch":
        operands.pop(0)
    assert node is not None
    node(inv)


def _bun(inv: Invocation) -> None:
    """bun FILE or bun SCRIPT: a file of the project is run, any other word is a script's name."""
    operands = inv.parsed.operands
    if inv.parsed.has("eval", "print"):
        _script_file(inv)
        return
    first = operands[0].value or "" if operands else ""
    if first == "-" or first.endswith(_SCRIPT_SUFFIXES) or first.startswith(("./", "/", "../")):
        _script_file(inv)
    else:
        packages.run_script(inv)


_SCRIPT_SUFFIXES = (".ts", ".js", ".tsx", ".jsx", ".mjs", ".cjs", ".mts", ".cts")


def _deno_run(inv: Invocation) -> None:
    """deno run: a file, or code from an address."""
    operands = inv.parsed.operands
    endpoint = parse_url(operands[0].value) if operands and operands[0].value else None
    if endpoint is not None and endpoint.scheme in ("http", "https"):
        inv.op(O.FETCH)
        inv.network(N.DOWNLOAD, endpoint)
        inv.trait(Trait.CODE_FROM_NETWORK)
        return
    _script_file(inv)


_NODE_OPTIONS = shells.PROGRAMS["node"].options
_typed_node = E(
    _NODE_OPTIONS + " T,transpile-only P,project=read tsconfig=read esm swc files no-cache clear-screen include= ignore= compiler= S,skip-project C,compiler-options= cwd-mode",
    "run any*", ordered=True, special=_script_file, by_option=shells.PROGRAMS["node"].by_option,
)  # fmt: skip
_DENO = (
    "A,allow-all allow-read? allow-write? allow-net? allow-env? allow-run? allow-sys? allow-ffi? allow-import? R? W? N? E? S? I? deny-read? deny-write? deny-net? deny-env? deny-run?"
    " P? c,config=read no-config import-map=read q,quiet check? no-check? watch? reload? r? lock=read no-lock frozen cached-only env-file? unstable seed= location= v8-flags= no-remote"
    " no-npm node-modules-dir? vendor? cert=read inspect? inspect-brk? h,help V,version L,log-level= no-prompt output=write o=write target= include= exclude= fix fail-fast? filter="
    " coverage? parallel doc reporter= junit-path=log ext= global g n,name= root=mkdir f,force cwd=stat"
)


# --- Go, Rust, .NET, the JVM ---


@settled
def _go_run(inv: Invocation) -> None:
    """go run, test, build: ``-exec`` and ``-toolexec`` name programs that are run."""
    apply_roles(inv, "word*")
    for option in ("exec", "toolexec"):
        for word in inv.parsed.all_values(option):
            inv.run_code(word, How(wrapper=False, dialect=Dialect.POSIX))


def _go_clean(inv: Invocation) -> None:
    inv.op(O.DELETE)
    apply_roles(inv, "word*")


_GO = (
    "o=log C=stat run= v race cover coverprofile=log covermode= coverpkg= count= timeout= tags= ldflags= gcflags= asmflags= short bench= benchmem benchtime= cpuprofile=log"
    " memprofile=log blockprofile=log trace=log json mod= modfile=read overlay=read u t d x n,dry-run a p= work buildvcs= trimpath buildmode= exec=word toolexec=word vet= failfast parallel="
    " cpu= list= fuzz= fuzztime= skip= shuffle= outputdir=mkdir c i m versions f= e deps test compiled export find l s w r fix? mod? cache modcache testcache fuzzcache"
    " require= droprequire= replace= dropreplace= exclude= go= toolchain= print module= fmt changed all cmd short src u unsafe h help args pgo= msan asan linkshared installsuffix= diff"
)
_go = E(_GO, "word*", style=Style.SINGLE, special=_go_run)
_go_ordered = replace(_go, ordered=True, operands="must any*")
_DOTNET = (
    "h,help v,verbosity= p= project= c,configuration= f,framework= r,runtime= o,output=mkdir no-build no-restore no-dependencies launch-profile= nologo self-contained? no-self-contained"
    " source=url s,source=url k,api-key= symbol-source= skip-duplicate n,name= package-version,version= prerelease g,global tool-path=mkdir local add-source=url configfile=read interactive force a,arch= os="
    " filter= l,logger= collect= results-directory=mkdir d,diag=log t,list-tests settings=read blame no-logo test-adapter-path= e,environment= package= include-transitive outdated deprecated"
    " vulnerable format= context= startup-project= json idempotent i connection= output-dir=mkdir namespace= context-dir= data-annotations use-database-names schema= table= verify-no-changes"
    " severity= include= exclude= lang= language= dry-run update-check type= author= tag= property= artifacts-path=mkdir tl? disable-build-servers use-current-runtime ucr sc? y,yes non-interactive"
)
_JAVA = (
    "jar=run cp=must classpath=must class-path=must p=must module-path=must m=must module=must add-modules= add-opens= add-exports= add-reads= javaagent=run agentlib=must agentpath=run ea? enableassertions da esa server"
    " version showversion help h X verbose? source= enable-preview splash= D= XX= d=mkdir s=mkdir proc= processor= processorpath= release= target= encoding= g parameters Xlint Werror"
    " nowarn deprecation sourcepath= bootclasspath="
)


def _java(inv: Invocation) -> None:
    """java: a class, an archive, or one source file; an agent is loaded before it."""
    apply_roles(inv, "word*")
    operands = inv.parsed.operands
    if operands and (operands[0].value or "").endswith(".java"):
        inv.path(operands[0], PathAccess.EXECUTE)
    elif operands and not inv.parsed.has("jar") and operands[0].value is None:
        inv.partial(IssueCode.DYNAMIC_WORD)
    if inv.parsed.has("agentpath"):
        inv.trait(Trait.CONFIG_EXEC)


# --- inline code of languages without a reader ---


def _unread(*options: str) -> E:
    """The special of an interpreter whose inline code is not read: its effect stays unknown."""

    def special(inv: Invocation) -> None:
        apply_roles(inv, "word*")
        if inv.fact.effect is CommandEffect.PREVIEW:
            return
        if inv.parsed.has(*options):
            inv.trait(Trait.INLINE_CODE)
            inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)
            return
        operands = inv.parsed.operands
        if operands and operands[0].value is not None:
            inv.path(operands[0], PathAccess.EXECUTE)
        elif operands:
            inv.trait(Trait.DYNAMIC_CODE)
            inv.partial(IssueCode.DYNAMIC_WORD)
        elif inv.stdin.connected:
            build.consume(inv, inv.fact.program)

    return E("", "must any*", special=special)


def _interpreter(options: str, *code: str) -> E:
    return replace(_unread(*code), options=options, ordered=True)


# --- Ruby on Rails, Laravel, Phoenix ---

_RAILS_DROPS = frozenset({"db:drop", "db:drop:all", "db:reset", "db:purge", "db:purge:all", "db:migrate:reset", "db:schema:load",
                          "db:structure:load", "db:truncate_all", "db:seed:replant"})  # fmt: skip


def _tasks(inv: Invocation) -> None:
    """rails and rake tasks by name, several in one call."""
    apply_roles(inv)
    if inv.parsed.has("execute", "e", "execute-print", "execute-continue"):
        inv.trait(Trait.INLINE_CODE)
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    if any(
        (w.value or "").partition("[")[0] in _RAILS_DROPS
        for w in [*inv.parsed.operands, Word(inv.fact.subcommand)]
    ):
        inv.op(O.DELETE)
        inv.trait(Trait.DESTROYS_DATABASE)


def _runner(inv: Invocation) -> None:
    """rails runner: a file, or Ruby on the command line."""
    operands = inv.parsed.operands
    if not operands:
        return
    text = operands[0].value
    if text == "-":
        build.consume(inv, "ruby")
    elif text is not None and text.endswith(".rb"):
        inv.path(operands[0], PathAccess.EXECUTE)
    else:
        inv.trait(Trait.INLINE_CODE)
        inv.run_language("ruby", operands[0])


def _console(inv: Invocation) -> None:
    if inv.stdin.connected:
        build.consume(inv, "ruby")


def _artisan(inv: Invocation) -> None:
    """artisan tinker --execute: PHP on the command line."""
    apply_roles(inv)
    if inv.parsed.has("execute"):
        inv.trait(Trait.INLINE_CODE)


_php_program = shells.PROGRAMS["php"].special


def _php(inv: Invocation) -> None:
    """php: Laravel's artisan has commands of its own."""
    assert _php_program is not None
    _php_program(inv)
    operands = inv.parsed.operands
    if operands and _base(operands[0]) == "artisan":
        inv.run([replace(operands[0], value="artisan"), *operands[1:]])


def _ecto(inv: Invocation) -> None:
    """mix tasks: some drop the database; ``do`` runs several."""
    apply_roles(inv)
    names = {inv.fact.subcommand, *(w.value or "" for w in inv.parsed.operands)}
    if names & {"ecto.drop", "ecto.reset"}:
        inv.op(O.DELETE)
        inv.trait(Trait.DESTROYS_DATABASE)
    if "run" in names and inv.parsed.has("eval"):
        inv.trait(Trait.INLINE_CODE)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


def _adb_shell(inv: Invocation) -> None:
    """adb shell: shell text on the attached device."""
    if inv.parsed.operands:
        run_joined(inv, inv.parsed.operands, How(remote=True))


def _erl(inv: Invocation) -> None:
    apply_roles(inv)
    if inv.parsed.has("eval"):
        inv.trait(Trait.INLINE_CODE)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


# --- editors started for one command ---


def _vi(inv: Invocation) -> None:
    """vi, ex and ed: commands are options, operands with a plus, and lines of the input."""
    parsed = inv.parsed
    commands = [w for n in ("c", "cmd") for w in parsed.all_values(n)]
    files = [w for w in parsed.operands if not (w.value or w.prefix).startswith("+")]
    commands += [joined(w, 1) for w in parsed.operands if w not in files]
    for word in commands:
        inv.run_language("ex", word)
    if parsed.has("S") or (
        parsed.has("s") and not parsed.has("e", "E", "silent") and not _is_ex(inv)
    ):
        inv.partial(IssueCode.OPAQUE_ARTIFACT)  # a script of editor commands
    if inv.stdin.connected and not any(w.value == "-" for w in files):
        shells.run_input(inv, "ex", inv.stdin, [])
    role = "search" if parsed.has("R", "M") else "format"
    for word in files:
        if (word.value or "").startswith("!"):  # ed reads what a command prints
            inv.run_code(joined(word, 1), How(wrapper=False, dialect=Dialect.POSIX))
        elif word.value != "-":
            apply_role(inv, role, word)


def _is_ex(inv: Invocation) -> bool:
    """Whether the program is a line editor by its name, where `-s` only makes it silent."""
    return inv.fact.program in ("ex", "ed", "red")


def _emacs(inv: Invocation) -> None:
    """emacs: Lisp on the command line is not read."""
    if inv.parsed.has("eval", "execute"):
        inv.trait(Trait.INLINE_CODE)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)
    apply_roles(inv, "format*")


_COMPILER = (
    "o=log c S E M MM MD MP MF=log MT= MQ= g? O? W? f? m? std= x= isystem= include= I? L? l? D? U? Xlinker= T=read shared static pthread v v,version print-search-dirs"
    " print-file-name= dumpversion dumpmachine arch= isysroot= target= fuse-ld= rdynamic pipe save-temps? ansi pedantic w nostdlib help h B= e= u= r s z= undefined= framework= F="
)
_compiler = E(_COMPILER, "search*", style=Style.SINGLE)
_RUSTC = "o=log out-dir=mkdir crate-type= crate-name= edition= emit= L= l= C= O g A= W= D= F= cfg= extern= target= test print= explain= v,verbose V,version Z= error-format= color= cap-lints="
_SWIFT = (
    "h,help v,verbose c,configuration= package-path=stat target= product= scratch-path=mkdir build-path=mkdir Xswiftc= Xcc= Xlinker= j,jobs= filter= skip= parallel enable-code-coverage"
    " list-tests skip-build show-bin-path static-swift-stdlib arch= triple= name= type= from= exact= branch= url= disable-sandbox sanitize= o=log O Onone version num-workers= xunit-output=log"
)
_XCODE = (
    "project= workspace= scheme= target= alltargets configuration= arch= sdk= destination= derivedDataPath=mkdir resultBundlePath=mkdir archivePath=mkdir exportArchive exportPath=mkdir"
    " exportOptionsPlist=read xcconfig=read enableCodeCoverage= testPlan= only-testing= skip-testing= quiet verbose list showBuildSettings showsdks showdestinations version help json"
    " dry-run allowProvisioningUpdates parallel-testing-enabled= jobs= n hideShellScriptEnvironment clonedSourcePackagesDirPath= skipPackagePluginValidation toolchain="
)
_RAKE = (
    "f,rakefile=run I,libdir= r,require=run T,tasks? D,describe? W? P,prereqs A,all n,dry-run N q,quiet s,silent t,trace? v,verbose V,version X,no-system j,jobs? m,multitask R,rakelibdir="
    " e,execute=ruby E,execute-continue=ruby p,execute-print=ruby h,help H B=  G,no-search"
)
_RAILS = "h,help v,version e,environment= p,port= b,binding= d,database= P,pid= c,config= C,dev-caching u,using= s,sandbox skip-bundle api css= javascript= force skip pretend quiet T J"
_MIX = "h,help v,version force no-compile no-start no-deps-check e,eval=word r,require=run only= trace warnings-as-errors all r,repo= quiet only-tests seed= cover stale max-failures= check-formatted dry-run"
_FLUTTER = (
    "h,help v,verbose d,device-id= version suppress-analytics debug profile release flavor= t,target= dart-define= dart-define-from-file=read build-number= build-name= no-pub pub web-renderer="
    " web-port= web-hostname= coverage name= plain-name= o,output=write machine obfuscate split-debug-info=mkdir tree-shake-icons export-method= export-options-plist=read set-exit-if-changed"
    " fix dry-run apply l,line-length= fatal-infos fatal-warnings delete-conflicting-outputs org= platforms= template= project-name= enable-experiment= n= dev"
)

PROGRAMS: dict[str, E] = {
    **each("python python3 python2 pypy pypy3 ipython py", _PYTHON),
    "php": replace(shells.PROGRAMS["php"], special=_php),
    **each("nodejs iojs", shells.PROGRAMS["node"]),
    **each("tsx ts-node ts-node-dev ts-node-esm esno jiti vite-node babel-node sucrase-node coffee", _typed_node),
    "bun": E(_NODE_OPTIONS.replace("e,eval=word p,print=word", "e,eval=js p,print=js") + " b,bun watch hot smol i,install= config=read c,config=read cwd=stat env-file=read F,filter= silent shell= port= bunfile production frozen-lockfile"
             " D,d,dev optional peer E,exact g,global f,force dry-run no-save ignore-scripts backend= registry=url cache-dir= verbose no-progress omit= trust t,test-name-pattern= timeout= u,update-snapshots"
             " rerun-each= only todo coverage coverage-reporter= coverage-dir= bail? preload=run target= outdir=mkdir outfile=write minify sourcemap? splitting compile external= format= define= loader= root= entry-naming=",
             verbs={
        **each("install i add a update link create c init pm patch outdated", E("", ops=(O.FETCH,))), **each("remove rm unlink", E("", ops=(O.DELETE,))),
        **each("run", E("", "must any*", ordered=True, special=_bun)), **each("x", E("", ordered=True, special=packages.run_package)),
        "exec": E("", "code", ordered=True), "publish": E("tag= access= otp=", ops=(O.UPLOAD,)),
        "pm": E("", verbs={"*": E("a,all")}), **each("test build upgrade repl info audit why discord completions help", E("")),
        "*": E("", "must any*", ordered=True, special=_bun)}, preview="help version dry-run"),
    "deno": E(_DENO, verbs={
        **each("run serve", E("p,port= host=", "must any*", ordered=True, special=_deno_run)), "eval": E("p,print T,ts", "js", traits=(Trait.INLINE_CODE,), ordered=True),
        **each("install add i cache vendor update outdated upgrade init", E("e,entrypoint", "maybe-url*", ops=(O.FETCH,))), **each("remove uninstall", E("", ops=(O.DELETE,))),
        "task": E("", "must any*", ordered=True), "publish": E("token= allow-dirty", ops=(O.UPLOAD,)), "fmt": E("check", "format*", by_option={"check": "search*"}),
        **each("lint check test bench compile bundle doc info types coverage repl lsp jupyter completions help", E("")), "clean": E("", ops=(O.DELETE,)),
        "*": E("", "must any*", ordered=True, special=_deno_run)}),
    # Go
    "go": E("C=stat", style=Style.SINGLE, ordered=True, verbs={
        "run": _go_ordered, "generate": replace(_go, special=None), "clean": E(_GO, style=Style.SINGLE, special=_go_clean),
        **each("get install", E(_GO, style=Style.SINGLE, ops=(O.FETCH,))),
        "mod": E("", style=Style.SINGLE, verbs={**each("download tidy vendor", E(_GO, style=Style.SINGLE, ops=(O.FETCH,))), "edit": E(_GO, "format", style=Style.SINGLE),
                                                "*": E(_GO, style=Style.SINGLE)}),
        "env": E("w u json changed", style=Style.SINGLE, marks={"w": (O.CONFIG_CHANGE,), "u": (O.CONFIG_CHANGE,)}),
        **each("work tool", E(_GO, style=Style.SINGLE, ordered=True)), "fmt": E(_GO, "word*", style=Style.SINGLE),
        "*": _go}, preview="help version n"),
    **plain("godoc gotip dlv gore wire mockgen mockery stringer enumer ent swag templ ko gox garble tinygo gomobile benchstat pprof gotests impl gomodifytags"
            " easyjson protoc-gen-go protoc-gen-go-grpc wails fyne gopherjs yaegi gomplate godotenv gvm gosh"),
    # JVM
    "java": E(_JAVA, "must any*", by_option={"jar": "any*"}, style=Style.SINGLE, ordered=True, special=_java), **each("javaw", E(_JAVA, "must any*", by_option={"jar": "any*"}, style=Style.SINGLE, ordered=True, special=_java)),
    **each("javac kotlinc scalac kotlinc-jvm kotlinc-js groovyc ecj aspectj", E(_JAVA + " o=log include-runtime module-name= jvm-target= no-stdlib", "search*", style=Style.SINGLE)),
    **each("kotlin scala", replace(_unread("e", "expression"), options="e,expression=word cp= classpath= D= J= version help howtorun= i=", style=Style.SINGLE, ordered=True)),
    "jar": E("c,create x,extract t,list u,update f,file= m,manifest=read C= e,main-class= v,verbose 0 M i=", "word*"),
    "jshell": E("s q v class-path= R= feedback= startup=read execution= no-startup", "run*"),
    **plain("javap javadoc jdeps jlink jpackage jcmd jps jstack jmap jstat jinfo jhsdb jfr jconsole visualvm jdb jdeprscan jmod jnativescan keytool jarsigner serialver rmic native-image"
            " nailgun coursier cs scalafix jbang kscript spring quarkus mn jhipster springboot ktor kobweb async-profiler arthas",
            "keystore=edit file=log o=write d=mkdir cp= classpath= c p s l v"),
    **each("scala-cli", E("", verbs={**each("run", E("", "run any*", ordered=True)), "*": E("")})),
    "groovy": _interpreter("e=word cp= classpath= D= l? v,version h,help n p i?", "e"),
    # .NET
    "dotnet": E(_DOTNET, verbs={
        "run": E("", "any*", ordered=False), **each("restore add new build publish pack test watch format workload sdk msbuild vstest store help sln list reference package", E("")),
        "remove": E("", ops=(O.DELETE,)), "clean": E("", ops=(O.DELETE,)), "exec": E("", "run any*", ordered=True), "build-server": E(""),
        "nuget": E("", verbs={"push": E("", ops=(O.UPLOAD,)), "delete": E("", ops=(O.DELETE,)), **each("add update remove enable disable", E(verbs={"*": E("", ops=(O.CONFIG_CHANGE,))})), "*": E("")}),
        "tool": E("", verbs={**each("install update restore", E("", ops=(O.FETCH,))), "uninstall": E("", ops=(O.DELETE,)), "run": E("", ordered=True), "*": E("")}),
        "ef": E("", verbs={"database": E("", verbs={"drop": E("f,force dry-run", ops=(O.DELETE,), traits=(Trait.DESTROYS_DATABASE,)), "*": E("")}),
                           "migrations": E("", verbs={"remove": E("f,force", ops=(O.DELETE,)), "*": E("")}), "*": E("")}),
        "user-secrets": E("", verbs={"list": E("", ops=(O.CREDENTIAL_READ,)), **each("clear remove", E("", ops=(O.DELETE,))), "*": E("")}),
        "dev-certs": E(""), "*": E("", "word*", ordered=True)}),
    "dotnet-ef": E(_DOTNET, verbs={"database": E("", verbs={"drop": E("f,force dry-run", ops=(O.DELETE,), traits=(Trait.DESTROYS_DATABASE,)), "*": E("")}), "*": E("")}),
    **plain("msbuild xbuild csc fsc vbc mono monodis dotnet-script fsi dotnet-format dotnet-trace dotnet-counters dotnet-dump dotnet-gcdump ilspycmd reportgenerator gitversion nbgv paket fake cake stryker csharpier"
            " csharprepl roslynator sqlpackage vstest.console signtool"),
    # Swift, Apple
    "swift": E(_SWIFT, verbs={
        "package": E("", verbs={**each("update resolve", E("", ops=(O.FETCH,))), **each("clean reset purge-cache", E("", ops=(O.DELETE,))), "*": E("")}),
        **each("run", E("", "must any*", ordered=True)), **each("build test repl sdk format", E("")), "*": E("", "run any*", ordered=True)}),
    "swiftc": E(_SWIFT, "search*", style=Style.SINGLE), "xcodebuild": E(_XCODE, style=Style.SINGLE, preview="help version list showBuildSettings showsdks showdestinations dry-run"),
    "xcrun": E("sdk= f,find r,run l,log v,verbose n,no-cache k,kill-cache toolchain= show-sdk-path show-sdk-version show-sdk-platform-path version h,help", ordered=True, special=build.inner,
               preview="help version find show-sdk-path show-sdk-version show-sdk-platform-path"),
    "simctl": E("set=", verbs={**each("erase delete", E("", ops=(O.DELETE,))), "spawn": E("s,standalone", "word word*", ordered=True), "*": E("")}),
    **plain("notarytool stapler altool codesign actool ibtool momc agvtool lipo dsymutil install_name_tool xcdevice devicectl xctrace instruments swift-format swift-demangle sourcekit-lsp"
            " xcode-select xcodes bartycrouch mint swiftenv xcparse ios-deploy idevice_id ideviceinfo libimobiledevice vapor"),
    # Dart, Flutter, Android
    **each("flutter dart", E(_FLUTTER, verbs={
        **each("run", E("", "word*", ordered=True)), "clean": E("", ops=(O.DELETE,)),
        "pub": E("", verbs={**each("get add upgrade downgrade global", E("", ops=(O.FETCH,))), "remove": E("", ops=(O.DELETE,)), **each("publish lish", E("n,dry-run f,force", ops=(O.UPLOAD,))),
                            "run": E("", ordered=True), "*": E("")}),
        "*": E("", "word*", ordered=False)})),
    "adb": E("s= t= d e H= P= a", ordered=True, verbs={
        "shell": E("T t x n e=", ordered=True, special=_adb_shell),
        "push": E("sync z p", "source* word", ops=(O.COPY,)), "pull": E("a z p", "word write", ops=(O.COPY,)),
        **each("install install-multiple", E("r t d g l s f abi=", "source*")), "uninstall": E("k", ops=(O.DELETE,)),
        **each("reboot root unroot remount disable-verity sideload", E("", ops=(O.CONFIG_CHANGE,))), "*": E("")}),
    "fastboot": E("s= w,wipe slot= set-active? u force disable-verity disable-verification skip-reboot", verbs={
        **each("erase format", E("", ops=(O.DELETE,))), "flash": E("", "word source"), "*": E("")}, marks={"wipe": (O.DELETE,)}),
    **each("emulator sdkmanager avdmanager lint apkanalyzer logcat bugreport scrcpy", E("", "word*", style=Style.SINGLE)),
    # Ruby
    **each("rake", E(_RAKE, special=_tasks, preview="help version dry-run tasks describe prereqs")),
    "rails": E(_RAILS, verbs={
        **each("runner r", E("", ordered=True, special=_runner)), **each("console c", E("", special=_console)),
        **each("dbconsole db", E("p,include-password mode= header", special=build.sql_shell)), **each("server s new generate g destroy d test t routes about stats notes assets:precompile credentials:edit", E("")),
        **each("credentials:show encrypted:show", E("", ops=(O.CREDENTIAL_READ,))),
        "*": E("trace", special=_tasks, ordered=False)}),
    **each("irb pry", E("r=run f I= e=word v h,help", special=_console)),
    **plain("erb haml rdoc ri yard srb sorbet tapioca steep rbs typeprof solargraph ruby-lsp overcommit capistrano chruby sidekiq good_job resque whenever annotate"
            " bootsnap zeitwerk middleman nanoc"),
    # PHP
    "artisan": E("env= n,no-interaction h,help q,quiet v,verbose V,version ansi no-ansi force seed step? dry-run,pretend path= database=", verbs={
        **each("migrate:fresh migrate:reset db:wipe migrate:refresh", E("drop-views drop-types", ops=(O.DELETE,), traits=(Trait.DESTROYS_DATABASE,))),
        "tinker": E("execute=php", special=_artisan), **each("down", E("")), "*": E("")}),
    **plain("symfony magento n98-magerun valet sail herd phpenv php-fpm php-config phpize pecl pear phive box phpdoc deployer dep envoy phing captainhook grumphp",
            "env= n,no-interaction force yes y allow-root path=stat url= ssh= h,help version"),
    "drush": E("y,yes r,root=stat l,uri= h,help", verbs={**each("sql-drop sql:drop site-install si", E("", ops=(O.DELETE,), traits=(Trait.DESTROYS_DATABASE,))), **each("sql-query sqlq sql:query", E("file=script", "sql")),
                                                         **each("php-eval ev php:eval", E("", "php")), "*": E("")}),
    "wp": E("path=stat url= ssh= user= skip-plugins skip-themes allow-root quiet debug require=run yes prompt force", verbs={
        "db": E("", verbs={**each("drop reset clean", E("", ops=(O.DELETE,), traits=(Trait.DESTROYS_DATABASE,))), "query": E("", "sql"), "*": E("")}),
        "eval": E("skip-wordpress", "php"), "eval-file": E("", "run any*"), "*": E("")}),
    # Elixir, Erlang
    "mix": E(_MIX, verbs={**each("deps.get deps.update deps.compile archive.install local.hex local.rebar escript.install", E("", ops=(O.FETCH,))),
                          **each("hex.publish", E("yes dry-run", ops=(O.UPLOAD,))), "clean": E("", ops=(O.DELETE,)), "*": E("", special=_ecto, ordered=False)}),
    "elixir": _interpreter("e,eval=word r=run S= pa= pz= sname= name= cookie= no-halt v,version h,help rpc-eval=word", "eval", "rpc-eval"),
    "iex": E("e,eval=word r=run S= sname= name= cookie= remsh= dot-iex=read v,version h,help", "run*"),
    "erl": E("eval=word noshell noinput s= pa= pz= sname= name= setcookie= boot= config= run= version", style=Style.SINGLE,
             special=_erl),
    **plain("elixirc erlc rebar3 rebar hex dialyzer ct_run escript gleam lfe"),
    # others
    "julia": _interpreter("e,eval=word E,print=word p,procs= t,threads= project? J,sysimage=must L,load=run startup-file= quiet q i O? h,help v,version compile= check-bounds= depwarn= color=", "eval", "print"),
    **each("rscript r", _interpreter("e=word f,file=run vanilla verbose q,quiet s,slave,no-echo default-packages= no-save no-restore no-environ no-site-file no-init-file args version help", "e")),
    **each("littler", _interpreter("e=word", "e")),
    **each("runghc runhaskell ghci", _interpreter("e=word i? f= isrc", "e")),
    "ghc": E("e=word o=log O? c make package= i? outputdir=mkdir v? version help threaded W? X= prof dynamic j?", "search*", style=Style.SINGLE),
    **each("ocaml utop", _interpreter("e=word I= init=run noinit stdin version", "e")),
    **plain("dune ocamlc ocamlopt ocamlfind ocamldep menhir esy bsc rescript hoogle haddock happy hpack ghcup ghcid haskell-language-server spago purs elm elm-test elm-live idris2 agda lake lean coqc coqtop"
            " isabelle z3 cvc5 tlc tla2tools alloy dafny boogie why3 frama-c cbmc klee"),
    **each("racket guile chicken csi scheme chez sbcl clisp ecl gforth", _interpreter("e,eval=word c=word l,load=run f=run q n i h,help v,version noinform non-interactive script=run s=run no-userinit x E=word", "eval", "c", "E", "x")),
    **each("tclsh wish jimsh", shells.TCL),
    **each("luajit lua5.1 lua5.4 texlua lune luau", shells.PROGRAMS["lua"]),
    **each("nim nimble zig v vlang crystal shards odin c3c hare haxe valac vala fpc dmd ldc2 rdmd dub gdc mojo carp roc pony ponyc ballerina chapel chpl fortran gnat gnatmake gprbuild alr cobc iverilog vvp verilator yosys ghdl nvc",
           E("o,output=log out=log d,define= r,run c,compile h,help v,version release debug", "word*")),
    **each("gcc g++ cc c++ clang clang++ tcc icc icx icpx nvcc hipcc mpicc mpicxx gfortran flang ifort c99 c89 cl aarch64-linux-gnu-gcc arm-none-eabi-gcc arm-linux-gnueabihf-gcc x86_64-w64-mingw32-gcc riscv64-unknown-elf-gcc cpp", _compiler),
    **each("rustc rustdoc clippy-driver", E(_RUSTC, "search*")), **plain("rust-gdb rust-lldb bindgen cbindgen cross wasm-snip evcxr bacon rust-script"),
    **each("as ld ld.gold ld.lld lld mold ranlib nasm yasm gas llvm-ar llvm-as llc opt lli llvm-objdump llvm-nm llvm-dis strip objcopy gprof windres dlltool", E(
        "o,output=log r c s q d t x v g f= F= I= l= L= T=read m= O? S strip-all strip-debug only-keep-debug add-gnu-debuglink= p h,help version", "word*")),
    **plain("gdbserver bear compiledb intercept-build rr heaptrack kcachegrind callgrind_annotate cg_annotate ms_print systemtap uftrace flamegraph.pl"),
    **plain("matlab maxima gp sage mathematica wolframscript gap stata sas idl"),
    **each("octave", _interpreter("eval=word q,quiet,silent no-gui no-init-file path= persist h,help v,version", "eval")),
    "bash-language-server": E(),
    # editors started from the command line
    **each("code code-insiders codium cursor windsurf zed subl atom idea pycharm webstorm goland clion rider fleet charm mate bbedit kate gedit nova", E(
        "r,reuse-window n,new-window w,wait g,goto d,diff m,merge a,add h,help v,version install-extension= uninstall-extension= list-extensions show-versions disable-extensions"
        " user-data-dir= extensions-dir= profile= s,status verbose log= force remote=", "stat*", marks={"install-extension": (O.FETCH,)})),
    **each("vi vim nvim gvim ex vimdiff nvi elvis", E(
        "c=word cmd=word S=word s u=read i= T= t= q? p? o? O? R M b d e E g h,help l m n N v V? x y Z noplugin clean nofork remote servername= version headless startuptime=log D r? L embed", "format*", special=_vi)),
    **each("ed red", E("p,prompt= s,quiet,silent v,verbose r,restricted E l,loose-exit-status G,traditional h,help V,version", "format*", special=_vi)),
    **each("emacs emacsclient xemacs", E("batch eval=word execute=word l,load=run f,funcall= script=run Q,quick q,no-init-file nw,no-window-system t,tty c,create-frame n,no-wait e a,alternate-editor=must s,socket-name= d,display=", "format*", special=_emacs)),
    **each("nano pico micro helix hx kak joe ne mcedit", E("l v R,restricted B w i m t,tempfile h,help c,config=read", "edit*")),
}  # fmt: skip


# Programs that Python modules of the same name start.
_RUNNABLE = frozenset(
    {
        "defenseclaw",
        "defenseclaw-gateway",
        *build.PROGRAMS,
        *packages.PROGRAMS,
        "ansible",
        "aws",
        "http",
        "aider",
        "yt-dlp",
        "youtube-dl",
        "pre-commit",
        "pgcli",
        "mycli",
        "ipython",
    }
)
