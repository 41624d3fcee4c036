#!/usr/bin/env python3
"""Batches of positions for training a network, from PGN files.

    python/examples/training_batches.py FILE.pgn...

With PyTorch, `Positions` is an `IterableDataset` whose batches are tensors; without it, they are NumPy arrays.
"""

import sys

import pyarrow
import pyarrow.compute

import pgn2epd

try:
    import torch
    from torch.utils.data import IterableDataset, get_worker_info
except ImportError:
    torch, IterableDataset = None, object


class Positions(IterableDataset):
    """Batches of three arrays with a row for each position: the board, whether White is to move, and the points of the side to move.

    A board has 64 numbers, for a1, b1 to h8: 0 for none, 1 to 6 for White's pawn, knight, bishop, rook, queen and king, 7 to 12 for
    Black's. `options` are those of `to_arrow`, such as `ply=(16, None)` or `where="WhiteElo >= 2000"`.

        loader = torch.utils.data.DataLoader(Positions(files, ply=(16, None)), batch_size=None)

    pgn2epd reads on all cores, so `num_workers=0` is enough; with more, the files are divided between the workers.
    """

    def __init__(self, files, batch_size=8192, **options):
        super().__init__()
        self.files, self.batch_size, self.options = list(files), batch_size, options

    def __iter__(self):
        files, options = self.files, self.options
        worker = get_worker_info() if torch else None
        if worker is not None:
            files, options = files[worker.id :: worker.num_workers], {"jobs": 1, **options}
        table = pgn2epd.to_arrow(files, ["board", "turn", "points"], **options)
        for rows in pyarrow.RecordBatchReader.from_stream(table):
            # A game without a result has no points, a position of a variant no board.
            known = pyarrow.compute.and_(rows["board"].is_valid(), rows["points"].is_valid())
            rows = rows.filter(known)
            boards = rows["board"].flatten().to_numpy().reshape(-1, 64)
            white = pyarrow.compute.equal(rows["turn"], "w").to_numpy(zero_copy_only=False)
            points = rows["points"].to_numpy().astype("float32")
            for first in range(0, len(rows), self.batch_size):
                batch = slice(first, first + self.batch_size)
                arrays = boards[batch], white[batch], points[batch]
                yield tuple(map(torch.tensor, arrays)) if torch else arrays


if __name__ == "__main__":
    for boards, white, points in Positions(sys.argv[1:]):
        print(tuple(boards.shape), boards.dtype, f"White to move: {int(white.sum())}", f"mean of the points: {float(points.mean()):.3f}")
