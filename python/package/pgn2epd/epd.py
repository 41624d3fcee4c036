"""Reads EPD and FEN.

>>> from pgn2epd import epd
>>> record = epd.parse("4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; ce 25;")
>>> record.operations["bm"], record.operations["ce"]
(['e4'], 25)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pgn2epd import _pgn2epd
from pgn2epd._problem import Problem

__all__ = ["Record", "parse"]


@dataclass(frozen=True, eq=False, repr=False)
class Record:
    """A position with its operations. `str(record)` is its normal form, the form of the standard.

    `fen` has the six fields, with the clocks of `hmvc` and `fmvn`, `dialect` is that of the line: epd, fen, crafty and so on, `problems`
    are warnings and notes about the line.
    """

    _text: str
    _line: str
    fen: str
    dialect: str
    problems: list[Problem]

    @property
    def fields(self) -> tuple[str, ...]:
        """The four fields: placement, side to move, castling rights, en passant square."""
        return tuple(self.fen.split(" ")[:4])

    @property
    def epd(self) -> str:
        """The four fields as one text."""
        return " ".join(self.fields)

    @property
    def operations(self) -> dict[str, Any]:
        """The operations by opcode, in the order of the line: a number as `int`, moves as a list, two texts as a tuple, a missing operand as
        `None`, anything else as `str`.
        """
        return _pgn2epd.operations(self._line, self.dialect)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Record {self._text}>"

    def __eq__(self, other: object) -> bool:
        return self._text == other._text if isinstance(other, Record) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._line, self.dialect)

    def _repr_svg_(self) -> str:
        return _pgn2epd.show(self._line).svg


def _restored(line: str, dialect: str) -> Record:
    return parse(line, dialect=dialect, moves=False)


def parse(line: str, *, dialect: str | None = None, moves: bool = True) -> Record:
    """Reads a line of EPD or FEN, in any dialect.

    >>> line = '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";'
    >>> record = pgn2epd.epd.parse(line)
    >>> record.operations
    {'bm': ['Qd1+'], 'id': 'BK.01'}
    >>> record.fen
    '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1'

    `dialect` is epd, fen, crafty, perl, perft, label, pgn-extract, scid or python-chess; without it the dialect is detected. With
    `moves=False` the moves in operands are not played.

    The first error, such as an illegal position or move, raises a `PgnError`; `record.problems` are the warnings and notes.
    """
    return Record(*_pgn2epd.parse(line, dialect, moves))
