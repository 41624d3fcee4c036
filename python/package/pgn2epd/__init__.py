"""Converts chess games (PGN) to positions (EPD).

>>> import pgn2epd
>>> pgn2epd.epdlist(["e4", "c5"])
['rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3', 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6']

* `epdlist(moves)`: the positions of a list of moves;
* `records(source)`: an iterator over the records of games;
* `games(source)`: an iterator over games, each with its moves, clocks and typed tags;
* `convert(source, target)`: the records, written to a file;
* `to_arrow(source)`: positions as a table for pyarrow, Polars, DuckDB;
* `to_parquet(source, target)`: the same table as a file;
* `dataset(paths)`: many files as one table, read in parts, also from object stores; `pgn2epd.spark.Games` is the same for Apache Spark;
* `book(source, target)`: an opening book;
* `Explorer(path)`: positions looked up in a book of the format explorer;
* `merge(parts, target)`: a book of partial results;
* `check(source)`: the errors in files of positions, which are repaired with a target;
* `join(source, others)`: records with the operations of equal positions in other files;
* `diff(first, second)`: the differences of two files;
* `analyse(source, target)`: positions with what a UCI engine says of them;
* `solve(source)`: engines that solve a test suite;
* `show(position)`: a diagram, which notebooks show as a picture;
* `epd.parse(line)`: a record of EPD or FEN.

Options are those of the command line as keyword arguments; `help(pgn2epd.Options)` describes them. `python -m pgn2epd` is the program. An error in a game
is a `Problem`, reported as a warning unless `problems=` is a list or a function; the other games are converted. The functions that write files call
the program in this process; every other command is a function of its name as well, such as `book_gaps`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pgn2epd import _program, epd
from pgn2epd._options import (
    AnalyseOptions,
    BookOptions,
    CheckOptions,
    ConvertOptions,
    DiagramOptions,
    DiffOptions,
    JoinOptions,
    MergeOptions,
    Options,
    SolveOptions,
)
from pgn2epd._pgn2epd import (
    ArrowTable,
    Diagram,
    Explorer,
    Games,
    Record,
    Records,
    __version__,
    epdlist,
    games,
    records,
    splits,
    to_arrow,
)
from pgn2epd._problem import PgnError, PgnWarning, Problem, Result
from pgn2epd._program import analyse, book, check, convert, diff, join, merge, show, solve, to_parquet
from pgn2epd._values import ByteRange, Game, PlayedGame

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

if TYPE_CHECKING:
    from pgn2epd._dataset import Dataset


def dataset(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    columns: str | Sequence[str] | None = None,
    *,
    rows: str = "positions",
    size: int | None = 128 << 20,
    **options: Any,
) -> Dataset:
    """Many files as one table that is read in parts: `to_reader()` is an Arrow stream of all rows, in the order of the files, in
    bounded memory; `parts()` are byte ranges that processes and machines read independently, with `read(part)`. It needs pyarrow.

    >>> data = pgn2epd.dataset("fixtures/c*.pgn", ["file", "offset", "ply", "fen"], size=1000)
    >>> len(data.parts()), data.to_reader().read_all().num_rows
    (3, 154)

    `paths` are paths, URIs such as `s3://bucket/games.pgn.zst` (S3, Google Cloud, Azure, HDFS, through pyarrow; only the bytes that are
    needed are read), and patterns. A name with `*`, `?` or `[` is a pattern unless a file has that name.

    `columns` and the options are those of `to_arrow`; the default has `file` and `offset`, which tell games apart. Integers are signed
    and lists have any length. Parts have about `size` bytes of text; with `size=None` each file is read as a whole, which `game` and
    `line` need: their numbers depend on everything before. Options that depend on all rows, such as `unique`, are refused.

    `rows` may also be `"games"`; `"problems"`, the errors and warnings in all files, also those that cannot be read to their end; and
    `"totals"`, the numbers of games, positions and problems of each part.
    """
    from pgn2epd._dataset import Dataset

    return Dataset(paths, columns, rows=rows, size=size, **options)


def __getattr__(name: str) -> Any:
    return _program.function(name)
