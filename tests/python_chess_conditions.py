#!/usr/bin/env python3
"""Compares conditions with definitions of their own on python-chess, which follow docs/conditions.md and docs/facts.md.

    tests/python_chess_conditions.py [--pgn2epd PROGRAM] [--games N] [--conditions N] [--seed N] [FILE.pgn]...

The games are random ones with variations and comments, and those of fixtures/ and ../shared/corpus: the first N of each file (0), and
those that contain what few games do. Each condition of this script and N random ones (250) select positions of all lines: the same as
by definition, and each condition of this script at least one. So do the words of --omit.

Exit status: 0 all equal, 1 differences, 77 python-chess is not installed.
"""

import argparse
import collections
import functools
import itertools
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
    import samples
    from python_chess_tables import board_facts, evaluation, squares_of_move
except ImportError as error:
    print(f"{error}: nothing was compared", file=sys.stderr)
    sys.exit(77)

ROOT = samples.ROOT


class Game:
    """What all positions of a game have, and the positions of all its lines."""

    def __init__(self, game, result, line):
        self.tags, self.line = {name: value.strip() for name, value in game.headers.items()}, line
        self.result = result if result in ("1-0", "0-1", "1/2-1/2") else None
        self.plies = sum(1 for _ in game.mainline())
        last = game.end().board()
        self.end = "checkmate" if last.is_checkmate() else "stalemate" if last.is_stalemate() else None
        self.positions, todo = [], [(None, game)]
        while todo:
            before, node = todo.pop()
            # A variation continues the line that it leaves.
            positions = [Position(self, before, node, child) for child in node.variations or [None]]
            self.positions.append(positions[0])
            todo += zip(positions, node.variations)


class Position:
    """A position of a line: with the position before, the node of python-chess, and that of the next move."""

    def __init__(self, game, parent, node, behind):
        self.game, self.parent, self.node, self.behind = game, parent, node, behind
        # Nothing for a null move, too.
        self.move = behind and (behind.move or None)

    @functools.cached_property
    def board(self):
        return samples.after(self.parent.board, self.node.move) if self.parent else self.node.board()

    @functools.cached_property
    def facts(self):
        castling = self.board.castling_xfen()
        found = {"castling": None if castling == "-" else castling} | board_facts(self.board, self.move) | squares_of_move(self.move)
        if self.board.chess960 and self.move and self.board.is_castling(self.move):
            # The king takes its rook there, but reaches the square that it has in standard chess.
            found["to"] = chess.square(6 if self.board.is_kingside_castling(self.move) else 2, chess.square_rank(self.move.from_square))
        return found

    @functools.cached_property
    def same(self):
        """What is compared when a position occurs again."""
        return self.board.fen(en_passant="legal").rsplit(" ", 2)[0]

    @functools.cached_property
    def sans(self):
        """The moves of the line up to here."""
        return [*self.parent.sans, re.sub("[+#]", "", self.parent.board.san(self.node.move))] if self.parent else []

    @functools.cached_property
    def line(self):
        """The positions of the line up to this one."""
        return [*self.parent.line, self] if self.parent else [self]

    @functools.cached_property
    def key(self):
        """The row of a table, which is another one for each position."""
        return f'{self.game.line},{len(self.line) - 1},{self.board.fen(en_passant="fen")},{self.board.uci(self.move) if self.move else ""}'


# Conditions by definition: functions of a position and a player, who is of no account for most of them.

def each(holds):
    return lambda position, player=None: holds(position.board)


def squares(pattern):
    """The squares of a pattern from a8 to h1, each as the letters that may be there, `_` for none; None for a free square."""
    letters = {"A": "PNBRQK", "a": "pnbrqk", "!": "PNBRQKpnbrqk", "?": None}
    parts = re.findall(r"\[[^]]*\]|[^/]", pattern)
    for part in parts:
        if part.isdigit():
            yield from [None] * int(part)
        else:
            yield letters.get(part, part.strip("[]"))


def looks_like(pattern):
    wanted = list(squares(pattern))
    assert len(wanted) == 64, pattern

    def holds(board, player=None):
        text = re.sub(r"\d", lambda digit: "_" * int(digit[0]), board.board_fen()).replace("/", "")
        return all(letters is None or there in letters for there, letters in zip(text, wanted))

    return holds


def bounds(count):
    """How many pieces of a kind a sign or number of a pattern allows."""
    if count in ("", "*", "+", "?"):
        return {"": (1, 1), "*": (0, 64), "+": (1, 64), "?": (0, 1)}[count]
    low, sign, high = re.fullmatch(r"(\d)([-+]?)(\d?)", count).groups()
    return (int(low), int(high or low)) if sign != "+" and (high or not sign) else (int(low), 64) if sign == "+" else (0, int(low))


def has_material(pattern):
    """Whether each side can be divided among the letters of a pattern."""
    sides = []
    for side in pattern.replace(" ", "").split("v"):
        counts = collections.defaultdict(lambda: (0, 0))
        for letter, count in re.findall(r"([KQRBNPM])(\d-\d|\d[+-]?|[*+?]?)", side):
            low, high = bounds(count)
            counts[letter] = counts[letter][0] + low, counts[letter][1] + high
        sides.append(counts)

    def holds(board, player=None):
        for color, wanted in zip([chess.WHITE, chess.BLACK], sides):
            there = {chess.piece_symbol(piece).upper(): len(board.pieces(piece, color)) for piece in chess.PIECE_TYPES}
            if any(not wanted[letter][0] <= there[letter] <= wanted[letter][1] for letter in "KQRP"):
                return False
            # Some of the knights and bishops are those of M.
            knights, bishops = range(there["N"] + 1), range(there["B"] + 1)
            if not any(
                wanted["N"][0] <= there["N"] - n <= wanted["N"][1] and wanted["B"][0] <= there["B"] - b <= wanted["B"][1] and wanted["M"][0] <= n + b <= wanted["M"][1]
                for n in knights for b in bishops
            ):
                return False
        return True

    return holds


def attacked(by, target):
    """Whether a piece such as wN or wA attacks a square, or a piece."""
    pieces = lambda name: [(piece, name[0] == "w") for piece in chess.PIECE_TYPES if name[1] in ("A", chess.piece_symbol(piece).upper())]

    def holds(board, player=None):
        targets = [chess.parse_square(target)] if target[1].isdigit() else [square for kind in pieces(target) for square in board.pieces(*kind)]
        attackers = {square for kind in pieces(by) for square in board.pieces(*kind)}
        return any(set(board.attackers(by[0] == "w", square)) & attackers for square in targets)

    return holds


def mirrored(board):
    return board.transform(chess.flip_horizontal)


def also(holds, turn):
    return lambda board, player=None: holds(board) or holds(turn(board))


def remembered(holds):
    """A condition that is asked again for the positions before."""
    found = {}

    def once(position, player=None):
        key = position, player
        if key not in found:
            found[key] = holds(position, player)
        return found[key]

    return once


def both(*parts):
    return lambda position, player=None: all(part(position, player) for part in parts)


def one_of(*parts):
    return lambda position, player=None: any(part(position, player) for part in parts)


def negated(part):
    return lambda position, player=None: not part(position, player)


def in_a_row(of, plies):
    of = remembered(of)
    return lambda position, player=None: len(position.line) >= plies and all(of(one, player) for one in position.line[-plies:])


def then(first, second, within=10**9):
    first = remembered(first)
    return lambda position, player=None: second(position, player) and any(first(one, player) for one in position.line[:-1][-within:])


def moves(*wanted):
    return lambda position, player=None: position.sans[-len(wanted):] == list(wanted)


def line(*wanted):
    return lambda position, player=None: position.sans[:len(wanted)] == list(wanted)


def reached(fen):
    wanted = " ".join(fen.split()[:4])
    return lambda position, player=None: any(one.same == wanted for one in position.line)


def repetition(position):
    return [one.same for one in position.line].count(position.same)


# Values.

def rating(tags, name):
    text = tags.get(name, "")
    return int(text) if text.isdigit() and int(text) else None


def date(text, whole=False):
    """The known parts of a date; nothing if the year is not known, or if all are needed."""
    parts = re.match(r"(\d{4})(?:[./-](\d\d)(?:[./-](\d\d))?)?", text or "")
    known = [int(part) for part in parts.groups() if part] if parts else []
    return known if len(known) == 3 or known and not whole else None


def dated(tags, whole):
    return date(tags.get("Date") if date(tags.get("Date")) else tags.get("UTCDate"), whole)


def time_control(tags, part):
    found = re.fullmatch(r"(?:\d+/)?(\d+)(?:\+(\d+))?", tags.get("TimeControl", ""))
    return found and float(found[part] or 0)


def points(game, white):
    return {"1-0": float(white), "0-1": float(not white), "1/2-1/2": 0.5}.get(game.result)


def engine(position):
    """The evaluation of the position, from the views of the mover and of White."""
    found = evaluation(position.node, position.board)
    # EPD 5.6: a mate in N plies is 32767 - N, being mated -32767 + N.
    mate = found["mate"]
    found["eval"] = found["eval_cp"] if mate is None else 32768 - 2 * mate if mate > 0 else -32767 - 2 * mate
    found["depth"] = position.node.eval_depth()
    return found


def words(comment):
    return " ".join(re.sub(r"\[%[^]]*\]", " ", comment).split()) or None


def material(board):
    side = lambda color: "".join(chess.piece_symbol(piece).upper() * len(board.pieces(piece, color)) for piece in range(6, 0, -1))
    return f"{side(chess.WHITE)}v{side(chess.BLACK)}"


def ended(position):
    said = {"time forfeit": "time forfeit", "abandoned": "abandoned", "adjudication": "adjudication"}
    return position.game.end or said.get(position.game.tags.get("Termination", "").lower())


@functools.cache
def named_positions():
    """The code and the name of each position of the table of openings, by its first four fields."""
    found = {}
    rows = (ROOT / "crates/openings/data/openings.tsv").read_text().splitlines()
    for eco, name, moves in (row.split("\t") for row in rows if re.match(r"[A-E]\d\d\t", row)):
        board = chess.Board()
        for san in re.sub(r"\d+\.", "", moves).split():
            board.push_san(san)
        found[board.epd(en_passant="legal")] = eco, name
    return found


def opening(part):
    """The code or the name of the last position of the line that has one."""
    def value(position, player):
        names = (named_positions().get(before.board.epd(en_passant="legal")) for before in reversed(position.line))
        return next((name[part] for name in names if name), None)

    return value


def nags(position):
    return " ".join(f"${nag}" for nag in sorted(position.node.nags)) or None


ON_BOARD = [
    *"bB bN bP bQ bR wB wN wP wQ wR bishops knights pawns queens rooks minors npm legal hmvc".split(),
    *"from to passed isolated doubled blocked islands".split(),
]
of_facts = lambda name: lambda position, player: position.facts[name]
of_engine = lambda name: lambda position, player: engine(position)[name]
of_tags = lambda value, *more: lambda position, player: value(position.game.tags, *more)
# Each variable as a function of a position and a player.
NUMBERS = {
    **{name: of_facts(name) for name in ON_BOARD},
    **{name: of_engine(name) for name in ("eval", "eval_cp", "mate", "white_cp", "white_mate", "depth")},
    "ply": lambda position, player: len(position.line) - 1,
    "plies": lambda position, player: position.game.plies,
    "line": lambda position, player: position.game.line,
    "move": lambda position, player: position.board.fullmove_number,
    "pieces": lambda position, player: len(position.board.piece_map()),
    "repetition": lambda position, player: repetition(position),
    "clock": lambda position, player: position.node.clock(),
    "time": lambda position, player: position.move and position.behind.emt(),
    "points": lambda position, player: points(position.game, position.board.turn),
    "white_elo": of_tags(rating, "WhiteElo"),
    "black_elo": of_tags(rating, "BlackElo"),
    "elo": of_tags(lambda tags: rating(tags, "WhiteElo") and rating(tags, "BlackElo") and (rating(tags, "WhiteElo") + rating(tags, "BlackElo")) / 2),
    "year": of_tags(lambda tags: (dated(tags, False) or [None])[0]),
    "base_time": of_tags(time_control, 1),
    "increment": of_tags(time_control, 2),
}
TEXTS = {
    "ep": of_facts("ep"), "castling": of_facts("castling"), "captured": of_facts("captured"), "piece": of_facts("piece"), "promotion": of_facts("promotion"),
    "turn": lambda position, player: "w" if position.board.turn else "b",
    "san": lambda position, player: position.move and position.board.san(position.move),
    "uci": lambda position, player: position.move and position.board.uci(position.move),
    "fen": lambda position, player: position.board.fen(en_passant="fen"),
    "epd": lambda position, player: position.board.epd(en_passant="fen"),
    "result": lambda position, player: position.game.result,
    "termination": lambda position, player: ended(position),
    "comment": lambda position, player: words(position.node.comment),
    "nags": lambda position, player: nags(position),
    "eco": opening(0), "opening": opening(1),
}
TRUTHS = {
    **{name: of_facts(name) for name in "checkmate stalemate insufficient opposite_bishops opposite_castling capture castle".split()},
    "check": lambda position, player: position.board.is_check(),
}
PLAYER_TEXTS = {
    "player": lambda position, player: known(position.game.tags.get(player)),
    "opponent": lambda position, player: known(position.game.tags.get(other(player))),
    "color": lambda position, player: "wb"[player == "Black"],
}
PLAYER_NUMBERS = {
    "player_elo": lambda position, player: rating(position.game.tags, f"{player}Elo"),
    "opponent_elo": lambda position, player: rating(position.game.tags, f"{other(player)}Elo"),
    "score": lambda position, player: points(position.game, player == "White"),
}


def other(player):
    return {"White": "Black", "Black": "White"}[player]


def known(text):
    return None if text is None or not text.strip(" ?-.*") else text


def tag(name):
    def value(position, player):
        text = known(position.game.tags.get(name))
        return None if name.endswith("Elo") and text == "0" else text

    return value


def tag_number(name):
    def value(position, player):
        text = tag(name)(position, player)
        return float(text) if text and re.fullmatch(r"\d+(\.\d+)?", text) else None

    return value


OPERATORS = {
    "=": lambda a, b: a == b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "~": lambda a, b: b.casefold() in a.casefold(),
}


def compared(left, sign, right):
    """A comparison. Without one of both values != is true, and every other one false."""
    if sign == "!=":
        return negated(compared(left, "=", right))

    def holds(position, player=None):
        a, b = left(position, player), right(position, player)
        return a is not None and b is not None and OPERATORS[sign](a, b)

    return holds


def with_dates(left, sign, right):
    """Dates are compared to the precision that both have."""

    def part(mine, theirs):
        def value(position, player):
            a, b = mine(position, player), theirs(position, player)
            return a and b and a[:min(len(a), len(b))]

        return value

    return compared(part(left, right), sign, part(right, left))


always = lambda value: lambda position, player: value
WHITE, BLACK = chess.WHITE, chess.BLACK
FIANCHETTO = "8/8/8/8/8/6P1/5PBP/6K1"
SICILIAN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
NIMZO = "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq -"


def board(pattern):
    return each(looks_like(pattern))


def has(pattern):
    return each(has_material(pattern))


def number(name):
    return lambda position: NUMBERS[name](position, None)


def attacks(by, target):
    return each(attacked(by, target))


def holds(of):
    return lambda position, player=None: of(position)


def tagged(holds):
    return lambda position, player=None: holds(position.game.tags)


def player(name, color=None, won=None):
    sides = [("White", "w", "1-0"), ("Black", "b", "0-1")]
    return holds(lambda position: any(
        name.lower() in position.game.tags.get(side, "").lower() and color in (None, letter) and won in (None, position.game.result == result)
        for side, letter, result in sides))


few_pawns = holds(lambda position: number("pawns")(position) < 8)
check = each(chess.Board.is_check)
no_queens = holds(lambda position: number("queens")(position) == 0)
CONDITIONS = {
    f'board ~ "{FIANCHETTO}"': board(FIANCHETTO),
    f'either(board ~ "{FIANCHETTO}")': each(also(looks_like(FIANCHETTO), chess.Board.mirror)),
    f'mirrored(board ~ "{FIANCHETTO}")': each(also(looks_like(FIANCHETTO), mirrored)),
    'board ~ "8/8/8/3[pP]4/8/8/8/8"': board("8/8/8/3[pP]4/8/8/8/8"),
    'board ~ "8/8/8/3!4/3_??[Nb_]1/8/8/8"': board("8/8/8/3!4/3_??[Nb_]1/8/8/8"),
    'board ~ "r3k3/8/8/8/8/A7/8/4K2R" or board ~ "8/8/a7/8/8/8/8/8"': one_of(board("r3k3/8/8/8/8/A7/8/4K2R"), board("8/8/a7/8/8/8/8/8")),
    'not board ~ "8/8/8/3pp3/8/8/8/8" and ply > 4': both(negated(board("8/8/8/3pp3/8/8/8/8")), holds(lambda position: len(position.line) > 5)),
    **{f'material ~ "{pattern}"': has(pattern) for pattern in ("KRP*vKRP*", "KP*vKP*", "KQ?R1-2B?N?P*vKQ?R1-2BP*", "KRMP*vKRMP*", "KRM2P+vKRB2-N?P+", "KBMMvK")},
    'material = "KRP2+vKRP+"': has("KRP2+vKRP+"),
    'either(material ~ "KRP*vKBP*")': one_of(has("KRP*vKBP*"), has("KBP*vKRP*")),
    'material in ("KPvK", "KvKP", "KRvKR")': one_of(has("KPvK"), has("KvKP"), has("KRvKR")),
    'material != "KQR2B2N2P8vKQR2B2N2P8"': negated(has("KQR2B2N2P8vKQR2B2N2P8")),
    "attacks(wN, e5)": attacks("wN", "e5"),
    "attacks(bA, d4)": attacks("bA", "d4"),
    "attacks(bP, wA) or attacks(wB, bQ)": one_of(attacks("bP", "wA"), attacks("wB", "bQ")),
    "either(attacks(wN, f6))": one_of(attacks("wN", "f6"), attacks("bN", "f3")),
    "either(attacks(wN, bQ))": one_of(attacks("wN", "bQ"), attacks("bN", "wQ")),
    "mirrored(attacks(bQ, a4))": one_of(attacks("bQ", "a4"), attacks("bQ", "h4")),
    "repetition >= 2": holds(lambda position: repetition(position) >= 2),
    "repetition = 3": holds(lambda position: repetition(position) == 3),
    "queens = 0 for 6 plies": in_a_row(no_queens, 6),
    "check for 2 plies": in_a_row(check, 2),
    "(pawns < 8 and not check) for 3 plies": in_a_row(both(few_pawns, negated(check)), 3),
    "check then queens = 0": then(check, no_queens),
    "check then check within 2 plies": then(check, check, 2),
    "queens = 0 for 4 plies then check within 7 plies then pawns < 8 within 20": then(
        then(in_a_row(no_queens, 4), check, 7), few_pawns, 20),
    'line = "1. e4 c5 2. Nf3"': line("e4", "c5", "Nf3"),
    'line = "d4"': line("d4"),
    'line = "1. d4 Nf6 2. c4 e6" and queens = 0': both(line("d4", "Nf6", "c4", "e6"), no_queens),
    'moves ~ "Nxd4"': moves("Nxd4"),
    'moves ~ "12... Nd4"': moves("Nd4"),
    'moves ~ "O-O O-O"': moves("O-O", "O-O"),
    'moves ~ "c4 e6 Nc3"': moves("c4", "e6", "Nc3"),
    'moves ~ "exd5 exd5" then queens = 0': then(moves("exd5", "exd5"), no_queens),
    f'reached "{SICILIAN} 0 2"': reached(SICILIAN),
    f'reached "{NIMZO}"': reached(NIMZO),
    'player ~ "an"': player("an"),
    'White ~ "an"': tagged(lambda tags: "an" in tags.get("White", "").lower()),
    "Date > 2004": tagged(lambda tags: (date(tags.get("Date")) or [0])[0] > 2004),
    'ECO in "B00".."B99"': tagged(lambda tags: "B00" <= tags.get("ECO", "") <= "B99"),
    'Result = "1-0"': tagged(lambda tags: tags.get("Result") == "1-0"),
    "WhiteElo >= 2600": tagged(lambda tags: (rating(tags, "WhiteElo") or 0) >= 2600),
    "not FEN": tagged(lambda tags: "FEN" not in tags),
    'material ~ "KRP*vKRMP*" for 3 plies': in_a_row(has("KRP*vKRMP*"), 3),
    'either(material ~ "KRP*vKRMP*") for 3 plies': in_a_row(one_of(has("KRP*vKRMP*"), has("KRMP*vKRP*")), 3),
    "checkmate": each(chess.Board.is_checkmate),
    "stalemate": each(chess.Board.is_stalemate),
    'termination = "checkmate"': holds(lambda position: position.game.end == "checkmate"),
    'termination = "stalemate"': holds(lambda position: position.game.end == "stalemate"),
    "repetition >= 3": holds(lambda position: repetition(position) >= 3),
    "hmvc >= 100": each(lambda board: board.halfmove_clock >= 100),
    "insufficient": each(chess.Board.is_insufficient_material),
    'promotion in ("r", "b", "n")': holds(lambda position: position.move and position.move.promotion in (chess.ROOK, chess.BISHOP, chess.KNIGHT)),
    "plies >= 59": holds(lambda position: position.game.plies >= 59),
    "plies <= 80": holds(lambda position: position.game.plies <= 80),
    "turn = b": each(lambda board: not board.turn),
    "turn = w": each(lambda board: board.turn),
    "wR - bR = 1 and bB - wB = 1 and wN = bN and wQ = bQ": each(lambda board: [
        len(board.pieces(piece, WHITE)) - len(board.pieces(piece, BLACK))
        for piece in (chess.ROOK, chess.BISHOP, chess.KNIGHT, chess.QUEEN)] == [1, -1, 0, 0]),
    'piece in ("K", "Q")': holds(lambda position: position.move and position.board.piece_type_at(position.move.from_square) in (chess.KING, chess.QUEEN)),
    'captured = "Q"': holds(lambda position: position.move and position.board.piece_type_at(position.move.to_square) == chess.QUEEN),
    'turn = w and san = "O-O"': holds(lambda position: position.move and position.board.turn and position.board.san(position.move) == "O-O"),
    "check then check within 1 ply": then(check, check, 1),
    'player ~ "a" and color = b': player("a", "b"),
    'player ~ "e" and score = 1': player("e", won=True),
    'player ~ "e" and color = w and score = 1 and line = "e4"': both(player("e", "w", True), line("e4")),
}


def terminated(position):
    """In the words of servers and programs."""
    return position.game.tags.get("Termination", "").lower()


OMITS = {
    "start": holds(lambda position: position.parent is None),
    "check": check,
    "captures": holds(lambda position: position.move and position.board.is_capture(position.move)),
    "promotions": holds(lambda position: position.move and position.move.promotion),
    "checking-moves": holds(lambda position: position.move and position.board.gives_check(position.move)),
    "finished": each(lambda board: not any(board.legal_moves) or board.is_insufficient_material()),
    "unevaluated": holds(lambda position: engine(position)["eval"] is None),
    "mates": holds(lambda position: position.board.is_checkmate() or engine(position)["mate"] is not None),
    "time-forfeits": holds(lambda position: re.search("time forfeit|won on time|timeout", terminated(position))),
    "abandoned": holds(lambda position: re.search("abandoned|unterminated|connect|infraction|illegal", terminated(position))),
    "adjudicated": holds(lambda position: "adjudicat" in terminated(position)),
}


# Random conditions: text with the function, and how it binds, so that parentheses stand where they are needed, and sometimes elsewhere.

THEN, OR, AND, NOT, ATOM = range(5)
Condition = collections.namedtuple("Condition", "text binds holds")


class Generator:
    def __init__(self, seed, positions):
        self.rng, self.positions = random.Random(seed), positions

    def position(self):
        return self.rng.choice(self.positions)

    def within(self, part, least):
        """The text of a part of another condition."""
        return part.text if part.binds >= least and self.rng.random() < 0.9 else f"({part.text})"

    def joined(self, word, parts, binds):
        """Only before the first `and` may a `for` stand without parentheses."""
        first, *more = parts
        text = f" {word} ".join([self.within(first, binds), *(self.within(part, binds + 1) for part in more)])
        return Condition(text, binds, {"and": both, "or": one_of}[word](*(part.holds for part in parts)))

    def combined(self, part, depth):
        """Conditions with and, or, not."""
        kind = self.rng.random() if depth else 1
        if kind < 0.25:
            return self.joined("and", [self.combined(part, depth - 1) for _ in range(self.rng.randrange(2, 4))], AND)
        if kind < 0.5:
            return self.joined("or", [self.combined(part, depth - 1) for _ in range(self.rng.randrange(2, 4))], OR)
        if kind < 0.65:
            inner = self.combined(part, depth - 1)
            return Condition(f"not {self.within(inner, NOT)}", NOT, negated(inner.holds))
        return part()

    def sequence(self, depth=3):
        """Conditions with then, for, within."""
        kind = self.rng.random() if depth else 1
        part = lambda: self.sequence(depth - 1)
        if kind < 0.3:
            one, two, plies = part(), part(), self.rng.randrange(1, 13)
            text = f"{self.within(one, THEN)} then {self.within(two, OR)}"
            if self.rng.random() < 0.5:
                return Condition(text, THEN, then(one.holds, two.holds))
            return Condition(f"{text} within {plies}{self.rng.choice([' plies', ''])}", THEN, then(one.holds, two.holds, plies))
        if kind < 0.5:
            inner, plies = part(), self.rng.choice([1, 2, 2, 3, 5])
            return Condition(f"{self.within(inner, AND)} for {plies} {'ply' if plies == 1 else 'plies'}", AND, in_a_row(inner.holds, plies))
        if kind < 0.75:
            return self.combined(part, 1)
        return self.rng.choice([self.value, self.value, self.value, self.value, self.pattern, self.pattern, self.of_moves])()

    def of_moves(self):
        position = self.position()
        start = position.line[0].board
        sans = position.sans
        kind = self.rng.random()
        if kind < 0.3:
            one = self.rng.choice(position.line)
            fen = one.board.fen(en_passant=self.rng.choice(["legal", "fen"])) if self.rng.random() < 0.7 else one.same
            return Condition(f'reached "{fen}"', ATOM, reached(one.same))
        if kind < 0.6 and sans:
            count = self.rng.randrange(1, min(4, len(sans)) + 1)
            last = position.line[-1 - count].board
            return Condition(f'moves ~ "{self.numbered(last, sans[-count:])}"', ATOM, moves(*sans[-count:]))
        count = self.rng.randrange(1, min(8, len(sans)) + 1) if sans else 0
        if not count:
            return self.value()
        return Condition(f'line = "{self.numbered(start, sans[:count])}"', ATOM, line(*sans[:count]))

    def numbered(self, board, sans):
        if self.rng.random() < 0.5:
            return " ".join(sans)
        ply = board.ply()
        return " ".join(f"{(ply + at) // 2 + 1}. {san}" if (ply + at) % 2 == 0 else f"{(ply + at) // 2 + 1}... {san}" if at == 0 else san for at, san in enumerate(sans))

    def pattern(self):
        words = self.rng.sample([("either", chess.Board.mirror), ("mirrored", mirrored)], self.rng.choice([0, 1, 1, 2]))

        def turned(words):
            inner = self.combined((lambda: turned(words[1:])) if words[1:] else self.on_board, self.rng.randrange(2))
            if not words or self.rng.random() < 0.1:
                return inner
            word, turn = words[0]
            return Condition(f"{word}({inner.text})", ATOM, also(inner.holds, turn))

        found = turned(words)
        return Condition(found.text, found.binds, each(found.holds))

    def on_board(self):
        """A condition on the board alone, of a position that exists or is turned."""
        there = self.rng.choice([lambda board: board, chess.Board.mirror, mirrored])(self.position().board)
        piece = lambda square: "bw"[there.color_at(square)] + self.rng.choice([chess.piece_symbol(there.piece_type_at(square)).upper()] * 5 + ["A"])
        kind = self.rng.random()
        if kind < 0.35:
            wanted = {}
            for square in self.rng.sample(chess.SQUARES, self.rng.randrange(1, 5)):
                symbol = there.piece_at(square)
                same = "A" if symbol and symbol.color else "a"
                if symbol:
                    wanted[square] = self.rng.choice([symbol.symbol()] * 3 + ["!", same, f"[{''.join(self.rng.sample('PNBRQKpnbrqk', 3))}{symbol.symbol()}]"])
                else:
                    wanted[square] = self.rng.choice(["_", "?", f"[{self.rng.choice('pPnN')}_]"])
            rows = ["".join(wanted.get(chess.square(file, rank), " ") for file in range(8)) for rank in range(7, -1, -1)]
            text = "/".join(re.sub(" +", lambda free: "?" * len(free[0]) if self.rng.random() < 0.2 else str(len(free[0])), row) for row in rows)
            return Condition(f'board ~ "{text}"', ATOM, looks_like(text))
        if kind < 0.65:
            text = self.material(there)
            word = self.rng.choice(["~", "~", "=", "!=", "in"])
            holds = has_material(text)
            if word == "in":
                more = self.material(self.position().board)
                return Condition(f'material in ("{text}", "{more}")', ATOM, one_of(holds, has_material(more)))
            return Condition(f'material {word} "{text}"', ATOM, negated(holds) if word == "!=" else holds)
        attacking = [(by, at) for by in chess.SquareSet(there.occupied) for at in there.attacks(by)]
        taking = [(by, at) for by, at in attacking if there.piece_at(at)]
        by, at = self.rng.choice(taking if taking and self.rng.random() < 0.6 else attacking or [(there.king(WHITE), chess.E4)])
        target = piece(at) if there.piece_at(at) and self.rng.random() < 0.7 else chess.square_name(at)
        text = piece(by), target
        return Condition(f"attacks({', '.join(text)})", ATOM, attacked(*text))

    def material(self, board):
        """A pattern of the pieces on a board, which often fits."""
        sides = []
        for color in chess.COLORS:
            text = "K"
            counts = {letter: len(board.pieces(piece, color)) for letter, piece in zip("QRBNP", (5, 4, 3, 2, 1))}
            if self.rng.random() < 0.5:
                taken = {letter: self.rng.randrange(counts[letter] + 1) for letter in "BN"}
                counts = {letter: count - taken.get(letter, 0) for letter, count in counts.items()} | {"M": sum(taken.values())}
            for letter in "QRBNMP":
                count = counts.get(letter, 0)
                forms = {0: ["", "", "*", "?", "2-"], 1: ["1", "+", "?", "*", "1-2"], 2: ["2", "+", "2-", "1-3", "2+"]}.get(count, [f"{count}", "*", f"{count}+", "+", f"{count - 1}-{count}"])
                form = self.rng.choice(forms)
                if form:
                    written = letter if form == "1" else letter * count if form == str(count) and self.rng.random() < 0.5 else letter + form
                    text += written
            sides.append(text)
        return "v".join(sides)

    def sample(self, value, player=None):
        """A value of a position where it is known, if there are some."""
        found = (value(self.position(), player) for _ in range(30))
        return next((one for one in found if one is not None), None)

    def value(self):
        return self.rng.choices([self.numeric, self.text, self.truth, self.range, self.tag, self.dated], [8, 4, 2, 3, 3, 2])[0]()

    def literal(self, number):
        return f"{number:.2f}".rstrip("0").rstrip(".") if isinstance(number, float) else str(number)

    def some_number(self, names=NUMBERS):
        """A variable, and a number that it is, or nearly is."""
        name = self.rng.choice(list(names))
        number = self.sample(names[name], "White")
        number = 0 if number is None else round(number, 2)
        return name, names[name], max(number + self.rng.choice([0, 0, 0, -1, 1]), -32767)

    def calculated(self, depth=2):
        """A calculation: text, function, whether it needs parentheses before a sign."""
        kind = self.rng.random() if depth else 1
        if kind < 0.35:
            sign = self.rng.choice("+-*/")
            (a, left, _), (b, right, simple) = self.calculated(depth - 1), self.calculated(depth - 1)
            if sign == "/":
                number = self.rng.choice([2, 4, 3])
                b, right, simple = str(number), always(number), True
            a, b = f"({a})" if not _ else a, b if simple else f"({b})"
            act = {"+": float.__add__, "-": float.__sub__, "*": float.__mul__, "/": float.__truediv__}[sign]

            def value(position, player):
                one, two = left(position, player), right(position, player)
                return None if one is None or two is None else act(float(one), float(two))

            return f"{a} {sign} {b}", value, False
        if kind < 0.45:
            a, inner, _ = self.calculated(depth - 1)
            value = lambda position, player: None if inner(position, player) is None else abs(inner(position, player))
            return f"abs({a})", value, True
        if kind < 0.55:
            number = self.rng.randrange(1, 20)
            return str(number), always(number), True
        if kind < 0.65:
            name = self.rng.choice(["WhiteElo", "BlackElo", "Round"])
            return name, tag_number(name), True
        name = self.rng.choice(list(NUMBERS))
        return name, NUMBERS[name], True

    def numeric(self):
        sign = self.rng.choice(["=", "!=", "<", "<=", ">", ">="])
        if self.rng.random() < 0.6:
            name, left, number = self.some_number()
            text, right = self.literal(number), always(number)
            if self.rng.random() < 0.2:
                return Condition(f"{text} {sign} {name}", ATOM, compared(right, sign, left))
            return Condition(f"{name} {sign} {text}", ATOM, compared(left, sign, right))
        name, left, _ = self.calculated()
        if self.rng.random() < 0.5:
            number = self.sample(left)
            number = float(self.literal(float(number or 0)))
            return Condition(f"{name} {sign} {self.literal(number)}", ATOM, compared(left, sign, always(number)))
        other, right, _ = self.calculated(1)
        return Condition(f"{name} {sign} {other}", ATOM, compared(left, sign, right))

    def range(self):
        """A range or a list."""
        name, value, first = self.some_number()
        more = [self.some_number({name: value})[2] for _ in range(self.rng.randrange(3))]
        parts = []
        for number in [first, *more]:
            last = number + self.rng.choice([0, 1, 5, 20])
            low, high = self.literal(number), self.literal(last)
            parts.append(self.rng.choice([
                (low, compared(value, "=", always(number))),
                (f"{low}..{high}", both(compared(value, ">=", always(number)), compared(value, "<=", always(last)))),
                (f"{low}..", compared(value, ">=", always(number))),
                (f"..{high}", compared(value, "<=", always(last))),
            ]))
        found = one_of(*(holds for _, holds in parts))
        if len(parts) > 1:
            word = self.rng.choice(["in", "not in"])
            return Condition(f"{name} {word} ({', '.join(text for text, _ in parts)})", ATOM, found if word == "in" else negated(found))
        word = self.rng.choice(["in", "=", "!=", "not in"])
        return Condition(f"{name} {word} {parts[0][0]}", ATOM, negated(found) if word in ("!=", "not in") else found)

    def quoted(self, text):
        return f"'{text}'" if '"' in text or "'" not in text and self.rng.random() < 0.3 else f'"{text}"'

    def compared_text(self, name, value, player=None):
        text = self.sample(value, player) or "x"
        if self.rng.random() < 0.5 and name not in ("turn", "color"):
            at = self.rng.randrange(len(text))
            part = text[at:at + self.rng.randrange(1, 12)]
            part = self.rng.choice([part, part.upper(), part.lower()])
            return Condition(f"{name} ~ {self.quoted(part)}", ATOM, compared(value, "~", always(part)))
        sign = self.rng.choice(["=", "=", "!="])
        literal = text if name in ("turn", "color") and self.rng.random() < 0.5 else self.quoted(text)
        return Condition(f"{name} {sign} {literal}", ATOM, compared(value, sign, always(text)))

    def text(self):
        name = self.rng.choice(list(TEXTS))
        return self.compared_text(name, TEXTS[name])

    def truth(self):
        if self.rng.random() < 0.5:
            name = self.rng.choice(list(TRUTHS))
            return Condition(name, ATOM, lambda position, player=None: bool(TRUTHS[name](position, player)))
        names = NUMBERS | TEXTS
        name = self.rng.choice(list(names))
        return Condition(name, ATOM, lambda position, player=None: names[name](position, player) is not None)

    def tag(self):
        name = self.rng.choice(["White", "Black", "ECO", "Event", "Round", "WhiteElo", "BlackElo", "Termination", "TimeControl", "Missing"])
        kind = self.rng.random()
        if kind < 0.2:
            return Condition(name, ATOM, lambda position, player=None: tag(name)(position, player) is not None)
        if name in ("WhiteElo", "BlackElo", "Round") and kind < 0.7:
            number = round((self.sample(tag_number(name)) or 0) + self.rng.choice([0, 0, 1, -1]), 2)
            sign = self.rng.choice(["=", "!=", "<", "<=", ">", ">="])
            return Condition(f"{name} {sign} {self.literal(number)}", ATOM, compared(tag_number(name), sign, always(number)))
        if name == "ECO" and kind < 0.8:
            low, high = sorted(self.rng.sample(["A00", "B00", "B90", "C00", "D10", "E99"], 2))
            return Condition(f'ECO in "{low}".."{high}"', ATOM, both(compared(tag("ECO"), ">=", always(low)), compared(tag("ECO"), "<=", always(high))))
        return self.compared_text(name, tag(name))

    def dated(self):
        """Dates, which are compared to the precision that both have."""
        of_tag = lambda name: lambda position, player: date(position.game.tags.get(name))
        name = self.rng.choice(["Date", "EventDate", "UTCDate", "date", "Date"])
        value = of_tags(dated, True) if name == "date" else of_tag(name)
        sign = self.rng.choice(["=", "!=", "<", "<=", ">", ">="])
        if self.rng.random() < 0.2:
            other = self.rng.choice(["Date", "EventDate"])
            return Condition(f"{name} {sign} {other}", ATOM, with_dates(value, sign, of_tag(other)))
        parts = (self.sample(value) or [2015])[:self.rng.randrange(1, 4)]
        parts[-1] = max(1, parts[-1] + self.rng.choice([0, 0, 0, 1, -1]))
        text = ".".join(f"{part:02}" for part in parts)
        if self.rng.random() < 0.2 and name != "date":
            whole = tag(name)
            return Condition(f'{name} ~ "{text}"', ATOM, compared(whole, "~", always(text)))
        return Condition(f"{name} {sign} {text}", ATOM, with_dates(value, sign, always(parts)))

    def one_player(self):
        """Conditions on a player of either colour."""
        def part():
            if self.rng.random() < 0.4:
                return self.value()
            name = self.rng.choice([*PLAYER_TEXTS, *PLAYER_NUMBERS])
            if name in PLAYER_TEXTS:
                return self.compared_text(name, PLAYER_TEXTS[name], self.rng.choice(["White", "Black"]))
            _, value, number = self.some_number({name: PLAYER_NUMBERS[name]})
            sign = self.rng.choice(["=", "<", ">=", "!="])
            return Condition(f"{name} {sign} {self.literal(number)}", ATOM, compared(value, sign, always(number)))

        parts = [part() for _ in range(self.rng.randrange(2, 4))]
        word, binds = self.rng.choice([("and", AND), ("and", AND), ("or", OR)])
        found = self.joined(word, parts, binds)
        return Condition(found.text, found.binds, lambda position, player=None: found.holds(position, "White") or found.holds(position, "Black"))

    def one(self):
        make = self.rng.choices([self.sequence, lambda: self.combined(self.value, 2), self.pattern, self.one_player], [5, 3, 2, 1])[0]
        return make()


def asked(task):
    """The differences of a condition, by its text and the positions that it selects by definition."""
    program, path, option, text, expected = task
    command = [program, "-q", "--variations", "--null-moves", f"{option}={text}", "--format", "csv", "--columns", "line,ply,fen,uci", path]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode not in (0, 1) or run.stderr:
        return [f"{text}: {run.stderr}"]
    found = collections.Counter(run.stdout.splitlines()[1:])
    wrong = [(name, next(iter(rows))) for name, rows in [("missing", expected - found), ("superfluous", found - expected)] if rows]
    return [f"{text}: " + ", ".join(f"{name}: {key}" for name, key in wrong)] if wrong else []


def begin(program, path, positions, all_positions):
    """In each process: they are shared, for they are not copied when it is forked."""
    global shared
    shared = program, path, positions, all_positions


def asked_at_random(seed):
    program, path, positions, all_positions = shared
    make = Generator(seed, positions)
    while True:
        condition = make.one()
        expected = collections.Counter(position.key for position in positions if condition.holds(position))
        # A condition that is always or never true shows little.
        if expected and expected != all_positions:
            return asked((program, path, "--where", condition.text, expected))


def sample(arguments, folder):
    """A file with all games, and their positions."""
    rng, shown, games = random.Random(arguments.seed), {}, []
    if not arguments.files:
        games += [samples.random_game(rng, chess960=True, nulls=True) for _ in range(arguments.random)] + samples.rare_games()
    for path in arguments.files or samples.files():
        for text in samples.chosen(samples.decoded(path), arguments.games, shown):
            for _, game in samples.read(text):
                # Comments of all kinds are read in other scripts.
                standard = type(game.board()) is chess.Board and not game.board().chess960 and game.board().is_valid()
                if game.next() and standard and all(node.move for node in walk(game) if node.parent):
                    for node in walk(game):
                        node.comment, node.starting_comment, node.nags = "", "", set()
                    games.append((game, game.headers.get("Result")))
    positions, line = [], 1
    path = folder / "games.pgn"
    with open(path, "w", encoding="utf-8") as file:
        for game, result in games:
            text = samples.written(rng, game, result)
            positions += Game(game, result, line).positions
            file.write(text + "\n")
            line += text.count("\n") + 1
    return path, positions, len(games)


def walk(node):
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        todo += node.variations


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pgn2epd", default=ROOT / "target/release/pgn2epd", type=pathlib.Path)
    parser.add_argument("--games", default=0, type=int)
    parser.add_argument("--random", default=50, type=int, help="random games")
    parser.add_argument("--conditions", default=250, type=int)
    parser.add_argument("--seed", default=1, type=int)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    # Each row of the tables for users of other programs is tested here.
    tables = re.findall(r"^\| [^|]* \| `(.*?)` \|$", (ROOT / "docs/conditions.md").read_text(), re.MULTILINE)
    assert len(tables) > 30, tables
    wrong = [f"docs/conditions.md: {condition} is not tested" for condition in tables if condition not in CONDITIONS]
    with tempfile.TemporaryDirectory() as folder:
        path, positions, games = sample(arguments, pathlib.Path(folder))
        program = arguments.pgn2epd.resolve()
        all_positions = collections.Counter(position.key for position in positions)

        def tasks():
            for text, holds in CONDITIONS.items():
                expected = collections.Counter(position.key for position in positions if holds(position))
                if not expected and not arguments.files:
                    wrong.append(f"{text}: true of no position")
                yield program, path, "--where", text, expected
            for word, holds in OMITS.items():
                expected = collections.Counter(position.key for position in positions if not holds(position))
                if expected == all_positions and not arguments.files:
                    wrong.append(f"--omit {word}: true of no position")
                yield program, path, "--omit", word, expected

        with multiprocessing.get_context("fork").Pool(2, begin, (program, path, positions, all_positions)) as pool:
            seeds = (f"{arguments.seed} {number}" for number in range(arguments.conditions))
            for faults in itertools.chain(pool.imap(asked, tasks()), pool.imap(asked_at_random, seeds)):
                wrong += faults
    for fault in wrong[:50]:
        print(fault, file=sys.stderr)
    print(f"{games} games, {len(positions)} positions, {len(CONDITIONS)} conditions and {arguments.conditions} random ones, {len(OMITS)} words of --omit: {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
