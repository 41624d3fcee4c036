//! End-to-end tests of opening books.

#[cfg(feature = "arrow")]
mod columns;
mod counts;
#[cfg(feature = "zstd")]
mod explorer;
mod faults;
mod forms;
mod laws;
mod naive;
mod polyglot;
mod python;
mod records;
mod repertoires;
#[cfg(target_os = "linux")]
mod room;

/// Four games: a transposition, a repetition, results and ratings.
const GAMES: &str = r#"[Event "A"]
[White "Anna"]
[Black "Ben"]
[WhiteElo "2500"]
[BlackElo "2400"]
[Date "2001.05.??"]
[Result "1-0"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0

[Event "B"]
[White "Cleo"]
[Black "Dan"]
[WhiteElo "2700"]
[BlackElo "2600"]
[Date "1999.01.01"]
[Result "1/2-1/2"]

1. Nf3 Nc6 2. e4 e5 3. Bc4 1/2-1/2

[Event "C"]
[White "Eve"]
[Black "?"]
[Date "????.??.??"]
[Result "0-1"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 0-1

[Event "D"]

1. e4 c5 *
"#;
