//! Arguments of the command that answers for positions over HTTP.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::ValueHint;

const EXAMPLES: &str = "\
Examples:
  pgn2epd book serve games.pgn
  pgn2epd book serve masters.explorer mine=my-games.pgn --listen 0.0.0.0:9002 --cors '*'";

/// Answer for positions over HTTP in the form of Lichess' opening explorer, with a page that shows
/// them
///
/// Nothing is written, and no other file is read than those that are named here. SIGINT and SIGTERM
/// end the server when it has answered what was asked.
#[derive(Debug, clap::Args)]
#[command(before_help = EXAMPLES)]
#[cfg_attr(not(feature = "serve"), allow(dead_code))]
pub(crate) struct Serve {
    /// Explorer files, or partial results and files of games, which are counted in memory; their
    /// names, up to the first dot, are the paths of requests
    ///
    /// /masters and /lichess mean the first file, unless another has the name.
    #[arg(value_name = "[NAME=]FILE", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,

    /// Answer at this address
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:9002")]
    pub(crate) listen: SocketAddr,

    /// Let pages of this origin, such as https://lichess.org, ask; * means all, and requests by any
    /// name of this machine
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) cors: Option<String>,

    /// A file of the games that an explorer file was made of, in PGN and not compressed, so that a
    /// game can be asked for
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) games: Vec<PathBuf>,

    /// The maximum number of connections; others wait
    #[arg(long, value_name = "N", default_value = "500")]
    pub(crate) max_connections: NonZeroU32,
}
