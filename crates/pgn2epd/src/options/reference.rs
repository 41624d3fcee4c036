//! Descriptions of more than a paragraph.

pub(super) const OPS: &str = "\
Operations in any order, separated by commas, or none [default: Rav,c,eco,fmvn,hmvc,nic,sm,v in epd, none in other formats]

  The game:      c (c0 the game, c1 the comment on the position), fmvn, hmvc,
                 sm (the move played)
  The opening:   eco, nic, v (v0-v9, its names)
  Variations:    Rav (with --variations: the ply and the move at which a
                 variation begins, such as \"7 Be7\")
  An engine:     acd, acn, acs, ce, dm, pv, from comments of Lichess, cutechess,
                 fastchess, TCEC and others; ce is for the side to move
  By the rules:  rc (how often the position has occurred), draw_claim, resign";

pub(super) const COLUMNS: &str = "\
Columns of a table, separated by commas: variables and names of tags, NAME=COLUMN for another name [default: game, ply, fen, san, uci, \
turn, eval_cp, mate, depth, time, clock, result, white_elo, black_elo, eco, opening]

The variables are those of --op, and
  result         result of the game: 1-0, 0-1 or 1/2-1/2
  packed         position in 32 bytes, as in marlinformat
  record         the record, as in --format epd
  board          64 numbers, a1 to h8: 1-6 White's P N B R Q K, 7-12 Black's
  bitboards      12 sets of squares, in the same order
  from, to, promotion    the move played: squares from 0 (a1) to 63 (h8)
  legal_moves    list of moves in UCI notation
  points         1, 0.5 or 0 for the side to move
  date, year     of the game
  base_time, increment   seconds of the time control: 300 and 3 in 300+3
With --rows games a variable of positions is a list, which has spaces between its values in csv and ? for a missing one, or is an \
array of JSON if values may have spaces. There are also
  termination    checkmate, stalemate, time forfeit, abandoned, adjudication
  problem        the first problem of the game
and the default is game, White, Black, date, result, termination, white_elo, black_elo, base_time, increment, eco, opening, plies, uci, \
clock, eval_cp, mate, problem.

A missing value is null, in csv an empty field. `key` and `packed` are hexadecimal in csv and jsonl.";

pub(super) const OP: &str = "\
Add an operation made from tags and variables; may be repeated: --op 'c9={Result}' --op 'id={White}-{Black}.{ply}'

{Name} with a capital letter is a tag; the others are variables:
  ply, move      plies played before the position; the number of its move
  san, uci       the move played from it
  turn, check    w or b; whether the side to move is in check: true or false
  epd, fen       the four fields; the six fields
  pieces         pieces on the board, kings and pawns included
  key            Polyglot's key of the position, 16 hexadecimal digits
  material       pieces of White and Black, such as KRPvKR
  eval           engine evaluation in centipawns for the side to move, as in ce
  eval_cp, white_cp      the same without mates; the same for White
  mate, white_mate       moves to a mate, negative for being mated; for White
  depth, seldepth, nodes  of that evaluation, as in acd and acn
  time           seconds spent on the move played from it
  clock          remaining seconds of the player who has just moved
  comment        comments on the move that led to it, without commands as [%clk]
  nags           NAGs of the move that led to it, such as $1 $14; ! is $1, ? is $2
  eco, opening   code and name of the opening so far, from --names
  plies          plies of the whole game
  white_elo, black_elo, elo      the ratings, and their mean
  game, line     number of the game in its file; line of the file where it begins
  file           name of the file
{Name|text} writes text if the value is missing or unknown (?, -, ????.??.??); without it the operation is \
omitted. {{ and }} are braces. The value gets the type of the opcode: string, number, or moves, which are checked and written in SAN.
tcri and tcsi take two strings: --op 'tcri=a@b.c|A B'; noop takes operands as they are: --op 'noop=1 \"x\" e4'.
draw_offer and draw_claim add the move played, sm; pm is omitted if it is not the first move of pv";

pub(super) const LANGUAGE: &str = "\
Language of the piece letters: cs, da, de, en, es, et, fi, fr, hu, is, it, nl, no, pl, pt, ro, ru, sv or uk; figurines are read in \
all of them. With auto the language is detected for each game: English if all moves of the main line are legal in English, otherwise \
the language in which they are, unless they are different moves in two of them";

pub(super) const WHERE: &str = "\
Only games and positions that match a condition: 'WhiteElo >= 2400 and Result = \"1-0\" and ply > 20'

A name with a capital letter is a tag; alone it is true if the game has it with a known value (not ?, -, ????.??.?? or, for Result, *). The \
others are variables of the position or the game, with the values and units of --op:
  numbers        ply, move, pieces, plies, line, elo, white_elo, black_elo,
                 depth, seldepth, nodes, time and clock (seconds),
                 eval, eval_cp (centipawns for the side to move: > 0 if it is
                 better), mate (moves), white_cp, white_mate (for White)
  text           turn (w or b), san, uci, epd, fen, key, material, comment, nags,
                 eco, opening, file
  true or false  check
Comparisons are = != < <= > >= and ~ for \"contains\", ignoring case; text is in quotes. A tag is compared with a number as \
a number, and dates are compared to the precision given. With a missing value != is true and every other comparison is false. Conditions are combined with \
and, or, not and parentheses";
