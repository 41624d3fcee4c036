//! Connections: accepted, limited in number and time, and ended.

use std::io;
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, Uri};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use crate::libraries::{Libraries, Library, NameError};
use crate::routes::{Shared, router};

/// The limits of clients.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at the same time; others wait.
    pub connections: usize,
    /// How long a client may take for the head of a request, for its body, and until it reads more
    /// of an answer. A connection without a request is closed after this time.
    pub patience: Duration,
    /// How long a connection may last; a request that has begun is answered.
    pub lifetime: Duration,
}

impl Default for Limits {
    /// 500 connections, ten seconds, ten minutes.
    fn default() -> Self {
        Limits {
            connections: 500,
            patience: Duration::from_secs(10),
            lifetime: Duration::from_secs(600),
        }
    }
}

/// Answers requests for the positions of libraries.
///
/// ```no_run
/// use book::explorer::ExplorerFile;
/// use serve::{Library, Server, signalled};
///
/// let masters = ExplorerFile::open("masters.explorer".as_ref())?;
/// let server = Server::new(vec![Library::new("masters", masters)?])?;
/// let listener = std::net::TcpListener::bind("127.0.0.1:9002")?;
/// server.run(listener, 1, signalled())?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Server {
    libraries: Libraries,
    limits: Limits,
    /// The origin of pages that may ask, or `*`.
    cors: Option<HeaderValue>,
}

const HEAD_BYTES: usize = 16 << 10;
const HEAD_LINES: usize = 64;
/// Bodies that are read at the same time.
const BODIES: usize = 16;
/// Games that are searched at the same time.
const SEARCHES: usize = 2;

impl Server {
    /// Makes a server of these libraries.
    ///
    /// # Errors
    ///
    /// If two of them have the same name.
    pub fn new(libraries: Vec<Library>) -> Result<Self, NameError> {
        let libraries = Libraries::new(libraries)?;
        Ok(Server { libraries, limits: Limits::default(), cors: None })
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Allows pages of this origin, or of all with `*`, to ask.
    ///
    /// # Errors
    ///
    /// If the text is not an origin as browsers send it.
    pub fn cors(mut self, origin: &str) -> Result<Self, OriginError> {
        let value =
            HeaderValue::from_str(origin).ok().filter(|_| origin == "*" || is_origin(origin));
        self.cors = Some(value.ok_or_else(|| OriginError(origin.to_owned()))?);
        Ok(self)
    }

    /// Answers requests on this many threads until `stop` is over; then requests that have begun
    /// are answered, for at most the time that a client has.
    ///
    /// # Errors
    ///
    /// If threads cannot be started, or the listener cannot be used.
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
    limits: Limits,
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
