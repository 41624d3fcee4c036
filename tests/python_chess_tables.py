#!/usr/bin/env python3
"""Checks that tables have the values of python-chess, and that Parquet has the records of EPD.

    tests/python_chess_tables.py [--pgn2epd PROGRAM] [--games N] [--records N] [FILE.pgn]...

Without arguments it reads the files of fixtures/, and of ../shared/corpus if it exists. The first N games of each file (10), those
that contain what few games do, and random ones are read by python-chess, and every column is compared with what it says. Then Parquet, as pyarrow reads it, is compared row by row
with JSON lines, and with the records, FENs and four fields that the program writes as text, for the first --records positions of each
file (all); DuckDB and Polars must read the same table.

Exit status: 0 all equal, 1 differences, 77 a package is not installed.
"""

import argparse
import datetime
import io
import itertools
import json
import math
import multiprocessing
import pathlib
import random
import re
import subprocess
import sys
import tempfile

try:
    import chess
    import chess.pgn
    import chess.polyglot
    import duckdb
    import polars
    import pyarrow
    import pyarrow.json
    import pyarrow.parquet
    import samples
except ImportError as error:
    print(f"{error}: nothing was compared", file=sys.stderr)
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent
TAGS = ["White", "Event", "Date"]
COLUMNS = ["game", "ply", "fen", "san", "uci", "turn", "check", "move", "pieces", "plies", "key", "material", "packed", "nags",
           "clock", "white_elo", "black_elo", "elo", "eval_cp", "mate", "white_cp", "white_mate", "time", "epd",
           "comment", "result", "board", "bitboards", "from", "to", "promotion", "legal_moves", "points",
           *"bB bN bP bQ bR wB wN wP wQ wR bishops knights pawns queens rooks minors npm legal checkmate stalemate insufficient".split(),
           *"hmvc ep castling opposite_bishops opposite_castling capture captured castle piece passed isolated doubled blocked islands".split(), *TAGS]
PIECES = [chess.KING, chess.QUEEN, chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.PAWN]
# The codes of marlinformat, in the order of the pieces in python-chess.
CODES = {chess.PAWN: 0, chess.KNIGHT: 1, chess.BISHOP: 2, chess.ROOK: 3, chess.QUEEN: 4, chess.KING: 5}


chess.pgn.LOGGER.disabled = True


def known(tag):
    """A tag as a column: null if it is missing, empty or consists of question marks."""
    tag = (tag or "").strip()
    return tag if tag.strip("?.-") else None


def material(board):
    def side(color):
        return "".join(chess.piece_symbol(piece).upper() * len(board.pieces(piece, color)) for piece in PIECES)

    return f"{side(chess.WHITE)}v{side(chess.BLACK)}"


def bitboards(board):
    """The squares of each kind of piece, as decimal digits, since JSON has 53 bits."""
    return [str(int(board.pieces(piece, color))) for color in chess.COLORS for piece in chess.PIECE_TYPES]


def squares(board):
    """The piece on each square: 1 to 6 for White, 7 to 12 for Black."""
    pieces = [board.piece_at(square) for square in chess.SQUARES]
    return [0 if piece is None else piece.piece_type + (0 if piece.color else 6) for piece in pieces]


def packed(board):
    """The position in the 32 bytes of marlinformat, as hexadecimal digits."""
    codes, rooks = [], board.clean_castling_rights()
    for square in chess.scan_forward(board.occupied):
        piece = board.piece_at(square)
        code = 6 if chess.BB_SQUARES[square] & rooks else CODES[piece.piece_type]
        codes.append(code | (0 if piece.color else 8))
    codes += [0] * (32 - len(codes))
    halves = bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2]))
    square = board.ep_square if board.has_pseudo_legal_en_passant() else 64
    return (
        board.occupied.to_bytes(8, "little") + halves
        + bytes([(0 if board.turn else 128) | square, min(board.halfmove_clock, 255)])
        + min(board.fullmove_number, 65535).to_bytes(2, "little") + bytes(4)
    ).hex()


def rating(text):
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if value > 0 and math.isfinite(value) else None


def commands(node, behind, board):
    """The values of [%clk], [%emt] and [%eval]."""
    return evaluation(node, board) | {"clock": node.clock(), "time": behind and behind.emt()}


def evaluation(node, board):
    """The values of [%eval], from the view of the side to move and of White."""
    score = node.eval()
    if score is None:
        return {"eval_cp": None, "mate": None, "white_cp": None, "white_mate": None}
    # EPD 5.6: such positions have an evaluation of 0.
    if board.is_insufficient_material() or board.is_stalemate():
        return {"eval_cp": 0, "mate": None, "white_cp": 0, "white_mate": None}
    mover, white = score.pov(board.turn), score.white()
    return {"eval_cp": mover.score(), "mate": mover.mate(), "white_cp": white.score(), "white_mate": white.mate()}


def without_commands(comment):
    return " ".join(re.sub(r"\[%[^]]*\]", " ", comment).split())


def may_be_report(node):
    """Whether a comment may be an engine's report, which python-chess does not read."""
    return re.match(r"[-+(.\d#M]|[dw]=|[dw]v=|book", without_commands(node.comment)) is not None


def pawns(board):
    """The numbers of pawns of each kind, by sets of squares of python-chess."""
    found = dict.fromkeys(["passed", "isolated", "doubled", "blocked", "islands"], 0)
    for color in chess.COLORS:
        own, enemies = board.pieces(chess.PAWN, color), board.pieces(chess.PAWN, not color)
        ahead = (lambda a, b: a > b) if color else (lambda a, b: a < b)
        for pawn in own:
            file, rank = chess.square_file(pawn), chess.square_rank(pawn)
            near = chess.SquareSet(sum(chess.BB_FILES[max(0, file - 1):file + 2]))
            before = chess.SquareSet(sum(chess.BB_RANKS[other] for other in range(8) if ahead(other, rank)))
            found["passed"] += not near & before & enemies
            found["isolated"] += not (near - chess.SquareSet(chess.BB_FILES[file])) & own
            found["doubled"] += bool(chess.SquareSet(chess.BB_FILES[file]) & before & own)
            found["blocked"] += pawn + (8 if color else -8) in enemies
        files = "".join("x" if chess.BB_FILES[file] & int(own) else " " for file in range(8))
        found["islands"] += len(files.split())
    return found


def captured(board, move):
    """The piece that a move captures."""
    if move is None or not board.is_capture(move):
        return None
    return chess.piece_symbol(board.piece_type_at(move.to_square) or chess.PAWN).upper()


def board_facts(board, move):
    """The facts that follow from the board and the move."""
    counts = {piece: {color: len(board.pieces(piece, color)) for color in chess.COLORS} for piece in chess.PIECE_TYPES[:5]}
    both = {piece: sum(counts[piece].values()) for piece in counts}
    minors = both[chess.KNIGHT] + both[chess.BISHOP]
    wings = [chess.square_file(board.king(color)) for color in chess.COLORS]
    bishops = [board.pieces(chess.BISHOP, color) for color in chess.COLORS]
    fields = board.fen(en_passant="fen").split()
    return {
        **{"bw"[color] + chess.piece_symbol(piece).upper(): counts[piece][color] for piece in counts for color in chess.COLORS},
        **{chess.piece_name(piece) + "s": both[piece] for piece in both},
        "minors": minors, "npm": 9 * both[chess.QUEEN] + 5 * both[chess.ROOK] + 3 * minors,
        "legal": board.legal_moves.count(), "checkmate": board.is_checkmate(), "stalemate": board.is_stalemate(),
        "insufficient": board.is_insufficient_material(), "hmvc": board.halfmove_clock,
        "ep": None if fields[3] == "-" else fields[3],
        "opposite_bishops": [len(squares) for squares in bishops] == [1, 1] and len({chess.BB_LIGHT_SQUARES & int(squares) != 0 for squares in bishops}) == 2,
        "opposite_castling": min(wings) <= 2 and max(wings) >= 5,
        "capture": move and board.is_capture(move), "captured": captured(board, move), "castle": move and board.is_castling(move),
        "piece": move and chess.piece_symbol(board.piece_type_at(move.from_square)).upper(),
        **({} if board.chess960 else {"castling": None if fields[2] == "-" else fields[2]}),
        **pawns(board),
    }


def legal_moves(board):
    return {"legal_moves": sorted(move.uci() for move in board.legal_moves)}


def squares_of_move(move):
    """The squares of a move and its promotion."""
    if move is None:
        return {"from": None, "to": None, "promotion": None}
    return {"from": move.from_square, "to": move.to_square, "promotion": chess.piece_symbol(move.promotion) if move.promotion else None}


def points(result, turn):
    return 0.5 if result == "1/2-1/2" else float((result == "1-0") == turn)


def result(tag):
    """The result of a game; nothing if the tag or the movetext may have it in another spelling."""
    if tag in ("1-0", "0-1", "1/2-1/2"):
        return {"result": tag}
    return {"result": None} if tag in (None, "") else {}


def rows(game, number):
    """The rows of a game according to python-chess."""
    tags = game.headers
    white, black = rating(tags.get("WhiteElo")), rating(tags.get("BlackElo"))
    of_game = {
        "game": number, "plies": sum(1 for _ in game.mainline()),
        "white_elo": white and int(white + 0.5), "black_elo": black and int(black + 0.5),
        "elo": (white + black) / 2 if white and black else None,
        **result(tags.get("Result")),
        **{name: known(tags.get(name)) for name in TAGS},
    }
    board, node = game.board(), game
    for ply in itertools.count():
        behind = node.next()
        yield of_game | {
            "ply": ply, "fen": board.fen(en_passant="fen"), "epd": board.epd(en_passant="fen"), "turn": "w" if board.turn else "b", "check": board.is_check(),
            # A null move is not a move of chess.
            "san": board.san(behind.move) if behind and behind.move else None,
            "uci": (board.copy(stack=False), behind.move) if behind and behind.move else None,
            "move": board.fullmove_number, "pieces": chess.popcount(board.occupied),
            "key": f"{chess.polyglot.zobrist_hash(board):016x}", "material": material(board), "packed": packed(board),
            "board": squares(board), "bitboards": bitboards(board),
            **board_facts(board, behind.move if behind and behind.move else None),
            **(legal_moves(board) if not board.chess960 else {}),
            **(squares_of_move(behind.move if behind and behind.move else None) if not board.chess960 else {}),
            **({"points": None if of_game["result"] is None else points(of_game["result"], board.turn)} if "result" in of_game else {}),
            # It reads ??? and !!! as two signs; they are none.
            **({} if node.nags >= {2, 4} or node.nags >= {1, 3} else {"nags": set(node.nags)}),
            **({} if may_be_report(node) else {"comment": Words(without_commands(node.comment))}),
            **({} if may_be_report(node) or behind and may_be_report(behind) else commands(node, behind, board)),
        }
        if behind is None:
            return
        board.push(behind.move)
        node = behind


def text(file):
    """The text of a file, which may be compressed."""
    with pyarrow.input_stream(str(file), compression="detect") as stream:
        content = stream.read()
    try:
        decoded = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        decoded = content.decode("cp1252", errors="replace")
    # python-chess needs an empty line between games and after the tags, and nowhere else, and only takes the result of the movetext if the
    # tag is an asterisk.
    decoded = decoded.replace("\r\n", "\n").replace("\n[Event ", "\n\n[Event ").replace('[Result "?"]', '[Result "*"]')
    # It takes the doubt in `21. Kh1 Bd6 (?)` for one of the move before.
    decoded = re.sub(r"\{[^}]*\}|\([!?]+\)", lambda found: found[0] if found[0][0] == "{" else "", decoded)
    decoded = re.sub(r'("\])[ \t]*\n\s*\n(?!\[)', r"\1\n\n", decoded)
    return re.sub(r'(?<!"\])\n[ \t]*\n\s*(?!\[|\s)', "\n", decoded).replace('[Result "1/2"]', '[Result "1/2-1/2"]')


def same_move(board, uci, move):
    try:
        return uci == board.uci(move) or board.parse_uci(uci) == move
    except ValueError:
        return False


class Words(str):
    """A comment, which may have other white space."""


def same(ours, theirs):
    match theirs:
        case Words():
            return " ".join((ours or "").split()) == theirs
        case set():
            return {int(nag[1:]) for nag in (ours or "").split()} == theirs
        # In Chess960 castling may be the move of the king or the king that takes its rook.
        case (chess.Board() as board, move):
            return ours is not None and same_move(board, ours, move)
        case float() if ours is not None:
            return math.isclose(ours, theirs, abs_tol=0.0006)
    return ours == theirs


def is_other(game):
    """Whether python-chess reads a game in another way: errors differ, for example in the languages of moves, and so does what is made of
    castling rights that the rules do not allow."""
    board = game.board()
    return game.errors or board.status() & chess.STATUS_BAD_CASTLING_RIGHTS or board.chess960 and not game.headers.is_chess960()


def first_games(file, games):
    """The first games of a file with their rows; None for each that python-chess reads in another way."""
    found, stream = [], io.StringIO(text(file))
    while len(found) < games and (game := chess.pgn.read_game(stream)) is not None:
        found.append(None if is_other(game) else (game, list(rows(game, len(found) + 1))))
    return found


def differences_from_python_chess(program, file, games, limit):
    """The number of rows of the first games that were compared, and the differences."""
    # No game has a thousand positions.
    command = [program, "--quiet", "--format", "jsonl", "--columns", ",".join(COLUMNS), "--null-moves", "--limit", str(1000 * limit), file]
    count, wrong = 0, []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        ours = itertools.groupby(map(json.loads, run.stdout), lambda row: row["game"])
        for number, game in enumerate(games, 1):
            if game is None:
                continue
            found, group = next((pair for pair in ours if pair[0] >= number), (None, []))
            if found != number:
                wrong.append(f"game {found}, not {number}")
                break
            for row, theirs in itertools.zip_longest(group, game[1]):
                count += 1
                if row is None or theirs is None:
                    wrong.append(f"game {number}: {row or theirs} is not in both")
                    break
                where = f"game {number}, ply {theirs['ply']}, {theirs['fen']}"
                different = [name for name in theirs if not same(row[name], theirs[name])]
                wrong += [f"{where}: {name} {row[name]!r}, not {theirs[name]!r}" for name in different]
        if len(games) < limit:
            wrong += [f"game {found} is not in python-chess" for found, _ in ours if found > len(games)][:1]
    return count, wrong


def other_readers(path):
    """The table as DuckDB and Polars read it."""
    # The threads are those of the pool.
    with duckdb.connect(config={"threads": 1}) as database:
        found = database.read_parquet(str(path)).arrow()
        yield "DuckDB", found.read_all() if isinstance(found, pyarrow.RecordBatchReader) else found
    yield "Polars", polars.read_parquet(path).to_arrow()


def date(text):
    """A date as a column; months and days may have one digit."""
    try:
        return datetime.date(*map(int, (text or "").split("."))).isoformat()
    except (TypeError, ValueError):
        return None


def differences_in_games(program, file, games, limit):
    """The number of games that were compared as rows, and the differences from python-chess."""
    columns = "game,White,date,result,termination,white_elo,plies,uci,fen,clock"
    command = [program, "--quiet", "--rows", "games", "--format", "jsonl", "--columns", columns, "--null-moves", "--limit", str(limit), file]
    count, wrong = 0, []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        for row, found in itertools.zip_longest(map(json.loads, run.stdout), games, fillvalue=()):
            if not row or found == ():
                wrong.append(f"{row or found} is not in both")
                break
            if found is None:
                continue
            count += 1
            game, theirs = found
            last, first = game.end().board(), theirs[0]
            on_board = "checkmate" if last.is_checkmate() else "stalemate" if last.is_stalemate() else None
            expected = {name: first[name] for name in ("White", "result", "white_elo", "plies") if name in first} | {
                "fen": [ply["fen"] for ply in theirs],
                "date": date(game.headers.get("Date")) if known(game.headers.get("Date")) else date(game.headers.get("UTCDate")),
                "termination": on_board or (None if row["termination"] in ("checkmate", "stalemate") else row["termination"]),
            }
            where = f"game {row['game']}"
            wrong += [f"{where}: {name} {row[name]!r}, not {value!r}" for name, value in expected.items() if row[name] != value]
            moves = [ply["uci"] for ply in theirs]
            if len(row["uci"]) != len(theirs) - 1:
                wrong.append(f"{where}: {len(row['uci'])} moves, not {len(theirs) - 1}")
            wrong += [f"{where}: {ours}, not {move}" for ours, move in zip(row["uci"], moves) if not same(ours, move)]
            clocks = [(ours, ply["clock"]) for ours, ply in itertools.zip_longest(row["clock"], theirs) if "clock" in ply]
            wrong += [f"{where}: clock {ours}, not {clock}" for ours, clock in clocks if not same(ours, clock)]
    return count, wrong


def differences_from_text(program, file, records):
    """The number of rows of a file in Parquet, and the differences from the records."""
    command = [program, "--quiet", "--limit", str(records)]

    def lines(*options):
        run = subprocess.run([*command, *options, file], stdout=subprocess.PIPE, check=False)
        return run.stdout.decode().splitlines()

    # JSON has other types for bits, and pyarrow reads no lists of large strings from it.
    columns = [name for name in COLUMNS if name not in ("key", "packed", "board", "bitboards", "legal_moves")] + ["record", "depth", "line", "eco", "opening"]
    with tempfile.TemporaryDirectory() as folder:
        path, jsonl = pathlib.Path(folder) / "positions.parquet", pathlib.Path(folder) / "positions.jsonl"
        for output in path, jsonl:
            subprocess.run([*command, "--columns", ",".join(columns), "--registers", "full", "-o", output, file], check=False)
        table = pyarrow.parquet.read_table(path)
        table.validate(full=True)
        wrong = [f"{reader} reads another table" for reader, other in other_readers(path) if not other.cast(table.schema).equals(table)]
        if table.num_rows:
            options = pyarrow.json.ParseOptions(explicit_schema=table.schema)
            blocks = pyarrow.json.ReadOptions(block_size=1 << 26)
            other = pyarrow.json.read_json(jsonl, parse_options=options, read_options=blocks)
            wrong += [f"{name} differs between Parquet and JSON lines" for name in columns if not table[name].equals(other[name])]
    texts = {
        "record": lines("--registers", "full"),
        "fen": lines("--format", "fen"),
        "epd": lines("--ops", "none"),
    }
    for name, expected in texts.items():
        found = table[name].to_pylist()
        if len(found) != len(expected):
            wrong.append(f"{name}: {len(found)} rows, not {len(expected)}")
        pairs = enumerate(zip(found, expected))
        wrong += [f"row {row}: {name} {ours!r}, not {theirs!r}" for row, (ours, theirs) in pairs if ours != theirs][:5]
    return table.num_rows, wrong


def compare(arguments):
    program, file, limit, records = arguments
    games = first_games(file, limit)
    return (
        file,
        differences_from_python_chess(program, file, games, limit),
        differences_in_games(program, file, games, limit),
        differences_from_text(program, file, records),
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("--games", default=10, type=int)
    parser.add_argument("--records", default=1_000_000_000, type=int)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    files = arguments.files or [
        path
        for path in samples.files()
        # python-chess takes games without moves for one game, and has other errors.
        if "tags_only" not in path.name and path.name != "bad.pgn"
    ]
    cells = games = records = wrong = 0
    with multiprocessing.Pool() as pool, tempfile.TemporaryDirectory() as folder:
        rng, shown = random.Random(1), {}
        texts = {"random.pgn": [samples.written(rng, *samples.random_game(rng)) for _ in range(30)]} if not arguments.files else {}
        texts |= {path.name: samples.chosen(samples.decoded(path), arguments.games, shown) for path in files}
        tasks = []
        for name, games_of_file in texts.items():
            file = pathlib.Path(folder) / name.removesuffix(".zst")
            file.write_text("\n\n".join(games_of_file) + "\n", encoding="utf-8")
            tasks.append((arguments.pgn2epd, file, len(games_of_file), arguments.records))
        for file, (rows_compared, first), (games_compared, second), (rows_in_parquet, third) in pool.imap(compare, tasks):
            cells += rows_compared
            games += games_compared
            records += rows_in_parquet
            wrong += len(first) + len(second) + len(third)
            for found in first[:5] + second[:5] + third[:5]:
                print(f"{file.name}: {found}", file=sys.stderr)
    print(f"{cells} rows and {games} games of {len(texts)} files compared with python-chess {chess.__version__}, "
          f"{records} rows of Parquet (pyarrow, DuckDB, Polars) with the records: {wrong} differences")
    return 1 if wrong or not cells or not records else 0


if __name__ == "__main__":
    sys.exit(main())
