"""Write the hook client's failure table anew: ``python -m tests.hook.write_answers``."""

from __future__ import annotations

from pathlib import Path

from defenseclaw.connectors import render_answers
from defenseclaw.hook import answers


def main() -> None:
    """Write the file that the package ships."""
    Path(answers.__file__).write_text(render_answers(), encoding="utf-8")


if __name__ == "__main__":
    main()
