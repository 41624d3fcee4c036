"""The line that progress=True shows."""

import sys
from typing import Any


class Line:
    """Shows the counts of a summary on standard error, in one line."""

    def __call__(self, summary: Any) -> None:
        text = f"\r{summary.games:,} games, {summary.positions:,} positions"
        print(text, end="", file=sys.stderr, flush=True)

    def _end(self) -> None:
        print(file=sys.stderr)
