//! Options as a map from command-line names to values, for serde. An option that may be repeated
//! has a list of values.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Options;

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Values {
    One(String),
    Many(Vec<String>),
}

impl Serialize for Options {
    /// Serializes the options that differ from the defaults; see [`Options::to_names`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map: BTreeMap<&str, Values> = BTreeMap::new();
        for (name, value) in self.to_names().map_err(S::Error::custom)? {
            match (name, map.get_mut(name)) {
                (_, Some(Values::Many(values))) => values.push(value),
                ("add", _) => drop(map.insert(name, Values::Many(vec![value]))),
                _ => drop(map.insert(name, Values::One(value))),
            }
        }
        map.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Options {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let map: BTreeMap<String, Values> = BTreeMap::deserialize(deserializer)?;
        let named = map.iter().flat_map(|(name, values)| {
            let values = match values {
                Values::One(value) => std::slice::from_ref(value),
                Values::Many(values) => values,
            };
            values.iter().map(move |value| (&**name, &**value))
        });
        Options::from_names(named).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_a_map_of_names() {
        let text = r#"{"add":["c9={Result}","id={ply}"],"ep":"legal","unique":"first"}"#;
        let options: Options = serde_json::from_str(text).unwrap();
        assert!(options.unique.is_some() && options.templates.len() == 2);
        assert_eq!(serde_json::to_string(&options).unwrap(), text);
        let error = serde_json::from_str::<Options>(r#"{"colour":"red"}"#).unwrap_err();
        assert!(error.to_string().starts_with("unknown option \"colour\""), "{error}");
    }
}
