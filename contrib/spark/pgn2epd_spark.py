#!/usr/bin/env python3
"""`pgn2epd book` on Apache Spark: each task counts a range of a file with the program, Spark adds the counts up.

    python pgn2epd_spark.py --master 'local[*]' --ply ..24 --min-games 50 games.pgn --out counts --book book.epd
    spark-submit --files pgn2epd pgn2epd_spark.py --binary ./pgn2epd --ply ..24 /data/*.pgn --out /data/counts

The options for counting and selection are those of `pgn2epd book`. See docs/cluster.md.
"""

import argparse
import collections
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading

import pyarrow as pa
from pyspark import SparkConf, TaskContext
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

# Counting options, for the program in each task: with a value, and without.
COUNT = ["--where", "--ply", "--move", "--omit", "--queens", "--pieces", "--eval", "--on-error", "--max-game-bytes"]
COUNT_FLAGS = ["--last", "--variations", "--once-per-game", "--keep-moves"]
ROOM = ["--memory", "--temp-dir"]
# Selection options, for the final `pgn2epd book merge`; the first three also apply to --out.
CHOOSE = ["--min-games", "--min-score", "--max-score", "--unknown-result", "--sample", "--seed", "--order", "--format", "--ops", "--preset"]
CHOOSE_FLAGS = ["--best-rated", "--equal-turns", "--metadata"]

# The columns of a partial result (docs/books.md).
SUMS = ["games", "white", "draws", "black", "rated", "rating_sum"]
PLACE = "file: string, game: long, ply: long, halfmoves: long, fullmoves: long, eval: long"
STORY = "outcome: long, year: long, white: string, black: string, start: string, moves: binary"
SCHEMA = f"""counted string, key binary, move long, {" long, ".join(SUMS)} long, first_year long, last_year long,
    first struct<{PLACE}>, strongest struct<minus_elo_sum: long, {PLACE}, {STORY}>"""
END_OF_STREAM = b"\xff\xff\xff\xff\0\0\0\0"


class Pipe:
    """The output of a program, with its last bytes."""

    def __init__(self, file):
        self.file, self.last, self.closed = file, b"", False

    def read(self, size=-1):
        data = self.file.read(size)
        self.last = (self.last + data)[-len(END_OF_STREAM) :]
        return data


def count(args, paths, start, end, folder=None):
    """The counts of whole files, or of a range of one, from the program; an error unless it succeeds and the stream has its end marker."""
    binary = os.path.abspath(args.binary) if os.sep in args.binary else args.binary
    options = [f"--jobs={TaskContext.get().cpus()}", *given(args, COUNT + ROOM, COUNT_FLAGS)]
    if end is not None:
        options.append(f"--range={start}:{end}")
    command = [binary, "book", "--partial", "--format=arrow", *options, "-o", "-", "--", *paths]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    program = subprocess.Popen(command, cwd=folder, **pipes)
    said = []

    def listen():
        for line in program.stderr:
            print(line.decode(errors="replace"), end="", file=sys.stderr, flush=True)
            said[:] = said[-19:] + [line.decode(errors="replace")]

    listener = threading.Thread(target=listen)
    listener.start()
    output, failure = Pipe(program.stdout), ""
    try:
        yield from pa.ipc.open_stream(output)
        output.read()
    except pa.ArrowInvalid as error:
        failure = str(error)
    except BaseException:
        program.kill()  # the task was aborted
        raise
    finally:
        program.stdout.close()
        status = program.wait()
        listener.join()
    is_well = status == 0 or status == 1 and args.allow_bad_games
    if not is_well or failure or output.last != END_OF_STREAM:
        reason = "".join(said).strip() or failure or "its output has no end"
        raise RuntimeError(f"{shlex.join(command)}: exit status {status}\n{reason}")


def fetched(args, paths, start, end):
    """The same for an object that is fetched first."""
    [path] = paths
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.basename(path)
        command = args.fetch.format(shlex.quote(path), shlex.quote(file))
        subprocess.run(command, shell=True, check=True, cwd=folder)
        yield from count(args, [file], start, end, folder)


def add_up(counts):
    """One row per move of each position; all rows of a position go to one task."""
    return counts.repartition("key").groupBy("counted", "key", "move").agg(
        *(F.sum(name).alias(name) for name in SUMS),
        F.min("first_year").alias("first_year"),
        F.max("last_year").alias("last_year"),
        F.min("first").alias("first"),
        F.min("strongest").alias("strongest"),
    )


def unknown_is_draw(args):
    """Whether games without a result count as draws: like in the program, by default only in a Polyglot book."""
    is_polyglot = args.format == "bin" or args.format is None and str(args.book or "").endswith(".bin")
    return args.unknown_result == "draw" or args.unknown_result is None and is_polyglot


def choose(counts, args):
    """Selects positions by games and score, with all their moves. Computes with integers, like the program."""
    games, white, draws, black = (F.sum(name).over(Window.partitionBy("key")) for name in SUMS[:4])
    if unknown_is_draw(args):
        draws = games - white - black
    points, most_points = (2 * white + draws) * 1_000_000, 2 * (white + draws + black)
    millionths = lambda share: int(float(share) * 1e6 + 0.5)
    conditions = []
    if args.min_games is not None:
        conditions.append(games >= int(args.min_games))
    if args.min_score is not None:
        conditions.append((most_points > 0) & (points >= millionths(args.min_score) * most_points))
    if args.max_score is not None:
        conditions.append((most_points > 0) & (points < (millionths(args.max_score) + 1) * most_points))
    for condition in conditions:
        counts = counts.withColumn("wanted", condition)
        counts = counts.where("wanted").drop("wanted")
    return counts


def given(args, names, flags):
    """The given options among these."""
    value = lambda name: getattr(args, name[2:].replace("-", "_"))
    return [f"{name}={value(name)}" for name in names if value(name) is not None] + [f for f in flags if value(f)]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", help="files of games or positions, under the same path for the driver and all workers")
    parser.add_argument("--files-from", help="a file with the names of more files, one per line; - for standard input")
    parser.add_argument("--out", required=True, help="new folder for the counts, in Parquet")
    parser.add_argument("--book", help="write a book from --out, with `book merge` on the driver")
    parser.add_argument("--binary", default="pgn2epd", help="the program, for the driver and the workers")
    parser.add_argument("--size", default="256M", help="the maximum range of a task, and of small files together [default: 256M]")
    parser.add_argument("--fetch", help="command to fetch a file without a path, for example 'aws s3 cp {} {}'; one task per file")
    parser.add_argument("--master", help="as for spark-submit: local[*], spark://HOST:7077, yarn, k8s://...")
    parser.add_argument("--allow-bad-games", action="store_true", help="games with errors do not fail the job")
    for name in COUNT + ROOM + CHOOSE:
        parser.add_argument(name)
    for name in COUNT_FLAGS + CHOOSE_FLAGS:
        parser.add_argument(name, action="store_true")
    args = parser.parse_args()
    if args.files_from:
        with sys.stdin if args.files_from == "-" else open(args.files_from) as lines:
            args.files += [line.rstrip("\n") for line in lines if line.strip()]
    if not args.files:
        parser.error("no files: name some, or give --files-from")
    return args


# The number of names in the arguments of one run of the program.
NAMES = 500
# Tasks with less text than this cost more than they gain.
LEAST = 4 << 20


# Tables and training data are not divided: their parts lack the header, or begin within an entry.
UNDIVIDED = re.compile(r"\.(csv|tsv|fns|jsonl?|parquet|arrow|feather|plain|vf|viriformat|binpack|bullet|bulletformat|marlinformat)(\.\w+)?$")


def ranges(args):
    """The ranges of all files, each with its path."""
    files = [path for name in args.files for path in sorted(glob.glob(name)) or [name]]
    yield from ((path, 0, os.path.getsize(path)) for path in files if UNDIVIDED.search(path))
    files = [path for path in files if not UNDIVIDED.search(path)]
    for first in range(0, len(files), NAMES):
        command = [args.binary, "splits", f"--size={args.size}", *files[first : first + NAMES]]
        lines = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        for split in map(json.loads, lines.stdout.splitlines()):
            yield split["path"], split["start"], split["end"]


def tasks(args, cores):
    """What each task counts, the largest first: the paths of whole files, or one path with the start and the end of a range."""
    if args.fetch:
        return [([path], 0, None) for path in args.files]
    splits = list(ranges(args))
    parts = collections.Counter(path for path, _, _ in splits)
    sizes, small = [], []
    for path, start, end in splits:
        if parts[path] == 1:
            small.append((min(end - start, os.path.getsize(path)), path))
        else:
            sizes.append((end - start, ([path], start, end)))
    # Small files share a task, but each core gets one.
    most = min(size_of(args.size), max(LEAST, sum(size for size, _ in small) // cores))
    paths, together = [], 0
    for size, path in small:
        if paths and (together + size > most or len(paths) == NAMES):
            sizes.append((together, (paths, 0, None)))
            paths, together = [], 0
        paths.append(path)
        together += size
    if paths:
        sizes.append((together, (paths, 0, None)))
    return [task for _, task in sorted(sizes, key=lambda sized: -sized[0])]


def size_of(text):
    """A number of bytes, or with K, M or G."""
    unit = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:].upper())
    return int(text[:-1]) * unit if unit else int(text)


def choose_python(args):
    """The Python of the workers: for a local master that of the driver; otherwise whoever runs the job must know."""
    conf = SparkConf()
    master = args.master or conf.get("spark.master", "local")
    if "PYSPARK_PYTHON" in os.environ or conf.get("spark.pyspark.python"):
        return
    if master.startswith("local"):
        os.environ["PYSPARK_PYTHON"] = sys.executable
    else:
        print(
            "pgn2epd_spark: the workers run `python3`, which needs pyarrow; for another one set PYSPARK_PYTHON or spark.pyspark.python",
            file=sys.stderr,
        )


def main():
    args = arguments()
    choose_python(args)
    builder = SparkSession.builder.appName("pgn2epd book")
    spark = (builder.master(args.master) if args.master else builder).getOrCreate()
    work = tasks(args, spark.sparkContext.defaultParallelism)

    def task(batches):
        for batch in batches:
            for row in batch.to_pylist():
                yield from (fetched if args.fetch else count)(args, row["paths"], row["start"], row["end"])

    rows = spark.sparkContext.parallelize(work, len(work))
    rows = spark.createDataFrame(rows, "paths array<string>, start long, end long")
    choose(add_up(rows.mapInArrow(task, SCHEMA)), args).write.parquet(args.out)
    spark.stop()
    if args.book:
        parts = sorted(glob.glob(os.path.join(args.out, "*.parquet")))
        options = given(args, ROOM + CHOOSE, CHOOSE_FLAGS)
        subprocess.run([args.binary, "book", "merge", *options, *parts, "-o", args.book], check=True)


if __name__ == "__main__":
    main()
