"""The examples in README and docstrings print the text below them."""

import doctest
import inspect
import io
import operator
import os
import re

import pyarrow
import pyarrow.parquet
import pytest

import pgn2epd

from conftest import ROOT

FLAGS = doctest.ELLIPSIS


def run(name, text, names):
    examples = doctest.DocTestParser().get_doctest(text, dict(names), name, name, 0)
    output = io.StringIO()
    result = doctest.DocTestRunner(optionflags=FLAGS).run(examples, out=output.write)
    assert result.failed == 0, output.getvalue()
    return result.attempted


def test_readme(tmp_path, monkeypatch):
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    monkeypatch.chdir(ROOT)
    text = (ROOT / "python" / "README.md").read_text().replace("/tmp/", f"{tmp_path}{os.sep}")
    assert run("README.md", text, {}) >= 15


@pytest.mark.parametrize(
    "name",
    ["epdlist", "records", "games", "convert", "to_arrow", "to_parquet", "book", "merge", "check", "join", "diff", "show", "epd", "epd.parse"],
)
def test_docstrings(name, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    names = {"pgn2epd": pgn2epd, "pyarrow": pyarrow, "io": io}
    text = inspect.getdoc(operator.attrgetter(name)(pgn2epd)).replace("/tmp/", f"{tmp_path}{os.sep}")
    assert run(name, text, names) >= 1


def test_the_docstring_of_the_package():
    assert run("pgn2epd", pgn2epd.__doc__, {}) == 2


def test_the_linked_page_has_every_column():
    link = "https://github.com/pgn2epd/pgn2epd/blob/main/docs/facts.md"
    assert link in (ROOT / "python" / "README.md").read_text()
    page = (ROOT / "docs" / "facts.md").read_text()
    with pytest.raises(ValueError) as caught:
        pgn2epd.to_arrow(b"", ["not-a-name"])
    names = re.search(r"available: ([^;]*)", str(caught.value)).group(1).split(", ")
    assert len(names) > 10
    for name in names:
        assert f"| `{name}` |" in page, name
