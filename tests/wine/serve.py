"""Run on Windows: executes pieces of code that come as JSON lines, one after the other.

A request has the code and the names that it may use; the answer has what the code left in
``result``, what it printed, and its traceback if it failed.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import traceback

FOLDERS = (r"C:\checkout", r"C:\checkout\src", r"C:\site")


def answer(request: dict[str, object]) -> dict[str, object]:
    """Execute one piece of code."""
    names: dict[str, object] = {"__name__": "guest", "result": None, **request["given"]}
    printed, error = io.StringIO(), ""
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            exec(compile(request["code"], "guest", "exec"), names)
        except BaseException:  # also what would end the interpreter
            error = traceback.format_exc()
    return {"result": names["result"], "printed": printed.getvalue(), "error": error}


def main() -> None:
    """Answer until the input ends."""
    sys.path[:0] = FOLDERS
    # Programs that the code starts must not write into the answers.
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    for line in requests:
        try:
            text = json.dumps(answer(json.loads(line)))
        except (TypeError, ValueError) as error:
            text = json.dumps({"result": None, "printed": "", "error": repr(error)})
        answers.write(text + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
