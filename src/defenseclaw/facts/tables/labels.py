"""What a path is: the one table for every tool, dialect and platform.

All keys are lower case with forward slashes. Home keys are relative to a home folder, root keys
are absolute. A tree key covers the folder and everything below it.
"""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.labels import PathLabel as L
from defenseclaw.facts.tables import windows

Labels = tuple[L, ...]

_GH = (L.TOKEN_STORE, L.CLOUD_CREDENTIAL)
_CLOUD = (L.CLOUD_CREDENTIAL,)
_TOKEN = (L.TOKEN_STORE,)
_REGISTRY = (L.REGISTRY_CREDENTIAL,)
_PROFILE = (L.SHELL_PROFILE,)
_HISTORY = (L.SHELL_HISTORY,)
_UNIT = (L.SERVICE_UNIT,)
_CONFIG = (L.AGENT_CONFIG,)
# Files of a user or an administrator that do nothing but register hooks, ours among them.
_HOOKS = (L.AGENT_CONFIG, L.HOOK_REGISTRATION)

HOME_FILES: Mapping[str, Labels] = {
    **windows.HOME_FILES,
    ".aws/credentials": _CLOUD,
    ".aws/config": (L.CLOUD_CONFIG,),
    ".boto": _CLOUD,
    ".s3cfg": _CLOUD,
    ".passwd-s3fs": _CLOUD,
    ".config/gcloud/application_default_credentials.json": _CLOUD,
    ".config/gcloud/credentials.db": _CLOUD,
    ".config/gcloud/access_tokens.db": _CLOUD,
    ".azure/accesstokens.json": _CLOUD,
    ".azure/azureprofile.json": _CLOUD,
    ".azure/tokencache.dat": _CLOUD,
    ".azure/msal_token_cache.json": _CLOUD,
    ".azure/msal_token_cache.bin": _CLOUD,
    ".azure/msal_http_cache.bin": _CLOUD,
    ".azure/service_principal_entries.json": _CLOUD,
    ".azure/service_principal_entries.bin": _CLOUD,
    ".azure/config": (L.CLOUD_CONFIG,),
    ".oci/config": _CLOUD,
    ".aliyun/config.json": _CLOUD,
    ".config/doctl/config.yaml": _CLOUD,
    ".config/rclone/rclone.conf": _CLOUD,
    ".config/hcloud/cli.toml": _CLOUD,
    ".terraform.d/credentials.tfrc.json": _CLOUD,
    ".config/gh/hosts.yml": _GH,
    ".kube/config": (L.KUBE_CONFIG,),
    ".npmrc": (L.NPMRC, L.REGISTRY_CREDENTIAL),
    ".pypirc": (L.PYPIRC, L.REGISTRY_CREDENTIAL),
    ".docker/config.json": (L.DOCKER_CONFIG, L.REGISTRY_CREDENTIAL),
    ".config/containers/auth.json": (L.DOCKER_CONFIG, L.REGISTRY_CREDENTIAL),
    ".cargo/credentials": _REGISTRY,
    ".cargo/credentials.toml": _REGISTRY,
    ".gem/credentials": _REGISTRY,
    ".m2/settings.xml": _REGISTRY,
    ".composer/auth.json": _REGISTRY,
    ".config/composer/auth.json": _REGISTRY,
    ".config/pypoetry/auth.toml": (L.TOKEN_STORE, L.REGISTRY_CREDENTIAL),
    ".git-credentials": (L.GIT_CREDENTIAL,),
    ".config/git/credentials": (L.GIT_CREDENTIAL,),
    ".netrc": (L.NETRC,),
    "_netrc": (L.NETRC,),
    ".pgpass": _TOKEN,
    ".my.cnf": _TOKEN,
    ".mylogin.cnf": _TOKEN,
    ".cache/huggingface/token": _TOKEN,
    ".cache/huggingface/stored_tokens": _TOKEN,
    ".huggingface/token": _TOKEN,
    ".kaggle/kaggle.json": _TOKEN,
    ".config/kaggle/kaggle.json": _TOKEN,
    ".vault-token": _TOKEN,
    ".config/hub": _TOKEN,
    ".config/netlify/config.json": _TOKEN,
    ".config/stripe/config.toml": _TOKEN,
    ".config/solana/id.json": _TOKEN,
    ".bitcoin/wallet.dat": _TOKEN,
    ".claude/.credentials.json": _TOKEN,
    ".codex/auth.json": _TOKEN,
    ".gemini/oauth_creds.json": _TOKEN,
    ".local/share/opencode/auth.json": _TOKEN,
    ".config/github-copilot/hosts.json": _TOKEN,
    ".config/github-copilot/apps.json": _TOKEN,
    ".ssh/authorized_keys": (L.AUTHORIZED_KEYS,),
    ".ssh/authorized_keys2": (L.AUTHORIZED_KEYS,),
    ".profile": _PROFILE,
    ".bash_profile": _PROFILE,
    ".bash_login": _PROFILE,
    ".bash_logout": _PROFILE,
    ".bash_aliases": _PROFILE,
    ".bashrc": _PROFILE,
    ".zprofile": _PROFILE,
    ".zshrc": _PROFILE,
    ".zshenv": _PROFILE,
    ".zlogin": _PROFILE,
    ".zlogout": _PROFILE,
    ".kshrc": _PROFILE,
    ".cshrc": _PROFILE,
    ".tcshrc": _PROFILE,
    ".login": _PROFILE,
    ".inputrc": _PROFILE,
    ".config/fish/config.fish": _PROFILE,
    ".config/powershell/profile.ps1": _PROFILE,
    ".config/powershell/microsoft.powershell_profile.ps1": _PROFILE,
    ".xinitrc": (L.AUTOSTART,),
    ".xprofile": (L.AUTOSTART,),
    ".xsession": (L.AUTOSTART,),
    ".xsessionrc": (L.AUTOSTART,),
    ".bash_history": _HISTORY,
    ".zsh_history": _HISTORY,
    ".zhistory": _HISTORY,
    ".sh_history": _HISTORY,
    ".history": _HISTORY,
    ".python_history": _HISTORY,
    ".node_repl_history": _HISTORY,
    ".psql_history": _HISTORY,
    ".mysql_history": _HISTORY,
    ".sqlite_history": _HISTORY,
    ".rediscli_history": _HISTORY,
    ".local/share/fish/fish_history": _HISTORY,
    ".local/share/powershell/psreadline/consolehost_history.txt": _HISTORY,
    ".gitconfig": (L.GIT_CONFIG,),
    ".config/git/config": (L.GIT_CONFIG,),
    ".claude.json": _CONFIG,
    ".config/amp/settings.json": _CONFIG,
    ".config/opencode/opencode.json": _CONFIG,
    ".config/opencode/opencode.jsonc": _CONFIG,
    ".hermes/config.yaml": _CONFIG,
    ".openclaw/openclaw.json": _CONFIG,
    ".openclaw/gateway.json": _CONFIG,
    ".codeium/windsurf/mcp_config.json": _CONFIG,
    ".codeium/windsurf/hooks.json": _HOOKS,
    ".codeium/hooks.json": _HOOKS,
    ".codex/hooks.json": _HOOKS,
    ".codex/managed_config.toml": _HOOKS,
    ".cursor/hooks.json": _HOOKS,
    ".openhands/hooks.json": _HOOKS,
    ".gemini/config/hooks.json": _HOOKS,
    ".gemini/antigravity-cli/hooks.json": _HOOKS,
    ".hermes/shell-hooks-allowlist.json": _HOOKS,
    ".omnigent/config.yaml": _CONFIG,
    ".gnupg/secring.gpg": (L.GPG_SECRET_KEY,),
}

HOME_TREES: Mapping[str, Labels] = {
    **windows.HOME_TREES,
    ".ssh": (L.SSH_DIR,),
    ".gnupg": (L.GPG_DIR,),
    ".gnupg/private-keys-v1.d": (L.GPG_SECRET_KEY,),
    ".aws/sso/cache": _CLOUD,
    ".aws/cli/cache": _CLOUD,
    ".config/gcloud/legacy_credentials": _CLOUD,
    ".password-store": _TOKEN,
    ".local/share/keyrings": _TOKEN,
    "library/keychains": _TOKEN,
    ".config/op": _TOKEN,
    ".ethereum/keystore": _TOKEN,
    ".config/fish/conf.d": _PROFILE,
    ".config/systemd/user": _UNIT,
    ".local/share/systemd/user": _UNIT,
    "library/launchagents": _UNIT,
    ".config/autostart": (L.AUTOSTART,),
    ".config/plasma-workspace/env": (L.AUTOSTART,),
    ".defenseclaw": (L.OWN_STATE,),
    ".config/defenseclaw": (L.OWN_STATE,),
    ".local/share/defenseclaw": (L.OWN_STATE,),
    ".local/state/defenseclaw": (L.OWN_STATE,),
    "library/application support/defenseclaw": (L.OWN_STATE,),
}

# Folders whose whole content is taken when the access is recursive or a pattern covers them.
HOME_COVERED: Mapping[str, Labels] = {
    **windows.HOME_COVERED,
    ".ssh": (L.SSH_PRIVATE_KEY,),
    ".gnupg": (L.GPG_SECRET_KEY,),
    ".aws": _CLOUD,
    ".azure": _CLOUD,
    ".config/gcloud": _CLOUD,
    ".config/gh": _GH,
    ".kube": (L.KUBE_CONFIG,),
    ".docker": (L.DOCKER_CONFIG, L.REGISTRY_CREDENTIAL),
}

ROOT_FILES: Mapping[str, Labels] = {
    **windows.ROOT_FILES,
    "/etc/passwd": (L.PASSWD,),
    "/etc/passwd-": (L.PASSWD,),
    "/etc/shadow": (L.SHADOW,),
    "/etc/shadow-": (L.SHADOW,),
    "/etc/gshadow": (L.SHADOW,),
    "/etc/master.passwd": (L.SHADOW,),
    "/etc/sudoers": (L.SUDOERS,),
    "/etc/crontab": (L.CRON,),
    "/etc/anacrontab": (L.CRON,),
    "/etc/rc.local": _UNIT,
    "/etc/rc.d/rc.local": _UNIT,
    "/etc/profile": _PROFILE,
    "/etc/bash.bashrc": _PROFILE,
    "/etc/bashrc": _PROFILE,
    "/etc/zshrc": _PROFILE,
    "/etc/zshenv": _PROFILE,
    "/etc/zsh/zshrc": _PROFILE,
    "/etc/zsh/zshenv": _PROFILE,
    "/etc/zsh/zprofile": _PROFILE,
    "/etc/environment": _PROFILE,
    "/etc/ld.so.preload": _PROFILE,
    "/etc/gitconfig": (L.GIT_CONFIG,),
    "/etc/kubernetes/admin.conf": (L.KUBE_CONFIG,),
    "/etc/kubernetes/kubelet.conf": (L.KUBE_CONFIG,),
    "/etc/rancher/k3s/k3s.yaml": (L.KUBE_CONFIG,),
    "/etc/krb5.keytab": _TOKEN,
    "/root/.ssh/authorized_keys": (L.AUTHORIZED_KEYS,),
    "/var/run/secrets/kubernetes.io/serviceaccount/token": (L.WORKLOAD_TOKEN,),
    "/run/secrets/kubernetes.io/serviceaccount/token": (L.WORKLOAD_TOKEN,),
    "/var/run/secrets/eks.amazonaws.com/serviceaccount/token": (L.WORKLOAD_TOKEN,),
    "/run/secrets/eks.amazonaws.com/serviceaccount/token": (L.WORKLOAD_TOKEN,),
    "/var/run/secrets/azure/tokens/azure-identity-token": (L.WORKLOAD_TOKEN,),
    "/run/secrets/azure/tokens/azure-identity-token": (L.WORKLOAD_TOKEN,),
    "/var/run/docker.sock": (L.CONTAINER_SOCKET,),
    "/run/docker.sock": (L.CONTAINER_SOCKET,),
    "/run/containerd/containerd.sock": (L.CONTAINER_SOCKET,),
    "/var/run/containerd/containerd.sock": (L.CONTAINER_SOCKET,),
    "/run/crio/crio.sock": (L.CONTAINER_SOCKET,),
    "/var/run/crio/crio.sock": (L.CONTAINER_SOCKET,),
    "/run/podman/podman.sock": (L.CONTAINER_SOCKET,),
    "/var/run/podman/podman.sock": (L.CONTAINER_SOCKET,),
    "/etc/codex/managed_config.toml": _HOOKS,
    "/etc/codex/requirements.toml": _HOOKS,
    "/etc/cursor/hooks.json": _HOOKS,
    "/etc/windsurf/hooks.json": _HOOKS,
    "/etc/gemini-cli/settings.json": _HOOKS,
    "/etc/claude-code/managed-settings.json": _HOOKS,
    "/library/application support/claudecode/managed-settings.json": _HOOKS,
    "/library/application support/cursor/hooks.json": _HOOKS,
}

ROOT_TREES: Mapping[str, Labels] = {
    **windows.ROOT_TREES,
    "/etc": (L.SYSTEM_CONFIG,),
    "/private/etc": (L.SYSTEM_CONFIG,),
    "/etc/sudoers.d": (L.SUDOERS,),
    "/etc/cron.d": (L.CRON,),
    "/etc/cron.hourly": (L.CRON,),
    "/etc/cron.daily": (L.CRON,),
    "/etc/cron.weekly": (L.CRON,),
    "/etc/cron.monthly": (L.CRON,),
    "/var/spool/cron": (L.CRON,),
    "/var/spool/at": (L.CRON,),
    "/var/at": (L.CRON,),
    "/usr/lib/cron": (L.CRON,),
    "/etc/systemd/system": _UNIT,
    "/etc/systemd/user": _UNIT,
    "/lib/systemd/system": _UNIT,
    "/usr/lib/systemd/system": _UNIT,
    "/usr/lib/systemd/user": _UNIT,
    "/run/systemd/system": _UNIT,
    "/etc/init.d": _UNIT,
    "/etc/rc.d": _UNIT,
    "/library/launchdaemons": _UNIT,
    "/library/launchagents": _UNIT,
    "/system/library/launchdaemons": _UNIT,
    "/etc/profile.d": _PROFILE,
    "/etc/fish": _PROFILE,
    "/etc/xdg/autostart": (L.AUTOSTART,),
    "/etc/codex": _CONFIG,
    "/etc/claude-code": _CONFIG,
    "/library/application support/claudecode": _CONFIG,
    "/boot": (L.BOOT,),
    "/efi": (L.BOOT,),
    "/var/log": (L.LOG,),
    "/library/keychains": _TOKEN,
}

# Base names that mean the same wherever they are.
BASENAMES: Mapping[str, Labels] = {
    **windows.BASENAMES,
    ".env": (L.ENV_FILE,),
    "id_rsa": (L.PRIVATE_KEY_FILE,),
    "id_dsa": (L.PRIVATE_KEY_FILE,),
    "id_ecdsa": (L.PRIVATE_KEY_FILE,),
    "id_ed25519": (L.PRIVATE_KEY_FILE,),
    "claude.md": (L.AGENT_INSTRUCTIONS,),
    "claude.local.md": (L.AGENT_INSTRUCTIONS,),
    "agents.md": (L.AGENT_INSTRUCTIONS,),
    "agents.override.md": (L.AGENT_INSTRUCTIONS,),
    "gemini.md": (L.AGENT_INSTRUCTIONS,),
    "soul.md": (L.AGENT_INSTRUCTIONS,),
    "identity.md": (L.AGENT_INSTRUCTIONS,),
    "memory.md": (L.AGENT_INSTRUCTIONS,),
    "tools.md": (L.AGENT_INSTRUCTIONS,),
    ".cursorrules": (L.AGENT_INSTRUCTIONS,),
    ".windsurfrules": (L.AGENT_INSTRUCTIONS,),
    ".clinerules": (L.AGENT_INSTRUCTIONS,),
    "copilot-instructions.md": (L.AGENT_INSTRUCTIONS,),
    ".mcp.json": _CONFIG,
    "mcp.json": _CONFIG,
    "mcp_config.json": _CONFIG,
    "mcp_config.yaml": _CONFIG,
    ".roorules": (L.AGENT_INSTRUCTIONS,),
}

# Last two components, wherever they are.
PAIRS: Mapping[str, Labels] = {
    # Our own plugin in an agent's folder of plugins.
    **dict.fromkeys(
        (
            f"{folder}/defenseclaw.{suffix}"
            for folder in ("plugins", "plugin")
            for suffix in ("ts", "js")
        ),
        (L.HOOK_REGISTRATION,),
    ),
    ".claude/settings.json": _CONFIG,
    ".claude/settings.local.json": _CONFIG,
    ".codex/config.toml": _CONFIG,
    ".codex/managed_config.toml": _CONFIG,
    ".codex/hooks.json": _CONFIG,
    ".cursor/mcp.json": _CONFIG,
    ".cursor/hooks.json": _CONFIG,
    ".cursor/cli.json": _CONFIG,
    ".gemini/settings.json": _CONFIG,
    "copilot/settings.json": _CONFIG,  # below .github, of a project
    ".openhands/hooks.json": _CONFIG,
    ".copilot/config.json": _CONFIG,
    ".copilot/mcp-config.json": _CONFIG,
    ".amp/settings.json": _CONFIG,
    ".opencode/opencode.json": _CONFIG,
    ".vscode/mcp.json": _CONFIG,
    ".windsurf/hooks.json": _CONFIG,
    ".agents/hooks.json": _CONFIG,
    ".agents/mcp_config.json": _CONFIG,
    "plugins/defenseclaw.ts": _HOOKS,
    "plugins/defenseclaw.js": _HOOKS,
    "plugin/defenseclaw.ts": _HOOKS,
    "plugin/defenseclaw.js": _HOOKS,
    "hooks/defenseclaw.json": _HOOKS,
    ".git/config": (L.GIT_CONFIG,),
}

# A component that makes everything below it the thing.
COMPONENT_TREES: Mapping[str, Labels] = {
    ".git": (L.GIT_DIR,),
}
PAIR_TREES: Mapping[str, Labels] = {
    ".cursor/rules": (L.AGENT_INSTRUCTIONS,),
    ".roo/rules": (L.AGENT_INSTRUCTIONS,),
    ".claude/hooks": _CONFIG,
    ".github/hooks": _CONFIG,
    ".copilot/hooks": _CONFIG,
    "amp/plugins": _CONFIG,
    "opencode/plugins": _CONFIG,
    ".opencode/plugin": _CONFIG,
    ".opencode/plugins": _CONFIG,
    ".config/opencode/plugin": _CONFIG,
}

ENV_TEMPLATE_WORDS = frozenset(
    {"example", "sample", "template", "dist", "defaults", "default", "tpl", "tmpl", "schema"}
)
PRIVATE_KEY_SUFFIXES = (".pem", ".key", ".p12", ".pfx", ".ppk", ".jks", ".keystore")
# Conventional names of public certificates that share a suffix with keys.
PUBLIC_CERTIFICATE_PARTS = ("cert", "chain", "public", "pubkey", "cacert", "ca-bundle", "root-ca")
SSH_PUBLIC_NAMES = frozenset(
    {"config", "known_hosts", "known_hosts.old", "authorized_keys", "authorized_keys2",
     "environment", "rc", "config.d", "allowed_signers", "sockets", "control"}
)  # fmt: skip
HOST_KEY_PREFIX = "/etc/ssh/ssh_host_"

BROWSER_ROOTS = (
    *windows.BROWSER_ROOTS,
    ".config/google-chrome", ".config/chromium", ".config/bravesoftware", ".config/microsoft-edge",
    ".config/vivaldi", ".config/opera", ".mozilla/firefox", "snap/firefox/common/.mozilla/firefox",
    ".librewolf", "library/application support/google/chrome",
    "library/application support/chromium", "library/application support/bravesoftware",
    "library/application support/microsoft edge", "library/application support/firefox",
    "library/cookies", "library/safari",
)  # fmt: skip
BROWSER_FILES = windows.BROWSER_FILES | frozenset(
    {"login data", "login data for account", "cookies", "web data", "local state", "logins.json",
     "cookies.sqlite", "key4.db", "key3.db", "cert9.db", "formhistory.sqlite", "history",
     "cookies.binarycookies", "sessionstore.jsonlz4"}
)  # fmt: skip

# Top-level trees whose loss breaks the machine or its data.
SYSTEM_TREES = windows.SYSTEM_TREES | frozenset(
    {"/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/media", "/mnt",
     "/opt", "/proc", "/root", "/run", "/sbin", "/srv", "/sys", "/usr", "/var", "/efi", "/snap",
     "/nix", "/system", "/library", "/applications", "/private", "/private/etc", "/private/var",
     "/cores", "/volumes", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64", "/usr/share",
     "/usr/local", "/usr/local/bin", "/usr/include", "/var/lib", "/var/log", "/var/db", "/etc/ssh",
     "/etc/systemd", "/lib/modules"}
)  # fmt: skip
# Below these every file belongs to the system; below the other trees people keep their own data.
SYSTEM_DEEP = windows.SYSTEM_DEEP | frozenset(
    {"/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/root",
     "/sbin", "/sys", "/usr", "/var", "/efi", "/system", "/library", "/private/etc",
     "/private/var", "/nix"}
)  # fmt: skip
HOMES_ROOTS = frozenset({"/home", "/users", "/export/home", "/var/home", "c:/users"})
TEMP_TREES = (  # paths that are compared, never opened
    "/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/private/var/folders", "/var/folders",
    "/dev/shm", "/run/shm", "c:/windows/temp", "c:/temp", "c:/tmp",
)  # fmt: skip
HOME_TEMP_TREES = ("appdata/local/temp",)
# Where the three systems let people keep what they made, and whatever of a home is not named.
PERSONAL_TREES = (
    "documents",
    "desktop",
    "pictures",
    "music",
    "videos",
    "movies",
    "onedrive",
    "…",
)
# Caches that tools fill again by themselves.
HOME_CACHES = (
    *windows.HOME_CACHES,
    ".cache",
    ".npm/_cacache",
    ".npm/_npx",
    ".npm/_logs",
    ".gradle/caches",
    ".m2/repository",
    ".cargo/registry/cache",
    ".cargo/git",
    ".nuget/packages",
    ".bun/install/cache",
    ".pnpm-store",
    ".yarn/cache",
    ".yarn/berry/cache",
    ".local/share/pnpm/store",
    ".local/share/trash",
    "go/pkg/mod/cache",
    "library/caches",
    "library/developer/xcode/deriveddata",
)
# Package caches of the system, which image builds empty; never the folders above them.
SYSTEM_CACHES = (
    "/var/lib/apt/lists",
    "/var/cache/apt",
    "/var/cache/dnf",
    "/var/cache/yum",
    "/var/cache/apk",
    "/var/cache/pacman/pkg",
    "/var/cache/zypp",
)
# Names of files and folders that hold secrets by convention.
SECRET_NAMES = frozenset(
    {
        "credentials.json",
        "client_secret.json",
        "service-account.json",
        "service_account.json",
        "serviceaccount.json",
        "serviceaccountkey.json",
        "secrets.yaml",
        "secrets.yml",
        "secrets.json",
        "secrets.toml",
        "secret.yaml",
        "secret.yml",
        "secret.json",
        "secrets.env",
        "secrets.txt",
    }
)
SECRET_PREFIXES = ("client_secret", "service-account", "service_account", "serviceaccount")
SECRET_SUFFIXES = (".json", ".yaml", ".yml", ".toml")
SECRET_FOLDERS = frozenset({".secrets", "secrets"})
# What a cluster mounts beside a workload's token: where it runs, and whom it can trust.
WORKLOAD_FOLDER = "serviceaccount"
WORKLOAD_PUBLIC_NAMES = frozenset({"namespace", "ca.crt"})

BUILD_OUTPUT = frozenset(
    {"build", "dist", "out", "output", "target", "node_modules", "__pycache__", ".pytest_cache",
     ".mypy_cache", ".ruff_cache", ".tox", ".nox", ".venv", "venv", ".eggs", "htmlcov", "coverage",
     ".coverage", ".nyc_output", ".next", ".nuxt", ".output", ".svelte-kit", ".astro", ".angular",
     ".turbo", ".parcel-cache", ".cache", ".gradle", ".vite", ".webpack", ".rollup.cache",
     ".docusaurus", "storybook-static", "deriveddata", "pods", "obj", ".dart_tool", "_build",
     ".terraform", ".serverless", ".aws-sam", "cdk.out", ".hypothesis", "site-packages",
     ".ipynb_checkpoints", "bower_components", "jspm_packages", ".stack-work", "dist-newstyle",
     "elm-stuff", "zig-cache", "zig-out", ".zig-cache", "bazel-out", "bazel-bin", "_site",
     "test-results", "playwright-report", ".sass-cache", ".expo", ".bundle", "artifacts"}
)  # fmt: skip
BUILD_OUTPUT_SUFFIXES = (".egg-info", ".dist-info")
BUILD_OUTPUT_PREFIXES = ("cmake-build-", "bazel-")

FIXTURE_COMPONENTS = frozenset(
    {"test", "tests", "testdata", "test-data", "test_data", "__tests__", "spec", "specs",
     "fixture", "fixtures", "__fixtures__", "example", "examples", "sample", "samples", "demo",
     "demos", "mock", "mocks", "__mocks__", "golden", "snapshots", "__snapshots__", "docs"}
)  # fmt: skip
FIXTURE_SUFFIXES = (".example", ".sample", ".template", ".dist")

# Device nodes that are streams, not devices to protect.
STREAM_DEVICES = frozenset(
    {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
     "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/ptmx", "/dev/console"}
)  # fmt: skip
STREAM_DEVICE_TREES = ("/dev/fd/", "/dev/pts/", "/dev/shm/", "/dev/tcp/", "/dev/udp/")
