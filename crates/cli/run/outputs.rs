//! The outputs of a conversion: files, or a folder of files.

use std::io::Write;
use std::path::PathBuf;

use pgn2epd::{Conversion, Options};

use crate::output::{self, Output, OutputError, OutputFolder, Targets};

/// Outputs that are open.
#[derive(Debug)]
pub(super) enum Outputs {
    /// Files, or standard output for one without a name.
    Files(Vec<(Option<PathBuf>, Output)>),
    /// A folder, its name and those of its files, which are known at the end.
    Folder(OutputFolder, PathBuf, Vec<PathBuf>),
}

impl Outputs {
    pub(super) fn open(targets: Targets) -> Result<Self, OutputError> {
        match targets {
            Targets::Files(files) => {
                let open = |file: Option<PathBuf>| {
                    let output = output::open_stored(file.as_deref())?;
                    Ok((file, output))
                };
                files.into_iter().map(open).collect::<Result<_, _>>().map(Outputs::Files)
            }
            Targets::Folder(path) => {
                Ok(Outputs::Folder(OutputFolder::create(&path)?, path, Vec::new()))
            }
        }
    }

    pub(super) fn is_folder(&self) -> bool {
        matches!(self, Outputs::Folder(..))
    }

    /// Returns the first file, which is like the others, unless it is in a folder.
    pub(super) fn first(&self) -> Option<&Output> {
        match self {
            Outputs::Files(files) => files.first().map(|(_, output)| output),
            Outputs::Folder(..) => None,
        }
    }

    /// Makes the conversion that writes these outputs.
    pub(super) fn conversion<'o>(
        &'o mut self,
        options: &Options,
    ) -> Conversion<Box<dyn Write + 'o>> {
        match self {
            Outputs::Files(files) => {
                let outputs = files.iter_mut().map(|(_, output)| Box::new(output) as _);
                Conversion::with_outputs(outputs, options)
            }
            Outputs::Folder(folder, ..) => {
                let files = folder.files();
                let open = move |name: &std::path::Path| Ok(Box::new(files.create(name)?) as _);
                Conversion::with_files(open, options)
            }
        }
    }

    /// Sets the names of the files in the folder.
    pub(super) fn set_names(&mut self, names: Vec<PathBuf>) {
        if let Outputs::Folder(_, folder, files) = self {
            *files = names.into_iter().map(|name| folder.join(name)).collect();
        }
    }

    /// Gives the outputs their names, and returns them; `None` is standard output.
    pub(super) fn finish(self) -> Result<Vec<Option<PathBuf>>, OutputError> {
        match self {
            Outputs::Files(files) => files
                .into_iter()
                .map(|(name, output)| {
                    output.finish()?;
                    Ok(name)
                })
                .collect(),
            Outputs::Folder(folder, _, files) => {
                folder.finish()?;
                Ok(files.into_iter().map(Some).collect())
            }
        }
    }
}
