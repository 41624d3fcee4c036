//! EPD records.
