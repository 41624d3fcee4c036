//! Options for joining and comparing two sources.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use dataset::Preference;
use epd::{RegisterStyle, Rules};
use stream::ordered::Threads;
use stream::spill::Sorter;

use crate::options::option_set::OptionSet;
use crate::options::option_spec::options;
use crate::options::{OnDamage, Options};

options! {
    /// Options for joining and comparing two sources.
    ///
    /// ```
    /// use pgn2epd::join::JoinOptions;
    ///
    /// let options = JoinOptions::from_names([("only-matched", "true")])?;
    /// assert!(options.only_matched);
    /// # Ok::<_, pgn2epd::OptionError>(())
    /// ```
    #[derive(Clone, Debug)]
    #[non_exhaustive]
    pub struct JoinOptions {
        "Records": {
            /// Only records whose position is in the other files.
            only_matched: bool = false, not_with(&["only-unmatched"]);

            /// Only records whose position is not in the other files.
            only_unmatched: bool = false;

            /// How to write the registers c0-c9, v0-v9, eco and nic.
            registers: RegisterStyle = RegisterStyle::Delta, value("HOW");
        }
        "Reading": {
            /// As in [`Options`](crate::Options).
            rules: Rules = Rules::Detected, name("variant"), shared();

            /// Report every departure from the standard as an error; the records are still read.
            strict: bool = false;
        }
        "Running": {
            /// As in [`Options`](crate::Options).
            jobs: Option<NonZeroUsize> = None, shared();

            /// Maximum memory for records; others are in --temp-dir
            memory: usize = 1 << 30, value("SIZE");

            /// As in [`Options`](crate::Options).
            temp_dir: Option<PathBuf> = None, shared();

            /// As in [`Options`](crate::Options).
            on_damage: OnDamage = OnDamage::Stop, shared();

            /// As in [`Options`](crate::Options).
            chunk_bytes: usize = 256 << 10, shared();
        }
    }
}

impl OptionSet for JoinOptions {}

impl JoinOptions {
    /// As for `unique`, so that workers note positions and depths; each record has all registers.
    pub(super) fn reading(&self) -> Options {
        let registers = match self.registers {
            RegisterStyle::Off => RegisterStyle::Off,
            _ => RegisterStyle::Full,
        };
        Options {
            unique: Some(Preference::Deepest),
            registers: Some(registers),
            rules: self.rules,
            strict: self.strict,
            jobs: self.jobs,
            chunk_bytes: self.chunk_bytes,
            temp_dir: self.temp_dir.clone(),
            ..Options::default()
        }
    }

    /// A quarter of the memory: two may exist at once, and buffers grow to twice their size.
    pub(super) fn sorter(&self, threads: &Threads) -> Sorter {
        let folder = self.reading().temporary_folder();
        Sorter::new(self.memory / 4, &folder).with_threads(threads.clone())
    }
}
