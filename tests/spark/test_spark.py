#!/usr/bin/env python3
"""A book made on Spark equals the book made on a single machine, even if executors or workers fail.

    PGN2EPD=target/release/pgn2epd python3 tests/spark/test_spark.py

It needs Java and contrib/spark/requirements.txt; the program must be built with the feature arrow.
"""

import gzip
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pyspark

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("PGN2EPD", ROOT / "target/release/pgn2epd")).resolve()
SCRIPT = ROOT / "contrib/spark/pgn2epd_spark.py"
SPARK = Path(pyspark.__file__).parent
# Workers run the Python of this environment, which has pyarrow.
ENV = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
# Longer than any step takes.
PATIENCE = int(os.environ.get("SPARK_PATIENCE", 300))
OPTIONS = ["--ply=..10"]
SUMS = ["games", "white", "draws", "black", "rated", "rating_sum"]
COLUMNS = ["key", "move", *SUMS, "first_year", "last_year", "first", "strongest"]


def corpus():
    """PGN files: those of the shared corpus, otherwise those of the fixtures."""
    shared = ROOT.parent / "shared/corpus"
    files = [*shared.glob("*.pgn*"), *shared.glob("chess_db/*.pgn")] or [*(ROOT / "fixtures").glob("*.pgn")]
    return sorted(map(str, files))


def program(*arguments, statuses=(0, 1)):
    """The output of the program."""
    done = subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE)
    assert done.returncode in statuses, done.stderr.decode()
    return done.stdout.decode()


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def is_open(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def wait_until(what, condition, patience=PATIENCE):
    """Waits for the condition and returns its value."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    raise AssertionError(f"timeout while waiting until {what}")


def rows(table):
    """Counts by position and move, each of which must be unique."""
    counts = {(row["key"], row["move"]): row for row in table.select(COLUMNS).to_pylist()}
    assert len(counts) == table.num_rows, "a move of a position has more than one row"
    return counts


def without_numbers(book):
    """JSON lines without game numbers, which differ in ranges."""
    return re.sub(r'"(first|strongest)_game":\d+', "", book)


class Job:
    """A run of the script, with its log."""

    def __init__(self, folder, master, arguments, conf=(), binary=PROGRAM, cwd=None):
        self.out, self.log = folder / "counts", folder / "log"
        shutil.rmtree(self.out, ignore_errors=True)
        self.port = free_port()
        conf = {"spark.ui.port": self.port, "spark.ui.showConsoleProgress": "false", "spark.executor.memory": "1g",
                "spark.sql.shuffle.partitions": 4, "spark.cores.max": 2, "spark.executor.cores": 1, **dict(conf)}
        options = [part for item in conf.items() for part in ("--conf", "=".join(map(str, item)))]
        files = ["--files", str(binary)] if cwd else []
        binary = f"./{binary.name}" if cwd else binary
        command = [SPARK / "bin/spark-submit", "--master", master, *options, *files, SCRIPT,
                   "--binary", binary, "--size=200K", "--allow-bad-games", *OPTIONS, *arguments, "--out", self.out]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(list(map(str, command)), env=ENV, cwd=cwd, stdout=log, stderr=log,
                                            start_new_session=True)

    def said(self):
        return self.log.read_text(errors="replace")

    def finish(self, well=True):
        """Waits for the end of the run; a timeout is a failure."""
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.end()
            raise AssertionError(f"it hangs\n{self.said()[-5000:]}") from None
        assert (status == 0) == well, f"exit status {status}\n{self.said()[-5000:]}"

    def end(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def ask(self, what):
        """The answer of Spark's REST interface about the run; empty while it is not available."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/applications{what}", timeout=5) as page:
                return json.load(page)
        except (OSError, ValueError):
            return []


class OnSpark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = corpus()
        cls.folder = Path(tempfile.mkdtemp(prefix="pgn2epd-spark-"))
        splits = program("splits", "--size=200K", *cls.files).splitlines()
        cls.splits = [json.loads(line) for line in splits]
        assert len(cls.splits) >= 16, len(cls.splits)
        parts = []
        for number, split in enumerate(cls.splits):
            parts.append(cls.folder / f"{number}.part")
            bytes_ = f"--range={split['start']}:{split['end']}"
            program("book", "--partial", *OPTIONS, bytes_, split["path"], "-o", parts[-1])
        cls.merged = program("book", "merge", "--format=jsonl", "--order=key", *parts)
        program("book", "merge", "--partial", *parts, "-o", cls.folder / "merged.arrow")
        cls.rows = rows(pa.ipc.open_stream(cls.folder / "merged.arrow").read_all())
        alone = program("book", *OPTIONS, "--format=jsonl", "--order=key", *cls.files)
        assert without_numbers(alone) == without_numbers(cls.merged), "the whole differs from its own ranges"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def setUp(self):
        self.here = Path(tempfile.mkdtemp(dir=self.folder))

    def job(self, *arguments, **options):
        job = Job(self.here, *arguments, **options)
        self.addCleanup(job.end)
        return job

    def assert_equal(self, job):
        """The counts equal those of `book merge`, row by row, and the book from them is equal, byte by byte."""
        self.assertTrue((job.out / "_SUCCESS").exists())
        counts = rows(pq.read_table(job.out))
        self.assertTrue(counts.keys() == self.rows.keys(), f"{len(counts)} moves instead of {len(self.rows)}")
        for key, row in self.rows.items():
            self.assertEqual(counts[key], row)
        parts = sorted(job.out.glob("*.parquet"))
        merged = program("book", "merge", "--format=jsonl", "--order=key", *parts)
        self.assertTrue(merged == self.merged, "the same counts give another book")

    def gate(self):
        """The program behind gate.py, which blocks the third task of an executor."""
        notes = self.here / "notes"
        notes.mkdir()
        binary = self.here / "gated"
        binary.write_text(f"#!/bin/sh\nexec {sys.executable} {ROOT}/tests/spark/gate.py {PROGRAM} {notes} \"$@\"\n")
        binary.chmod(0o755)
        self.addCleanup((notes / "released").touch)
        return binary, notes

    def held(self, job, notes):
        """The executor that has the counts of two ranges and is working on a third."""
        def is_held():
            self.assertIsNone(job.process.poll(), job.said()[-5000:])
            return (notes / "held").exists()

        wait_until("an executor is at work", is_held)
        executor = int((notes / "held").read_text())
        self.assertEqual(len(list(notes.glob(f"done-{executor}-*"))), 2)
        self.assertIn("CoarseGrainedExecutorBackend", Path(f"/proc/{executor}/cmdline").read_text())
        return executor

    def assert_done_again(self, notes, victim):
        """The results of the victim were lost, and computed again by other executors."""
        done = [(int(note.name.split("-")[1]), note.read_text()) for note in notes.glob("done-*")]
        lost = {task for executor, task in done if executor == victim}
        self.assertEqual(len(lost), 2)
        self.assertLessEqual(lost, {task for executor, task in done if executor != victim})

    def test_counts_are_equal(self):
        job = self.job("local-cluster[2,1,1024]", self.files)
        job.finish()
        self.assert_equal(job)

    def test_a_book_equals_that_of_one_machine(self):
        book = self.here / "book.jsonl"
        choice = ["--min-games=2", "--min-score=0.4", "--max-score=0.7", "--order=count"]
        job = self.job("local[2]", [*choice, "--book", book, *self.files])
        job.finish()
        alone = program("book", "--format=jsonl", *OPTIONS, *choice, *self.files)
        self.assertTrue(without_numbers(book.read_text()) == without_numbers(alone))
        self.assertLess(pq.read_table(job.out).num_rows, len(self.rows) / 2)

    def test_counts_are_equal_when_a_counting_executor_dies(self):
        binary, notes = self.gate()
        job = self.job("local-cluster[2,1,1024]", self.files, binary=binary)
        victim = self.held(job, notes)
        os.kill(victim, signal.SIGKILL)
        job.finish()
        self.assert_done_again(notes, victim)
        self.assert_equal(job)

    def test_counts_are_equal_when_a_merging_executor_dies(self):
        conf = {"spark.sql.shuffle.partitions": 200, "spark.sql.adaptive.enabled": "false"}
        job = self.job("local-cluster[2,1,1024]", self.files, conf=conf)

        def adding_up():
            self.assertIsNone(job.process.poll(), f"it came to its end before\n{job.said()[-5000:]}")
            for app in job.ask(""):
                stages = job.ask(f"/{app['id']}/stages?status=active")
                if not any(s["shuffleReadBytes"] > 0 and s["numCompleteTasks"] < s["numTasks"] / 2 for s in stages):
                    continue
                for executor in job.ask(f"/{app['id']}/executors"):
                    # The executor has unread counts and is working.
                    if executor["activeTasks"] > 0 and executor["totalShuffleWrite"] > 0:
                        return app["id"], executor["id"]

        app, victim = wait_until("an executor adds up", adding_up)
        os.kill(process_of(app, victim), signal.SIGKILL)
        self.assertIsNone(job.process.poll())
        job.finish()
        self.assertRegex(job.said(), rf"Lost executor {victim} ")
        self.assert_equal(job)

    def test_counts_are_equal_when_a_worker_dies(self):
        port, processes = free_port(), []

        def start(kind, *arguments):
            env = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_WORKER_DIR": str(self.here / "work")}
            with open(self.here / f"{kind}-{len(processes)}", "wb") as log:
                command = [SPARK / "bin/spark-class", f"org.apache.spark.deploy.{kind}", *arguments]
                process = subprocess.Popen(list(map(str, command)), env=env, stdout=log, stderr=log)
            processes.append(process)
            self.addCleanup(lambda: (process.kill(), process.wait()))
            return process

        url = f"spark://127.0.0.1:{port}"
        host = ["--host", "127.0.0.1", "--webui-port"]
        start("master.Master", *host, free_port(), "--port", port)
        workers = [start("worker.Worker", *host, free_port(), "--cores", 1, "--memory", "2g", url) for _ in range(2)]
        wait_until("there is a master", lambda: is_open(port))
        binary, notes = self.gate()
        # The program is copied to the workers.
        job = self.job(url, self.files, binary=binary, cwd=self.here)
        executor = self.held(job, notes)
        parent = int(Path(f"/proc/{executor}/stat").read_text().rsplit(")", 1)[1].split()[1])
        self.assertIn(parent, [worker.pid for worker in workers])
        os.kill(parent, signal.SIGKILL)
        job.finish()
        self.assert_done_again(notes, executor)
        self.assert_equal(job)

    def test_a_failing_range_fails_the_job_with_our_message(self):
        torn = self.here / "torn.pgn.gz"
        torn.write_bytes(gzip.compress(b"[Event \"x\"]\n\n1. e4 e5 1-0\n\n" * 400_000)[:-2000])
        job = self.job("local-cluster[2,1,1024]", [*self.files[:4], torn])
        job.finish(well=False)
        self.assertRegex(job.said(), rf"exit status 2\n(.*\n)*?pgn2epd: cannot read {re.escape(str(torn))}: ")
        self.assertFalse((job.out / "_SUCCESS").exists())

    def test_a_bad_game_fails_the_job_unless_allowed(self):
        bad = self.here / "bad.pgn"
        bad.write_text('[Event "x"]\n\n1. e4 Ke5 1-0\n')
        arguments = [bad]
        job = self.job("local[1]", arguments)
        job.finish()
        strict = subprocess.run(
            [sys.executable, SCRIPT, "--master=local[1]", "--binary", PROGRAM, bad, "--out", self.here / "strict"],
            env=ENV, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE,
        )
        self.assertNotEqual(strict.returncode, 0)
        said = strict.stdout.decode()
        self.assertRegex(said, r"exit status 1\n.*bad.pgn:3:7: game 1, 1... Ke5: illegal: no black king can reach e5")
        self.assertFalse((self.here / "strict/_SUCCESS").exists())


class ThePage(unittest.TestCase):
    """The commands of docs/cluster.md are run as they are written, in a folder that looks like the one they assume."""

    def setUp(self):
        self.here = Path(tempfile.mkdtemp(prefix="pgn2epd-spark-page-"))
        self.addCleanup(shutil.rmtree, self.here)
        (self.here / "target/release").mkdir(parents=True)
        (self.here / "data").mkdir()
        shutil.copy(PROGRAM, self.here / "target/release/pgn2epd")
        (self.here / "contrib").symlink_to(ROOT / "contrib")
        # The environment of the page; here it is the one that runs the test.
        (self.here / "venv").symlink_to(sys.prefix)
        for name in ["games.pgn", "data/a.pgn", "data/b.pgn"]:
            shutil.copy(ROOT / "fixtures/classics.pgn", self.here / name)
        self.port = free_port()

    def commands(self, heading):
        """The commands below a heading of the page, until the next one."""
        page = (ROOT / "docs/cluster.md").read_text()
        section = page.split(f"**{heading}**")[1].split("\n**")[0]
        joined = "\n".join(line[4:] for line in section.splitlines() if line.startswith("    ")).replace("\\\n", " ")
        places = {"HOST:7077": f"127.0.0.1:{self.port}", "/data": f"{self.here}/data"}
        for name, place in places.items():
            joined = joined.replace(name, place)
        return joined.splitlines()

    def start(self, command, name):
        env = {key: value for key, value in os.environ.items() if not key.startswith("PYSPARK")}
        env |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_WORKER_DIR": str(self.here / "work")}
        with open(self.here / name, "wb") as log:
            script = f". venv/bin/activate && {command}"
            process = subprocess.Popen(["bash", "-c", script], env=env, cwd=self.here, stdout=log, stderr=log,
                                       stdin=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(lambda: process.poll() is None and (os.killpg(process.pid, signal.SIGKILL), process.wait()))
        return process

    def run_command(self, command):
        process = self.start(command, "log")
        status = process.wait(PATIENCE)
        self.assertEqual(status, 0, f"{command}\n{(self.here / 'log').read_text(errors='replace')[-5000:]}")

    def test_one_machine(self):
        [command] = self.commands("One machine.")
        # Three games have no position in common 50 times.
        self.run_command(command.replace("--min-games 50", "--min-games 2"))
        alone = program("book", "--ply=..24", "--min-games=2", self.here / "games.pgn")
        self.assertEqual((self.here / "book.epd").read_text(), alone)

    def test_standalone_cluster(self):
        master, worker, *job = self.commands("Standalone cluster.")
        self.start(f"{master} --host 127.0.0.1 --port {self.port} --webui-port {free_port()}", "master")
        wait_until("there is a master", lambda: is_open(self.port))
        self.start(f"{worker} --host 127.0.0.1 --webui-port {free_port()} --cores 2 --memory 2g", "worker")
        for command in job:
            self.run_command(command)
        files = [self.here / "data/a.pgn", self.here / "data/b.pgn"]
        self.assertTrue((self.here / "data/counts/_SUCCESS").exists())
        program("book", "--partial", "--ply=..24", *files, "-o", self.here / "alone.arrow")
        alone = rows(pa.ipc.open_stream(self.here / "alone.arrow").read_all())
        self.assertEqual(rows(pq.read_table(self.here / "data/counts")).keys(), alone.keys())

    def test_many_small_files(self):
        games = (ROOT / "fixtures/immortal.pgn").read_bytes()
        names = [self.here / f"data/{number}.pgn" for number in range(3000)]
        for name in names:
            name.write_bytes(games)
        (self.here / "names.txt").write_text("".join(f"{name}\n" for name in names))
        began = time.monotonic()
        self.run_command("python contrib/spark/pgn2epd_spark.py --master 'local[2]' --binary target/release/pgn2epd --ply ..10 "
                         "--files-from names.txt --out counts --book book.jsonl")
        print(f"3,000 files of one game: {time.monotonic() - began:.1f} s", file=sys.stderr)
        alone = program("book", "--format=jsonl", "--ply=..10", *names)
        self.assertEqual(without_numbers((self.here / "book.jsonl").read_text()), without_numbers(alone))


def process_of(app, executor):
    """The process of an executor."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            arguments = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        pairs = list(zip(arguments, arguments[1:]))
        if ("--executor-id", executor) in pairs and ("--app-id", app) in pairs:
            return int(process.name)
    raise AssertionError(f"executor {executor} has no process")


if __name__ == "__main__":
    unittest.main(verbosity=2)
