"""Shared fixtures: the program to compare with, PGN files, and messages for missing ones."""

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FIXTURES = ROOT / "fixtures"
CORPUS = ROOT.parent / "shared" / "corpus"

SAMPLES = [
    "2moves_v2_first2000.pgn",
    "chess960/rwch_first10.pgn",
    "chess_db/chessdoctor.pgn",
    "lichess_2025-05_first219.pgn",
    "lichess_studies/beautiful-chess-studies-1.pgn",
    "variants/atomic_first5.pgn",
    "variants/crazyhouse_first40.pgn",
    "worldcup2005.pgn",
]
# These take longer than all others together.
if os.environ.get("CI_FULL") == "1":
    SAMPLES += ["8moves_v3_first20000.pgn.zst", "chess_db/middleg.pgn", "chesscom_cancer0707_first800.pgn.zst", "twic1599_first555.pgn"]


def find_program():
    """The program: the path in PGN2EPD, a built one, or the one in PATH."""
    if "PGN2EPD" in os.environ:
        return os.environ["PGN2EPD"]
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    built = [target / profile / "pgn2epd" for profile in ("dist", "release", "debug")]
    for candidate in [*built, shutil.which("pgn2epd")]:
        if candidate and pathlib.Path(candidate).exists():
            return str(candidate)
    return None


@pytest.fixture(scope="session")
def program():
    """Runs the program and returns its standard output and standard error."""
    path = find_program()
    if path is None:
        pytest.skip("the program is not built (cargo build --release): nothing is compared with it")

    def run(*arguments):
        outcome = subprocess.run([path, *map(str, arguments)], capture_output=True, cwd=ROOT)
        assert outcome.returncode in (0, 1), outcome.stderr.decode()
        return outcome.stdout, outcome.stderr.decode()

    return run


def files():
    """PGN files: those of the project, and those of the corpus if available."""
    found = sorted(FIXTURES.glob("*.pgn"))
    assert found
    real = [CORPUS / name for name in SAMPLES] if CORPUS.is_dir() else []
    assert all(path.exists() for path in real), "the corpus is there, but not all of it"
    return found + real


def corpus_file(name):
    """A PGN file of the corpus; without it the test is skipped."""
    path = CORPUS / name
    if not path.exists():
        pytest.skip(f"{name} is missing: it belongs to the corpus in ../shared/corpus, outside of the repository")
    return path


def pytest_report_header():
    where = "in ../shared/corpus" if CORPUS.is_dir() else "absent: only fixtures are converted"
    return [f"program: {find_program() or 'not built'}", f"real games: {where}"]
