//! The commands, one per file.

mod analyse;
mod book;
mod check;
mod convert;
mod join;
mod manifest;
mod manual;
mod show;
mod solve;
mod splits;
mod tables;

use std::ffi::OsString;

use super::args::{Args, Command};
use crate::exit::Outcome;

pub(super) fn run(args: &Args, given: &[OsString]) -> anyhow::Result<Outcome> {
    match &args.command {
        None => convert::convert(&args.convert),
        Some(Command::Analyse(args)) => analyse::analyse(args),
        Some(Command::Check(args)) => check::check(args),
        Some(Command::Book(args)) => book::book(args, given),
        Some(Command::Completions { shell }) => manual::completions(*shell),
        Some(Command::Diff(args)) => join::diff(args),
        Some(Command::Join(args)) => join::join(args),
        Some(Command::Man) => manual::page(),
        Some(Command::Show(show)) => show::show(show),
        Some(Command::Solve(args)) => solve::solve(args),
        Some(Command::Splits(args)) => splits::splits(args),
    }
}
