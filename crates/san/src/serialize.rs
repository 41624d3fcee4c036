//! Positions as FEN, for serde.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::position::Position;

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fen = String::deserialize(deserializer)?;
        Position::from_fen(fen).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_its_fen() {
        let position = Position::from_fen("4k3/8/8/8/4Pp2/8/8/4K3 b - e3 3 20").unwrap();
        let text = serde_json::to_string(&position).unwrap();
        assert_eq!(text, "\"4k3/8/8/8/4Pp2/8/8/4K3 b - e3 3 20\"");
        assert_eq!(serde_json::from_str::<Position>(&text).unwrap(), position);
        let error = serde_json::from_str::<Position>("\"4k3 w\"").unwrap_err();
        assert!(!error.to_string().is_empty());
    }
}
