//! The names of the outputs of a conversion.

use crate::options::{Format, Options};

/// A name of outputs that does not fit the options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputNameError {
    /// There are several outputs, and only one name.
    #[error(
        "the name {name} must contain {{{placeholder}}}, since each {placeholder} has a file of its own"
    )]
    Missing {
        /// The name.
        name: String,
        /// What differs between the outputs: `split` or `shard`.
        placeholder: &'static str,
    },
    /// The name asks for several outputs, which the options do not have.
    #[error("the name {name} contains {{{placeholder}}}, but the option {option} is not given")]
    Unused {
        /// The name.
        name: String,
        /// What would differ between the outputs: `split` or `shard`.
        placeholder: &'static str,
        /// The option that is missing.
        option: &'static str,
    },
    /// The name of a folder asks for several folders.
    #[error("a folder has a folder for each part: omit {{split}}")]
    SplitFolder,
    /// Nothing can be replaced in the name.
    #[error("the name {name} is not UTF-8")]
    NotUtf8 {
        /// The name.
        name: String,
    },
    /// The name states another format than the options.
    #[error("the suffix of {name} is that of {stated}, but the format is {format}")]
    Format {
        /// The name.
        name: String,
        /// The format of files of that name.
        stated: Format,
        /// The format of the options.
        format: Format,
    },
    /// The name is that of a file which a conversion does not write.
    #[error("{name} is the name of {what}, but the format is {format}; {advice}")]
    Other {
        /// The name.
        name: String,
        /// What files of such names are.
        what: &'static str,
        /// The format of the options.
        format: Format,
        /// The command that writes such files.
        advice: &'static str,
    },
    /// The name is that of a compressed file, but the format is compressed inside or not at all.
    #[error(
        "{name}: {format} is not compressed as a whole; omit the last suffix, and use the option compress for parquet"
    )]
    Compressed {
        /// The name.
        name: String,
        /// The format of the options.
        format: Format,
    },
}

impl Options {
    /// Returns the names of the outputs of a conversion, in the order of [`Conversion::with_outputs`](crate::Conversion::with_outputs):
    /// `name` with `{split}` replaced by the name of the part, and `{shard}` by the number of the shard.
    ///
    /// # Errors
    ///
    /// If the name does not contain what the options need, or contains what they do not have.
    ///
    /// ```
    /// use std::num::NonZeroU32;
    /// use pgn2epd::Options;
    ///
    /// let options = Options::default().split(Some("train=0.9,test=0.1".parse()?)).shards(NonZeroU32::new(2));
    /// let names = options.output_names("{split}-{shard}.epd")?;
    /// assert_eq!(names, ["train-0.epd", "train-1.epd", "test-0.epd", "test-1.epd"]);
    ///
    /// let error = options.output_names("{split}.epd").unwrap_err();
    /// assert_eq!(error.to_string(), "the name {split}.epd must contain {shard}, since each shard has a file of its own");
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn output_names(&self, name: &str) -> Result<Vec<String>, OutputNameError> {
        const SPLIT: &str = "{split}";
        const SHARD: &str = "{shard}";
        let check = |is_wanted: bool, text: &str, placeholder, option| {
            let name = name.to_owned();
            match (is_wanted, name.contains(text)) {
                (true, false) => Err(OutputNameError::Missing { name, placeholder }),
                (false, true) => Err(OutputNameError::Unused { name, placeholder, option }),
                _ => Ok(()),
            }
        };
        check(self.split.is_some(), SPLIT, "split", "split")?;
        check(self.shards.is_some(), SHARD, "shard", "shards")?;
        let parts = self.split.as_ref().map_or(vec![""], |split| split.names().collect());
        let shards = self.shard_count();
        let digits = (shards - 1).to_string().len();
        let name_of = |part: &str, shard: usize| {
            name.replace(SPLIT, part).replace(SHARD, &format!("{shard:0digits$}"))
        };
        let names = parts.iter().flat_map(|part| (0..shards).map(move |shard| (*part, shard)));
        Ok(names.map(|(part, shard)| name_of(part, shard)).collect())
    }

    /// Returns the number of outputs.
    pub(crate) fn output_count(&self) -> usize {
        self.split.as_ref().map_or(1, |split| split.names().len()) * self.shard_count()
    }

    /// Returns the number of outputs of each part.
    pub(crate) fn shard_count(&self) -> usize {
        self.shards.map_or(1, |shards| shards.get() as usize)
    }
}
