"""What a path is called, whatever tool names it."""

from __future__ import annotations

import pytest

from defenseclaw.core.facts import PathFlavor
from defenseclaw.core.tool import Platform
from defenseclaw.facts.labels import Scope, label
from defenseclaw.facts.paths import Place, locate

PROJECT = Scope(
    Place("/home/dev/project", "/home/dev", tilde=True), ("/opt/own",), ("/cfg/hooks.json",)
)
WINDOWS = Scope(Place("C:\\work\\app", "C:\\Users\\dana", Platform.WINDOWS, tilde=True))


def labels(spelling: str, scope: Scope = PROJECT, *, covers: bool = False) -> set[str]:
    located = locate(spelling, scope.place)
    return set(label(located.resolved, located.flavor, scope, covers))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", "system-root"),
        ("/*", "system-root"),
        ("/etc", "system-tree"),
        ("/etc/*", "system-tree"),
        ("/usr/lib/x", "in-system-tree"),
        ("~", "home-root"),
        ("~/*", "home-root"),
        ("/home", "homes-root"),
        ("/home/ann", "other-home"),
        ("~/Documents", "home-top"),
        (".", "project-root"),
        ("src/a.py", "project"),
        ("/home/dev/project2", "outside"),
        ("/srv/data", "outside"),
        ("/tmp/x", "temp"),
        ("/var/tmp/x", "temp"),
        ("node_modules/x", "build-output"),
        ("/srv/app/dist", "build-output"),
        ("~/.cache/pip", "build-output"),
        ("/dev/sda1", "raw-disk"),
        ("/dev/nvme0n1", "raw-disk"),
        ("/dev/snd/x", "device"),
        ("~/.ssh/id_rsa", "ssh-private-key"),
        ("~/.ssh/work_key", "ssh-private-key"),
        ("~/.ssh/id_*", "ssh-private-key"),
        ("~/.ssh/config", "ssh-dir"),
        ("~/.ssh/authorized_keys", "authorized-keys"),
        ("~/.aws/credentials", "cloud-credential"),
        ("/home/ann/.aws/credentials", "cloud-credential"),
        ("~/.kube/config", "kube-config"),
        ("~/.npmrc", "npmrc"),
        ("~/.docker/config.json", "docker-config"),
        ("~/.git-credentials", "git-credential"),
        ("~/.netrc", "netrc"),
        ("~/.config/gh/hosts.yml", "token-store"),
        ("~/.gnupg/private-keys-v1.d/x.key", "gpg-dir"),
        ("~/.mozilla/firefox/p/logins.json", "browser-store"),
        ("/var/run/secrets/kubernetes.io/serviceaccount/token", "workload-token"),
        (".env", "env-file"),
        (".env.production", "env-file"),
        (".env.example", "env-template"),
        ("secrets.yaml", "secret-file"),
        ("/run/secrets/namespace", "secret-file"),
        ("/run/secrets/kubernetes.io/serviceaccount/token", "secret-file"),
        ("/etc/passwd", "passwd"),
        ("/etc/shadow", "shadow"),
        ("/etc/shad*", "shadow"),
        ("/etc/sudoers.d/x", "sudoers"),
        ("/proc/1/environ", "proc-environ"),
        ("deploy.pem", "private-key-file"),
        ("~/.zshrc", "shell-profile"),
        ("/etc/profile.d/x.sh", "shell-profile"),
        ("~/.bash_history", "shell-history"),
        ("/etc/cron.d/x", "cron"),
        ("~/.config/systemd/user/x.service", "service-unit"),
        ("~/.config/autostart/x.desktop", "autostart"),
        (".git/hooks/pre-commit", "git-hook"),
        (".git/config", "git-config"),
        (".git/objects", "git-dir"),
        ("/var/run/docker.sock", "container-socket"),
        ("CLAUDE.md", "agent-instructions"),
        (".claude/settings.json", "agent-config"),
        ("/cfg/hooks.json", "hook-registration"),
        ("/opt/own/audit.db", "own-state"),
        ("~/.defenseclaw/x", "own-state"),
        ("tests/fixtures/.env", "fixture"),
        ("/etc/hosts", "system-config"),
        ("/boot/grub/grub.cfg", "boot"),
        ("/var/log/syslog", "log"),
    ],
)
def test_path_is_called(path: str, expected: str) -> None:
    assert expected in labels(path)


@pytest.mark.parametrize(
    ("path", "absent"),
    [
        ("src/etc/passwd", "passwd"),
        ("~/.ssh/id_rsa.pub", "ssh-private-key"),
        ("testdata/.aws/credentials", "cloud-credential"),
        (".env.example", "env-file"),
        ("environment.md", "env-file"),
        ("server.crt", "private-key-file"),
        ("cacert.pem", "private-key-file"),
        (".git/hooks/pre-commit.sample", "git-hook"),
        ("/dev/null", "device"),
        ("/tmp", "temp"),
        ("/home/dev/project", "outside"),
        ("/usr/src/x", "system-tree"),
        ("build", "outside"),
        ("*", "env-file"),
        ("~/.config/google-chrome/Default/Bookmarks", "browser-store"),
        ("/run/secrets/kubernetes.io/serviceaccount/namespace", "secret-file"),
        ("/var/run/secrets/eks.amazonaws.com/serviceaccount/ca.crt", "secret-file"),
    ],
)
def test_near_miss_is_not_called(path: str, absent: str) -> None:
    assert absent not in labels(path)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("C:\\", "system-root"),
        ("C:\\Windows\\System32", "system-tree"),
        ("C:\\Users\\dana", "home-root"),
        ("C:\\Users", "homes-root"),
        ("C:\\Users\\dana\\.SSH\\ID_RSA", "ssh-private-key"),
        ("c:\\users\\dana\\.aws\\credentials", "cloud-credential"),
        ("C:\\work\\app\\src", "project"),
        ("C:\\work\\app\\bin", "project"),
        ("C:\\Users\\dana\\AppData\\Local\\Temp\\x", "temp"),
        ("\\\\.\\PhysicalDrive0", "raw-disk"),
    ],
)
def test_windows_path_is_called(path: str, expected: str) -> None:
    assert expected in labels(path, WINDOWS)


def test_taking_a_folder_takes_the_credentials_in_it() -> None:
    assert "cloud-credential" in labels("~/.aws", covers=True)
    assert "cloud-credential" not in labels("~/.aws")


def test_registry_keys_that_start_programs() -> None:
    key = "HKCU/Software/Microsoft/Windows/CurrentVersion/Run/x"
    assert "autostart" in label(key, PathFlavor.REGISTRY, WINDOWS, False)


def test_unresolved_path_says_only_that() -> None:
    assert label("", PathFlavor.UNKNOWN, PROJECT, False) == ("unresolved",)


def test_project_at_the_root_is_no_shelter() -> None:
    scope = Scope(Place("/", "/root"))
    assert "in-system-tree" in labels("/usr/lib/x", scope)
