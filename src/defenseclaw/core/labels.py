"""The closed vocabularies that facts use and rules may name.

A label says what a path *is*, an option or trait what a command *does*. Rules compare with these
words; ``tests/rules`` fails on a rule that names a word which is not here.
"""

from __future__ import annotations

from enum import StrEnum


class PathLabel(StrEnum):
    """What a path is, for every tool and dialect alike."""

    # places
    SYSTEM_ROOT = "system-root"  # /, C:\, or an unbounded glob of it
    SYSTEM_TREE = "system-tree"  # a critical top-level tree such as /etc, /usr, C:\Windows
    IN_SYSTEM_TREE = "in-system-tree"  # anything below one
    HOME_ROOT = "home-root"  # the active home itself or a glob that covers it
    HOMES_ROOT = "homes-root"  # /home, /Users, C:\Users
    OTHER_HOME = "other-home"  # somebody's home root that is not the active one
    HOME_TOP = "home-top"  # a direct child of the active home (Documents, .config, …)
    PERSONAL = "personal"  # in a folder of people's own files (Documents, Pictures, …), no project
    PROJECT_ROOT = "project-root"  # the working directory itself, or `*` in it
    PROJECT = "project"  # inside the working directory
    PROJECT_PARENT = "project-parent"  # an ancestor of the working directory
    OUTSIDE = "outside"  # resolved, and neither below the working directory nor temporary
    TEMP = "temp"  # below /tmp, /var/tmp, %TEMP%
    BUILD_OUTPUT = "build-output"  # conventional generated folders (build, dist, node_modules, …)
    UNRESOLVED = "unresolved"  # the operand's target is not known
    # devices
    RAW_DISK = "raw-disk"
    DEVICE = "device"  # other device nodes; /dev/null and the standard streams carry no label
    # credentials
    SSH_PRIVATE_KEY = "ssh-private-key"
    SSH_DIR = "ssh-dir"  # the .ssh folder or anything in it
    AUTHORIZED_KEYS = "authorized-keys"
    CLOUD_CREDENTIAL = "cloud-credential"
    CLOUD_CONFIG = "cloud-config"
    KUBE_CONFIG = "kube-config"
    REGISTRY_CREDENTIAL = "registry-credential"  # .npmrc, .pypirc, docker config.json
    NPMRC = "npmrc"
    PYPIRC = "pypirc"
    DOCKER_CONFIG = "docker-config"
    GIT_CREDENTIAL = "git-credential"  # .git-credentials
    NETRC = "netrc"
    TOKEN_STORE = "token-store"  # other known credential files below a home
    GPG_DIR = "gpg-dir"
    GPG_SECRET_KEY = "gpg-secret-key"  # the secret keys themselves, or the folder that holds them
    BROWSER_STORE = "browser-store"
    WORKLOAD_TOKEN = "workload-token"
    ENV_FILE = "env-file"
    ENV_TEMPLATE = "env-template"  # .env.example, .sample, .template: never an env-file
    PASSWD = "passwd"
    SHADOW = "shadow"
    SUDOERS = "sudoers"
    PROC_ENVIRON = "proc-environ"
    SECRET_FILE = "secret-file"  # credentials.json, secrets.yaml, .secrets/… : named as secrets
    PRIVATE_KEY_FILE = "private-key-file"  # *.pem, *.key and alike outside the known places
    # persistence and integrity
    SHELL_PROFILE = "shell-profile"
    SHELL_HISTORY = "shell-history"
    CRON = "cron"
    SERVICE_UNIT = "service-unit"
    AUTOSTART = "autostart"
    GIT_HOOK = "git-hook"
    GIT_CONFIG = "git-config"
    GIT_DIR = "git-dir"  # a repository's .git or anything in it
    CONTAINER_SOCKET = "container-socket"
    AGENT_INSTRUCTIONS = "agent-instructions"  # CLAUDE.md, AGENTS.md, …
    AGENT_CONFIG = "agent-config"  # an agent's settings, MCP configuration
    HOOK_REGISTRATION = "hook-registration"  # the file that registers our hook
    OWN_STATE = "own-state"  # our data home
    FIXTURE = "fixture"  # test data, examples, samples inside the working directory
    SYSTEM_CONFIG = "system-config"  # /etc
    BOOT = "boot"
    LOG = "log"


class Trait(StrEnum):
    """What a command does beyond its program name and options, proven by its program table."""

    RECURSIVE = "recursive"
    FORCE = "force"
    DRY_RUN = "dry-run"
    STDIN_CODE = "stdin-code"  # runs the program text that arrives on standard input
    INLINE_CODE = "inline-code"
    CODE_FROM_NETWORK = "code-from-network"  # the code it runs provably came from a download
    CODE_FROM_DECODE = "code-from-decode"  # … from base64, hex or similar decoding
    DYNAMIC_CODE = "dynamic-code"  # eval or an interpreter fed by unknown bytes
    INTERACTIVE_SHELL = "interactive-shell"
    REVERSE_SHELL = "reverse-shell"  # a shell wired to a network endpoint in both directions
    SHELL_LISTENER = "shell-listener"
    FORK_BOMB = "fork-bomb"
    WORLD_WRITABLE = "world-writable"
    SETUID = "setuid"
    OPEN_MODE = "open-mode"  # the new mode lets group or others read
    OWNER_ROOT = "owner-root"
    ACL_REPLACED = "acl-replaced"  # another list of who may do what takes the place of the old one
    SUDO_LIST = "sudo-list"
    PRIVILEGE_DISCOVERY = "privilege-discovery"
    SHELL_ELEVATION = "shell-elevation"
    KILL_ALL = "kill-all"
    SYSTEM_KILL = "system-kill"  # ends a process that the system or the desktop needs
    HOOKS_BYPASS = "hooks-bypass"
    CONFIG_EXEC = "config-exec"  # a configuration value that will be executed
    INJECTED_CODE = "injected-code"  # a variable has programs load code from a place open to all
    AGENT_BYPASS = "agent-bypass"  # an agent started with its protections off
    MODEL_REDIRECT = "model-redirect"  # an agent's prompts and keys go to another server
    GUARD_TAMPER = "guard-tamper"  # our own switch-off commands or variables
    HISTORY_CLEAR = "history-clear"
    LOG_WIPE = "log-wipe"  # empties the machine's event log
    PROTECTION_OFF = "protection-off"  # firewall, malware scanner or access control switched off
    REMOTE_SCRIPT = "remote-script"  # a system program made to run script from a URL or argument
    ADMIN_GRANT = "admin-grant"  # an account becomes or joins an administrator
    CONTAINER_ESCAPE = "container-escape"
    PRIVILEGED_CONTAINER = "privileged-container"
    HOST_MOUNT = "host-mount"  # a system folder of the host is mounted into a container
    HOST_NAMESPACE = "host-namespace"
    CRYPTOMINER = "cryptominer"
    ENVIRONMENT_DUMP = "environment-dump"
    TRUNCATE = "truncate"
    SECRET_SEARCH = "secret-search"  # looks for passwords, tokens or keys by their names
    CREDENTIAL_DUMP = "credential-dump"  # takes passwords or hashes out of memory or a directory
    INBOUND_OPEN = "inbound-open"  # the firewall lets others in
    TRUST_ANCHOR = "trust-anchor"  # changes whom the machine's programs believe to be genuine
    BOOT_CHANGE = "boot-change"  # how the machine starts
    MACHINE_SETTING = "machine-setting"  # a setting for all users and later programs
    PERSISTENCE = "persistence"  # installs something that starts again by itself
    DISCARD_WORK = "discard-work"  # throws away uncommitted or unreachable work
    REWRITE_REMOTE = "rewrite-remote"  # overwrites or deletes history on a remote
    SQL_DROP = "sql-drop"
    SQL_TRUNCATE = "sql-truncate"
    SQL_DELETE_ALL = "sql-delete-all"
    SQL_GRANT_ALL = "sql-grant-all"
    DESTROYS_DATABASE = "destroys-database"  # by another language than SQL, or a reset command
    DESTROYS_INDEX = "destroys-index"  # a search index or its documents
    DESTROYS_RESOURCE = "destroys-resource"  # a cloud or cluster resource is deleted
    MASS = "mass"  # acts on everything the verb can reach


class HostLabel(StrEnum):
    """What a network target is."""

    METADATA_SERVICE = "metadata-service"
    CAPTURE_SERVICE = "capture-service"  # request bins and interaction servers
    TUNNEL_SERVICE = "tunnel-service"
    PASTE_RAW = "paste-raw"
    CANARY = "canary"
