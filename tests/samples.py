"""Games to compare programs with: random ones with variations, and those of files that are chosen by what they contain."""

import io
import pathlib
import re
import subprocess

import chess
import chess.pgn

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = ROOT.parent / "shared/corpus"
# The part of a file that is searched, in characters.
MOST = 300_000
chess.pgn.LOGGER.disabled = True

# What few games have, as it looks in the text of a game.
RARE = [
    r"O-O O-O", r"O-O(?:-O)?\+", r"=[RBN]", r"=Q#", r"x[a-h][36]\b", r"\(\s*(?:\{[^}]*\}\s*)?\d+\.[^()]*\([^()]*\(", r"--|Z0", r"\$(?:1[0-9]|[7-9])\b",
    r"\$\d+ \$\d+", r"[!?]{2}", r"(?<=\s)(?:±|∓|⩲|⩱|∞|=|\+-|-\+|\+=|=\+|\+/-|-/\+)(?=\s)", r"%clk", r"%emt", r"%eval [-+]?\d", r"%eval #-?\d",
    r"\{[^}\n]*\n[^}]*\}", r"\d+\.\s*\S+\s*\{[^}]*\}\s*\$\d", r"\[FEN ", r"\[Date \"\d{4}\.\?\?", r"\[Result \"\*\"", r"\[Result \"1/2", r"\[UTCDate", r"\[WhiteElo \"\?",
    r"\[TimeControl \"\d+\+\d", r"\[Termination \"(?!Normal)", r"[^\x00-\x7f]", r"\b100\.", r"\(\s*\{", r"[+-]?\d\.\d\d/\d+ \d", r"\be\.p\.", r";",
]


def decoded(path):
    """The text of a file, which may be compressed."""
    if path.suffix == ".zst":
        data = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout
    else:
        data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def files(*, variants=False):
    """The files of games in fixtures/, and in the corpus if it exists."""
    found = [*(ROOT / "fixtures").glob("*.pgn"), *CORPUS.rglob("*.pgn"), *CORPUS.rglob("*.pgn.zst")]
    return sorted(path for path in found if variants or "variants" not in path.parts)


def chosen(text, first, shown, most=2):
    """The first games of a text, and those that have something that fewer than `most` of the games before have, which `shown` counts."""
    games = re.split(r"(?<!\])(?:\r?\n)+(?=\[Event )|(?:\r?\n){2,}(?=\[)", (text if first > 100 else text[:MOST]).strip("\ufeff \r\n"))
    kept = []
    for number, game in enumerate(games):
        new = [form for form in RARE if shown.get(form, 0) < most and re.search(form, game)]
        # A long game costs more than it shows, unless all are read.
        if first > 100 or len(game) < (50000 if number < first else 15000) and (number < first or new):
            kept.append(game)
            shown.update((form, shown.get(form, 0) + 1) for form in new)
    return kept


def endgame(rng):
    """A random position with few pieces; nothing if it is not legal."""
    board = chess.Board(None)
    letters = "Kk" + "".join(rng.choices(rng.choice(["PpQqRrBbNn", "BBNNbn", "BBBNN", "Pp", "PPpR", "RrPp", "QPP", "Nn", "Bb"]), k=rng.randrange(1, 6)))
    for letter, square in zip(letters, rng.sample(chess.SQUARES, len(letters))):
        piece = chess.Piece.from_symbol(letter)
        if piece.piece_type == chess.PAWN and chess.square_rank(square) in (0, 7):
            return None
        board.set_piece_at(square, piece)
    board.turn = rng.random() < 0.5
    board.halfmove_clock = rng.choice([0, 0, 0, 7, 97])
    board.fullmove_number = rng.choice([1, 40, 60])
    return board if board.is_valid() else None


def move_of(rng, board, shuffles, nulls=0.0):
    """A random move, rather one that is rare, or goes back to where the piece was; a null move with the probability `nulls`."""
    if nulls and rng.random() < nulls and not board.is_check():
        return chess.Move.null()
    moves = list(board.legal_moves)
    undone = board.move_stack[-2] if len(board.move_stack) > 1 else None

    def weight(move):
        if undone and (move.from_square, move.to_square) == (undone.to_square, undone.from_square):
            return 60 if shuffles else 1
        rare = 40 * board.is_en_passant(move) + 25 * board.is_castling(move) + 6 * bool(move.promotion)
        return 1 + rare + (0 if shuffles else 3 * board.is_capture(move) + 3 * board.gives_check(move))

    return rng.choices(moves, map(weight, moves))[0]


WORDS = ["only move", "good", "the best plan", "White has", "a draw", "Größe", "with the pawn", "novelty"]


def annotate(rng, node, board):
    words = rng.choices(WORDS, k=rng.randrange(14)) if rng.random() < 0.15 else []
    if rng.random() < 0.4 and not board.is_game_over():
        number = f"#{rng.choice([-12, -3, -1, 1, 2, 9])}" if rng.random() < 0.3 else f"{rng.randrange(-400, 400) / 100:.2f}"
        words.append(f"[%eval {number}{rng.choice(['', '', ',12', ',23'])}]")
    if rng.random() < 0.3:
        words.append(f"[%clk 0:{rng.randrange(60):02}:{rng.randrange(60):02}]")
    if rng.random() < 0.2:
        words.append(f"[%emt 0:00:{rng.randrange(60):02}]")
    node.comment = " ".join(words)
    node.nags = set(rng.sample([1, 2, 3, 4, 5, 6, 10, 14, 16, 22, 146], rng.choice([0, 0, 0, 1, 1, 2])))


def grow(rng, node, board, plies, shuffles, deep=0, nulls=0.0):
    """Adds a line of moves after a node, with variations to its moves."""
    for _ in range(plies):
        # It goes on where neither side can win.
        if not any(board.legal_moves):
            return
        before, node = node, node.add_variation(move_of(rng, board, shuffles, nulls))
        moves = {node.move}
        while deep < 3 and rng.random() < (0.12 if deep else 0.07):
            move = move_of(rng, board, shuffles, nulls)
            if move not in moves:
                moves.add(move)
                child, line = before.add_variation(move), board.copy()
                line.push(move)
                annotate(rng, child, line)
                grow(rng, child, line, rng.randrange(7), shuffles, deep + 1, nulls)
        board.push(node.move)
        annotate(rng, node, board)


OPENINGS = ["e4 c5 Nf3 d6 d4 cxd4 Nxd4", "d4 Nf6 c4 e6 Nc3 Bb4", "e4 e5 Nf3 Nc6 Bb5", "e4 d5 exd5 Qxd5", "d4 Nf6 c4 e6 Nf3 b6 g3 Bb7 Bg2 Be7 O-O O-O", "e4 e6 d4 d5 exd5 exd5"]
TAGS = {
    "White": ["Müller, Jörg", "Carlsen, M", "Anand, V", "O'Neil", "?"],
    "Black": ["Anand, V", "Carlsen, M", "an engine", "Zed", "-"],
    "WhiteElo": ["2400", "2399", "2851", "0", "?", "-", None, "987"],
    "BlackElo": ["2400", "1500", "2612", "0", None, "2405"],
    "Date": ["2015.06.12", "2015.06.??", "2015.??.??", "????.??.??", "1999.12.31", "2004.01.02", None, "2021.05.03"],
    "UTCDate": [None, "2019.02.03", "2015.??.??"],
    "EventDate": [None, "2015.06.01", "2014.??.??"],
    "Round": ["3.1", "12", "?", None, "-"],
    "ECO": ["B90", "C00", "?", None, "B01", "E12"],
    "TimeControl": ["300+3", "40/9000", "600", "-", "?", None],
    "Termination": ["Normal", "Time forfeit", "abandoned", "adjudication", None],
    "Event": ["blitz", "Open", "?"],
}
# The spellings at the end of the moves.
RESULTS = {"1-0": ["1-0", "1 - 0"], "0-1": ["0-1", "0 - 1"], "1/2-1/2": ["1/2-1/2", "1/2 - 1/2"], "*": ["*"]}


def random_game(rng, plies=40, *, chess960=False, nulls=False):
    """A game with its result, which only most have as a tag; a few are of Chess960 or have null moves if they may."""
    game = chess.pgn.Game()
    node, kind = game, rng.random()
    if kind < 0.45:
        game.setup(next(board for board in iter(lambda: endgame(rng), 0) if board and any(board.legal_moves)))
    elif kind < 0.75:
        node = opened(game, rng.choice(OPENINGS))
    elif kind < 0.85 and chess960:
        game.setup(chess.Board.from_chess960_pos(rng.randrange(960)))
    few = 0.08 if nulls and rng.random() < 0.3 else 0.0
    grow(rng, node, node.board(), rng.randrange(plies // 3, plies), rng.random() < 0.4, nulls=few)
    for name, values in TAGS.items():
        value = rng.choice(values)
        if value is None:
            game.headers.pop(name, None)
        else:
            game.headers[name] = value
    game.headers["Result"] = result = rng.choice(list(RESULTS))
    if rng.random() < 0.3:
        del game.headers["Result"]
    return game, result


# What random games rarely have: a stalemate, three bishops, exchanges after which no queen is left.
LINES = [
    ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "Qg6"),
    (chess.STARTING_FEN, "d4 Nf6 c4 e6 Qa4 c6 Qa5 Qxa5+ Bd2 Qxd2+ Nxd2"),
    ("8/8/8/8/1k6/8/8/BBBK4 w - - 0 1", "Kc2"),
    (chess.STARTING_FEN, "e4 e6 d4 d5 exd5 exd5 Qe2+ Qe7 Qxe7+ Bxe7 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3"),
]


def rare_games():
    games = []
    for fen, line in LINES:
        game = chess.pgn.Game.from_board(chess.Board(fen))
        opened(game, line)
        games.append((game, "*"))
    return games


def opened(node, line):
    for san in line.split():
        node = node.add_variation(node.board().parse_san(san))
    return node


def after(board, move):
    board = board.copy(stack=False)
    board.push(move)
    return board


def movetext(rng, node, board):
    """The words of the moves after a node. A variation of a move may stand within another one of the same move."""
    numbered = True
    while node.variations:
        main, *others = node.variations
        yield from move_words(board, main, numbered)
        numbered = bool(main.comment or others)
        while others:
            first, *inner = others if rng.random() < 0.5 else others[:1]
            others = others[1 + len(inner):]
            yield "("
            yield from move_words(board, first, True)
            for other in inner:
                yield "("
                yield from move_words(board, other, True)
                yield from movetext(rng, other, after(board, other.move))
                yield ")"
            yield from movetext(rng, first, after(board, first.move))
            yield ")"
        node, board = main, after(board, main.move)


def move_words(board, node, numbered):
    if board.turn or numbered:
        yield f"{board.fullmove_number}{'.' if board.turn else '...'}"
    yield board.san(node.move)
    yield from (f"${nag}" for nag in sorted(node.nags))
    if node.comment:
        yield from f"{{{node.comment}}}".split(" ")


def written(rng, game, result):
    """The text of a game in lines of up to 79 characters."""
    lines = [f'[{name} "{value}"]' for name, value in game.headers.items()] + ["", ""]
    for word in [*movetext(rng, game, game.board()), rng.choice(RESULTS.get(result, ["*"]))]:
        if len(lines[-1]) + len(word) > 78:
            lines.append("")
        lines[-1] += f"{' ' if lines[-1] else ''}{word}"
    return "\n".join(lines) + "\n"


def read(text):
    """The games of a text that python-chess reads without an error, each with its number from 1."""
    stream, number = io.StringIO(text), 0
    while (game := chess.pgn.read_game(stream)) is not None:
        number += 1
        if not game.errors:
            yield number, game
