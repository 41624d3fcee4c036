//! Problems, for serde. They can only be serialized, since a reason is more than its message.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::problem::Problem;

impl Serialize for Problem {
    /// Serializes the same fields as the program's `--report`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Problem", 13)?;
        fields.serialize_field("line", &self.place.line)?;
        fields.serialize_field("column", &self.place.column)?;
        fields.serialize_field("byte", &self.place.byte)?;
        fields.serialize_field("game", &Some(self.game).filter(|game| *game > 0))?;
        fields.serialize_field("white", &self.identity.white)?;
        fields.serialize_field("black", &self.identity.black)?;
        fields.serialize_field("site", &self.identity.site)?;
        fields.serialize_field("round", &self.identity.round)?;
        fields.serialize_field("move", &self.move_number.map(|number| number.to_string()))?;
        fields.serialize_field("token", &self.token)?;
        fields.serialize_field("severity", self.severity().as_str())?;
        fields.serialize_field("kind", self.reason.kind())?;
        fields.serialize_field("reason", &self.reason.to_string())?;
        fields.end()
    }
}
