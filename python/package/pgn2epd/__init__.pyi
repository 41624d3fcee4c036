import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Literal, TypedDict, final

from typing_extensions import Unpack

from pgn2epd._problem import PgnError as PgnError, PgnWarning as PgnWarning, Problem as Problem

__all__ = [
    "ArrowTable",
    "Game",
    "PgnError",
    "PgnWarning",
    "Problem",
    "Record",
    "Records",
    "Summary",
    "convert",
    "epdlist",
    "records",
    "to_arrow",
]

_Source = str | os.PathLike[str] | bytes | BinaryIO
_Sources = _Source | Sequence[_Source]
_Problems = list[Problem] | list[Any] | Callable[[Problem], object] | None

class _Options(TypedDict, total=False):
    preset: Literal["match", "suite", "tuning"] | None
    format: Literal["epd", "fen", "perl", "crafty", "c9", "bracket", "bullet", "c-chess-cli", "plain"] | None
    ops: str | Sequence[str] | None
    op: str | Sequence[str] | None
    registers: Literal["delta", "full", "off"] | None
    names: Literal["table", "tags", "off"] | None
    openings: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
    variations: bool | None
    keep_commands: bool | None
    long_comments: Literal["cut", "split", "drop"] | None
    ascii: bool | None
    ep: Literal["always", "pseudo", "legal"] | None
    castling: Literal["xfen", "shredder", "standard"] | None
    blank_line: bool | None
    skip_start: bool | None
    ply: int | str | tuple[int | None, int | None] | None
    min_ply: int | None
    in_check: Literal["keep", "skip"] | None
    captures: Literal["keep", "skip"] | None
    max_eval: int | None
    last: bool | None
    language: str | None
    null_moves: bool | None
    notes: bool | None
    strict: bool | None
    where: str | None
    conflicts: Literal["keep", "drop", "mean"] | None
    unique: bool | None
    skip: int | None
    limit: int | None
    sample: int | None
    seed: int | None
    jobs: int | None
    on_error: Literal["keep", "skip", "stop"] | None
    on_damage: Literal["stop", "keep"] | None
    max_game_bytes: int | str | None
    chunk_bytes: int | str | None

def epdlist(moves: Iterable[str], fen: str | None = None) -> list[str]: ...
def records(source: _Sources, *, problems: _Problems = None, **options: Unpack[_Options]) -> Records: ...
def convert(
    source: _Sources,
    target: str | os.PathLike[str] | BinaryIO,
    *,
    problems: _Problems = None,
    **options: Unpack[_Options],
) -> Summary: ...
def to_arrow(
    source: _Sources,
    columns: Sequence[str] | None = None,
    *,
    problems: _Problems = None,
    **options: Unpack[_Options],
) -> ArrowTable: ...
@final
class Records(Iterator[Record]):
    def __iter__(self) -> Records: ...
    def __next__(self) -> Record: ...
    @property
    def summary(self) -> Summary | None: ...

@final
class Record:
    @property
    def fields(self) -> tuple[str, str, str, str]: ...
    @property
    def epd(self) -> str: ...
    @property
    def fen(self) -> str: ...
    @property
    def operations(self) -> dict[str, int | str | list[str] | tuple[str, str] | None]: ...
    @property
    def move(self) -> str | None: ...
    @property
    def uci(self) -> str | None: ...
    @property
    def ply(self) -> int: ...
    @property
    def game(self) -> Game: ...

@final
class Game:
    @property
    def number(self) -> int: ...
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def tags(self) -> dict[str, str]: ...

@final
class Summary:
    @property
    def games(self) -> int: ...
    @property
    def bad_games(self) -> int: ...
    @property
    def left_out(self) -> int: ...
    @property
    def positions(self) -> int: ...
    @property
    def duplicates(self) -> int: ...
    @property
    def unlabelled(self) -> int: ...
    @property
    def errors(self) -> int: ...
    @property
    def warnings(self) -> int: ...
    @property
    def notes(self) -> int: ...
    @property
    def bytes_read(self) -> int: ...

@final
class ArrowTable:
    @property
    def columns(self) -> list[str]: ...
    @property
    def error(self) -> Exception | None: ...
    @property
    def summary(self) -> Summary | None: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
