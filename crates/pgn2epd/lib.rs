//! Turns chess games (PGN) into positions (EPD).
