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
* `book(source, target)`: an opening book;
* `check(source)`: the errors in files of positions, which are repaired with a target;
* `analyse(source, target)`: positions with what a UCI engine says of them;
* `solve(source)`: engines that solve a test suite;
* `name(source)`: the opening of each game;
* `show(position)`: a diagram, which notebooks show as a picture;
* `epd.parse(line)`: a record of EPD or FEN.

Options are those of the command line as keyword arguments; `help(pgn2epd.Options)` describes them. `python -m pgn2epd` is the program. An error in a game
is a `Problem`, reported as a warning unless `problems=` is a list or a function; the other games are converted.
"""

from pgn2epd import epd
from pgn2epd._options import (
    AnalyseOptions,
    BookOptions,
    CheckOptions,
    DiagramOptions,
    NameOptions,
    Options,
    SolveOptions,
)
from pgn2epd._pgn2epd import (
    Analysed,
    ArrowTable,
    Book,
    CheckReport,
    Diagram,
    Game,
    Games,
    NamedGame,
    PlayedGame,
    Record,
    Records,
    Summary,
    __version__,
    analyse,
    book,
    check,
    convert,
    epdlist,
    games,
    name,
    records,
    show,
    solve,
    to_arrow,
    to_parquet,
)
from pgn2epd._problem import PgnError, PgnWarning, Problem

__all__ = [
    "AnalyseOptions",
    "Analysed",
    "ArrowTable",
    "Book",
    "BookOptions",
    "CheckOptions",
    "CheckReport",
    "Diagram",
    "DiagramOptions",
    "Game",
    "Games",
    "NameOptions",
    "NamedGame",
    "Options",
    "PgnError",
    "PgnWarning",
    "PlayedGame",
    "Problem",
    "Record",
    "Records",
    "SolveOptions",
    "Summary",
    "__version__",
    "analyse",
    "book",
    "check",
    "convert",
    "epd",
    "epdlist",
    "games",
    "name",
    "records",
    "show",
    "solve",
    "to_arrow",
    "to_parquet",
]
