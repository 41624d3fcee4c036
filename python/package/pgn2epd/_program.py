"""The functions from files to files: each calls a command of the program, in this process."""

from __future__ import annotations

import difflib
import functools
import io
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from pgn2epd import _pgn2epd
from pgn2epd._problem import Listener, Result, keywords, result, warn


# The commands of the program, by their names, each with its options.
definition: Callable[[], dict[str, Any]] = functools.cache(lambda: json.loads(_pgn2epd.definition()))


def pairs(function: str, command: str, options: dict[str, Any]) -> list[tuple[str, str]]:
    """Keyword arguments as names and values of options in their command-line form. The value of a flag is `true`."""
    known = {option["name"].replace("-", "_"): option for option in definition()[command]}
    found = []
    for name, value in options.items():
        if name not in known:
            close = difflib.get_close_matches(name, [*known, "problems", "progress"], 1)
            meant = f". Did you mean '{close[0]}'?" if close else ""
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'{meant}")
        option = known[name]
        if isinstance(value, bool):
            value = ("on" if value else "off") if "on" in option["words"] else "true" if value else None
        if value is None:
            continue
        several = list(value) if isinstance(value, (list, tuple)) else [value]
        if isinstance(value, tuple) and len(value) == 2 and all(bound is None or isinstance(bound, int) for bound in value):
            several = ["..".join("" if bound is None else str(bound) for bound in value)]
        for one in several:
            if isinstance(one, bool) or not isinstance(one, (str, int, float, os.PathLike)):
                raise TypeError(f"{name} takes a str, a number, a bool or a path, not {type(one).__name__}")
        texts = [os.fsdecode(one) if isinstance(one, os.PathLike) else str(one) for one in several]
        found += [(option["name"], text) for text in (texts if option["repeats"] and option["value"] != "LIST" else [",".join(texts) or "none"])]
    return found


def words(function: str, command: str, options: dict[str, Any]) -> list[str]:
    """Keyword arguments as words of the command line."""
    with_value = {option["name"] for option in definition()[command] if option["value"] is not None and not option["optional"]}
    return [f"--{name}" if value == "true" and name not in with_value else f"--{name}={value}"
            for name, value in pairs(function, command, options)]


class Line:
    """Shows counts on standard error, in one line."""

    is_shown = False

    def __call__(self, summary: Any) -> None:
        self.is_shown = True
        print(f"\r{summary.games:,} games, {summary.positions:,} positions", end="", file=sys.stderr, flush=True)


class Caller:
    """Takes what the program tells in its run."""

    def __init__(self, problems: Any, progress: Any, stops: bool) -> None:
        if not (progress is None or isinstance(progress, bool) or callable(progress)):
            raise TypeError("progress is a bool, a callable or None")
        self.receiver = Line() if progress is True else progress or None
        self.listener = Listener(problems, stops)
        self.messages: list[str] = []
        self.counts: Any = Result()

    def message(self, text: str) -> None:
        self.messages += text.splitlines()

    def warning(self, text: str) -> None:
        warn(keywords(text))

    def finding(self, message: str, fields: str) -> None:
        self.listener.tell(message, fields)

    def progress(self, summary: str) -> None:
        if self.receiver is not None:
            self.receiver(result(summary))

    def result(self, text: str) -> None:
        self.counts = result(text)

    def end(self) -> Any:
        summary = getattr(self.counts, "summary", self.counts)
        if self.receiver is not None and hasattr(summary, "games"):
            self.receiver(summary)
        self.listener.end()
        if isinstance(self.counts, Result):
            self.counts.messages = self.messages
        return self.counts


def refuse_same_file(source: Any, target: Any) -> None:
    """Refuses a target that is the file of a source if one of them is a file object. The program compares paths."""
    if not hasattr(source, "read") and not hasattr(target, "write"):
        return
    try:
        source_status, target_status = (os.fstat(one.fileno()) if hasattr(one, "fileno") else os.stat(one) for one in (source, target))
    except (OSError, TypeError, ValueError):
        return
    if os.path.samestat(source_status, target_status):
        raise ValueError(f"the target is the same file as the input {getattr(source, 'name', source)}")


def run(
    function: str,
    command: str,
    sources: list[tuple[str, Any]],
    target: Any = None,
    *,
    problems: Any = None,
    progress: Any = None,
    record: str | None = None,
    **options: Any,
) -> Any:
    """Runs a command. Without a target, what it writes to standard output is the text of the result."""
    arguments = words(function, command, options)
    caller = Caller(problems, progress, options.get("on_error") == "stop")
    is_object = hasattr(target, "write")
    if target is not None and not is_object:
        arguments.append(f"--output={os.fsdecode(target)}")
    for _, source in sources:
        for one in source if isinstance(source, (list, tuple)) else [source]:
            refuse_same_file(one, target)
    output = target if is_object else io.BytesIO()
    try:
        _pgn2epd.call(["pgn2epd", *command.split()], sources, [*arguments, *([] if record is None else ["--", record])], output, caller)
        counts = caller.end()
    finally:
        if getattr(caller.receiver, "is_shown", False) and progress is True:
            print(file=sys.stderr)
    if target is None and isinstance(counts, Result):
        counts.text = output.getvalue().decode()
    return counts


def function(name: str) -> Callable[..., Any]:
    """The function of a command that has none of its own here, such as `book_gaps`."""
    command = name.replace("_", " ")
    if name.startswith("_") or command not in definition():
        raise AttributeError(f"module 'pgn2epd' has no attribute '{name}'")
    return lambda source, target=None, **options: run(name, command, [("", source)], target, **options)


def convert(source: Any, target: Any, **options: Any) -> Result:
    """Writes the records of the games in `source` to `target`, like the program with the same options.

    `source` is as for `records`; `target` is a path or a binary file object. A file is replaced only when everything has been
    written, and unchanged after an exception, except for the `PgnError` of `on_error="stop"`, which keeps the records before the
    error, and for a source that ends too early, of which the complete games are used.

    Without `format`, the suffix of a path may select it, as for the program: .csv, .jsonl, .arrow and .parquet, .vf, .binpack and
    .bullet, .fen. With `split` or `rows_per_file`, `target` is the path of a folder.

    >>> out = io.BytesIO()
    >>> summary = pgn2epd.convert(b"1. e4 e5 *", out, format="fen", last=True)
    >>> summary.games, summary.positions, out.getvalue()
    (1, 1, b'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2\\n')

    With `progress=True` the numbers of games and positions are shown on standard error; a callable is called with a `Result` some
    ten times a second, and at the end.

    Other Python threads can run during the conversion.
    """
    return run("convert", "", [("", source)], target, **options)


def to_parquet(source: Any, target: Any, columns: Any = None, **options: Any) -> Result:
    """Writes the positions of the games in `source` to `target` as a Parquet file: `convert` with `format="parquet"`.

    `columns` are those of `to_arrow`.

    >>> file = io.BytesIO()
    >>> pgn2epd.to_parquet(b"1. e4 e5 *", file, ["ply", "uci"]).positions
    3
    >>> pyarrow.parquet.read_table(file).to_pylist()[0]
    {'ply': 0, 'uci': 'e2e4'}
    """
    return run("to_parquet", "", [("", source)], target, format="parquet", columns=columns, **options)


def analyse(source: Any, target: Any, **options: Any) -> Result:
    """Writes the positions in `source` to `target`, each with what a UCI engine says of it.

    >>> suite = b"4k3/8/8/8/8/8/8/4K2R w K - bm Rh8+;"
    >>> pgn2epd.analyse(suite, "/tmp/evaluated.epd", engine="stockfish", nodes=1000)
    <Result asked=1>

    `source`, `target`, `problems` and `progress` are as for `convert`. `engine` is a program and its arguments, as words: of a path with
    blanks take `shlex.quote(path)`.

    A position that the engine does not evaluate is written without an evaluation, and is a problem of the kind "engine". If the engine
    cannot be used, a `PgnError` is raised.

    With the path of a file, results are kept in `TARGET.partial` until all are there. After Ctrl-C or another exception, `resume=True`
    goes on. `cache` is the path of a file that keeps evaluations for later calls. Other formats than EPD, as `format` or the name states
    them, need a path; for games with evaluations (`"x.pgn"`), `source` must be paths.

    The options are those of `pgn2epd analyse`; `help(pgn2epd.AnalyseOptions)` describes them.
    """
    return run("analyse", "analyse", [("", source)], target, **options)


def solve(source: Any, target: Any = None, **options: Any) -> list[dict[str, Any]]:
    """Lets UCI engines solve the test suites in `source`, one engine after the other: best moves, moves to avoid, mates, points.

    >>> [result] = pgn2epd.solve("suite.epd", engine="stockfish", nodes=100000)
    >>> result["solved"], result["exercises"]
    (17, 24)
    >>> [each["position"] for each in result["positions"] if not each["solved"]]
    ['BK.03', 'BK.07', 'BK.10', 'BK.18', 'BK.22', 'BK.23', 'BK.24']

    Returns a dict for each engine, as `pgn2epd solve --format json` writes it; of a source that asks nothing, none. With `target` the
    result is also written to this file: as "text", "markdown", "json" or "csv", by `format`.

    `source` and `problems` are as for `records`. A position at which an engine fails is a problem of the kind "engine", a record whose
    points cannot be read one of the kind "points". If an engine cannot be used, a `PgnError` is raised.

    `engine` is one command or a list. The options are those of `pgn2epd solve`; `help(pgn2epd.SolveOptions)` describes them.
    """
    found = run("solve", "solve", [("", source)], target, **options)
    return found if isinstance(found, list) else []


def book(source: Any, target: Any, **options: Any) -> Result:
    """Counts the positions of games, selects some of them, and writes these to `target` as an opening book.

    >>> book = pgn2epd.book("fixtures/classics.pgn", "/tmp/book.epd", ply=(1, 4), min_games=2)
    >>> book.positions, book.games
    (3, 6)

    `source` and `problems` are as for `records`; files of positions (EPD, FEN) are read too. The suffix of `target` gives the format:
    .epd, .pgn, .bin (Polyglot), .explorer, .csv or .jsonl; otherwise `format` does.

    An empty book is not written, so it does not replace a file; `empty` of the result is the reason.

    With `engine` a UCI engine selects the positions, as in `analyse`: a position that it does not evaluate is a problem of the kind
    "engine", and not in the book; `cache` is the path of a file that keeps evaluations.

    With `partial=True` all counts are written, for `merge`. The options are those of `pgn2epd book`; `help(pgn2epd.BookOptions)` describes
    them.
    """
    return run("book", "book", [("", source)], target, **options)


def merge(parts: Any, target: Any, **options: Any) -> Result:
    """Merges partial results of `book`, and explorer files of all positions, and writes a book, or with `partial=True` a partial result.

    >>> pgn2epd.book("fixtures/classics.pgn", "/tmp/a.part", partial=True), pgn2epd.book("fixtures/immortal.pgn", "/tmp/b.part", partial=True)
    (<Result>, <Result>)
    >>> pgn2epd.merge(["/tmp/a.part", "/tmp/b.part"], "/tmp/merged.epd", min_games=3).positions
    3

    The options are those of `pgn2epd book merge`; `help(pgn2epd.MergeOptions)` describes them.
    """
    return run("merge", "book merge", [("", parts)], target, **options)


def check(source: Any, target: Any = None, *, problems: Any = None, **options: Any) -> Result:
    """Checks files of positions (EPD, FEN): grammar, fields, operations, moves. With `target` the records are written in their normal form.

    >>> report = pgn2epd.check(b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;")
    >>> print(report.problems[0])
    <bytes>:1:32: e5: illegal: no white pawn can reach e5
    >>> report
    <Result errors=1 records=1>

    `source` is as for `records`; without `problems` these are a list of the result. `rejects` is the path of a file for lines that
    cannot be repaired; `rejected` of the result is their number. The options are those of `pgn2epd check`; `help(pgn2epd.CheckOptions)`
    describes them.
    """
    found: Any = [] if problems is None else problems
    report = run("check", "check", [("", source)], target, problems=found, fix=target is not None, **options)
    report.problems = found
    return report


def join(source: Any, others: Any, target: Any = None, **options: Any) -> Result:
    """Adds the operations of equal positions in other files to the records in `source`.

    >>> pgn2epd.join(b"4k3/8/8/8/8/8/4P3/4K3 w - - id \\"a\\";", b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;").text
    '4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "a";\\n'

    The options are those of `pgn2epd join`; `help(pgn2epd.JoinOptions)` describes them.
    """
    return run("join", "join", [("", source), ("--with=", others)], target, **options)


def diff(first: Any, second: Any, target: Any = None, **options: Any) -> Result:
    """Compares two files of positions or games: positions that only one has, and different operations.

    >>> found = pgn2epd.diff(b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;", b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e3;")
    >>> found
    <Result different=1>
    >>> print(found.text, end="")
    < 4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;
    > 4k3/8/8/8/8/8/4P3/4K3 w - - bm e3;

    `target` is a binary file object. The options are those of `pgn2epd diff`; `help(pgn2epd.DiffOptions)` describes them.
    """
    return run("diff", "diff", [("", first), ("", second)], target, **options)


def show(position: Any, target: Any = None, **options: Any) -> Any:
    """The diagram of a position: a FEN, a record, or the text of one. Notebooks show it as a picture.

    >>> print(pgn2epd.show("4k3/8/8/8/8/8/4P3/4K3 w - - sm e4;", no_coordinates=True))
        ·     ·  ♚  ·     ·
     ·     ·     ·     ·
        ·     ·     ·     ·
     ·     ·     ·     ·
        ·     ·     ·     ·
     ·     ·     ·     ·
        ·     ·  ♙  ·     ·
     ·     ·     ♔     ·
    White to move, e2-e4

    With the path of a file of games, the position after `ply` plies of its game number `game`; without `ply` the last one:
    `show("games.pgn", ply=24)`. Of a file of positions, record number `game`: `show("puzzles.csv", where="Rating > 2500")`; `where`
    counts only those that meet a condition.

    The moves of `sm`, `bm` and `am` become arrows, `[%csl …]` and `[%cal …]` in comments become coloured squares and arrows. The options
    are those of the command `show`: `view="mover"`, `arrows="Rd1d8"`, `no_marks=True`, `theme="dark"`.

    With `target` the diagrams of files, or of a record, are written to a file, as by the command: SVG, PNG, an HTML page and so on, by the
    suffix: `show("games.pgn", "games.html", game="1..5")`.
    """
    if target is None:
        return _pgn2epd.show(position, **options)
    is_path = isinstance(position, os.PathLike) or isinstance(position, str) and os.path.exists(position)
    if is_path or isinstance(position, (list, tuple)) or hasattr(position, "read"):
        return run("show", "show", [("", position)], target, **options)
    return run("show", "show", [], target, record=str(position), **options)
