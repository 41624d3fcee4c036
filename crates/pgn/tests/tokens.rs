//! Which text is which token, and which fault: small cases.

use pgn::{Scanner, Token};

/// Writes a token as in the tables of this file: moves and marks as in the text, `glyph` and
/// `unknown` before the others.
fn shown(token: Token<'_>) -> String {
    let text = |bytes: &[u8]| bytes.escape_ascii().to_string().replace("\\'", "'");
    match token {
        Token::Move(word) => text(word),
        Token::Number(digits) => format!("number {}", text(digits)),
        Token::Nag(digits) => format!("${}", text(digits)),
        Token::Glyph(word) => format!("glyph {}", String::from_utf8_lossy(word)),
        Token::Comment(words) => format!("{{{}}}", text(words)),
        Token::LineComment(words) => format!(";{}", text(words)),
        Token::Open => "(".to_owned(),
        Token::Close => ")".to_owned(),
        Token::Result(outcome) => format!("result {}", outcome.as_str()),
        Token::Unknown(word) => format!("unknown {}", text(word)),
    }
}

/// Returns the tokens of all games, separated by ` | `, and the games by ` // `.
fn tokens(text: &[u8]) -> String {
    let mut scanner = Scanner::new(text);
    let mut games = Vec::new();
    while scanner.next_game() {
        let mut game = Vec::new();
        while let Some(token) = scanner.next_token() {
            game.push(shown(token));
        }
        games.push(game.join(" | "));
    }
    games.join(" // ")
}

#[track_caller]
fn assert_cases(cases: &[(&str, &str)], read: impl Fn(&str) -> String) {
    let mut wrong = String::new();
    for (text, expected) in cases {
        let is = read(text);
        if is != *expected {
            wrong += &format!("{text:?}\n  is  {is}\n  not {expected}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn words_of_the_movetext_are_moves_annotations_or_unknown() {
    let cases = [
        // Moves, with and without marks.
        ("e4", "e4"),
        ("Nf3", "Nf3"),
        ("exd8=Q+", "exd8=Q+"),
        ("O-O", "O-O"),
        ("O-O-O+", "O-O-O+"),
        ("0-0-0", "0-0-0"),
        ("0-0", "0-0"),
        ("00", "00"),
        ("000", "000"),
        ("0000", "0000"),
        ("--", "--"),
        ("Z0", "Z0"),
        ("@@@@", "@@@@"),
        ("null", "null"),
        ("pass", "pass"),
        ("o-o", "o-o"),
        ("OO", "OO"),
        ("O–O", "O\\xe2\\x80\\x93O"),
        ("O—O", "O\\xe2\\x80\\x94O"),
        ("O‑O", "O\\xe2\\x80\\x91O"),
        ("ed", "ed"),
        ("exd", "exd"),
        ("e:d", "e:d"),
        ("e4!?", "e4!?"),
        ("Sf3", "Sf3"),
        ("♘f3", "\\xe2\\x99\\x98f3"),
        ("Nf3e.p.", "Nf3e.p."),
        // A promotion piece in parentheses is not a variation.
        ("e8(Q)", "e8(Q)"),
        ("e8(=N)+!", "e8(=N)+!"),
        ("e8(Q)#?", "e8(Q)#?"),
        ("e8(n) e5", "e8(n) | e5"),
        ("e8(K)", "e8 | ( | unknown K | )"),
        ("e8(Q", "e8 | ( | unknown Q"),
        ("e8(=Q", "e8 | ( | unknown =Q"),
        ("e4(d4)", "e4 | ( | d4 | )"),
        // A result or a number glued to a move.
        ("e5*", "e5 | result *"),
        ("Qg20-1", "Qg2 | result 0-1"),
        ("c64.Nc3", "c6 | Nc3"),
        ("e4 c512. d4", "e4 | c5 | d4"),
        // A result glued to a move, and `0-0`; all spellings of results are in `skipping`.
        ("e51–0", "e5 | result 1-0"),
        ("0–0 0:0 0.0-0.0", "0\\xe2\\x80\\x930 | 0:0 | 0.0-0.0"),
        ("1.0-0", "0-0"),
        // A dash is a null move where a move is expected.
        ("1. – e5", "\\xe2\\x80\\x93 | e5"),
        ("1. - e5", "- | e5"),
        ("1. e4 – e5", "e4 | glyph – | e5"),
        ("1. e4 - e5", "e4 | glyph - | e5"),
        // The time of a move.
        ("e4 (0:04) e5 (1:02:03.5)", "e4 | {(0:04)} | e5 | {(1:02:03.5)}"),
        ("Bb5 dis.ch. dbl.ch.", "Bb5 | glyph dis.ch. | glyph dbl.ch."),
        ("Bb5 disc. ch.", "Bb5 | glyph disc. | glyph ch."),
        ("a8=(Q)+ e5.", "a8=(Q)+ | e5."),
        // Annotations.
        ("!", "glyph !"),
        ("e4 !? N", "e4 | glyph !? | glyph N"),
        ("+- -+ +/- =/+ ±", "glyph +- | glyph -+ | glyph +/- | glyph =/+ | glyph ±"),
        ("□ ⩲ ∞", "glyph □ | glyph ⩲ | glyph ∞"),
        ("ch mate e.p.", "glyph ch | glyph mate | glyph e.p."),
        // Neither.
        ("White resigns", "unknown White | unknown resigns"),
        ("-O", "unknown -O"),
        ("-- -", "-- | glyph -"),
        ("--- ––", "--- | \\xe2\\x80\\x93\\xe2\\x80\\x93"),
        ("O", "unknown O"),
        ("exi e-d", "unknown exi | unknown e-d"),
        ("ie de", "unknown ie | de"),
        ("e4 > ] [", "e4 | unknown > | unknown ] | unknown ["),
        ("e4 <> d4", "e4 | <> | d4"),
        ("e4 < d4", "e4 | unknown < | d4"),
        ("e4 <x\n> d4", "e4 | unknown < | glyph x | unknown > | d4"),
        ("e4 **", "e4 | unknown **"),
        ("e4 \"x", "e4 | unknown \\\"x"),
        // Numeric annotations.
        ("e4 $1 $139", "e4 | $1 | $139"),
        ("e4 $ $1x", "e4 | $ | $1 | glyph x"),
        ("e4 $e5 d4", "e4 | unknown $e5 | d4"),
        ("e4$1$2", "e4 | $1 | $2"),
    ];
    assert_cases(&cases, |text| tokens(format!("[A \"\"]\n\n{text}\n").as_bytes()));
}

#[test]
fn signs_are_the_same_glued_to_a_move_and_apart() {
    // Numbers and their signs (PGN standard 10, and those that databases added).
    let signs = [
        (1, "! \u{2757}"),
        (2, "?"),
        (3, "!! \u{203c} \u{203c}\u{fe0f}"),
        (4, "?? \u{2047}"),
        (5, "!? \u{2049}"),
        (6, "?! \u{2048}"),
        (7, "\u{25a1}"),
        (10, "="),
        (13, "\u{221e}"),
        (14, "+= +/= \u{2a72}"),
        (15, "=+ =/+ \u{2a71}"),
        (16, "\u{b1} +/- +/\u{2212}"),
        (17, "\u{2213} -/+ \u{2013}/+"),
        (18, "+- +\u{2212} +\u{2013} +\u{2014} +-- +\u{2212}\u{2212}"),
        (19, "-+ \u{2212}+ \u{2013}+ \u{2014}+ --+"),
        (22, "\u{2a00}"),
        (26, "\u{25cb}"),
        (32, "\u{2191}\u{2191}"),
        (36, "\u{2191}"),
        (40, "\u{2192}"),
        (44, "=\u{221e} =/\u{221e}"),
        (132, "\u{21c6}"),
        (138, "\u{2295}"),
        (140, "\u{2206}"),
        (142, "\u{2313}"),
        (145, "RR"),
        (146, "N TN"),
        (220, "D"),
    ];
    let read = |word: &str| {
        let text = format!("[A \"\"]\n\n1. {word} *\n");
        let mut scanner = Scanner::new(text.as_bytes());
        assert!(scanner.next_game());
        let (mut moves, mut nags) = (Vec::new(), Vec::new());
        while let Some(token) = scanner.next_token() {
            match token {
                Token::Move(text) => {
                    let bare = text.trim_ascii_end();
                    let end = bare.iter().rposition(|b| !matches!(b, b'!' | b'?')).unwrap() + 1;
                    moves.push(String::from_utf8(bare[..end].to_vec()).unwrap());
                    nags.extend(pgn::nag_of_sign(&bare[end..]));
                }
                Token::Glyph(sign) => nags.push(pgn::nag_of_sign(sign).unwrap()),
                Token::Result(_) => {}
                other => panic!("{word}: {other:?}"),
            }
        }
        (moves, nags)
    };
    let signs =
        signs.iter().flat_map(|(nag, signs)| signs.split(' ').map(move |sign| (sign, *nag)));
    for (sign, nag) in signs {
        for san in [
            "e4", "Nf3", "Nbd7", "exd5", "R1xa8", "O-O", "O-O-O", "Sf3", "\u{2658}f3", "e8=Q",
            "e4+", "Qh5#", "Ng1-f3",
        ] {
            // `O-O-+` may be a damaged `O-O-O+`, and `e4+=` has the sign `+=`.
            let begins_with = |marks: &[char]| sign.starts_with(marks);
            let is_unclear = san.contains('O') && begins_with(&['-', '−', '–', '—'])
                || san.ends_with(['+', '#']) && begins_with(&['=', '-', '−', '–', '—', '+']);
            let is_rank = san.starts_with('e') && san.contains('8');
            let expected = (vec![san.to_owned()], vec![nag]);
            if !is_unclear {
                assert_eq!(read(&format!("{san}{sign}")), expected, "{san}{sign}");
            }
            assert_eq!(read(&format!("{san} {sign}")), expected, "{san} {sign}");
            let expected = (vec![san.to_owned()], vec![6, nag]);
            if !sign.starts_with(['!', '?']) && !is_rank {
                assert_eq!(read(&format!("{san}?!{sign}")), expected, "{san}?!{sign}");
                assert_eq!(read(&format!("{san} ?!{sign}")), expected, "{san} ?!{sign}");
                assert_eq!(read(&format!("{san} ?! {sign}")), expected, "{san} ?! {sign}");
            }
        }
    }
    for (word, san, nags) in [
        ("Nf3++-", "Nf3+", &[18][..]),
        ("Nf3\u{25a1}\u{b1}", "Nf3", &[7, 16]),
        ("e8=N", "e8=N", &[]),
        ("e8N", "e8N", &[]),
        ("Re8N", "Re8", &[146]),
    ] {
        assert_eq!(read(word), (vec![san.to_owned()], nags.to_vec()), "{word}");
    }
}

#[test]
fn a_dot_of_other_scripts_ends_a_number() {
    let dots = [
        "1\u{ff0e}e4 e5",
        "1\u{3002}e4 e5",
        "1\u{2024} e4 e5",
        "1\u{ff0e} e4 1\u{ff0e}\u{ff0e}\u{ff0e}e5",
        "1\u{2026}e4 1\u{2026} e5",
    ];
    for text in dots {
        assert_eq!(tokens(format!("[A \"\"]\n\n{text}\n").as_bytes()), "e4 | e5", "{text}");
    }
}

#[test]
fn a_move_after_tags_is_not_the_rest_of_a_fen() {
    for (line, first) in [("e4 /", "e4"), ("e4 / e5", "e4"), ("b4 b5 /", "b4"), ("Nf3 /", "Nf3")] {
        let found = tokens(format!("[A \"\"]\n{line}\n").as_bytes());
        assert!(found.starts_with(first), "{line}: {found}");
    }
    // A move in what looks like the rest of a FEN does not stop the scanner.
    for line in ["b4/", "b4/ b5", "b4/ b5 b4/"] {
        tokens(format!("[A \"\"]\n{line}\n\n1. e4 *\n").as_bytes());
    }
}

#[test]
fn move_numbers_before_moves_are_not_tokens() {
    let cases = [
        ("1. e4 e5 2. Nf3", "e4 | e5 | Nf3"),
        ("1.e4 e5 2.Nf3", "e4 | e5 | Nf3"),
        // Digits without a dot, beside others, of more than three digits, or not before a move.
        ("1 e4 e5 2 Nf3", "number 1 | e4 | e5 | number 2 | Nf3"),
        ("1. 5254 5755 2. 57581", "number 1 | number 5254 | number 5755 | number 2 | number 57581"),
        ("1. e4 2. 63 1-0", "e4 | number 2 | number 63 | result 1-0"),
        ("1. e4 2. 1/2", "e4 | number 2 | result 1/2-1/2"),
        ("1. {a} $1 \n e4 2. ; b\n*", "{a} | $1 | e4 | number 2 | ; b | result *"),
        ("1. e4 (2.) 3.", "e4 | ( | number 2 | ) | number 3"),
        ("1000. e4 4. 0 - 0", "number 1000 | e4 | number 4 | number 0 | glyph - | number 0"),
        ("1... e5 2... Nc6 12...d4", "e5 | Nc6 | d4"),
        ("1… e5 2…Nc6 3.… d5 4….e6", "e5 | Nc6 | d5 | e6"),
        ("… e5 ...Nc6 ..d5", "e5 | Nc6 | d5"),
        ("1e4 e5 2Nf3 3Pd4 4exd5", "e4 | e5 | Nf3 | Pd4 | exd5"),
        ("5N1f3 6Rxd8 7O-O 8BO", "N1f3 | Rxd8 | O-O | unknown BO"),
        ("3a3 3h8 4Ka1 5Qh8 6N-f3 7bxc", "a3 | h8 | Ka1 | Qh8 | N-f3 | bxc"),
        // Neither a move nor a result follows the digits directly.
        ("3i3 3a9 3a0 3ay 4Ki1 5N9 6S1", "3i3 | 3a9 | 3a0 | 3ay | 4Ki1 | 5N9 | 6S1"),
        ("1- 1-1 2-0 1-0x", "1- | 1-1 | 2-0 | 1-0x"),
        ("12\u{a0}e4 1\u{a0}. d4", "number 12 | e4 | number 1 | d4"),
        ("12 . d4 13 .d4", "d4 | d4"),
        ("0-0 0 d4", "0-0 | 0 | d4"),
        ("0 d4", "number 0 | d4"),
        // One dot directly before a word may be the rest of a letter, except after a number.
        (".a3", "unknown .a3"),
        ("..a3", "a3"),
        ("1 .a3", "a3"),
        ("e4 .a3 d5", "e4 | unknown .a3 | d5"),
        ("e4 $1 .a3", "e4 | $1 | unknown .a3"),
        ("e4 \0b6 d5 \u{1a}\u{1a}e4", "e4 | unknown \\x00b6 | d5 | unknown \\x1a\\x1ae4"),
        ("\0 b6 . d5", "b6 | d5"),
    ];
    assert_cases(&cases, |text| tokens(format!("[A \"\"]\n\n{text}\n").as_bytes()));
}

#[test]
fn spaces_of_other_encodings_separate_words() {
    let spaces = [
        "\u{a0}", "\u{2000}", "\u{2003}", "\u{2009}", "\u{200b}", "\u{200f}", "\u{202f}",
        "\u{205f}", "\u{2060}", "\u{3000}", "\u{feff}", "\t", "\u{b}", "\u{c}", "\r\n",
    ];
    for space in spaces {
        for text in
            [format!("1.{space}e4{space}e5{space}*"), format!("{space}e4{space}{space}e5 *")]
        {
            assert_eq!(tokens(text.as_bytes()), "e4 | e5 | result *", "{text:?}");
        }
    }
    // A no-break space in ISO 8859-1, and the same byte as part of a character in UTF-8.
    assert_eq!(tokens(b"1.\xa0e4\xa0e5 *"), "e4 | e5 | result *");
    assert_eq!(tokens("1. e4 \u{e0}1".as_bytes()), "e4 | \\xc3\\xa01");
    // Other characters do not.
    for other in [
        "\u{2010}", "\u{2030}", "\u{2042}", "\u{2061}", "\u{205e}", "\u{3001}", "\u{fefe}",
        "\u{e9}",
    ] {
        let text = format!("1. e4{other}e5 *");
        let games: Vec<_> = pgn::games(text.as_bytes()).collect();
        assert_eq!(games[0].movetext().count(), 2, "{text:?}");
    }
}

#[test]
fn results_end_the_main_line() {
    let cases = [
        ("1. e4 1-0", "e4 | result 1-0"),
        ("1. e4 *", "e4 | result *"),
        ("1. e4 1-0{c}", "e4 | result 1-0 | {c}"),
        // Part of a longer word.
        ("1. e4 ½x", "e4 | unknown \\xc2\\xbdx"),
        ("1. e4 1/2x", "e4 | 1/2x"),
        // In a variation they end nothing.
        ("1. e4 (1. d4 1-0) e5 *", "e4 | ( | d4 | result 1-0 | ) | e5 | result *"),
        // After the result: comments, numeric annotations, and nothing else.
        ("1. e4 * {a} ;b\n$1", "e4 | result * | {a} | ;b | $1"),
        ("1. e4 * (a b) ) c {d}", "e4 | result * | {d}"),
        ("1. e4 * 0-1 ½ {a}", "e4 | result * | {a}"),
        // A move or a number begins the next game, but not in parentheses.
        ("1. e4 * d4", "e4 | result * // d4"),
        ("1. e4 * ... d5", "e4 | result * // d5"),
        ("1. e4 * … d5", "e4 | result * // d5"),
        ("1. e4 * 2. d4", "e4 | result * // d4"),
        ("1. e4 * O-O", "e4 | result * // O-O"),
        ("1. e4 * (2. d4) 1. c4", "e4 | result * // c4"),
        ("1. e4 * ((2. d4) 1. c4) {a} 1. b4", "e4 | result * | {a} // b4"),
        ("1. e4 * ) 1. c4", "e4 | result * // c4"),
        // A comment after an empty line belongs to the next game.
        ("1. e4 * {a}\n{b}\n\n{c} 1. d4 *", "e4 | result * | {a} | {b} // {c} | d4 | result *"),
        ("1. e4 *\n\n;c\n1. d4 *", "e4 | result * // ;c | d4 | result *"),
        ("1. e4 * (\n\n{c} ) {d}", "e4 | result * | {c} | {d}"),
        ("1. e4 *\n\nx {c}", "e4 | result * | {c}"),
    ];
    assert_cases(&cases, |text| tokens(text.as_bytes()));
}

#[test]
fn bare_games_begin_with_a_result_a_number_or_a_move() {
    let cases = [
        ("*", "result *"),
        ("½", "result 1/2-1/2"),
        ("1-0", "result 1-0"),
        ("...d5", "d5"),
        ("… d5", "d5"),
        ("-- d5", "d5"),
        ("(1. e4 e5) 1. d4", "( | e4 | e5 | ) | d4"),
        ("(e4) d4", "( | e4 | ) | d4"),
        ("(e4", "( | e4"),
        ("(12. d4)", "( | d4 | )"),
        // A remark in parentheses is text.
        ("(sic) d4", "d4"),
        ("(12 d4)", "d4"),
        ("hello e4", "e4"),
        (") ] } > \" e4", "e4"),
        ("** e4", "e4"),
        ("N !? + e4", "e4"),
        ("$1 e4", "number 1 | e4"),
        ("In 1987 e4", "e4"),
        ("{a} e4", "{a} | e4"),
        ("{a}\n;b\n{c} e4", "{a} | ;b | {c} | e4"),
        // Text between a comment and the game: the comment does not belong to it.
        ("{a} text e4", "e4"),
        ("{a} text {b} e4", "{b} | e4"),
        ("% e4 e5\nd4", "d4"),
        ("\n% e4 e5\nd4", "d4"),
        ("\n % d4", "d4"),
    ];
    assert_cases(&cases, |text| tokens(text.as_bytes()));
}

/// Returns the faults of all games, each with its text.
fn faults(text: &str) -> String {
    let mut scanner = Scanner::new(text.as_bytes());
    while scanner.next_game() {
        while scanner.next_token().is_some() {}
    }
    let faults = scanner.diagnostics();
    let shown = faults.map(|fault| format!("{:?} {}", fault.kind, &text[fault.span.range()]));
    shown.collect::<Vec<_>>().join(" | ").trim_end().to_owned()
}

#[test]
fn faults_are_reported_with_their_text() {
    let cases = [
        ("[A \"\"]\n\n1. e4 (1. d4 (1. c4)) $1 !? {a} ;b\n*", ""),
        // Movetext.
        ("1. e4 ) e5 *", "StrayClose )"),
        ("1. e4 } e5 *", "StrayBrace }"),
        ("1. e4 <x y> e5 *", "Reserved <x y>"),
        ("1. e4 (1. d4 (1. c4) *", "OpenVariation ("),
        ("1. e4 (1. d4) (1. c4 *", "OpenVariation ("),
        ("1. e4 {a", "OpenComment {"),
        ("1. e4 * {a", "OpenComment {"),
        // After the result: one fault for each run of text.
        ("1. e4 * the end", "TextAfterResult the end"),
        ("1. e4 * the\u{a0}end\u{a0}", "TextAfterResult the\u{a0}end"),
        ("1. e4 * (1. d4)\n", "TextAfterResult (1. d4)"),
        ("1. e4 * x\n\n1. d4 * y", "TextAfterResult x | TextAfterResult y"),
        // Tag section.
        ("[A \"1\"]\n[B 2]\n\n*", "MalformedTag [B 2]"),
        ("[A \"x\"y\"]\n\n*", "LooseTag [A \"x\"y\"]"),
        ("[A \"1\"]\njunk here\n[B \"\"]\n\n*", "TextBetweenTags junk here"),
        ("[A \"1\"]\n<br />\n[B \"\"]\n\n*", "TextBetweenTags <br />"),
        ("[A \"1\"]<b>[B \"\"]</b>\n\n*", "TextBetweenTags <b> | TextBetweenTags </b>"),
        ("[A \"1\"]\n; a\n[B \"\"]\n\n*", ""),
        ("[A \"1\"],\n[B \"\"]\n\n*", "TextBetweenTags ,"),
        ("[A \"1\"]\n[FEN 8/8 w]\n\n*", "DamagedTag [FEN 8/8 w]"),
        ("[A \"1\"]\n{ a }\n[B \"\"]\n\n*", "TextBetweenTags { a }"),
        ("[A \"1\"]\n{ a }\n% b\n\n% c\n[B \"\"]\n\n*", "TextBetweenTags { a }"),
        // Outside of games.
        ("[A \"1\"]\n\njunk [FEN \"x\"]\n\n*", "TextBetweenTags junk"),
        ("Dear reader!\n1. e4 *", "TextOutsideGames Dear reader!"),
        ("{a} b 1. e4 *", "TextOutsideGames {a} b"),
        ("{a}\n[A \"\"]\n\n*", "TextOutsideGames {a}"),
        ("1. e4 *\n\n{a}\n{b}\n", "TextOutsideGames {a}\n{b}"),
        ("a {b} c {d} 1. e4 *", "TextOutsideGames a | TextOutsideGames {b} c"),
        ("{a", "OpenComment {"),
        ("{a} {b", "OpenComment { | TextOutsideGames {a}"),
    ];
    assert_cases(&cases, faults);
}

#[test]
fn the_tag_section_ends_with_the_first_move_or_mark() {
    /// The names of the tags of each game, and its tokens.
    fn games(text: &str) -> String {
        let games = pgn::games(text.as_bytes()).map(|game| {
            let names: Vec<_> =
                game.tags().iter().map(|tag| String::from_utf8_lossy(tag.name())).collect();
            let tokens: Vec<_> = game.movetext().map(shown).collect();
            format!("[{}] {}", names.join(" "), tokens.join(" | ")).trim_end().to_owned()
        });
        games.collect::<Vec<_>>().join(" // ")
    }
    let cases = [
        ("[A \"\"][B \"\"] [C \"\"]\n*", "[A B C] result *"),
        ("[A \"\"]\r\n[B \"\"]\r\n\r\n*", "[A B] result *"),
        ("[A \"\"]\n e4", "[A] e4"),
        ("[A \"\"]\n\0\u{b}\u{c}\u{1a}\t[B \"\"]\n", "[A B]"),
        ("[A \"\"]\nhello\ne4", "[A] e4"),
        ("[A \"\"]\n\nhello\ne4", "[A] unknown hello | e4"),
        ("[A \"\"] hello\ne4", "[A] unknown hello | e4"),
        ("[A \"\"]\n1-0", "[A] result 1-0"),
        ("[A \"\"]\n½", "[A] result 1/2-1/2"),
        ("[A \"\"]\n0-0", "[A] 0-0"),
        ("[A \"\"]\n2-0 x\n*", "[A] result *"),
        ("[A \"\"]\n;c\n*", "[A] result *"),
        ("[A \"\"]\n<> e4", "[A] <> | e4"),
        ("[A \"\"]\n<\n> e4", "[A] unknown < | unknown > | e4"),
        ("[A \"\"]\n{c} e4", "[A] {c} | e4"),
        ("[A \"\"]\n{c}\n[B \"\"]\n*", "[A B] result *"),
        ("[A \"\"]\n\n{c}\n[B \"\"]\n*", "[A B] result *"),
        ("[A \"\"]\n\n{c}\n[A \"\"]\n*", "[A] {c} // [A] result *"),
        ("[A \"\"]\n{c}\n[A \"\"]\n*", "[A A] result *"),
        ("[A \"\"]\n{c}\n[bad]\n*", "[A] {c} | unknown [ | unknown bad | unknown ] | result *"),
        ("[A \"\"]\n{c}\n[B \"\"]", "[A B]"),
        ("[A \"\"]\n{c}\n[B", "[A] {c} | unknown [ | unknown B"),
        ("[A \"\"]\n{c}", "[A] {c}"),
        ("[A \"\"]\n{c", "[A]"),
        ("[A \"\"]\n{c}\n% [B \"\"]\ne4", "[A] {c} | e4"),
        ("[A \"\"]\n[bad]\n[B \"\"]\n\n[Event \"\"]\n*", "[A B] // [Event] result *"),
        ("[A \"\"]\n\n[bad]\n*", "[A] result *"),
        ("[A \"\"] [bad] e4", "[A] e4"),
    ];
    assert_cases(&cases, games);
    // Of the names of a section, the first 64 are compared.
    let section: String = (0..70).map(|i| format!("[T{i} \"\"]\n")).collect();
    for (name, expected) in [("T0", 2), ("T63", 2), ("T64", 1), ("T69", 1)] {
        let text = format!("{section}\n[{name} \"\"]\n\n*\n");
        assert_eq!(pgn::games(text.as_bytes()).count(), expected, "{name}");
    }
    // HTML elements are recognized up to 128 bytes.
    for (len, tags) in [(128, 2), (129, 1)] {
        let text = format!("[A \"\"]\n\n<{}>[B \"\"]\n\n*\n", "b".repeat(len - 2));
        assert_eq!(pgn::games(text.as_bytes()).next().unwrap().tags().len(), tags, "{len}");
    }
}

#[test]
fn long_words_are_divided_only_at_odd_characters() {
    // Letters and digits are one word whatever the length; other words are examined in pieces.
    let plain = "a1".repeat(200);
    assert_eq!(tokens(format!("1. {plain} *").as_bytes()), format!("{plain} | result *"));
    let odd = format!("e4{}", "-".repeat(400));
    let pieces = tokens(format!("1. {odd} *").as_bytes());
    assert_eq!(pieces.replace("unknown ", "").replace(" | result *", "").replace(" | ", ""), odd);
    assert!(pieces.starts_with(&format!("e4{} | ", "-".repeat(126))), "{pieces}");
}

#[test]
fn text_with_more_moves_than_words_has_moves() {
    for (text, moves) in [
        ("1. e4 e5 2. Nf3 1-0", true),
        ("3. Bb5 was played in many games", false),
        ("e4 e5 good move", false),
        // Words of comments are none of the text.
        ("2... Nc6 ; of the many words here", true),
        ("2... Nc6 {of the many words here}", true),
        ("2... Nc6 [%csl many words here]", true),
        ("; 2... Nc6", false),
        ("; words\n2... Nc6", true),
    ] {
        assert_eq!(pgn::has_moves(text.as_bytes()), moves, "{text}");
    }
}

/// Returns the texts that raise a doubt, `moves` behind those that are a line of moves.
fn doubts(text: &str) -> String {
    let mut scanner = Scanner::new(text.as_bytes());
    let mut found = Vec::new();
    while scanner.next_game() {
        while scanner.next_token().is_some() {
            found.extend(scanner.take_doubt());
        }
        found.extend(scanner.take_doubt());
    }
    let shown = |doubt: pgn::Doubt<'_>| {
        let moves = if doubt.is_line_of_moves() { " moves" } else { "" };
        format!("{}{moves}", String::from_utf8_lossy(doubt.text))
    };
    found.into_iter().map(shown).collect::<Vec<_>>().join(" | ")
}

#[test]
fn comments_and_escaped_lines_with_moves_raise_a_doubt() {
    assert_cases(
        &[
            ("1. e4 {good} e5 *", ""),
            ("1. e4 {2. Nf3} e5 *", ""),
            ("1. e4 {a {b} e5 *", "a {b"),
            ("1. e4 ;e5\n*", ";e5 moves"),
            ("1. e4 ; best by test\n*", ""),
            ("1. e4 ; 2. Nf3 is better than others\n*", "; 2. Nf3 is better than others"),
            ("1. e4\n%e5\n*", "%e5 moves"),
            ("1. e4\n%e5 1-0\n", "%e5 1-0 moves"),
            ("1. e4\n%e5 1-0", "%e5 1-0 moves"),
            ("1. e4\n%eval of the engine\n*", ""),
        ],
        doubts,
    );
}
