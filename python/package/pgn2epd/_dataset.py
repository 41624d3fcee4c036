"""Many files as one table that is read in parts, by one process or by many."""

from __future__ import annotations

import dataclasses
import fnmatch
import functools
import io
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow import fs  # type: ignore[import-untyped]

from pgn2epd._pgn2epd import ArrowTable, splits, to_arrow  # type: ignore[import-not-found]
from pgn2epd._problem import PgnError, PgnWarning, Problem
from pgn2epd._values import ByteRange

# What depends on all rows cannot be decided in a part.
OF_ALL_ROWS = ["unique", "unique_games", "keep", "conflicts", "skip", "limit", "sample", "sort", "shuffle"]

# The end of a range that is a whole file.
WHOLE = (1 << 63) - 1

# The size of a request to a store.
REQUEST = 4 << 20

# The number of files that a part has at most: they are open at the same time.
MOST_FILES = 500

# Batches with fewer rows cost more than their rows; each small file has one.
LEAST_ROWS = 10_000

# How often the text of a compressed file, of those that may be divided, is larger than the file at most.
MOST_COMPRESSED = 16

TYPES = {"str": pa.string(), "str | None": pa.string(), "int | None": pa.int64()}
PROBLEMS = pa.schema([(field.name, TYPES[str(field.type)]) for field in dataclasses.fields(Problem) if field.name != "index"])
COUNTS = ["games", "records", "bad_games", "left_out", "positions", "errors", "warnings", "notes", "bytes_read"]
TOTALS = pa.schema([("file", pa.string()), ("offset", pa.int64()), *((name, pa.int64()) for name in COUNTS), ("failure", pa.string())])

# The name of a file and a range in it.
Range = tuple[str, int, int]

# Scheme, user information, host, path and query of an address. In a path ? begins a query if a name and = follow, and is
# part of a pattern otherwise.
ADDRESS = r"([A-Za-z][\w+.-]*)://([^/?@]*@)?((?:\[[^\]]*\]|[^/?@:]*)(?::\d+)?)(?:/|$|(?=\?))(.*?)(\?[^/?=]+=.*)?"


class Dataset:
    """Many files as one table: the value of `pgn2epd.dataset`."""

    def __init__(
        self,
        paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        columns: str | Sequence[str] | None = None,
        *,
        rows: str = "positions",
        size: int | None = 128 << 20,
        **options: Any,
    ) -> None:
        self.rows, self.size, self.columns, self.options = rows, size, columns, options
        if rows not in ("positions", "games", "problems", "totals"):
            raise ValueError(f"rows={rows!r}: write positions, games, problems or totals")
        for name in OF_ALL_ROWS:
            if options.get(name) is not None:
                raise ValueError(f"{name} depends on all rows, which are read in parts: leave it to the reader of the table")
        if size is not None and size <= 0:
            raise ValueError(f"size={size}: write a number of bytes above 0")
        if rows == "games":
            options["rows"] = rows
        if rows in ("problems", "totals") and columns is not None:
            raise ValueError(f"the columns of {rows} cannot be chosen")
        if rows in ("positions", "games") and columns is None:
            known = ["file", "offset", "game"]
            self.columns = known[:2] + [name for name in to_arrow(b"", **options).columns if name not in known]
        # A mistake in the options is found before any work, and so is a number that ranges do not know.
        self.schema = self._schema(ByteRange(b"", 0 if size is None else 1, WHOLE))
        names = [paths] if isinstance(paths, (str, os.PathLike)) else paths
        # Names are in rows and messages; addresses may have keys.
        self.files: list[tuple[str, int]] = []
        self._addresses: dict[str, str] = {}
        for address, length in (file for name in names for file in _files(os.fspath(name))):
            name = public(address)
            if self._addresses.setdefault(name, address) != address:
                raise ValueError(f"{name} is named twice, with different users or options")
            self.files.append((name, length))

    def _schema(self, nothing: ByteRange) -> pa.Schema:
        schema = pa.schema(self._table(nothing))
        if self.rows in ("problems", "totals"):
            return PROBLEMS if self.rows == "problems" else TOTALS
        return pa.schema([field.with_type(_signed(field.type)) for field in schema])

    def parts(self) -> list[list[Range]]:
        """What can be read independently: ranges of about `size` bytes, and small files together."""
        parts: list[list[Range]] = []
        room = -1
        for name, length in self.files:
            is_packed = name.endswith((".zst", ".gz", ".bgz"))
            ranges = [(name, 0, WHOLE)]
            if self.size is not None and length * (MOST_COMPRESSED if is_packed else 1) > self.size:
                divided = splits(self._opened(name), self.size)
                ranges = [(name, part.start, part.end) for part in divided] if len(divided) > 1 else ranges
            if len(ranges) > 1:
                parts += [[part] for part in ranges]
                room = -1
            elif length > room or len(parts[-1]) == MOST_FILES:
                parts.append(ranges)
                room = (self.size or 0) - length
            else:
                parts[-1] += ranges
                room -= length
        return parts

    def read(self, part: list[Range]) -> Iterator[pa.RecordBatch]:
        """The rows of a part."""
        sources = [ByteRange(self._opened(name), start, end) for name, start, end in part]
        if self.rows in ("problems", "totals"):
            rows = [row for source, (name, _, _) in zip(sources, part) for row in self._report(source, name)]
            yield pa.RecordBatch.from_pylist(rows, self.schema)
        else:
            # Of a damaged file what can be read is used, and so are the others.
            keeps = self.options.get("on_damage") == "keep"
            for group in [[source] for source in sources] if keeps else [sources]:
                try:
                    for batch in _batches(self._table(group)):
                        yield batch.cast(self.schema, safe=False)
                except OSError as error:
                    if not keeps or not str(error).startswith("cannot read"):
                        raise
                    warnings.warn(str(error), PgnWarning, stacklevel=2)

    def to_reader(self) -> pa.RecordBatchReader:
        """All rows in the order of the files, as an Arrow stream in bounded memory."""
        batches = (batch for part in self.parts() for batch in self.read(part))
        return pa.RecordBatchReader.from_batches(self.schema, batches)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_reader().__arrow_c_stream__(requested_schema)

    def _opened(self, name: str) -> str | _Object:
        """A file as a source: the path of a local one."""
        system = _System(self._addresses[name])
        return _Object(system, name) if system.before else name

    def _table(self, source: ByteRange | list[ByteRange], problems: list[Problem] | None = None) -> ArrowTable:
        columns = self.columns if self.rows in ("positions", "games") else ["ply"]
        return to_arrow(source, columns, problems=problems, **self.options)

    def _report(self, source: ByteRange, name: str) -> Iterator[dict[str, Any]]:
        """The problems or the totals of a range, also if it cannot be read to its end."""
        problems: list[Problem] = []
        table, failure = self._table(source, problems), None
        try:
            for _ in _batches(table):
                pass
        except PgnError as error:
            problems.append(error.problem)
        except (OSError, ValueError) as error:
            failure = str(error)
        if self.rows == "totals":
            counts = {name: getattr(table.summary, name, None) for name in COUNTS}
            yield {"file": name, "offset": source.start, **counts, "failure": failure}
            return
        yield from map(vars, problems)
        if failure is not None:
            yield {"file": name, "severity": "error", "kind": "unreadable", "reason": failure, "message": failure}


def _batches(table: ArrowTable) -> Iterator[pa.RecordBatch]:
    """The batches of a table, small ones together, with its own exceptions."""
    waiting: list[pa.RecordBatch] = []
    rows, failure = 0, None
    try:
        for batch in pa.RecordBatchReader.from_stream(table):
            waiting.append(batch)
            rows += batch.num_rows
            if rows >= LEAST_ROWS:
                yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()
                waiting, rows = [], 0
    except (pa.ArrowException, OSError) as error:
        failure = table.error or error
    if waiting:
        yield from pa.Table.from_batches(waiting).combine_chunks().to_batches()
    if failure:
        raise failure


def _signed(kind: pa.DataType) -> pa.DataType:
    """The type that all engines have for values of a type: signed integers, lists and bytes of any length."""
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_signed(kind.value_type))
    if pa.types.is_fixed_size_binary(kind):
        return pa.binary()
    return {pa.uint64(): pa.int64(), pa.uint8(): pa.int8()}.get(kind, kind)


class _System:
    """The file system of a name."""

    def __init__(self, name: str) -> None:
        self.system, self.root, self.before, self.after = fs.LocalFileSystem(), "", "", ""
        self.path = name
        if url := re.fullmatch(ADDRESS, name):
            scheme, user, host, self.path, query = url.groups(default="")
            # Hadoop has other names for the scheme of S3.
            try:
                system, root = _system(f"{re.sub('^s3[an]$', 's3', scheme)}://{user}{host}{'' if host else '/'}{query}")
            except (pa.ArrowException, OSError, ValueError, ImportError) as error:
                # The message may repeat the address.
                raise ValueError(f"{public(name)}: no file system has this address ({type(error).__name__})") from None
            self.system, self.root = system, root.rstrip("/") + "/"
            self.before, self.after = f"{scheme}://{user}{host}/", query
        elif re.match(r"[A-Za-z][\w+.-]*://", name):
            raise ValueError(f"{public(name)}: not an address: write / and @ of a key as %2F and %40")

    def matches(self, folder: str, parts: list[str]) -> Iterator[tuple[str, int]]:
        """The files below a folder that match a pattern, with their names and lengths."""
        below = (self.root + folder).rstrip("/") or ("/" if self.root + folder else ".")
        for info in sorted(self.system.get_file_info(fs.FileSelector(below)), key=lambda info: info.base_name):
            path = folder + info.base_name
            if fnmatch.fnmatchcase(info.base_name, parts[0]) and (parts[0][0] == "." or info.base_name[0] != "."):
                if parts[1:] and info.type == fs.FileType.Directory:
                    yield from self.matches(path + "/", parts[1:])
                elif not parts[1:] and info.type == fs.FileType.File:
                    yield self.before + path + self.after, info.size


_system = functools.lru_cache(fs.FileSystem.from_uri)


def public(address: str) -> str:
    """An address without user information and query, which may have keys."""
    if url := re.fullmatch(ADDRESS, address):
        scheme, user, host, path, _ = url.groups(default="")
        # In Azure's addresses the name before @ is the container.
        container = user.rstrip("@").partition(":")[0] if scheme.startswith("abfs") else ""
        return f"{scheme}://{container}{'@' if container else ''}{host}/{path}"
    # Not an address, or one with a key that is not encoded.
    return re.sub(r"^([A-Za-z][\w+.-]*:/).*@", r"\1/", re.sub(r"(?<=://)(.*)\?[^?]*=.*", r"\1", address))


def _files(name: str) -> list[tuple[str, int]]:
    """The file of a name, or those that match a pattern unless a file has that name, with their lengths."""
    system = _System(name)
    info = system.system.get_file_info(system.root + system.path)
    if info.type == fs.FileType.File:
        return [(name, info.size)]
    if info.type == fs.FileType.Directory:
        raise IsADirectoryError(f"{public(name)} is a folder: name the files in it")
    pattern = re.search(r"[*?\[]", system.path)
    if not pattern:
        raise FileNotFoundError(f"{public(name)}: the file does not exist")
    folder = system.path[: system.path.rfind("/", 0, pattern.start()) + 1]
    files = list(system.matches(folder, system.path[len(folder) :].split("/")))
    if not files:
        raise FileNotFoundError(f"no file matches {public(name)}")
    return files


class _Object(io.BufferedReader):
    """An object in a store, of which only what is needed is read."""

    name: str = ""

    def __init__(self, system: _System, name: str) -> None:
        file = system.system.open_input_file(system.root + system.path)
        super().__init__(file, min(REQUEST, file.size() + 1))
        self.name = name
