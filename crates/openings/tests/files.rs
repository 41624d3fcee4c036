//! Valid and invalid files in all formats.

use openings::{FileFormat, Openings};

fn read(text: &str) -> (FileFormat, Openings) {
    let mut openings = Openings::default();
    let format = openings.layer(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
    (format, openings)
}

fn name_of(openings: &Openings, moves: &str) -> String {
    openings.classify_game(moves.split_whitespace()).unwrap().to_string()
}

#[track_caller]
fn assert_named(text: &str, format: FileFormat, moves: &str, name: &str) {
    let (found, openings) = read(text);
    assert_eq!(found, format);
    assert_eq!(name_of(&openings, moves), name);
}

#[test]
fn the_lichess_tsv_is_read_with_its_header_and_without() {
    let row = "B90\tSicilian Defense: Najdorf Variation\t1. e4 c5 2. Nf3 d6";
    let name = "B90 Sicilian Defense: Najdorf Variation";
    for text in [
        format!("eco\tname\tpgn\n{row}\n"),
        format!("\u{feff}eco\tname\tpgn\r\n{row}\r\n"),
        format!("# Names\n\n{row}"),
        // Spaces of word processors around the fields.
        format!("\u{a0}{}\u{a0}\n", row.replace('\t', "\u{a0}\t\u{a0}")),
        "pgn\tname\teco\n1. e4 c5 2. Nf3 d6\tSicilian Defense: Najdorf Variation\tB90\n".into(),
        format!("eco\tname\tpgn\tuci\tepd\n{row}\te2e4 c7c5 g1f3 d7d6\t…\n"),
    ] {
        assert_named(&text, FileFormat::Tsv, "e4 c5 Nf3 d6", name);
    }
    let with_nic = "eco\tnic\tname\tpgn\nB90\tSI 14\tNajdorf\t1. e4 c5 2. Nf3 d6\n";
    assert_named(with_nic, FileFormat::Tsv, "e4 c5 Nf3 d6", "B90 SI 14 Najdorf");
}

#[test]
fn epd_records_name_their_positions() {
    let fields = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    let cases = [
        ("eco \"B20\"; v0 \"Sicilian\"; v1 \"a\"; v2 \"b\";", "B20 Sicilian: a, b"),
        ("c0 \"The Sicilian; the game\"; eco B20;", "B20 The Sicilian; the game"),
        ("c0 \"Not this\"; id \"x;y\"; nic \"SI 1\"; v0 \"Sicilian\";", "SI 1 Sicilian"),
        ("bm Nf3 Nc3; fmvn 2; hmvc 0; eco \"B20\";", "B20"),
        ("noop; eco \"B20\";", "B20"),
    ];
    for (operations, name) in cases {
        let text = format!("{fields} {operations}\n{fields} hmvc 0;\n");
        assert_named(&text, FileFormat::Epd, "e4 c5", name);
    }
}

/// A record of a game has only the registers that change (EPD 5.26).
#[test]
fn registers_of_earlier_records_name_a_position_too() {
    const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
    const C5: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    const NF3: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -";
    // operations after 1. e4, c5 and Nf3; the name of the last position
    let cases = [
        (["eco \"B00\"; v0 \"A\"; v1 \"B\";", "v1 \"C\";", ""], "B00 A: C"),
        (["eco \"B00\"; v0 \"A\"; v1 \"B\";", "eco \"B20\";", "eco \"B40\";"], "B40 A: B"),
        // A name of rank 0 clears those of higher ranks.
        (["v0 \"A\"; v1 \"B\"; v2 \"C\";", "v0 \"D\";", "v1 \"E\";"], "D: E"),
        (["v0 \"A\"; v1 \"B\"; v2 \"C\";", "v1;", "nic \"SI 1\";"], "SI 1 A"),
        // A name keeps the values that the names of later positions lack.
        (["eco \"B00\"; nic \"KP 1\"; v0 \"A\";", "eco; v0;", "v0 \"X\";"], "B00 KP 1 X"),
        // Comments name a position where nothing else does.
        (["c0 \"The Sicilian\"; eco \"B20\";", "", "eco \"B27\";"], "B27 The Sicilian"),
    ];
    for ([e4, c5, nf3], name) in cases {
        let text = format!("{E4} {e4}\n{C5} {c5}\n{NF3} {nf3}\n");
        assert_named(&text, FileFormat::Epd, "e4 c5 Nf3", name);
    }
    // Without any register the position has no name.
    let (_, openings) = read(&format!("{E4} eco \"B00\"; v0 \"A\";\n{C5} eco; v0;\n"));
    assert_eq!(name_of(&openings, "e4 c5"), "B00 A");
}

#[test]
fn a_pgn_file_names_the_positions_that_its_games_end_with() {
    let text = "{ Classifications }\n\n[ECO \"A00\"]\n[Opening \"Polish\"]\n[Variation \"Outflank variation\"]\n\n1. b4 c6 *\n\n\
                [ECO \"A00\"]\n[NIC \"VO 1\"]\n[Opening \"Grob\"]\n[Variation \"?\"]\n[SubVariation \"x\"]\n\n1. g4 *\n";
    assert_named(text, FileFormat::Pgn, "b4 c6", "A00 Polish: Outflank variation");
    assert_named(text, FileFormat::Pgn, "g4", "A00 VO 1 Grob, x");
}

#[test]
fn scids_codes_are_cut_to_three_characters() {
    let text = "# SCID\n\nA00a \"Start position\"  *\nB90a1 \"Sicilian: Najdorf\"  1.e4 c5\n  2.Nf3 d6 *\nA00 \"b\" 1.b4 *\n";
    assert_named(text, FileFormat::Scid, "e4 c5 Nf3 d6", "B90 Sicilian: Najdorf");
    assert_named(text, FileFormat::Scid, "", "A00 Start position");
    assert_named(text, FileFormat::Scid, "e4 c5", "A00 Start position");
}

#[test]
fn perls_csv_holds_codes_or_names() {
    let e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";
    for (code, name) in [
        ("B00", "B00"),
        ("B00*", "B00*"),
        ("B00/02", "B00/02"),
        ("KP 10", "KP 10"),
        ("HD 1-12", "HD 1-12"),
        ("King's pawn, \"\"e4\"\"", "King's pawn, 'e4'"),
    ] {
        let text = format!("\"CODE\",\"FEN\"\n\"{code}\",\"{e4}\"\n");
        assert_named(&text, FileFormat::PerlCsv, "e4", name);
    }
    let (_, mut openings) = read(&format!("\"CODE\",\"FEN\"\n\"B00\",\"{e4}\"\n"));
    openings.layer(format!("\"KP 1\",\"{e4}\"\n").as_bytes()).unwrap();
    openings.layer(format!("\"King's pawn\",\"{e4}\"\n").as_bytes()).unwrap();
    let name = openings.classify_game(["e4"]).unwrap();
    assert_eq!((name.eco(), name.nic()), (Some("B00"), Some("KP 1")));
    assert_eq!((name.opening(), name.ply()), (Some("King's pawn"), Some(1)));
}

#[test]
fn latin_1_is_read_too() {
    let mut openings = Openings::default();
    openings.layer(b"A00\tK\xe1das Opening\t1. h4\n").unwrap();
    assert_eq!(name_of(&openings, "h4"), "A00 Kádas Opening");
}

#[test]
fn later_files_count_and_leave_what_they_do_not_know() {
    let mut openings = Openings::default();
    openings.layer_embedded();
    openings.layer(b"eco\tnic\tname\tpgn\n\tKP 1\t\t1. e4\nX\t\tMine\t1. d4\n").unwrap();
    assert_eq!(name_of(&openings, "e4"), "B00 KP 1 King's Pawn Game");
    assert_eq!(name_of(&openings, "d4"), "X Mine");
    assert_eq!(name_of(&openings, "c4"), "A10 English Opening");
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let fields = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let unknown = "1:1: unknown format of an opening table; supported are those of Lichess (eco, name, pgn), EPD records, PGN, \
                   .eco files of SCID, and CSV of code and EPD";
    let cases = [
        ("", unknown),
        ("hello\n", unknown),
        ("A00\tx\n", "1:1: missing column pgn"),
        ("eco\tname\nA00\tx\n", "1:1: missing column pgn"),
        ("eco\tname\tpgn\nA00\tx\t1. Nh4\n", "2:10: Nh4: illegal: no white knight can reach h4"),
        ("\t\t1. e4\n", "1:1: this line has neither a code nor a name"),
        ("@ eco \"A00\n", "1:58: a string without its closing quote"),
        ("# x\n8/8/8/8/8/8/8/8 w - - eco \"A00\";\n", "2:1: White has no king"),
        ("[ECO \"A00\"]\n\n1. e4 Ke6 *\n", "3:7: Ke6: illegal: no black king can reach e6"),
        ("[ECO \"A\"]\n\ne4 *\n\n[A \"\"]\n\n*\n", "5:1: this line has neither a code nor a name"),
        ("A00 \"x 1.e4 *\n", "1:1: the name is not quoted"),
        ("A00 \"x\" 1.e4 *\n1.d4 *\n", "2:1: this line has neither a code nor a name"),
        ("A00 \"x\"\n 1.e4 e4 *\n", "2:7: e4: illegal: no black pawn can reach e4"),
        ("\"CODE\",\"FEN\"\n\"B00\"\n", "2:1: missing column FEN"),
        ("\"B00\",\"@\"\n\"Sicilian\",\"@\"\n", "2:1: this line has neither a code nor a name"),
        ("\"CODE\",\"FEN\"\r\n\"B00\",\"x\"\r\n", "2:1: 1 ranks, not 8"),
        ("\"CODE\",\"FEN\"\n\n\n\n\"B00\",\"x\"\n", "5:1: 1 ranks, not 8"),
    ];
    for (text, message) in cases {
        let text = text.replace('@', fields);
        let error = Openings::default().layer(text.as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), message, "{text}");
    }
}

/// Lines share the moves of the line before, up to the first word that differs.
#[test]
fn a_word_that_begins_another_one_is_another_move() {
    let before = "1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. Nc3 Nc6 5. d3 d6 6. Be3 Be6 7. Qd2 Qd7 8.";
    for (first, second) in [("O-O", "O-O-O"), ("O-O-O", "O-O")] {
        let (_, openings) =
            read(&format!("A00\t{first}\t{before} {first}\nA01\t{second}\t{before} {second}\n"));
        let words = before.split(' ').filter(|word| !word.ends_with('.'));
        for (code, last) in [("A00", first), ("A01", second)] {
            let moves: Vec<&str> = words.clone().chain([last]).collect();
            assert_eq!(name_of(&openings, &moves.join(" ")), format!("{code} {last}"));
        }
    }
}

/// Positions after the last named one are not looked up, if a file tells how deep its names are.
#[test]
fn names_are_as_deep_as_the_file_says() {
    let board = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    for (text, ply) in [
        ("B20\tSicilian\t1. e4 c5\n".to_owned(), 3),
        (format!("{board} eco \"B20\"; fmvn 2;\n"), 3),
        (format!("{board} 0 2 eco \"B20\";\n"), 3),
        (format!("{board} eco \"B20\";\n"), u32::MAX),
    ] {
        let (_, openings) = read(&text);
        let tracker = openings::OpeningTracker::of_table(Some(&openings), false);
        assert_eq!(tracker.static_from_ply(), ply, "{text}");
    }
}

#[test]
fn a_table_knows_whether_it_has_codes_of_new_in_chess() {
    for (text, has_nic) in [
        ("eco\tnic\tname\tpgn\nA00\tKP 1\tx\t1. e4\nA01\t\ty\t1. d4\n", true),
        ("eco\tnic\tname\tpgn\nA00\t\tx\t1. e4\n", false),
    ] {
        assert_eq!(read(text).1.has_nic(), has_nic, "{text}");
    }
}

#[test]
fn real_files_are_read() {
    let mut files = vec![("/usr/share/pgn-extract/eco.pgn".into(), FileFormat::Pgn, 1_990)];
    if let Some(shared) = testkit::shared::shared() {
        files.push((shared.join("openings/lichess.tsv"), FileFormat::Tsv, 3_800));
        for (name, count) in [("ECO", 2_700), ("NIC", 1_200), ("Opening", 4_200)] {
            let path = shared.join(format!("openings/perl/{name}.txt"));
            files.push((path, FileFormat::PerlCsv, count));
        }
    }
    for (path, format, count) in files {
        // They are not part of the repository.
        let Ok(file) = std::fs::read(&path) else { continue };
        let mut openings = Openings::default();
        let found = openings.layer(&file).unwrap_or_else(|error| panic!("{path:?}:{error}"));
        assert_eq!(found, format);
        assert!(openings.len() >= count, "{path:?}: {}", openings.len());
    }
}

#[test]
fn a_carriage_return_alone_ends_a_line() {
    let epd = "# Names\n\
               rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - eco \"B20\"; v0 \"Sicilian\";\n\
               rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - eco \"C20\"; v0 \"Open\";\n";
    let tsv = "eco\tname\tpgn\nB20\tSicilian\t1. e4 c5\nC20\tOpen\t1. e4 e5\n";
    let scid = "# SCID\nB20 \"Sicilian\"  1.e4 c5 *\nC20 \"Open\"  1.e4 e5 *\n";
    for (text, format) in [(epd, FileFormat::Epd), (tsv, FileFormat::Tsv), (scid, FileFormat::Scid)]
    {
        for end in ["\n", "\r\n", "\r"] {
            let text = text.replace('\n', end);
            assert_named(&text, format, "e4 c5", "B20 Sicilian");
            assert_named(&text, format, "e4 e5", "C20 Open");
            if format != FileFormat::Scid {
                let text = text + "B20\tx\t1. e5\n";
                let error = Openings::default().layer(text.as_bytes()).unwrap_err();
                assert_eq!(error.line, 4, "{end:?}: {error}");
            }
        }
    }
}
