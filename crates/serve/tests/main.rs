//! The server over sockets, as clients see it.

mod answers;
mod hostile;
mod names;
mod support;
