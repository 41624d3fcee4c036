//! Operations of one record while they are collected.

use epd::{OperationList, PackedOpcode, REGISTER_RANKS, RankedRegisters};
use san::Buffer;

fn op(name: &str) -> PackedOpcode {
    PackedOpcode::new(name)
}

/// Adds operations of every kind, some of them twice.
fn fill(operations: &mut OperationList) {
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
    operations.write_before(PackedOpcode::LAST, &mut buffer);
    String::from_utf8(buffer.as_bytes().to_vec()).unwrap()
}

#[test]
fn operations_are_written_in_order_and_of_two_of_a_name_the_last() {
    let expected = " Rav 7 Be7; Xn 7; Xs \"text\"; acd 12; bm d4 e4; c0 \"game\"; c1; ce -35; \
                    draw_offer; id \"y\"; sm e4; tcri \"a@b.c\" \"A B\";";
    let mut list = OperationList::default();
    for _ in 0..2 {
        fill(&mut list);
        assert_eq!(text_of(&mut list), expected);
        list.clear();
        assert_eq!(text_of(&mut list), "");
    }
}

#[test]
fn operations_are_found_and_removed_by_their_names() {
    let mut operations = OperationList::default();
    fill(&mut operations);
    for name in ["id", "sm", "bm", "Rav", "c1"] {
        assert!(operations.has(op(name)), "{name}");
    }
    for name in ["pv", "i", "idx"] {
        assert!(!operations.has(op(name)), "{name}");
    }
    for (name, first) in
        [("sm", Some("e4")), ("bm", Some("d4")), ("pv", None), ("draw_offer", None)]
    {
        assert_eq!(operations.first_move(op(name)), first.map(str::as_bytes), "{name}");
    }
    operations.moves(op("bm"), ["a3"]);
    assert_eq!(operations.first_move(op("bm")), Some(&b"a3"[..]));
    operations.remove(op("bm"));
    assert!(!operations.has(op("bm")) && operations.has(op("sm")));
    operations.moves::<&str>(op("bm"), []);
    assert_eq!(operations.first_move(op("bm")), None);
}

#[test]
fn a_list_is_written_in_parts_each_up_to_an_opcode() {
    let mut list = OperationList::default();
    fill(&mut list);
    list.sort();
    let mut parts = Vec::new();
    for end in ["acd", "bm", "sm", "sm", "zz"] {
        let mut buffer = Buffer::default();
        list.write_before(op(end), &mut buffer);
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
    for (wanted, text) in [("a b", ""), ("a x", " c1 \"x\";"), ("a", " c1;"), ("y", " c0 \"y\";")] {
        let value = |rank: usize| wanted.split(' ').nth(rank);
        let name = |rank| PackedOpcode::ranked(b'c', rank);
        family.update(name, 0, REGISTER_RANKS, value, &mut list);
        assert_eq!(text_of(&mut list), text);
        list.clear();
    }
}
