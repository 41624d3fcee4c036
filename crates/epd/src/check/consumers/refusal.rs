//! Whether a program refuses a line, by the steps of its reader. The rules of the table name the
//! usual reasons; this finds the others.

use san::{File, Position, Role, Square};

use crate::diagnostic::misreading::Consumer;
use crate::read::free_text::is_number;
use crate::read::text::Token;

/// Returns the part of a line that the program refuses.
pub(super) fn refused<'l>(
    consumer: Consumer,
    line: &'l str,
    position: &Position,
) -> Option<Token<'l>> {
    let line = Token { at: 0, text: line.strip_suffix('\r').unwrap_or(line) };
    match consumer {
        Consumer::Cutechess => cutechess(line, position).err(),
        Consumer::Fastchess => fastchess(line).err(),
        Consumer::PythonChess => python_chess(line, position).err(),
    }
}

type Read<'l> = Result<(), Token<'l>>;

fn unless<'l>(is_read: bool, part: Token<'l>) -> Read<'l> {
    if is_read { Ok(()) } else { Err(part) }
}

/// The words between separators, empty ones too.
fn split<'l>(text: Token<'l>, is_end: impl Fn(char) -> bool) -> Vec<Token<'l>> {
    let mut at = text.at;
    let parts = text.text.split(is_end).map(|part| {
        let token = Token { at, text: part };
        at += part.len() + 1;
        token
    });
    parts.collect()
}

/// The words between white space of any kind.
fn words<'l>(text: Token<'l>) -> impl Iterator<Item = Token<'l>> {
    let start = text.text.as_ptr() as usize;
    text.text
        .split_whitespace()
        .map(move |word| Token { at: text.at + (word.as_ptr() as usize - start), text: word })
}

fn is_square(text: &str) -> bool {
    Square::from_ascii(text.as_bytes()).is_ok()
}

/// The six fields, each up to a single space; in a line with a semicolon the clocks are the words
/// after `hmvc` and `fmvn`.
fn fastchess(line: Token<'_>) -> Read<'_> {
    let words = split(line, |c| c == ' ');
    let is_fen = !line.text.contains(';');
    let mut fields: Vec<Token<'_>> = words.iter().copied().take(4).collect();
    if !is_fen {
        unless(words.len() >= 4, line)?;
        let operand = |name| {
            let at = words.iter().position(|word| word.text == name)?;
            Some(words.get(at + 1).copied().ok_or(words[at]))
        };
        if let Some(hmvc) = operand("hmvc") {
            hmvc?;
        }
        if let Some(fmvn) = operand("fmvn") {
            let fmvn = fmvn?;
            unless(integer(fmvn.text.strip_suffix(';').unwrap_or(fmvn.text)) > Some(0), fmvn)?;
        }
        // The clocks follow as numbers.
        fields.push(Token { at: line.end(), text: "0" });
    } else {
        fields = words;
    }
    let mut fields = fields.into_iter().skip_while(|field| field.is_empty());
    let placement = fields.next().filter(|placement| fills_board(placement.text)).ok_or(line)?;
    let side = fields.next().unwrap_or(placement);
    unless(matches!(side.text, "w" | "b"), side)?;
    let en_passant = fields.nth(1);
    en_passant.map_or(Ok(()), |field| unless(field.text == "-" || is_square(field.text), field))
}

/// Whether each piece is on a free square of the board; ranks need not be full.
fn fills_board(placement: &str) -> bool {
    let (mut square, mut taken) = (56_i32, 0_u64);
    placement.chars().all(|c| {
        match c {
            '0'..='9' => square += c as i32 - '0' as i32,
            '/' => square -= 16,
            _ => {
                let is_free = (0..64).contains(&square) && taken >> square & 1 == 0;
                if !is_free || Role::from_char(c).is_none() {
                    return false;
                }
                taken |= 1 << square;
                square += 1;
            }
        }
        (-1000..1000).contains(&square)
    })
}

/// An integer of C++: a minus sign, digits, nothing else.
fn integer(text: &str) -> Option<i32> {
    if text.starts_with('+') { None } else { text.parse().ok() }
}

/// Four words, then operations character by character.
fn cutechess<'l>(line: Token<'l>, position: &Position) -> Read<'l> {
    let fields: Vec<Token<'l>> = words(line).take(4).collect();
    let [placement, side, castling, en_passant] = fields[..] else { return Err(line) };
    // Digits next to each other are one number.
    unless(
        !has_adjacent_digits(placement.text) && placement.text.split('/').all(is_rank),
        placement,
    )?;
    unless(matches!(side.text, "w" | "b"), side)?;
    unless(castling.text == "-" || has_rooks(castling.text, position), castling)?;
    unless(en_passant.text == "-" || is_square(en_passant.text), en_passant)?;
    cutechess_operations(line.skip(en_passant.end() - line.at))
}

fn is_rank(rank: &str) -> bool {
    let squares = rank.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum::<u32>();
    squares == 8 && rank.chars().all(|c| c.is_ascii_digit() || Role::from_char(c).is_some())
}

/// Whether a rook stands beside the king, on its rank, for each right.
fn has_rooks(castling: &str, position: &Position) -> bool {
    castling.chars().all(|c| {
        let color = san::Color::from_white(c.is_ascii_uppercase());
        let king = position.king(color);
        let rooks = position.pieces(Role::Rook) & position.side(color);
        let mut rooks = rooks.into_iter().filter(|rook| rook.rank() == king.rank());
        match c.to_ascii_lowercase() {
            'k' => rooks.any(|rook| rook.file() > king.file()),
            'q' => rooks.any(|rook| rook.file() < king.file()),
            file => rooks.any(|rook| rook.file().char() == file),
        }
    })
}

fn cutechess_operations(text: Token<'_>) -> Read<'_> {
    #[derive(PartialEq)]
    enum Kind {
        Separator,
        Opcode,
        Operand,
    }
    let (mut kind, mut in_quotes) = (Kind::Separator, false);
    let (mut opcode, mut operand) = (String::new(), String::new());
    // The first operands of an opcode.
    let mut counters: Vec<(String, String)> = Vec::new();
    let mut add = |opcode: &str, operand: &mut String| {
        if matches!(opcode, "hmvc" | "fmvn") && counters.iter().all(|(name, _)| name != opcode) {
            counters.push((opcode.to_owned(), operand.clone()));
        }
        operand.clear();
    };
    for (at, c) in text.text.char_indices() {
        let here = text.skip(at).split_at(c.len_utf8()).0;
        match c {
            ' ' | '\t' if in_quotes && kind == Kind::Operand => operand.push(c),
            ' ' | '\t' if kind == Kind::Opcode => kind = Kind::Operand,
            ' ' | '\t' if kind == Kind::Operand => add(&opcode, &mut operand),
            ' ' | '\t' => {}
            '"' => {
                let is_read = match kind {
                    Kind::Opcode => false,
                    Kind::Separator => !opcode.is_empty(),
                    Kind::Operand => in_quotes || operand.is_empty(),
                };
                unless(is_read, here)?;
                (kind, in_quotes) = (Kind::Operand, !in_quotes);
            }
            ';' if !in_quotes => {
                unless(!opcode.is_empty(), here)?;
                add(&opcode, &mut operand);
                opcode.clear();
                kind = Kind::Separator;
            }
            ';' => {}
            _ => {
                if kind == Kind::Separator {
                    kind = Kind::Opcode;
                }
                if kind == Kind::Opcode { &mut opcode } else { &mut operand }.push(c);
            }
        }
    }
    let is_counter = |(name, operand): &(String, String)| {
        operand.parse().is_ok_and(|n: i32| n >= i32::from(name == "fmvn"))
    };
    unless(counters.iter().all(is_counter), text)
}

/// `Board.from_epd`: four words, then operations character by character, whose operands have a type
/// by their first character.
fn python_chess<'l>(line: Token<'l>, position: &Position) -> Read<'l> {
    let text = line.text.trim().trim_end_matches(';');
    let text = Token { at: line.text.len() - line.text.trim_start().len(), text };
    let mut fields: Vec<Token<'l>> = words(text).take(4).collect();
    let rest = text.skip(fields.last().map_or(0, |field| field.end() - text.at));
    let rest = rest.skip(rest.text.len() - rest.text.trim_start().len());
    if rest.is_empty() {
        // The whole line is a FEN, with its semicolons.
        fields = words(line).collect();
    } else {
        python_operations(rest, position)?;
    }
    let [placement, side, castling, en_passant, ..] = fields[..] else { return Err(line) };
    unless(
        !has_adjacent_digits(placement.text) && placement.text.split('/').all(is_rank),
        placement,
    )?;
    unless(matches!(side.text, "w" | "b"), side)?;
    unless(castling.text == "-" || is_python_castling(castling.text), castling)?;
    unless(en_passant.text == "-" || is_square(en_passant.text), en_passant)
}

fn python_operations<'l>(text: Token<'l>, position: &Position) -> Read<'l> {
    let mut rest = text;
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
    while !rest.is_empty() {
        let len = rest.text.find(|c| is_blank(c) || c == ';').unwrap_or(rest.text.len());
        let (opcode, behind) = rest.split_at(len);
        let has_operand = behind.text.starts_with(is_blank);
        if opcode.is_empty() || opcode.text == "-" || !has_operand {
            let is_counter = matches!(opcode.text, "hmvc" | "fmvn");
            unless(!is_counter, opcode)?;
            rest = behind.skip(behind.text.chars().next().map_or(0, char::len_utf8));
            continue;
        }
        unless(opcode.text.starts_with(char::is_alphabetic), opcode)?;
        let behind =
            behind.skip(behind.text.len() - behind.text.trim_start_matches(is_blank).len());
        if let Some(string) = behind.text.strip_prefix('"') {
            let (value, len) = python_string(string);
            unless(is_python_counter(opcode.text, value.trim()), behind)?;
            rest = behind.skip(1 + len);
            continue;
        }
        let len = behind.text.find(';').unwrap_or(behind.text.len());
        let (operand, behind) = behind.split_at(len);
        rest = behind.skip(behind.text.len().min(1));
        match operand.text.as_bytes().first() {
            None => unless(!matches!(opcode.text, "hmvc" | "fmvn"), opcode)?,
            Some(b'+' | b'-' | b'.' | b'0'..=b'9') => {
                let number = operand.text.trim();
                let is_float = number.contains(['.', 'e', 'E']);
                let is_read = is_number(number) && (is_float || number.parse::<i64>().is_ok());
                unless(is_read && is_python_counter(opcode.text, number), operand)?;
            }
            _ => python_moves(opcode.text, operand, position)?,
        }
    }
    Ok(())
}

pub(super) fn has_adjacent_digits(placement: &str) -> bool {
    placement.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit))
}

/// Whether the castling rights are at most two of White, then at most two of Black.
pub(super) fn is_python_castling(castling: &str) -> bool {
    let white = castling.bytes().take_while(u8::is_ascii_uppercase).count();
    let black = castling.bytes().skip(white).take_while(u8::is_ascii_lowercase).count();
    white <= 2 && black <= 2 && white + black == castling.len()
}

/// Returns the length of a string with its closing quote, and its text; without one, of all.
pub(super) fn python_string(text: &str) -> (&str, usize) {
    let mut is_escaped = false;
    let end = text.char_indices().find(|(_, c)| {
        let is_end = *c == '"' && !is_escaped;
        is_escaped = *c == '\\' && !is_escaped;
        is_end
    });
    end.map_or((text, text.len()), |(end, _)| (&text[..end], end + 1))
}

/// Whether the operand is one of another opcode, or a number for `hmvc` and `fmvn`.
fn is_python_counter(opcode: &str, operand: &str) -> bool {
    !matches!(opcode, "hmvc" | "fmvn") || operand.parse::<i64>().is_ok_and(|n| n >= 0)
}

fn python_moves<'l>(opcode: &str, operand: Token<'l>, position: &Position) -> Read<'l> {
    unless(!matches!(opcode, "hmvc" | "fmvn"), operand)?;
    if !matches!(opcode, "pv" | "am" | "bm") {
        return unless(python_move(position, operand.text).is_some(), operand);
    }
    let mut position = position.clone();
    for word in words(operand) {
        let next = python_move(&position, word.text).ok_or(word)?;
        if opcode == "pv" {
            let Some(next) = next else { continue };
            position.play_unchecked(next);
        }
    }
    Ok(())
}

/// Returns the move if python-chess reads its notation; a null move is none.
fn python_move(position: &Position, text: &str) -> Option<Option<san::Move>> {
    if matches!(text, "--" | "Z0" | "0000" | "@@@@") {
        return Some(None);
    }
    let castling = text.strip_suffix(['+', '#']).unwrap_or(text);
    let is_castling = matches!(castling, "O-O" | "O-O-O" | "0-0" | "0-0-0");
    let can_castle = || {
        let is_standard = |rook: Square| matches!(rook.file(), File::A | File::H);
        position.castling_rooks().into_iter().all(is_standard)
            && position.king(position.turn()).file() == File::E
    };
    let is_read = if is_castling { can_castle() } else { is_python_san(text) };
    is_read.then(|| san::resolve(position, text.as_bytes()).ok()).flatten().map(Some)
}

/// Whether the text has the form that python-chess reads: a piece, a file, a rank, a hyphen or `x`,
/// a square, a promotion with or without `=`, `+` or `#`.
fn is_python_san(text: &str) -> bool {
    let text = text.strip_suffix(['+', '#']).unwrap_or(text);
    let promoted = text.strip_suffix(['n', 'b', 'r', 'q', 'k', 'N', 'B', 'R', 'Q', 'K']);
    let text = promoted.map_or(text, |text| text.strip_suffix('=').unwrap_or(text));
    let Some(prefix) = text.len().checked_sub(2).filter(|at| text.is_char_boundary(*at)) else {
        return false;
    };
    let (prefix, square) = text.split_at(prefix);
    let prefix = prefix.strip_suffix(['-', 'x']).unwrap_or(prefix);
    let prefix = prefix.strip_prefix(['N', 'B', 'K', 'R', 'Q']).unwrap_or(prefix);
    let prefix = prefix.strip_prefix(|c| matches!(c, 'a'..='h')).unwrap_or(prefix);
    let prefix = prefix.strip_prefix(|c| matches!(c, '1'..='8')).unwrap_or(prefix);
    prefix.is_empty() && is_square(square)
}
