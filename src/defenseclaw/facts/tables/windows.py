"""What a path of Windows is: the rows that only this system has, and keys of its registry.

All keys are lower case with forward slashes. Home keys are relative to a profile, root keys are
absolute on the system's drive, registry keys stand below any hive. A tree key covers the folder
and everything below it.
"""

from __future__ import annotations

from collections.abc import Mapping

from defenseclaw.core.labels import PathLabel as L

Labels = tuple[L, ...]

_CLOUD = (L.CLOUD_CREDENTIAL,)
_GH = (L.TOKEN_STORE, L.CLOUD_CREDENTIAL)
_TOKEN = (L.TOKEN_STORE,)
_REGISTRY = (L.REGISTRY_CREDENTIAL,)
_PROFILE = (L.SHELL_PROFILE,)
_HISTORY = (L.SHELL_HISTORY,)
_UNIT = (L.SERVICE_UNIT,)
_START = (L.AUTOSTART,)
_CONFIG = (L.AGENT_CONFIG,)
_HOOKS = (L.AGENT_CONFIG, L.HOOK_REGISTRATION)
_HASHES = (L.SHADOW,)
_SECRET = (L.SECRET_FILE,)
_WALLET = (L.TOKEN_STORE,)

ROAMING, LOCAL = "appdata/roaming", "appdata/local"


def _profiles(folder: str) -> dict[str, Labels]:
    """The start-up files that PowerShell's hosts look for in one folder."""
    hosts = ("", "microsoft.powershell_", "microsoft.vscode_", "microsoft.powershellise_", "nuget_")
    return {f"{folder}/{host}profile.ps1": _PROFILE for host in hosts}


_POWERSHELL_HOMES = ("documents/windowspowershell", "documents/powershell")
_POWERSHELL_ROOTS = (
    "c:/windows/system32/windowspowershell/v1.0", "c:/windows/syswow64/windowspowershell/v1.0",
    "c:/program files/powershell/7", "c:/program files/powershell/7-preview", "c:/program files/powershell/6",
)  # fmt: skip

HOME_FILES: Mapping[str, Labels] = {
    **{key: value for folder in _POWERSHELL_HOMES for key, value in _profiles(folder).items()},
    # cloud clients
    f"{ROAMING}/gcloud/application_default_credentials.json": _CLOUD,
    f"{ROAMING}/gcloud/credentials.db": _CLOUD,
    f"{ROAMING}/gcloud/access_tokens.db": _CLOUD,
    f"{ROAMING}/github cli/hosts.yml": _GH,
    f"{LOCAL}/glab-cli/config.yml": _TOKEN,
    f"{LOCAL}/github-copilot/hosts.json": _TOKEN,
    f"{LOCAL}/github-copilot/apps.json": _TOKEN,
    f"{ROAMING}/github-copilot/hosts.json": _TOKEN,
    f"{ROAMING}/github-copilot/apps.json": _TOKEN,
    f"{LOCAL}/.identityservice/msal.cache": _CLOUD,
    f"{ROAMING}/rclone/rclone.conf": _CLOUD,
    f"{ROAMING}/s3cmd.ini": _CLOUD,
    f"{ROAMING}/doctl/config.yaml": _CLOUD,
    f"{ROAMING}/hcloud/cli.toml": _CLOUD,
    f"{ROAMING}/terraform.rc": _CLOUD,
    f"{ROAMING}/terraform.d/credentials.tfrc.json": _CLOUD,
    f"{ROAMING}/com.vercel.cli/data/auth.json": _TOKEN,
    f"{ROAMING}/netlify/config.json": _TOKEN,
    f"{ROAMING}/xdg.config/.wrangler/config/default.toml": _TOKEN,
    ".wrangler/config/default.toml": _TOKEN,
    ".fly/config.yml": _TOKEN,
    # package registries
    f"{ROAMING}/npm/etc/npmrc": (L.NPMRC, L.REGISTRY_CREDENTIAL),
    f"{ROAMING}/nuget/nuget.config": _REGISTRY,
    f"{ROAMING}/composer/auth.json": _REGISTRY,
    f"{ROAMING}/pypoetry/auth.toml": (L.TOKEN_STORE, L.REGISTRY_CREDENTIAL),
    f"{ROAMING}/pip/pip.ini": (L.PYPIRC,),
    "pip/pip.ini": (L.PYPIRC,),
    # databases, servers, remote desktops
    f"{ROAMING}/postgresql/pgpass.conf": _TOKEN,
    f"{ROAMING}/mysql/.mylogin.cnf": _TOKEN,
    f"{ROAMING}/winscp.ini": _TOKEN,
    f"{ROAMING}/filezilla/sitemanager.xml": _TOKEN,
    f"{ROAMING}/filezilla/recentservers.xml": _TOKEN,
    f"{ROAMING}/filezilla/filezilla.xml": _TOKEN,
    f"{ROAMING}/mremoteng/confcons.xml": _TOKEN,
    f"{ROAMING}/mobaxterm/mobaxterm.ini": _TOKEN,
    f"{LOCAL}/microsoft/remote desktop connection manager/rdcman.settings": _TOKEN,
    "documents/default.rdp": _TOKEN,
    # shells
    f"{LOCAL}/packages/microsoft.windowsterminal_8wekyb3d8bbwe/localstate/settings.json": _PROFILE,
    f"{LOCAL}/clink/clink_start.cmd": _PROFILE,
    "ntuser.dat": _HASHES,
    **dict.fromkeys(
        (f"{ROAMING}/{editor}/user/{name}.json" for editor in ("code", "cursor", "code - insiders", "windsurf") for name in ("settings", "keybindings")),
        (L.PERSONAL,),
    ),
    # agents
    f"{ROAMING}/claude/claude_desktop_config.json": _CONFIG,
    f"{ROAMING}/code/user/mcp.json": _CONFIG,
    f"{ROAMING}/cursor/user/mcp.json": _CONFIG,
    f"{ROAMING}/opencode/opencode.json": _CONFIG,
    f"{ROAMING}/amp/settings.json": _CONFIG,
    f"{ROAMING}/opencode/auth.json": _TOKEN,
    f"{LOCAL}/opencode/auth.json": _TOKEN,
}  # fmt: skip

HOME_TREES: Mapping[str, Labels] = {
    f"{ROAMING}/gcloud/legacy_credentials": _CLOUD,
    f"{ROAMING}/gnupg/private-keys-v1.d": (L.GPG_SECRET_KEY,),
    f"{ROAMING}/gnupg": (L.GPG_DIR,),
    f"{ROAMING}/microsoft/credentials": _TOKEN,
    f"{LOCAL}/microsoft/credentials": _TOKEN,
    f"{ROAMING}/microsoft/vault": _TOKEN,
    f"{LOCAL}/microsoft/vault": _TOKEN,
    f"{ROAMING}/microsoft/protect": _TOKEN,
    f"{LOCAL}/microsoft/protect": _TOKEN,
    f"{ROAMING}/microsoft/crypto": _TOKEN,
    f"{ROAMING}/microsoft/systemcertificates/my": _TOKEN,
    f"{LOCAL}/microsoft/identitycache": _TOKEN,
    f"{LOCAL}/microsoft/tokenbroker": _TOKEN,
    f"{ROAMING}/microsoft/windows/powershell/psreadline": _HISTORY,
    f"{ROAMING}/microsoft/windows/start menu/programs/startup": _START,
    f"{LOCAL}/1password": _TOKEN,
    f"{ROAMING}/bitwarden": _TOKEN,
    f"{ROAMING}/bitwarden cli": _TOKEN,
    f"{ROAMING}/keepass": _TOKEN,
    f"{ROAMING}/bitcoin": _WALLET,
    f"{ROAMING}/ethereum/keystore": _WALLET,
    f"{ROAMING}/exodus/exodus.wallet": _WALLET,
    f"{ROAMING}/electrum/wallets": _WALLET,
    f"{ROAMING}/atomic/local storage": _WALLET,
    f"{ROAMING}/zcash": _WALLET,
    f"{ROAMING}/ledger live": _WALLET,
    f"{ROAMING}/openvpn connect/profiles": _TOKEN,
    "openvpn/config": _TOKEN,
    f"{ROAMING}/slack/local storage": (L.BROWSER_STORE,),
    f"{ROAMING}/discord/local storage": (L.BROWSER_STORE,),
    f"{ROAMING}/microsoft/teams/local storage": (L.BROWSER_STORE,),
    f"{ROAMING}/signal/sql": (L.BROWSER_STORE,),
    f"{ROAMING}/telegram desktop/tdata": (L.BROWSER_STORE,),
    f"{LOCAL}/defenseclaw": (L.OWN_STATE,),
    f"{ROAMING}/defenseclaw": (L.OWN_STATE,),
}  # fmt: skip

HOME_COVERED: Mapping[str, Labels] = {
    f"{ROAMING}/gcloud": _CLOUD,
    f"{ROAMING}/github cli": _GH,
    f"{ROAMING}/microsoft": _TOKEN,
    f"{ROAMING}/filezilla": _TOKEN,
}

_HIVES = ("sam", "security", "system")
_HIVE_FOLDERS = (
    "c:/windows/system32/config", "c:/windows/system32/config/regback", "c:/windows/repair",
    "c:/windows/sysnative/config",
)  # fmt: skip
_ANSWER_FILES = (
    "c:/unattend.xml", "c:/autounattend.xml", "c:/sysprep.inf", "c:/windows/panther/unattend.xml",
    "c:/windows/panther/unattended.xml", "c:/windows/panther/unattend/unattend.xml",
    "c:/windows/panther/unattend/unattended.xml", "c:/windows/system32/sysprep/unattend.xml",
    "c:/windows/system32/sysprep/sysprep.xml", "c:/windows/system32/sysprep.inf",
    "c:/windows/system32/inetsrv/config/applicationhost.config", "c:/windows/system32/config/default",
    "c:/windows/system32/config/software",
)  # fmt: skip

ROOT_FILES: Mapping[str, Labels] = {
    **{f"{folder}/{hive}": _HASHES for folder in _HIVE_FOLDERS for hive in _HIVES},
    **{f"{folder}/{hive}.{kind}": _HASHES for folder in _HIVE_FOLDERS for hive in _HIVES for kind in ("sav", "old")},
    **dict.fromkeys(_ANSWER_FILES, _SECRET),
    **{key: value for folder in _POWERSHELL_ROOTS for key, value in _profiles(folder).items()},
    "c:/windows/ntds/ntds.dit": _HASHES,
    "c:/windows/system32/ntds.dit": _HASHES,
    "c:/hiberfil.sys": _HASHES,
    "c:/pagefile.sys": _HASHES,
    "c:/programdata/ssh/administrators_authorized_keys": (L.AUTHORIZED_KEYS,),
    "c:/programdata/ssh/sshd_config": (L.SYSTEM_CONFIG,),
    "c:/programdata/ssh/ssh_host_rsa_key": (L.SSH_PRIVATE_KEY,),
    "c:/programdata/ssh/ssh_host_ecdsa_key": (L.SSH_PRIVATE_KEY,),
    "c:/programdata/ssh/ssh_host_ed25519_key": (L.SSH_PRIVATE_KEY,),
    "c:/programdata/pip/pip.ini": (L.PYPIRC,),
    "c:/programdata/docker/config/daemon.json": (L.SYSTEM_CONFIG,),
    "c:/programdata/git/config": (L.GIT_CONFIG,),
    "c:/program files/git/etc/gitconfig": (L.GIT_CONFIG,),
    "c:/program files/git/etc/profile": _PROFILE,
    "c:/program files/git/etc/bash.bashrc": _PROFILE,
    "c:/programdata/claudecode/managed-settings.json": _HOOKS,
    "c:/program files/claudecode/managed-settings.json": _HOOKS,
    "c:/programdata/cursor/hooks.json": _HOOKS,
    "c:/programdata/windsurf/hooks.json": _HOOKS,
    "c:/programdata/gemini-cli/settings.json": _HOOKS,
    "c:/boot/bcd": (L.BOOT,),
    "c:/bootmgr": (L.BOOT,),
    "c:/boot.ini": (L.BOOT,),
    "//./pipe/docker_engine": (L.CONTAINER_SOCKET,),
    "//./pipe/docker_engine_windows": (L.CONTAINER_SOCKET,),
    "//./pipe/dockerdesktoplinuxengine": (L.CONTAINER_SOCKET,),
    "//./pipe/podman-machine-default": (L.CONTAINER_SOCKET,),
    "//./pipe/containerd-containerd": (L.CONTAINER_SOCKET,),
}  # fmt: skip

ROOT_TREES: Mapping[str, Labels] = {
    "c:/windows/system32/tasks": _UNIT,
    "c:/windows/syswow64/tasks": _UNIT,
    "c:/windows/tasks": _UNIT,
    "c:/windows/system32/grouppolicy": _UNIT,
    "c:/windows/system32/grouppolicyusers": _UNIT,
    "c:/windows/system32/wbem/repository": _UNIT,
    "c:/windows/system32/drivers/etc": (L.SYSTEM_CONFIG,),
    "c:/windows/system32/winevt/logs": (L.LOG,),
    "c:/windows/system32/microsoft/protect": _TOKEN,
    "c:/windows/serviceprofiles/localservice/appdata/local/microsoft/credentials": _TOKEN,
    "c:/windows/serviceprofiles/networkservice/appdata/local/microsoft/credentials": _TOKEN,
    "c:/programdata/microsoft/crypto": _TOKEN,
    "c:/programdata/microsoft/vault": _TOKEN,
    "c:/programdata/microsoft/wlansvc/profiles": _TOKEN,
    "c:/program files/wireguard/data/configurations": _TOKEN,
    "c:/program files/openvpn/config": _TOKEN,
    "c:/programdata/microsoft/windows/start menu/programs/startup": _START,
    "c:/program files/claudecode": _CONFIG,
    "c:/programdata/claudecode": _CONFIG,
    "c:/programdata/defenseclaw": (L.OWN_STATE,),
    "c:/efi": (L.BOOT,),
    "c:/boot": (L.BOOT,),
}  # fmt: skip

BASENAMES: Mapping[str, Labels] = {
    "ntds.dit": _HASHES,
    "lsass.dmp": _HASHES,
}
# Containers of secrets by their suffix, wherever they are.
SECRET_SUFFIXES = (".kdbx", ".kdb", ".rdg", ".agilekeychain", ".opvault")

BROWSER_ROOTS = (
    *(
        f"{LOCAL}/{name}/user data"
        for name in (
            "google/chrome", "google/chrome beta", "google/chrome dev", "google/chrome sxs", "chromium",
            "bravesoftware/brave-browser", "bravesoftware/brave-browser-beta", "microsoft/edge", "microsoft/edge beta",
            "microsoft/edge dev", "microsoft/edge sxs", "vivaldi", "yandex/yandexbrowser", "arc", "thorium", "epic privacy browser",
        )
    ),
    f"{ROAMING}/mozilla/firefox", f"{LOCAL}/mozilla/firefox", f"{ROAMING}/thunderbird", f"{ROAMING}/waterfox",
    f"{ROAMING}/librewolf", f"{ROAMING}/opera software", f"{ROAMING}/slack", f"{ROAMING}/discord",
    f"{ROAMING}/microsoft/teams", f"{LOCAL}/microsoft/windows/webcache", f"{LOCAL}/microsoft/windows/inetcookies",
)  # fmt: skip
BROWSER_FILES = frozenset({"webcachev01.dat", "login data-journal", "cookies-journal", "extension cookies", "signons.sqlite", "places.sqlite"})  # fmt: skip

SYSTEM_TREES = frozenset(
    {"c:/windows", "c:/windows/system32", "c:/windows/syswow64", "c:/windows/winsxs", "c:/windows/system32/config",
     "c:/windows/system32/drivers", "c:/windows/boot", "c:/windows/servicing", "c:/program files",
     "c:/program files/common files", "c:/program files (x86)", "c:/programdata", "c:/boot", "c:/recovery", "c:/efi",
     "c:/system volume information", "c:/inetpub", "c:/perflogs"}
)  # fmt: skip
SYSTEM_DEEP = frozenset(
    {"c:/windows", "c:/program files", "c:/program files (x86)", "c:/programdata", "c:/boot", "c:/recovery", "c:/efi"}
)  # fmt: skip
HOME_CACHES = (
    f"{ROAMING}/npm-cache",
    *(f"{LOCAL}/{name}"
    for name in (
        "npm-cache", "pip/cache", "yarn/cache", "yarn/berry/cache", "pnpm/store", "pnpm-cache", "nuget/v3-cache", "nuget/cache",
        "nuget/plugins-cache", "go-build", "uv/cache", "pypoetry/cache", "electron/cache", "electron-builder/cache",
        "ms-playwright", "cypress/cache", "composer", "vcpkg/archives", "sccache", "ccache", "cache", "bazel",
        "microsoft/vscode-cpptools", "deno", "bun/install/cache",
    )),
)  # fmt: skip

# Folders under another name; the first that fits is exchanged.
ALIASES = (
    ("c:/documents and settings", "c:/users"),
    ("c:/users/all users", "c:/programdata"),
    ("c:/windows/sysnative", "c:/windows/system32"),
)
HOME_ALIASES = (
    ("local settings/application data", LOCAL),
    ("application data", ROAMING),
    ("local settings", LOCAL),
    ("start menu", f"{ROAMING}/microsoft/windows/start menu"),
    ("my documents", "documents"),
    ("onedrive/documents", "documents"),
    ("onedrive/desktop", "desktop"),
)
# What Windows calls the folders of programs in eight letters, by the order of their creation.
SHORT_NAMES = {
    "progra~1": ("program files",),
    "progra~2": ("program files (x86)",),
    "progra~3": ("programdata",),
    "docume~1": ("documents and settings", "documents"),
}

# Names of tables of every system that Windows shortens as well.
SHARED_NAMES = (
    ".ssh/authorized_keys", ".ssh/id_ed25519", ".ssh/id_ecdsa", ".defenseclaw", ".git/config", ".aws/credentials",
    ".git-credentials", ".docker/config.json", ".azure", ".kube", ".gnupg", ".npmrc", ".pypirc", ".claude/settings.json",
    ".codex", ".cursor", ".gemini", "node_modules", "documents/downloads", "favorites", "contacts", "onedrive",
)  # fmt: skip

_CV = "software/microsoft/windows/currentversion"
_NT = "software/microsoft/windows nt/currentversion"
_CCS = "system/currentcontrolset"
_POLICY = "software/policies/microsoft"
# Keys that start programs, or say which program is started for another.
REGISTRY_START = (
    f"{_CV}/run", f"{_CV}/runonce", f"{_CV}/runonceex", f"{_CV}/runservices", f"{_CV}/runservicesonce",
    f"{_CV}/policies/explorer/run", f"{_CV}/explorer/shell folders", f"{_CV}/explorer/user shell folders",
    f"{_CV}/explorer/browser helper objects", f"{_CV}/explorer/shellexecutehooks", f"{_CV}/shellserviceobjectdelayload",
    f"{_CV}/group policy/scripts", f"{_CV}/app paths", f"{_CV}/authentication/credential providers",
    f"{_NT}/winlogon", f"{_NT}/image file execution options", f"{_NT}/silentprocessexit", f"{_NT}/windows",
    f"{_NT}/schedule/taskcache", f"{_NT}/appcompatflags/custom", f"{_NT}/aedebug",
    f"{_CCS}/services", f"{_CCS}/control/session manager/bootexecute", f"{_CCS}/control/session manager/execute",
    f"{_CCS}/control/session manager/setupexecute", f"{_CCS}/control/session manager/appcertdlls",
    f"{_CCS}/control/session manager/knowndlls", f"{_CCS}/control/print/monitors", f"{_CCS}/control/print/providers",
    f"{_CCS}/control/securityproviders", f"{_CCS}/control/networkprovider/order",
    f"{_CCS}/control/lsa/security packages", f"{_CCS}/control/lsa/notification packages",
    f"{_CCS}/control/lsa/authentication packages", f"{_CCS}/control/lsa/osconfig",
    "software/microsoft/active setup/installed components", "software/microsoft/command processor",
    "software/microsoft/netsh", "software/microsoft/office test/special/perf", "environment/userinitmprlogonscript",
    f"{_POLICY}/windows/system/scripts", "control panel/desktop/scrnsave.exe",
    "software/classes/ms-settings", "software/classes/mscfile", "software/classes/exefile", "software/classes/txtfile",
    "software/classes/batfile", "software/classes/cmdfile", "software/classes/folder/shell", "software/classes/directory/shell",
)  # fmt: skip
# Components anywhere in a key of classes that name the program behind it.
REGISTRY_HANDLERS = frozenset({"inprocserver32", "localserver32", "command", "scriptleturl"})
# Keys whose values switch the protection of the machine off.
REGISTRY_PROTECTION = (
    "software/microsoft/windows defender", f"{_POLICY}/windows defender", f"{_POLICY}/microsoft antimalware",
    f"{_POLICY}/windowsfirewall", f"{_CCS}/services/sharedaccess/parameters/firewallpolicy",
    f"{_CCS}/services/windefend", f"{_CCS}/services/wdfilter", f"{_CCS}/services/wdnissvc", f"{_CCS}/services/sense",
    f"{_CCS}/services/mpssvc", f"{_CCS}/services/eventlog", f"{_CCS}/services/securityhealthservice", f"{_CCS}/services/sysmon",
    f"{_CV}/policies/system", f"{_CCS}/control/lsa/runasppl", f"{_CCS}/control/lsa/lsacfgflags",
    f"{_CCS}/control/lsa/disablerestrictedadmin", f"{_CCS}/control/lsa/limitblankpassworduse", f"{_CCS}/control/lsa/restrictanonymous",
    f"{_CCS}/control/lsa/lmcompatibilitylevel", f"{_CCS}/control/securityproviders/wdigest", f"{_CCS}/control/deviceguard",
    f"{_CCS}/control/ci", f"{_CCS}/control/terminal server/fdenytsconnections", f"{_CCS}/control/crashcontrol",
    f"{_POLICY}/windows/powershell", "software/microsoft/powershell/1/shellids", "software/microsoft/amsi",
    "software/microsoft/windows script/settings", f"{_POLICY}/windows nt/systemrestore", f"{_NT}/systemrestore",
    "software/microsoft/security center", "software/microsoft/windows defender security center",
    f"{_POLICY}/windows/system/enablesmartscreen", f"{_CV}/explorer/smartscreenenabled", f"{_POLICY}/windows/safer",
    f"{_POLICY}/windows/appx", f"{_POLICY}/fve", f"{_CCS}/policies/microsoft/fve",
    f"{_CV}/internet settings/zonemap", "software/microsoft/office/16.0/word/security", "software/microsoft/office/16.0/excel/security",
)  # fmt: skip
# Keys that hold passwords and keys of programs.
REGISTRY_SECRETS = (
    "software/simontatham/putty/sessions", "software/simontatham/putty/sshhostkeys", "software/martin prikryl/winscp 2",
    "software/openssh/agent/keys", f"{_NT}/winlogon/defaultpassword", "software/orl/winvnc3", "software/tightvnc/server",
    "software/realvnc", "software/microsoft/terminal server client/servers", "software/microsoft/internet explorer/intelliforms",
    "software/microsoft/windows messaging subsystem/profiles", f"{_NT}/windows messaging subsystem/profiles",
    f"{_CCS}/services/snmp/parameters/validcommunities", "software/microsoft/identitycrl",
)  # fmt: skip
# Keys whose loss breaks the machine or a profile.
REGISTRY_TREES = frozenset(
    {"hklm/software", "hklm/system", "hklm/hardware", "hklm/bcd00000000", "hklm/sam", "hklm/security", "hkcu/software",
     "hklm/system/currentcontrolset", "hklm/system/currentcontrolset/services", "hklm/system/currentcontrolset/control",
     "hklm/software/microsoft", "hklm/software/classes", "hkcu/software/microsoft", "hklm/software/microsoft/windows",
     "hklm/software/microsoft/windows nt", "hklm/software/microsoft/windows/currentversion",
     "hklm/software/microsoft/windows nt/currentversion", "hklm/system/currentcontrolset/control/safeboot"}
)  # fmt: skip
