#!/usr/bin/env python3
"""The data source on Spark gives the rows of one machine, even if workers fail.

    python3 tests/spark/test_spark.py

It needs Java, tests/spark/requirements.txt, and the package pgn2epd.
"""

import gzip
import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import pyarrow as pa
import pyspark
from pyspark.sql import SparkSession

import pgn2epd
import pgn2epd.spark

ROOT = Path(__file__).resolve().parents[2]
SPARK = Path(pyspark.__file__).parent
# Longer than any step takes.
PATIENCE = int(os.environ.get("SPARK_PATIENCE", 300))
SIZE = 60_000
ENV = {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(SPARK), "PYTHONWARNINGS": "ignore"}
os.environ.update(ENV)

POSITIONS = [
    {},
    {"where": "WhiteElo >= 2000 and ply > 10"},
    {"columns": "file,offset,ply,key,board,bitboards,packed", "omit": "check,start"},
    {"columns": "file,offset,White,clock,date,legal_moves"},
    {"columns": "record,file,offset", "ops": "none", "registers": "off", "add": "id={file}:{offset}"},
    {"last": True, "columns": "file,offset,fen,result"},
    {"ply": "8..24", "ep": "legal", "castling": "shredder"},
    {"variations": True, "columns": "file,offset,fen,nags"},
    {"on_error": "skip", "columns": "file,offset,uci"},
    {"rows": "games"},
]
def wait_until(what, condition):
    """Waits for the condition and returns its value."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError(f"timeout while waiting until {what}")


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def is_open(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def program(*arguments):
    command = [sys.executable, "-m", "pgn2epd", *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.stdout


def sorted_rows(rows):
    return sorted(repr(sorted(row.items())) for row in rows)


def frames(text):
    """Zstandard in frames, with a table of their sizes at the end, so that it can be divided."""
    parts = [text[at : at + 20_000] for at in range(0, len(text), 20_000)]
    stored = [pa.Codec("zstd").compress(part, asbytes=True) for part in parts]
    table = b"".join(struct.pack("<2I", len(frame), len(part)) for frame, part in zip(stored, parts))
    head, end = struct.pack("<2I", 0x184D2A5E, len(table) + 9), struct.pack("<IBI", len(parts), 0, 0x8F92EAB1)
    return b"".join([*stored, head, table, end])


class Cluster:
    """A standalone master with two workers on the loopback."""

    def __init__(self, folder):
        self.processes, port = [], free_port()
        self.url = f"spark://127.0.0.1:{port}"
        host = ["--host", "127.0.0.1", "--webui-port", free_port()]
        self.folder = folder
        self.start("master.Master", *host, "--port", port)
        wait_until("there is a master", lambda: is_open(port))
        self.workers = [self.add_worker() for _ in range(2)]

    def add_worker(self):
        host = ["--host", "127.0.0.1", "--webui-port", free_port(), "--work-dir", self.folder / "work"]
        return self.start("worker.Worker", *host, "--cores", 1, "--memory", "1g", self.url)

    def start(self, kind, *arguments):
        command = [SPARK / "bin/spark-class", f"org.apache.spark.deploy.{kind}", *arguments]
        with open(self.folder / f"{kind}-{len(self.processes)}", "wb") as log:
            self.processes.append(subprocess.Popen(list(map(str, command)), stdout=log, stderr=log, start_new_session=True))
        return self.processes[-1]

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()


class OnSpark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="pgn2epd-spark-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = Path(temporary.name)
        cls.cluster = Cluster(cls.folder)
        cls.addClassCleanup(cls.cluster.stop)
        conf = {"spark.ui.enabled": "false", "spark.executor.memory": "512m", "spark.sql.shuffle.partitions": 4,
                "spark.ui.showConsoleProgress": "false", "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
                "spark.executorEnv.PYTHONWARNINGS": "ignore"}
        cls.spark = SparkSession.builder.master(cls.cluster.url).config(map=conf).getOrCreate()
        cls.addClassCleanup(cls.spark.stop)
        cls.spark.sparkContext.setLogLevel("ERROR")
        cls.spark.dataSource.register(pgn2epd.spark.Games)
        cls.files = cls.corpus()

    @classmethod
    def corpus(cls):
        """Games as text, compressed as a whole and in frames, and many small files."""
        shared = ROOT.parent / "shared/corpus"
        games = [shared / name for name in ("twic1599_first555.pgn", "lichess_2025-05_first219.pgn", "worldcup2005.pgn")]
        games = [path.read_bytes()[:400_000] for path in games if path.exists()]
        games += [path.read_bytes() for path in sorted((ROOT / "fixtures").glob("*.pgn"))] + [b"1. e4 Ke5 1-0\n\n1. d4 *\n"]
        files = []
        for number, text in enumerate(games):
            pack, suffix = [(bytes, ""), (frames, ".zst"), (gzip.compress, ".gz")][number % 3]
            files.append(cls.folder / f"games-{number:02} [x].pgn{suffix}")
            files[-1].write_bytes(pack(text))
        return list(map(str, files))

    def read(self, files, **options):
        return self.spark.read.format("pgn2epd").options(**options).load(files)

    def test_rows_are_those_of_one_machine(self):
        for options in POSITIONS:
            with self.subTest(options):
                size = random.randrange(20_000, 100_000)
                rows = self.read(self.files, size=size, **options).toArrow()
                options = dict(options)
                columns = options.pop("columns", ",".join(rows.column_names))
                table = pa.table(pgn2epd.to_arrow(self.files, columns, problems=[], **options))
                rows, table = ([{name: as_signed(value) for name, value in row.items()} for row in t.to_pylist()] for t in (rows, table))
                self.assertGreater(len(rows), 0)
                self.assertEqual(sorted_rows(rows), sorted_rows(table))

    def test_a_game_is_identified_by_its_file_and_its_offset(self):
        rows = self.read(self.files, size=SIZE, columns="file,offset,ply,White", ply="0..0").collect()
        self.assertEqual(len({(row.file, row.offset) for row in rows}), len(rows))
        for row in rows:
            if row.file.endswith(".pgn") and row.White:
                with open(row.file, "rb") as file:
                    file.seek(row.offset)
                    self.assertIn(f'[White "{row.White}"]', file.read(2000).decode(errors="replace").split("\n\n")[0])

    def test_a_worker_may_die(self):
        tracker = self.spark.sparkContext.statusTracker()
        result = []

        def count():
            rows = self.read(self.files * 4, size=40_000, columns="file,offset,fen")
            result.extend(rows.groupBy("fen").count().collect())

        thread = threading.Thread(target=count)
        thread.start()

        def stages():
            return [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]

        wait_until("tasks are done", lambda: any(2 <= s.numCompletedTasks < s.numTasks / 2 for s in stages() if s))
        worker = self.cluster.workers.pop()
        executors = subprocess.run(["pgrep", "-P", str(worker.pid)], stdout=subprocess.PIPE, check=True).stdout.split()
        for process in [worker.pid, *map(int, executors)]:
            os.kill(process, signal.SIGKILL)
        self.cluster.workers.append(self.cluster.add_worker())
        thread.join(PATIENCE)
        table = pa.table(pgn2epd.to_arrow(self.files * 4, "fen", problems=[]))
        expected = {row["fen"]: row["fen_count"] for row in table.group_by("fen").aggregate([("fen", "count")]).to_pylist()}
        self.assertEqual({row.fen: row["count"] for row in result}, expected)

    def test_mistakes_are_found_before_any_work(self):
        for options, message in [
            ({"wher": "x"}, "Did you mean 'where'"),
            ({"where": "elo >"}, "expected"),
            ({"columns": "game"}, "file and offset"),
            ({"unique": True}, "depends on all rows"),
        ]:
            with self.subTest(options), self.assertRaisesRegex(Exception, message):
                self.read(self.files, **options)
        with self.assertRaisesRegex(Exception, "no file matches"):
            self.read(str(self.folder / "*.nothing"))

    def test_every_damaged_file_is_reported(self):
        torn = []
        for number in range(2):
            torn.append(str(self.folder / f"torn-{number}.pgn.gz"))
            Path(torn[-1]).write_bytes(gzip.compress(b'[Event "x"]\n\n1. e4 e5 1-0\n\n' * 40_000)[:-20])
        files = [*self.files, *torn]
        problems = self.read(files, rows="problems", size=SIZE).orderBy("severity").collect()
        self.assertEqual({row.file for row in problems if row.kind == "unreadable"}, set(torn))
        listed = []
        pgn2epd.convert(self.files, os.devnull, problems=listed)
        expected = sorted((p.severity, p.kind, p.file, p.byte, p.token) for p in listed)
        found = sorted((p.severity, p.kind, p.file, p.byte, p.token) for p in problems if p.kind != "unreadable")
        self.assertEqual(found, expected)
        totals = self.read(files, rows="totals", size=SIZE).groupBy().sum("games", "errors").first()
        self.assertEqual(totals["sum(errors)"], sum(p.severity == "error" for p in listed))
        with self.assertRaisesRegex(Exception, "cannot read .*torn"):
            self.read(files).count()

    def test_many_small_files(self):
        data = self.folder / "small"
        data.mkdir()
        game = (ROOT / "fixtures/immortal.pgn").read_bytes()
        for number in range(3000):
            (data / f"{number}.pgn").write_bytes(game)
        for local in (False, True):
            code = "import sys; from pyspark.sql import SparkSession; import pgn2epd.spark\n" \
                "spark = SparkSession.builder.master('local[2]').config('spark.ui.enabled', 'false').getOrCreate()\n" \
                "spark.dataSource.register(pgn2epd.spark.Games)\n" \
                "print(spark.read.format('pgn2epd').load(sys.argv[1]).groupBy('fen').count().count())\n"
            began = time.monotonic()
            if local:
                code = [sys.executable, "-c", code, f"{data}/*.pgn"]
                unique = int(subprocess.run(code, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)
            else:
                unique = self.read(f"{data}/*.pgn").groupBy("fen").count().count()
            print(f"3,000 files of one game{' with start-up' if local else ''}: {time.monotonic() - began:.1f} s", file=sys.stderr)
            self.assertEqual(unique, 46)

    def test_the_recipes_of_the_page(self):
        data = self.folder / "data"
        data.mkdir()
        text = b"".join(gzip.open(path).read() if path.endswith(".gz") else Path(path).read_bytes()
                        for path in self.files if not path.endswith(".zst"))
        files = [data / "a.pgn.zst", data / "b.pgn.zst"]
        files[0].write_bytes(frames(text))
        files[1].write_bytes(frames(text[:300_000]))
        known = pa.table(pgn2epd.to_arrow(files, "epd", ep="legal", problems=[]))["epd"].unique().to_pylist()[::7]
        lines = [f'{{"fen":"{epd}","evals":[{{"pvs":[{{"cp":{n % 300},"line":""}}],"knodes":1,"depth":20}}]}}' for n, epd in enumerate(known)]
        (data / "lichess_db_eval.jsonl.zst").write_bytes(frames("\n".join(lines).encode()))
        page = (ROOT / "docs/cluster.md").read_text()
        names = {}
        for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
            block = block.replace("/data", str(data)).replace(".options(**", f".options(size={SIZE}, **")
            exec(block, names)
        one = lambda columns, **options: pa.table(pgn2epd.to_arrow(files, columns, problems=[], **options)).to_pylist()  # noqa: E731
        table = lambda name: self.spark.read.parquet(str(data / name)).toArrow().to_pylist()  # noqa: E731

        alone = program("book", "-q", "--ply=..24", "--min-games=50", "--format=jsonl", *files).splitlines()
        alone = [json.loads(line) for line in alone]
        self.assertEqual(sorted_rows(table("book")), sorted_rows({name: row[name] for name in ("epd", "games", "white", "draws", "black")} for row in alone))
        self.assertGreater(len(alone), 5)

        unique = table("unique")
        first = one("epd,file,offset,ply", unique=True, ep="legal")
        self.assertEqual(sorted_rows({k: v for k, v in row.items() if k != "games"} for row in unique), sorted_rows(first))
        self.assertEqual(sum(row["games"] for row in unique), len(one("ply")))

        evals = {row["epd"]: row for row in pa.table(pgn2epd.to_arrow(data / "lichess_db_eval.jsonl.zst", "epd,eval_cp,mate,depth", ep="legal")).to_pylist()}
        positions = one("file,offset,ply,epd,uci,result", ep="legal")
        self.assertEqual(sorted_rows(table("labelled")), sorted_rows({**row, **evals[row["epd"]]} for row in positions if row["epd"] in evals))

        training = table("training")
        parts = {}
        for row in training:
            parts.setdefault((row["file"], row["offset"]), set()).add(row.pop("part"))
        self.assertTrue(all(len(of_game) == 1 for of_game in parts.values()))
        self.assertEqual(sorted_rows(training), sorted_rows(one("file,offset,fen,uci,result")))


def as_signed(value):
    """A value of the package as other engines have it."""
    if isinstance(value, list):
        return [as_signed(one) for one in value]
    return value - (1 << 64) if isinstance(value, int) and value >= 1 << 63 else value


if __name__ == "__main__":
    unittest.main(verbosity=2)
