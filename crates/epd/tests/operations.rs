//! Operations of one record while they are collected, as text and as values: both give the same
//! record.

use epd::{
    Centipawns, Opcode, Operand, OperationList, OperationValues, Operations, PackedOpcode,
    REGISTER_RANKS, RankedRegisters,
};
use san::{Buffer, Position};

const FIELDS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn op(name: &str) -> PackedOpcode {
    PackedOpcode::new(name)
}

/// Adds operations of every kind, some of them twice.
fn fill(operations: &mut impl Operations) {
    operations.string(op("id"), "x");
    operations.bare(op("draw_offer"));
    operations.number(op("acd"), 12);
    operations.number(op("ce"), -35);
    operations.moves(op("sm"), ["e4"]);
    operations.moves(op("bm"), ["d4", "e4"]);
    operations.string(op("id"), "y");
    operations.register(op("c0"), Some("game"));
    operations.register(op("c1"), None);
    operations.strings(op("tcri"), "a@b.c", "A B");
    operations.word(op("Rav"), "7 Be7");
    operations.number(op("Xn"), 7);
    operations.string(op("Xs"), "text");
}

fn text_of(operations: &mut OperationList) -> String {
    operations.sort();
    let mut buffer = Buffer::default();
    operations.write_before(PackedOpcode::LAST, &mut buffer, None);
    String::from_utf8(buffer.as_bytes().to_vec()).unwrap()
}

#[test]
fn a_list_and_values_give_the_same_record_and_of_two_operations_the_last() {
    let expected = " Rav 7 Be7; Xn 7; Xs \"text\"; acd 12; bm d4 e4; c0 \"game\"; c1; ce -35; \
                    draw_offer; id \"y\"; sm e4; tcri \"a@b.c\" \"A B\";";
    let (mut list, mut values) = (OperationList::default(), OperationValues::default());
    for _ in 0..2 {
        fill(&mut list);
        fill(&mut values);
        assert_eq!(text_of(&mut list), expected);
        list.clear();
        assert_eq!(text_of(&mut list), "");
        let record = values.take_record(Position::default());
        assert_eq!(record.to_string(), format!("{FIELDS}{expected}"));
        assert_eq!(record.get(Opcode::Sm), Some(&Operand::Move("e4".to_owned())));
        assert_eq!(record.get(Opcode::Acd), Some(&Operand::Integer(12)));
        assert_eq!(
            record.get(Opcode::Ce),
            Some(&Operand::Evaluation(Centipawns::new(-35).unwrap()))
        );
        fill(&mut values);
        values.clear();
        assert_eq!(values.take_record(Position::default()).to_string(), FIELDS);
    }
}

#[test]
fn operations_are_found_and_removed_by_their_names() {
    fn check(operations: &mut impl Operations) {
        for name in ["id", "sm", "bm", "Rav", "c1"] {
            assert!(operations.has(op(name)), "{name}");
        }
        assert!(
            !operations.has(op("pv")) && !operations.has(op("i")) && !operations.has(op("idx"))
        );
        let first = |name| operations.first_move(op(name)).map(<[u8]>::to_vec);
        assert_eq!(first("sm"), Some(b"e4".to_vec()));
        assert_eq!(first("bm"), Some(b"d4".to_vec()));
        assert_eq!(first("pv"), None);
        assert_eq!(first("draw_offer"), None);
        operations.moves(op("bm"), ["a3"]);
        assert_eq!(operations.first_move(op("bm")), Some(&b"a3"[..]));
        operations.remove(op("bm"));
        assert!(!operations.has(op("bm")) && operations.has(op("sm")));
        operations.moves::<&str>(op("bm"), []);
        assert_eq!(operations.first_move(op("bm")), None);
    }
    let (mut list, mut values) = (OperationList::default(), OperationValues::default());
    fill(&mut list);
    check(&mut list);
    fill(&mut values);
    check(&mut values);
}

#[test]
fn a_list_is_written_in_parts_each_up_to_an_opcode() {
    let mut list = OperationList::default();
    fill(&mut list);
    list.sort();
    let mut parts = Vec::new();
    for end in ["acd", "bm", "sm", "sm", "zz"] {
        let mut buffer = Buffer::default();
        list.write_before(op(end), &mut buffer, None);
        parts.push(String::from_utf8(buffer.as_bytes().to_vec()).unwrap());
    }
    assert_eq!(
        parts,
        [
            " Rav 7 Be7; Xn 7; Xs \"text\";",
            " acd 12;",
            " bm d4 e4; c0 \"game\"; c1; ce -35; draw_offer; id \"y\";",
            "",
            " sm e4; tcri \"a@b.c\" \"A B\";",
        ]
    );
}

#[test]
fn values_are_transliterated_and_strings_that_were_cut_are_counted() {
    let mut values = OperationValues::default();
    values.string(op("c0"), "Łukasz");
    values.string(op("id"), &"щ".repeat(127));
    values.strings(op("tcri"), &"щ".repeat(127), &"щ".repeat(126));
    values.string(op("Xs"), "Ä");
    values.number(op("acd"), 1);
    values.string(op("eco"), "B90");
    // 127 letters of four characters each do not fit into a string, nor do 126.
    assert_eq!(values.transliterate(), 3);
    let record = values.take_record(Position::default());
    assert_eq!(record.get(Opcode::C0), Some(&Operand::Text("Lukasz".to_owned())));
    assert_eq!(record.get(Opcode::Eco), Some(&Operand::Text("B90".to_owned())));
    assert_eq!(record.get_other("Xs"), Some(&Operand::Raw("\"A\"".to_owned())));
    let Some(Operand::Text(id)) = record.get(Opcode::Id) else { panic!() };
    assert!(id.len() == 255 && id.is_ascii(), "{id}");
}

#[test]
fn a_packed_opcode_sorts_as_its_name_and_gives_it_back() {
    let names = ["Ae", "a", "acd", "averyverylongopc", "c0", "c1", "v9"];
    let packed = names.map(op);
    assert!(packed.is_sorted() && packed.iter().all(|name| *name < PackedOpcode::LAST));
    assert_eq!(packed.map(|name| String::from_utf8(name.text().to_vec()).unwrap()), names);
    assert_eq!(PackedOpcode::ranked(b'v', 9), op("v9"));
    assert_eq!(PackedOpcode::ranked(b'c', 0), op("c0"));
}

/// Some records are written from stored operations.
#[test]
fn registers_that_were_written_elsewhere_are_not_written_again() {
    let mut list = OperationList::default();
    let mut family = RankedRegisters::default();
    family.begin();
    family.note(|rank| ["a", "b"].get(rank).copied());
    for (wanted, text) in [
        (&["a", "b"][..], ""),
        (&["a", "x"], " c1 \"x\";"),
        (&["a"], " c1;"),
        (&["y"], " c0 \"y\";"),
    ] {
        let value = |rank: usize| wanted.get(rank).copied();
        family.update(b'c', 0, REGISTER_RANKS, value, &mut list);
        assert_eq!(text_of(&mut list), text);
        list.clear();
    }
}
