//! Law: a reader that applies the operations as the standard defines has the wanted registers.

use proptest::prelude::*;
use san::Buffer;

use super::*;
use crate::write::OperationList;

/// The effect of operations on a scanning program, following the wording of EPD 5.5 and 5.12.
#[derive(Clone, Debug, Default, PartialEq)]
struct Reader {
    c: [Option<String>; REGISTER_RANKS],
    eco: Option<String>,
}

impl Reader {
    fn read(&mut self, operations: &str) {
        for operation in operations.split_terminator(';').map(str::trim_start) {
            let (name, operand) = operation.split_once(' ').unwrap_or((operation, ""));
            let value = Some(operand.trim_matches('"').to_owned()).filter(|_| !operand.is_empty());
            match name.strip_prefix('c') {
                Some(rank) => {
                    let rank: usize = rank.parse().unwrap();
                    self.c[rank..].fill(None);
                    self.c[rank] = value;
                }
                None => self.eco = value,
            }
        }
    }
}

/// The wanted register values.
type Wanted = ([Option<String>; REGISTER_RANKS], Option<String>);

fn wanted() -> impl Strategy<Value = Wanted> {
    // Only two values, so that registers often stay unchanged.
    let value = || proptest::option::of("[ab]");
    (proptest::array::uniform10(value()), value())
}

struct Writer {
    lowest: usize,
    repeated: usize,
    family: RankedRegisters,
    single: SingleRegister,
    operations: OperationList,
}

impl Writer {
    fn new(lowest: usize, repeated: usize) -> Self {
        let (family, single, operations) = Default::default();
        Writer { lowest, repeated, family, single, operations }
    }

    fn begin(&mut self) {
        self.family.begin();
        self.single.begin();
    }

    fn record(&mut self, (c, eco): &Wanted) -> String {
        let wanted = |rank: usize| c[rank].as_deref();
        let Writer { lowest, repeated, family, single, operations } = self;
        let name = |rank| PackedOpcode::ranked(b'c', rank);
        family.update(name, *lowest, *repeated, wanted, operations);
        let repeated = if *repeated < REGISTER_RANKS { 0 } else { 1 };
        let wanted = |_| eco.as_deref();
        single.update(|_| PackedOpcode::new("eco"), 0, repeated, wanted, operations);
        let mut buffer = Buffer::default();
        self.operations.sort();
        self.operations.write_before(PackedOpcode::LAST, &mut buffer);
        self.operations.clear();
        String::from_utf8(buffer.as_bytes().to_vec()).unwrap()
    }
}

proptest! {
    #[test]
    fn who_reads_what_is_written_has_the_wanted_registers(
        games in proptest::collection::vec(proptest::collection::vec(wanted(), 1..6), 1..4),
    ) {
        for (lowest, repeated) in [(0, REGISTER_RANKS), (0, 0), (0, 3), (2, REGISTER_RANKS), (2, 2), (3, 7)] {
            let mut writer = Writer::new(lowest, repeated);
            let mut reader = Reader::default();
            for game in &games {
                writer.begin();
                // A reader that starts at this game needs no earlier ones.
                let mut newcomer = Reader::default();
                let mut known = None;
                for state in game {
                    let mut state = state.clone();
                    state.0[..lowest].fill(None);
                    let text = writer.record(&state);
                    let expected = Reader { c: state.0, eco: state.1 };
                    for reader in [&mut reader, &mut newcomer] {
                        reader.read(&text);
                        prop_assert_eq!(&*reader, &expected, "{} {} {}", lowest, repeated, text);
                    }
                    if repeated == 0 {
                        // A record that has all its registers can be read alone.
                        let mut alone = Reader::default();
                        alone.read(&text);
                        prop_assert_eq!(&alone, &expected, "{}", text);
                    }
                    let has_null = text.split_terminator(';').any(|one| one.trim_start() == "eco");
                    prop_assert_eq!(has_null, nulls_eco(&known, &expected.eco), "{}", text);
                    known = Some(expected.eco.clone());
                    let repeats = expected.c.iter().zip(0..).skip(repeated);
                    for (_, rank) in repeats.filter(|(value, _)| value.is_some()) {
                        prop_assert!(text.contains(&format!("c{rank} \"")), "{}", text);
                    }
                }
            }
        }
    }

    #[test]
    fn no_fewer_operations_would_do(before in wanted(), after in wanted()) {
        let mut writer = Writer::new(0, REGISTER_RANKS);
        writer.begin();
        writer.record(&before);
        let count = writer.record(&after).matches(" c").count();
        let fewest = fewest_operations(&before.0, &after.0);
        prop_assert_eq!(count, fewest);
    }
}

/// Whether a register without a value is written: if a reader may hold another one. `known` is the
/// value that the record before it in the game has.
fn nulls_eco(known: &Option<Option<String>>, eco: &Option<String>) -> bool {
    eco.is_none() && known.as_ref().is_none_or(Option::is_some)
}

/// Brute force: tries all sets of registers to write, each with its wanted value.
fn fewest_operations(
    before: &[Option<String>; REGISTER_RANKS],
    after: &[Option<String>; REGISTER_RANKS],
) -> usize {
    let reaches = |touched: &u32| {
        let mut held = before.clone();
        for rank in (0..REGISTER_RANKS).filter(|rank| touched & 1 << rank != 0) {
            held[rank..].fill(None);
            held[rank] = after[rank].clone();
        }
        held == *after
    };
    (0u32..1 << REGISTER_RANKS).filter(reaches).map(u32::count_ones).min().unwrap() as usize
}
