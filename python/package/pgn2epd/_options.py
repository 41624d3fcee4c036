"""The options of functions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, TypedDict


class Options(TypedDict, total=False):
    """Keyword arguments, the options of the command line.

    * `preset`: A set of options for a purpose; other options override it.
    * `format`: Output format; see `pgn2epd help formats`.
    * `csv_safe`: In csv, write an apostrophe before texts that spreadsheets take for formulas.
    * `rows`: What a row of a table is.
    * `games`: How games are written in pgn: words such as uci,no-comments; see `pgn2epd help games`.
    * `score`: Unit of scores in binary formats that are read or written.
    * `ops`: Operations, separated by commas, or none; see `pgn2epd help operations` [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats].
    * `registers`: How to write the registers c0-c9, v0-v9, eco and nic [default: delta for games in their order; full where records are selected or moved, by unique, skip, limit, sample, sort or shuffle].
    * `names`: Source of the opening names in eco, nic and v0-v9.
    * `openings`: Opening tables instead of the built-in one, which is "default"; later tables override earlier ones.
    * `add`: Add an operation, as in 'c9={Result}'; may be repeated; see `pgn2epd help variables`.
    * `variations`: Also write the positions of variations, each with the operation Rav.
    * `comments`: What to do with comments longer than 255 bytes, the limit in EPD, and with commands.
    * `ascii`: Replace characters outside of ASCII, the character set of EPD: Kröger becomes Kroger.
    * `ep`: When to write en passant squares.
    * `castling`: How to write castling rights.
    * `blank_line`: Write an empty line after the records of each game.
    * `ply`: Positions after N plies: 8..24, 8.., ..24 or 16; 0 is the start.
    * `move`: Only positions before the moves with these numbers: 5..12, 5.., ..12 or 9.
    * `omit`: Kinds of positions and games to omit; see `pgn2epd help omissions`.
    * `eval`: Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it.
    * `last`: Only the last position of each game.
    * `input`: What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet].
    * `variant`: Rules of positions in files; those of games are in their tag Variant.
    * `rename`: Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score.
    * `evals`: Which of the evaluations that Lichess has of a position are records.
    * `language`: Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk.
    * `null_moves`: Accept null moves (--, Z0, 0000 ...), which are otherwise errors.
    * `notes`: Report harmless departures from the PGN standard: unusual spellings, missing results.
    * `strict`: Report every departure from the PGN standard as an error; clear moves are still played.
    * `where`: Only what matches a condition; see `pgn2epd help conditions`.
    * `reach`: Only positions that are in this file, and those after them in their lines.
    * `conflicts`: What to do with equal positions that have different results, in the formats from c9 to plain; see `pgn2epd help duplicates`.
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
    * `memory`: Memory for unique, conflicts, sort, shuffle; more uses temp_dir.
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `on_error`: What to do with a game that has an error.
    * `on_damage`: What to do with a damaged compressed file.
    * `max_game_bytes`: Maximum size of a game in bytes, or with K, M or G; it bounds memory.
    * `chunk_bytes`: Size of a chunk in bytes; it does not affect the output.
    """

    preset: Literal["fishnet-evals", "match", "suite", "tuning"] | None
    """A set of options for a purpose; other options override it."""
    format: Literal["epd", "fen", "perl", "crafty", "c9", "bracket", "bullet", "c-chess-cli", "plain", "viriformat", "binpack", "bulletformat", "marlinformat", "pgn", "csv", "jsonl", "arrow", "parquet"] | None
    """Output format; see `pgn2epd help formats`."""
    csv_safe: bool | None
    """In csv, write an apostrophe before texts that spreadsheets take for formulas."""
    rows: Literal["positions", "games"] | None
    """What a row of a table is."""
    games: str | Sequence[str] | None
    """How games are written in pgn: words such as uci,no-comments; see `pgn2epd help games`."""
    score: Literal["cp", "stockfish"] | None
    """Unit of scores in binary formats that are read or written."""
    ops: str | Sequence[str] | None
    """Operations, separated by commas, or none; see `pgn2epd help operations` [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats]."""
    registers: Literal["delta", "full", "off"] | None
    """How to write the registers c0-c9, v0-v9, eco and nic [default: delta for games in their order; full where records are selected or moved, by unique, skip, limit, sample, sort or shuffle]."""
    names: Literal["table", "tags", "off"] | None
    """Source of the opening names in eco, nic and v0-v9."""
    openings: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None
    """Opening tables instead of the built-in one, which is "default"; later tables override earlier ones."""
    add: str | Sequence[str] | None
    """Add an operation, as in 'c9={Result}'; may be repeated; see `pgn2epd help variables`."""
    variations: bool | None
    """Also write the positions of variations, each with the operation Rav."""
    comments: Literal["cut", "split", "drop", "raw"] | None
    """What to do with comments longer than 255 bytes, the limit in EPD, and with commands."""
    ascii: bool | None
    """Replace characters outside of ASCII, the character set of EPD: Kröger becomes Kroger."""
    ep: Literal["always", "pseudo", "legal"] | None
    """When to write en passant squares."""
    castling: Literal["xfen", "shredder", "standard"] | None
    """How to write castling rights."""
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
    """Rules of positions in files; those of games are in their tag Variant."""
    rename: str | Sequence[str] | None
    """Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score."""
    evals: Literal["deepest", "all"] | None
    """Which of the evaluations that Lichess has of a position are records."""
    language: str | None
    """Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk."""
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
    """What to do with equal positions that have different results, in the formats from c9 to plain; see `pgn2epd help duplicates`."""
    unique: bool | Literal["first", "last", "deepest"] | None
    """Only one of equal positions; see `pgn2epd help duplicates`."""
    unique_games: str | None
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
    split: str | None
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
    """Memory for unique, conflicts, sort, shuffle; more uses temp_dir."""
    temp_dir: str | os.PathLike[str] | None
    """Folder for temporary files [default: that of the system]."""
    on_error: Literal["keep", "skip", "stop"] | None
    """What to do with a game that has an error."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file."""
    max_game_bytes: int | str | None
    """Maximum size of a game in bytes, or with K, M or G; it bounds memory."""
    chunk_bytes: int | str | None
    """Size of a chunk in bytes; it does not affect the output."""


class BookOptions(TypedDict, total=False):
    """Keyword arguments of `book`, the options of the command line.

    * `preset`: A set of options for a purpose; other options override it.
    * `where`: Only what matches a condition; see `pgn2epd help conditions`.
    * `reach`: Only positions that are in this file, and those after them in their lines.
    * `ply`: Positions after N plies: 8..24, 8.., ..24 or 16; 0 is the start.
    * `move`: Only positions before the moves with these numbers: 5..12, 5.., ..12 or 9.
    * `last`: Only the last position of each game.
    * `omit`: Kinds of positions and games to omit; see `pgn2epd help omissions`.
    * `queens`: Only positions with queens.
    * `pieces`: Only positions with this number of pieces, kings and pawns included: 20..32.
    * `eval`: Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it.
    * `input`: What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet].
    * `variant`: Rules of positions in files; those of games are in their tag Variant.
    * `variations`: Also count the moves of variations; a game counts once for each move.
    * `once_per_game`: Count only the first position of each game that the other options select.
    * `group_by`: For an explorer file, count classes of games separately: rating:1600,2000 speed year month player.
    * `on_error`: What to do with a game that has an error.
    * `min_games`: Only positions that occur in at least N games.
    * `min_score`: Only positions in which White scored at least this share of the points, such as 0.45.
    * `max_score`: Only positions in which White scored at most this share of the points, such as 0.6.
    * `max_draws`: Only positions with at most this share of draws among the games with a result, such as 0.7.
    * `unknown_result`: How games without a result count in min_score, max_score, max_draws, order score and the weights of a Polyglot book.
    * `best_rated`: Of the games that reach the same position, count only the one with the highest mean rating.
    * `equal_turns`: The same number of positions with White and with Black to move, drawn at random.
    * `min_move_games`: Polyglot: only moves played in at least N games, like -min-game of Polyglot.
    * `min_move_score`: Polyglot: only moves with which the side that plays them scored at least this share of the points, like -min-score of Polyglot.
    * `weights`: Polyglot: the weights of the moves.
    * `sample`: N positions at random, each equally likely.
    * `seed`: Random seed: the same seed gives the same book.
    * `order`: Order of the positions.
    * `format`: Format of the book [default: from the suffix of the output, otherwise epd].
    * `ops`: Operations in EPD.
    * `jobs`: Number of threads [default: the number of cores].
    * `memory`: Maximum memory for counting; counts that do not fit are written to temp_dir.
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `on_damage`: What to do with a damaged compressed file.
    * `max_game_bytes`: Maximum size of a game in bytes, or with K, M or G; it bounds memory.
    * `engine`: Command that starts a UCI engine: a program and its arguments, as words; no shell reads it. May be repeated for `solve`.
    * `engines`: Number of processes [default: the number of cores].
    * `option`: Option of the engine, as in Hash=64; may be repeated.
    * `nodes`: Search this number of nodes.
    * `depth`: Search to this depth, in plies.
    * `movetime`: Search for this time, in milliseconds.
    * `keep_hash`: Let the engine keep what it learned from earlier positions; the output then depends on engines.
    * `timeout`: Seconds without anything new from the engine after which it hangs, and is started again.
    * `wdl`: Write wins, draws and losses in a thousand games as the operation wdl, if the engine knows them.
    * `draws`: Only positions in which the engine expects this share of draws, such as 0.48..0.52.
    """

    preset: Literal["match"] | None
    """A set of options for a purpose; other options override it."""
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
    """Only positions with queens."""
    pieces: int | str | tuple[int | None, int | None] | None
    """Only positions with this number of pieces, kings and pawns included: 20..32."""
    eval: int | str | tuple[int | None, int | None] | None
    """Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it."""
    input: str | None
    """What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet]."""
    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of positions in files; those of games are in their tag Variant."""
    variations: bool | None
    """Also count the moves of variations; a game counts once for each move."""
    once_per_game: bool | None
    """Count only the first position of each game that the other options select."""
    group_by: str | Sequence[str] | None
    """For an explorer file, count classes of games separately: rating:1600,2000 speed year month player."""
    on_error: Literal["keep", "skip", "stop"] | None
    """What to do with a game that has an error."""
    min_games: int | None
    """Only positions that occur in at least N games."""
    min_score: float | None
    """Only positions in which White scored at least this share of the points, such as 0.45."""
    max_score: float | None
    """Only positions in which White scored at most this share of the points, such as 0.6."""
    max_draws: float | None
    """Only positions with at most this share of draws among the games with a result, such as 0.7."""
    unknown_result: Literal["draw", "skip"] | None
    """How games without a result count in min_score, max_score, max_draws, order score and the weights of a Polyglot book."""
    best_rated: bool | None
    """Of the games that reach the same position, count only the one with the highest mean rating."""
    equal_turns: bool | None
    """The same number of positions with White and with Black to move, drawn at random."""
    min_move_games: int | None
    """Polyglot: only moves played in at least N games, like -min-game of Polyglot."""
    min_move_score: float | None
    """Polyglot: only moves with which the side that plays them scored at least this share of the points, like -min-score of Polyglot."""
    weights: Literal["points", "uniform"] | None
    """Polyglot: the weights of the moves."""
    sample: int | None
    """N positions at random, each equally likely."""
    seed: int | None
    """Random seed: the same seed gives the same book."""
    order: Literal["input", "count", "key", "position", "score", "shuffle"] | None
    """Order of the positions."""
    format: Literal["epd", "pgn", "bin", "explorer", "csv", "jsonl", "arrow", "parquet"] | None
    """Format of the book [default: from the suffix of the output, otherwise epd]."""
    ops: Literal["counts", "clocks", "none"] | None
    """Operations in EPD."""
    jobs: int | None
    """Number of threads [default: the number of cores]."""
    memory: int | str | None
    """Maximum memory for counting; counts that do not fit are written to temp_dir."""
    temp_dir: str | os.PathLike[str] | None
    """Folder for temporary files [default: that of the system]."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file."""
    max_game_bytes: int | str | None
    """Maximum size of a game in bytes, or with K, M or G; it bounds memory."""
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
    """Seconds without anything new from the engine after which it hangs, and is started again."""
    wdl: bool | None
    """Write wins, draws and losses in a thousand games as the operation wdl, if the engine knows them."""
    draws: int | str | tuple[int | None, int | None] | None
    """Only positions in which the engine expects this share of draws, such as 0.48..0.52."""


class CheckOptions(TypedDict, total=False):
    """Keyword arguments of `check`, the options of the command line.

    * `dialect`: The dialect of all lines [default: detected for each line].
    * `moves`: Whether to play the moves in operands.
    * `variant`: Rules of all positions.
    * `strict`: Refuse positions that no game leads to, even if moves can be played.
    * `stats`: Count positions and different positions, in the terms used for the books of Stockfish.
    * `unreadable`: What becomes of text that fix cannot read.
    * `jobs`: Number of threads [default: the number of cores].
    * `on_damage`: What to do with a damaged compressed file.
    """

    dialect: Literal["epd", "fen", "crafty", "perl", "perft", "label", "pgn-extract", "scid", "python-chess"] | None
    """The dialect of all lines [default: detected for each line]."""
    moves: bool | Literal["on", "off"] | None
    """Whether to play the moves in operands."""
    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of all positions."""
    strict: bool | None
    """Refuse positions that no game leads to, even if moves can be played."""
    stats: bool | None
    """Count positions and different positions, in the terms used for the books of Stockfish."""
    unreadable: Literal["comment", "drop"] | None
    """What becomes of text that fix cannot read."""
    jobs: int | None
    """Number of threads [default: the number of cores]."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file."""


class DiagramOptions(TypedDict, total=False):
    """Keyword arguments of `show`, the options of the command line.

    * `input`: What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet].
    * `variant`: Rules of positions in files; those of games are in their tag Variant.
    * `where`: Only what matches a condition; see `pgn2epd help conditions`.
    * `view`: The side at the bottom of the board.
    * `no_coordinates`: Omit the names of files and ranks.
    * `no_marks`: Do not mark the last move and checks, nor the arrows and squares of comments.
    * `arrows`: Draw arrows, such as e2e4 or Rd1d8,Gb1c3; R, G, Y and B mean red, green, yellow and blue.
    * `squares`: Colour squares, such as e4 or Rd5,Yf7; R, G, Y and B mean red, green, yellow and blue.
    * `theme`: Colours of a picture.
    """

    input: str | None
    """What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet]."""
    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of positions in files; those of games are in their tag Variant."""
    where: str | None
    """Only what matches a condition; see `pgn2epd help conditions`."""
    view: Literal["white", "black", "mover"] | None
    """The side at the bottom of the board."""
    no_coordinates: bool | None
    """Omit the names of files and ranks."""
    no_marks: bool | None
    """Do not mark the last move and checks, nor the arrows and squares of comments."""
    arrows: str | Sequence[str] | None
    """Draw arrows, such as e2e4 or Rd1d8,Gb1c3; R, G, Y and B mean red, green, yellow and blue."""
    squares: str | Sequence[str] | None
    """Colour squares, such as e4 or Rd5,Yf7; R, G, Y and B mean red, green, yellow and blue."""
    theme: Literal["light", "dark"] | None
    """Colours of a picture."""


class AnalyseOptions(TypedDict, total=False):
    """Keyword arguments of `analyse`, the options of the command line.

    * `engine`: Command that starts a UCI engine: a program and its arguments, as words; no shell reads it. May be repeated for `solve`.
    * `engines`: Number of processes [default: the number of cores].
    * `option`: Option of the engine, as in Hash=64; may be repeated.
    * `nodes`: Search this number of nodes.
    * `depth`: Search to this depth, in plies.
    * `movetime`: Search for this time, in milliseconds.
    * `multipv`: Number of best moves that are evaluated, for bm within.
    * `searchmoves`: Search only these moves, separated by commas, where they are legal.
    * `keep_hash`: Let the engine keep what it learned from earlier positions; the output then depends on engines.
    * `timeout`: Seconds without anything new from the engine after which it hangs, and is started again.
    * `bm`: Write the best move as bm instead of pm: best, or within:CP for all moves that are at most CP centipawns worse.
    * `wdl`: Write wins, draws and losses in a thousand games as the operation wdl, if the engine knows them.
    * `annotate`: In games, add the expected moves as a variation where the move that was played is at least CP centipawns worse [default: 50].
    * `format`: Output format; see `pgn2epd help formats`.
    * `columns`: Columns of a table: variables, tags and NAME=COLUMN; see `pgn2epd help variables`.
    * `csv_safe`: In csv, write an apostrophe before texts that spreadsheets take for formulas.
    * `games`: How games are written in pgn: words such as uci,no-comments; see `pgn2epd help games`.
    * `score`: Unit of scores in binary formats that are read or written.
    * `ops`: Operations, separated by commas, or none; see `pgn2epd help operations` [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats].
    * `registers`: How to write the registers c0-c9, v0-v9, eco and nic [default: delta for games in their order; full where records are selected or moved, by unique, skip, limit, sample, sort or shuffle].
    * `names`: Source of the opening names in eco, nic and v0-v9.
    * `add`: Add an operation, as in 'c9={Result}'; may be repeated; see `pgn2epd help variables`.
    * `variations`: Also write the positions of variations, each with the operation Rav.
    * `comments`: What to do with comments longer than 255 bytes, the limit in EPD, and with commands.
    * `ascii`: Replace characters outside of ASCII, the character set of EPD: Kröger becomes Kroger.
    * `ep`: When to write en passant squares.
    * `castling`: How to write castling rights.
    * `ply`: Positions after N plies: 8..24, 8.., ..24 or 16; 0 is the start.
    * `move`: Only positions before the moves with these numbers: 5..12, 5.., ..12 or 9.
    * `omit`: Kinds of positions and games to omit; see `pgn2epd help omissions`.
    * `eval`: Only positions with an engine evaluation in this range, in centipawns (-90..90) or pawns (0.90..1.19), for the side to move, or for White with white: before it.
    * `last`: Only the last position of each game.
    * `input`: What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet].
    * `rename`: Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score.
    * `evals`: Which of the evaluations that Lichess has of a position are records.
    * `language`: Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk.
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
    * `memory`: Memory for unique, conflicts, sort, shuffle; more uses temp_dir.
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `on_error`: What to do with a game that has an error.
    * `on_damage`: What to do with a damaged compressed file.
    * `max_game_bytes`: Maximum size of a game in bytes, or with K, M or G; it bounds memory.
    * `chunk_bytes`: Size of a chunk in bytes; it does not affect the output.
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
    multipv: int | None
    """Number of best moves that are evaluated, for bm within."""
    searchmoves: str | Sequence[str] | None
    """Search only these moves, separated by commas, where they are legal."""
    keep_hash: bool | None
    """Let the engine keep what it learned from earlier positions; the output then depends on engines."""
    timeout: int | None
    """Seconds without anything new from the engine after which it hangs, and is started again."""
    bm: str | None
    """Write the best move as bm instead of pm: best, or within:CP for all moves that are at most CP centipawns worse."""
    wdl: bool | None
    """Write wins, draws and losses in a thousand games as the operation wdl, if the engine knows them."""
    annotate: int | None
    """In games, add the expected moves as a variation where the move that was played is at least CP centipawns worse [default: 50]."""
    format: Literal["epd", "fen", "perl", "crafty", "c9", "bracket", "bullet", "c-chess-cli", "plain", "viriformat", "binpack", "bulletformat", "marlinformat", "pgn", "csv", "jsonl", "arrow", "parquet"] | None
    """Output format; see `pgn2epd help formats`."""
    columns: str | Sequence[str] | None
    """Columns of a table: variables, tags and NAME=COLUMN; see `pgn2epd help variables`."""
    csv_safe: bool | None
    """In csv, write an apostrophe before texts that spreadsheets take for formulas."""
    games: str | Sequence[str] | None
    """How games are written in pgn: words such as uci,no-comments; see `pgn2epd help games`."""
    score: Literal["cp", "stockfish"] | None
    """Unit of scores in binary formats that are read or written."""
    ops: str | Sequence[str] | None
    """Operations, separated by commas, or none; see `pgn2epd help operations` [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats]."""
    registers: Literal["delta", "full", "off"] | None
    """How to write the registers c0-c9, v0-v9, eco and nic [default: delta for games in their order; full where records are selected or moved, by unique, skip, limit, sample, sort or shuffle]."""
    names: Literal["table", "tags", "off"] | None
    """Source of the opening names in eco, nic and v0-v9."""
    add: str | Sequence[str] | None
    """Add an operation, as in 'c9={Result}'; may be repeated; see `pgn2epd help variables`."""
    variations: bool | None
    """Also write the positions of variations, each with the operation Rav."""
    comments: Literal["cut", "split", "drop", "raw"] | None
    """What to do with comments longer than 255 bytes, the limit in EPD, and with commands."""
    ascii: bool | None
    """Replace characters outside of ASCII, the character set of EPD: Kröger becomes Kroger."""
    ep: Literal["always", "pseudo", "legal"] | None
    """When to write en passant squares."""
    castling: Literal["xfen", "shredder", "standard"] | None
    """How to write castling rights."""
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
    """Which of the evaluations that Lichess has of a position are records."""
    language: str | None
    """Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk."""
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
    unique_games: str | None
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
    """Memory for unique, conflicts, sort, shuffle; more uses temp_dir."""
    temp_dir: str | os.PathLike[str] | None
    """Folder for temporary files [default: that of the system]."""
    on_error: Literal["keep", "skip", "stop"] | None
    """What to do with a game that has an error."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file."""
    max_game_bytes: int | str | None
    """Maximum size of a game in bytes, or with K, M or G; it bounds memory."""
    chunk_bytes: int | str | None
    """Size of a chunk in bytes; it does not affect the output."""


class SolveOptions(TypedDict, total=False):
    """Keyword arguments of `solve`, the options of the command line.

    * `engine`: Command that starts a UCI engine: a program and its arguments, as words; no shell reads it. May be repeated for `solve`.
    * `engines`: Number of processes [default: the number of cores].
    * `option`: Option of the engine, as in Hash=64; may be repeated.
    * `nodes`: Search this number of nodes.
    * `depth`: Search to this depth, in plies.
    * `movetime`: Search for this time, in milliseconds.
    * `keep_hash`: Let the engine keep what it learned from earlier positions; the output then depends on engines.
    * `timeout`: Seconds without anything new from the engine after which it hangs, and is started again.
    * `variant`: Rules of all positions.
    * `input`: What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet].
    * `rename`: Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score.
    * `evals`: Which of the evaluations that Lichess has of a position are records.
    * `language`: Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk.
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
    * `memory`: Memory for unique, conflicts, sort, shuffle; more uses temp_dir.
    * `temp_dir`: Folder for temporary files [default: that of the system].
    * `on_error`: What to do with a game that has an error.
    * `on_damage`: What to do with a damaged compressed file.
    * `max_game_bytes`: Maximum size of a game in bytes, or with K, M or G; it bounds memory.
    * `chunk_bytes`: Size of a chunk in bytes; it does not affect the output.
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
    """Seconds without anything new from the engine after which it hangs, and is started again."""
    variant: Literal["auto", "chess", "chess960", "antichess", "atomic", "crazyhouse", "horde", "kingofthehill", "racingkings", "threecheck"] | None
    """Rules of all positions."""
    input: str | None
    """What files contain: pgn, epd, csv, jsonl, arrow, parquet, evals, plain, viriformat, binpack, bulletformat, marlinformat [default: by content, or by .vf, .binpack, .bullet]."""
    rename: str | Sequence[str] | None
    """Names for columns of tables, NAME=COLUMN and so on, as in fen=position,white_cp=score."""
    evals: Literal["deepest", "all"] | None
    """Which of the evaluations that Lichess has of a position are records."""
    language: str | None
    """Language of the piece letters: auto, cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv, uk."""
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
    unique_games: str | None
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
    """Memory for unique, conflicts, sort, shuffle; more uses temp_dir."""
    temp_dir: str | os.PathLike[str] | None
    """Folder for temporary files [default: that of the system]."""
    on_error: Literal["keep", "skip", "stop"] | None
    """What to do with a game that has an error."""
    on_damage: Literal["stop", "keep"] | None
    """What to do with a damaged compressed file."""
    max_game_bytes: int | str | None
    """Maximum size of a game in bytes, or with K, M or G; it bounds memory."""
    chunk_bytes: int | str | None
    """Size of a chunk in bytes; it does not affect the output."""
