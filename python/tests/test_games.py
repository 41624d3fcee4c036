"""Games one by one, with the values of the rows of a table of games."""

import copy
import datetime
import io
import pickle

import pyarrow
import pytest

import pgn2epd

from conftest import FIXTURES, corpus_file

PGN = b"""[Event "E"]
[White "W"]
[WhiteElo "2500"]
[Date "2024.02.29"]
[TimeControl "300+3"]

1. f3 { [%clk 0:04:58.5] } e5 2. g4 Qh4# 0-1

1. e4 Nf4 *
"""


def test_a_game_has_the_values_of_its_row():
    problems = []
    games = pgn2epd.games(PGN, problems=problems)
    first, second = games
    assert (first.game, first.White, first.Black, first.white_elo, first.black_elo) == (1, "W", None, 2500, None)
    assert (first.date, first.base_time, first.increment) == (datetime.date(2024, 2, 29), 300.0, 3.0)
    assert (first.result, first.termination, first.problem) == ("0-1", "checkmate", None)
    assert (first.uci, first.plies) == (["f2f3", "e7e5", "g2g4", "d8h4"], 4)
    assert first.clock == [None, 298.5, None, None, None] and first["clock"] == first.clock
    assert first.tags == {"Event": "E", "White": "W", "WhiteElo": "2500", "Date": "2024.02.29", "TimeControl": "300+3"}
    assert (second.uci, second.White, second.tags) == (["e2e4"], None, {})
    assert second.problem == "1... Nf4: illegal: no black knight can reach f4"
    assert [problem.game for problem in problems] == [2]
    assert (games.summary.games, games.summary.bad_games) == (2, 1)
    assert next(games, None) is None


@pytest.mark.parametrize(
    "columns",
    [None, "san,clock", ["White", "file", "line", "year", "player=White"], ["eval", "mate", "time", "nags", "comment", "check", "material"],
     ["packed", "key", "from", "to", "promotion", "turn", "nodes"], ["fen", "record", "eco", "opening"]],
)
@pytest.mark.parametrize("name", ["classics.pgn", "engines.pgn", "annotated.pgn", "bad.pgn", "chess960.pgn"])
def test_games_are_the_rows_of_the_table(name, columns):
    source = FIXTURES / name
    table = pyarrow.table(pgn2epd.to_arrow(source, columns, rows="games", problems=[]))
    games = list(pgn2epd.games(source, columns, problems=[]))
    assert [dict(game) for game in games] == table.to_pylist()
    assert all(list(game.keys()) == table.column_names for game in games)


def test_games_of_a_large_file_are_the_rows_of_the_table():
    path = corpus_file("lichess_2025-05_first219.pgn")
    columns = ["game", "date", "white_elo", "termination", "uci", "clock", "eval_cp", "opening"]
    table = pyarrow.table(pgn2epd.to_arrow(path, columns, rows="games", problems=[]))
    games = list(pgn2epd.games(path, columns, problems=[], chunk_bytes=5_000))
    assert len(games) == 219 and [dict(game) for game in games] == table.to_pylist()
    # The tags of a game are those of its records.
    tags = {record.game.number: record.game.tags for record in pgn2epd.records(path, problems=[], last=True)}
    assert {game.game: game.tags for game in games} == tags


def test_options_select_games_and_positions():
    games = list(pgn2epd.games(FIXTURES / "classics.pgn", ["White", "fen"], where='White ~ "Morphy"', ply=(2, 3)))
    assert [(game.White, len(game.fen)) for game in games] == [("Morphy, Paul", 2)]
    assert len(list(pgn2epd.games([PGN, io.BytesIO(PGN)], problems=[]))) == 4
    assert len(list(pgn2epd.games(PGN, on_error="skip", problems=[]))) == 1
    with pytest.raises(pgn2epd.PgnError, match="no black knight"):
        list(pgn2epd.games(PGN, on_error="stop"))


@pytest.mark.parametrize(
    "kind, text, arguments",
    [
        (TypeError, "its own rows", dict(rows="games")),
        (TypeError, "its own format", dict(format="csv")),
        (TypeError, "unexpected keyword argument 'plies'", dict(plies=3)),
        (ValueError, "unknown variable fe-n; did you mean fen", dict(columns=["fe-n"])),
        (ValueError, "are for positions, not games", dict(unique=True)),
        (ValueError, "conflicts is for labels", dict(conflicts="mean")),
        (ValueError, "columns: board is not for games", dict(columns=["board"])),
    ],
)
def test_wrong_arguments_are_refused(kind, text, arguments):
    with pytest.raises(kind, match=text):
        pgn2epd.games(PGN, **arguments)


def test_games_are_values():
    games, again = list(pgn2epd.games(PGN, problems=[])), list(pgn2epd.games(PGN, problems=[]))
    assert games == again and games[0] is not again[0] and games[0] != games[1] and games[0] != dict(games[0])
    for copied in [copy.copy(games), copy.deepcopy(games), pickle.loads(pickle.dumps(games))]:
        assert copied == games and [game.tags for game in copied] == [game.tags for game in games]
    with pytest.raises(TypeError, match="unhashable"):
        hash(games[0])
    assert "clock" in games[0] and "eval" not in games[0] and "white_elo" in dir(games[0])
    assert repr(next(pgn2epd.games(PGN, ["White", "plies"], problems=[]))) == "<PlayedGame {'White': 'W', 'plies': 4}>"
    assert repr(next(pgn2epd.games(PGN, ["Missing", "san", "depth"], problems=[]))) == "<PlayedGame {'san': [4 values]}>"
    assert repr(pgn2epd.games(PGN)) == "<Games>" and repr(pgn2epd.records(PGN)) == "<Records>"
    with pytest.raises(AttributeError, match="no eval: name it in columns; it has game, White, "):
        games[0].eval
    with pytest.raises(KeyError, match="eval"):
        games[0]["eval"]
