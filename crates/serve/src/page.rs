//! The page and its files, which `npm run build` builds.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};

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
