//! The page and its files, which `cargo xtask page` builds.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};

/// A file of the page.
#[derive(Debug)]
pub(crate) struct PageFile {
    pub(crate) path: &'static str,
    kind: &'static str,
    text: &'static str,
}

/// All files of the page.
pub(crate) const FILES: [PageFile; 6] = [
    PageFile {
        path: "/",
        kind: "text/html; charset=utf-8",
        text: include_str!("../page/built/index.html"),
    },
    PageFile {
        path: "/index.html",
        kind: "text/html; charset=utf-8",
        text: include_str!("../page/built/index.html"),
    },
    PageFile {
        path: "/page.js",
        kind: "text/javascript; charset=utf-8",
        text: include_str!("../page/built/page.js"),
    },
    PageFile {
        path: "/page.css",
        kind: "text/css; charset=utf-8",
        text: include_str!("../page/built/page.css"),
    },
    PageFile {
        path: "/icon.svg",
        kind: "image/svg+xml",
        text: include_str!("../page/built/icon.svg"),
    },
    PageFile {
        path: "/page.licences.txt",
        kind: "text/plain; charset=utf-8",
        text: include_str!("../page/built/page.licences.txt"),
    },
];

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
