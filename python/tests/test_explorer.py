"""Positions are found in explorer files."""

import chess
import pytest

import pgn2epd

GAMES = b"""[White "Anna"]
[Black "Ben"]
[WhiteElo "2500"]
[BlackElo "2400"]
[Date "2001.05.??"]
[Result "1-0"]

1. e4 e5 2. Nf3 1-0

[Result "0-1"]

1. Nf3 e5 2. e4 d6 0-1

[Result "1/2-1/2"]

1. e4 c5 1/2-1/2
"""


@pytest.fixture
def explorer(tmp_path):
    path = tmp_path / "x.explorer"
    pgn2epd.book(GAMES, path)
    return pgn2epd.Explorer(path)


def after(moves):
    board = chess.Board()
    for move in moves.split():
        board.push_san(move)
    return board.fen()


def test_counts_of_a_position_and_its_moves(explorer):
    found = explorer.find(chess.STARTING_FEN)
    assert [found[name] for name in ("games", "white", "draws", "black")] == [3, 1, 1, 1]
    assert (found["rating"], found["first_year"], found["last_year"]) == (2450, 2001, 2001)
    assert [(move["san"], move["uci"], move["games"]) for move in found["moves"]] == [("e4", "e2e4", 2), ("Nf3", "g1f3", 1)]
    game = found["notable_games"][0]
    assert (game["white"], game["black"], game["rating"], game["year"]) == ("Anna", "Ben", 2450, 2001)
    assert (game["result"], game["game"], game["ply"], game["san"]) == ("1-0", 1, 0, "e4")


def test_counts_of_classes(explorer, tmp_path):
    assert (explorer.grouped_by, explorer.find(chess.STARTING_FEN)["classes"]) == ("", [])
    pgn2epd.book(GAMES, tmp_path / "c.explorer", group_by="rating:2000,2500,month,player")
    explorer = pgn2epd.Explorer(tmp_path / "c.explorer")
    assert explorer.grouped_by == "rating:2000,2500,month,player"
    names = "san", "band", "month", "white_player", "games", "white"
    classes = [tuple(row[name] for name in names) for row in explorer.find(chess.STARTING_FEN)["classes"]]
    assert classes == [("Nf3", None, None, None, 1, 0), ("e4", None, None, None, 1, 0), ("e4", 2000, "2001-05", "Anna", 1, 1)]
    with pytest.raises(ValueError, match="elo"):
        pgn2epd.book(GAMES, tmp_path / "d.explorer", group_by="elo")


def test_positions_are_equal_in_any_order_of_moves(explorer):
    found = explorer.find(after("e4 e5 Nf3"))
    assert found == explorer.find(after("Nf3 e5 e4"))
    # The first game ended here.
    assert sorted((move["san"] or "", move["games"]) for move in found["moves"]) == [("", 1), ("d6", 1)]
    assert explorer.find(after("e4"))["opening"] == "King's Pawn Game"
    assert explorer.find(after("a4")) is None
    assert len(explorer) == explorer.positions == 8


def test_errors(explorer, tmp_path):
    with pytest.raises(ValueError):
        explorer.find("not a position")
    with pytest.raises(FileNotFoundError):
        pgn2epd.Explorer(tmp_path / "missing.explorer")
    damaged = tmp_path / "damaged.explorer"
    damaged.write_bytes((tmp_path / "x.explorer").read_bytes()[:-1])
    with pytest.raises(OSError, match="it ends early"):
        pgn2epd.Explorer(damaged)
