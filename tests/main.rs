//! What the program and its library promise, end to end. One binary: it links once.

mod oracle;
