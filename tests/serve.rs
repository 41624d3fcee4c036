//! The opening explorer over HTTP, as the program serves it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use testkit::generate::{Generator, Style};

#[cfg(target_os = "linux")]
use crate::support::peak;
#[cfg(unix)]
use crate::support::send;
use crate::support::{PROGRAM, fixture, program, run_in};

/// A server that is ended with the test.
struct Serving {
    process: Child,
    address: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Serving {
    fn new(folder: &Path, args: &[&str]) -> Self {
        let mut process = Command::new(PROGRAM)
            .args(["book", "serve", "--listen", "127.0.0.1:0"])
            .args(args)
            .current_dir(folder)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(process.stderr.take().unwrap()).lines();
        let address = said.find_map(|line| {
            let line = line.unwrap();
            line.strip_prefix("pgn2epd: http://").map(|rest| rest.trim_end_matches('/').to_owned())
        });
        Serving { process, address: address.expect("it says where it listens") }
    }

    fn send(&self, head: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let length = body.len();
        write!(stream, "{head} HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        stream
    }

    fn ask(&self, head: &str, body: &str) -> Vec<u8> {
        let mut stream = self.send(head, body);
        let mut reply = Vec::new();
        stream.read_to_end(&mut reply).unwrap();
        let end = reply.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        reply.split_off(end + 4)
    }

    fn get(&self, path: &str) -> Value {
        serde_json::from_slice(&self.ask(&format!("GET {path}"), "")).unwrap()
    }
}

/// The counts of each move of each position: games, won, drawn and lost by White.
type Counts = BTreeMap<String, BTreeMap<String, [u64; 4]>>;

/// The counts of `book --format csv`.
fn counted(folder: &Path, games: &str) -> Counts {
    let output = run_in(folder, &["book", "--format", "csv", games]);
    let mut counts = Counts::new();
    for row in csv::Reader::from_reader(&*output).deserialize() {
        let row: BTreeMap<String, String> = row.unwrap();
        let number = |name: &str| row[name].parse().unwrap();
        let results = ["games", "white", "draws", "black"].map(number);
        counts.entry(row["epd"].clone()).or_default().insert(row["move"].clone(), results);
    }
    counts
}

/// Games that reach many positions, some several times.
fn generated() -> String {
    let mut games = Vec::new();
    for style in [Style::Lichess, Style::Chess960] {
        let mut generator = Generator::new(style, 7);
        (0..40).for_each(|_| generator.append_game(&mut games));
    }
    String::from_utf8(games).unwrap()
}

#[test]
fn every_position_of_a_book_has_its_counts() {
    for games in [generated(), String::from_utf8(fixture("classics.pgn")).unwrap()] {
        let folder = program().file("games.pgn", games);
        let expected = counted(folder.folder(), "games.pgn");
        assert!(expected.len() > 100);
        run_in(folder.folder(), &["book", "games.pgn", "-o", "file.explorer"]);
        let server = Serving::new(folder.folder(), &["games.pgn", "file.explorer"]);
        let positions: Vec<&String> = expected.keys().collect();
        for library in ["games", "file"] {
            for positions in positions.chunks(1_000) {
                let list = positions
                    .iter()
                    .map(|fen| serde_json::json!({"fen": format!("{fen} 0 1"), "undecided": true}));
                let body = Value::from_iter(list).to_string();
                let answers = server.ask(&format!("POST /{library}"), &body);
                let answers: Vec<Value> = serde_json::from_slice(&answers).unwrap();
                assert_eq!(answers.len(), positions.len());
                for (fen, answer) in positions.iter().zip(&answers) {
                    assert_answer(fen, answer, &expected[*fen]);
                }
            }
            let fen = positions[0].replace(' ', "%20");
            assert_answer(
                positions[0],
                &server.get(&format!("/{library}?undecided=yes&fen={fen}%200%201")),
                &expected[positions[0]],
            );
        }
    }
}

#[track_caller]
fn assert_answer(fen: &str, answer: &Value, expected: &BTreeMap<String, [u64; 4]>) {
    let counts = |value: &Value| {
        ["games", "white", "draws", "black"].map(|name| value[name].as_u64().unwrap_or(u64::MAX))
    };
    let moves = answer["moves"].as_array().unwrap_or_else(|| panic!("{fen}: {answer}"));
    let found: BTreeMap<String, [u64; 4]> =
        moves.iter().map(|one| (one["san"].as_str().unwrap().to_owned(), counts(one))).collect();
    // Games that end in a position have no move.
    let mut played = expected.clone();
    played.remove("");
    assert_eq!(found, played, "{fen}");
    let all = |i: usize| expected.values().map(|results| results[i]).sum::<u64>();
    assert_eq!(counts(answer), [all(0), all(1), all(2), all(3)], "{fen}");
}

#[test]
fn a_game_is_that_of_the_players() {
    let folder = program().file("there/classics.pgn", fixture("classics.pgn"));
    run_in(folder.folder(), &["book", "there/classics.pgn", "-o", "masters.explorer"]);
    let args = ["masters.explorer", "--games", "there/classics.pgn"];
    let server = Serving::new(folder.folder(), &args);
    let game = &server.get("/masters?play=e4,e5,Nf3,Nc6,Bc4,Bc5,b4")["topGames"][0];
    assert_eq!(game["white"]["name"], "Anderssen, Adolf");
    let id = game["id"].as_str().unwrap();
    let text = String::from_utf8(server.ask(&format!("GET /masters/pgn/{id}"), "")).unwrap();
    assert!(text.starts_with("[Event \"Berlin\"]") && text.ends_with("Bxe7# 1-0"), "{text}");
    let alone = Serving::new(folder.folder(), &["masters.explorer"]);
    let reason = alone.get(&format!("/masters/pgn/{id}"));
    assert_eq!(reason["error"], "the games of masters were not given to the server");
}

/// A game of which a server counts the classes.
struct Tagged {
    players: [&'static str; 2],
    ratings: [u32; 2],
    time: &'static str,
    speed: &'static str,
    date: (u32, u32),
    result: &'static str,
    moves: &'static str,
}

fn tagged(i: usize) -> Tagged {
    let pick = |step: usize, count: usize| (i / step + i * 7 / 3) % count;
    let names = ["Ann", "Bob, Jr.", "Eve"];
    let (time, speed) =
        [("60+0", "bullet"), ("180+2", "blitz"), ("?", ""), ("1/86400", "correspondence")]
            [pick(3, 4)];
    Tagged {
        players: [names[pick(1, 3)], names[pick(2, 3)]],
        ratings: [1500 + 100 * pick(5, 9) as u32, 1450 + 120 * pick(7, 8) as u32],
        time,
        speed,
        date: (2018 + pick(11, 4) as u32, 1 + pick(4, 12) as u32),
        result: ["1-0", "0-1", "1/2-1/2", "*"][pick(2, 4)],
        moves: ["e4 e5 Nf3", "e4 c5 Nf3", "Nf3 e5 e4", "d4 d5"][pick(1, 4)],
    }
}

#[test]
fn counts_of_classes_are_those_of_their_games() {
    let games: Vec<Tagged> = (0..200).map(tagged).collect();
    let text = |game: &Tagged| {
        let Tagged {
            players: [white, black],
            ratings: [elo, other],
            time,
            date: (year, month),
            result,
            moves,
            ..
        } = game;
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"{other}\"]\n\
             [TimeControl \"{time}\"]\n[Date \"{year}.{month:02}.??\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    };
    let folder = program().file("all.pgn", games.iter().map(text).collect::<String>());
    let by = "rating:1600,2000,speed,month,player";
    run_in(folder.folder(), &["book", "-q", "all.pgn", "-o", "all.explorer", "--group-by", by]);
    let server = Serving::new(folder.folder(), &["all.explorer"]);
    assert_eq!(server.get("/index.json")[0]["groupedBy"], by);
    let band = |game: &Tagged| match game.ratings[0] + game.ratings[1] {
        0..3200 => 0,
        3200..4000 => 1600,
        _ => 2000,
    };
    type IsWanted = Box<dyn Fn(&Tagged) -> bool>;
    let cases: [(&str, IsWanted); 12] = [
        ("/all?", Box::new(|_| true)),
        ("/all?speeds=blitz", Box::new(|game| game.speed == "blitz")),
        (
            "/all?speeds=bullet,correspondence",
            Box::new(|game| ["bullet", "correspondence"].contains(&game.speed)),
        ),
        ("/all?ratings=0,2000", Box::new(move |game| band(game) != 1600)),
        ("/all?since=2019-05", Box::new(|game| game.date >= (2019, 5))),
        ("/all?until=2019", Box::new(|game| game.date.0 <= 2019)),
        (
            "/all?since=2019&until=2020-03&ratings=1600&speeds=bullet,blitz",
            Box::new(move |game| {
                let is_wanted = ["bullet", "blitz"].contains(&game.speed) && band(game) == 1600;
                game.date.0 >= 2019 && game.date <= (2020, 3) && is_wanted
            }),
        ),
        ("/all?player=ann&color=white", Box::new(|game| game.players[0] == "Ann")),
        ("/all?player=Eve", Box::new(|game| game.players.contains(&"Eve"))),
        (
            "/all?player=Bob,+Jr.&color=black&speeds=blitz",
            Box::new(|game| game.players[1] == "Bob, Jr." && game.speed == "blitz"),
        ),
        // Few games, so that moves have a single one.
        ("/all?since=2021-01&until=2021-01", Box::new(|game| game.date == (2021, 1))),
        ("/all?since=2100", Box::new(|_| false)),
    ];
    let mut singles = 0;
    for (path, is_wanted) in &cases {
        let answer = server.get(&format!("{path}&play=e4&undecided=true"));
        let wanted: Vec<&Tagged> =
            games.iter().filter(|game| game.moves.starts_with("e4") && is_wanted(game)).collect();
        let of = |result: &str| wanted.iter().filter(|game| game.result == result).count();
        let counts = ["games", "white", "draws", "black"]
            .map(|name| answer[name].as_u64().unwrap() as usize);
        assert_eq!(counts, [wanted.len(), of("1-0"), of("1/2-1/2"), of("0-1")], "{path}");
        for (uci, second) in [("e7e5", "e4 e5 Nf3"), ("c7c5", "e4 c5 Nf3")] {
            let played: Vec<_> = wanted.iter().filter(|game| game.moves == second).collect();
            let moves = answer["moves"].as_array().unwrap();
            let found = moves.iter().find(|found| found["uci"] == uci);
            assert_eq!(
                found.map_or(0, |found| found["games"].as_u64().unwrap() as usize),
                played.len()
            );
            // Without a result in any game, a move is listed only if it is asked for.
            let listed = server.get(&format!("{path}&play=e4"));
            let is_listed =
                listed["moves"].as_array().unwrap().iter().any(|found| found["uci"] == uci);
            assert_eq!(is_listed, played.iter().any(|game| game.result != "*"), "{path}");
            if let (Some(found), [game]) = (found, &played[..]) {
                let (year, month) = game.date;
                assert_eq!(found["game"]["month"], format!("{year}-{month:02}"));
                assert_eq!(found["game"]["speed"].as_str().unwrap_or_default(), game.speed);
                singles += 1;
            }
            let sum: u32 = played.iter().map(|game| game.ratings[0] + game.ratings[1]).sum();
            let mean = found.map(|found| found["averageRating"].as_f64().unwrap());
            let expected = mean.map(|_| (f64::from(sum) / 2.0 / played.len() as f64).round());
            assert_eq!(mean, expected, "{path} {uci}");
        }
        let month = |game: &Value| game["month"].as_str().unwrap().to_owned();
        let recent: Vec<String> =
            answer["recentGames"].as_array().unwrap().iter().map(month).collect();
        assert!(recent.is_sorted_by(|a, b| a >= b), "{recent:?}");
        let last = wanted.iter().map(|game| game.date).max();
        assert_eq!(
            recent.first().cloned(),
            last.map(|(year, month)| format!("{year}-{month:02}")),
            "{path}"
        );
        let strongest = wanted.iter().map(|game| game.ratings[0] + game.ratings[1]).max();
        let top = &answer["topGames"][0]["white"]["rating"];
        assert_eq!(top.as_u64(), strongest.map(|sum| u64::from(sum.div_ceil(2))), "{path}");
    }
    assert!(singles > 0);
    for (path, reason) in [
        ("/all?ratings=1400", "ratings: 1400 begins no band; these begin at 0, 1600, 2000"),
        ("/all?modes=rated", "modes: the games were not counted in such classes"),
        ("/all?player=Ann&color=green", "color: \"green\" is not white or black"),
    ] {
        assert_eq!(server.get(path)["error"], reason);
    }
}

#[cfg(unix)]
#[test]
fn signals_end_the_server_well() {
    for signal in ["INT", "TERM"] {
        let folder = program().file("games.pgn", "1. e4 *");
        let mut server = Serving::new(folder.folder(), &["games.pgn"]);
        assert_eq!(server.get("/games")["games"], 1);
        assert!(send(signal, &server.process));
        assert_eq!(server.process.wait().unwrap().code(), Some(0), "{signal}");
    }
}

/// The answers to a list are made while they are read: all of these would be 300 MB.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "slow: CI_FULL=1 runs it"]
fn clients_that_do_not_read_cost_no_memory() {
    let folder = program().file("games.pgn", generated());
    let server = Serving::new(folder.folder(), &["games.pgn"]);
    let (clients, positions) = (60, 1_000);
    let len = server.ask("GET /games", "").len();
    assert!(len * positions * clients > 200 << 20, "{len}");
    let body = format!("[{}]", vec!["{}"; positions].join(","));
    let waiting: Vec<TcpStream> = (0..clients)
        .map(|_| {
            let stream = server.send("POST /games", &body);
            // The answer has begun.
            stream.peek(&mut [0]).unwrap();
            stream
        })
        .collect();
    assert_eq!(server.get("/games")["games"], 40);
    let kilobytes = peak(&server.process);
    assert!(kilobytes < 100 << 10, "{kilobytes} kB");
    drop(waiting);
}

#[test]
fn an_address_that_is_taken_is_an_error() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let taken = taken.local_addr().unwrap().to_string();
    let folder = program().file("a.pgn", "1. e4 *");
    let outcome = folder.args(["book", "serve", "a.pgn", "--listen", &taken]).run();
    assert_eq!(outcome.status, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("cannot listen at"), "{}", outcome.stderr);
}

/// The page has the pieces of diagrams, and refers to nothing elsewhere.
#[test]
fn the_page_is_built_from_what_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let read = |name: &str| fs::read_to_string(root.join(name)).unwrap();
    let page = read("serve/page/built/index.html");
    let pieces = read("diagram/src/pieces.svg");
    let pieces: Vec<&str> = pieces.lines().filter(|line| line.starts_with("<g id=")).collect();
    assert_eq!(pieces.len(), 6);
    for piece in pieces {
        assert!(page.contains(piece), "npm run build");
    }
    let style = read("serve/page/built/page.css");
    assert_eq!(style, read("serve/page/src/page.css"), "npm run build");
    for text in [page, style, read("serve/page/built/page.js")] {
        let text = text.replace("http://www.w3.org/2000/svg", "");
        for elsewhere in ["http:", "https:", "@import", "url(", "eval(", "style=\""] {
            assert!(!text.contains(elsewhere), "{elsewhere}");
        }
    }
}
