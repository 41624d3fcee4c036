//! Why a conversion wrote no records.

use pgn2epd::game::Unstorable;
use pgn2epd::options::{Format, Keyword, LabelForm, Omission};
use pgn2epd::{Options, Summary};

use super::report::{self, count};

/// Prints in one line why the output is empty, unless errors in games were the reason: those have
/// been printed.
pub(super) fn explain(done: &Summary, options: &Options) {
    let nothing_is_wanted = options.limit == Some(0) || options.sample == Some(0);
    if done.positions > 0 || nothing_is_wanted {
        return;
    }
    let games = count(done.games, if done.records > 0 { "record" } else { "game" });
    if done.games == 0 && done.bad_games > 0 {
        return;
    }
    let reason = if done.games == 0 {
        "the input has no games and no positions".to_owned()
    } else if done.left_out == done.games {
        format!("--where excludes all of {games}")
    } else if done.unlabelled > 0 {
        let Unstorable { castling, clocks } = done.unstorable;
        let (format, needs) = (options.format.word(), needs(options.format));
        let positions = |number| count(number, "position");
        let lacking = done.unlabelled - castling - clocks;
        let parts = [
            (
                castling,
                format!("has no castling rights of Chess960, as {} have", positions(castling)),
            ),
            (clocks, format!("has no room for the clocks of {}", positions(clocks))),
            (lacking, format!("needs {needs}, which {} of {games} lack", positions(lacking))),
        ];
        let parts = parts.into_iter().filter(|(number, _)| *number > 0).map(|(_, text)| text);
        format!("--format {format} {}", parts.collect::<Vec<_>>().join("; it "))
    } else if done.bad_games == done.games {
        return;
    } else if options.only_final && done.omitted.count(Omission::Ply) > 0 {
        format!("no game of {games} ends within the plies, and --last omits all other positions")
    } else {
        format!("the options select no position of {games}")
    };
    report::note(&format!("no records: {reason}"));
}

/// Returns what a label is made from.
fn needs(format: Format) -> &'static str {
    match format {
        Format::Label(LabelForm::Plain) | Format::Training(_) => {
            "a result, an evaluation and a move"
        }
        Format::Label(form) if form.needs_evaluation() => "a result and an evaluation",
        _ => "a result",
    }
}
