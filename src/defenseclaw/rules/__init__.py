"""Rules: packs of YAML entries, compiled into generations that judge calls and content.

Pure: files are passed in as bytes and the analysis is passed in as a function.
"""

from defenseclaw.rules.generation import Evaluation, Generation, build_generation
from defenseclaw.rules.model import Example, ExampleForm, ExampleRoute, Pack, Rule, UnusedPart
from defenseclaw.rules.pack import components, load_pack
from defenseclaw.rules.problem import PackRejectedError
from defenseclaw.rules.proof import Analyst, ExampleFailure, run_examples

__all__ = [
    "Analyst",
    "Evaluation",
    "Example",
    "ExampleFailure",
    "ExampleForm",
    "ExampleRoute",
    "Generation",
    "Pack",
    "PackRejectedError",
    "Rule",
    "UnusedPart",
    "build_generation",
    "components",
    "load_pack",
    "run_examples",
]
