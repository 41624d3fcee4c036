//! Records from games: what a replay keeps, counts and reports.

mod accounts;
mod comments;
mod conditions;
mod damage;
mod field;
mod games;
mod limits;
mod lines;
mod omissions;
mod openings;
mod operations;
mod patterns;
mod plans;
mod positions;
mod records;
mod registers;
mod remarks;
mod sequences;
mod support;
mod values;
