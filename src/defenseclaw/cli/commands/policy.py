"""``defenseclaw policy``: the six decision tables beside the hook path, and one's own modules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from defenseclaw.cli.output import (
    EXIT_FAILED,
    json_option,
    print_items,
    print_json,
    print_table,
    reports_errors,
)
from defenseclaw.core.jsontext import JsonTextError, parse_object
from defenseclaw.core.limits import MAX_PAYLOAD_DEPTH, MAX_POLICY_INPUT_BYTES
from defenseclaw.core.verdict import Profile
from defenseclaw.errors import PolicyError
from defenseclaw.platform import UnsafeFileError, read_bounded
from defenseclaw.policy import (
    DOMAINS,
    Domain,
    DomainError,
    DomainName,
    PolicyData,
    evaluate_domain,
    merged,
    parse_data,
)
from defenseclaw.rego import PolicyFolder, RegoEngine, read_policy_folder
from defenseclaw.telemetry import printable

profile_option = click.option(
    "--profile",
    type=click.Choice([p.value for p in Profile]),
    default=Profile.DEFAULT.value,
    show_default=True,
    help="Whose data is taken.",
)
data_option = click.option(
    "--data", "data_dir", type=click.Path(path_type=Path),
    help="A folder whose data.json replaces parts of the profile's data.",
)  # fmt: skip
domain_argument = click.argument("domain", type=click.Choice([d.value for d in DOMAINS]))


@click.group()
def policy() -> None:
    """Show and ask the policy tables. Hooks do not use them."""


@policy.command("list")
@json_option
@reports_errors
def list_domains(as_json: bool) -> None:
    """List the decisions."""
    if as_json:
        print_items([_describe(domain) for domain in DOMAINS.values()])
        return
    print_table(("domain", "decides"), [(d.name.value, d.summary) for d in DOMAINS.values()])


@policy.command("show")
@domain_argument
@profile_option
@data_option
@json_option
@reports_errors
def show(domain: str, profile: str, data_dir: Path | None, as_json: bool) -> None:
    """Show a decision's input, answer, answer in doubt, and the data in force."""
    row = DOMAINS[DomainName(domain)]
    document, _ = _data(Profile(profile), _folder(data_dir))
    if as_json:
        print_json({**_describe(row), "profile": profile, "data": document})
        return
    click.echo(f"{row.name}: {row.summary}")
    for head, fields in (("input", row.given.fields), ("answer", row.answer.fields)):
        words = [key if required else f"[{key}]" for key, required in fields.items()]
        click.echo(f"{head:9} {', '.join(words)}")
    safe = ", ".join(f"{key}={value}" for key, value in (row.in_doubt or {}).items())
    click.echo(f"in doubt  {safe or 'the table answers'}")
    click.echo(f"data of the profile {profile}:")
    click.echo(json.dumps(document, ensure_ascii=True, indent=2))


@policy.command("validate")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@json_option
@reports_errors
def validate(folder: Path, as_json: bool) -> None:
    """Check the data and the modules of a folder, under every profile."""
    found = read_policy_folder(folder)
    decided: tuple[DomainName, ...] = ()
    for profile in Profile:
        document, _ = _data(profile, found)
        if found.modules:
            decided = _engine(found, document).domains
    if not found.modules and not found.documents:
        raise PolicyError(".", "there is neither data.json nor a .rego module")
    if as_json:
        names = [name.value for name in decided]
        print_json({"valid": True, "modules": sorted(found.modules), "domains": names})
        return
    click.echo(f"valid: {len(found.documents)} data files, {len(found.modules)} modules")
    if found.modules:
        click.echo(f"decided by modules: {', '.join(decided) or 'nothing'}")


@policy.command("evaluate")
@domain_argument
@click.option(
    "--input", "source", type=click.Path(path_type=Path), required=True,
    help="The JSON object to decide about.",
)  # fmt: skip
@click.option(
    "--rego", type=click.Path(path_type=Path),
    help="Ask the modules of this folder, with its data.json, instead of the table.",
)  # fmt: skip
@profile_option
@data_option
@json_option
@reports_errors
def evaluate(domain: str, source: Path, rego: Path | None, **given: Any) -> None:
    """Decide about one input. Exit 1 where the answer is the one for errors."""
    found = _folder(rego)
    data_folder = _folder(given["data_dir"]) if given["data_dir"] else found
    document, data = _data(Profile(given["profile"]), data_folder)
    engine = _engine(found, document) if rego else None
    try:
        outcome = evaluate_domain(DomainName(domain), _input(source), data, engine)
    except DomainError as error:
        raise _refused(error, f"defenseclaw policy show {domain}") from None
    if given["as_json"]:
        by = "rego" if engine else "table"
        print_json({"domain": domain, "by": by, **vars_of(outcome.answer, outcome.error)})
    else:
        for key, value in outcome.answer.items():
            shown = ", ".join(value) or "-" if isinstance(value, list) else value
            click.echo(f"{key:20} {printable(str(shown))}")
        if outcome.error:
            click.echo(f"answer for errors: {printable(outcome.error)}", err=True)
    if outcome.error:
        raise SystemExit(EXIT_FAILED)


def vars_of(answer: Mapping[str, Any], error: str) -> dict[str, Any]:
    """An outcome as scripts read it."""
    return {"answer": dict(answer), "error": error or None}


def _describe(domain: Domain) -> dict[str, Any]:
    return {
        "domain": domain.name.value,
        "summary": domain.summary,
        "input": domain.given.fields,
        "answer": list(domain.answer.fields),
        "in_doubt": domain.in_doubt,
    }


def _folder(folder: Path | None) -> PolicyFolder:
    return read_policy_folder(folder) if folder else PolicyFolder()


def _data(profile: Profile, folder: PolicyFolder) -> tuple[dict[str, Any], PolicyData]:
    document = merged(profile, folder.documents)
    try:
        return document, parse_data(document)
    except DomainError as error:
        raise _refused(error, "defenseclaw policy show admission") from None


def _engine(folder: PolicyFolder, document: Mapping[str, Any]) -> RegoEngine:
    engine = RegoEngine()
    engine.load(folder.modules, document)
    return engine


def _refused(error: DomainError, command: str) -> PolicyError:
    return PolicyError(error.place, error.reason, hint=f"compare it with `{command}`")


def _input(source: Path) -> dict[str, Any]:
    hint = "give --input a file with one JSON object"
    try:
        raw = read_bounded(source, MAX_POLICY_INPUT_BYTES)
        return parse_object(raw, max_depth=MAX_PAYLOAD_DEPTH)
    except FileNotFoundError:
        raise PolicyError(str(source), "there is no such file", hint=hint) from None
    except UnsafeFileError as error:
        raise PolicyError(str(source), error.what, hint=hint) from None
    except JsonTextError as error:
        raise PolicyError(str(source), str(error), hint=hint) from None
