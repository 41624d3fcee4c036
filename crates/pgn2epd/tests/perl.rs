//! Chess::PGN::EPD: codes and names of positions and games.

use pgn2epd::perl::{Code, Tables, Taxonomy, epdlist};

#[test]
fn a_game_has_the_codes_of_its_last_position_that_has_one() {
    let mut tables = Tables::default();
    // As the module writes the position.
    let e4 = epdlist(["e4"]).unwrap().pop().unwrap();
    for (code, value) in [(Code::Eco, "B00"), (Code::Nic, "KP 10"), (Code::Opening, "King's pawn")]
    {
        tables.load(code, &format!("\"CODE\",\"FEN\"\n\"{value}\",\"{e4}\"\n")).unwrap();
    }
    let all = Taxonomy { all: true, ..Taxonomy::default() };
    let tags = Taxonomy { astags: true, ..all };
    let cases = [
        (all, ["B00", "KP 10", "King's pawn"]),
        (tags, ["[ECO \"B00\"]", "[NIC \"KP 10\"]", "[Opening \"King's pawn\"]"]),
    ];
    for (options, expected) in cases {
        assert_eq!(tables.epdtaxonomy(["e4", "a6"], options).unwrap(), expected);
    }
    let one = Taxonomy { nic: true, ..Taxonomy::default() };
    assert_eq!(tables.epdtaxonomy(["e4"], one).unwrap(), ["KP 10"]);
    assert_eq!(tables.epdtaxonomy(["d4"], one).unwrap(), ["Unknown"]);
    assert!(tables.epdtaxonomy(["e5"], all).is_err());
}

#[test]
fn codes_have_the_names_of_their_tags() {
    let names = [Code::Eco, Code::Nic, Code::Opening].map(Code::name);
    assert_eq!(names, ["ECO", "NIC", "Opening"]);
}
