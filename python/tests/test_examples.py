"""The programs in python/examples, with PyTorch, with a substitute for it, and without."""

import importlib.util
import subprocess
import sys
import types

import pytest

import pgn2epd

from conftest import FIXTURES, ROOT

EXAMPLE = ROOT / "python" / "examples" / "training_batches.py"
FILES = [FIXTURES / "classics.pgn", FIXTURES / "immortal.pgn", FIXTURES / "chess960.pgn"]

numpy = pytest.importorskip("numpy", reason="NumPy is not installed")


class Worker:
    """What `get_worker_info` returns in a worker of a DataLoader."""

    def __init__(self, number, count):
        self.id, self.num_workers = number, count


def substitute(worker=None):
    """Modules with the part of PyTorch that the example uses; a tensor is a subclass of `list`."""
    torch, utils, data = (types.ModuleType(name) for name in ("torch", "torch.utils", "torch.utils.data"))
    data.IterableDataset = type("IterableDataset", (), {})
    data.get_worker_info = lambda: worker
    torch.Tensor = type("Tensor", (list,), {})
    torch.tensor = lambda array: torch.Tensor(array.tolist())
    torch.utils, utils.data = utils, data
    return {"torch": torch, "torch.utils": utils, "torch.utils.data": data}


def example(monkeypatch, modules):
    """The example as a module; `None` instead of a module makes its import fail."""
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    spec = importlib.util.spec_from_file_location("training_batches", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def expected(files, **options):
    """The rows of the batches, from records."""
    letters, points = ".PNBRQKpnbrqk", {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
    rows = []
    for record in pgn2epd.records(files, problems=[], **options):
        result = record.game.tags.get("Result")
        if result not in points:
            continue
        placement, turn, *_ = record.fields
        ranks = ["".join("." * int(c) if c.isdigit() else c for c in rank) for rank in placement.split("/")]
        white = turn == "w"
        score = points[result] if white else 1 - points[result]
        rows.append(([letters.index(c) for rank in reversed(ranks) for c in rank], white, score))
    return rows


def rows_of(batches):
    return [row for batch in batches for row in zip(*(values if isinstance(values, list) else values.tolist() for values in batch))]


def test_batches_are_arrays_without_pytorch(monkeypatch):
    positions = example(monkeypatch, {"torch": None}).Positions(FILES, batch_size=50, problems=[])
    batches = list(positions)
    assert {type(array) for batch in batches for array in batch} == {numpy.ndarray}
    assert max(len(boards) for boards, _, _ in batches) == 50
    assert batches[0][0].dtype == numpy.uint8 and batches[0][0].shape[1] == 64 and batches[0][2].dtype == numpy.float32
    assert rows_of(batches) == expected(FILES)
    assert rows_of(positions) == expected(FILES), "a second epoch"


def test_batches_are_tensors_with_pytorch(monkeypatch):
    modules = substitute()
    module = example(monkeypatch, modules)
    positions = module.Positions(FILES, where='White = "Morphy, Paul"', ply=(3, None))
    assert isinstance(positions, modules["torch.utils.data"].IterableDataset)
    batches = list(positions)
    assert {type(tensor) for batch in batches for tensor in batch} == {modules["torch"].Tensor}
    assert rows_of(batches) == expected(FILES, where='White = "Morphy, Paul"', ply=(3, None)) != []


def test_workers_divide_the_files(monkeypatch):
    rows = []
    for number in range(2):
        module = example(monkeypatch, substitute(Worker(number, 2)))
        rows.append(rows_of(module.Positions(FILES)))
        assert rows[-1] == expected(FILES[number::2]) != []
    assert len(rows[0]) + len(rows[1]) == len(expected(FILES))


def test_pytorch_loads_the_batches(monkeypatch):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    positions = example(monkeypatch, {}).Positions(FILES, batch_size=64)
    batches = list(torch.utils.data.DataLoader(positions, batch_size=None))
    assert batches[0][0].dtype == torch.uint8
    assert rows_of(batches) == expected(FILES)


def test_the_example_is_a_program():
    outcome = subprocess.run([sys.executable, EXAMPLE, *FILES[:1]], capture_output=True, check=True, cwd=ROOT)
    assert outcome.stdout.decode().startswith("(133, 64) "), outcome.stdout
