//! Stored records that wait in their order until it is known which of them are selected.

use std::io;
use std::path::Path;

use stream::spill::number::write_number;
use stream::spill::run_file::{Extent, RunFile};

use crate::batch::Batch;
use crate::record::read_stored;

/// Approximate size of the records that are read at once, in bytes.
const READ: usize = 256 << 10;

/// Records in their order: the first ones in memory, the others in a temporary file.
#[derive(Debug)]
pub(crate) struct WaitingRecords {
    /// The memory that is left, in bytes.
    room: usize,
    held: Vec<Batch>,
    file: RunFile,
    extents: Vec<Extent>,
    /// The size of the current run of the file.
    size: usize,
}

impl WaitingRecords {
    /// Keeps records in `memory` bytes, and others in a file in `folder`.
    pub(crate) fn new(memory: usize, folder: &Path) -> Self {
        let (held, extents) = Default::default();
        WaitingRecords { room: memory, held, file: RunFile::new(folder), extents, size: 0 }
    }

    /// Adds the next records.
    pub(crate) fn push(&mut self, batch: Batch) -> io::Result<()> {
        if let Some(room) = self.room.checked_sub(batch.memory()) {
            self.room = room;
            self.held.push(batch);
            return Ok(());
        }
        self.room = 0;
        for stored in batch.stored() {
            self.file.append(|out| {
                write_number(stored.len() as u64, out);
                out.extend_from_slice(stored);
            })?;
            self.size += stored.len();
            if self.size >= READ {
                self.extents.extend(self.file.end_run());
                self.size = 0;
            }
        }
        Ok(())
    }

    /// Passes all records on, in their order.
    pub(crate) fn finish(
        mut self,
        pass: &mut dyn FnMut(Batch) -> io::Result<()>,
    ) -> io::Result<()> {
        self.held.into_iter().try_for_each(&mut *pass)?;
        self.extents.extend(self.file.end_run());
        self.file.flush()?;
        let mut bytes = Vec::new();
        for extent in self.extents {
            bytes.clear();
            self.file.read(extent, &mut bytes)?;
            let (mut rest, mut batch) = (&*bytes, Batch::default());
            while !rest.is_empty() {
                let len = read_stored(&mut rest) as usize;
                let (stored, after) = rest.split_at(len);
                batch.push(|out| out.extend_from_slice(stored));
                rest = after;
            }
            pass(batch)?;
        }
        Ok(())
    }
}
