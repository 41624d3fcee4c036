#!/usr/bin/env python3
"""From PGN to arrays: pgn2epd, rust-pgn-reader-python-binding and python-chess in one run, on the same games.

    python/benchmarks/arrays.py [--games N] [--times N] [--copies N] FILE.pgn

* boards: 64 bytes for each position, which all three make in the same form, and which must be equal;
* table: the default table of pgn2epd. rust-pgn-reader-python-binding always makes the same arrays: boards, moves, clocks, evaluations, tags
  and others, but neither FEN, SAN nor openings. python-chess makes 12 of the 16 columns, without depth, time, eco and opening. What two
  of them have must be equal, cell by cell.
* Parquet: the default table of pgn2epd as a file. From the arrays of rust-pgn-reader-python-binding, Python makes 10 of the 16 columns, with FENs, and
  pyarrow writes them. The files must have the same cells in these columns, but for the en passant square, which the other library has only if a capture is possible.

python-chess, which is slow, reads the first N games once; the others read the same games many times, with one thread and with all. The other
library takes a list of games: the file is divided before the time begins. The result is microseconds per position, elapsed and of the
processor, the best of several runs.
"""

import argparse
import io
import pathlib
import re
import tempfile

import chess
import chess.pgn
import numpy
import pyarrow
import pyarrow.parquet
import rust_pgn_reader_python_binding as peer

import pgn2epd

from measuring import Time, best, first_games

COLUMNS = ["game", "ply", "fen", "san", "uci", "turn", "eval_cp", "mate", "clock", "result", "white_elo", "black_elo"]
RESULTS = {"1-0", "0-1", "1/2-1/2"}


def our_boards(pgn, jobs):
    table = pyarrow.table(pgn2epd.to_arrow(pgn, ["board"], jobs=jobs))
    # Rows without a board, which are those of variants, would be missing here.
    return table["board"].combine_chunks().flatten().to_numpy().reshape(-1, 64)


def our_table(pgn, jobs):
    return pyarrow.table(pgn2epd.to_arrow(pgn, jobs=jobs))


def their_games(games, jobs):
    return peer.parse_games(games, num_threads=jobs)


def their_boards(games, jobs):
    return numpy.concatenate([chunk.boards for chunk in their_games(games, jobs).chunks]).reshape(-1, 64)


def slow_boards(text):
    """The boards of python-chess."""
    boards = []

    class Collect(chess.pgn.BaseVisitor):
        def begin_variation(self):
            return chess.pgn.SKIP

        def visit_board(self, board):
            numbers = bytearray(64)
            for square, piece in board.piece_map().items():
                numbers[square] = piece.piece_type + (0 if piece.color else 6)
            boards.append(numbers)

        def result(self):
            return True

    stream = io.StringIO(text)
    while chess.pgn.read_game(stream, Visitor=Collect):
        pass
    return numpy.frombuffer(b"".join(boards), numpy.uint8).reshape(-1, 64)


def rating(text):
    return int(text) if text.isdecimal() and int(text) > 0 else None


def slow_table(text):
    """The rows of python-chess."""
    rows, stream, number = [], io.StringIO(text), 0
    while game := chess.pgn.read_game(stream):
        number += 1
        result = game.headers["Result"]
        of_game = (result if result in RESULTS else None, *(rating(game.headers.get(tag, "")) for tag in ("WhiteElo", "BlackElo")))
        node, board = game, game.board()
        while node is not None:
            following = node.next()
            move = following.move if following else None
            score = node.eval()
            score = score.pov(board.turn) if score else None
            san, uci = (board.san(move), board.uci(move)) if move else (None, None)
            evaluation = (score.score(), score.mate()) if score else (None, None)
            fen = board.fen(en_passant="fen")
            rows.append((number, node.ply() - game.ply(), fen, san, uci, "wb"[not board.turn], *evaluation, node.clock(), *of_game))
            if move:
                board.push(move)
            node = following
    return rows


def compare_tables(ours, theirs, slow):
    """All cells that two of them have; `ours` and `theirs` are those of the same games, which begin with those of `slow`."""
    rows = list(zip(*(ours[name].to_pylist()[: len(slow)] for name in COLUMNS)))
    assert rows == slow, next((ours, slow) for ours, slow in zip(rows, slow) if ours != slow)
    rows = iter(zip(*(ours[name].to_pylist() for name in ("uci", "turn", "clock", "eval_cp", "white_elo"))))
    missing = lambda value: None if numpy.isnan(value) else float(value)  # noqa: E731
    for game in theirs:
        moves, clocks, evals = [*game.moves_uci(), None], [None, *map(missing, game.clocks)], [None, *map(missing, game.evals)]
        for uci, turn, clock, evaluation in zip(moves, game.turn, clocks, evals, strict=True):
            our_uci, our_turn, our_clock, our_evaluation, our_rating = next(rows)
            assert (our_uci, our_turn, our_rating) == (uci, "bw"[int(turn)], rating(game.headers.get("WhiteElo", "")))
            # They keep fractions of seconds as Float32, and a mate as a number that differs from ours.
            assert our_clock == clock or abs(our_clock - clock) < 0.01, (our_clock, clock)
            if our_evaluation is not None and evaluation is not None:
                assert abs(our_evaluation - evaluation * (100 if turn else -100)) < 0.5, (our_evaluation, evaluation)
    assert next(rows, None) is None


# The pieces of the other library, and what separates ranks.
PIECES = bytes.maketrans(bytes(range(14)), b".PNBRQKpnbrqk/")
EMPTY = re.compile(r"\.+")


def their_rows(games, jobs):
    """The columns of the default table that the arrays of the other library have, or that can be made of them."""
    columns = {name: [] for name in ("game", "ply", "fen", "uci", "turn", "eval_cp", "clock", "result", "white_elo", "black_elo")}
    for number, game in enumerate(their_games(games, jobs), 1):
        boards = game.boards[:, ::-1, :]
        ranks = numpy.full((len(boards), 8, 9), 13, numpy.uint8)
        ranks[:, :, :8] = boards
        turns = ["w" if turn else "b" for turn in game.turn.tolist()]
        rights = ["".join(right for right, has in zip("KQkq", four) if has) or "-" for four in game.castling.tolist()]
        files, clocks = game.en_passant.tolist(), game.halfmove_clock.tolist()
        for ply, board in enumerate(ranks):
            placement = EMPTY.sub(lambda run: str(len(run[0])), board.tobytes()[:-1].translate(PIECES).decode())
            square = "-" if files[ply] < 0 else f"{'abcdefgh'[files[ply]]}{6 if turns[ply] == 'w' else 3}"
            columns["fen"].append(f"{placement} {turns[ply]} {rights[ply]} {square} {clocks[ply]} {ply // 2 + 1}")
        count, headers = len(boards), game.headers
        columns["game"] += [number] * count
        columns["ply"] += range(count)
        columns["uci"] += [*game.moves_uci(), None]
        columns["turn"] += turns
        side = numpy.where(game.turn[1:], 100, -100)
        columns["eval_cp"] += [None, *(None if numpy.isnan(cp) else round(cp) for cp in game.evals * side)]
        columns["clock"] += [None, *(None if numpy.isnan(clock) else float(clock) for clock in game.clocks)]
        result = headers.get("Result")
        columns["result"] += [result if result in RESULTS else None] * count
        for column, tag in (("white_elo", "WhiteElo"), ("black_elo", "BlackElo")):
            columns[column] += [rating(headers.get(tag, ""))] * count
    return pyarrow.table(columns)


def their_parquet(games, jobs, path):
    pyarrow.parquet.write_table(their_rows(games, jobs), path, compression="zstd")


def our_parquet(pgn, jobs, path):
    pgn2epd.to_parquet(pgn, path, jobs=jobs)


def compare_files(ours, theirs):
    """The columns that both files have, but for evaluations and clocks, which are rounded, and the en passant square."""
    ours, theirs = (pyarrow.parquet.read_table(path) for path in (ours, theirs))
    for name in ("game", "ply", "uci", "turn", "result", "white_elo", "black_elo"):
        assert ours[name].to_pylist() == theirs[name].to_pylist(), name
    for our_fen, their_fen in zip(ours["fen"].to_pylist(), theirs["fen"].to_pylist(), strict=True):
        our_fields, their_fields = our_fen.split(), their_fen.split()
        assert their_fields[3] in ("-", our_fields[3]), (our_fen, their_fen)
        del our_fields[3], their_fields[3]
        assert our_fields == their_fields, (our_fen, their_fen)


def report(name, time, positions, than=None):
    """Prints microseconds per position, and how many times as fast as `than` it is by the time of the processor."""
    elapsed, processor = (seconds / positions * 1e6 for seconds in time)
    ratio = f", {than.processor / processor:5.0f} times as fast" if than else ""
    print(f"  {name:56} {elapsed:9.3f} us, processor {processor:9.3f} us{ratio}")
    return Time(elapsed, processor)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--games", type=int, default=200, help="games that are read")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--copies", type=int, default=50, help="how many times the fast ones read them")
    options = parser.parse_args()

    text = first_games(options.file, options.games)
    pgn = text.encode() + b"\n\n"
    stream, games, begin = io.StringIO(text), [], 0
    while chess.pgn.skip_game(stream):
        games.append(text[begin : stream.tell()])
        begin = stream.tell()
    arrow = pyarrow.chunked_array([games * options.copies])
    copies = pgn * options.copies

    time, slow = best(1, lambda: slow_boards(text))
    assert numpy.array_equal(slow, our_boards(pgn, None)), "the boards of python-chess differ"
    assert numpy.array_equal(our_boards(copies, None), their_boards(arrow, None)), "the boards of the other library differ"
    positions = len(slow)
    print(f"{options.file}: {positions:,} positions of {len(games)} games")
    print("boards")
    than = report("python-chess", time, positions)
    several = positions * options.copies
    for threads, jobs in [("1 thread", 1), ("all cores", None)]:
        for name, work in [
            ("rust-pgn-reader-python-binding", lambda: their_boards(arrow, jobs)),
            ("pgn2epd", lambda: our_boards(copies, jobs)),
        ]:
            report(f"{name}, {threads}", best(options.times, work)[0], several, than)

    time, slow = best(1, lambda: slow_table(text))
    compare_tables(our_table(pgn, None), their_games(pyarrow.chunked_array([games]), None), slow)
    print("table")
    than = report("python-chess (12 columns)", time, positions)
    for threads, jobs in [("1 thread", 1), ("all cores", None)]:
        for name, work in [
            ("rust-pgn-reader-python-binding (its arrays)", lambda: their_games(arrow, jobs)),
            ("pgn2epd (16 columns)", lambda: our_table(copies, jobs)),
        ]:
            report(f"{name}, {threads}", best(options.times, work)[0], several, than)

    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = (pathlib.Path(folder, f"{name}.parquet") for name in ("ours", "theirs"))
        print("Parquet")
        than = report(
            "rust-pgn-reader-python-binding, pyarrow (10 columns)", best(1, lambda: their_parquet(arrow, 1, theirs))[0], several
        )
        for threads, jobs in [("1 thread", 1), ("all cores", None)]:
            time, _ = best(options.times, lambda: our_parquet(copies, jobs, ours))
            report(f"pgn2epd (16 columns), {threads}", time, several, than)
        compare_files(ours, theirs)


if __name__ == "__main__":
    main()
