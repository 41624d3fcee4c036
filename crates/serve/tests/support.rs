//! A server of a few games, and a client of sockets.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use book::count_file::{CountFileError, CountedPosition};
use book::{Game, GameClass, Header, Occurrence, Tally};
use pgn::Outcome;
use san::{MoveCode, Position, PositionKey, resolve};
use serde_json::Value;
use serve::{ClientLimits, Library, Positions, Server};

/// Positions of games, counted without reading games: the counts of each, and the games.
#[derive(Debug, Default)]
pub(crate) struct Counted(BTreeMap<PositionKey, (Counts, Vec<Arc<Game>>)>, Header);

type Counts = Vec<(MoveCode, Tally)>;

impl Positions for Counted {
    fn find(&self, key: PositionKey) -> Result<Option<CountedPosition>, CountFileError> {
        Ok(self.0.get(&key).map(|(counts, games)| {
            CountedPosition::of(key, [None, None], counts.clone(), games.clone().into())
        }))
    }

    fn header(&self) -> &Header {
        &self.1
    }
}

impl Counted {
    /// Counts a game: its moves, its result, the rating of both players, and its year.
    pub(crate) fn game(mut self, start: Position, moves: &str, outcome: Outcome, elo: u16) -> Self {
        let mut position = start;
        for (ply, token) in (0..).zip(moves.split(' ')) {
            let next = resolve(&position, token.as_bytes()).unwrap();
            let key = PositionKey::of(&position);
            self.1.positions += u64::from(!self.0.contains_key(&key));
            let (counts, games) = self.0.entry(key).or_default();
            let at = Occurrence { game: games.len() as u32, ply, ..Occurrence::default() };
            let [white, black] = ["W", "B"].map(Into::into);
            // A class of its own, so that it is notable.
            let class = GameClass { white: Some(at.game.to_string()), ..GameClass::default() };
            let (number, elo_sum, class) = (7, 2 * elo, Some(Box::new(class)));
            let known = Game { number, elo_sum, year: elo, outcome, class, ..Game::default() };
            games.push(Arc::new(Game { white, black, ..known }));
            let tally = Tally {
                games: 1,
                white: u64::from(outcome == Outcome::WhiteWins),
                draws: u64::from(outcome == Outcome::Draw),
                black: u64::from(outcome == Outcome::BlackWins),
                rated: 1,
                rating_sum: 2 * u64::from(elo),
                strongest: at,
                first: at,
                ..Tally::default()
            };
            counts.push((next.code(), tally));
            position.play_unchecked(next);
        }
        self
    }
}

impl Counted {
    /// Makes the sum of the ratings of one game larger.
    pub(crate) fn add_to_rating(&mut self, more: u16) {
        for (counts, games) in self.0.values_mut() {
            for (_, tally) in counts {
                tally.rating_sum += u64::from(more);
            }
            games.iter_mut().for_each(|game| Arc::make_mut(game).elo_sum += more);
        }
    }
}

/// Four games, of which two transpose.
pub(crate) fn few() -> Counted {
    let start = Position::default;
    Counted::default()
        .game(start(), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O", Outcome::WhiteWins, 2000)
        .game(start(), "Nf3 Nc6 e4 e5 Bc4", Outcome::Draw, 2400)
        .game(start(), "e4 c5", Outcome::BlackWins, 1800)
        .game(start(), "e4 c5", Outcome::Unknown, 1900)
}

/// A server that runs until the tests are over.
pub(crate) fn serve(server: Server) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || server.run(listener, 2, std::future::pending()));
    address
}

/// A server of [`few`] as `few`.
pub(crate) fn server(limits: ClientLimits) -> Server {
    Server::new(vec![Library::new("few", few()).unwrap()]).unwrap().limits(limits)
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub(crate) fn reason(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }
}

/// Sends bytes, and reads until the server closes the connection.
pub(crate) fn send(address: SocketAddr, bytes: &[u8]) -> Reply {
    let mut stream = TcpStream::connect(address).unwrap();
    // The server may refuse before it has read everything.
    let _ = stream.write_all(bytes);
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    let end =
        reply.windows(4).position(|four| four == b"\r\n\r\n").map_or(reply.len(), |at| at + 4);
    let head = String::from_utf8(reply[..end].to_vec()).unwrap().to_lowercase();
    let status = head.split(' ').nth(1).map_or(0, |status| status.parse().unwrap());
    Reply { status, head, body: reply[end..].to_vec() }
}

pub(crate) fn get(address: SocketAddr, path: &str) -> Reply {
    send(address, format!("GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n").as_bytes())
}

pub(crate) fn post(address: SocketAddr, path: &str, body: &str) -> Reply {
    let length = body.len();
    let head =
        format!("POST {path} HTTP/1.0\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n");
    send(address, (head + body).as_bytes())
}
