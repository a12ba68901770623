"""Every rule has an example in each dialect and each kind of tool that it speaks about."""

from __future__ import annotations

import pytest

from defenseclaw.rules import ExampleForm, Rule
from tests.rules.test_catalog import PACK

SH, PWSH, CMD, TOOL, TEXT, WRITTEN = (
    ExampleForm.SH,
    ExampleForm.PWSH,
    ExampleForm.CMD,
    ExampleForm.TOOL,
    ExampleForm.TEXT,
    ExampleForm.WRITTEN,
)
# What the examples of a category must be spelled in.
OF_CATEGORY: dict[str, set[ExampleForm]] = {
    # Clients that are the same on every system.
    "c2": {SH, PWSH, CMD},
    "cloud": {SH, PWSH, CMD},
    "cluster": {SH, PWSH, CMD},
    "database": {SH, PWSH, CMD},
    "vcs": {SH, PWSH, CMD},
    # Files, which shells and file tools both reach.
    "cognitive-file": {SH, PWSH, CMD, TOOL},
    "sensitive-path": {SH, PWSH, CMD, TOOL},
    "command": {SH},
    "self-protection": {SH, PWSH, CMD},
    "codeguard": {WRITTEN},
    "enterprise-data": {TEXT},
    "secret": {TEXT},
    "trust-exploit": {TEXT},
}
# Beginnings of ids of rules about Windows, whatever their category.
OF_WINDOWS: dict[str, set[ExampleForm]] = {
    "CMD-WIN-": {PWSH, CMD},
    "impact.system_process_kill": {PWSH, CMD},
    "persistence.account_change": {PWSH, CMD},
    "PATH-WIN-": {PWSH, CMD, TOOL},
}
# Rules whose category does not say it.
OF_RULE: dict[str, set[ExampleForm]] = {
    "C2-DNS-TUNNEL": {SH, PWSH},  # cmd cannot put what a program prints into a name
    "CLOUD-DNS-CHANGE": {SH, PWSH},  # its JSON is quoted otherwise there
    "CLUSTER-DOCKER-RM-ALL": {SH, PWSH},  # cmd has no substitution
    "PATH-ETC-PASSWD": {SH},  # a file tool's read of it sends it nowhere
    # what only a Unix has
    "PATH-ETC-SUDOERS": {SH, TOOL},
    "PATH-PROC-ENVIRON": {SH, TOOL},
    "secrets.workload_identity_token_read": {SH, PWSH, TOOL},
    "PATH-SSH-DIR": {TOOL},  # another rule has what shells do there
    "PATH-WIN-PS-HISTORY": {PWSH, CMD},  # reads are no matter of it
    "persistence.ssh_authorized_keys_file": {TOOL},
    "privilege.container_runtime_socket_access": {SH, PWSH, CMD},  # file tools open no socket
}
# Rules of the category of commands whose programs exist on Windows, or have an equal there.
_SHARED = """
CMD-BACKUP-DELETE CMD-CURL-UPLOAD CMD-LOG-WIPE CMD-MKFS CMD-PERL-E CMD-PIPE-CURL CMD-POWER
CMD-PUBLISH CMD-PYTHON-C CMD-REVSHELL-PYTHON CMD-RM-OUTSIDE CMD-RM-PROJECT-ROOT CMD-RM-REMOTE
CMD-RM-RF CMD-RUBY-E CMD-SECURITY-OFF CMD-SERVICE-STOP CMD-SYSTEMCTL
exec.agent_runtime_bypass_flags exec.reverse_tunnel exfil.credential_print_and_egress
exfil.secret_read_and_egress_oneliner impact.cryptomining_launch
impact.mass_process_termination integrity.git_hooks_bypass lateral.workload_exec
persistence.privileged_account_change privilege.container_host_escape recon.network_sweep
secrets.cloud_secret_manager_read secrets.token_print secrets.credential_dump
secrets.password_search source.git_config_exec
CMD-BASH-C CMD-CHMOD-WORLD CMD-ENV-DUMP CMD-ETC-WRITE CMD-NETCAT-LISTEN CMD-PERM-SYSTEM
CMD-PIPE-WGET CMD-REVSHELL-BASH CMD-REVSHELL-NC CMD-SCP-SYSTEM CMD-SOCAT-EXEC CMD-WGET-POST
persistence.ssh_authorized_keys_command
source.git_push_new_remote source.git_remote_tamper
"""
ON_BOTH_SYSTEMS = _SHARED.split()


def spoken(rule: Rule) -> set[ExampleForm]:
    """The forms that a rule's own examples of matches must come in."""
    if rule.id in OF_RULE:
        return OF_RULE[rule.id]
    for beginning, forms in OF_WINDOWS.items():
        if rule.id.startswith(beginning):
            return forms
    return OF_CATEGORY[rule.category] | ({PWSH, CMD} if rule.id in ON_BOTH_SYSTEMS else set())


@pytest.mark.parametrize("rule", PACK.rules, ids=lambda r: r.id)
def test_rule_matches_in_each_dialect_that_it_speaks_of(rule: Rule) -> None:
    assert spoken(rule) <= {example.form for example in rule.examples if example.matches}


def test_tables_name_rules_that_exist() -> None:
    ids = {rule.id for rule in PACK.rules}
    assert {*OF_RULE, *ON_BOTH_SYSTEMS} <= ids
    assert len(set(ON_BOTH_SYSTEMS)) == len(ON_BOTH_SYSTEMS)
    assert set(OF_CATEGORY) == {rule.category for rule in PACK.rules}
    for beginning in OF_WINDOWS:
        assert any(name.startswith(beginning) for name in ids), beginning
