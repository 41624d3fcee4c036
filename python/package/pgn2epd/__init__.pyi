import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, NoReturn, final, overload

from typing_extensions import Unpack

from pgn2epd import epd as epd
from pgn2epd._dataset import Dataset
from pgn2epd._options import (
    AnalyseOptions as AnalyseOptions,
    BookOptions as BookOptions,
    CheckOptions as CheckOptions,
    ConvertOptions as ConvertOptions,
    DiagramOptions as DiagramOptions,
    DiffOptions as DiffOptions,
    JoinOptions as JoinOptions,
    MergeOptions as MergeOptions,
    Options as Options,
    SolveOptions as SolveOptions,
)
from pgn2epd._values import ByteRange as ByteRange, Game as Game, PlayedGame as PlayedGame
from pgn2epd._problem import PgnError as PgnError, PgnWarning as PgnWarning, Problem as Problem, Result as Result

__version__: str

__all__ = [
    "AnalyseOptions",
    "ArrowTable",
    "BookOptions",
    "ByteRange",
    "CheckOptions",
    "ConvertOptions",
    "Diagram",
    "DiagramOptions",
    "DiffOptions",
    "Explorer",
    "Game",
    "Games",
    "JoinOptions",
    "MergeOptions",
    "Options",
    "PgnError",
    "PgnWarning",
    "PlayedGame",
    "Problem",
    "Record",
    "Records",
    "Result",
    "SolveOptions",
    "__version__",
    "analyse",
    "book",
    "check",
    "convert",
    "dataset",
    "diff",
    "epd",
    "epdlist",
    "games",
    "join",
    "merge",
    "records",
    "show",
    "solve",
    "splits",
    "to_arrow",
    "to_parquet",
]

_Source = str | os.PathLike[str] | bytes | memoryview | BinaryIO | ByteRange
_Sources = _Source | Sequence[_Source]
_Target = str | os.PathLike[str] | BinaryIO
_Problems = list[Problem] | list[Any] | Callable[[Problem], object] | None
_Progress = bool | Callable[[Result], object] | None

def epdlist(moves: Iterable[str], fen: str | None = None) -> list[str]: ...
def records(source: _Sources, *, problems: _Problems = None, **options: Unpack[Options]) -> Records: ...
def games(
    source: _Sources,
    columns: str | Sequence[str] | None = None,
    *,
    problems: _Problems = None,
    **options: Unpack[Options],
) -> Games: ...
def convert(
    source: _Sources,
    target: _Target,
    *,
    columns: str | Sequence[str] | None = None,
    problems: _Problems = None,
    progress: _Progress = None,
    **options: Unpack[ConvertOptions],
) -> Result: ...
def to_arrow(
    source: _Sources,
    columns: str | Sequence[str] | None = None,
    *,
    problems: _Problems = None,
    **options: Unpack[Options],
) -> ArrowTable: ...
def dataset(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    columns: str | Sequence[str] | None = None,
    *,
    rows: str = "positions",
    size: int | None = 134217728,
    **options: Any,
) -> Dataset: ...
def splits(source: _Source, size: int) -> list[ByteRange]: ...
def to_parquet(
    source: _Sources,
    target: _Target,
    columns: str | Sequence[str] | None = None,
    *,
    problems: _Problems = None,
    progress: _Progress = None,
    **options: Unpack[ConvertOptions],
) -> Result: ...
def analyse(
    source: _Sources, target: _Target, *, problems: _Problems = None, progress: _Progress = None, **options: Unpack[AnalyseOptions]
) -> Result: ...
def solve(
    source: _Sources, target: _Target | None = None, *, problems: _Problems = None, **options: Unpack[SolveOptions]
) -> list[dict[str, Any]]: ...
def book(
    source: _Sources, target: _Target, *, problems: _Problems = None, progress: _Progress = None, **options: Unpack[BookOptions]
) -> Result: ...
def merge(parts: _Sources, target: _Target, *, problems: _Problems = None, **options: Unpack[MergeOptions]) -> Result: ...
def check(
    source: _Sources, target: _Target | None = None, *, problems: _Problems = None, **options: Unpack[CheckOptions]
) -> Result: ...
def join(
    source: _Sources,
    others: _Sources,
    target: _Target | None = None,
    *,
    problems: _Problems = None,
    progress: _Progress = None,
    **options: Unpack[JoinOptions],
) -> Result: ...
def diff(
    first: _Source,
    second: _Source,
    target: BinaryIO | None = None,
    *,
    problems: _Problems = None,
    progress: _Progress = None,
    **options: Unpack[DiffOptions],
) -> Result: ...
@overload
def show(
    position: str | os.PathLike[str] | Record | epd.Record,
    target: None = None,
    *,
    ply: int | None = None,
    game: int | None = None,
    **options: Unpack[DiagramOptions],
) -> Diagram: ...
@overload
def show(
    position: _Sources | Record | epd.Record,
    target: _Target,
    *,
    ply: int | str | Sequence[str] | None = None,
    game: int | str | Sequence[str] | None = None,
    problems: _Problems = None,
    **options: Unpack[DiagramOptions],
) -> Result: ...
@final
class Records(Iterator[Record]):
    def __iter__(self) -> Records: ...
    def __next__(self) -> Record: ...
    @property
    def summary(self) -> Result | None: ...

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
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_svg_(self) -> str: ...

@final
class Games(Iterator[PlayedGame]):
    def __iter__(self) -> Games: ...
    def __next__(self) -> PlayedGame: ...
    @property
    def summary(self) -> Result | None: ...

@final
class ArrowTable:
    @property
    def columns(self) -> list[str]: ...
    @property
    def error(self) -> Exception | None: ...
    @property
    def summary(self) -> Result | None: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __iter__(self) -> NoReturn: ...
    def _repr_html_(self) -> str: ...

@final
class Explorer:
    def __new__(cls, path: str | os.PathLike[str]) -> Explorer: ...
    @property
    def positions(self) -> int: ...
    @property
    def files(self) -> list[str]: ...
    @property
    def grouped_by(self) -> str: ...
    def find(self, fen: str) -> dict[str, Any] | None: ...
    def __len__(self) -> int: ...

@final
class Diagram:
    @property
    def svg(self) -> str: ...
    @property
    def heading(self) -> str: ...
    @property
    def fen(self) -> str: ...
    def png(self, width: int = 480) -> bytes: ...
    def _repr_svg_(self) -> str: ...
