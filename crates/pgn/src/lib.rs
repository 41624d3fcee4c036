//! Games, tags and movetext tokens.
