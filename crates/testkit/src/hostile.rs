//! Small hostile inputs: oddities of real files, damaged files, and deliberate attacks.
//!
//! They have no expected output, because tests check laws: no panic, the same output for every
//! chunk size and number of threads, every byte accounted for. The largest is about 1 MB.

mod bytes;
mod comments;
mod games;
mod moves;
mod tags;
mod variations;

/// Returns all inputs, each with a unique name.
pub fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let mut inputs = Vec::new();
    bytes::add(&mut inputs);
    tags::add(&mut inputs);
    comments::add(&mut inputs);
    variations::add(&mut inputs);
    moves::add(&mut inputs);
    games::add(&mut inputs);
    inputs
}

type Inputs = Vec<(&'static str, Vec<u8>)>;

/// A valid game, placed before and after hostile text: faults must not affect neighbouring games.
const SOUND: &str = "[Event \"Sound\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n";

/// Places the text between two valid games.
fn between(text: impl AsRef<[u8]>) -> Vec<u8> {
    [SOUND.as_bytes(), text.as_ref(), b"\n\n", SOUND.as_bytes()].concat()
}

/// Fragments of PGN, complete or broken, for building texts.
pub const PIECES: &[&str] = &[
    "[Event \"a\"]\n",
    "[Event \"b\"]\r\n",
    "[White \"w\"]\n",
    "[Result \"*\"]\n",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n",
    "[FEN \"x\"]\n",
    "[White \"open\n",
    "[",
    "]",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    " ",
    "1. e4 e5 ",
    "2. Nf3 Nc6\n",
    "1. d4\n",
    "1.",
    "12...",
    "e4 ",
    "e5",
    "Ke7 ",
    "Qh5\n",
    "hello ",
    "N ",
    "N\n",
    "{",
    "{ comment\n",
    "}",
    "} ",
    ";",
    "; rest",
    "%",
    "\n% escaped {\n",
    "(",
    "(1. d4 ",
    ")",
    ") ",
    "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))",
    "1-0",
    "1-0\n\n",
    "0-1 ",
    "1/2-1/2",
    "*",
    "*\n",
    "$1 ",
    "$",
    "!?",
    "<x>",
    // The game goes on after a comment, numbered from 1 again.
    "\n\n1. e4 e5 {so}\n\n1. Nf3 Nc6 2. Bb5 ",
    "\n\n1. Bb5 a6\n",
    "\n(FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\")\n",
    "FEN 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n",
    "[FEN\n",
    "O - O ",
    "e. p. ",
    "*1. d4 ",
    "\u{2013}:\u{2013} ",
    "5254 ",
    "0-0 ",
    "a8 = Q ",
    "[Variant \"Atomic\"]\n",
    "\u{feff}",
    "\u{fc} ",
    "\0",
    "\\",
    "\"",
    "* ",
    "FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\" ",
    "to move: 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n",
    "1K6/8/8/8/8/8/8/1k6 w - - 0 1 ",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] ",
    "so;FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"\n",
    "[Event \"g\"]\n\n1. e4 e5 *\n\n",
    "[Event \"h\"]\n\n1. e4 {\n[Event \"q\"]\n\n1. d4 *\n} e5 1-0\n\n",
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn inputs_and_names_are_unique_and_inputs_are_small() {
        let inputs = hostile();
        let names: HashSet<&str> = inputs.iter().map(|(name, _)| *name).collect();
        let texts: HashSet<&[u8]> = inputs.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        assert_eq!((names.len(), texts.len()), (inputs.len(), inputs.len()));
        assert!(inputs.len() >= 90, "{}", inputs.len());
        for (name, bytes) in &inputs {
            assert!(bytes.len() <= 1_100_000, "{name}: {}", bytes.len());
        }
    }
}
