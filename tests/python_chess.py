#!/usr/bin/env python3
"""Checks that python-chess reads every record of pgn2epd, with the same operations.

    tests/python_chess.py [--pgn2epd PROGRAM] [--records N] [FILE.pgn]...

Without arguments it reads the files of fixtures/, and of ../shared/corpus if it exists. Each record is read twice, by
python-chess and by the thirty lines below, which only know quotes and semicolons. The position and
every operation must be equal. Repeated records are read once.
The first N records of each file and set of options (2000) are compared.

Exit status: 0 all equal, 1 differences, 77 python-chess is not installed.
"""

import argparse
import multiprocessing
import pathlib
import subprocess
import sys

try:
    import chess
except ImportError:
    print("python-chess is not installed (pip install chess): nothing was compared", file=sys.stderr)
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent
# One line each: changed registers; self-contained records with all operations; a book.
ALL = "Rav,acd,acn,acs,c,ce,dm,draw_claim,eco,fmvn,hmvc,nic,pv,rc,resign,sm,v"
RUNS = [
    [],
    ["--variations"],
    ["--variations", "--registers", "full", "--names", "tags", "--ops", ALL],
    ["--variations", "--preset", "match"],
]
MOVES = {"am", "bm", "pm", "pv", "sm"}


class Board(chess.Board):
    """A Chess960 board, which includes standard chess: set_epd silently creates boards of its own class."""

    def __init__(self, fen=chess.STARTING_FEN, *, chess960=True):
        super().__init__(fen, chess960=chess960)


def operations(text):
    """The text between semicolons outside of strings, as a list of opcodes and operands."""
    found, word, quoted = [], "", False
    for letter in text:
        quoted ^= letter == '"'
        if letter == ";" and not quoted:
            opcode, _, operands = word.strip().partition(" ")
            found.append((opcode, operands))
            word = ""
        else:
            word += letter
    if word.strip():
        raise ValueError(f"{word!r} after the last semicolon")
    return found


def written(board, opcode, value):
    """The expected text of an operand read by python-chess."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, chess.Move):
        return board.san(value)
    if isinstance(value, list):
        if opcode != "pv":
            return " ".join(sorted(board.san(move) for move in value))
        line = board.copy(stack=False)
        return " ".join(line.san_and_push(move) for move in value)
    return str(value)


def difference(line):
    """The difference in the reading of python-chess, if any."""
    fields, rest = line.split(" ", 4)[:4], "".join(line.split(" ", 4)[4:])
    try:
        board = Board(None)
        read = board.set_epd(line)
    except ValueError as error:
        return f"{line}\n    {error}"
    expected = operations(rest)
    if [opcode for opcode, _ in expected] != list(read):
        return f"{line}\n    opcodes {list(read)}"
    for opcode, operand in expected:
        # In the standard a backslash is an ordinary character; in python-chess it begins an escape.
        if "\\" in operand:
            continue
        ours = written(board, opcode, read[opcode])
        if ours != operand:
            return f"{line}\n    {opcode}: {ours}, not {operand}"
    board_fields = board.epd(en_passant="fen").split(" ")
    if board_fields[:2] != fields[:2] or board_fields[3] != fields[3]:
        return f"{line}\n    fields {board_fields}"
    # In Chess960 the same rights may have different letters.
    again = Board(None)
    again.set_epd(" ".join(board_fields[:2] + [fields[2]] + board_fields[3:4]))
    if again.castling_rights != board.clean_castling_rights():
        return f"{line}\n    castling rights"
    return None


def records(program, file, options):
    command = [program, "--quiet", *options, file]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    # A game with an error gives status 1 and the records before the error.
    if output.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))}: status {output.returncode}")
    return output.stdout.decode("utf-8").splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("--records", default=2000, type=int)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    files = arguments.files or sorted((ROOT / "fixtures").glob("*.pgn")) + [
        path
        for pattern in ("*.pgn", "*.pgn.zst")
        for path in sorted((ROOT.parent / "shared/corpus").rglob(pattern))
        # Records are only written for standard chess and Chess960.
        if "variants" not in path.parts
    ]
    seen, wrong, count = set(), 0, 0
    with multiprocessing.Pool() as pool:
        for file in files:
            for options in RUNS:
                written = records(arguments.pgn2epd, file, [*options, "--limit", str(arguments.records)])
                lines = [line for line in written if hash(line) not in seen]
                seen.update(map(hash, lines))
                count += len(lines)
                for found in pool.imap_unordered(difference, lines, chunksize=500):
                    if found:
                        wrong += 1
                        if wrong <= 20:
                            print(f"{file.name}: {found}", file=sys.stderr)
    print(f"{count} records of {len(files)} files, {wrong} of them read differently by python-chess {chess.__version__}")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
