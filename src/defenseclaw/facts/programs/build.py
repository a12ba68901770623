"""Compilers, package managers of languages, test runners, linters and task runners."""

from __future__ import annotations

from defenseclaw.core.facts import ByteKind, Dialect, IssueCode, OperationKind as O, PathAccess
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E, Out, Style
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.roles import apply_role, require
from defenseclaw.facts.script import Word
from defenseclaw.facts.streams import NOTHING


def _run_rest(inv: Invocation) -> None:
    """The operands are a command of the project or its environment."""
    _values(inv)
    if inv.parsed.operands:
        inv.run(inv.parsed.operands)


def _values(inv: Invocation) -> None:
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)


def install(inv: Invocation) -> None:
    """Packages are installed: their own scripts run, so an unknown name is unknown code."""
    _values(inv)
    for word in inv.parsed.operands:
        require(inv, word)


def _npx(inv: Invocation) -> None:
    """npx and relatives run a package's program, or shell text with -c."""
    call = inv.parsed.value("call")
    if call is not None:
        inv.run_code(call, How(dialect=Dialect.POSIX))
        return
    operands = list(inv.parsed.operands)
    if not operands:
        return
    require(inv, operands[0])
    name = operands[0].value or ""
    bare = name[0] + name[1:].partition("@")[0] if name else name
    bare = bare.rpartition("/")[2] if bare.startswith("@") else bare
    operands[0] = Word(bare or None, operands[0].quote, start=operands[0].start, end=operands[0].end)
    inv.run(operands)


def _make(inv: Invocation) -> None:
    """make runs what the project's file says; variables may carry code."""
    _values(inv)
    for word in inv.parsed.operands:
        name, mark, value = (word.value or word.prefix).partition("=")
        if mark and name.rstrip(":+?!").upper() == "SHELL":
            inv.trait(Trait.CONFIG_EXEC)
            if word.value is not None:
                inv.run_code(Word(value), How(wrapper=False, dialect=Dialect.POSIX, quiet=True))
    if inv.parsed.has("eval"):
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)
    if not inv.parsed.has("file"):
        _project_file(inv)


def _project_file(inv: Invocation) -> None:
    inv.builder.note(f"{inv.fact.program} runs what the project's own files say")


def _django(inv: Invocation) -> None:
    """manage.py: its shells take code."""
    _values(inv)
    verb = inv.fact.subcommand
    command = inv.parsed.value("command")
    if verb in ("shell", "shell_plus") and command is not None:
        inv.run_language("python", command)
    elif inv.stdin.connected and verb in ("shell", "shell_plus", "dbshell"):
        language = "sql" if verb == "dbshell" else "python"
        consume(inv, language)
    if verb in ("flush", "reset_db", "sqlflush"):
        inv.trait(Trait.SQL_TRUNCATE)


def consume(inv: Invocation, language: str) -> None:
    """A program takes text of a language on standard input."""
    stream = inv.stdin
    inv.stdin_kind = ByteKind.EXECUTED
    if stream.text is not None:
        inv.builder.runner.language(inv, language, stream.text, None)
    elif stream.files or stream.network or stream.decoded:
        inv.stdin_kind = ByteKind.UNKNOWN
        inv.partial(IssueCode.OPAQUE_ARTIFACT)
    elif stream.connected and stream is not NOTHING:
        inv.stdin_kind = ByteKind.UNKNOWN
        inv.trait(Trait.DYNAMIC_CODE)
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


def _python_tool(inv: Invocation) -> None:
    """rails runner, iex -e and relatives are not read: a body given inline stays unknown."""
    _values(inv)
    if inv.parsed.has("e", "eval", "execute") or inv.fact.subcommand in ("runner", "r"):
        inv.trait(Trait.INLINE_CODE)
        operands = inv.parsed.operands
        if operands and operands[0].value and operands[0].value.endswith((".rb", ".exs", ".ex")):
            inv.path(operands[0], PathAccess.EXECUTE)
            return
        inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


def _rails(inv: Invocation) -> None:
    task = inv.parsed.operands[0].value or "" if inv.parsed.operands else inv.fact.subcommand
    if task in ("db:drop", "db:reset", "db:purge", "db:migrate:reset", "db:drop:all"):
        inv.trait(Trait.SQL_DROP)
    elif task in ("db:truncate_all", "db:seed:replant"):
        inv.trait(Trait.SQL_TRUNCATE)
    _python_tool(inv)


def _formatter(inv: Invocation) -> None:
    """Formatters change files only when asked to; otherwise they read."""
    _values(inv)
    role = "format" if inv.parsed.has("write", "fix", "in-place", "i", "w") or inv.fact.subcommand == "format" else "search"
    for word in inv.parsed.operands:
        apply_role(inv, role, word)


_plain = E("", "word*")
_single = E("", "word*", style=Style.SINGLE)
_fmt = E("w,write fix i,in-place l check diff config= c= f=", special=_formatter)
_install = E(
    "D,save-dev E,save-exact O,save-optional P,save-prod S,save g,global f,force y,yes q,quiet silent no-save no-audit no-fund loglevel= registry="
    " prefix= legacy-peer-deps ignore-scripts production omit= include= r,requirement=script c,constraint=script e,editable=run U,upgrade t,target=mkdir"
    " i,index-url= extra-index-url= user no-deps pre no-cache-dir no-cache frozen-lockfile prefer-offline workspace= w= d,dev group= G= python= p= n="
    " break-system-packages only-binary= no-binary= find-links= root= disable-pip-version-check dry-run with= without= features= path=run git=url"
    " branch= tag= version= locked offline all-features jobs= no-root all extra= extras= system link-mode= override=script exact optional peer",
    ops=(O.FETCH,),
    special=install,
)  # fmt: skip
_remove = E("g,global y,yes f,force D S dev group= r,requirement=script n= all", ops=(O.CONFIG_CHANGE,))
_publish = E("tag= access= otp= dry-run repository= r= u= p= skip-existing registry= allow-dirty token= no-verify", ops=(O.UPLOAD,))
_exec = E("c,call=code p,package= y,yes no-install q,quiet with= from= python= w= filter= extra= no-sync locked frozen isolated env-file=read module m=",
          ordered=True, special=_npx)  # fmt: skip
_run = E("p,package= q,quiet with= from= python= w= filter= C= dir= no-sync env-file=read extra= group= only-group= frozen locked isolated no-project"
         " directory= project= all-extras with-requirements=script with-editable= refresh reinstall no-dev dev active script m,module= n= no-capture-output"
         " live-stream if-present silent s prefix= workspace= workspaces", ordered=True, special=_run_rest)  # fmt: skip

_INSTALL_VERBS = dict.fromkeys(("install", "i", "add", "ci", "update", "upgrade", "up", "sync", "lock", "require", "get", "dlx-add", "create",
                                "clean-install", "compile", "download", "restore", "dedupe", "import", "fetch", "ensurepath", "inject"), _install)  # fmt: skip
_REMOVE_VERBS = dict.fromkeys(("uninstall", "remove", "rm", "un", "prune", "purge"), _remove)
_NODE = E(
    "prefix= C= w,workspace= filter= cwd= silent s g,global r,recursive help version loglevel= F= parallel offline",
    verbs={
        **_INSTALL_VERBS, **_REMOVE_VERBS,
        "exec": _exec, "x": _exec, "dlx": _exec,
        **dict.fromkeys(("publish", "unpublish", "deprecate"), _publish),
        **dict.fromkeys(("run", "run-script", "test", "t", "start", "stop", "build", "dev", "lint", "tst", "restart", "serve", "preview"),
                        E("if-present silent s w,workspace= workspaces", "word*")),
        "config": E(verbs={"set": E("g,global location=", "text*", ops=(O.CONFIG_CHANGE,)), "*": E("json l g")}),
        **dict.fromkeys(("token",), E("", ops=(O.CREDENTIAL_READ,))),
        "*": E("json depth= g l long"),
    },
)  # fmt: skip
_BUN = E(_NODE.options + " b,bun watch hot smol e,eval=js p,print=js", verbs={**_NODE.verbs, "*": E("watch hot", "run word*")}, special=None)
_PIP = E("python= q,quiet v,verbose isolated require-virtualenv proxy= timeout= index-url= no-input log=log disable-pip-version-check",
         verbs={**_INSTALL_VERBS, **_REMOVE_VERBS, "wheel": _install, "*": E("o,outdated f= format= not-required pre local user path= all exclude=")})  # fmt: skip
_UV = E("q,quiet v,verbose directory= project= offline python= no-cache color= config-file=read n no-config cache-dir=", verbs={
    **_INSTALL_VERBS, **_REMOVE_VERBS, "pip": _PIP, "run": _run, "tool": E(verbs={"run": _exec, **_INSTALL_VERBS, **_REMOVE_VERBS, "*": E()}),
    "publish": _publish, "build": E("o,out-dir=mkdir wheel sdist"), "venv": E("p,python= seed clear prompt= system-site-packages", "mkdir"),
    "python": E(verbs={**_INSTALL_VERBS, **_REMOVE_VERBS, "*": E()}), "cache": E(verbs={"clean": E("", ops=(O.DELETE,)), "*": E()}), "*": E(),
})  # fmt: skip
_POETRY = E("q,quiet v,verbose n,no-interaction C,directory= P,project= no-cache ansi no-ansi no-plugins", verbs={
    **_INSTALL_VERBS, **_REMOVE_VERBS, "run": _run, "shell": E("", traits=(Trait.INTERACTIVE_SHELL,)), "publish": _publish,
    "config": E("local unset list", "word text*", ops=(O.CONFIG_CHANGE,)), "*": E("f,format= o,output=write t,tree l,latest a all"),
})  # fmt: skip
_CARGO_ARGS = ("p,package= bin= example= test= bench= features= target= target-dir=mkdir manifest-path= j,jobs= profile= message-format= config= Z= q,quiet v,verbose"
               " r,release lib bins all workspace exclude= locked offline frozen all-targets all-features no-default-features no-run no-fail-fast"
               " fix allow-dirty allow-staged check keep-going doc open no-deps")  # fmt: skip
_CARGO = E("q,quiet v,verbose C= Z= config= color= offline locked list explain=", verbs={
    **dict.fromkeys(("run", "r", "build", "b", "test", "t", "check", "c", "bench", "clippy", "doc", "fmt", "fix", "nextest", "tarpaulin", "expand",
                     "rustc", "rustdoc", "llvm-cov", "insta", "watch", "tree", "metadata", "search", "generate-lockfile", "verify-project",
                     "vendor", "audit", "deny", "outdated", "udeps", "machete", "hack", "xtask", "flamegraph", "asm", "msrv", "semver-checks",
                     "init", "new", "package", "locate-project", "pkgid", "info", "report", "sqlx", "leptos", "tauri", "ndk", "miri", "mutants"),
                    E(_CARGO_ARGS, "word*")),
    "clean": E(_CARGO_ARGS, ops=(O.DELETE,)),
    **_INSTALL_VERBS, **_REMOVE_VERBS, "publish": _publish, "yank": E("version= undo", ops=(O.UPLOAD,)), "login": E("", ops=(O.CONFIG_CHANGE,)),
    "*": E(_CARGO_ARGS),
})  # fmt: skip
_GO_ARGS = ("o=write run= v race cover coverprofile=log count= timeout= tags= ldflags= gcflags= short bench= benchmem cpuprofile=log memprofile=log json mod= u t d x n a p="
            " cpu= parallel= failfast list= trimpath buildvcs= C= m f e fuzz= fuzztime= shuffle= covermode= coverpkg= vet= skip= args exec=code toolexec=code asmflags= work msan asan")  # fmt: skip
_GO = E(_GO_ARGS, style=Style.SINGLE, verbs={
    "run": E(_GO_ARGS, "run word*", style=Style.SINGLE),
    **dict.fromkeys(("get", "install"), E(_GO_ARGS, "must*", style=Style.SINGLE, ops=(O.FETCH,))),
    "mod": E(style=Style.SINGLE, verbs={"*": E(_GO_ARGS, style=Style.SINGLE)}), "env": E("w u json", "word*", style=Style.SINGLE, marks={"w": (O.CONFIG_CHANGE,)}),
    "generate": E(_GO_ARGS, "word*", style=Style.SINGLE), "clean": E("cache modcache testcache fuzzcache i r n x", style=Style.SINGLE, ops=(O.DELETE,)),
    "*": E(_GO_ARGS, "word*", style=Style.SINGLE),
})  # fmt: skip
_TEST_ARGS = "k= m= c=read n= o= p= x q v s l rootdir= maxfail= cov? cov-report= junitxml=log timeout= tb= ignore= deselect= lf ff sw pdb durations= basetemp= confcutdir= W= reruns= r="
_MAKE = E("B,always-make C,directory= d debug? E,eval= f,file,makefile=script h I,include-dir= i j? jobs? k,keep-going l? L n,just-print,dry-run,recon o= O? p q r R s,silent,quiet"
          " S t v w W= no-print-directory trace environment-overrides e", special=_make)  # fmt: skip
_JVM = E("D= P= p,project-dir= b= c,settings-file= f,file=script q,quiet v info debug o,offline s settings=read T= pl= am U X B e x,exclude-task= no-daemon daemon parallel"
         " stacktrace scan refresh-dependencies rerun-tasks continue console= build-cache i tests= Dtest= l,list projects= configuration= write-locks m,dry-run t", "word*")  # fmt: skip

_TEST_RUNNERS = (
    "pytest py.test jest vitest mocha ava tap karma cypress playwright nyc c8 phpunit rspec minitest ctest nose2 nosetests trial behave robot tox nox"
    " hatch pdm-test busted ginkgo gotestsum bats shellspec cucumber wdio testcafe pest codecept doctest googletest coverage locust k6 artillery"
).split()
_LINTERS = (
    "eslint stylelint tslint tsc flake8 pylint mypy pyright pyre ruff-check bandit safety vulture pydocstyle xenon radon shellcheck hadolint actionlint yamllint"
    " markdownlint markdownlint-cli2 mdl vale cspell codespell typos alex textlint htmlhint jsonlint spectral staticcheck golangci-lint govulncheck gosec revive errcheck"
    " rubocop-check reek brakeman standard-check phpstan psalm phan phpcs cppcheck clang-tidy iwyu cpplint checkstyle pmd spotbugs detekt ktlint swiftlint sqlfluff-lint"
    " tflint tfsec checkov terrascan trivy grype syft gitleaks trufflehog semgrep snyk kubeval kubeconform conftest opa regal buf promtool protolint license-checker"
    " depcheck madge knip size-limit lighthouse lhci pa11y commitlint secretlint detect-secrets dclint dotenv-linter editorconfig-checker svgo oxlint"
).split()
_FORMATTERS = (
    "prettier black isort autopep8 yapf ruff gofmt goimports gofumpt rustfmt clang-format shfmt taplo dprint biome rome standard xo stylua ktfmt google-java-format"
    " scalafmt ormolu fourmolu hindent nixfmt alejandra terraform-fmt sqlfluff rubocop rufo pint php-cs-fixer mdformat autoflake pyupgrade docformatter djlint uncrustify astyle"
).split()
_COMPILERS = "gcc g++ cc c++ clang clang++ tcc icc nvcc rustc javac kotlinc scalac swiftc ghc ocamlopt ocamlc fpc gfortran nasm yasm as ld ar ranlib dmd ldc2 nim zig v crystal vala valac".split()
_TOOLS = (
    "cmake-gui ninja meson bazel bazelisk buck2 pants please scons waf premake5 xmake ccache sccache distcc autoconf automake autoreconf aclocal libtool libtoolize pkg-config"
    " webpack vite rollup esbuild parcel swc babel tsup turbo nx lerna rush changeset changesets gulp grunt brunch snowpack astro next nuxt remix gatsby svelte-kit ng vue ember"
    " expo react-native storybook hugo jekyll mkdocs mike sphinx-build sphinx-quickstart sphinx-apidoc typedoc jsdoc doxygen rustdoc antora docusaurus zola eleventy"
    " protoc protoc-gen-go grpc_tools thrift flatc capnp swagger-codegen openapi-generator graphql-codegen sqlc ent wire mockgen stringer"
    " alembic flask uvicorn gunicorn hypercorn daphne celery streamlit gradio jupyter jupyter-lab nbconvert papermill dvc mlflow wandb airflow prefect dagster dbt kedro"
    " cython f2py pyinstaller nuitka cx_Freeze maturin setuptools-scm flit twine-check towncrier bumpversion bump2version bump-my-version cz semantic-release release-it standard-version"
    " java kotlin scala sbt lein clj clojure mill groovy julia elixir mix iex erl rebar3 dart flutter swift xcodebuild xcrun pod fastlane carthage dotnet-script msbuild nuget"
    " rails rake bundle-exec rspec-rails jbang stack cabal opam dune esy luarocks cpan cpanm composer-check artisan symfony wp drush magento"
    " latexmk pdflatex xelatex lualatex bibtex biber typst asciidoctor dot neato plantuml mermaid mmdc gnuplot ffmpeg ffprobe convert magick mogrify montage sox"
    " just-list act nektos task-list earthly-check dagger lefthook-run lint-staged husky-run np rimraf-check http-server serve live-server json-server msw browser-sync"
    " emcc wasm-pack wasm-bindgen wasm-opt wasmtime wasmer trunk wrangler vercel netlify surge firebase amplify heroku flyctl fly railway render supabase"
    " code cursor subl vim nvim vi nano emacs open xdg-open start explorer electron appium detox maestro adb emulator avdmanager sdkmanager fvm nvm fnm n volta asdf mise rbenv pyenv jenv sdk rustup ghcup"
    " phpenv goenv direnv-allow tfenv tfswitch pio platformio arduino-cli esptool.py openocd west idf.py qemu-system-x86_64 gem5"
    " virtualenv pip-compile pip-sync pip-audit pipdeptree pipreqs pip-tools conda-lock micromamba mamba"
).split()

PROGRAMS = {
    **dict.fromkeys(_TOOLS, _plain),
    **dict.fromkeys(_TEST_RUNNERS, E(_TEST_ARGS, "word*")),
    **dict.fromkeys(_LINTERS, E("c,config= fix f,format= o,output=log q,quiet", "word*")),
    **dict.fromkeys(_FORMATTERS, _fmt),
    **dict.fromkeys(_COMPILERS, E("o=write c S E g O? W? f? D= I= L= l= std= x= isystem= include= MF=log MT= MQ= Xlinker= T=read shared static", "word*", style=Style.SINGLE)),
    "ruff": E("q,quiet v config=read isolated", verbs={"format": E("check diff config= line-length=", special=_formatter),
                                                      "check": E("fix unsafe-fixes diff w,watch o,output-file=log output-format= select= ignore= statistics", special=_formatter), "*": E()}),
    "biome": E("", verbs={"*": E("write apply fix", special=_formatter)}),
    "npm": _NODE, "pnpm": _NODE, "yarn": E(_NODE.options, verbs={**_NODE.verbs, "*": E("", "word*")}), "bun": _BUN, "deno": E(
        "", verbs={"run": E("A,allow-all allow-read? allow-write? allow-net? allow-env? allow-run? R? W? N? E? c,config= import-map= q check watch? reload? no-check", "run word*", ordered=True),
                   "eval": E("p ext=", "js"), **_INSTALL_VERBS, "*": E("", "word*")}),
    "npx": _exec, "pnpx": _exec, "bunx": _exec, "pipx": E("", verbs={"run": _exec, **_INSTALL_VERBS, **_REMOVE_VERBS, "*": E()}), "uvx": _exec,
    "corepack": _plain, "ni": _install, "nr": _plain, "lerna": E("", verbs={"exec": _exec, "*": E()}),
    "pip": _PIP, "pip3": _PIP, "uv": _UV, "poetry": _POETRY, "pdm": _POETRY, "pipenv": _POETRY, "rye": _POETRY, "hatch": E("e,env= v q", verbs={
        "run": _run, "shell": E(), "publish": _publish, "*": E("i= c clean")}),
    "conda": E("", verbs={**_INSTALL_VERBS, **_REMOVE_VERBS, "run": _run, "env": E(verbs={"remove": _remove, "*": _install}), "*": E("n,name= p,prefix= c= y json")}),
    "twine": E("", verbs={"upload": _publish, "*": E()}), "easy_install": _install,
    "gem": E("", verbs={**_INSTALL_VERBS, **_REMOVE_VERBS, "push": _publish, "exec": _exec, "*": E()}),
    "bundle": E("", verbs={**_INSTALL_VERBS, "exec": _run, "*": E("path= jobs= retry= without= deployment quiet")}),
    "composer": E("n,no-interaction q d,working-dir= no-plugins no-scripts", verbs={**_INSTALL_VERBS, **_REMOVE_VERBS, "exec": _exec, "*": E("", "word*")}),
    "rails": E("", verbs={"runner": E("e=", special=_python_tool), "r": E("e=", special=_python_tool), "*": E("e= p= b= d", "word*", special=_rails)}),
    "rake": E("f=script T t P n q s v D=", "word*", special=_rails),
    "mix": E("", "word*"), "elixir": E("e= r= S= pa=", "run word*", ordered=True, special=_python_tool, by_option={"e": "word*"}), "iex": E("e= S=", special=_python_tool),
    "cargo": _CARGO, "cross": _CARGO, "go": _GO, "make": _MAKE, "gmake": _MAKE, "bmake": _MAKE,
    "cmake": E("B= S= G= D= E= P=script C=script build= install= preset= target= j? t= config= fresh L A N U= W= T= prefix= parallel? toolchain= trace clean-first v", "word*"),
    "ninja": E("C= f=script j= k= n t= v d= w=", "word*"), "just": E("f,justfile=script d,working-directory= l,list n,dry-run set= e,edit c,command=code", "word*"),
    "task": E("t,taskfile=script d,dir= l,list a n,dry p s", "word*"), "mage": _plain, "invoke": _plain, "inv": _plain, "doit": _plain, "earthly": _plain,
    **dict.fromkeys(("mvn", "mvnw", "gradle", "gradlew", "ant", "ivy"), _JVM),
    "dotnet": E("", verbs={"run": E("p,project= c= f= r= no-build no-restore launch-profile= v=", "word*"), **_INSTALL_VERBS,
                           "nuget": E(verbs={"push": _publish, "delete": _remove, "*": E()}), "tool": E(verbs={**_INSTALL_VERBS, **_REMOVE_VERBS, "run": _run, "*": E()}),
                           "clean": E("", ops=(O.DELETE,)), "ef": E(verbs={"database": E(verbs={"drop": E("f,force", traits=(Trait.SQL_DROP,)), "*": E()}), "*": E()}), "*": E("", "word*")}),
    "manage.py": E("", verbs={"*": E("c,command=word i= settings= pythonpath= noinput database= v=", "word*", special=_django),
                              **{v: E("c,command=word noinput no-input database= i=", special=_django) for v in ("shell", "shell_plus", "dbshell", "flush", "reset_db", "sqlflush")}}),
    "django-admin": E("", "word*"), "artisan": E("", verbs={"tinker": E("execute=", special=_python_tool), **dict.fromkeys(("migrate:fresh", "migrate:reset", "db:wipe"), E("force", traits=(Trait.SQL_DROP,))), "*": E()}),
    "prisma": E("", verbs={"migrate": E(verbs={"reset": E("f,force skip-seed schema=", traits=(Trait.SQL_DROP,)), "*": E("name= schema=")}),
                           "db": E(verbs={"push": E("force-reset accept-data-loss schema= skip-generate", marks={"force-reset": (Trait.SQL_DROP,), "accept-data-loss": (Trait.SQL_DROP,)}),
                                          "execute": E("file=script stdin url= schema="), "*": E()}), "*": E()}),
    "rimraf": E("g,glob v", "delete*", ops=(O.DELETE,), recursive=True, traits=(Trait.FORCE,)), "del-cli": E("f,force n,dry-run", "delete*", ops=(O.DELETE,)),
    "shx": E("", ordered=True, special=_run_rest), "cross-env": E("", ordered=True, special=None), "tsx": E("watch tsconfig= e,eval=js p,print=js", "run word*", ordered=True),
    "ts-node": E("T,transpile-only e,eval=js p,print P,project= esm r,require=", "run word*", ordered=True), "esno": E("", "run word*", ordered=True),
    "java": E("jar=run cp= classpath= D= X= m= p= ea version", "word*", style=Style.SINGLE, ordered=True), "jshell": E("", "run*"),
    "julia": E("e= E= p= project? t= J= L=script i", "run word*", ordered=True, special=_python_tool, by_option={"e": "word*", "E": "word*"}),
    "Rscript": E("e= vanilla verbose", "run word*", ordered=True, special=_python_tool), "rscript": E("e= vanilla verbose", "run word*", ordered=True, special=_python_tool),
    "swift": E("", verbs={"*": E("c= v target= package-path= product=", "word*")}), "tclsh": E("", "run word*", ordered=True),
    "scala-cli": E("", "word*"), "groovy": E("e=", special=_python_tool), "awk-script": E(), "racket": E("e=", special=_python_tool), "guile": E("c=", "run word*"),
    "jupyter": E("", "word*"), "flutter": E("", "word*"), "nodemon": E("x,exec=code w,watch= e,ext= i,ignore= q V d,delay=", "run word*", ordered=True),
    "pm2": E("", verbs={"start": E("n,name= i= watch interpreter= env= f", "run word*"), "*": E("", "word*")}), "forever": E("", "run word*"), "supervisorctl": E("c=read", "word*"),
    "foreman": E("", verbs={"start": E("f=read"), "run": _run, "*": E()}), "honcho": E("", verbs={"start": E("f=read"), "run": _run, "*": E()}), "overmind": _plain,
    "vagrant": E("", verbs={"destroy": E("f,force", traits=(Trait.DESTROYS_RESOURCE,)), "ssh": E("c,command=code", ordered=True, remote=True), "*": E()}),
    "lint-staged": _plain, "tldr": _plain, "tsc": E("p,project= noEmit w,watch b,build outDir=mkdir", "word*"),
}  # fmt: skip
