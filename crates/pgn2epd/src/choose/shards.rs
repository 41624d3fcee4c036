//! The distribution of records among the files of an output.

use super::RecordPlace;
use crate::options::Options;

/// Distributes records among shards, in turn: games, or records if these are shuffled.
#[derive(Debug)]
pub(crate) struct Shards {
    count: usize,
    has_whole_games: bool,
    /// The shard of the last record of each part, and its game.
    last: Vec<Option<(usize, u64)>>,
}

impl Shards {
    /// Divides `outputs` outputs among the parts.
    pub(crate) fn new(options: &Options, outputs: usize) -> Self {
        let count = options.shard_count();
        Shards { count, has_whole_games: !options.shuffle, last: vec![None; outputs / count] }
    }

    /// Returns the index of the output for the next record; `None` if its part has no output.
    pub(crate) fn output(&mut self, place: RecordPlace) -> Option<usize> {
        let last = self.last.get_mut(place.output)?;
        let shard = match *last {
            Some((shard, game)) if game == place.game && self.has_whole_games => shard,
            Some((shard, _)) => (shard + 1) % self.count,
            None => 0,
        };
        *last = Some((shard, place.game));
        Some(place.output * self.count + shard)
    }
}
