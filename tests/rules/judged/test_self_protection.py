"""Nothing that an agent can call changes the guard, its registrations or its switches unseen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from defenseclaw.connectors import CONNECTORS
from defenseclaw.core.tool import Platform, ToolCall
from defenseclaw.core.verdict import Severity
from defenseclaw.facts import GLOBAL_TOOLS, analyze, enforcement_projection
from defenseclaw.rules import Example, ExampleForm
from defenseclaw.rules.proof import call_of
from tests.rules.test_verdict_rows import GENERATION

HOME = "/home/dana"
STATE = f"{HOME}/.defenseclaw"
FILES = ("config.toml", "lists.toml", "suppressions.toml", "audit.db", "hooks/claudecode")

# Every kind of program that changes a file, with the file as {}.
WRITERS = """
echo x > {}
echo x >> {}
: > {}
printf x | tee {}
printf x | tee -a {}
cp /tmp/x {}
cp --target-directory={0}/.. /tmp/x
mv /tmp/x {}
mv {} /tmp/x
ln -sf /tmp/x {}
install -m 600 /tmp/x {}
rsync -a /tmp/x {}
scp host:/x {}
curl -o {} https://files.example.test/x
wget -O {} https://files.example.test/x
sed -i s/a/b/ {}
perl -pi -e s/a/b/ {}
dd if=/tmp/x of={}
truncate -s 0 {}
shred -u {}
rm {}
rm -rf {}
unlink {}
find {} -delete
find {} -exec rm ;;
patch {} < /tmp/x.diff
chmod 000 {}
chown nobody {}
chattr +i {}
git checkout other -- {}
git restore --source=other {}
python3 -c 'open("{}", "w").write("")'
python3 -c 'import os; os.remove("{}")'
python3 -c 'import pathlib; pathlib.Path("{}").write_text("")'
node -e 'require("fs").writeFileSync("{}", "")'
ruby -e 'File.write("{}", "")'
sqlite3 {} 'DELETE FROM events WHERE id = 1'
sudo tee {}
bash -c 'echo x > {}'
F={}; rm "$F"
cat > {} <<END
END
"""
# Programs that put many files below a folder.
UNPACKERS = """
tar xf /tmp/a.tar -C {}
tar -xzf /tmp/a.tgz --directory={}
unzip /tmp/a.zip -d {}
rsync -a /tmp/x/ {}/
cp -r /tmp/x/. {}
git clone https://git.example.test/x.git {}
git -C {} checkout -- .
cd {} && rm config.toml
cd {} && git restore .
chmod -R a-rwx {}
mv {0} {0}.old
find {} -type f -exec truncate -s 0 ;;
"""
SWITCHES = """
defenseclaw guardrail disable --yes
defenseclaw guardrail disable --connector codex --yes
defenseclaw guardrail fail-mode open --yes
defenseclaw setup remove codex --yes
defenseclaw setup codex --mode observe
defenseclaw uninstall --yes
defenseclaw suppress add --rule CMD-RM-RF --path /srv
defenseclaw tool allow Bash --force
defenseclaw mcp allow github
defenseclaw mcp unblock github
defenseclaw-gateway stop
python3 -m defenseclaw guardrail disable
python3 -m defenseclaw.gateway stop
/home/dana/.local/bin/defenseclaw uninstall
sudo defenseclaw-gateway stop
sh -c 'defenseclaw uninstall'
pkill -f defenseclaw-gateway
killall defenseclaw-gateway
kill "$(cat ~/.defenseclaw/gateway.pid)"
systemctl --user stop defenseclaw
systemctl --user disable defenseclaw.service
pip uninstall -y defenseclaw
pipx uninstall defenseclaw
uv tool uninstall defenseclaw
export DEFENSECLAW_FAIL_MODE=open
export DEFENSECLAW_HOME=/tmp/x
DEFENSECLAW_FAIL_MODE=open some-agent
env DEFENSECLAW_HOME=/tmp/x some-agent
unset DEFENSECLAW_STRICT_AVAILABILITY
codex -c features.hooks=false
codex --disable hooks
claude --settings '{"disableAllHooks":true}'
claude --setting-sources project
"""
FREE = """
defenseclaw status --json
defenseclaw doctor
defenseclaw explain --shell posix 'rm -rf /'
defenseclaw suppress list
defenseclaw tool list
defenseclaw mcp list
defenseclaw guardrail status
defenseclaw audit list
defenseclaw rules show CMD-RM-RF
cat ~/.defenseclaw/config.toml
ls -la ~/.defenseclaw
tail -n 5 ~/.defenseclaw/logs/gateway.log
cp ~/.defenseclaw/config.toml /tmp/look
sqlite3 ~/.defenseclaw/audit.db 'SELECT count(*) FROM events'
git -C ~/.defenseclaw status
echo ~/.defenseclaw
grep -rn DEFENSECLAW_FAIL_MODE docs
export DEFENSECLAW_FAIL_MODE=closed
DEFENSECLAW_STRICT_AVAILABILITY=1 make test
git clone https://git.example.test/defenseclaw.git
cd defenseclaw && rm -rf build
pip install defenseclaw
cat ~/.claude/settings.json
"""


def lines(table: str) -> list[str]:
    found = []
    for line in table.strip().split("\n"):
        if line == "END":
            found[-1] += "\nEND"
        else:
            found.append(line.replace(";;", "{{}} ';'") if "exec" in line else line)
    return found


def judged(call: ToolCall) -> dict[str, Severity]:
    """The rules that speak, each able to stop the call."""
    found = GENERATION.evaluate_call(analyze(call), enforcement_projection).findings
    return {f.rule_id: f.severity for f in found if f.enforceable}


def shell(command: str) -> dict[str, Severity]:
    return judged(call_of(Example(True, ExampleForm.SH, command), GLOBAL_TOOLS))


def tool(name: str, **arguments: Any) -> dict[str, Severity]:
    body = {"name": name, "input": arguments}
    return judged(call_of(Example(True, ExampleForm.TOOL, body), GLOBAL_TOOLS))


def guards(found: dict[str, Severity]) -> bool:
    return any(r.startswith("SELF-") and s is Severity.CRITICAL for r, s in found.items())


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("writer", lines(WRITERS))
def test_no_program_changes_the_guards_files(writer: str, file: str) -> None:
    assert guards(shell(writer.format(f"{STATE}/{file}")))


@pytest.mark.parametrize("writer", lines(UNPACKERS))
def test_no_program_fills_or_moves_the_guards_folder(writer: str) -> None:
    assert guards(shell(writer.format(STATE)))
    assert guards(shell(writer.format("$HOME/.defenseclaw")))


@pytest.mark.parametrize("file", FILES)
def test_no_tool_changes_the_guards_files(file: str) -> None:
    path = f"{STATE}/{file}"
    assert guards(tool("Write", file_path=path, content="x"))
    assert guards(tool("Edit", file_path=path, old_string="a", new_string="b"))
    assert guards(tool("mcp__filesystem__write_file", path=path, content="x"))
    assert guards(tool("mcp__filesystem__move_file", source=path, destination="/tmp/x"))
    for head in ("Add File", "Delete File"):
        added = "+x\n" if head == "Add File" else ""
        patch = f"*** Begin Patch\n*** {head}: .defenseclaw/{file}\n{added}*** End Patch"
        example = Example(
            True, ExampleForm.TOOL, {"name": "apply_patch", "input": {"patch": patch}}
        )
        assert guards(judged(replace(call_of(example, GLOBAL_TOOLS), cwd=HOME)))


@pytest.mark.parametrize("command", lines(SWITCHES))
def test_every_switch_of_the_guard_is_noticed(command: str) -> None:
    critical = {rule for rule, severity in shell(command).items() if severity is Severity.CRITICAL}
    assert critical & {"SELF-GUARD-COMMAND", "exec.agent_runtime_bypass_flags"}


@pytest.mark.parametrize("command", lines(FREE))
def test_looking_at_the_guard_is_free(command: str) -> None:
    assert shell(command) == {}


def registrations() -> list[tuple[str, Platform]]:
    """Every file that an agent reads its hooks from or that can switch them off."""
    found = []
    for connector in CONNECTORS.values():
        form = connector.registration
        files = [
            (f"{{home}}/{form.home_default}/{name}", platform)
            for platform, name in form.files.items()
        ]
        files += [("{cwd}/" + name, Platform.POSIX) for name in form.project_files]
        found += files
    return found


@pytest.mark.parametrize("file, platform", registrations())
def test_every_registration_and_every_project_file_is_watched(
    file: str, platform: Platform
) -> None:
    windows = platform is Platform.WINDOWS
    home, cwd = ("C:/Users/dana", "C:/work") if windows else (HOME, "/srv/app")
    path = file.format(home=home, cwd=cwd)
    arguments = {"file_path": path, "content": "{}"}
    call = ToolCall("Write", arguments, cwd, home, platform, GLOBAL_TOOLS["Write"])
    assert any(s.rank >= Severity.HIGH.rank for s in judged(call).values())
    assert guards(judged(replace(call, hook_paths=(path,))))


@pytest.mark.parametrize(
    "path",
    [
        ".codex/hooks.json", ".codex/managed_config.toml", ".cursor/hooks.json",
        ".openhands/hooks.json", ".codeium/windsurf/hooks.json", ".gemini/config/hooks.json",
        ".config/amp/plugins/defenseclaw.ts", ".config/opencode/plugins/defenseclaw.js",
    ],
)  # fmt: skip
def test_files_that_only_register_hooks_are_the_guards_own(path: str) -> None:
    assert guards(tool("Write", file_path=f"{HOME}/{path}", content="x"))
    assert guards(shell(f"rm ~/{path}"))
    assert tool("Read", file_path=f"{HOME}/{path}") == {}
    assert shell(f"cat ~/{path}") == {}


def test_a_person_of_the_same_name_is_not_concerned() -> None:
    """A project that is called like the guard is a project."""
    assert tool("Write", file_path="/srv/defenseclaw/config.toml", content="x") == {}
    assert shell("rm -rf /srv/app/build/defenseclaw") == {}
