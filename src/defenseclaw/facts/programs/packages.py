"""Package managers of languages and systems, and the programs they run."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from defenseclaw.core.facts import CommandEffect, Dialect, IssueCode, PathAccess
from defenseclaw.core.facts import OperationKind as O
from defenseclaw.core.labels import Trait
from defenseclaw.facts.grammar import Entry as E
from defenseclaw.facts.grammar import Out, Special, settled
from defenseclaw.facts.invocation import How, Invocation
from defenseclaw.facts.programs import agents, build, cloud, database
from defenseclaw.facts.programs.launchers import launch
from defenseclaw.facts.programs.sending import sender
from defenseclaw.facts.programs.verbs import each
from defenseclaw.facts.roles import Need, apply_role, require
from defenseclaw.facts.script import Word
from defenseclaw.facts.table_reader import apply_roles

MAX_MANIFEST = 65_536  # characters of a package.json written in the same call

# --- programs that come out of a package ---

# Names that mean the tool although a script of the project may have them too.
NODE_TOOLS = frozenset({*build.PROGRAMS, *database.PROGRAMS, *cloud.PROGRAMS, *agents.PROGRAMS})
# Packages whose program has another name than the package.
_BINARIES: Mapping[str, str] = {
    "@angular/cli": "ng", "@anthropic-ai/claude-code": "claude", "@aws-amplify/cli": "amplify",
    "@biomejs/biome": "biome", "@changesets/cli": "changeset", "@cloudflare/wrangler": "wrangler",
    "@commitlint/cli": "commitlint", "@expo/cli": "expo", "@google/gemini-cli": "gemini",
    "@github/copilot": "copilot", "@nestjs/cli": "nest", "@openai/codex": "codex",
    "@playwright/test": "playwright", "@railway/cli": "railway", "@redocly/cli": "redocly",
    "@sentry/cli": "sentry-cli", "@stoplight/spectral-cli": "spectral", "@storybook/cli": "sb",
    "@tailwindcss/cli": "tailwindcss", "@vscode/vsce": "vsce", "@vue/cli": "vue",
    "aws-cdk": "cdk", "babel-cli": "babel", "eas-cli": "eas", "firebase-tools": "firebase",
    "netlify-cli": "netlify", "npm-check-updates": "ncu", "sequelize-cli": "sequelize-cli",
    "typescript": "tsc", "vercel-cli": "vercel", "webpack-cli": "webpack",
    "ansible-core": "ansible", "httpie": "http", "awscli": "aws", "aider-chat": "aider",
}  # fmt: skip
_FOREIGN = ("http://", "https://", "git+", "git://", "github:", "gitlab:", "file:")


def package_program(word: Word) -> Word:
    """The program that a package specification such as ``@scope/name@1.2`` starts."""
    text = word.value
    if not text or text.startswith(_FOREIGN) or text[0] in "./~":
        return word
    scoped = text[0] == "@"
    bare = "@" + text[1:].partition("@")[0] if scoped else text.partition("@")[0]
    bare = bare.partition("==")[0].partition("[")[0]
    name = _BINARIES.get(bare) or (bare.rpartition("/")[2] if scoped else bare)
    return replace(word, value=name) if name else word


def _fetched(inv: Invocation, word: Word) -> None:
    """A package given as an address is downloaded from there."""
    text = word.value or ""
    for prefix in ("git+", ""):
        if text.startswith(prefix) and "://" in text:
            inv.op(O.FETCH)
            apply_role(inv, "maybe-url", replace(word, value=text.removeprefix(prefix)))
            return


def run_package(inv: Invocation) -> None:
    """npx and its kind: the operands are the program of a package and its words."""
    operands = inv.parsed.operands
    if operands:
        _fetched(inv, operands[0])
        if inv.parsed.has("package", "from", "spec", "p"):
            inv.parsed.operands = operands
        else:
            inv.parsed.operands = [package_program(operands[0]), *operands[1:]]
    launch(inv)


def _inner(inv: Invocation) -> None:
    launch(inv)


def _of_project(inv: Invocation) -> None:
    """A program of the project's own environment: one without a table is a file of the project."""
    before = inv.builder.modelled
    seen = len(inv.builder.facts.commands)
    launch(inv)
    started = inv.builder.facts.commands[seen:]
    if len(started) == 1 and not started[0].modelled and not started[0].subcommand:
        inv.builder.modelled = before


def _yarn_exec(inv: Invocation) -> None:
    """``yarn exec``: words are a program and its arguments, one text with blanks is a shell's."""
    operands = inv.parsed.operands
    if len(operands) == 1 and len((operands[0].value or "").split()) > 1:
        inv.run_code(operands[0])
    else:
        _of_project(inv)


def _after_name(inv: Invocation) -> None:
    operands = inv.parsed.operands
    if len(operands) > 1 and operands[1].value == "--":
        operands.pop(1)
    launch(inv, 1)


@settled
def run_script(inv: Invocation) -> None:
    """A script of the project by its name; the name of a known tool means that tool."""
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    operands = inv.parsed.operands
    if not operands or inv.fact.effect is CommandEffect.PREVIEW:
        return
    if _written_script(inv, operands[0].value or ""):
        return
    first = package_program(operands[0])
    if first.value in NODE_TOOLS:
        inv.run([first, *operands[1:]])
    elif first.value is not None:
        inv.run([first, *operands[1:]], How(uncertain=True, quiet=True))
    inv.out = None


def _lifecycle(inv: Invocation) -> None:
    """npm test, start and the like: scripts of the project by fixed names."""
    for option, word in inv.parsed.values:
        if option.role != "word":
            apply_role(inv, option.role, word)
    if inv.fact.effect is not CommandEffect.PREVIEW:
        name = inv.fact.subcommand
        _written_script(inv, "test" if name in ("t", "tst") else name)


def _written_script(inv: Invocation, name: str) -> bool:
    """Run the script of a package.json that this same call wrote; False if there is none."""
    located = inv.builder.locate("package.json", inv.cwd)
    written = inv.builder.files.get(located.resolved) if located.resolved else None
    text = written.text if written is not None else None
    if not text or not name or len(text) > MAX_MANIFEST:
        return False
    try:
        manifest = json.loads(text)
    except (ValueError, RecursionError):
        return False
    scripts = manifest.get("scripts") if isinstance(manifest, dict) else None
    if not isinstance(scripts, dict):
        return False
    found = [
        scripts[n] for n in (f"pre{name}", name, f"post{name}") if isinstance(scripts.get(n), str)
    ]
    for code in found:
        how = How(wrapper=False, dialect=Dialect.POSIX, quiet=True)
        inv.builder.runner.code(inv, code, None, how)
    return bool(found)


def run_python(inv: Invocation) -> None:
    """Runners of a Python environment: a script, a module, or any program."""
    operands = inv.parsed.operands
    first = operands[0].value or "" if operands else ""
    if inv.parsed.has("module", "m") and operands:
        operands.insert(0, Word("-m"))
        operands.insert(0, Word("python"))
    elif inv.parsed.has("script", "s") or first.endswith((".py", ".pyw")) or first == "-":
        operands.insert(0, Word("python"))
    _of_project(inv)


# --- installing ---


def _install(inv: Invocation) -> None:
    """Packages to install may be names, folders, files or addresses."""
    inv.op(O.FETCH)
    apply_roles(inv, "word*")
    for word in inv.parsed.operands:
        _known_package(inv, word)
        _fetched(inv, word)


def _known_package(inv: Invocation, word: Word) -> None:
    """A package runs code of its own: one whose name is not known at all is unknown code."""
    if word.value is not None or (word.prefix and not word.prefix.startswith(_FOREIGN)):
        return
    require(inv, word, Need.ALWAYS if word.sources else Need.OUTSIDE)


def _options_with_code(inv: Invocation) -> None:
    """apt settings such as ``APT::Update::Pre-Invoke::=sh`` are shell text."""
    for word in inv.parsed.all_values("option"):
        text = word.value or word.prefix
        key, mark, _ = text.partition("=")
        if mark and "invoke" in key.lower():
            inv.trait(Trait.CONFIG_EXEC)
            if word.value is None:
                inv.partial(IssueCode.DYNAMIC_WORD)
            else:
                code = replace(word, value=text[len(key) + 1 :])
                inv.run_code(code, How(wrapper=False, dialect=Dialect.POSIX))


def _removal(role: str = "word*") -> Special:
    """Removing packages: what depends on them stops working."""

    def special(inv: Invocation) -> None:
        inv.op(O.DELETE)
        apply_roles(inv, role)
        if any(_OWN_PACKAGE.fullmatch(w.value or "") for w in inv.parsed.operands):
            inv.trait(Trait.GUARD_TAMPER)

    return special


# However a registry qualifies the name: `@scope/x`, `x@1`, `x==1`, `x[extra]`.
_OWN_PACKAGE = re.compile(r"(?:[@\w-]+/)?defenseclaw(?:[\[=@<>~! ].*)?", re.IGNORECASE)


def _environment_removal(inv: Invocation) -> None:
    """A whole environment is deleted: the folder that holds it."""
    inv.op(O.DELETE)
    for word in inv.parsed.all_values("prefix"):
        inv.path(word, PathAccess.DELETE, recursive=True)
    apply_roles(inv, "word*")


# --- commands inside environments ---


@settled
def _workspace(inv: Invocation) -> None:
    """``yarn workspace NAME COMMAND``: a yarn call in a member of the project."""
    rest = inv.parsed.operands[1:]
    if rest:
        inv.run([Word(inv.fact.program), *rest])


def _workspaces(inv: Invocation) -> None:
    """``yarn workspaces foreach COMMAND``: a yarn call in every member."""
    rest = inv.parsed.operands
    if rest:
        program = [Word(inv.fact.program)]
        inv.run(program + ([Word("run"), *rest] if inv.fact.subcommand.endswith("run") else rest))


def _pip_of(inv: Invocation) -> None:
    """``pipx runpip PACKAGE …`` is pip inside one environment."""
    inv.run([Word("pip"), *inv.parsed.operands[1:]])


def _hatch(inv: Invocation) -> None:
    """``hatch run ENV:COMMAND``: a command in an environment."""
    operands = inv.parsed.operands
    if operands and operands[0].value and ":" in operands[0].value:
        operands[0] = replace(operands[0], value=operands[0].value.partition(":")[2])
    if operands and operands[0].value == "":
        operands.pop(0)
    _of_project(inv)


def ruby_program(inv: Invocation) -> None:
    """``bundle exec``: a Ruby script or the program of a gem."""
    operands = inv.parsed.operands
    first = operands[0].value or "" if operands else ""
    if first.endswith(".rb"):
        operands.insert(0, Word("ruby"))
    _of_project(inv)


def _tool_exec(inv: Invocation) -> None:
    """``mise exec TOOL@VERSION -- COMMAND`` and ``asdf exec COMMAND``."""
    words = [w.value for w in inv.words]
    operands = inv.parsed.operands
    if "--" in words and operands:
        inv.parsed.operands = inv.words[words.index("--") + 1 :]
    if not inv.parsed.has("command"):
        launch(inv)
    else:
        apply_roles(inv, "word*")


def _nix_command(inv: Invocation) -> None:
    """``nix develop -c COMMAND …``: everything after the option is the command."""
    words = [w.value for w in inv.words]
    for mark in ("-c", "--command", "-C"):
        if mark in words:
            inv.run(inv.words[words.index(mark) + 1 :])
            return


# --- npm and its relatives ---

_NPM = (
    "h,help v,version g,global D,save-dev S,save O,save-optional P,save-prod E,save-exact B no-save"
    " save-bundle save-peer f,force y,yes s,silent q,quiet d,dd,ddd verbose json long l,ll a,all"
    " parseable p w,workspace= ws,workspaces include-workspace-root registry=url prefix=inside C=place"
    " loglevel= omit= include= only= production tag= otp= access= userconfig=read globalconfig=read"
    " cache= cafile=read cert= key= depth= audit-level= before= node-options= script-shell=exec"
    " scope= if-present ignore-scripts legacy-peer-deps no-audit no-fund no-package-lock"
    " package-lock-only prefer-offline prefer-online offline foreground-scripts progress no-progress"
    " no-optional strict-peer-deps install-strategy= install-links dry-run unicode color? timing"
    " pack-destination=mkdir sbom-format= sbom-type= package= preid= message= m= sign-git-tag"
    " git-tag-version no-git-tag-version allow-same-version provenance diff= browser= auth-type="
    " username= viewer= fetch-retries= fetch-timeout= maxsockets= searchlimit= noproxy= proxy= ca="
)
_PNPM = (
    _NPM
    + " r,recursive filter= F= dir= C,dir=inside frozen-lockfile no-frozen-lockfile lockfile-only"
    " fix-lockfile shamefully-hoist stream parallel aggregate-output reporter= store-dir="
    " workspace-concurrency= changed-files-ignore-pattern= no-bail sort no-sort hoist-pattern="
    " prod dev no-optional workspace-root resume-from= report-summary if-present"
    " ignore-workspace use-stderr side-effects-cache virtual-store-dir= child-concurrency="
    " allow-build= config. use-beta-cli include-workspace-root fail-if-no-match lockfile-dir= test-pattern="
)
_YARN = (
    "h,help v,version cwd=inside frozen-lockfile immutable immutable-cache check-cache check-files inline-builds"
    " production? D,dev E,exact T,tilde C,caret P,peer O,optional A,all R,recursive W,ignore-workspace-root-check"
    " s,silent verbose json non-interactive network-timeout= network-concurrency= mutex= registry=url"
    " cache-folder= modules-folder= global-folder= link-folder= use-yarnrc= pure-lockfile no-lockfile"
    " ignore-scripts ignore-engines ignore-optional ignore-platform offline prefer-offline flat har force"
    " pattern= level= groups= mode= i,interactive t,topological topological-dev p,parallel v j,jobs= n,dry-run"
    " include= exclude= from= since? public new-version= access= tag= otp= message= depth= B,binaries-only"
    " inspect? inspect-brk? no-progress focus no-private fields= severity= environment="
)
_install_entry = E("", special=_install)
_delete_entry = E("", special=_removal())
_script = E("", "must any*", ordered=True, special=run_script)
_lifecycle_entry = E("", "any*", ordered=True, special=_lifecycle)
_exec_code = E("c,call=code p,package=", ordered=True, special=run_package)
_looks = E("", out=Out.CONTENT)
_to_registry = E(
    "tag= access= otp= publish-branch= no-git-checks provenance",
    ops=(O.UPLOAD,),
    special=sender("registry.npmjs.org", "source*"),
)
# Settings of package managers whose values are programs, and the programs that they usually name.
_PROGRAM_SETTINGS = frozenset({"script-shell", "scriptshell", "shell", "editor", "git", "viewer", "browser", "init-module", "node-options"})  # fmt: skip
_USUAL_PROGRAMS = frozenset({"bash", "sh", "zsh", "dash", "bash.exe", "git", "git.exe", "vi", "vim", "nano", "man", "cmd.exe", "powershell", "pwsh"})  # fmt: skip
_USUAL_PLACES = re.compile(r"(?:/usr(?:/local)?/bin/|/bin/|/opt/homebrew/bin/|[A-Za-z]:[\\/]+(?:Program Files|Windows)[^:]*[\\/])?")  # fmt: skip


def _setting(inv: Invocation) -> None:
    """config set: a few settings are programs, which every later script or command starts."""
    apply_roles(inv)
    words = inv.parsed.operands
    name, mark, text = (words[0].value or "").partition("=") if words else ("", "", "")
    if name.lower() not in _PROGRAM_SETTINGS:
        return
    value = text if mark else (words[1].value if len(words) > 1 else "")
    if value is None:
        require(inv, words[1])
        return
    place = value[: len(value) - len(re.split(r"[\\/]", value)[-1])]
    usual = value[len(place) :].lower() in _USUAL_PROGRAMS and _USUAL_PLACES.fullmatch(place)
    if value and not usual:
        inv.trait(Trait.CONFIG_EXEC)
        if name.lower() not in ("node-options", "init-module"):
            inv.path_value(value.partition(" ")[0], PathAccess.EXECUTE)


_npm_verbs = {
    **each("install i in ins inst add ci clean-install ic install-test it update up upgrade udpate"
            " install-ci-test cit link ln dedupe ddp rebuild rb init create innit", _install_entry),
    **each("uninstall remove rm un r unlink", _delete_entry),
    **each("run run-script rum", _script), **each("test t tst start stop restart", _lifecycle_entry),
    **each("exec x", _exec_code),
    "publish": _to_registry, **each("unpublish deprecate", E("", ops=(O.UPLOAD,))),
    "explore": E("", ordered=True, special=_after_name),
    "config": E(verbs={
        "set": E("L,location= g,global", ops=(O.CONFIG_CHANGE,), special=_setting),
        **each("delete edit fix", E("L,location=", ops=(O.CONFIG_CHANGE,))),
        "*": _looks}),
    **each("set", E("", ops=(O.CONFIG_CHANGE,), special=_setting)),
    "token": E(verbs={
        **each("list ls create", E("read-only cidr=", ops=(O.CREDENTIAL_READ,))),
        **each("revoke delete rm", E("", ops=(O.DELETE,))), "*": E()}),
    "pkg": E(verbs={**each("set delete fix", E("", "word*", ops=(O.WRITE,))), "*": _looks}),
    "*": _looks,
}  # fmt: skip


_named = _script  # any other word is a script of the project or a program of a dependency
_NODE_MANAGERS = {
    "npm": E(_NPM, verbs=_npm_verbs),
    "cnpm": E(_NPM, verbs=_npm_verbs),
    "npx": E(
        "y,yes n,no p,package= c,call=code no-install q,quiet s shell= ignore-existing node-arg="
        " w,workspace= ws,workspaces prefer-offline prefer-online registry=url cache= userconfig=read h,help"
        " v,version legacy-peer-deps loglevel=",
        ordered=True, special=run_package,
    ),
    "pnpm": E(_PNPM, verbs={
        **_npm_verbs,
        **each("dlx", E("package= allow-build= c,shell-mode", ordered=True, special=run_package)),
        "exec": E("c,shell-mode", ordered=True, special=_of_project),
        "c": _npm_verbs["config"],
        **each("fetch import patch patch-commit patch-remove env setup deploy store server root bin prune list ls ll la"
                " why outdated audit licenses doctor self-update cache recursive multi m pack rebuild rb"
                " approve-builds ignored-builds find-hash cat-file cat-index catalog view info show help login logout"
                " whoami owner dist-tag version completion init create", _looks),
        "*": _named}),
    "pnpx": E("package= y,yes", ordered=True, special=run_package),
    "yarn": E(_YARN, verbs={
        **each("install add up upgrade upgrade-interactive dedupe import rebuild link init create", _install_entry),
        **each("remove unlink", _delete_entry),
        **each("run", _script),
        "exec": E("", ordered=True, special=_yarn_exec),
        "dlx": E("p,package= q,quiet", ordered=True, special=run_package),
        "npm": E(verbs={**each("publish tag", E("", ops=(O.UPLOAD,))), "*": _looks}),
        "workspace": E("", ordered=True, special=_workspace),
        "workspaces": E("", verbs={
            **each("run foreach", E(_YARN, ordered=True, special=_workspaces)),
            **each("list info focus", _looks), "*": _looks}),
        "global": E(verbs={**each("add upgrade", _install_entry), "remove": _delete_entry, "*": _looks}),
        "config": E(verbs={"set": E("H,home json g,global", ops=(O.CONFIG_CHANGE,), special=_setting), "*": E()}),
        **each("cache set plugin policies", E(verbs={"*": E()})),
        "publish": _to_registry,
        **each("audit autoclean bin check constraints explain generate-lock-entry get help info licenses list login"
                " logout node outdated owner pack patch patch-commit search self-update stage tag team unplug"
                " version versions why stats", _looks),
        "*": _named}),
    "bunx": E("bun p,package= y no-install verbose silent", ordered=True, special=run_package),
    "corepack": E(verbs={**each("yarn pnpm npm npx", _named), "*": E()}),
    **each("ncu npm-check-updates npm-check npmrc taze", E()),
    "nvm": E(verbs={**each("exec", E("silent", ordered=True, special=_after_name)),
                    **each("run", E("silent", "word run any*", ordered=True)), "*": E()}),
    "fnm": E(verbs={"exec": E("using=", ordered=True, special=_inner), "*": E()}),
    "n": E(verbs={**each("exec", E("", ordered=True, special=_after_name)), "*": E()}),
    "volta": E(verbs={"run": E("node= npm= yarn= pnpm= bundled-npm no-yarn env=", ordered=True, special=_inner), "*": E()}),
}  # fmt: skip


# --- Python ---

_PIP = (
    "h,help V,version q,quiet v,verbose isolated python= require-virtualenv log=log proxy= retries= timeout="
    " trusted-host= cert=read client-cert=read cache-dir= no-cache-dir disable-pip-version-check no-color"
    " use-feature= use-deprecated= no-input exists-action= r,requirement=read c,constraint=read no-deps pre"
    " e,editable=maybe-url t,target=mkdir platform= python-version= implementation= abi= user root=mkdir prefix=mkdir"
    " b,build= src= U,upgrade upgrade-strategy= force-reinstall I,ignore-installed no-build-isolation"
    " global-option= config-settings= C= i,index-url=url extra-index-url=url no-index f,find-links=maybe-url"
    " no-binary= only-binary= prefer-binary require-hashes progress-bar= report=log d,dest=mkdir"
    " w,wheel-dir=mkdir y,yes o,outdated l,local format= not-required exclude= path= break-system-packages"
    " root-user-action= dry-run all files no-warn-script-location use-pep517 no-use-pep517 group="
)
_PIP_VERBS = {
    **each("install download wheel", _install_entry),
    **each("uninstall", _delete_entry),
    "config": E(verbs={**each("set unset edit", E("", ops=(O.CONFIG_CHANGE,))), "*": _looks}),
    "*": _looks,
}  # fmt: skip
_pip = E(_PIP, verbs=_PIP_VERBS)
_UV = (
    "h,help V,version q,quiet v,verbose no-cache n cache-dir= color= native-tls offline directory=inside project=inside"
    " config-file=read no-config python-preference= no-progress allow-insecure-host= p,python= managed-python"
    " no-python-downloads preview extra= all-extras no-extra= group= no-group= only-group= all-groups dev no-dev only-dev"
    " no-default-groups no-editable inexact exact frozen locked active isolated no-sync package= all-packages"
    " with= with-editable= with-requirements=read env-file=read no-env-file no-project from= w= refresh? refresh-package="
    " reinstall? reinstall-package= U,upgrade? P,upgrade-package= index= default-index=url i,index-url=url extra-index-url=url"
    " f,find-links=maybe-url no-index index-strategy= keyring-provider= resolution= prerelease= exclude-newer="
    " link-mode= compile-bytecode no-build no-build-package= no-binary no-binary-package= no-sources build-constraint=read b="
    " r,requirement,requirements=read c,constraint,constraints=read o,output-file=write no-deps e,editable=maybe-url"
    " t,target=mkdir prefix=mkdir system break-system-packages strict dry-run y,yes optional= tag= branch= rev= script=format"
    " bounds= raw-sources annotation-style= no-header no-annotate emit-index-url generate-hashes universal python-platform="
    " python-version= torch-backend= d= depth= prune= invert outdated out-dir=mkdir sdist wheel t,token= u,username="
    " publish-url=url check-url=url trusted-publishing= clear allow-existing prompt= seed relocatable format= all"
    " name= lib app bare description= vcs= build-backend= author-from= bump= short no-pin-python pin-python workspace"
)
_tool_run = E("", ordered=True, special=run_package)
_PYTHON_MANAGERS = {
    **each("pip pip3 pip2", _pip),
    "pipx": E("h,help version q,quiet v,verbose global", verbs={
        "run": E("spec= no-cache path pypackages python= system-site-packages index-url=url pip-args= fetch-missing-python",
                 ordered=True, special=run_package),
        **each("install inject upgrade upgrade-all reinstall reinstall-all install-all upgrade-shared",
                E("spec= f,force include-deps python= i,index-url=url e,editable pip-args= suffix= preinstall=", special=_install)),
        **each("uninstall uninject uninstall-all", _delete_entry),
        "runpip": E("", ordered=True, special=_pip_of),
        "*": E()}),
    "uv": E(_UV, verbs={
        "run": E("m,module s,script gui-script", ordered=True, special=run_python),
        "tool": E(verbs={"run": _tool_run, **each("install upgrade", _install_entry), "uninstall": _delete_entry, "*": _looks}),
        "pip": E(verbs={**_PIP_VERBS, **each("sync", _install_entry), **each("compile", E("", "read*"))}),
        **each("add sync lock python init venv build", _install_entry),
        **each("remove", _delete_entry),
        "publish": E("", ops=(O.UPLOAD,), special=sender("upload.pypi.org", "source*")),
        "cache": E(verbs={"*": E()}),
        "auth": E(verbs={"token": E("", ops=(O.CREDENTIAL_READ,)), "*": E()}),
        "*": _looks}),
    "uvx": E(_UV, ordered=True, special=run_package),
    "poetry": E("h,help V,version q,quiet v,verbose n,no-interaction ansi no-ansi no-plugins no-cache C,directory=inside P,project=inside"
                " dry-run", verbs={
        "run": E("", ordered=True, special=_of_project),
        **each("install add update lock sync", E(
            "G,group= D,dev e,editable E,extras= optional python= platform= source= allow-prereleases lock with= without= only="
            " sync no-root no-directory all-extras all-groups compile no-update", special=_install)),
        **each("remove", E("G,group= D,dev lock", special=_removal())),
        "env": E(verbs={"remove": E("all", ops=(O.DELETE,)), "*": _looks}),
        "publish": E("r,repository= u,username= p,password= cert= client-cert= build skip-existing dist-dir=", ops=(O.UPLOAD,)),
        "config": E("list unset local migrate", ops=(O.CONFIG_CHANGE,)),
        "cache": E(verbs={"*": E()}), "self": E(verbs={"*": E()}), "source": E(verbs={"*": E()}), "python": E(verbs={"*": E()}),
        "*": E("f,format= o,output=write with= without= only= E,extras= all-extras all-groups without-hashes tree latest outdated"
               " top-level why next-phase short name= python= dev-dependency= dependency=", out=Out.CONTENT)}),
    "pipenv": E("h,help version q,quiet v,verbose python= three site-packages clear", verbs={
        "run": E("", ordered=True, special=_of_project), "shell": E(""),
        **each("install update upgrade sync lock", E("d,dev r,requirements=read e,editable= i,index= deploy system ignore-pipfile skip-lock"
                                                     " categories= pre keep-outdated", special=_install)),
        **each("uninstall clean", E("all all-dev skip-lock d,dev dry-run", special=_removal())),
        "*": E("rm", marks={"rm": (O.DELETE,)})}),
    "pdm": E("h,help V,version v,verbose q,quiet p,project=inside c,config=read I,ignore-python n,non-interactive", verbs={
        "run": E("s,site-packages l,list json", ordered=True, special=run_python),
        **each("install add update sync lock", E("G,group= d,dev e,editable= no-self no-lock frozen-lockfile prod dry-run", special=_install)),
        **each("remove", _delete_entry),
        "publish": E("r,repository= u,username= P,password= no-build skip-existing d,dest=", ops=(O.UPLOAD,)), "*": E()}),
    "hatch": E("h,help version v,verbose q,quiet e,env= p,project= color interactive data-dir= cache-dir= config=read", verbs={
        "run": E("include= i= exclude= x= filter= f= force-continue ignore-compat", ordered=True, special=_hatch),
        "test": E("", ordered=True), "publish": E("", ops=(O.UPLOAD,)),
        "env": E(verbs={**each("remove prune", E("", ops=(O.DELETE,))), "run": E("e,env=", ordered=True, special=_inner), "*": E()}),
        "*": E()}),
    "rye": E("h,help version q,quiet v,verbose", verbs={
        "run": E("l,list f,verbose", ordered=True, special=run_python), **each("add sync lock install", _install_entry),
        **each("remove uninstall", _delete_entry), "publish": E("", ops=(O.UPLOAD,)), "*": E()}),
    "flit": E("f,ini-file= repository= version", verbs={"publish": E("repository= pypirc=read setup-py", ops=(O.UPLOAD,)), "*": E()}),
    "twine": E("h,help version no-color", verbs={
        "upload": E("r,repository= repository-url=url s,sign i= u,username= p,password= c,comment=text config-file=read skip-existing"
                    " cert=read client-cert=read verbose disable-progress-bar non-interactive attestations", ops=(O.UPLOAD,), special=sender("upload.pypi.org", "source*")),
        "*": E("strict", "search*")}),
    **each("conda mamba micromamba", E("h,help V,version v,verbose q,quiet json no-plugins", verbs={
        "run": E("n,name= p,prefix= v,verbose dev debug-wrapper-scripts cwd= no-capture-output live-stream s", ordered=True, special=_inner),
        **each("install create update upgrade", E(
            "n,name= p,prefix=mkdir c,channel=maybe-url f,file=read y,yes override-channels strict-channel-priority no-deps only-deps"
            " all d,dry-run force-reinstall update-all freeze-installed clone= copy use-local offline solver= k,insecure dev"
            " download-only subdir= platform= no-default-packages", special=_install)),
        **each("remove uninstall", E("n,name= p,prefix=word y,yes all d,dry-run force c,channel= keep-env offline", special=_environment_removal)),
        "env": E(verbs={
            "remove": E("n,name= p,prefix=word y,yes d,dry-run", special=_environment_removal),
            **each("create update", E("n,name= p,prefix=mkdir f,file=read prune y,yes", special=_install)),
            "export": E("n,name= p,prefix= f,file=write no-builds from-history", out=Out.CONTENT), "*": _looks}),
        "config": E("add= append= prepend= set= remove= remove-key= get show show-sources file=edit env system", "word*",
                    marks=dict.fromkeys(("add", "append", "prepend", "set", "remove", "remove-key"), (O.CONFIG_CHANGE,))),
        **each("clean build develop package render skeleton", E("d,dry-run")),
        "*": _looks})),
    **each("easy_install", _install_entry),
    **each("virtualenv venv", E("p,python= system-site-packages clear upgrade prompt= without-pip copies symlinks h,help version"
                                 " no-download q,quiet v,verbose", "mkdir*")),
    **each("pyenv rbenv nodenv goenv jenv", E(verbs={
        "exec": E("", ordered=True, special=_inner), "uninstall": E("f,force", ops=(O.DELETE,)),
        "install": E("f,force s,skip-existing l,list k,keep v,verbose", ops=(O.FETCH,)), "*": E()})),
    **each("pip-compile", E("o,output-file=write r extra= U,upgrade P,upgrade-package= generate-hashes resolver= q,quiet v,verbose"
                             " dry-run strip-extras allow-unsafe no-header annotation-style= i,index-url=url c,constraint=read", "read*",
                             ops=(O.FETCH,))),
    "pip-sync": E("n,dry-run python-executable= pip-args=", "read*", ops=(O.FETCH,)),
    **each("pip-audit pipdeptree pip-licenses deptry check-manifest pyroma", E("r,requirement=read f,format= o,output=write")),
    "pixi": E(verbs={"run": E("e,environment= manifest-path=read frozen locked", "must any*", ordered=True, special=run_script),
                     "exec": E("s,spec= c,channel=", ordered=True, special=_inner), "*": E()}),
}  # fmt: skip


# --- other languages ---

_CARGO = (
    "h,help V,version list explain= v,verbose q,quiet color= C=stat frozen locked offline config= Z= p,package= workspace"
    " exclude= all lib bin? bins example? examples test? tests bench? benches all-targets doc F,features= all-features"
    " no-default-features j,jobs= release r profile? target? target-dir=mkdir manifest-path=read message-format= timings?"
    " keep-going ignore-rust-version no-run no-fail-fast unit-graph build-plan no-deps document-private-items open fix"
    " allow-dirty allow-staged allow-no-vcs broken-code edition edition-idioms n,dry-run registry= index=url token= vers,version="
    " git=url branch= tag= rev= path=read root=mkdir f,force debug no-track no-verify dev build optional no-optional"
    " rename= recursive precise= aggressive i,invert= depth= prefix= no-dedupe duplicates d e,edges= format= charset= undo"
    " vcs= name= edition= lockfile-path= exclude-lockfile list no-metadata all-targets check"
)
_RUBY = "h,help v,version q,quiet V,verbose i,install-dir=mkdir n,bindir=mkdir s,source=url clear-sources"
_OTHER_MANAGERS = {
    "cargo": E(_CARGO, verbs={
        **each("build b check c clippy test t bench doc d rustdoc fix run r rustc expand nextest miri llvm-cov tarpaulin udeps"
                " machete audit deny outdated tree metadata search info locate-project pkgid verify-project version help"
                " generate-lockfile report config login logout owner package vendor bloat flamegraph zigbuild cross hack"
                " criterion insta watch mutants semver-checks msrv geiger license about sort edit upgrade leptos shuttle"
                " lambda tauri sqlx component wasi espflash espmonitor embed flash size objdump nm strip make xtask fmt",
                E("", "any*", ordered=True)),
        **each("clean", E("", ops=(O.DELETE,))),
        **each("add new init fetch update install binstall install-update", _install_entry),
        **each("remove rm uninstall", _delete_entry),
        "publish": E("", ops=(O.UPLOAD,)), "yank": E("", ops=(O.UPLOAD,)),
        **each("watch", E("x,exec=must s,shell=code w,watch= i,ignore= c,clear q,quiet d,delay= why", ordered=True)),
        "*": E("", ordered=True)}),
    "rustup": E("h,help V,version v,verbose q,quiet", verbs={
        "run": E("install", ordered=True, special=_after_name),
        **each("update install", E("no-self-update f,force profile= c,component= t,target=", ops=(O.FETCH,))),
        "self": E(verbs={"uninstall": E("y", ops=(O.DELETE,)), "*": E(ops=(O.FETCH,))}),
        **each("toolchain target component", E(verbs={
            **each("uninstall remove", _delete_entry), **each("install add", _install_entry), "*": _looks})),
        **each("override default set show which doc man completions check help", E()), "*": E()}),
    **each("gem", E(_RUBY, verbs={
        **each("install i update", E("N no-document f,force user-install g,file? l,local r,remote P= pre gem-version,version=", special=_install)),
        **each("uninstall", E("a,all x,executables I D f", special=_removal())), **each("cleanup", E("n,dry-run", ops=(O.DELETE,))),
        "push": E("k,key= host=url otp=", ops=(O.UPLOAD,), special=sender("rubygems.org", "source*")), "yank": E("gem-version,version= platform= undo", ops=(O.UPLOAD,)),
        "exec": E("g,gem= conservative", ordered=True, special=run_package), "*": _looks})),
    **each("bundle bundler", E("h,help version v,verbose no-color r,retry= gemfile=read", verbs={
        "exec": E("keep-file-descriptors", ordered=True, special=ruby_program),
        **each("install update add lock init cache package pull", E(
            "j,jobs= path=mkdir without= with= deployment clean local quiet standalone? system trust-policy= all group= source= conservative"
            " patch minor major strict redownload frozen full-index git=url branch= gem-version,version= skip-install", special=_install)),
        **each("remove clean", E("force dry-run install", special=_removal())),
        "config": E(verbs={**each("set unset", E("global local", ops=(O.CONFIG_CHANGE,))), "*": _looks}),
        "*": _looks})),
    "composer": E("h,help V,version v,vv,vvv,verbose q,quiet n,no-interaction d,working-dir=stat no-plugins no-scripts no-cache profile"
                  " ansi no-ansi", verbs={
        **each("install i update u upgrade require r create-project dump-autoload dumpautoload reinstall bump self-update selfupdate", E(
            "no-dev dev prefer-dist prefer-source prefer-stable o,optimize-autoloader optimize a classmap-authoritative no-autoloader no-progress"
            " no-install no-update W,with-all-dependencies w,with-dependencies ignore-platform-req= ignore-platform-reqs lock dry-run"
            " repository= s,stability= no-suggest i,interactive prefer-lowest root-reqs with=", special=_install)),
        **each("remove rm uninstall", E("dev unused no-update W dry-run", special=_removal())),
        **each("exec", E("l,list", ordered=True, special=_of_project)),
        **each("run-script run", E("dev no-dev l,list timeout=", ordered=True)),
        **each("global", E(verbs={**each("require update install", _install_entry), "remove": _delete_entry, "*": E()})),
        "config": E("g,global l,list unset e,editor a,auth f,file=edit json merge source absolute append", ops=(O.CONFIG_CHANGE,)),
        "*": _looks}),
    **each("cpan cpanm cpm", E("n,notest f,force S,sudo l,local-lib=mkdir L=mkdir i installdeps q,quiet v,verbose h,help", special=_install)),
    "luarocks": E("tree= server=url local global dev h,help version", verbs={
        **each("install make build", _install_entry), **each("remove purge", _delete_entry), "upload": E("", ops=(O.UPLOAD,)), "*": E()}),
    "opam": E("h,help version y,yes v,verbose q,quiet switch= j,jobs= root=", verbs={
        "exec": E("", ordered=True, special=_inner), **each("install update upgrade pin init reinstall", _install_entry),
        **each("remove uninstall", _delete_entry), "switch": E(verbs={**each("remove", _delete_entry), "*": E()}), "*": E()}),
    **each("cabal stack", E("h,help version v,verbose? j,jobs= w= resolver= stack-yaml=read", verbs={
        "exec": E("package=", ordered=True, special=_inner),
        **each("install update build fetch", _install_entry), **each("runghc runhaskell", E("", "run any*", ordered=True)),
        "upload": E("publish d,documentation", ops=(O.UPLOAD,)), "purge": E("", ops=(O.DELETE,)), "*": E("", ordered=True)})),
    "vcpkg": E("triplet= overlay-ports= x-manifest-root=", verbs={**each("remove", _delete_entry), **each("install upgrade update", _install_entry), "*": E()}),
    "conan": E("h,help v,version", verbs={**each("install download create", E("s,settings= o,options= b,build= pr,profile= r,remote=", special=_install)),
                                          **each("remove", E("c,confirm f,force q= r,remote=", ops=(O.DELETE,))),
                                          "upload": E("r,remote= c,confirm all", ops=(O.UPLOAD,)), "*": E()}),
    "nuget": E("Source=url ApiKey= Version= OutputDirectory=mkdir NonInteractive", verbs={
        **each("install restore update", _install_entry), "push": E("", ops=(O.UPLOAD,)), "delete": E("", ops=(O.DELETE,)), "*": E()}),
    **each("pod", E("h,help version verbose silent", verbs={
        **each("install update", E("repo-update no-repo-update deployment clean-install project-directory=stat", special=_install)),
        "trunk": E(verbs={"push": E("allow-warnings", ops=(O.UPLOAD,)), "delete": E("", ops=(O.DELETE,)), "*": E()}),
        "deintegrate": E("", ops=(O.DELETE,)), "*": E()})),
    **each("carthage accio", E()),
    **each("asdf mise rtx", E("h,help version v,verbose q,quiet y,yes C,cd=stat E,env= j,jobs=", verbs={
        **each("exec x", E("c,command=code raw", ordered=True, special=_tool_exec)),
        **each("run r", E("n,dry-run f,force j,jobs= p,prefix o,output= t,tool=", ordered=True)),
        **each("install i use plugin plugins upgrade up update add", E("g,global f,force a,all", ops=(O.FETCH,))),
        **each("uninstall prune remove implode", E("a,all n,dry-run", ops=(O.DELETE,))), "*": E()})),
    "sdk": E(verbs={**each("install upgrade selfupdate", _install_entry), **each("uninstall flush", _delete_entry), "*": E()}),
    "vsce": E("h,help version", verbs={
        **each("publish unpublish", E("p,pat= packagePath=read i= t,target= pre-release no-dependencies f,force m=text", ops=(O.UPLOAD,))),
        "*": E("o,out=write")}),
    "ovsx": E("p,pat= r=url h,help", verbs={"publish": E("i=read", ops=(O.UPLOAD,)), "*": E()}),
    "goreleaser": E("f,config=read clean snapshot skip= p= verbose", verbs={"release": E("", ops=(O.UPLOAD,)), "*": E()}),
    "semantic-release": E("dry-run no-ci d ci", ops=(O.UPLOAD,)),
    **each("changeset standard-version release-it np lerna-changelog conventional-changelog git-cliff cliff commitizen cz bump2version bumpversion bump-my-version", E()),
}  # fmt: skip


# --- systems ---

_APT = (
    "h,help v,version y,yes,assume-yes q,quiet qq s,dry-run,simulate,just-print,recon,no-act d,download-only f,fix-broken"
    " m,ignore-missing no-install-recommends install-recommends install-suggests no-install-suggests reinstall u V,verbose-versions"
    " b,compile,build a,host-architecture= P,build-profiles= t,target-release,default-release= c,config-file=read o,option="
    " allow-unauthenticated allow-downgrades allow-change-held-packages allow-remove-essential only-upgrade no-upgrade"
    " trivial-only purge auto-remove autoremove no-remove installed upgradable manual-installed all-versions no-all-versions"
    " i,important n,names-only full no-download assume-no allow-releaseinfo-change force-yes print-uris"
)
_APT_VERBS = {
    **each("install update upgrade full-upgrade dist-upgrade build-dep reinstall source download safe-upgrade dselect-upgrade",
            _install_entry),
    **each("remove purge autoremove autopurge auto-remove", E("", special=_removal())),
    **each("clean autoclean auto-clean", E()),
    "edit-sources": E("", ops=(O.CONFIG_CHANGE,)),
    "*": _looks,
}  # fmt: skip
_apt = E(_APT, verbs=_APT_VERBS, before=_options_with_code)
_DNF = (
    "h,help version y,assumeyes dry-run,assumeno q,quiet v,verbose C,cacheonly b,best nobest enablerepo= disablerepo= repo= repoid="
    " x,exclude= setopt= installroot=stat releasever= forcearch= nogpgcheck allowerasing skip-broken downloadonly downloaddir=mkdir"
    " destdir=mkdir c,config=read d,debuglevel= e,errorlevel= enableplugin= disableplugin= color= refresh security advisory= bz= cve="
    " installed available all noautoremove nodocs setopt= comment=text installed"
)
_dnf = E(_DNF, verbs={
    **each("install in update up upgrade upgrade-minimal distro-sync dsync downgrade reinstall localinstall groupinstall builddep"
            " download swap", _install_entry),
    **each("remove rm erase autoremove groupremove", E("", special=_removal())),
    "group": E(verbs={**each("install update", _install_entry), "remove": _delete_entry, "*": _looks}),
    "module": E(verbs={**each("install enable", _install_entry), **each("remove reset disable", _delete_entry), "*": _looks}),
    "history": E(verbs={**each("undo rollback redo", E("", ops=(O.DELETE,))), "*": _looks}),
    **each("config-manager", E("add-repo=url set-enabled set-disabled save", ops=(O.CONFIG_CHANGE,))),
    "*": _looks,
})  # fmt: skip


def _pacman(inv: Invocation) -> None:
    """pacman: the operation is an option."""
    parsed = inv.parsed
    inv.fact.subcommand = next(
        (n for n in ("remove", "sync", "upgrade", "query") if parsed.has(n)), ""
    )
    if parsed.has("remove"):
        inv.op(O.DELETE)
    elif parsed.has("sync", "upgrade") and not parsed.has("search", "info", "list"):
        inv.op(O.FETCH)
    apply_roles(inv)


def _dpkg(inv: Invocation) -> None:
    """dpkg: installing reads archives, removing takes packages away."""
    parsed = inv.parsed
    if parsed.has("install", "unpack"):
        apply_roles(inv, "source*")
    elif parsed.has("remove", "purge"):
        inv.op(O.DELETE)
        apply_roles(inv)
    else:
        apply_roles(inv)


def _rpm(inv: Invocation) -> None:
    parsed = inv.parsed
    if parsed.has("erase"):
        inv.op(O.DELETE)
        apply_roles(inv)
    elif parsed.has("install", "upgrade", "freshen") and not parsed.has("query", "info"):
        inv.op(O.FETCH)
        apply_roles(inv, "maybe-url*")
    else:
        apply_roles(inv)
    for word in parsed.all_values("eval"):
        if "%(" in (word.value or word.prefix):
            inv.trait(Trait.INLINE_CODE)
            inv.partial(IssueCode.UNSUPPORTED_CONSTRUCT)


def _nix_shell(inv: Invocation) -> None:
    """nix-shell: ``--run`` is shell text."""
    apply_roles(inv)


_PACMAN = (
    "S,sync R,remove U,upgrade Q,query F,files D,database T,deptest V,version h,help y,refresh u,sysupgrade w,downloadonly s,search"
    " i,info l,list c,clean q,quiet n,nosave o,owns e,explicit d,nodeps k,check m,foreign t,unrequired g,groups a p,print noconfirm"
    " needed asdeps asexplicit overwrite= dbonly ignore= root= b,dbpath= r= cachedir= config=read arch= color= print-format= noprogressbar"
    " recursive cascade removemake cleanafter"
)
_BREW = (
    "h,help v,verbose q,quiet d,debug f,force n,dry-run cask formula formulae casks HEAD build-from-source s i e force-bottle"
    " overwrite ignore-dependencies only-dependencies adopt no-quarantine json? versions multiple pinned l,full-name 1 r t prune="
    " scrub file=edit global g,greedy zap ignore-pinned installed all tree include-build fetch-HEAD env= language= display-times"
)
_SYSTEM_MANAGERS = {
    **each("apt apt-get aptitude apt-fast nala", _apt),
    **each("apt-cache apt-file apt-listchanges apt-config apt-clone apt-rdepends dpkg-query dpkg-deb dpkg-architecture debconf-show", E(
        "n,names-only f,full a,all-versions i,important installed recurse h,help v,version", out=Out.CONTENT)),
    "apt-mark": E("", ops=(O.CONFIG_CHANGE,)),
    "apt-key": E(verbs={**each("add adv", E("keyserver= recv-keys=", "read*", ops=(O.CONFIG_CHANGE,))),
                        **each("del delete", E("", ops=(O.CONFIG_CHANGE,))), "*": _looks}),
    **each("add-apt-repository apt-add-repository", E("y,yes n,no-update r,remove P,ppa= S,sourceslist= U,uri= C= l,list h,help",
                                                       "maybe-url*", ops=(O.CONFIG_CHANGE,))),
    "dpkg": E("i,install unpack r,remove P,purge l,list L,listfiles s,status S,search I,info c,contents x,extract X e,control"
              " configure a,pending R,recursive force-all force-depends force-confold force-confnew force-overwrite get-selections"
              " set-selections print-architecture print-foreign-architectures add-architecture= remove-architecture= verify V audit C"
              " dry-run,no-act,simulate compare-versions root=stat admindir= instdir= no-triggers B E G O", special=_dpkg),
    "dpkg-reconfigure": E("f,frontend= p,priority= u,unseen-only force", ops=(O.CONFIG_CHANGE,)),
    **each("debconf-set-selections", E("", "read*", ops=(O.CONFIG_CHANGE,))),
    **each("dnf yum dnf5 microdnf tdnf", _dnf),
    "rpm": E("i,install U,upgrade F,freshen e,erase q,query V,verify h,hash v,verbose vv a,all f,file p,package l,list c,configfiles"
             " d,docfiles R,requires changelog scripts provides whatprovides= whatrequires= qf,queryformat= eval=word E=word import=maybe-url"
             " force nodeps noscripts nogpg nosignature replacepkgs replacefiles oldpackage root= test initdb rebuilddb version help g,group"
             " last percent allmatches K,checksig", special=_rpm, preview="help version test"),
    **each("zypper", E("n,non-interactive q,quiet v,verbose t,terse no-gpg-checks gpg-auto-import-keys R,root= h,help V,version"
                        " no-refresh xmlout i", verbs={
        **each("install in update up dist-upgrade dup patch refresh ref source-install si", E("y,no-confirm D,dry-run r,repo= l", special=_install)),
        **each("remove rm", E("y,no-confirm u,clean-deps D,dry-run", special=_removal())),
        **each("addrepo ar removerepo rr modifyrepo mr", E("f,refresh c,check p,priority= e,enable d,disable", "maybe-url*", ops=(O.CONFIG_CHANGE,))),
        "*": _looks})),
    "apk": E("h,help V,version q,quiet v,verbose p,root=stat X,repository=url U,update-cache allow-untrusted no-cache no-progress"
             " force f i,interactive cache-dir= keys-dir= initdb arch= wait= purge virtual= t,virtual=", verbs={
        **each("add upgrade update fetch fix", E("u,upgrade l,latest s,dry-run,simulate no-scripts o,output=mkdir R,recursive", special=_install)),
        **each("del", E("r,rdepends s,dry-run,simulate", special=_removal())), "*": _looks}),
    **each("pacman yay paru pamac", E(_PACMAN, special=_pacman, preview="help version print")),
    **each("makepkg", E("s,syncdeps i,install f,force c,clean C r,rmdeps noconfirm p=run o e", ops=(O.FETCH,))),
    "brew": E(_BREW, verbs={
        **each("install reinstall update upgrade up fetch tap bundle instal", _install_entry),
        **each("uninstall remove rm untap autoremove cleanup zap", E("", special=_removal())),
        "services": E(verbs={**each("stop kill", E("all", ops=(O.PROCESS_KILL,))), "*": E("all file=read")}),
        **each("link ln unlink pin unpin switch migrate postinstall", E()),
        **each("ruby irb", E("e=ruby", "word*")), "sh": E("c=code env="), "*": _looks}),
    "port": E("q v d f n p u c k s y", verbs={**each("install upgrade selfupdate sync", _install_entry),
                                              **each("uninstall clean", _delete_entry), "*": _looks}),
    "mas": E(verbs={**each("install upgrade get purchase lucky", _install_entry), "uninstall": _delete_entry, "*": E()}),
    "snap": E("h,help version", verbs={
        **each("install refresh download try", E("classic devmode dangerous channel= edge beta candidate stable revision= jailmode", special=_install)),
        **each("remove", E("purge revision= no-wait", special=_removal())),
        "run": E("shell command=", ordered=True, special=_inner),
        **each("set unset connect disconnect alias unalias enable disable", E("", ops=(O.CONFIG_CHANGE,))),
        **each("stop", E("disable", ops=(O.PROCESS_KILL,))), "*": _looks}),
    "flatpak": E("h,help version v,verbose user system installation=", verbs={
        **each("install update", E("y,assumeyes or-update reinstall noninteractive", special=_install)),
        **each("uninstall remove", E("y,assumeyes delete-data unused all", special=_removal())),
        "run": E("command= branch= arch= file-forwarding filesystem= env= devel share= socket=", ordered=True),
        **each("remote-add remote-modify override", E("if-not-exists no-gpg-verify", ops=(O.CONFIG_CHANGE,))), "*": _looks}),
    "nix": E("h,help version v,verbose q,quiet L,print-build-logs extra-experimental-features= experimental-features= option= impure f,file=read"
             " I= offline refresh no-link o,out-link= json accept-flake-config override-input= inputs-from= j,max-jobs= cores= expr= arg= argstr="
             " substituters= keep-going show-trace", verbs={
        **each("run", E("", "word*", ordered=True)), **each("develop shell", E("c,command,C=word i,ignore-environment k,keep= u=", ordered=True,
                                                                                 special=_nix_command)),
        "profile": E(verbs={**each("install add upgrade", _install_entry), **each("remove wipe-history rollback", E("", ops=(O.DELETE,))), "*": _looks}),
        "store": E(verbs={**each("gc delete", E("max= ignore-liveness", ops=(O.DELETE,))), "*": _looks}), "*": _looks}),
    "nix-shell": E("p,packages run=code command=code pure A,attr= I= E,expr= arg= argstr= option= keep= i= impure keep-going", special=_nix_shell),
    "nix-env": E("i,install e,uninstall u,upgrade q,query f,file=read A,attr P,attr-path a,available p,profile= rollback list-generations"
                 " delete-generations= switch-generation= S s,set dry-run", ops=(), marks={
        "install": (O.FETCH,), "upgrade": (O.FETCH,), "uninstall": (O.DELETE,), "delete-generations": (O.DELETE,)}),
    "nix-build": E("A,attr= o,out-link= no-out-link I= E,expr= arg= argstr= K,keep-failed j= option= dry-run", "read*"),
    **each("nix-collect-garbage", E("d,delete-old delete-older-than= dry-run", ops=(O.DELETE,))),
    **each("nix-store nix-instantiate nix-channel nix-prefetch-url nix-prefetch-git nix-hash statix deadnix home-manager devenv", E()),
    **each("nixos-rebuild darwin-rebuild", E("flake= upgrade show-trace I= target-host= build-host= use-remote-sudo", ops=(O.CONFIG_CHANGE,))),
    "guix": E(verbs={"shell": E("pure container C D", ordered=True), **each("install upgrade pull package", _install_entry),
                     **each("remove gc", _delete_entry), "*": E()}),
    **each("emerge", E("a,ask v,verbose p,pretend u,update D,deep N,newuse C,unmerge c,depclean s,search S,searchdesc 1,oneshot sync q,quiet"
                        " autounmask-write k K j,jobs? keep-going", ops=(), marks={"unmerge": (O.DELETE,), "depclean": (O.DELETE,)},
                        preview="help version pretend search searchdesc")),
    **each("xbps-install", E("S,sync y,yes u,update n,dry-run f", ops=(O.FETCH,))),
    **each("xbps-remove", E("R,recursive o O y,yes n,dry-run", ops=(O.DELETE,))),
    **each("xbps-query equery eix qlist pkgfile pacsearch pactree checkupdates paccache reflector", E(out=Out.CONTENT)),
    **each("pkg pkg_add pkg_info pkgin", E("y q f n", verbs={
        **each("install add update upgrade bootstrap fetch in", _install_entry),
        **each("delete remove autoremove clean rm uninstall", E("a,all", special=_removal())), "*": _looks})),
    "pkg_delete": E("a f n", ops=(O.DELETE,)),
    "opkg": E(verbs={**each("install update upgrade", _install_entry), **each("remove", _delete_entry), "*": _looks}),
    "softwareupdate": E("l,list i,install a,all d,download r,recommended R,restart install-rosetta agree-to-license fetch-full-installer",
                        marks={"install": (O.FETCH,), "install-rosetta": (O.FETCH,)}),
    "installer": E("pkg target= verbose allowUntrusted", ops=(O.CONFIG_CHANGE,)),
    **each("pkgutil", E("pkgs files= pkg-info= forget= expand= expand-full= flatten= check-signature=", "word*", marks={"forget": (O.DELETE,)})),
    **each("alien debuild dpkg-buildpackage dh_make rpmbuild rpmdev-setuptree mock abuild fpm", E()),
    **each("update-alternatives alternatives", E(
        "install remove= set= config= display= list= auto= remove-all= all query= force get-selections", ops=(), marks=dict.fromkeys(("install", "remove", "set", "config", "auto", "remove-all"), (O.CONFIG_CHANGE,)))),
    **each("choco scoop winget", E("y,yes,confirm f,force v,verbose s,source= package-version,version= global id= e,exact h,silent i,interactive"
                                    " accept-package-agreements accept-source-agreements dry-run,noop,whatif", verbs={
        **each("install upgrade update up add download", _install_entry),
        **each("uninstall remove rm cleanup", E("", special=_removal())), "*": _looks})),
}  # fmt: skip


PROGRAMS: dict[str, E] = {
    **_NODE_MANAGERS,
    **_PYTHON_MANAGERS,
    **_OTHER_MANAGERS,
    **_SYSTEM_MANAGERS,
}
