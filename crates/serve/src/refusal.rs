//! Why a request is not answered.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A status and the reason, written as `{"error":"…"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Refusal {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    #[serde(rename = "error")]
    pub(crate) reason: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, reason: impl Into<String>) -> Self {
        Refusal { status, reason: reason.into() }
    }

    pub(crate) fn bad(reason: impl Into<String>) -> Self {
        Refusal::new(StatusCode::BAD_REQUEST, reason)
    }

    pub(crate) fn not_found(reason: impl Into<String>) -> Self {
        Refusal::new(StatusCode::NOT_FOUND, reason)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, json(&self)).into_response()
    }
}

pub(crate) fn json(value: &impl Serialize) -> Response {
    let body = serde_json::to_vec(value).expect("keys are strings");
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response()
}
