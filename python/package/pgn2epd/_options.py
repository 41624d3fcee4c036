"""The options of `records`, `convert` and `to_arrow`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, TypedDict


class Options(TypedDict, total=False):
    """Keyword arguments, the options of the command line.

    * `preset`: A set of options for a purpose; other options override it.
    * `format`: Output format; the formats from c9 on are labels for tuning: positions with the result of their game, those from viriformat on in binary form; those from csv on are tables.
    * `csv_safe`: In csv, write an apostrophe before texts that begin with =, +, -, @, a tab or a carriage return, which spreadsheets take for formulas.
    * `rows`: What a row of a table is: a position, or a game with lists of the values of its positions.
    * `score`: Unit of scores in binary formats, from viriformat on.
    * `ops`: Operations, separated by commas, or none [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats].
    * `registers`: How to write the registers c0-c9, v0-v9, eco and nic: changes only, all that have a value, or none [default: delta; with unique, skip, limit, sample, shuffle full, and those that a reader must clear].
    * `names`: Source of the opening names in eco, nic and v0-v9.
    * `openings`: Opening tables instead of the built-in one, which is "default"; later tables override earlier ones.
    * `op`: Add an operation made from tags and variables, such as 'c9={Result}'; may be repeated.
    * `variations`: Also write the positions of variations, each with the operation Rav.
    * `keep_commands`: Keep commands such as [%csl Ra1] and [%clk 0:01:00] in the text of comments.
    * `long_comments`: What to do with comments longer than 255 bytes, the limit for strings in EPD.
    * `ascii`: Replace characters outside of ASCII, the character set of EPD: Kröger becomes Kroger.
    * `ep`: When to write the en passant square.
    * `castling`: How to write castling rights.
    * `blank_line`: Write an empty line after the records of each game.
    * `skip_start`: Omit the starting position of each game.
    * `ply`: Only positions after this number of plies: 8..24, 8.., ..24 or 16; 0 is the start.
    * `min_ply`: Only positions after N or more plies, like ply N..
    * `in_check`: Whether to keep positions in which the side to move is in check.
    * `captures`: Whether to keep positions in which the move played is a capture, a promotion or a check.
    * `finished`: Whether to keep positions in which the game is over: no legal move, or neither side can win with the pieces left.
    * `max_eval`: Omit positions with an evaluation beyond N centipawns, or a mate; positions without one are kept.
    * `mates`: Whether to keep positions whose evaluation is a mate, for either side.
    * `unevaluated`: Whether to keep positions without an evaluation.
    * `book_moves`: Whether to keep positions in which the move played comes from a book: its comment is "book".
    * `last`: Only the last position of each game.
    * `language`: Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk.
    * `null_moves`: Accept null moves (--, Z0, 0000 ...), which are otherwise errors.
    * `notes`: Report harmless departures from the PGN standard: unusual spellings, missing results.
    * `strict`: Treat every departure from the PGN standard as an error; unambiguous moves are still played.
    * `where`: Only games and positions that match a condition: 'WhiteElo >= 2400 and Result = "1-0" and ply > 20'.
    * `time_forfeits`: Whether to keep games that were lost on time, according to the tag Termination.
    * `abandoned`: Whether to keep games that were broken off, by a disconnection or an illegal move, according to the tag Termination.
    * `adjudicated`: Whether to keep games that were adjudicated, according to the tag Termination.
    * `conflicts`: What to do with equal positions that have different results, in the formats from c9 to plain.
    * `unique`: Only the first of equal positions; the en passant square counts if a capture is legal.
    * `keep`: Which of equal positions to write, with unique or conflicts.
    * `skip`: Omit the first N positions.
    * `limit`: At most N positions.
    * `sample`: N positions at random, each equally likely, in their order.
    * `shuffle`: Write the records in random order; every order is equally likely.
    * `split`: Write a folder with a subfolder for each part, to which records belong at random: NAME=SHARE and so on, such as train=0.98,valid=0.01,test=0.01.
    * `split_by`: Whether split divides games or positions.
    * `rows_per_file`: Write a folder with files of N positions each.
    * `overwrite`: Replace the files of an earlier run in the folder of -o, as its file _SUCCESS lists them; other files stay.
    * `seed`: Random seed of sample, shuffle and split: the same seed gives the same result.
    * `compress`: Compress the output: zstd or gzip, with a level as in zstd:19 [default: by the suffix of -o; zstd:1 in parquet].
    * `jobs`: Number of threads [default: the number of cores].
    * `memory`: Maximum memory for unique, conflicts and shuffle; records that do not fit are written to temp_dir.
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `on_error`: What to do with a game that has an error.
    * `on_damage`: What to do with a damaged compressed file.
    * `max_game_bytes`: Maximum size of a game in bytes, or with K, M or G; it bounds memory.
    * `chunk_bytes`: Size of a chunk in bytes; it does not affect the output.
    """

    preset: Literal["fishnet-evals", "match", "suite", "tuning"] | None
    """A set of options for a purpose; other options override it."""
    format: Literal["epd", "fen", "perl", "crafty", "c9", "bracket", "bullet", "c-chess-cli", "plain", "viriformat", "binpack", "bulletformat", "marlinformat", "csv", "jsonl", "arrow", "parquet"] | None
    """Output format; the formats from c9 on are labels for tuning: positions with the result of their game, those from viriformat on in binary form; those from csv on are tables."""
    csv_safe: bool | None
    """In csv, write an apostrophe before texts that begin with =, +, -, @, a tab or a carriage return, which spreadsheets take for formulas."""
    rows: Literal["positions", "games"] | None
    """What a row of a table is: a position, or a game with lists of the values of its positions."""
    score: Literal["cp", "stockfish"] | None
    """Unit of scores in binary formats, from viriformat on."""
    ops: str | Sequence[str] | None
    """Operations, separated by commas, or none [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats]."""
    registers: Literal["delta", "full", "off"] | None
    """How to write the registers c0-c9, v0-v9, eco and nic: changes only, all that have a value, or none [default: delta; with unique, skip, limit, sample, shuffle full, and those that a reader must clear]."""
    names: Literal["table", "tags", "off"] | None
    """Source of the opening names in eco, nic and v0-v9."""
    openings: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
    """Opening tables instead of the built-in one, which is "default"; later tables override earlier ones."""
    op: str | Sequence[str] | None
    """Add an operation made from tags and variables, such as 'c9={Result}'; may be repeated."""
    variations: bool | None
    """Also write the positions of variations, each with the operation Rav."""
    keep_commands: bool | None
    """Keep commands such as [%csl Ra1] and [%clk 0:01:00] in the text of comments."""
    long_comments: Literal["cut", "split", "drop"] | None
    """What to do with comments longer than 255 bytes, the limit for strings in EPD."""
    ascii: bool | None
    """Replace characters outside of ASCII, the character set of EPD: Kröger becomes Kroger."""
    ep: Literal["always", "pseudo", "legal"] | None
    """When to write the en passant square."""
    castling: Literal["xfen", "shredder", "standard"] | None
    """How to write castling rights."""
    blank_line: bool | None
    """Write an empty line after the records of each game."""
    skip_start: bool | None
    """Omit the starting position of each game."""
    ply: int | str | tuple[int | None, int | None] | None
    """Only positions after this number of plies: 8..24, 8.., ..24 or 16; 0 is the start."""
    min_ply: int | None
    """Only positions after N or more plies, like ply N.."""
    in_check: Literal["keep", "skip"] | None
    """Whether to keep positions in which the side to move is in check."""
    captures: Literal["keep", "skip"] | None
    """Whether to keep positions in which the move played is a capture, a promotion or a check."""
    finished: Literal["keep", "skip"] | None
    """Whether to keep positions in which the game is over: no legal move, or neither side can win with the pieces left."""
    max_eval: int | None
    """Omit positions with an evaluation beyond N centipawns, or a mate; positions without one are kept."""
    mates: Literal["keep", "skip"] | None
    """Whether to keep positions whose evaluation is a mate, for either side."""
    unevaluated: Literal["keep", "skip"] | None
    """Whether to keep positions without an evaluation."""
    book_moves: Literal["keep", "skip"] | None
    """Whether to keep positions in which the move played comes from a book: its comment is "book"."""
    last: bool | None
    """Only the last position of each game."""
    language: str | None
    """Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk."""
    null_moves: bool | None
    """Accept null moves (--, Z0, 0000 ...), which are otherwise errors."""
    notes: bool | None
    """Report harmless departures from the PGN standard: unusual spellings, missing results."""
    strict: bool | None
    """Treat every departure from the PGN standard as an error; unambiguous moves are still played."""
    where: str | None
    """Only games and positions that match a condition: 'WhiteElo >= 2400 and Result = "1-0" and ply > 20'."""
    time_forfeits: Literal["keep", "skip"] | None
    """Whether to keep games that were lost on time, according to the tag Termination."""
    abandoned: Literal["keep", "skip"] | None
    """Whether to keep games that were broken off, by a disconnection or an illegal move, according to the tag Termination."""
    adjudicated: Literal["keep", "skip"] | None
    """Whether to keep games that were adjudicated, according to the tag Termination."""
    conflicts: Literal["keep", "drop", "mean", "majority"] | None
    """What to do with equal positions that have different results, in the formats from c9 to plain."""
    unique: bool | None
    """Only the first of equal positions; the en passant square counts if a capture is legal."""
    keep: Literal["first", "last", "best-rated", "deepest"] | None
    """Which of equal positions to write, with unique or conflicts."""
    skip: int | None
    """Omit the first N positions."""
    limit: int | None
    """At most N positions."""
    sample: int | None
    """N positions at random, each equally likely, in their order."""
    shuffle: bool | None
    """Write the records in random order; every order is equally likely."""
    split: str | None
    """Write a folder with a subfolder for each part, to which records belong at random: NAME=SHARE and so on, such as train=0.98,valid=0.01,test=0.01."""
    split_by: Literal["game", "position"] | None
    """Whether split divides games or positions."""
    rows_per_file: int | None
    """Write a folder with files of N positions each."""
    overwrite: bool | None
    """Replace the files of an earlier run in the folder of -o, as its file _SUCCESS lists them; other files stay."""
    seed: int | None
    """Random seed of sample, shuffle and split: the same seed gives the same result."""
    compress: str | None
    """Compress the output: zstd or gzip, with a level as in zstd:19 [default: by the suffix of -o; zstd:1 in parquet]."""
    jobs: int | None
    """Number of threads [default: the number of cores]."""
    memory: int | str | None
    """Maximum memory for unique, conflicts and shuffle; records that do not fit are written to temp_dir."""
    temp_dir: str | None
    """Folder for temporary files [default: that of the system]."""
    on_error: Literal["keep", "skip", "stop"] | None
    """What to do with a game that has an error."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file."""
    max_game_bytes: int | str | None
    """Maximum size of a game in bytes, or with K, M or G; it bounds memory."""
    chunk_bytes: int | str | None
    """Size of a chunk in bytes; it does not affect the output."""
