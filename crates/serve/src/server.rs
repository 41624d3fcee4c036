//! The server: the paths of requests, its connections, and the page with its files, which
//! `npm run build` builds.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, Version, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Serialize;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::{Semaphore, watch};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use crate::answer::{Answer, FileNameError, Libraries, Library};
use crate::question::{Question, Refusal, json};

#[derive(Debug)]
pub(crate) struct PageFile {
    pub(crate) path: &'static str,
    kind: &'static str,
    text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const INDEX: &str = include_str!("../page/built/index.html");

pub(crate) const FILES: [PageFile; 6] = [
    file("/", HTML, INDEX),
    file("/index.html", HTML, INDEX),
    file("/page.js", "text/javascript; charset=utf-8", include_str!("../page/built/page.js")),
    file("/page.css", "text/css; charset=utf-8", include_str!("../page/built/page.css")),
    file("/icon.svg", "image/svg+xml", include_str!("../page/built/icon.svg")),
    file(
        "/page.licences.txt",
        "text/plain; charset=utf-8",
        include_str!("../page/built/page.licences.txt"),
    ),
];

const fn file(path: &'static str, kind: &'static str, text: &'static str) -> PageFile {
    PageFile { path, kind, text }
}

/// Scripts, styles and requests of the page itself only; no inline script or style, no frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

impl IntoResponse for &PageFile {
    fn into_response(self) -> Response {
        let headers: [(HeaderName, HeaderValue); 3] = [
            (header::CONTENT_TYPE, HeaderValue::from_static(self.kind)),
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        ];
        (headers, self.text).into_response()
    }
}

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) libraries: Libraries,
    pub(crate) cors: Option<HeaderValue>,
    /// Whether the server is asked by the names of this machine only.
    pub(crate) is_local_only: bool,
    /// How long the body of a request may take.
    pub(crate) patience: Duration,
    pub(crate) bodies: Semaphore,
    pub(crate) searches: Semaphore,
}

const MOST_POSITIONS: usize = 1_000;
const MOST_BYTES: usize = 512 << 10;

pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new();
    for file in &FILES {
        router = router.route(file.path, get(async move || file.into_response()));
    }
    router
        .route("/index.json", get(index))
        .route("/player", get(player))
        .route("/personal", get(player))
        .route("/{name}", get(position).post(positions))
        .route("/{name}/pgn/{id}", get(game))
        .fallback(async || Refusal::not_found("nothing is at this path"))
        .method_not_allowed_fallback(async || {
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "the path has no such method")
        })
        .layer(from_fn_with_state(Arc::clone(&shared), checked))
        .with_state(shared)
}

/// Refuses requests by another name, and adds what each answer has.
async fn checked(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");
    let is_preflight = request.method() == Method::OPTIONS && shared.cors.is_some();
    let mut response = match named(&request) {
        Err(refusal) => refusal.into_response(),
        Ok(false) if shared.is_local_only => {
            let reason = "the server was asked by another name than localhost; --cors '*' or --listen allow others";
            Refusal::new(StatusCode::MISDIRECTED_REQUEST, reason).into_response()
        }
        Ok(_) if is_preflight => StatusCode::NO_CONTENT.into_response(),
        Ok(_) => next.run(request).await,
    };
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFF);
    if let Some(origin) = &shared.cors {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        if is_preflight {
            let allowed: [(HeaderName, HeaderValue); 2] = [
                (header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST")),
                (header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("*")),
            ];
            headers.extend(allowed);
        }
    }
    response
}

/// Whether a request names this machine: a page elsewhere whose name has its address would be of the
/// same origin. Fails if there is not one name (RFC 9112, 3.2); before HTTP/1.1 there may be none.
fn named(request: &Request) -> Result<bool, Refusal> {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.as_bytes(),
        (None, _) if request.version() < Version::HTTP_11 => b"localhost",
        _ => return Err(Refusal::bad("a request has one line Host")),
    };
    // A name may also be before the path.
    let other = request.uri().authority().map(|authority| authority.as_str().as_bytes());
    Ok(is_local(host) && other.is_none_or(is_local))
}

fn is_local(host: &[u8]) -> bool {
    let Ok(host) = str::from_utf8(host) else { return false };
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port),
        _ => (host, ""),
    };
    let is_address = match name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback()),
        None => name.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback()),
    };
    port.bytes().all(|byte| byte.is_ascii_digit())
        && (is_address || name.eq_ignore_ascii_case("localhost"))
}

async fn index(State(shared): State<Arc<Shared>>) -> Response {
    #[derive(Serialize)]
    struct Listed<'a> {
        name: &'a str,
        positions: u64,
        games: bool,
        /// The classes in which games were counted; empty if they were counted together.
        #[serde(rename = "groupedBy")]
        grouped_by: String,
    }
    let libraries = shared.libraries.0.iter();
    let listed = libraries.map(|library| Listed {
        name: &library.name,
        positions: library.positions.header().positions,
        games: library.games.is_some(),
        grouped_by: library.grouped_by.to_string(),
    });
    json(&listed.collect::<Vec<_>>())
}

async fn position(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let library = shared.libraries.named(&name)?;
    let query = query.unwrap_or_default();
    let question = Question::of(form_urlencoded::parse(query.as_bytes()))?;
    Ok(json(&Answer::to(&question, library)?))
}

/// Lichess' path for players has ratings of the opponents and modes, which are not counted.
async fn player() -> Refusal {
    Refusal::not_found(
        "/player is not answered; a file made with --group-by player has the games of a player at /NAME?player=…&color=…",
    )
}

async fn game(
    State(shared): State<Arc<Shared>>,
    Path((name, id)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    shared.libraries.named(&name)?;
    let busy = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "other games are searched");
    let waiting = timeout(shared.patience, shared.searches.acquire()).await;
    let _permit = waiting.map_err(busy)?.expect("it is never closed");
    let searching = Arc::clone(&shared);
    let search = move || searching.libraries.named(&name)?.game(&id);
    let text = spawn_blocking(search).await.expect("it does not panic")?;
    Ok(([(header::CONTENT_TYPE, "application/x-chess-pgn")], text).into_response())
}

/// Answers for each position of a list; one that is not a position has its error in its place.
async fn positions(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    body: Body,
) -> Result<Response, Refusal> {
    shared.libraries.named(&name)?;
    let questions = {
        let read = async {
            let _permit = shared.bodies.acquire().await.expect("it is never closed");
            to_bytes(body, MOST_BYTES).await.map_err(|_| {
                let reason = format!("the body cannot be read or has more than {MOST_BYTES} bytes");
                Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
            })
        };
        let late = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body took too long");
        let bytes = timeout(shared.patience, read).await.map_err(late)??;
        listed(&bytes)?
    };
    // Answers are made one by one as they are sent, so that a slow client costs no memory.
    let mut questions = questions.into_iter().enumerate();
    let mut is_over = false;
    let chunks = stream::iter(std::iter::from_fn(move || {
        let Some((i, question)) = questions.next() else {
            let end = (!is_over).then(|| Bytes::from_static(b"]"));
            is_over = true;
            return end.map(Ok);
        };
        let library = shared.libraries.named(&name).expect("found before");
        let answered = question.and_then(|question| Answer::to(&question, library));
        let mut text = vec![if i == 0 { b'[' } else { b',' }];
        let written = match answered {
            Ok(answer) => serde_json::to_writer(&mut text, &answer),
            Err(refusal) => serde_json::to_writer(&mut text, &refusal),
        };
        written.expect("keys are strings");
        Some(Ok::<_, Infallible>(Bytes::from(text)))
    }));
    Ok(([(header::CONTENT_TYPE, "application/json")], Body::from_stream(chunks)).into_response())
}

fn listed(body: &[u8]) -> Result<Vec<Result<Question, Refusal>>, Refusal> {
    let positions: Vec<Value> = serde_json::from_slice(body)
        .map_err(|error| Refusal::bad(format!("the body is not a list of positions: {error}")))?;
    match positions.len() {
        0 => Err(Refusal::bad("the list has no position")),
        count if count > MOST_POSITIONS => {
            let reason = format!("{count} positions; a request may have {MOST_POSITIONS}");
            Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, reason))
        }
        _ => Ok(positions.iter().map(Question::of_json).collect()),
    }
}

/// The limits of clients.
#[derive(Clone, Copy, Debug)]
pub struct ClientLimits {
    /// Connections at the same time; others wait.
    pub connections: usize,
    /// How long a client may take for the head of a request, for its body, and until it reads more
    /// of an answer. A connection without a request is closed after this time.
    pub patience: Duration,
    /// How long a connection may last; a request that has begun is answered.
    pub lifetime: Duration,
}

impl Default for ClientLimits {
    /// 500 connections, ten seconds, ten minutes.
    fn default() -> Self {
        ClientLimits {
            connections: 500,
            patience: Duration::from_secs(10),
            lifetime: Duration::from_secs(600),
        }
    }
}

/// Answers requests for the positions of libraries.
///
/// ```no_run
/// use book::count_file::CountFile;
/// use serve::{Library, Server, signalled};
///
/// let masters = CountFile::open("masters.explorer".as_ref())?;
/// let server = Server::new(vec![Library::new("masters", masters)?])?;
/// let listener = std::net::TcpListener::bind("127.0.0.1:9002")?;
/// server.run(listener, 1, signalled())?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    libraries: Libraries,
    limits: ClientLimits,
    /// The origin of pages that may ask, or `*`.
    cors: Option<HeaderValue>,
}

const HEAD_BYTES: usize = 16 << 10;
const HEAD_LINES: usize = 64;

const BODIES: usize = 16;

const SEARCHES: usize = 2;

impl Server {
    /// Makes a server of these libraries. Fails if two of them have the same name.
    pub fn new(libraries: Vec<Library>) -> Result<Self, FileNameError> {
        let libraries = Libraries::new(libraries)?;
        Ok(Server { libraries, limits: ClientLimits::default(), cors: None })
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: ClientLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Allows pages of this origin, or of all with `*`, to ask. Fails if the text is not an origin
    /// as browsers send it.
    pub fn cors(mut self, origin: &str) -> Result<Self, OriginError> {
        let value =
            HeaderValue::from_str(origin).ok().filter(|_| origin == "*" || is_origin(origin));
        self.cors = Some(value.ok_or_else(|| OriginError(origin.to_owned()))?);
        Ok(self)
    }

    /// Answers requests on this many threads until `stop` is over; then requests that have begun
    /// are answered, for at most the time that a client has. Fails if threads cannot be started, or
    /// the listener cannot be used.
    pub fn run(
        self,
        listener: TcpListener,
        threads: usize,
        stop: impl Future<Output = ()>,
    ) -> io::Result<()> {
        listener.set_nonblocking(true)?;
        let runtime =
            Builder::new_multi_thread().worker_threads(threads.max(1)).enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            self.answer(listener, stop).await;
            Ok(())
        })
    }

    async fn answer(self, listener: tokio::net::TcpListener, stop: impl Future<Output = ()>) {
        let limits = self.limits;
        let shared = Arc::new(Shared {
            libraries: self.libraries,
            is_local_only: self.cors.as_ref().is_none_or(|origin| origin != "*")
                && listener.local_addr().is_ok_and(|address| address.ip().is_loopback()),
            cors: self.cors,
            patience: limits.patience,
            bodies: Semaphore::new(BODIES),
            searches: Semaphore::new(SEARCHES),
        });
        let router = router(shared);
        let slots = Arc::new(Semaphore::new(limits.connections));
        let (stopping, stopped) = watch::channel(false);
        let accepting = async {
            loop {
                let slot = Arc::clone(&slots).acquire_owned().await.expect("it is never closed");
                let stream = match listener.accept().await {
                    Ok((stream, _)) => stream,
                    // Too many files are open, or the client is gone.
                    Err(_) => {
                        sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                };
                let router = router.clone();
                let stopped = stopped.clone();
                tokio::spawn(async move {
                    converse(stream, router, limits, stopped).await;
                    drop(slot);
                });
            }
        };
        tokio::select! {
            () = accepting => {}
            () = stop => {}
        }
        drop(listener);
        let _ = stopping.send(true);
        let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
        let _ = timeout(limits.patience, slots.acquire_many(all)).await;
    }
}

/// A text that is not the origin of pages.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not an origin such as https://example.org: * or a scheme and a host, both in lower case, without the usual port and without a path"
)]
pub struct OriginError(String);

/// Whether a text is written as browsers write an origin: another spelling would never be equal.
fn is_origin(text: &str) -> bool {
    let Ok(uri) = Uri::try_from(text) else { return false };
    let (Some(scheme), Some(host)) = (uri.scheme_str(), uri.host()) else { return false };
    let port = match (scheme, uri.port_u16()) {
        (_, None) | ("http", Some(80)) | ("https", Some(443)) => String::new(),
        (_, Some(port)) => format!(":{port}"),
    };
    let is_of_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-_[:]".contains(&byte);
    let is_host = !host.is_empty() && host.bytes().all(is_of_host);
    is_host && format!("{scheme}://{host}{port}").to_lowercase() == text
}

/// Waits for a signal that asks the program to end.
pub async fn signalled() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut terminated) => tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            },
            Err(_) => drop(interrupted.await),
        }
    }
    #[cfg(not(unix))]
    let _ = interrupted.await;
}

async fn converse(
    stream: TcpStream,
    router: Router,
    limits: ClientLimits,
    mut stopped: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(limits.patience));
    let mut connection = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.patience)
            .max_buf_size(HEAD_BYTES)
            .max_headers(HEAD_LINES)
            // Simple clients end their half of the connection after the request.
            .half_close(true)
            .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(router))
    );
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopped.wait_for(|stopped| *stopped) => {}
        () = sleep(limits.lifetime) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(limits.patience, connection).await;
}
