"""Program names that mean something whatever folder they lie in."""

from __future__ import annotations

# Entry points that projects carry in their own tree; they behave like the tool of that name.
PROJECT_PROGRAMS = frozenset(
    {"manage.py", "gradlew", "mvnw", "rails", "rake", "bundle", "artisan", "django-admin"}
)

# Programs that run what files of the folder say in which they are started.
FOLDER_RUNNERS = frozenset(
    [
        "make",
        "gmake",
        "ninja",
        "cmake",
        "meson",
        "just",
        "task",
        "mage",
        "rake",
        "bundle",
        "gradle",
        "gradlew",
        "mvn",
        "mvnw",
        "ant",
        "sbt",
        "lein",
        "bazel",
        "buck2",
        "pants",
        "scons",
        "waf",
        "npm",
        "pnpm",
        "yarn",
        "bun",
        "deno",
        "npx",
        "pnpx",
        "bunx",
        "lerna",
        "nx",
        "turbo",
        "rush",
        "grunt",
        "gulp",
        "webpack",
        "vite",
        "rollup",
        "jest",
        "vitest",
        "mocha",
        "ava",
        "playwright",
        "cypress",
        "pytest",
        "tox",
        "nox",
        "hatch",
        "poetry",
        "pdm",
        "pipenv",
        "uv",
        "rye",
        "invoke",
        "inv",
        "fab",
        "py.test",
        "manage.py",
        "django-admin",
        "pre-commit",
        "go",
        "cargo",
        "swift",
        "dotnet",
        "mix",
        "rebar3",
        "stack",
        "cabal",
        "dune",
        "zig",
        "crystal",
        "composer",
        "artisan",
        "phpunit",
        "rspec",
        "rails",
        "terraform",
        "tofu",
        "terragrunt",
        "pulumi",
        "cdk",
        "sam",
        "serverless",
        "sls",
        "skaffold",
        "tilt",
        "ansible-playbook",
        "packer",
        "vagrant",
        "docker-compose",
        "act",
        "earthly",
        "dagger",
        "nix",
        "nix-build",
        "nix-shell",
        "makepkg",
    ]
)

# Tools that intruders bring along and start from where they put them.
BROUGHT = frozenset({"nc", "nc64", "ncat", "netcat", "socat"})  # nobody's own program has these
CARRIED = BROUGHT | {"powershell", "pwsh", "cmd"}

# Miners are recognised by name, because nobody installs them into a trusted folder.
MINERS = frozenset(
    {"xmrig", "xmrig-proxy", "minerd", "cpuminer", "cpuminer-multi", "ethminer", "cgminer",
     "bfgminer", "t-rex", "lolminer", "nbminer", "teamredminer", "phoenixminer", "nanominer"}
)  # fmt: skip

# Names of batch files that a project has of its own, whatever programs are called so elsewhere.
OWN_SCRIPTS = frozenset(
    {"activate", "bootstrap", "build", "check", "clean", "compile", "configure", "deploy", "dev",
     "format", "init", "install", "lint", "make", "package", "publish", "release", "run", "serve",
     "setup", "start", "stop", "test", "uninstall", "update", "upgrade", "watch"}
)  # fmt: skip
