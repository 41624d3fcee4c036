//! Clients that mean harm: the server stays as it is, and answers others.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serve::ClientLimits;

use crate::support::{get, post, send, serve, server};

/// ClientLimits that a test can wait for.
fn impatient() -> ClientLimits {
    let patience = Duration::from_millis(300);
    ClientLimits { connections: 20, patience, lifetime: Duration::from_secs(600) }
}

/// Reads until the server ends the connection; returns what it said, and how long it took.
fn rest(mut stream: TcpStream) -> (String, Duration) {
    let began = Instant::now();
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    (String::from_utf8_lossy(&reply).into_owned(), began.elapsed())
}

#[track_caller]
fn assert_answers(address: SocketAddr) {
    assert_eq!(get(address, "/few").status, 200);
}

#[test]
fn requests_that_are_too_long_are_refused() {
    let address = serve(server(ClientLimits::default()));
    let long = "8/".repeat(500_000);
    assert!([414, 431].contains(&get(address, &format!("/few?fen={long}")).status));
    let lines = "X: y\r\n".repeat(100_000);
    assert_eq!(send(address, format!("GET /few HTTP/1.0\r\n{lines}\r\n").as_bytes()).status, 431);
    let huge = "[".to_owned() + &" ".repeat(600 << 10) + "{}]";
    assert_eq!(post(address, "/few", &huge).status, 413);
    let nested = "[".repeat(100_000);
    assert_eq!(post(address, "/few", &nested).status, 400);
    assert_answers(address);
}

#[test]
fn long_fens_and_moves_within_the_limits_are_errors() {
    let address = serve(server(ClientLimits::default()));
    for text in ["8/".repeat(5_000), "9".repeat(10_000), "K".repeat(10_000), "/".repeat(10_000)] {
        assert_eq!(get(address, &format!("/few?fen={text}")).status, 400);
        assert_eq!(get(address, &format!("/few?play={text}")).status, 400);
    }
    // As long a game as a request can have.
    let play = "g1f3,g8f6,f3g1,f6g8,".repeat(700);
    assert_eq!(get(address, &format!("/few?play={play}")).status, 200);
    assert_eq!(get(address, &format!("/few?play={}", ",".repeat(10_000))).status, 200);
}

#[test]
fn what_is_not_http_is_refused() {
    let address = serve(server(impatient()));
    let tls = &b"\x16\x03\x01\x02\x00"[..];
    for bytes in [tls, b"\0\0\0\0\r\n\r\n", b"GET\r\n\r\n", b"\xff\xfe GET / \r\n\r\n"] {
        let status = send(address, bytes).status;
        assert!([0, 400].contains(&status), "{status} for {bytes:?}");
    }
    for path in ["/\u{e4}", "*", "few", "//few", "/few/../../etc/passwd", "/%00", "/%c3%28"] {
        let reply = send(address, format!("GET {path} HTTP/1.0\r\n\r\n").as_bytes());
        assert!([400, 404, 421].contains(&reply.status), "{path}: {}", reply.status);
        assert!(!String::from_utf8_lossy(&reply.body).contains("root:"), "{path}");
    }
    assert_answers(address);
}

#[test]
fn who_sends_slowly_is_not_waited_for() {
    let address = serve(server(impatient()));
    let began = |text: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        rest(stream)
    };
    for (text, status) in [
        ("", ""),
        ("GET /few HTTP/1.1\r\nHo", ""),
        ("POST @Content-Length: 100\r\n\r\n[{}", "HTTP/1.1 408 "),
        ("POST @Transfer-Encoding: chunked\r\n\r\n2\r\n[{\r\n", "HTTP/1.1 408 "),
        // One that is answered, and no other.
        ("GET @\r\n", "HTTP/1.1 200 "),
    ] {
        let (reply, time) = began(&text.replace('@', "/few HTTP/1.1\r\nHost: localhost\r\n"));
        assert!(reply.starts_with(status), "{text:?}: {reply}");
        assert!(time < Duration::from_secs(60), "{text:?}: {time:?}");
    }
    // A byte now and then does not help.
    let mut stream = TcpStream::connect(address).unwrap();
    let head = b"GET /few HTTP/1.1\r\nHost: localhost\r\n";
    let closed = head.iter().cycle().position(|byte| {
        thread::sleep(Duration::from_millis(50));
        stream.write_all(&[*byte]).is_err()
    });
    assert!(closed.is_some());
    assert_answers(address);
}

/// The answers to a list are made as they are read, so the server holds little of them.
#[test]
fn who_reads_slowly_is_not_waited_for() {
    let address = serve(server(impatient()));
    let body = format!("[{}]", vec!["{\"play\":\"e4\"}"; 1_000].join(","));
    let head = format!("POST /few HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}", body.len());
    let request = format!("{head}\r\n\r\n{body}");
    let readers: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(address).unwrap();
            // Twenty answers to lists, none of which is read.
            for _ in 0..20 {
                let _ = stream.set_write_timeout(Some(Duration::from_millis(50)));
                let _ = stream.write_all(request.as_bytes());
            }
            stream
        })
        .collect();
    // All connections are taken until the server ends them.
    assert_answers(address);
    drop(readers);
    assert_answers(address);
}

#[test]
fn thousands_of_connections_wait_or_end() {
    let limits = ClientLimits { connections: 50, ..impatient() };
    let address = serve(server(limits));
    for round in 0..10 {
        let idle: Vec<TcpStream> =
            (0..300).filter_map(|_| TcpStream::connect(address).ok()).collect();
        let ends = idle.iter().filter(|stream| stream.shutdown(Shutdown::Write).is_ok()).count();
        assert!(ends > 0, "{round}");
        drop(idle);
    }
    assert_answers(address);
}

#[test]
fn a_connection_ends_after_its_lifetime() {
    let limits = ClientLimits { lifetime: Duration::from_millis(500), ..ClientLimits::default() };
    let address = serve(server(limits));
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(b"GET /few HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let (reply, time) = rest(stream);
    assert!(reply.starts_with("HTTP/1.1 200 ") && time < Duration::from_secs(5), "{time:?}");
}
