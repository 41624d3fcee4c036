"""Converts chess games (PGN) to positions (EPD).

>>> import pgn2epd
>>> pgn2epd.epdlist(["e4", "c5"])
['rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3', 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6']

* `epdlist(moves)`: the positions of a list of moves;
* `records(source)`: an iterator over the records of games;
* `convert(source, target)`: the same records, written to a file;
* `to_arrow(source)`: positions as a table for pyarrow, Polars, DuckDB;
* `to_parquet(source, target)`: the same table as a file.

Options are those of the command line (`pgn2epd --help`) as keyword arguments. An error in a game is a `Problem`, reported as a
warning unless `problems=` is a list or a function; the other games are converted.
"""

from pgn2epd._problem import PgnError, PgnWarning, Problem
from pgn2epd._pgn2epd import (
    ArrowTable,
    Game,
    Record,
    Records,
    Summary,
    convert,
    epdlist,
    records,
    to_arrow,
    to_parquet,
)

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
    "to_parquet",
]
