#!/usr/bin/env python3
"""Compares how pgn2epd and python-chess read files of positions.

    tests/python_chess_positions.py [--pgn2epd PROGRAM] [FILE.epd]...

Without arguments it reads the files of fixtures/epd, and of ../shared/corpus if it exists. python-chess reads each line as EPD,
or its first four or six fields as a FEN. pgn2epd converts the file to FEN and to EPD with all operations; python-chess reads these
again. The position, the counters and every operation must be equal. Each line is also written or reported.
Lines that python-chess does not read are counted.

Exit status: 0 all equal, 1 differences, 77 python-chess is not installed.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import chess
from python_chess import ROOT, Board

KINGS = chess.STATUS_NO_WHITE_KING | chess.STATUS_NO_BLACK_KING | chess.STATUS_TOO_MANY_KINGS


def read_file(path):
    """The records of a file, by the numbers of their lines."""
    lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    return {number: line for number, line in enumerate(map(str.strip, lines), 1) if line and line[0] not in "#%"}


def read_line(line):
    """The position of a line, the operations if it is EPD, and whether the counters are known; `None` if it is not read."""
    board, operations, count = Board(None), None, 4
    try:
        operations = board.set_epd(line)
        # Text without a semicolon is not an opcode.
        operations = operations if all(map(str.isidentifier, operations)) else None
    except ValueError:
        words = line.replace(";", " ; ").split()
        count = 6 if len(words) > 5 and (words[4] + words[5]).isdigit() else 4
        try:
            board = Board(" ".join(words[:count]) if len(words) >= count else "")
        except ValueError:
            return None
    # Other programs have variants in which a side has no king.
    return None if board.status() & KINGS else (board, operations, operations is not None or count == 6)


def fields(board):
    """What identifies a position. In Chess960 the same rights may have different letters."""
    en_passant = board.ep_square if board.has_legal_en_passant() else None
    return board.board_fen(), board.turn, board.clean_castling_rights(), en_passant


# Operations that python-chess reads although the standard does not allow them.
NOT_ALLOWED = {
    "ce": lambda value, _: not -32767 <= value <= 32766,
    "dm": lambda value, _: value == 0,
    "draw_offer": lambda _, operations: "sm" not in operations,
}


COMMENTS = [f"c{rank}" for rank in range(10)]


def expected(operations):
    """The operations to be written, and the opcodes of those that become comments."""
    is_comment = lambda opcode: opcode in NOT_ALLOWED and NOT_ALLOWED[opcode](operations[opcode], operations)
    comments = set(filter(is_comment, operations))
    rest = {opcode: value for opcode, value in operations.items() if opcode not in comments}
    if rest.get("dm", 1) < 0:
        # The side to move is mated (EPD 5.6).
        rest["ce"] = -32767 - 2 * rest.pop("dm")
    return comparable(rest), comments


def comparable(operations):
    """Operations in which the moves of a set have no order."""
    is_set = lambda opcode, value: isinstance(value, list) and opcode != "pv"
    return {opcode: frozenset(value) if is_set(opcode, value) else value for opcode, value in operations.items()}


def converted(program, path, options):
    """The lines that a conversion writes, and the errors that it reports, by line."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.jsonl"
        command = [program, "--quiet", "--input", "epd", "--report", report, *options, path]
        output = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        if output.returncode not in (0, 1):
            sys.exit(f"{' '.join(map(str, command))}: status {output.returncode}")
        reported = map(json.loads, report.read_text().splitlines()) if report.exists() else ()
        errors = {problem["line"]: problem["reason"] for problem in reported if problem["severity"] == "error"}
    return output.stdout.decode().splitlines(), errors


def difference(board, operations, is_counted, fen, epd):
    """The difference between what python-chess reads and what is written, if any."""
    try:
        of_fen, of_epd = Board(fen), Board(None)
        written = of_epd.set_epd(epd)
    except ValueError as error:
        return str(error)
    if not fields(board) == fields(of_fen) == fields(of_epd):
        return f"the position is {board.fen()}"
    boards = (board, of_fen, of_epd) if is_counted else (of_fen, of_epd)
    if len({(board.halfmove_clock, board.fullmove_number) for board in boards}) > 1:
        return f"the counters are those of {board.fen()}"
    if operations is not None:
        wanted, comments = expected(operations)
        # A comment that was added to the record before ends with it.
        written = {opcode: value for opcode, value in written.items() if opcode not in COMMENTS or value is not None or opcode in operations}
        found = {opcode: value for opcode, value in comparable(written).items() if str(value).split(" ")[0] not in comments}
        if found != wanted or len(written) - len(found) != len(comments):
            return f"operations {wanted} and comments {comments}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    corpus = ROOT.parent / "shared/corpus"
    files = arguments.files or [
        path for folder in (ROOT / "fixtures/epd", corpus / "epd", corpus / "sources") for path in sorted(folder.rglob("*.epd"))
    ]
    counts, wrong = collections.Counter(), []
    for path in files:
        lines = read_file(path)
        fens, errors = converted(arguments.pgn2epd, path, ["--format", "fen"])
        epds, same_errors = converted(arguments.pgn2epd, path, ["--ops", "keep"])
        kept = [number for number in lines if number not in errors]
        if not errors == same_errors or not len(fens) == len(epds) == len(kept):
            wrong.append(f"{path}: {len(kept)} lines have no error, {len(fens)} and {len(epds)} are written")
            continue
        for number, reason in errors.items():
            is_read = read_line(lines[number]) is not None
            counts[f"refused, but read by python-chess: {reason}" if is_read else "refused by both"] += 1
        for number, fen, epd in zip(kept, fens, epds):
            read = read_line(lines[number])
            if read is None:
                counts["not read by python-chess"] += 1
                continue
            counts["compared" if read[1] is not None else "compared, without operations"] += 1
            found = difference(*read, fen, epd)
            if found:
                wrong.append(f"{path.name}:{number}: {lines[number]}\n    {epd}\n    {found}")
    for found in wrong[:20]:
        print(found, file=sys.stderr)
    for kind, count in counts.most_common():
        print(f"{count:6} {kind}")
    print(f"{sum(counts.values())} lines of {len(files)} files, {len(wrong)} of them read differently by python-chess {chess.__version__}")
    return 1 if wrong or not counts["compared"] else 0


if __name__ == "__main__":
    sys.exit(main())
