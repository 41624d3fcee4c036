//! The grammar of records from the BNF of the Chess Programming Wiki
//! (`../shared/reference/seeds/001`), implemented independently of the library.

/// Whether a line matches `<EPD>`.
///
/// Rook files in the castling field, which the BNF does not include, are accepted for Chess960.
pub fn is_record(line: &str) -> bool {
    let mut rest = line;
    let fields = [placement, side, castling, en_passant];
    for (index, field) in fields.into_iter().enumerate() {
        if index > 0 {
            let Some(behind) = rest.strip_prefix(' ') else { return false };
            rest = behind;
        }
        let Some(len) = field(rest) else { return false };
        rest = &rest[len..];
    }
    // {' ' <operation>}
    while let Some(behind) = rest.strip_prefix(' ') {
        let Some(len) = operation(behind) else { return false };
        rest = &behind[len..];
    }
    rest.is_empty()
}

/// Returns the length of the first field, up to the next space.
fn word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

/// `<rank8>'/'…'/'<rank1>`, `<ranki> ::= [<digit17>]<piece> {[<digit17>]<piece>} [<digit17>] | '8'`
fn placement(text: &str) -> Option<usize> {
    let field = word(text);
    let ranks: Vec<&str> = field.split('/').collect();
    (ranks.len() == 8 && ranks.iter().all(|rank| is_rank(rank))).then_some(field.len())
}

fn is_rank(rank: &str) -> bool {
    let is_digit = |c: char| ('1'..='7').contains(&c);
    let is_piece = |c: char| "PNBRQKpnbrqk".contains(c);
    let two_digits = rank.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit));
    let squares: u32 = rank.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum();
    let in_grammar = rank.chars().all(|c| is_digit(c) || is_piece(c))
        && rank.chars().any(is_piece)
        && !two_digits;
    rank == "8" || in_grammar && squares == 8
}

fn side(text: &str) -> Option<usize> {
    text.starts_with(['w', 'b']).then_some(1)
}

fn castling(text: &str) -> Option<usize> {
    let field = word(text);
    let order = |c: char| "KQABCDEFGHkqabcdefgh".find(c);
    let letters: Option<Vec<bool>> =
        field.chars().map(|c| order(c).map(|_| c.is_ascii_lowercase())).collect();
    // “One to four letters”, upper case before lower case, none twice.
    let is_field = field == "-"
        || letters.is_some_and(|letters| letters.is_sorted())
            && (1..=4).contains(&field.len())
            && field.chars().all(|c| field.matches(c).count() == 1);
    is_field.then_some(field.len())
}

fn en_passant(text: &str) -> Option<usize> {
    let field = word(text);
    let is_square = matches!(field.as_bytes(), [b'a'..=b'h', b'3' | b'6']);
    (field == "-" || is_square).then_some(field.len())
}

/// `<operation> ::= <opcode> {' '<operand>} ';'`
fn operation(text: &str) -> Option<usize> {
    let mut at = opcode(text)?;
    while text[at..].starts_with(' ') {
        at += 1;
        at += operand(&text[at..])?;
    }
    text[at..].starts_with(';').then_some(at + 1)
}

/// `<letter> {<letter> | <digit> | '_'} (up to 14)`
fn opcode(text: &str) -> Option<usize> {
    let more = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let len = text.bytes().take_while(more).count();
    (text.starts_with(|c: char| c.is_ascii_alphabetic()) && len <= 15).then_some(len)
}

fn operand(text: &str) -> Option<usize> {
    if let Some(string) = text.strip_prefix('"') {
        let len = string.find('"')?;
        let legal = len < 256 && !string[..len].contains(char::is_control);
        return legal.then_some(len + 2);
    }
    let len = text.find([' ', ';'])?;
    let word = &text[..len];
    (is_move(word) || is_number(word)).then_some(len)
}

/// `<integerOperand>` and `<floatOperand>`; `<unsignedOperand> ::= <digit19> { <digit> } | '0'`
fn is_number(word: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let unsigned = |text: &str| digits(text) && (text == "0" || !text.starts_with('0'));
    let word = word.strip_prefix(['-', '+']).unwrap_or(word);
    match word.split_once('.') {
        Some((whole, fraction)) => unsigned(whole) && digits(fraction),
        None => unsigned(word),
    }
}

/// `<sanMove>`; the capture sign is missing in the BNF of the page, although it specifies SAN.
fn is_move(word: &str) -> bool {
    let word = word.strip_suffix(['+', '#']).unwrap_or(word);
    if matches!(word, "O-O" | "O-O-O") {
        return true;
    }
    let (word, promotion) = word.split_once('=').unwrap_or((word, "Q"));
    let body = word.strip_prefix(['N', 'B', 'R', 'Q', 'K']).unwrap_or(word);
    let is_square = |text: &str| matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    let Some(split) = body.len().checked_sub(2).filter(|at| body.is_char_boundary(*at)) else {
        return false;
    };
    let (hints, target) = body.split_at(split);
    let hints = hints.strip_suffix('x').unwrap_or(hints);
    // Both file and rank if neither is sufficient, as in the standard's SAN (PGN 8.2.3.4).
    let is_hint =
        matches!(hints.as_bytes(), [] | [b'a'..=b'h' | b'1'..=b'8'] | [b'a'..=b'h', b'1'..=b'8']);
    is_square(target) && is_hint && matches!(promotion, "N" | "B" | "R" | "Q")
}

#[test]
fn the_grammar_takes_records_and_nothing_else() {
    let fields = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";
    for operations in
        ["", " bm Nf6 c5;", " c0;", " ce -12; id \"a;b\"; pv e5 Nf3 exd4 O-O;", " x -2.5;"]
    {
        assert!(is_record(&format!("{fields}{operations}")), "{operations}");
    }
    for operations in [
        " ", ";", " bm", " bm c5", " bm  c5;", " bm c5 ;", " 7up;", " c0 \"a;", " bm 0-0;",
        "  bm c5;",
    ] {
        assert!(!is_record(&format!("{fields}{operations}")), "{operations}");
    }
    for line in [
        "rnbqkbnr/pppppppp/44/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP b KQkq e3",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR B KQkq e3",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b kqKQ e3",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4",
    ] {
        assert!(!is_record(line), "{line}");
    }
}
