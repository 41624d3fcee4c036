//! Bytes in and out, in order, on all cores; independent of chess and PGN.
//!
//! * [`source`]: compressed files, archives and UTF-16 as plain text;
//! * [`ordered`]: the pipeline that cuts a stream into [chunks](chunk) of whole items, processes
//!   them on all cores and delivers the results in input order;
//! * [`range`]: byte ranges of a file, which several machines process;
//! * [`read_at`]: files of which several threads read different parts;
//! * [`place`]: a location in a file, as byte offset, line and column;
//! * [`compress`]: compressed outputs, made by several threads;
//! * [`spill`]: sorting in bounded memory, with temporary files;
//! * `output` (feature of the same name): destinations of results, and protection against
//!   overwriting inputs.

pub mod chunk;
pub mod compress;
pub mod ordered;
#[cfg(feature = "output")]
pub mod output;
pub mod place;
pub mod range;
pub mod read_at;
pub mod source;
pub mod spill;
