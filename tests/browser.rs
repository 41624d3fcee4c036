//! The HTML page in a real browser without network, if `chromium` is installed.

use std::path::Path;
use std::process::{Command, Stdio};

use testkit::program::Outcome;

use crate::support::{fixture, program};

/// The document of a page in Chromium, after its scripts have run.
#[allow(clippy::print_stderr)]
fn dump(page: &Path, target: &str) -> Option<String> {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(["--dump-dom", &format!("file://{}{target}", page.display())])
        .stderr(Stdio::null())
        .output();
    match output {
        Ok(output) if output.status.success() => Some(String::from_utf8(output.stdout).unwrap()),
        Ok(output) => panic!("chromium: {}", output.status),
        Err(error) => {
            eprintln!("the page is not opened: chromium does not run: {error}");
            None
        }
    }
}

fn page(game: &str) -> Outcome {
    let games = program().file("g.pgn", fixture("diagrams/games.pgn"));
    games.args(["show", "g.pgn", "--game", game, "-o", "game.html"]).run()
}

#[test]
fn a_browser_shows_every_position_of_a_game() {
    let outcome = page("6");
    let path = outcome.folder().join("game.html");
    // A script that inspects the page: it counts the visible elements and the loaded resources.
    let probe = "<script>addEventListener('load', function () {\
        var shown = [].filter.call(document.querySelectorAll('main svg use'), function (use) {\
            var box = use.getBoundingClientRect(); return box.width > 5 && box.height > 5; });\
        document.body.dataset.shown = shown.length;\
        document.body.dataset.loaded = performance.getEntriesByType('resource').length;\
        dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));\
        document.body.dataset.hash = location.hash; });</script></body>";
    let html = std::fs::read_to_string(&path).unwrap().replace("</body>", probe);
    std::fs::write(&path, html).unwrap();
    let Some(dom) = dump(&path, "#p2") else { return };
    // Six positions, each with a board and thirty-two pieces.
    assert!(dom.contains(&format!("data-shown=\"{}\"", 6 * (1 + 32))), "{dom}");
    assert!(dom.contains("data-loaded=\"0\""));
    assert!(dom.contains("data-hash=\"#p3\""), "the arrow key goes on");
    assert_eq!(dom.matches("<figure id=").count(), 6);
    assert!(dom.contains("<b>3. Bb5</b>"));
    assert!(dom.contains("<p>\"Spanish\" &amp; &lt;well known&gt;</p>"));
    assert!(dom.contains("<h1>Arrows - Squares</h1>"));
}

#[test]
fn the_page_refers_to_no_other_resource() {
    let outcome = page("6");
    let html = outcome.string("game.html");
    let elsewhere: Vec<&str> =
        html.split("href=\"").skip(1).filter(|rest| !rest.starts_with('#')).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
    for word in ["src=", "@import", "http:", "https:", "url(/", "fetch("] {
        assert!(!html.contains(word), "{word}");
    }
}
