"""The package itself: its version, its files, the program in it."""

import importlib.metadata
import pathlib
import re
import subprocess
import sys

import pytest

import pgn2epd

from conftest import FIXTURES, ROOT

NOTICES = ROOT / "python" / "licences" / "LICENCES.md"


def run(*arguments, **options):
    command = [sys.executable, "-m", "pgn2epd", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, cwd=ROOT, **options)


def test_the_version_is_that_of_the_package_and_of_the_program():
    assert pgn2epd.__version__ == importlib.metadata.version("pgn2epd")
    assert run("-V").stdout.decode().split() == ["pgn2epd", pgn2epd.__version__]


def test_the_metadata_names_what_a_user_looks_for():
    metadata = importlib.metadata.metadata("pgn2epd")
    assert metadata["Author"] or metadata["Author-email"]
    assert metadata["License-Expression"] == "GPL-3.0-or-later"
    labels = {line.split(", ")[0] for line in metadata.get_all("Project-URL")}
    assert labels >= {"Homepage", "Documentation", "Repository", "Changelog", "Issues"}
    topics = metadata.get_all("Classifier")
    assert "Topic :: Games/Entertainment :: Board Games" in topics
    assert any(topic.startswith("Development Status") for topic in topics)


def test_the_wheel_has_the_licence():
    files = {pathlib.PurePath(file).name: file for file in importlib.metadata.files("pgn2epd")}
    assert files["COPYING"].read_text() == (ROOT / "COPYING").read_text()


@pytest.mark.skipif(not NOTICES.exists(), reason="`packaging/release notices` has not written LICENCES.md")
def test_the_wheel_has_the_licences_of_its_parts():
    files = {pathlib.PurePath(file).name: file for file in importlib.metadata.files("pgn2epd")}
    notices = files["LICENCES.md"].read_text()
    assert notices == NOTICES.read_text()
    for crate in ["pyo3", "shakmaty", "zstd-sys", "arrow-array"]:
        assert re.search(rf"^\* {crate} \d", notices, re.MULTILINE), crate


def test_the_program_in_the_package_is_the_program(program):
    for arguments in [
        [FIXTURES / "classics.pgn"],
        ["--format", "fen", "--last", FIXTURES / "bad.pgn"],
        ["book", "--ply", "1..4", FIXTURES / "classics.pgn"],
        ["check", FIXTURES / "epd" / "faults.epd"],
        ["show", "4k3/8/8/8/8/8/4P3/4K3 w - -", "--format", "svg"],
        ["man"],
    ]:
        expected, messages = program(*arguments)
        outcome = run(*arguments)
        assert outcome.returncode in (0, 1)
        told, wanted = (re.sub(r"in [0-9.]+ m?s", "in 0 s", text) for text in (outcome.stderr.decode(), messages))
        assert (outcome.stdout, told) == (expected, wanted), arguments


def test_the_program_reads_standard_input_and_returns_its_status():
    games = b'1. e4 *\n\n[White "A"]\n\n1. e5 *\n'
    outcome = run("--format", "fen", input=games)
    assert outcome.returncode == 1 and len(outcome.stdout.splitlines()) == 3
    assert run("--no-such-option").returncode == 2
    script = pathlib.Path(sys.executable).with_name("pgn2epd")
    if script.exists():
        assert subprocess.run([script, "-V"], capture_output=True).stdout == run("-V").stdout
