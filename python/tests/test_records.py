"""Records and positions of lists of moves, compared with python-chess."""

import io

import chess
import chess.pgn
import pytest

import pgn2epd

from conftest import FIXTURES, corpus_file

IMMORTAL = FIXTURES / "immortal.pgn"


def test_a_record_has_fields_operations_move_and_game():
    first, second, *_, last = pgn2epd.records(IMMORTAL)
    assert first.fields == ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "w", "KQkq", "-")
    assert first.epd == " ".join(first.fields)
    assert (first.move, first.uci, first.ply) == ("e4", "e2e4", 0)
    assert second.operations == {
        "c0": "Anderssen, Adolf - Kieseritzky, Lionel, London, London, 1851.06.21, 1-0",
        "eco": "B00", "fmvn": 1, "hmvc": 0, "sm": "e5", "v0": "King's Pawn Game",
    }
    _, changed, *_ = pgn2epd.records(IMMORTAL, registers="delta")
    assert changed.operations == {name: value for name, value in second.operations.items() if name != "c0"}
    assert list(first.operations) == sorted(first.operations)
    assert first.operations["eco"] is None, "a register that readers of the whole file must clear"
    start = next(iter(pgn2epd.records(IMMORTAL, registers="delta")))
    assert start.operations["eco"] is None, "an operation without an operand"
    assert (last.move, last.uci, last.ply) == (None, None, 45)
    assert last.fen.endswith(" b - - 1 23")
    assert str(second).startswith(second.epd) and repr(second) == f"<Record {second}>"
    assert first.game is last.game
    assert first.game.number == 1 and first.game.line == 1 and first.game.file == str(IMMORTAL)
    assert first.game.tags["White"] == "Anderssen, Adolf"


def test_operands_are_values_of_their_type():
    pgn = b'[Result "1-0"] 1. e4 { [%eval 0.17] } e5 { [%eval #3] } 2. Nf3 *'
    wanted = {"ops": "ce,dm,sm", "registers": "off", "add": ["bm=Nf3", "pv={san}", "Zz={ply}", "Aa={fen}", "resign="]}
    *_, third, _ = pgn2epd.records(pgn, problems=[], **wanted)
    assert third.operations == {
        "Aa": third.fen, "Zz": 2, "bm": ["Nf3"], "ce": 32762, "dm": 3, "pv": ["Nf3"], "resign": None, "sm": "Nf3",
    }


@pytest.mark.parametrize("format", ["epd", "fen", "crafty"])
def test_operations_are_read_in_every_format(format):
    pgn = b'[White "A;B"] 1. e4 e5 *\n\n'
    moves = ["e4", "e5", None]
    # Crafty's form cannot express variants.
    if format != "crafty":
        pgn += b'[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 *'
        moves += ["e4", "d5", "exd5", None]
    records = list(pgn2epd.records(pgn, format=format, ops="sm", add='id={White|?}', registers="off"))
    assert [record.operations.get("sm") for record in records] == moves
    assert records[0].operations["id"] == "A;B"


@pytest.mark.parametrize(
    "name",
    ["twic1599_first555.pgn", "chess960/rwch_first10.pgn", "lichess_studies/beautiful-chess-studies-1.pgn"],
)
def test_python_chess_plays_the_same_positions(name):
    text = corpus_file(name).read_text(encoding="utf-8", errors="replace")
    games = iter(pgn2epd.records(corpus_file(name), ep="legal", castling="standard", problems=[]))
    stream, count = io.StringIO(text), 0
    while count < 60 and (game := chess.pgn.read_game(stream)):
        board = game.board()
        for played in [*game.mainline_moves(), None]:
            record = next(games)
            assert record.game.tags["Event"] == game.headers["Event"]
            castling = "shredder" if board.has_chess960_castling_rights() else "fen"
            if castling == "fen":
                assert record.fen == board.fen(en_passant="legal")
            else:
                assert record.fen.split()[0] == board.board_fen()
            assert record.move == (board.san(played) if played else None)
            if played:
                board.push(played)
        count += 1
    assert count >= 10


def test_epdlist_has_the_position_after_each_move():
    moves = "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6".split()
    board, expected = chess.Board(), []
    for move in moves:
        board.push_san(move)
        expected.append(board.epd(en_passant="fen"))
    assert pgn2epd.epdlist(moves) == expected
    assert pgn2epd.epdlist(iter(moves)) == expected
    assert pgn2epd.epdlist([]) == []
    assert pgn2epd.epdlist(["e4"], fen="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1") == ["4k3/8/8/8/4P3/8/8/4K3 b - e3"]


def test_epdlist_reports_the_index_and_the_reason_of_a_wrong_move():
    with pytest.raises(pgn2epd.PgnError) as caught:
        pgn2epd.epdlist(["e4", "e5", "Ke3"])
    error = caught.value
    assert str(error) == "2. Ke3: illegal: no white king can reach e3"
    assert (error.index, error.move, error.token, error.kind) == (2, "2.", "Ke3", "illegal-move")
    with pytest.raises(pgn2epd.PgnError, match="FEN"):
        pgn2epd.epdlist(["e4"], fen="nonsense")
    with pytest.raises(TypeError, match="split"):
        pgn2epd.epdlist("e4 e5")
