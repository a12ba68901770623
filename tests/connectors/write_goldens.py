"""Write the golden files anew: ``python -m tests.connectors.write_goldens``; then read the diff."""

from __future__ import annotations

import json

from tests.connectors.cases import actual, matrix, payload


def main() -> None:
    """Write one file per event and case."""
    for case in matrix():
        raw = payload(case.connector.key, case.spec.name)
        case.path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps({"payload": raw, **actual(case, raw)}, indent=1, ensure_ascii=False)
        case.path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
