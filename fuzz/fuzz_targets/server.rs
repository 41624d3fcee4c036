//! Whatever a client sends, the server answers or refuses it with a reason, and never says that it
//! failed. Parameters mean the same in the query of an address and in a list of positions.
#![no_main]

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use pgn2epd::book::{BookOptions, Counting, count_file_in_memory};
use pgn2epd::serve::{ClientLimits, Library, Server};
use serde_json::{Map, Value};

#[derive(Arbitrary, Debug)]
enum Request<'a> {
    /// Names, some of which are known, and values.
    Parameters(Vec<(u8, &'a str)>),
    /// A path, as it is.
    Path(&'a str),
    Body(&'a [u8]),
    /// All of the request.
    Bytes(&'a [u8]),
}

const NAMES: [&str; 16] = [
    "fen", "play", "moves", "topGames", "recentGames", "variant", "since", "until", "ratings",
    "speeds", "player", "color", "undecided", "modes", "history", "x",
];

const GAMES: &str = "[White \"A\"]\n[WhiteElo \"2000\"]\n[BlackElo \"1999\"]\n[Date \"2020.05.01\"]\n[TimeControl \"60\"]\n\n\
    1. e4 e5 2. Nf3 1-0\n\n[Black \"A\"]\n\n1. e4 c5 *\n\n[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/1R2K3 w B - 0 1\"]\n\n1. O-O-O 1/2-1/2\n";

/// A server with classes of games and one without, until the end of the process.
fn address() -> SocketAddr {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    *ADDRESS.get_or_init(|| {
        let library = |name: &str, by: &str| {
            let by = Some(by).filter(|by| !by.is_empty()).map(|by| ("group-by", by));
            let options = BookOptions::from_names(by).expect("they are options");
            let mut counting = Counting::new(&options, ["a.pgn"]);
            counting.input("a.pgn", GAMES.as_bytes(), &mut ()).expect("memory can be read");
            let file = count_file_in_memory(counting.finish(), &options).expect("memory suffices");
            Library::new(name, file).expect("it is a name")
        };
        let libraries =
            vec![library("plain", ""), library("classes", "rating:1800,speed,month,player")];
        let limits = ClientLimits { patience: Duration::from_secs(2), ..ClientLimits::default() };
        let server = Server::new(libraries).expect("names differ").limits(limits);
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it has one");
        thread::spawn(move || server.run(listener, 1, std::future::pending()));
        address
    })
}

/// Sends a request, and that no other follows; returns the status and the body.
fn ask(request: &[u8]) -> (u16, Vec<u8>) {
    let mut stream = TcpStream::connect(address()).expect("the server listens");
    // It may refuse before it has read everything.
    let _ = stream.write_all(request).and_then(|()| stream.shutdown(Shutdown::Write));
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    let status = reply.get(9..12).and_then(|digits| str::from_utf8(digits).ok()?.parse().ok());
    let end =
        reply.windows(4).position(|four| four == b"\r\n\r\n").map_or(reply.len(), |at| at + 4);
    (status.unwrap_or(0), reply.split_off(end))
}

fn get(path: &str) -> (u16, Vec<u8>) {
    ask(format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes())
}

fn post(name: &str, body: &[u8]) -> (u16, Vec<u8>) {
    let head = format!("POST /{name} HTTP/1.0\r\nContent-Length: {}\r\n\r\n", body.len());
    ask(&[head.as_bytes(), body].concat())
}

/// A refusal has its reason, and an answer is not one.
fn check((status, body): &(u16, Vec<u8>)) {
    assert!(![0, 500].contains(status), "{}", String::from_utf8_lossy(body));
    if let Ok(value) = serde_json::from_slice::<Value>(body) {
        assert_eq!(value["error"].is_string(), *status != 200, "{status} {value}");
    }
}

fuzz_target!(|request: Request<'_>| {
    match request {
        Request::Parameters(given) => {
            let mut members = Map::new();
            for (name, value) in given.iter().take(20) {
                let name = NAMES[usize::from(*name) % NAMES.len()];
                members.insert(name.to_owned(), (*value).into());
            }
            let encoded =
                |text: &str| text.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
            let query: Vec<String> = members
                .iter()
                .map(|(name, value)| {
                    format!("{name}={}", encoded(value.as_str().unwrap_or_default()))
                })
                .collect();
            if query.concat().len() > 10_000 {
                return;
            }
            for name in ["plain", "classes"] {
                let answer = get(&format!("/{name}?{}", query.join("&")));
                check(&answer);
                let list = Value::from(vec![Value::from(members.clone())]);
                let (status, body) = post(name, list.to_string().as_bytes());
                assert_eq!(status, 200);
                let other: Value = serde_json::from_slice(&body).expect("it is JSON");
                let one: Value = serde_json::from_slice(&answer.1).expect("it is JSON");
                assert_eq!(other[0], one);
            }
        }
        Request::Path(path) => check(&get(&format!("/{}", path.replace(['\r', '\n', ' '], "")))),
        Request::Body(body) => check(&post("classes", body)),
        Request::Bytes(bytes) => {
            ask(bytes);
            assert_eq!(get("/plain").0, 200);
        }
    }
});
