//! The opening explorer over HTTP.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pgn2epd::book::BookOptions;
use pgn2epd::serve::{ClientLimits, Library, NumberedGames, Server, signalled};

use super::show;
use crate::args::Serve;
use crate::report;

pub(super) fn serve(args: &Serve) -> anyhow::Result<u64> {
    let cannot_listen = || format!("cannot listen at {}", args.listen);
    // Before hours of counting.
    let listener = TcpListener::bind(args.listen).with_context(cannot_listen)?;
    let options = BookOptions::default();
    let libraries = args.files.iter().map(|file| library(file, &args.games, &options));
    let limits = ClientLimits {
        connections: args.max_connections.get() as usize,
        ..ClientLimits::default()
    };
    let mut server = Server::new(libraries.collect::<anyhow::Result<_>>()?)?.limits(limits);
    if let Some(origin) = &args.cors {
        server = server.cors(origin).with_context(|| format!("--cors {origin:?}"))?;
    }
    report::note(&format!("http://{}/", listener.local_addr().with_context(cannot_listen)?));
    server.run(listener, options.threads().count(), signalled())?;
    Ok(0)
}

fn library(argument: &Path, games: &[PathBuf], options: &BookOptions) -> anyhow::Result<Library> {
    let (name, path) = named(argument);
    if show::is_polyglot_book(&path) {
        bail!("{} is a Polyglot book, which has no counts of games", path.display());
    }
    let (file, is_count_file) = show::opened(&path, options)?;
    let counted = if is_count_file { None } else { Some(path) };
    let games = [games, counted.as_slice()].concat();
    let games = NumberedGames::new(&file.header().files, &games);
    let library = Library::new(name, file)?;
    Ok(if games.is_empty() { library } else { library.games(games) })
}

/// Divides NAME=FILE. The name of a file alone is that up to the first dot.
fn named(argument: &Path) -> (String, PathBuf) {
    let given = argument.to_str().and_then(|text| text.split_once('='));
    if let Some((name, path)) = given.filter(|_| !argument.exists()) {
        return (name.to_owned(), path.into());
    }
    let name = argument.file_name().unwrap_or_default().to_string_lossy();
    (name.split('.').next().unwrap_or_default().to_owned(), argument.to_owned())
}
