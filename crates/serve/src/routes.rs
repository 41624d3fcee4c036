//! The paths of requests.

use std::convert::Infallible;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Path, RawQuery, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::stream;
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use crate::answer::Answer;
use crate::libraries::Libraries;
use crate::page;
use crate::question::Question;
use crate::refusal::{Refusal, json};

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
    for file in &page::FILES {
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

/// Whether a request names this machine. A page elsewhere, whose name has the address of this
/// machine, would be of the same origin as the server.
///
/// # Errors
///
/// If there is not one name (RFC 9112, 3.2). Before HTTP/1.1 there need not be any.
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

/// The libraries, for the page.
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
    let libraries = shared.libraries.iter();
    let listed = libraries.map(|library| Listed {
        name: library.name(),
        positions: library.header().positions,
        games: library.has_games(),
        grouped_by: library.grouped_by().to_string(),
    });
    json(&listed.collect::<Vec<_>>())
}

async fn position(
    State(shared): State<Arc<Shared>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let library = shared.libraries.named(&name)?;
    let question = Question::of(parameters(query.as_deref()))?;
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

fn parameters(query: Option<&str>) -> form_urlencoded::Parse<'_> {
    form_urlencoded::parse(query.unwrap_or_default().as_bytes())
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
