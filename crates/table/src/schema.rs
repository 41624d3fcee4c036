//! The names and types of columns.

/// The columns of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// The columns, in order.
    pub fields: Vec<Field>,
    /// Whether texts and lists have offsets of 32 bits in Arrow, as Spark requires; a batch then
    /// has at most 2 GiB of text.
    pub has_small_offsets: bool,
}

/// A column, or a part of a list or a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name: letters, digits and underscores.
    pub name: String,
    /// The type of the values.
    pub column_type: ColumnType,
    /// Whether values may be missing.
    pub may_be_missing: bool,
}

/// The type of the values of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// Booleans.
    Bool,
    /// Integers of 32 bits. All integers are signed, so that differences are right: query engines
    /// compute them in the type of the columns.
    I32,
    /// Integers of 64 bits.
    I64,
    /// 64 bits that identify something, in hexadecimal digits as text.
    U64,
    /// Decimal numbers, as short as possible as text.
    F64,
    /// Decimal numbers, always with a decimal point as text.
    Decimal,
    /// Dates.
    Date,
    /// Texts of which nearly all are different.
    Text,
    /// Texts that repeat.
    Repeated,
    /// 32 bytes of which nearly all are different, in hexadecimal digits as text.
    Bytes32,
    /// Lists of 64 small numbers.
    U8x64,
    /// Lists of 12 numbers of 64 bits.
    U64x12,
    /// Lists of the values of a field.
    List(Box<Field>, ListText),
    /// Structures with these fields.
    Struct(Vec<Field>),
}

/// How CSV writes a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListText {
    /// Its values with a space between them.
    Words,
    /// As in JSON: its values may have spaces.
    Json,
}

impl Schema {
    /// Makes a schema of columns.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Self {
        Schema { fields: fields.into_iter().collect(), ..Schema::default() }
    }

    /// Returns the types of the columns.
    pub fn types(&self) -> impl Iterator<Item = &ColumnType> {
        self.fields.iter().map(|field| &field.column_type)
    }
}

impl Field {
    /// Makes a column whose values may be missing.
    pub fn new(name: &str, column_type: ColumnType) -> Self {
        Field { name: name.to_owned(), column_type, may_be_missing: true }
    }

    /// Makes a column that has all values.
    pub fn required(name: &str, column_type: ColumnType) -> Self {
        Field { may_be_missing: false, ..Field::new(name, column_type) }
    }
}
