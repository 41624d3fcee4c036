"""Computes the output of `pgn2epd book --format jsonl --order key` naively, with python-chess and a dictionary.

python3 tests/book_naive.py [--first N] [--last N] [--final] [--variations] [--queens both|any] [--no-mate] [--no-check]
    [--pieces MIN MAX] [--min-elo N] [--min-games N] [--min-score X] [--max-score X] [--keep-strongest] [--latest] FILE...
"""

import argparse
import json
import os

import chess
import chess.pgn

RESULTS = {"1-0": "white", "0-1": "black", "1/2-1/2": "draws"}


def rating(text):
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else 0


def year(headers):
    for name in ("Date", "UTCDate"):
        text = headers.get(name, "")[:4]
        if len(text) == 4 and text.isascii() and text.isdigit() and int(text) > 0:
            return int(text)
    return None


def player(name):
    return (name or "") if (name or "").strip(" ?-") else ""


class Tally:
    """All games that reached a position, or played a move in it."""

    def __init__(self):
        self.reached = []

    def row(self, keep_strongest=False):
        strongest = min(self.reached, key=lambda r: (-r["elo_sum"], r["place"]))
        reached = [strongest] if keep_strongest else self.reached
        first = min(reached, key=lambda r: r["place"])
        years = [r["year"] for r in reached if r["year"]]
        return {
            "games": len(reached),
            "white": sum(r["result"] == "1-0" for r in reached),
            "draws": sum(r["result"] == "1/2-1/2" for r in reached),
            "black": sum(r["result"] == "0-1" for r in reached),
            "rated": sum(r["elo_sum"] > 0 for r in reached),
            "rating_sum": sum(r["elo_sum"] for r in reached),
            "first_year": min(years, default=None),
            "last_year": max(years, default=None),
            "first_file": first["place"][0],
            "first_game": first["place"][1],
            "first_ply": first["place"][2],
            "strongest_file": strongest["place"][0],
            "strongest_game": strongest["place"][1],
            "strongest_ply": strongest["place"][2],
            "strongest_white": strongest["white"],
            "strongest_black": strongest["black"],
            "strongest_elo": strongest["elo_sum"] / 2 if strongest["elo_sum"] else None,
            "strongest_result": strongest["result"],
            "eval": None,
        }, strongest


def wanted(node, args):
    board = node.board()
    queens = [bool(board.pieces(chess.QUEEN, color)) for color in chess.COLORS]
    if args.queens == "both" and not all(queens) or args.queens == "any" and not any(queens):
        return False
    if args.no_check and board.is_check():
        return False
    if args.no_mate and (board.is_checkmate() or node.eval() is not None and node.eval().is_mate()):
        return False
    if args.pieces:
        return args.pieces[0] <= len(board.piece_map()) <= args.pieces[1]
    return True


def played(game, with_variations):
    """The positions of a game, each with a move played from it or None, and the number of plies before."""
    nodes = [(game, 0)]
    while nodes:
        node, ply = nodes.pop()
        children = node.variations if with_variations else node.variations[:1]
        for child in children or [None]:
            yield node, child.move if child else None, ply
        nodes.extend((child, ply + 1) for child in children)


def count(path, args, table):
    name = os.path.basename(path)
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        number = 0
        while (game := chess.pgn.read_game(file)) is not None:
            number += 1
            headers = game.headers
            elos = rating(headers.get("WhiteElo")), rating(headers.get("BlackElo"))
            if args.min_elo is not None and elos[0] < args.min_elo:
                continue
            result = headers.get("Result", "*")
            facts = {
                "result": result if result in RESULTS else "*",
                "elo_sum": sum(elos) if all(elos) else 0,
                "year": year(headers),
                "white": player(headers.get("White")),
                "black": player(headers.get("Black")),
            }
            seen = set()
            for node, move, ply in played(game, args.variations):
                in_window = args.first <= ply <= args.last
                if in_window and (move is None or not args.final) and wanted(node, args):
                    board = node.board()
                    epd = board.epd(en_passant="legal")
                    # A game counts once per position, or with variations once per move.
                    key = (epd, move) if args.variations else epd
                    if key not in seen:
                        seen.add(key)
                        total, by_move = table.setdefault(epd, (Tally(), {}))
                        san = board.san(move) if move else None
                        uci = move.uci() if move else None
                        row = {**facts, "place": (name, number, ply)}
                        total.reached.append(row)
                        by_move.setdefault((san, uci), Tally()).reached.append(row)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=int, default=1 << 32)
    parser.add_argument("--final", action="store_true")
    parser.add_argument("--variations", action="store_true")
    parser.add_argument("--queens")
    parser.add_argument("--no-mate", action="store_true")
    parser.add_argument("--no-check", action="store_true")
    parser.add_argument("--pieces", type=int, nargs=2)
    parser.add_argument("--min-elo", type=int)
    parser.add_argument("--min-games", type=int, default=0)
    parser.add_argument("--min-score", type=float)
    parser.add_argument("--max-score", type=float)
    parser.add_argument("--keep-strongest", action="store_true")
    parser.add_argument("--latest", action="store_true", help="also the place of the most recent game of each move")
    parser.add_argument("files", nargs="+")
    args = parser.parse_args()
    table = {}
    for path in args.files:
        count(path, args, table)
    for epd in sorted(table):
        total, by_move = table[epd]
        row, _ = total.row()
        decided = row["white"] + row["draws"] + row["black"]
        if row["games"] < args.min_games:
            continue
        if args.min_score is not None or args.max_score is not None:
            # In millionths, rounded down, like in the book.
            score = (2 * row["white"] + row["draws"]) * 1_000_000 // (2 * decided) if decided else None
            if score is None or args.min_score is not None and score < args.min_score * 1_000_000:
                continue
            if args.max_score is not None and score > args.max_score * 1_000_000:
                continue
        row, strongest = total.row(args.keep_strongest)
        moves = []
        for (san, uci), tally in by_move.items():
            move, best = tally.row(args.keep_strongest)
            if args.latest:
                move["latest"] = max((r["year"] or 0, r["place"]) for r in tally.reached)[1]
            if not args.keep_strongest or best["place"] == strongest["place"]:
                moves.append({"move": san, "uci": uci, **move})
        moves.sort(key=lambda move: move["uci"] or "")
        print(json.dumps({"epd": epd, **row, "moves": moves}, sort_keys=True, ensure_ascii=False))


main()
