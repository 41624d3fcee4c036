//! What is answered.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use pgn::Outcome;
use san::Position;
use serde_json::{Value, json};
use serve::{ClientLimits, FileNameError, Games, Library, Server};

use crate::support::{Counted, few, get, post, send, serve, server};

fn counts(value: &Value) -> [u64; 4] {
    ["games", "white", "draws", "black"].map(|name| value[name].as_u64().unwrap())
}

#[test]
fn counts_moves_games_and_names_are_in_the_form_of_lichess() {
    let reply = get(serve(server(ClientLimits::default())), "/masters?play=e2e4");
    assert_eq!(reply.status, 200);
    assert!(reply.head.contains("content-type: application/json\r\n"));
    let game = |elo: u16, winner: Value, result: &str| {
        json!({"id": "0-7", "winner": winner, "result": result, "white": {"name": "W", "rating": elo},
            "black": {"name": "B", "rating": elo}, "year": elo})
    };
    let with_move = |uci: &str, mut game: Value| {
        game["uci"] = uci.into();
        game
    };
    let other = game(1800, "black".into(), "0-1");
    let (e5, c5) = (game(2000, "white".into(), "1-0"), game(1900, Value::Null, "*"));
    let games = [("e7e5", e5.clone()), ("c7c5", c5), ("c7c5", other)];
    let games = games.map(|(uci, game)| with_move(uci, game));
    assert_eq!(
        reply.json(),
        json!({
            "white": 1, "draws": 0, "black": 1, "games": 3,
            "moves": [
                {"uci": "c7c5", "san": "c5", "averageRating": 1850, "white": 0, "draws": 0,
                 "black": 1, "games": 2, "game": null,
                 "opening": {"eco": "B20", "name": "Sicilian Defense"}},
                {"uci": "e7e5", "san": "e5", "averageRating": 2000, "white": 1, "draws": 0,
                 "black": 0, "games": 1, "game": e5,
                 "opening": {"eco": "C20", "name": "King's Pawn Game"}}
            ],
            "topGames": games,
            "recentGames": games,
            "opening": {"eco": "B00", "name": "King's Pawn Game"}
        })
    );
}

#[test]
fn transpositions_are_one_position() {
    let address = serve(server(ClientLimits::default()));
    for play in ["e2e4,e7e5,g1f3,b8c6", "g1f3,b8c6,e2e4,e7e5", "Nf3,Nc6,e4,e5"] {
        let answer = get(address, &format!("/few?play={play}")).json();
        assert_eq!(counts(&answer), [2, 1, 1, 0], "{play}");
        assert_eq!(answer["moves"][0]["averageRating"], 2200);
    }
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 9 9";
    for space in ["%20", "+", "_"] {
        let answer = get(address, &format!("/few?fen={}", fen.replace(' ', space))).json();
        assert_eq!(counts(&answer), [2, 1, 1, 0], "{space}");
    }
}

#[test]
fn castling_is_the_king_taking_its_rook() {
    let address = serve(server(ClientLimits::default()));
    let path = "/lichess?play=e2e4,e7e5,g1f3,b8c6,f1c4,f8c5";
    let answer = get(address, path).json();
    let first = &answer["moves"][0];
    assert_eq!((&first["uci"], &first["san"]), (&json!("e1h1"), &json!("O-O")));
    for castling in ["e1h1", "e1g1", "O-O"] {
        assert_eq!(get(address, &format!("{path},{castling}")).status, 200, "{castling}");
    }
}

#[test]
fn castling_in_chess960() {
    let start = Position::from_fen("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1").unwrap();
    let games = Counted::default().game(start, "O-O-O Ke7", Outcome::Draw, 1000);
    let address = serve(Server::new(vec![Library::new("a", games).unwrap()]).unwrap());
    let path = "/a?variant=chess960&fen=4k3/8/8/8/8/8/8/1R2K3+w+B+-+0+1";
    let first = &get(address, path).json()["moves"][0];
    assert_eq!((&first["uci"], &first["san"]), (&json!("e1b1"), &json!("O-O-O")));
    for castling in ["e1b1", "O-O-O"] {
        assert_eq!(counts(&get(address, &format!("{path}&play={castling}")).json())[0], 1);
    }
}

#[test]
fn a_position_that_no_game_reached_has_zeros_and_a_name() {
    let answer = get(serve(server(ClientLimits::default())), "/few?play=d2d4").json();
    assert_eq!(counts(&answer), [0; 4]);
    assert_eq!((&answer["moves"], &answer["topGames"]), (&json!([]), &json!([])));
    assert_eq!(answer["opening"]["name"], "Queen's Pawn Game");
}

#[test]
fn limits_are_as_asked() {
    let address = serve(server(ClientLimits::default()));
    let answer = get(address, "/few?moves=1&topGames=0&recentGames=1&source=analysis").json();
    let lens =
        ["moves", "topGames", "recentGames"].map(|name| answer[name].as_array().unwrap().len());
    assert_eq!(lens, [1, 0, 1]);
    assert_eq!(counts(&answer), [4, 1, 1, 1]);
}

#[test]
fn errors_have_a_reason() {
    let address = serve(server(ClientLimits::default()));
    for (path, status, reason) in [
        ("/few?fen=x", 400, "fen: "),
        ("/few?fen=%ff%fe", 400, "fen: "),
        ("/few?play=e2e4,e7e6,e4e6", 400, "play: move 3, \"e4e6\": "),
        ("/few?play=e2e4;e7e6", 400, "play: move 1, "),
        ("/few?moves=many", 400, "moves: \"many\" is not a number"),
        ("/few?moves=-1", 400, "moves: "),
        ("/few?variant=atomic", 400, "variant: \"atomic\" is not counted"),
        ("/few?since=1990", 400, "since: the games were not counted in such classes"),
        ("/few?ratings=2000", 400, "ratings: the games were not counted in such classes"),
        ("/few?speeds=blitz", 400, "speeds: the games were not counted in such classes"),
        ("/few?speeds=fast", 400, "speeds: \"fast\" is not a speed"),
        ("/few?modes=rated", 400, "modes: the games were not counted in such classes"),
        ("/few?ratings=1600,2500", 400, "ratings: "),
        ("/few?history=true", 400, "history: "),
        ("/few?player=W", 400, "player: the games were not counted in such classes"),
        ("/few?color=white", 400, "color: whose? give a player, too"),
        ("/few?color=green", 400, "color: \"green\" is not white or black"),
        ("/other", 404, "\"other\" is not the name of a file; the names are few"),
        ("/few/other", 404, "nothing is at this path"),
        ("/../few", 404, "nothing is at this path"),
        ("/%2e%2e%2f%2e%2e%2fetc%2fpasswd", 404, "\"../../etc/passwd\" is not the name"),
    ] {
        let reply = get(address, path);
        assert_eq!(reply.status, status, "{path}");
        assert!(reply.reason().starts_with(reason), "{path}: {}", reply.reason());
    }
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "NONSENSE"] {
        let reply = send(address, format!("{method} /few HTTP/1.0\r\n\r\n").as_bytes());
        assert_eq!(reply.status, 405, "{method}");
        assert_eq!(reply.reason(), "the path has no such method");
    }
}

#[test]
fn false_means_no_history_and_an_empty_value_nothing() {
    let address = serve(server(ClientLimits::default()));
    for path in
        ["/few?history=False", "/few?history=", "/few?since=&ratings=", "/few?variant=standard"]
    {
        assert_eq!(get(address, path).status, 200, "{path}");
    }
}

#[test]
fn the_path_of_players_says_where_they_are() {
    let library = Library::new("Morphy-white", few()).unwrap();
    let address = serve(Server::new(vec![library]).unwrap());
    for path in ["/player", "/player?player=morphy&color=white", "/personal?player=x"] {
        let reply = get(address, path);
        assert_eq!(reply.status, 404, "{path}");
        assert!(reply.reason().contains("/NAME?player="), "{}", reply.reason());
    }
    assert_eq!(counts(&get(address, "/morphy-white?play=e4").json()), [3, 1, 0, 1]);
}

/// Programs divide by the sum of the results.
#[test]
fn a_move_without_a_result_is_listed_if_asked_for() {
    let start = Position::default;
    let games = Counted::default()
        .game(start(), "e4 e5", Outcome::Unknown, 2000)
        .game(start(), "e4 e5", Outcome::Unknown, 2000)
        .game(start(), "e4 c5", Outcome::Draw, 2000)
        .game(start(), "d4 d5", Outcome::Unknown, 2000);
    let address = serve(Server::new(vec![Library::new("a", games).unwrap()]).unwrap());
    for (path, total, expected) in [
        ("/a", 4, &["e4"][..]),
        ("/a?undecided=true", 4, &["e4", "d4"]),
        ("/a?undecided=false", 4, &["e4"]),
        ("/a?play=e4", 3, &["c5"]),
        ("/a?play=e4&undecided=true", 3, &["e5", "c5"]),
        ("/a?play=e4&moves=1", 3, &["c5"]),
        ("/a?play=d4", 1, &[]),
    ] {
        let answer = get(address, path).json();
        let moves = answer["moves"].as_array().unwrap();
        let sans: Vec<&str> = moves.iter().map(|found| found["san"].as_str().unwrap()).collect();
        assert_eq!((counts(&answer)[0], &sans[..]), (total, expected), "{path}");
        assert_eq!(answer["recentGames"].as_array().unwrap().len() as u64, total, "{path}");
    }
}

/// Halves are rounded up in the ratings of games and of moves.
#[test]
fn ratings_are_rounded_alike() {
    let mut games = Counted::default().game(Position::default(), "e4", Outcome::Draw, 1964);
    games.add_to_rating(1);
    let address = serve(Server::new(vec![Library::new("a", games).unwrap()]).unwrap());
    let answer = get(address, "/a").json();
    let (first, game) = (&answer["moves"][0], &answer["topGames"][0]);
    for rating in
        [&first["averageRating"], &first["game"]["white"]["rating"], &game["black"]["rating"]]
    {
        assert_eq!(*rating, 1965);
    }
}

#[test]
fn each_library_has_a_path() {
    let one = Counted::default().game(Position::default(), "a3", Outcome::Draw, 1);
    let libraries = [("first", few()), ("lichess", one)];
    let libraries = libraries.map(|(name, counted)| Library::new(name, counted).unwrap());
    let address = serve(Server::new(libraries.into()).unwrap());
    for (path, games) in [("/first", 4), ("/masters", 4), ("/lichess", 1), ("/LICHESS", 1)] {
        assert_eq!(counts(&get(address, path).json())[0], games, "{path}");
    }
    let listed = get(address, "/index.json").json();
    assert_eq!(listed[0]["name"], "first");
    let second = json!({"name": "lichess", "positions": 1, "games": false, "groupedBy": ""});
    assert_eq!(listed[1], second);
}

#[test]
fn names_that_cannot_be_paths_are_refused() {
    for name in ["", "a/b", "..", "a b", "é", "a.b"] {
        let error = Library::new(name, few()).unwrap_err();
        assert_eq!(error, FileNameError::Characters(name.to_owned()));
    }
    assert_eq!(Library::new("player", few()).unwrap_err(), FileNameError::Taken("player".into()));
    let two = ["a", "A"].map(|name| Library::new(name, few()).unwrap());
    assert_eq!(Server::new(two.into()).unwrap_err(), FileNameError::Taken("A".into()));
}

/// One game in each of three files, and a file that cannot be read.
struct Texts;

impl Games for Texts {
    fn game(&self, file: u32, game: u64) -> io::Result<Option<Vec<u8>>> {
        match (file, game) {
            (3, _) => Err(io::Error::other("no disk")),
            (0..3, 1) => Ok(Some(format!("game of {file}").into_bytes())),
            _ => Ok(None),
        }
    }
}

#[test]
fn games_are_answered_by_their_names() {
    let with_games = Library::new("few", few()).unwrap().games(Texts);
    let libraries = vec![with_games, Library::new("other", few()).unwrap()];
    let address = serve(Server::new(libraries).unwrap());
    for path in ["/masters/pgn/2-1", "/master/pgn/2-1", "/few/pgn/2-1"] {
        let reply = get(address, path);
        assert!(reply.head.contains("content-type: application/x-chess-pgn\r\n"));
        assert_eq!(reply.body, b"game of 2");
    }
    for (path, status, reason) in [
        ("/few/pgn/0-2", 404, "no game has the number \"0-2\""),
        ("/few/pgn/9-1", 404, "no game has the number \"9-1\""),
        ("/few/pgn/1", 404, "no game has the number \"1\""),
        ("/few/pgn/-1-1", 404, "no game has the number \"-1-1\""),
        ("/few/pgn/..%2fx", 404, "no game has the number \"../x\""),
        ("/few/pgn/99999999999-1", 404, "no game has the number \"99999999999-1\""),
        ("/few/pgn/3-1", 500, "few: no disk"),
        ("/other/pgn/0-1", 404, "the games of other were not given to the server"),
        ("/none/pgn/0-1", 404, "\"none\" is not the name of a file; the names are few, other"),
    ] {
        let reply = get(address, path);
        assert_eq!((reply.status, &*reply.reason()), (status, reason), "{path}");
    }
    assert_eq!(get(address, "/index.json").json()[0]["games"], true);
}

#[test]
fn a_list_is_answered_in_its_order_with_errors_in_their_places() {
    let address = serve(server(ClientLimits::default()));
    let body = r#"[{"play": "e4"}, {"play": ["e4", "c5"], "moves": 0}, {"fen": "x"}, 5, {"moves": {}},
        {"play": ["e4", {}]}, {"fen": null, "moves": "1"}]"#;
    let reply = post(address, "/few", body);
    assert_eq!(reply.status, 200);
    let answers = reply.json();
    assert_eq!(answers[0], get(address, "/few?play=e4").json());
    assert_eq!(answers[1], get(address, "/few?play=e4,c5&moves=0").json());
    let reason = |i: usize| answers[i]["error"].as_str().unwrap().to_owned();
    assert!(reason(2).starts_with("fen: "));
    assert!(reason(3).starts_with("a position is an object"));
    assert_eq!(reason(4), "moves: neither a text nor a number");
    assert_eq!(reason(5), "play: not a list of texts or numbers");
    assert_eq!(answers[6], get(address, "/few?moves=1").json());
    assert_eq!(answers.as_array().unwrap().len(), 7);
}

#[test]
fn a_list_has_at_most_a_thousand_positions() {
    let address = serve(server(ClientLimits::default()));
    let list = |count: usize| format!("[{}]", vec!["{}"; count].join(","));
    assert_eq!(post(address, "/few", &list(1_000)).json().as_array().unwrap().len(), 1_000);
    let reply = post(address, "/few", &list(1_001));
    assert_eq!((reply.status, &*reply.reason()), (413, "1001 positions; a request may have 1000"));
    assert_eq!(post(address, "/few", "[]").status, 400);
    assert_eq!(post(address, "/other", "[{}]").status, 404);
    for body in ["", "{}", "[", "[{}]]", "\u{0}"] {
        let reply = post(address, "/few", body);
        assert_eq!(reply.status, 400, "{body}");
        assert!(reply.reason().starts_with("the body is not a list of positions: "));
    }
}

#[test]
fn other_origins_may_ask_if_allowed() {
    let plain = serve(server(ClientLimits::default()));
    assert!(!get(plain, "/few").head.contains("access-control"));
    let address = serve(server(ClientLimits::default()).cors("https://example.org").unwrap());
    let allowed = "access-control-allow-origin: https://example.org\r\n";
    assert!(get(address, "/few").head.contains(allowed));
    assert!(get(address, "/few?fen=x").head.contains(allowed));
    let reply = send(address, b"OPTIONS /few HTTP/1.0\r\nOrigin: https://example.org\r\n\r\n");
    assert_eq!(reply.status, 204);
    assert!(reply.head.contains(allowed) && reply.head.contains("allow-methods: get, post\r\n"));
}

#[test]
fn an_origin_is_as_browsers_write_it() {
    for origin in [
        "*",
        "https://a.example",
        "http://localhost:8080",
        "http://[::1]:1",
        "moz-extension://a1-b2",
    ] {
        assert!(server(ClientLimits::default()).cors(origin).is_ok(), "{origin}");
    }
    for origin in [
        "", " ", "a\nb", "a.example", "https://", "https://a.b/", "https://a.b/x", "https://A.b",
        "HTTPS://a.b", "https://a.b:443", "http://a.b:80", "https://u:p@a.b", "http://a,http://b",
        "https://*.b", "https://a.b?x", "null", "**",
    ] {
        let error = server(ClientLimits::default()).cors(origin).unwrap_err();
        assert!(error.to_string().contains("is not an origin"), "{origin}");
    }
}

#[test]
fn who_asks_by_another_name_is_refused() {
    let ask = |address, host: &str| {
        send(address, format!("GET /few HTTP/1.0\r\nHost: {host}\r\n\r\n").as_bytes()).status
    };
    // Pages of one origin ask by the names of this machine, too.
    let plain = serve(server(ClientLimits::default()));
    let one = serve(server(ClientLimits::default()).cors("https://example.org").unwrap());
    let all = serve(server(ClientLimits::default()).cors("*").unwrap());
    for host in [
        "localhost", "LOCALHOST:9002", "localhost:", "127.0.0.1:9002", "127.1.2.3", "[::1]",
        "[::1]:9002",
    ] {
        assert_eq!([plain, one, all].map(|address| ask(address, host)), [200; 3], "{host}");
    }
    for host in [
        "example.org", "example.org:9002", "localhost.a.org", "192.168.0.1", "0.0.0.0", "[::2]",
        "::", "::1", "", ":9002", "[::1].evil", "[::1]evil:9002", "[[::1]]", "[127.0.0.1]",
        "[127.0.0.1]x", "[localhost]", "127.0.0.1.evil", "127.1", "evil@localhost",
        "localhost@evil", "localhost:9@evil", "localhost:x", "localhost:9:evil", "localhost evil",
        "localhost,evil", "localhost/evil", "[::1]:9002]",
    ] {
        assert_eq!([plain, one, all].map(|address| ask(address, host)), [421, 421, 200], "{host}");
    }
}

#[test]
fn a_request_has_one_name() {
    let address = serve(server(ClientLimits::default()).cors("*").unwrap());
    let local = serve(server(ClientLimits::default()));
    for (head, status, local_status) in [
        ("GET /few HTTP/1.0\r\n", 200, 200),
        ("GET /few HTTP/1.1\r\n", 400, 400),
        ("GET /few HTTP/1.0\r\nHost: localhost\r\nHost: localhost\r\n", 400, 400),
        ("GET /few HTTP/1.1\r\nHost: localhost\r\nhost: evil\r\n", 400, 400),
        ("GET / HTTP/1.1\r\n", 400, 400),
        ("OPTIONS /few HTTP/1.1\r\n", 400, 400),
        ("GET http://evil/few HTTP/1.1\r\nHost: localhost\r\n", 200, 421),
        ("GET http://localhost/few HTTP/1.1\r\nHost: evil\r\n", 200, 421),
        ("GET http://localhost/few HTTP/1.1\r\nHost: localhost\r\n", 200, 200),
    ] {
        let request = format!("{head}Connection: close\r\n\r\n");
        for (address, status) in [(address, status), (local, local_status)] {
            assert_eq!(send(address, request.as_bytes()).status, status, "{head}");
        }
    }
}

/// As simple clients do: they send a request, and that nothing else follows.
#[test]
fn who_has_ended_its_half_of_the_connection_is_answered() {
    let address = serve(server(ClientLimits::default()));
    for request in [
        "GET /few HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /few HTTP/1.0\r\n\r\n",
        "GET /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /few HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n[{}]",
    ] {
        for _ in 0..50 {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            stream.shutdown(Shutdown::Write).unwrap();
            let mut reply = String::new();
            stream.read_to_string(&mut reply).unwrap();
            let is_answered = reply.starts_with("HTTP/1.") && reply.contains(" 200 OK");
            assert!(is_answered, "{request}: {reply}");
        }
    }
}

#[test]
fn the_page_has_a_strict_policy() {
    let address = serve(server(ClientLimits::default()));
    for (path, kind) in
        [("/", "text/html"), ("/page.js", "text/javascript"), ("/page.css", "text/css")]
    {
        let reply = get(address, path);
        assert_eq!(reply.status, 200);
        assert!(reply.head.contains(&format!("content-type: {kind}; charset=utf-8\r\n")));
        let policy = "content-security-policy: default-src 'none'; script-src 'self';";
        assert!(reply.head.contains(policy));
        assert!(reply.head.contains("x-content-type-options: nosniff\r\n"));
    }
}

#[test]
fn a_server_that_is_stopped_answers_what_was_asked() {
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let stop_it = async { drop(stopped.await) };
    let running = thread::spawn(move || server(ClientLimits::default()).run(listener, 2, stop_it));
    let mut waiting = TcpStream::connect(address).unwrap();
    waiting
        .write_all(b"POST /few HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n[{")
        .unwrap();
    // The head has been read when another connection, which came later, is answered.
    get(address, "/few");
    thread::sleep(Duration::from_millis(100));
    stop.send(()).unwrap();
    thread::sleep(Duration::from_millis(100));
    waiting.write_all(b"}]").unwrap();
    let mut reply = String::new();
    waiting.read_to_string(&mut reply).unwrap();
    assert!(reply.starts_with("HTTP/1.1 200 OK\r\n") && reply.contains("\"games\":4"), "{reply}");
    running.join().unwrap().unwrap();
    assert!(TcpStream::connect(address).is_err());
}
