//! Cases of `tests/cases/*.toml`: commands, inputs and what is expected of them.

use std::path::Path;

use testkit::cases::{Runner, assert_complete};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn run(name: &str) {
    let runner = Runner {
        program: Path::new(env!("CARGO_BIN_EXE_pgn2epd")),
        fixtures: &Path::new(ROOT).join("fixtures"),
        present: &[
            ("arrow", cfg!(feature = "arrow")),
            ("compression", cfg!(feature = "compression")),
            ("linux", cfg!(target_os = "linux")),
            ("png", cfg!(feature = "png")),
            ("serve", cfg!(feature = "serve")),
            ("unix", cfg!(unix)),
        ],
    };
    runner.run(&Path::new(ROOT).join("tests/cases").join(name).with_extension("toml"));
}

macro_rules! files {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            run(stringify!($name));
        })*

        #[test]
        fn every_file_is_run() {
            assert_complete(&Path::new(ROOT).join("tests/cases"), &[$(stringify!($name)),*]);
        }
    };
}

files! { arguments book check engines games inputs join labels messages openings operations output problems reading records selection show sources tables templates training variants }
