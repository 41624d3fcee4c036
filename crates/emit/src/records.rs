//! Records of the plies of a game, as text.
//!
//! * [`plan`]: the options of a run, evaluated once; [`op`]: the operations that can be written;
//! * [`text`]: what is written; [`text_sink`]: the sink, with [`write`] for records of the move and
//!   the clocks alone;
//! * [`operation_builder`]: all other operations, with the game as [`title`] and those of templates
//!   in [`template_operations`].

pub(crate) mod op;
pub(crate) mod op_list;
pub(crate) mod operation_builder;
pub(crate) mod plan;
pub(crate) mod template_operations;
pub(crate) mod text;
pub(crate) mod text_sink;
pub(crate) mod title;
pub(crate) mod write;
