"""Values that functions of this package return or take: games, and inputs."""

from __future__ import annotations

import glob
import os
import pathlib
from collections.abc import KeysView
from dataclasses import dataclass
from typing import Any

from pgn2epd import _pgn2epd


def tags_by_name(text: str) -> dict[str, str]:
    """Tags from name, NUL, value, NUL, and so on; of several tags with the same name, the first."""
    parts, tags = text.split("\0"), dict[str, str]()
    for name, value in zip(parts[::2], parts[1::2]):
        tags.setdefault(name, value)
    return tags


@dataclass(frozen=True, eq=False, repr=False)
class ByteRange:
    """The games of a file whose first byte is in a range, from `start` to `end`, exclusive: a source for all functions, as `--range` of the
    program.

    >>> [part] = pgn2epd.splits("fixtures/classics.pgn", 1 << 28)
    >>> part
    ByteRange('fixtures/classics.pgn', 0, 1205)
    >>> len(list(pgn2epd.games(pgn2epd.ByteRange("fixtures/classics.pgn", 1, 1205))))
    2

    `source` is a path, bytes, or a binary file object with `seek`, of which only the range is read, and what is needed to find its first
    game. Bytes are those of the uncompressed text if the file can be read from the middle: text, zstd with a seek table, and gzip in
    blocks. Any other file, and Parquet, Arrow and training data, is read as a whole by the range with byte 0.
    """

    source: Any
    start: int
    end: int

    def __repr__(self) -> str:
        return f"ByteRange({self.source!r}, {self.start}, {self.end})"


@dataclass(frozen=True, repr=False)
class Game:
    """A game: its tags and its location. Games are equal if all of these are.

    `number` is its number in the file, counted from 1, `line` the line of the file on which it begins.
    """

    number: int
    file: str
    line: int
    _tags: str

    @property
    def tags(self) -> dict[str, str]:
        """The tags by name; the first of several with the same name."""
        return tags_by_name(self._tags)

    def __repr__(self) -> str:
        return f"<Game {self.number} of {self.file}>"


class PlayedGame:
    """A game and the values of its row, as attributes and by name: `game.white_elo`, `game["white_elo"]`, `dict(game)`. Games are equal if
    all values and tags are.
    """

    __slots__ = ("_values", "_tags")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, values: dict[str, Any], tags: str) -> None:
        self._values, self._tags = values, tags

    @property
    def tags(self) -> dict[str, str]:
        """All tags by name, as text; the first of several with the same name."""
        return tags_by_name(self._tags)

    def keys(self) -> KeysView[str]:
        """The names of the values."""
        return self._values.keys()

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __getattr__(self, name: str) -> Any:
        if name in PlayedGame.__slots__ or name not in self._values:
            names = ", ".join(self._values) if name not in PlayedGame.__slots__ else "nothing"
            raise AttributeError(f"the game has no {name}: name it in columns; it has {names}")
        return self._values[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def __repr__(self) -> str:
        # Values that are there, and how many the lists have.
        lists = {name: [one for one in value if one is not None] for name, value in self._values.items() if isinstance(value, list)}
        parts = [
            f"{name!r}: [{len(value)} values]" if name in lists else f"{name!r}: {value!r}"
            for name, value in self._values.items()
            if value is not None and lists.get(name) != []
        ]
        return f"<PlayedGame {{{', '.join(parts)}}}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlayedGame):
            return NotImplemented
        return (self._values, self._tags) == (other._values, other._tags)

    def __reduce__(self) -> tuple[Any, ...]:
        return PlayedGame, (self._values, self._tags)


def looks_like_games(text: str) -> bool:
    """Whether text that names no file is a game: begins with a tag or `1.`, or has several lines."""
    return (text.startswith("[") and ' "' in text) or text.lstrip().startswith("1.") or "\n" in text


def one(source: Any) -> Any:
    """An input: a path that exists, bytes, a file object, or a range of one of these."""
    if isinstance(source, ByteRange):
        return ByteRange(one(source.source), source.start, source.end)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    if hasattr(source, "read"):
        return source
    if not isinstance(source, (str, os.PathLike)):
        kinds = "a path, bytes, a memoryview, a binary file object, or a list of them"
        raise TypeError(f"games come from {kinds}, not from {type(source).__name__}")
    path = os.fsdecode(source)
    try:
        os.stat(path)
    except OSError as error:
        if looks_like_games(path):
            raise ValueError("a str is the path of a file, and this one looks like a game: give text.encode()") from None
        raise OSError(error.errno, error.strerror, _pgn2epd.input_name(path)) from None
    if os.path.isdir(path):
        raise IsADirectoryError(f"{_pgn2epd.input_name(path)} is a folder: name the files in it")
    return path


def inputs(source: Any) -> list[Any]:
    """The inputs of an argument, which may be a list, or a pattern for files."""
    if isinstance(source, (list, tuple)):
        return [each for part in source for each in inputs(part)]
    if isinstance(source, (str, os.PathLike)):
        pattern = os.fsdecode(source)
        if any(letter in pattern for letter in "*?[") and not looks_like_games(pattern) and not os.path.exists(pattern):
            files = sorted(glob.glob(pattern, recursive=True), key=lambda file: pathlib.PurePath(file).parts)
            if not files:
                raise FileNotFoundError(f"no file matches {_pgn2epd.input_name(pattern)}")
            return [file for file in files if not os.path.isdir(file)]
    return [one(source)]
