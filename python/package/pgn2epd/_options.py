"""The options of functions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, TypedDict


class Options(TypedDict, total=False):
    """Keyword arguments, the options of `pgn2epd`.

    * `preset`: Options for a purpose: fishnet-evals, match, suite, tuning.
    * `format`: Output format; see `pgn2epd help formats` [default: epd].
    * `csv_safe`: In csv, write an apostrophe before texts that spreadsheets take for formulas.
    * `rows`: What a row of a table is: positions, games [default: positions].
    * `games`: How games are written in pgn: words such as uci,no-comments; see `pgn2epd help games` [default: unchanged].
    * `score`: Unit of scores in binary formats that are read or written: cp, stockfish [default: cp].
    * `ops`: Operations, separated by commas, or none; see `pgn2epd help operations` [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats].
    * `registers`: How to write the registers c0-c9, v0-v9, eco and nic [default: delta for games in their order; full where records are selected or moved, by unique, skip, limit, sample, sort, shuffle or rows_per_file]: delta, full, off.
    * `names`: Source of the opening names in eco, nic and v0-v9: table, tags, off [default: table].
    * `add`: Add an operation, as in 'c9={Result}'; may be repeated; see `pgn2epd help variables`.
    * `variations`: Also write the positions of variations, each with the operation Rav.
    * `comments`: What to do with comments longer than 255 bytes, the limit in EPD, and with commands: cut, split, drop, raw [default: cut].
    * `ascii`: Replace characters outside of ASCII, the character set of EPD: Kröger becomes Kroger.
    * `ep`: When to write en passant squares: always, pseudo, legal [default: always].
    * `castling`: How to write castling rights: xfen, shredder, standard [default: xfen].
    * `blank_line`: Write an empty line after the records of each game.
    * `ply`: Positions after N plies: 8..24, 8.., ..24 or 16; 0 is the start.
    * `move`: Only positions before the moves with these numbers: 5..12, 5.., ..12 or 9.
    * `omit`: Kinds of positions and games to omit; see `pgn2epd help omissions`.
    * `eval`: Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it.
    * `last`: Only the last position of each game.
    * `input`: What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet].
    * `variant`: Rules of positions in files; those of games are in their tag Variant [default: auto].
    * `rename`: Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score.
    * `evals`: Which of the evaluations that Lichess has of a position are records: deepest, all [default: deepest].
    * `language`: Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk [default: en].
    * `null_moves`: Accept null moves (--, Z0, 0000 ...), which are otherwise errors.
    * `notes`: Report harmless departures from the PGN standard: unusual spellings, missing results.
    * `strict`: Report every departure from the PGN standard as an error; clear moves are still played.
    * `where`: Only what matches a condition; see `pgn2epd help conditions`.
    * `reach`: Only positions that are in this file, and those after them in their lines.
    * `conflicts`: What to do with equal positions that have different results, in the formats from c9 to plain; see `pgn2epd help duplicates` [default: keep].
    * `unique`: Only one of equal positions; see `pgn2epd help duplicates`.
    * `unique_games`: Only one of equal games: moves or prefix:N; see `pgn2epd help duplicates`.
    * `skip`: Omit the first N positions; games in pgn and with rows games.
    * `limit`: At most N positions; games in pgn and with rows games.
    * `sample`: N positions at random, each equally likely, in their order; games in pgn and with rows games.
    * `sort`: Sort the records by variables and tags, separated by commas, descending with - before: -elo,ply.
    * `shuffle`: Write the records in random order, after the other selections; every order is equally likely.
    * `split`: Write a folder with a subfolder for each part, to which records belong at random: NAME=SHARE and so on, such as train=0.98,valid=0.01,test=0.01.
    * `rows_per_file`: Write a folder with files of N positions each; games in pgn and with rows games.
    * `overwrite`: Replace the files of an earlier run in the folder of -o, listed by its file _SUCCESS.
    * `seed`: Random seed of sample, shuffle and split: the same seed gives the same result.
    * `compress`: Compress the output: zstd or gzip, with a level as in zstd:19 [default: by the suffix of -o; zstd:1 in parquet].
    * `jobs`: Number of threads [default: the number of cores].
    * `memory`: Memory for unique, conflicts, sort, shuffle; more uses temp_dir [default: 1G].
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `on_error`: What to do with a game that has an error: keep, skip, stop [default: keep].
    * `on_damage`: What to do with a damaged compressed file: stop, keep [default: stop].
    * `max_game_bytes`: Maximum size of a game in bytes, or with K, M or G; it bounds memory [default: 64M].
    * `chunk_bytes`: Size of a chunk in bytes; it does not affect the output [default: 256K].
    * `openings`: Use this opening table instead of the built-in one; may be repeated, later tables override earlier ones.
    """

    preset: Literal["fishnet-evals", "match", "suite", "tuning"] | None
    """Options for a purpose: fishnet-evals, match, suite, tuning."""
    format: Literal["epd", "fen", "perl", "crafty", "c9", "bracket", "bullet", "c-chess-cli", "plain", "viriformat", "binpack", "bulletformat", "marlinformat", "pgn", "csv", "jsonl", "arrow", "parquet"] | None
    """Output format; see `pgn2epd help formats` [default: epd]."""
    csv_safe: bool | None
    """In csv, write an apostrophe before texts that spreadsheets take for formulas."""
    rows: Literal["positions", "games"] | None
    """What a row of a table is: positions, games [default: positions]."""
    games: str | Sequence[str] | None
    """How games are written in pgn: words such as uci,no-comments; see `pgn2epd help games` [default: unchanged]."""
    score: Literal["cp", "stockfish"] | None
    """Unit of scores in binary formats that are read or written: cp, stockfish [default: cp]."""
    ops: str | Sequence[str] | None
    """Operations, separated by commas, or none; see `pgn2epd help operations` [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats]."""
    registers: Literal["delta", "full", "off"] | None
    """How to write the registers c0-c9, v0-v9, eco and nic [default: delta for games in their order; full where records are selected or moved, by unique, skip, limit, sample, sort, shuffle or rows_per_file]: delta, full, off."""
    names: Literal["table", "tags", "off"] | None
    """Source of the opening names in eco, nic and v0-v9: table, tags, off [default: table]."""
    add: str | Sequence[str] | None
    """Add an operation, as in 'c9={Result}'; may be repeated; see `pgn2epd help variables`."""
    variations: bool | None
    """Also write the positions of variations, each with the operation Rav."""
    comments: Literal["cut", "split", "drop", "raw"] | None
    """What to do with comments longer than 255 bytes, the limit in EPD, and with commands: cut, split, drop, raw [default: cut]."""
    ascii: bool | None
    """Replace characters outside of ASCII, the character set of EPD: Kröger becomes Kroger."""
    ep: Literal["always", "pseudo", "legal"] | None
    """When to write en passant squares: always, pseudo, legal [default: always]."""
    castling: Literal["xfen", "shredder", "standard"] | None
    """How to write castling rights: xfen, shredder, standard [default: xfen]."""
    blank_line: bool | None
    """Write an empty line after the records of each game."""
    ply: int | str | tuple[int | None, int | None] | None
    """Positions after N plies: 8..24, 8.., ..24 or 16; 0 is the start."""
    move: int | str | tuple[int | None, int | None] | None
    """Only positions before the moves with these numbers: 5..12, 5.., ..12 or 9."""
    omit: str | Sequence[str] | None
    """Kinds of positions and games to omit; see `pgn2epd help omissions`."""
    eval: int | str | tuple[int | None, int | None] | None
    """Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it."""
    last: bool | None
    """Only the last position of each game."""
    input: str | None
    """What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet]."""
    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of positions in files; those of games are in their tag Variant [default: auto]."""
    rename: str | Sequence[str] | None
    """Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score."""
    evals: Literal["deepest", "all"] | None
    """Which of the evaluations that Lichess has of a position are records: deepest, all [default: deepest]."""
    language: str | None
    """Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk [default: en]."""
    null_moves: bool | None
    """Accept null moves (--, Z0, 0000 ...), which are otherwise errors."""
    notes: bool | None
    """Report harmless departures from the PGN standard: unusual spellings, missing results."""
    strict: bool | None
    """Report every departure from the PGN standard as an error; clear moves are still played."""
    where: str | None
    """Only what matches a condition; see `pgn2epd help conditions`."""
    reach: str | os.PathLike[str] | None
    """Only positions that are in this file, and those after them in their lines."""
    conflicts: Literal["keep", "drop", "mean"] | None
    """What to do with equal positions that have different results, in the formats from c9 to plain; see `pgn2epd help duplicates` [default: keep]."""
    unique: bool | Literal["first", "last", "deepest"] | None
    """Only one of equal positions; see `pgn2epd help duplicates`."""
    unique_games: bool | str | None
    """Only one of equal games: moves or prefix:N; see `pgn2epd help duplicates`."""
    skip: int | None
    """Omit the first N positions; games in pgn and with rows games."""
    limit: int | None
    """At most N positions; games in pgn and with rows games."""
    sample: int | None
    """N positions at random, each equally likely, in their order; games in pgn and with rows games."""
    sort: str | Sequence[str] | None
    """Sort the records by variables and tags, separated by commas, descending with - before: -elo,ply."""
    shuffle: bool | None
    """Write the records in random order, after the other selections; every order is equally likely."""
    split: str | Sequence[str] | None
    """Write a folder with a subfolder for each part, to which records belong at random: NAME=SHARE and so on, such as train=0.98,valid=0.01,test=0.01."""
    rows_per_file: int | None
    """Write a folder with files of N positions each; games in pgn and with rows games."""
    overwrite: bool | None
    """Replace the files of an earlier run in the folder of -o, listed by its file _SUCCESS."""
    seed: int | None
    """Random seed of sample, shuffle and split: the same seed gives the same result."""
    compress: str | None
    """Compress the output: zstd or gzip, with a level as in zstd:19 [default: by the suffix of -o; zstd:1 in parquet]."""
    jobs: int | None
    """Number of threads [default: the number of cores]."""
    memory: int | str | None
    """Memory for unique, conflicts, sort, shuffle; more uses temp_dir [default: 1G]."""
    temp_dir: str | os.PathLike[str] | None
    """Folder for temporary files [default: that of the system]."""
    on_error: Literal["keep", "skip", "stop"] | None
    """What to do with a game that has an error: keep, skip, stop [default: keep]."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file: stop, keep [default: stop]."""
    max_game_bytes: int | str | None
    """Maximum size of a game in bytes, or with K, M or G; it bounds memory [default: 64M]."""
    chunk_bytes: int | str | None
    """Size of a chunk in bytes; it does not affect the output [default: 256K]."""
    openings: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
    """Use this opening table instead of the built-in one; may be repeated, later tables override earlier ones."""


class ConvertOptions(Options, total=False):
    """Keyword arguments, the options of `pgn2epd`.

    * `manifest`: Write a description of the outputs to a file, as JSON, with which a data set can be reproduced and checked.
    * `range`: Only the games that begin in this range of bytes, as `pgn2epd splits` prints and explains.
    * `report`: Write every problem to a file as a line of JSON.
    """

    manifest: str | os.PathLike[str] | None
    """Write a description of the outputs to a file, as JSON, with which a data set can be reproduced and checked."""
    range: str | None
    """Only the games that begin in this range of bytes, as `pgn2epd splits` prints and explains."""
    report: str | os.PathLike[str] | None
    """Write every problem to a file as a line of JSON."""


class AnalyseOptions(TypedDict, total=False):
    """Keyword arguments, the options of `pgn2epd analyse`.

    * `preset`: Options for a purpose: stockfish.
    * `engine`: Command that starts a UCI engine: a program and its arguments, as words; no shell reads it. May be repeated for `solve`.
    * `engines`: Number of processes [default: the number of cores].
    * `option`: Option of the engine, as in Hash=64; may be repeated.
    * `nodes`: Search this number of nodes.
    * `depth`: Search to this depth, in plies.
    * `movetime`: Search for this time, in milliseconds.
    * `multipv`: Number of best moves that are evaluated, for bm within [default: 1].
    * `searchmoves`: Search only these moves, separated by commas, where they are legal.
    * `keep_hash`: Let the engine keep what it learned from earlier positions; the output then depends on engines.
    * `timeout`: Seconds without anything new from the engine after which it hangs, and is started again [default: 60].
    * `variant`: Rules of all positions [default: auto].
    * `bm`: Write the best move as bm instead of pm: best, or within:CP for all moves that are at most CP centipawns worse.
    * `wdl`: Write wins, draws and losses in a thousand games as the operation wdl, if the engine knows them.
    * `annotate`: In games, add the expected moves as a variation where the move that was played is at least CP centipawns worse [default: 50].
    * `format`: Output format; see `pgn2epd help formats` [default: epd].
    * `columns`: Columns of a table: variables, tags and NAME=COLUMN; see `pgn2epd help variables`.
    * `csv_safe`: In csv, write an apostrophe before texts that spreadsheets take for formulas.
    * `games`: How games are written in pgn: words such as uci,no-comments; see `pgn2epd help games` [default: unchanged].
    * `score`: Unit of scores in binary formats that are read or written: cp, stockfish [default: cp].
    * `ops`: Operations, separated by commas, or none; see `pgn2epd help operations` [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats].
    * `registers`: How to write the registers c0-c9, v0-v9, eco and nic [default: delta for games in their order; full where records are selected or moved, by unique, skip, limit, sample, sort, shuffle or rows_per_file]: delta, full, off.
    * `names`: Source of the opening names in eco, nic and v0-v9: table, tags, off [default: table].
    * `add`: Add an operation, as in 'c9={Result}'; may be repeated; see `pgn2epd help variables`.
    * `variations`: Also write the positions of variations, each with the operation Rav.
    * `comments`: What to do with comments longer than 255 bytes, the limit in EPD, and with commands: cut, split, drop, raw [default: cut].
    * `ascii`: Replace characters outside of ASCII, the character set of EPD: Kröger becomes Kroger.
    * `ep`: When to write en passant squares: always, pseudo, legal [default: always].
    * `castling`: How to write castling rights: xfen, shredder, standard [default: xfen].
    * `ply`: Positions after N plies: 8..24, 8.., ..24 or 16; 0 is the start.
    * `move`: Only positions before the moves with these numbers: 5..12, 5.., ..12 or 9.
    * `omit`: Kinds of positions and games to omit; see `pgn2epd help omissions`.
    * `eval`: Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it.
    * `last`: Only the last position of each game.
    * `input`: What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet].
    * `rename`: Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score.
    * `evals`: Which of the evaluations that Lichess has of a position are records: deepest, all [default: deepest].
    * `language`: Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk [default: en].
    * `null_moves`: Accept null moves (--, Z0, 0000 ...), which are otherwise errors.
    * `notes`: Report harmless departures from the PGN standard: unusual spellings, missing results.
    * `strict`: Report every departure from the PGN standard as an error; clear moves are still played.
    * `where`: Only what matches a condition; see `pgn2epd help conditions`.
    * `reach`: Only positions that are in this file, and those after them in their lines.
    * `unique`: Only one of equal positions; see `pgn2epd help duplicates`.
    * `unique_games`: Only one of equal games: moves or prefix:N; see `pgn2epd help duplicates`.
    * `skip`: Omit the first N positions; games in pgn and with rows games.
    * `limit`: At most N positions; games in pgn and with rows games.
    * `sample`: N positions at random, each equally likely, in their order; games in pgn and with rows games.
    * `sort`: Sort the records by variables and tags, separated by commas, descending with - before: -elo,ply.
    * `shuffle`: Write the records in random order, after the other selections; every order is equally likely.
    * `seed`: Random seed of sample, shuffle and split: the same seed gives the same result.
    * `jobs`: Number of threads [default: the number of cores].
    * `memory`: Memory for unique, conflicts, sort, shuffle; more uses temp_dir [default: 1G].
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `on_error`: What to do with a game that has an error: keep, skip, stop [default: keep].
    * `on_damage`: What to do with a damaged compressed file: stop, keep [default: stop].
    * `max_game_bytes`: Maximum size of a game in bytes, or with K, M or G; it bounds memory [default: 64M].
    * `chunk_bytes`: Size of a chunk in bytes; it does not affect the output [default: 256K].
    * `cache`: Take evaluations from a file that is made in the first run, and add those of other positions.
    * `resume`: Go on with a run that was interrupted: its records are kept, and compared with the input.
    * `report`: Write every problem to a file as a line of JSON.
    """

    preset: Literal["stockfish"] | None
    """Options for a purpose: stockfish."""
    engine: str | Sequence[str] | None
    """Command that starts a UCI engine: a program and its arguments, as words; no shell reads it. May be repeated for `solve`."""
    engines: int | None
    """Number of processes [default: the number of cores]."""
    option: str | Sequence[str] | None
    """Option of the engine, as in Hash=64; may be repeated."""
    nodes: int | None
    """Search this number of nodes."""
    depth: int | None
    """Search to this depth, in plies."""
    movetime: int | None
    """Search for this time, in milliseconds."""
    multipv: int | None
    """Number of best moves that are evaluated, for bm within [default: 1]."""
    searchmoves: str | None
    """Search only these moves, separated by commas, where they are legal."""
    keep_hash: bool | None
    """Let the engine keep what it learned from earlier positions; the output then depends on engines."""
    timeout: int | None
    """Seconds without anything new from the engine after which it hangs, and is started again [default: 60]."""
    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of all positions [default: auto]."""
    bm: str | None
    """Write the best move as bm instead of pm: best, or within:CP for all moves that are at most CP centipawns worse."""
    wdl: bool | None
    """Write wins, draws and losses in a thousand games as the operation wdl, if the engine knows them."""
    annotate: bool | int | None
    """In games, add the expected moves as a variation where the move that was played is at least CP centipawns worse [default: 50]."""
    format: Literal["epd", "fen", "perl", "crafty", "c9", "bracket", "bullet", "c-chess-cli", "plain", "viriformat", "binpack", "bulletformat", "marlinformat", "pgn", "csv", "jsonl", "arrow", "parquet"] | None
    """Output format; see `pgn2epd help formats` [default: epd]."""
    columns: str | Sequence[str] | None
    """Columns of a table: variables, tags and NAME=COLUMN; see `pgn2epd help variables`."""
    csv_safe: bool | None
    """In csv, write an apostrophe before texts that spreadsheets take for formulas."""
    games: str | Sequence[str] | None
    """How games are written in pgn: words such as uci,no-comments; see `pgn2epd help games` [default: unchanged]."""
    score: Literal["cp", "stockfish"] | None
    """Unit of scores in binary formats that are read or written: cp, stockfish [default: cp]."""
    ops: str | Sequence[str] | None
    """Operations, separated by commas, or none; see `pgn2epd help operations` [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats]."""
    registers: Literal["delta", "full", "off"] | None
    """How to write the registers c0-c9, v0-v9, eco and nic [default: delta for games in their order; full where records are selected or moved, by unique, skip, limit, sample, sort, shuffle or rows_per_file]: delta, full, off."""
    names: Literal["table", "tags", "off"] | None
    """Source of the opening names in eco, nic and v0-v9: table, tags, off [default: table]."""
    add: str | Sequence[str] | None
    """Add an operation, as in 'c9={Result}'; may be repeated; see `pgn2epd help variables`."""
    variations: bool | None
    """Also write the positions of variations, each with the operation Rav."""
    comments: Literal["cut", "split", "drop", "raw"] | None
    """What to do with comments longer than 255 bytes, the limit in EPD, and with commands: cut, split, drop, raw [default: cut]."""
    ascii: bool | None
    """Replace characters outside of ASCII, the character set of EPD: Kröger becomes Kroger."""
    ep: Literal["always", "pseudo", "legal"] | None
    """When to write en passant squares: always, pseudo, legal [default: always]."""
    castling: Literal["xfen", "shredder", "standard"] | None
    """How to write castling rights: xfen, shredder, standard [default: xfen]."""
    ply: int | str | tuple[int | None, int | None] | None
    """Positions after N plies: 8..24, 8.., ..24 or 16; 0 is the start."""
    move: int | str | tuple[int | None, int | None] | None
    """Only positions before the moves with these numbers: 5..12, 5.., ..12 or 9."""
    omit: str | Sequence[str] | None
    """Kinds of positions and games to omit; see `pgn2epd help omissions`."""
    eval: int | str | tuple[int | None, int | None] | None
    """Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it."""
    last: bool | None
    """Only the last position of each game."""
    input: str | None
    """What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet]."""
    rename: str | Sequence[str] | None
    """Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score."""
    evals: Literal["deepest", "all"] | None
    """Which of the evaluations that Lichess has of a position are records: deepest, all [default: deepest]."""
    language: str | None
    """Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk [default: en]."""
    null_moves: bool | None
    """Accept null moves (--, Z0, 0000 ...), which are otherwise errors."""
    notes: bool | None
    """Report harmless departures from the PGN standard: unusual spellings, missing results."""
    strict: bool | None
    """Report every departure from the PGN standard as an error; clear moves are still played."""
    where: str | None
    """Only what matches a condition; see `pgn2epd help conditions`."""
    reach: str | os.PathLike[str] | None
    """Only positions that are in this file, and those after them in their lines."""
    unique: bool | Literal["first", "last", "deepest"] | None
    """Only one of equal positions; see `pgn2epd help duplicates`."""
    unique_games: bool | str | None
    """Only one of equal games: moves or prefix:N; see `pgn2epd help duplicates`."""
    skip: int | None
    """Omit the first N positions; games in pgn and with rows games."""
    limit: int | None
    """At most N positions; games in pgn and with rows games."""
    sample: int | None
    """N positions at random, each equally likely, in their order; games in pgn and with rows games."""
    sort: str | Sequence[str] | None
    """Sort the records by variables and tags, separated by commas, descending with - before: -elo,ply."""
    shuffle: bool | None
    """Write the records in random order, after the other selections; every order is equally likely."""
    seed: int | None
    """Random seed of sample, shuffle and split: the same seed gives the same result."""
    jobs: int | None
    """Number of threads [default: the number of cores]."""
    memory: int | str | None
    """Memory for unique, conflicts, sort, shuffle; more uses temp_dir [default: 1G]."""
    temp_dir: str | os.PathLike[str] | None
    """Folder for temporary files [default: that of the system]."""
    on_error: Literal["keep", "skip", "stop"] | None
    """What to do with a game that has an error: keep, skip, stop [default: keep]."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file: stop, keep [default: stop]."""
    max_game_bytes: int | str | None
    """Maximum size of a game in bytes, or with K, M or G; it bounds memory [default: 64M]."""
    chunk_bytes: int | str | None
    """Size of a chunk in bytes; it does not affect the output [default: 256K]."""
    cache: str | os.PathLike[str] | None
    """Take evaluations from a file that is made in the first run, and add those of other positions."""
    resume: bool | None
    """Go on with a run that was interrupted: its records are kept, and compared with the input."""
    report: str | os.PathLike[str] | None
    """Write every problem to a file as a line of JSON."""


class BookOptions(TypedDict, total=False):
    """Keyword arguments, the options of `pgn2epd book`.

    * `preset`: Options for a purpose: match.
    * `where`: Only what matches a condition; see `pgn2epd help conditions`.
    * `reach`: Only positions that are in this file, and those after them in their lines.
    * `ply`: Positions after N plies: 8..24, 8.., ..24 or 16; 0 is the start.
    * `move`: Only positions before the moves with these numbers: 5..12, 5.., ..12 or 9.
    * `last`: Only the last position of each game.
    * `omit`: Kinds of positions and games to omit; see `pgn2epd help omissions`.
    * `queens`: Only positions with queens: both, any.
    * `pieces`: Only positions with this number of pieces, kings and pawns included: 20..32.
    * `eval`: Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it.
    * `input`: What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet].
    * `variant`: Rules of positions in files; those of games are in their tag Variant [default: auto].
    * `variations`: Also count the moves of variations; a game counts once for each move.
    * `once_per_game`: Count only the first position of each game that the other options select.
    * `group_by`: For an explorer file, count classes of games separately: rating:1600,2000 speed year month player.
    * `on_error`: What to do with a game that has an error: keep, skip, stop [default: keep].
    * `min_games`: Only positions that occur in at least N games.
    * `min_score`: Only positions in which White scored at least this share of the points, such as 0.45.
    * `max_score`: Only positions in which White scored at most this share of the points, such as 0.6.
    * `max_draws`: Only positions with at most this share of draws among the games with a result, such as 0.7.
    * `unknown_result`: How games without a result count in min_score, max_score, max_draws, order score and the weights of a Polyglot book: draw, skip.
    * `best_rated`: Of the games that reach the same position, count only the one with the highest mean rating.
    * `equal_turns`: The same number of positions with White and with Black to move, drawn at random.
    * `min_move_games`: Polyglot: only moves played in at least N games, like -min-game of Polyglot.
    * `min_move_score`: Polyglot: only moves with which the side that plays them scored at least this share of the points, like -min-score of Polyglot.
    * `weights`: Polyglot: the weights of the moves: points, uniform [default: points].
    * `sample`: N positions at random, each equally likely.
    * `seed`: Random seed: the same seed gives the same book.
    * `order`: Order of the positions [default: input].
    * `format`: Format of the book [default: from the suffix of the output, otherwise epd].
    * `ops`: Operations in EPD: counts, clocks, none [default: counts].
    * `keep_moves`: With partial, keep the moves that lead to each position, which a book as PGN needs.
    * `jobs`: Number of threads [default: the number of cores].
    * `memory`: Maximum memory for counting; counts that do not fit are written to temp_dir [default: 1G].
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `on_damage`: What to do with a damaged compressed file: stop, keep [default: stop].
    * `max_game_bytes`: Maximum size of a game in bytes, or with K, M or G; it bounds memory [default: 64M].
    * `engine`: Command that starts a UCI engine: a program and its arguments, as words; no shell reads it. May be repeated for `solve`.
    * `engines`: Number of processes [default: the number of cores].
    * `option`: Option of the engine, as in Hash=64; may be repeated.
    * `nodes`: Search this number of nodes.
    * `depth`: Search to this depth, in plies.
    * `movetime`: Search for this time, in milliseconds.
    * `keep_hash`: Let the engine keep what it learned from earlier positions; the output then depends on engines.
    * `timeout`: Seconds without anything new from the engine after which it hangs, and is started again [default: 60].
    * `wdl`: Write wins, draws and losses in a thousand games as the operation wdl, if the engine knows them.
    * `draws`: Only positions in which the engine expects this share of draws, such as 0.48..0.52.
    * `cache`: Take evaluations from a file that is made in the first run, and add those of other positions.
    * `range`: Only the games whose first byte is in this range of the file, as printed by `pgn2epd splits`.
    * `partial`: Write all counts, to be merged with other partial results later.
    * `metadata`: Write the numbers of positions, the hash and the command to a file of the same name with .json appended.
    * `report`: Write every problem to a file as a line of JSON.
    """

    preset: Literal["match"] | None
    """Options for a purpose: match."""
    where: str | None
    """Only what matches a condition; see `pgn2epd help conditions`."""
    reach: str | os.PathLike[str] | None
    """Only positions that are in this file, and those after them in their lines."""
    ply: int | str | tuple[int | None, int | None] | None
    """Positions after N plies: 8..24, 8.., ..24 or 16; 0 is the start."""
    move: int | str | tuple[int | None, int | None] | None
    """Only positions before the moves with these numbers: 5..12, 5.., ..12 or 9."""
    last: bool | None
    """Only the last position of each game."""
    omit: str | Sequence[str] | None
    """Kinds of positions and games to omit; see `pgn2epd help omissions`."""
    queens: Literal["both", "any"] | None
    """Only positions with queens: both, any."""
    pieces: int | str | tuple[int | None, int | None] | None
    """Only positions with this number of pieces, kings and pawns included: 20..32."""
    eval: int | str | tuple[int | None, int | None] | None
    """Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it."""
    input: str | None
    """What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet]."""
    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of positions in files; those of games are in their tag Variant [default: auto]."""
    variations: bool | None
    """Also count the moves of variations; a game counts once for each move."""
    once_per_game: bool | None
    """Count only the first position of each game that the other options select."""
    group_by: str | None
    """For an explorer file, count classes of games separately: rating:1600,2000 speed year month player."""
    on_error: Literal["keep", "skip", "stop"] | None
    """What to do with a game that has an error: keep, skip, stop [default: keep]."""
    min_games: int | None
    """Only positions that occur in at least N games."""
    min_score: float | None
    """Only positions in which White scored at least this share of the points, such as 0.45."""
    max_score: float | None
    """Only positions in which White scored at most this share of the points, such as 0.6."""
    max_draws: float | None
    """Only positions with at most this share of draws among the games with a result, such as 0.7."""
    unknown_result: Literal["draw", "skip"] | None
    """How games without a result count in min_score, max_score, max_draws, order score and the weights of a Polyglot book: draw, skip."""
    best_rated: bool | None
    """Of the games that reach the same position, count only the one with the highest mean rating."""
    equal_turns: bool | None
    """The same number of positions with White and with Black to move, drawn at random."""
    min_move_games: int | None
    """Polyglot: only moves played in at least N games, like -min-game of Polyglot."""
    min_move_score: float | None
    """Polyglot: only moves with which the side that plays them scored at least this share of the points, like -min-score of Polyglot."""
    weights: Literal["points", "uniform"] | None
    """Polyglot: the weights of the moves: points, uniform [default: points]."""
    sample: int | None
    """N positions at random, each equally likely."""
    seed: int | None
    """Random seed: the same seed gives the same book."""
    order: Literal["input", "count", "key", "position", "score", "shuffle"] | None
    """Order of the positions [default: input]."""
    format: Literal["epd", "pgn", "bin", "explorer", "csv", "jsonl", "arrow", "parquet"] | None
    """Format of the book [default: from the suffix of the output, otherwise epd]."""
    ops: Literal["counts", "clocks", "none"] | None
    """Operations in EPD: counts, clocks, none [default: counts]."""
    keep_moves: bool | None
    """With partial, keep the moves that lead to each position, which a book as PGN needs."""
    jobs: int | None
    """Number of threads [default: the number of cores]."""
    memory: int | str | None
    """Maximum memory for counting; counts that do not fit are written to temp_dir [default: 1G]."""
    temp_dir: str | os.PathLike[str] | None
    """Folder for temporary files [default: that of the system]."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file: stop, keep [default: stop]."""
    max_game_bytes: int | str | None
    """Maximum size of a game in bytes, or with K, M or G; it bounds memory [default: 64M]."""
    engine: str | Sequence[str] | None
    """Command that starts a UCI engine: a program and its arguments, as words; no shell reads it. May be repeated for `solve`."""
    engines: int | None
    """Number of processes [default: the number of cores]."""
    option: str | Sequence[str] | None
    """Option of the engine, as in Hash=64; may be repeated."""
    nodes: int | None
    """Search this number of nodes."""
    depth: int | None
    """Search to this depth, in plies."""
    movetime: int | None
    """Search for this time, in milliseconds."""
    keep_hash: bool | None
    """Let the engine keep what it learned from earlier positions; the output then depends on engines."""
    timeout: int | None
    """Seconds without anything new from the engine after which it hangs, and is started again [default: 60]."""
    wdl: bool | None
    """Write wins, draws and losses in a thousand games as the operation wdl, if the engine knows them."""
    draws: int | str | tuple[int | None, int | None] | None
    """Only positions in which the engine expects this share of draws, such as 0.48..0.52."""
    cache: str | os.PathLike[str] | None
    """Take evaluations from a file that is made in the first run, and add those of other positions."""
    range: str | None
    """Only the games whose first byte is in this range of the file, as printed by `pgn2epd splits`."""
    partial: bool | None
    """Write all counts, to be merged with other partial results later."""
    metadata: bool | None
    """Write the numbers of positions, the hash and the command to a file of the same name with .json appended."""
    report: str | os.PathLike[str] | None
    """Write every problem to a file as a line of JSON."""


class CheckOptions(TypedDict, total=False):
    """Keyword arguments, the options of `pgn2epd check`.

    * `dialect`: The dialect of all lines [default: detected for each line].
    * `moves`: Whether to play the moves in operands: on, off [default: on].
    * `variant`: Rules of all positions [default: auto].
    * `strict`: Refuse positions that no game leads to, even if moves can be played.
    * `stats`: Count positions and different positions, in the terms used for the books of Stockfish.
    * `unreadable`: What becomes of text that fix cannot read: comment, drop [default: comment].
    * `jobs`: Number of threads [default: the number of cores].
    * `on_damage`: What to do with a damaged compressed file: stop, keep [default: stop].
    * `rejects`: Write the lines whose position fix cannot read to a file, unchanged.
    """

    dialect: Literal["epd", "fen", "crafty", "perl", "perft", "label", "pgn-extract", "scid", "python-chess"] | None
    """The dialect of all lines [default: detected for each line]."""
    moves: bool | Literal["on", "off"] | None
    """Whether to play the moves in operands: on, off [default: on]."""
    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of all positions [default: auto]."""
    strict: bool | None
    """Refuse positions that no game leads to, even if moves can be played."""
    stats: bool | None
    """Count positions and different positions, in the terms used for the books of Stockfish."""
    unreadable: Literal["comment", "drop"] | None
    """What becomes of text that fix cannot read: comment, drop [default: comment]."""
    jobs: int | None
    """Number of threads [default: the number of cores]."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file: stop, keep [default: stop]."""
    rejects: str | os.PathLike[str] | None
    """Write the lines whose position fix cannot read to a file, unchanged."""


class DiagramOptions(TypedDict, total=False):
    """Keyword arguments, the options of `pgn2epd show`.

    * `format`: Format of the diagrams [default: from the suffix of the output, otherwise text].
    * `input`: What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet].
    * `variant`: Rules of positions in files; those of games are in their tag Variant [default: auto].
    * `where`: Only what matches a condition; see `pgn2epd help conditions`.
    * `view`: The side at the bottom of the board: white, black, mover [default: white].
    * `no_coordinates`: Omit the names of files and ranks.
    * `no_marks`: Do not mark the last move and checks, nor the arrows and squares of comments.
    * `arrows`: Draw arrows, such as e2e4 or Rd1d8,Gb1c3; R, G, Y and B mean red, green, yellow and blue.
    * `squares`: Colour squares, such as e4 or Rd5,Yf7; R, G, Y and B mean red, green, yellow and blue.
    * `theme`: Colours of a picture: light, dark [default: light].
    * `width`: Width of a PNG picture in pixels [default: 800].
    * `on_damage`: What to do with a damaged compressed file.
    """

    format: Literal["text", "ascii", "svg", "png", "latex", "html"] | None
    """Format of the diagrams [default: from the suffix of the output, otherwise text]."""
    input: str | None
    """What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet]."""
    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of positions in files; those of games are in their tag Variant [default: auto]."""
    where: str | None
    """Only what matches a condition; see `pgn2epd help conditions`."""
    view: Literal["white", "black", "mover"] | None
    """The side at the bottom of the board: white, black, mover [default: white]."""
    no_coordinates: bool | None
    """Omit the names of files and ranks."""
    no_marks: bool | None
    """Do not mark the last move and checks, nor the arrows and squares of comments."""
    arrows: str | Sequence[str] | None
    """Draw arrows, such as e2e4 or Rd1d8,Gb1c3; R, G, Y and B mean red, green, yellow and blue."""
    squares: str | Sequence[str] | None
    """Colour squares, such as e4 or Rd5,Yf7; R, G, Y and B mean red, green, yellow and blue."""
    theme: Literal["light", "dark"] | None
    """Colours of a picture: light, dark [default: light]."""
    width: int | None
    """Width of a PNG picture in pixels [default: 800]."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file."""


class DiffOptions(TypedDict, total=False):
    """Keyword arguments, the options of `pgn2epd diff`.

    * `variant`: Rules of positions in files; those of games are in their tag Variant [default: auto].
    * `strict`: Report every departure from the standard as an error; the records are still read.
    * `jobs`: Number of threads [default: the number of cores].
    * `memory`: Maximum memory for records; others are in temp_dir [default: 1G].
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `on_damage`: What to do with a damaged compressed file: stop, keep [default: stop].
    * `chunk_bytes`: Size of a chunk in bytes; it does not affect the output [default: 256K].
    """

    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of positions in files; those of games are in their tag Variant [default: auto]."""
    strict: bool | None
    """Report every departure from the standard as an error; the records are still read."""
    jobs: int | None
    """Number of threads [default: the number of cores]."""
    memory: int | str | None
    """Maximum memory for records; others are in temp_dir [default: 1G]."""
    temp_dir: str | os.PathLike[str] | None
    """Folder for temporary files [default: that of the system]."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file: stop, keep [default: stop]."""
    chunk_bytes: int | str | None
    """Size of a chunk in bytes; it does not affect the output [default: 256K]."""


class JoinOptions(TypedDict, total=False):
    """Keyword arguments, the options of `pgn2epd join`.

    * `only_matched`: Only records whose position is in the other files.
    * `only_unmatched`: Only records whose position is not in the other files.
    * `registers`: How to write the registers c0-c9, v0-v9, eco and nic: delta, full, off [default: delta].
    * `variant`: Rules of positions in files; those of games are in their tag Variant [default: auto].
    * `strict`: Report every departure from the standard as an error; the records are still read.
    * `jobs`: Number of threads [default: the number of cores].
    * `memory`: Maximum memory for records; others are in temp_dir [default: 1G].
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `on_damage`: What to do with a damaged compressed file: stop, keep [default: stop].
    * `chunk_bytes`: Size of a chunk in bytes; it does not affect the output [default: 256K].
    """

    only_matched: bool | None
    """Only records whose position is in the other files."""
    only_unmatched: bool | None
    """Only records whose position is not in the other files."""
    registers: Literal["delta", "full", "off"] | None
    """How to write the registers c0-c9, v0-v9, eco and nic: delta, full, off [default: delta]."""
    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of positions in files; those of games are in their tag Variant [default: auto]."""
    strict: bool | None
    """Report every departure from the standard as an error; the records are still read."""
    jobs: int | None
    """Number of threads [default: the number of cores]."""
    memory: int | str | None
    """Maximum memory for records; others are in temp_dir [default: 1G]."""
    temp_dir: str | os.PathLike[str] | None
    """Folder for temporary files [default: that of the system]."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file: stop, keep [default: stop]."""
    chunk_bytes: int | str | None
    """Size of a chunk in bytes; it does not affect the output [default: 256K]."""


class MergeOptions(TypedDict, total=False):
    """Keyword arguments, the options of `pgn2epd book merge`.

    * `preset`: Options for a purpose: match.
    * `omit`: Kinds of positions and games to omit; see `pgn2epd help omissions`.
    * `eval`: Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it.
    * `min_games`: Only positions that occur in at least N games.
    * `min_score`: Only positions in which White scored at least this share of the points, such as 0.45.
    * `max_score`: Only positions in which White scored at most this share of the points, such as 0.6.
    * `max_draws`: Only positions with at most this share of draws among the games with a result, such as 0.7.
    * `unknown_result`: How games without a result count in min_score, max_score, max_draws, order score and the weights of a Polyglot book: draw, skip.
    * `best_rated`: Of the games that reach the same position, count only the one with the highest mean rating.
    * `equal_turns`: The same number of positions with White and with Black to move, drawn at random.
    * `min_move_games`: Polyglot: only moves played in at least N games, like -min-game of Polyglot.
    * `min_move_score`: Polyglot: only moves with which the side that plays them scored at least this share of the points, like -min-score of Polyglot.
    * `weights`: Polyglot: the weights of the moves: points, uniform [default: points].
    * `sample`: N positions at random, each equally likely.
    * `seed`: Random seed: the same seed gives the same book.
    * `order`: Order of the positions [default: input].
    * `format`: Format of the book [default: from the suffix of the output, otherwise epd].
    * `ops`: Operations in EPD: counts, clocks, none [default: counts].
    * `keep_moves`: With partial, keep the moves that lead to each position, which a book as PGN needs.
    * `jobs`: Number of threads [default: the number of cores].
    * `memory`: Maximum memory for counting; counts that do not fit are written to temp_dir [default: 1G].
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `engine`: Command that starts a UCI engine: a program and its arguments, as words; no shell reads it. May be repeated for `solve`.
    * `engines`: Number of processes [default: the number of cores].
    * `option`: Option of the engine, as in Hash=64; may be repeated.
    * `nodes`: Search this number of nodes.
    * `depth`: Search to this depth, in plies.
    * `movetime`: Search for this time, in milliseconds.
    * `keep_hash`: Let the engine keep what it learned from earlier positions; the output then depends on engines.
    * `timeout`: Seconds without anything new from the engine after which it hangs, and is started again [default: 60].
    * `wdl`: Write wins, draws and losses in a thousand games as the operation wdl, if the engine knows them.
    * `draws`: Only positions in which the engine expects this share of draws, such as 0.48..0.52.
    * `cache`: Take evaluations from a file that is made in the first run, and add those of other positions.
    * `partial`: Write all counts, to be merged with other partial results later.
    * `metadata`: Write the numbers of positions, the hash and the command to a file of the same name with .json appended.
    """

    preset: Literal["match"] | None
    """Options for a purpose: match."""
    omit: str | Sequence[str] | None
    """Kinds of positions and games to omit; see `pgn2epd help omissions`."""
    eval: int | str | tuple[int | None, int | None] | None
    """Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it."""
    min_games: int | None
    """Only positions that occur in at least N games."""
    min_score: float | None
    """Only positions in which White scored at least this share of the points, such as 0.45."""
    max_score: float | None
    """Only positions in which White scored at most this share of the points, such as 0.6."""
    max_draws: float | None
    """Only positions with at most this share of draws among the games with a result, such as 0.7."""
    unknown_result: Literal["draw", "skip"] | None
    """How games without a result count in min_score, max_score, max_draws, order score and the weights of a Polyglot book: draw, skip."""
    best_rated: bool | None
    """Of the games that reach the same position, count only the one with the highest mean rating."""
    equal_turns: bool | None
    """The same number of positions with White and with Black to move, drawn at random."""
    min_move_games: int | None
    """Polyglot: only moves played in at least N games, like -min-game of Polyglot."""
    min_move_score: float | None
    """Polyglot: only moves with which the side that plays them scored at least this share of the points, like -min-score of Polyglot."""
    weights: Literal["points", "uniform"] | None
    """Polyglot: the weights of the moves: points, uniform [default: points]."""
    sample: int | None
    """N positions at random, each equally likely."""
    seed: int | None
    """Random seed: the same seed gives the same book."""
    order: Literal["input", "count", "key", "position", "score", "shuffle"] | None
    """Order of the positions [default: input]."""
    format: Literal["epd", "pgn", "bin", "explorer", "csv", "jsonl", "arrow", "parquet"] | None
    """Format of the book [default: from the suffix of the output, otherwise epd]."""
    ops: Literal["counts", "clocks", "none"] | None
    """Operations in EPD: counts, clocks, none [default: counts]."""
    keep_moves: bool | None
    """With partial, keep the moves that lead to each position, which a book as PGN needs."""
    jobs: int | None
    """Number of threads [default: the number of cores]."""
    memory: int | str | None
    """Maximum memory for counting; counts that do not fit are written to temp_dir [default: 1G]."""
    temp_dir: str | os.PathLike[str] | None
    """Folder for temporary files [default: that of the system]."""
    engine: str | Sequence[str] | None
    """Command that starts a UCI engine: a program and its arguments, as words; no shell reads it. May be repeated for `solve`."""
    engines: int | None
    """Number of processes [default: the number of cores]."""
    option: str | Sequence[str] | None
    """Option of the engine, as in Hash=64; may be repeated."""
    nodes: int | None
    """Search this number of nodes."""
    depth: int | None
    """Search to this depth, in plies."""
    movetime: int | None
    """Search for this time, in milliseconds."""
    keep_hash: bool | None
    """Let the engine keep what it learned from earlier positions; the output then depends on engines."""
    timeout: int | None
    """Seconds without anything new from the engine after which it hangs, and is started again [default: 60]."""
    wdl: bool | None
    """Write wins, draws and losses in a thousand games as the operation wdl, if the engine knows them."""
    draws: int | str | tuple[int | None, int | None] | None
    """Only positions in which the engine expects this share of draws, such as 0.48..0.52."""
    cache: str | os.PathLike[str] | None
    """Take evaluations from a file that is made in the first run, and add those of other positions."""
    partial: bool | None
    """Write all counts, to be merged with other partial results later."""
    metadata: bool | None
    """Write the numbers of positions, the hash and the command to a file of the same name with .json appended."""


class SolveOptions(TypedDict, total=False):
    """Keyword arguments, the options of `pgn2epd solve`.

    * `engine`: Command that starts a UCI engine: a program and its arguments, as words; no shell reads it. May be repeated for `solve`.
    * `engines`: Number of processes [default: the number of cores].
    * `option`: Option of the engine, as in Hash=64; may be repeated.
    * `nodes`: Search this number of nodes.
    * `depth`: Search to this depth, in plies.
    * `movetime`: Search for this time, in milliseconds.
    * `keep_hash`: Let the engine keep what it learned from earlier positions; the output then depends on engines.
    * `timeout`: Seconds without anything new from the engine after which it hangs, and is started again [default: 60].
    * `variant`: Rules of all positions [default: auto].
    * `input`: What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet].
    * `rename`: Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score.
    * `evals`: Which of the evaluations that Lichess has of a position are records: deepest, all [default: deepest].
    * `language`: Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk [default: en].
    * `null_moves`: Accept null moves (--, Z0, 0000 ...), which are otherwise errors.
    * `notes`: Report harmless departures from the PGN standard: unusual spellings, missing results.
    * `strict`: Report every departure from the PGN standard as an error; clear moves are still played.
    * `where`: Only what matches a condition; see `pgn2epd help conditions`.
    * `reach`: Only positions that are in this file, and those after them in their lines.
    * `unique`: Only one of equal positions; see `pgn2epd help duplicates`.
    * `unique_games`: Only one of equal games: moves or prefix:N; see `pgn2epd help duplicates`.
    * `skip`: Omit the first N positions; games in pgn and with rows games.
    * `limit`: At most N positions; games in pgn and with rows games.
    * `sample`: N positions at random, each equally likely, in their order; games in pgn and with rows games.
    * `sort`: Sort the records by variables and tags, separated by commas, descending with - before: -elo,ply.
    * `shuffle`: Write the records in random order, after the other selections; every order is equally likely.
    * `seed`: Random seed of sample, shuffle and split: the same seed gives the same result.
    * `jobs`: Number of threads [default: the number of cores].
    * `memory`: Memory for unique, conflicts, sort, shuffle; more uses temp_dir [default: 1G].
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `on_error`: What to do with a game that has an error: keep, skip, stop [default: keep].
    * `on_damage`: What to do with a damaged compressed file: stop, keep [default: stop].
    * `max_game_bytes`: Maximum size of a game in bytes, or with K, M or G; it bounds memory [default: 64M].
    * `chunk_bytes`: Size of a chunk in bytes; it does not affect the output [default: 256K].
    * `format`: What the result is written as.
    * `fail_below`: Exit status 1 if an engine solves fewer positions, or, in a suite with points, has fewer points.
    * `report`: Write every problem to a file as a line of JSON.
    """

    engine: str | Sequence[str] | None
    """Command that starts a UCI engine: a program and its arguments, as words; no shell reads it. May be repeated for `solve`."""
    engines: int | None
    """Number of processes [default: the number of cores]."""
    option: str | Sequence[str] | None
    """Option of the engine, as in Hash=64; may be repeated."""
    nodes: int | None
    """Search this number of nodes."""
    depth: int | None
    """Search to this depth, in plies."""
    movetime: int | None
    """Search for this time, in milliseconds."""
    keep_hash: bool | None
    """Let the engine keep what it learned from earlier positions; the output then depends on engines."""
    timeout: int | None
    """Seconds without anything new from the engine after which it hangs, and is started again [default: 60]."""
    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of all positions [default: auto]."""
    input: str | None
    """What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet]."""
    rename: str | Sequence[str] | None
    """Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score."""
    evals: Literal["deepest", "all"] | None
    """Which of the evaluations that Lichess has of a position are records: deepest, all [default: deepest]."""
    language: str | None
    """Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk [default: en]."""
    null_moves: bool | None
    """Accept null moves (--, Z0, 0000 ...), which are otherwise errors."""
    notes: bool | None
    """Report harmless departures from the PGN standard: unusual spellings, missing results."""
    strict: bool | None
    """Report every departure from the PGN standard as an error; clear moves are still played."""
    where: str | None
    """Only what matches a condition; see `pgn2epd help conditions`."""
    reach: str | os.PathLike[str] | None
    """Only positions that are in this file, and those after them in their lines."""
    unique: bool | Literal["first", "last", "deepest"] | None
    """Only one of equal positions; see `pgn2epd help duplicates`."""
    unique_games: bool | str | None
    """Only one of equal games: moves or prefix:N; see `pgn2epd help duplicates`."""
    skip: int | None
    """Omit the first N positions; games in pgn and with rows games."""
    limit: int | None
    """At most N positions; games in pgn and with rows games."""
    sample: int | None
    """N positions at random, each equally likely, in their order; games in pgn and with rows games."""
    sort: str | Sequence[str] | None
    """Sort the records by variables and tags, separated by commas, descending with - before: -elo,ply."""
    shuffle: bool | None
    """Write the records in random order, after the other selections; every order is equally likely."""
    seed: int | None
    """Random seed of sample, shuffle and split: the same seed gives the same result."""
    jobs: int | None
    """Number of threads [default: the number of cores]."""
    memory: int | str | None
    """Memory for unique, conflicts, sort, shuffle; more uses temp_dir [default: 1G]."""
    temp_dir: str | os.PathLike[str] | None
    """Folder for temporary files [default: that of the system]."""
    on_error: Literal["keep", "skip", "stop"] | None
    """What to do with a game that has an error: keep, skip, stop [default: keep]."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file: stop, keep [default: stop]."""
    max_game_bytes: int | str | None
    """Maximum size of a game in bytes, or with K, M or G; it bounds memory [default: 64M]."""
    chunk_bytes: int | str | None
    """Size of a chunk in bytes; it does not affect the output [default: 256K]."""
    format: Literal["text", "markdown", "json", "csv"] | None
    """What the result is written as."""
    fail_below: int | None
    """Exit status 1 if an engine solves fewer positions, or, in a suite with points, has fewer points."""
    report: str | os.PathLike[str] | None
    """Write every problem to a file as a line of JSON."""
