//! What other commands said in JSON: single numbers as a table, lists of numbers as curves. Their forms
//! may change without this room being told.

use crate::dataset::DatasetError;
use crate::dataset::json::read_json;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Facts shown of a file.
const FACTS: usize = 40;
/// Curves shown of a file.
const CURVES: usize = 8;
/// Words that name the horizontal axis of a list, the best first.
const AXES: [&str; 10] = [
    "epoch",
    "step",
    "iteration",
    "games",
    "phase",
    "empties",
    "ply",
    "discs",
    "depth",
    "n",
];

/// A JSON file that belongs to the data.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Attachment {
    /// What it was given as: `compare`, `fit`, `learn`, `match`.
    pub kind: &'static str,
    /// Where it was.
    pub path: PathBuf,
    /// As it was read.
    pub value: Value,
}

/// Points of one quantity over another.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Curve {
    /// Where in the file.
    pub name: String,
    /// What is drawn along the horizontal axis.
    pub axis: String,
    /// In order.
    pub points: Vec<(f64, f64)>,
}

impl Attachment {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or is not JSON.
    pub(crate) fn read(kind: &'static str, path: &Path) -> Result<Attachment, DatasetError> {
        Ok(Attachment {
            kind,
            path: path.to_owned(),
            value: read_json(path)?,
        })
    }

    /// Single values by name, nested names joined by dots.
    pub(crate) fn facts(&self) -> Vec<(String, String)> {
        let mut facts = Vec::new();
        collect_facts("", &self.value, &mut facts);
        facts.truncate(FACTS);
        facts
    }

    /// Lists of numbers, and of objects with numbers.
    pub(crate) fn curves(&self) -> Vec<Curve> {
        let mut curves = Vec::new();
        collect_curves("", &self.value, &mut curves);
        curves.truncate(CURVES);
        curves
    }
}

fn joined(before: &str, name: &str) -> String {
    match before {
        "" => name.to_owned(),
        before => format!("{before}.{name}"),
    }
}

fn collect_facts(name: &str, value: &Value, facts: &mut Vec<(String, String)>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                collect_facts(&joined(name, key), value, facts);
            }
        }
        Value::Array(_) | Value::Null => {}
        Value::String(text) => facts.push((name.to_owned(), text.clone())),
        other => facts.push((name.to_owned(), other.to_string())),
    }
}

fn collect_curves(name: &str, value: &Value, curves: &mut Vec<Curve>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                collect_curves(&joined(name, key), value, curves);
            }
        }
        Value::Array(list) if list.len() > 1 => {
            let numbers: Option<Vec<f64>> = list.iter().map(Value::as_f64).collect();
            if let Some(numbers) = numbers {
                let points = numbers.into_iter().enumerate();
                curves.push(Curve {
                    name: name.to_owned(),
                    axis: "number".to_owned(),
                    points: points.map(|(n, y)| (n as f64, y)).collect(),
                });
                return;
            }
            let Some(first) = list[0].as_object() else {
                return;
            };
            let is_number = |key: &str| list.iter().all(|item| item[key].is_number());
            let axis = AXES.into_iter().find(|axis| is_number(axis));
            for key in first.keys() {
                if Some(key.as_str()) == axis || !is_number(key) {
                    continue;
                }
                let point = |(n, item): (usize, &Value)| {
                    let x = axis.and_then(|axis| item[axis].as_f64());
                    Some((x.unwrap_or(n as f64), item[key].as_f64()?))
                };
                curves.push(Curve {
                    name: joined(name, key),
                    axis: axis.unwrap_or("number").to_owned(),
                    points: list.iter().enumerate().filter_map(point).collect(),
                });
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn curves_are_found_wherever_they_are() {
        let attachment = Attachment {
            kind: "learn",
            path: PathBuf::new(),
            value: json!({
                "schema": "x_v1",
                "end": {"elo": 12.5},
                "checks": [{"epoch": 10, "score": 0.5}, {"epoch": 20, "score": 0.7}],
                "loss": [3, 2, 1],
                "names": ["a", "b"],
            }),
        };
        let curves = attachment.curves();
        let named: Vec<&str> = curves.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(named, ["checks.score", "loss"]);
        assert_eq!(curves[0].points, [(10.0, 0.5), (20.0, 0.7)]);
        assert_eq!(curves[0].axis, "epoch");
        let facts = attachment.facts();
        assert!(facts.contains(&("end.elo".to_owned(), "12.5".to_owned())));
    }
}
