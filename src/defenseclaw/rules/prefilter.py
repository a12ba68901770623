"""Which expressions can be true at all, by the texts they need and the texts the facts hold."""

from __future__ import annotations

from collections.abc import Sequence

from defenseclaw.core.facts import ActionFacts, CommandFact
from defenseclaw.rules.model import Rule


class WordIndex:
    """Rules by the texts that their expressions need; those without needs are always candidates."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = tuple(rules)
        self._always: list[int] = []
        self._by_word: dict[str, list[int]] = {}
        for position, rule in enumerate(self._rules):
            needs = rule.program.needs if rule.program else None
            if needs is None:
                self._always.append(position)
            for word in needs or ():
                self._by_word.setdefault(word, []).append(position)

    def candidates(self, facts: ActionFacts) -> list[Rule]:
        """The rules that may be true for the facts, in the order they were given."""
        found = set(self._always)
        for word in fact_words(facts) & self._by_word.keys():
            found.update(self._by_word[word])
        return [self._rules[position] for position in sorted(found)]


def fact_words(facts: ActionFacts) -> set[str]:
    """Every text of the facts that an expression could compare with."""
    words = {facts.tool, facts.cwd, facts.active_home, facts.family}
    words |= {facts.mcp_server, facts.mcp_tool}
    for command in facts.commands:
        _add_command(words, command)
    for path in facts.paths:
        words.update(path.labels)
        words.update((path.value, path.normalized, path.resolved))
    for target in facts.network:
        words.update(target.labels)
        words.update(target.carries)
        words.update((target.scheme, target.host, target.normalized_host))
    return words


def _add_command(words: set[str], command: CommandFact) -> None:
    words.update((command.executable, command.program, command.subcommand))
    words.update(command.argv)
    words.update(command.options)
    words.update(command.operands)
    words.update(command.traits)
    words.update(argument.value for argument in command.arguments)
    words.update(redirect.target for redirect in command.redirects)
    for wrapper in command.wrappers:
        words.add(wrapper.executable)
        words.update(wrapper.argv)
