"""Files of positions and training data as sources of all functions."""

import pgn2epd
import pytest

SUITE = b'4k3/8/8/8/8/8/4P3/4K3 w - - id "a"; bm e4; ce 35;\n4k3/8/8/8/8/8/8/4K3 w - - id "b";\n'


def test_records_of_a_suite_have_their_operations():
    first, second = pgn2epd.records(SUITE)
    assert first.operations == {"bm": ["e4"], "ce": 35, "id": "a"}
    assert second.operations == {"id": "b"}
    assert [record.operations["id"] for record in pgn2epd.records(SUITE, where="ce > 0 and has(bm)")] == ["a"]


def test_a_suite_becomes_a_table(tmp_path):
    path = tmp_path / "suite.csv"
    pgn2epd.convert(SUITE, path, format="csv", columns="id,bm,eval")
    assert path.read_text().splitlines() == ["id,bm,eval", "a,e4,35", "b,,"]


def test_training_data_is_read_by_name_and_by_the_option(tmp_path):
    path = tmp_path / "data.binpack"
    pgn2epd.convert(b"1. e4 {+0.25/12 1s} e5 {-0.20/11 1s} 1-0", path, format="binpack")
    assert [record.operations["ce"] for record in pgn2epd.records(path)] == [25, -20]
    other = path.rename(tmp_path / "data")
    assert len(list(pgn2epd.records(other, input="binpack"))) == 2


def test_what_has_no_meaning_for_positions_is_refused():
    with pytest.raises(ValueError, match="last is for games"):
        list(pgn2epd.records(SUITE, last=True))
