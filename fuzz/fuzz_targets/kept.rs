//! Evaluations that are kept, in a cache or of a run that was interrupted, are read as they were
//! written or refused.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pgn2epd::Options;
use pgn2epd::analyse::{AnalyseError, AnalyseOptions, Analysis};

/// The evaluation is the number of plies since a capture.
const ENGINE: &str = "sh -c 'while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                      position*) set -- $line;; go*) echo info depth 1 score cp $7 pv e2e4; echo bestmove e2e4;; \
                      quit) exit;; esac; done'";

/// What is kept, in two files, and the records.
struct Kept {
    cache: Vec<u8>,
    earlier: Vec<u8>,
    records: Vec<u8>,
}

static KEPT: LazyLock<Kept> = LazyLock::new(|| {
    let mut cache = Vec::new();
    let records = analysed(Some((&[], &mut cache)), None).expect("it can be analysed");
    let earlier = analysed(None, Some(&[])).expect("it can be analysed");
    Kept { cache, earlier, records }
});

fn analysed(
    cache: Option<(&[u8], &mut Vec<u8>)>,
    earlier: Option<&[u8]>,
) -> Result<Vec<u8>, AnalyseError> {
    let named = [("engine", ENGINE), ("nodes", "9"), ("engines", "1")];
    let engine = AnalyseOptions::from_names(named).expect("options");
    let fields = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let suite: String = (1..6).map(|clock| format!("{fields} hmvc {clock};\n")).collect();
    let mut records = Vec::new();
    let options = Options::default();
    let mut analysis = Analysis::new(&mut records, &options, &engine)?;
    if let Some((cache, additions)) = cache {
        analysis.use_cache(cache, additions)?;
    }
    if let Some(earlier) = earlier {
        analysis.continue_after(earlier);
    }
    analysis.input(suite.as_bytes(), &mut ())?;
    analysis.finish()?;
    Ok(records)
}

// Changes at places of the bytes.
fuzz_target!(|input: (bool, Vec<(u8, u16, u16, u8)>)| {
    let (is_cache, changes) = input;
    let kept = if is_cache { &KEPT.cache } else { &KEPT.earlier };
    let mut bytes = kept.clone();
    for (kind, from, to, byte) in changes {
        if bytes.is_empty() {
            return;
        }
        let (from, to) = (usize::from(from) % bytes.len(), usize::from(to) % bytes.len());
        let (from, to) = (from.min(to), from.max(to));
        match kind % 5 {
            0 => bytes[from] = byte,
            1 => drop(bytes.drain(from..to)),
            2 => bytes.insert(from, byte),
            3 => bytes.swap(from, to),
            _ => {
                drop(bytes.splice(to..to, kept[from.min(kept.len())..to.min(kept.len())].to_vec()))
            }
        }
    }
    if is_cache {
        let records = analysed(Some((&bytes, &mut Vec::new())), None);
        assert!(records.is_err() || records.is_ok_and(|records| records == KEPT.records));
    } else if let Ok(records) = analysed(None, Some(&bytes)) {
        // Whole lines of the beginning are kept, and the rest is made again.
        let all =
            [bytes.trim_ascii_end(), if bytes.is_empty() { b"" } else { b"\n" }, &records].concat();
        assert_eq!(all, KEPT.earlier);
    }
});
