//! What makes two captured calls one and the same.

use super::call::Call;
use super::hash;
use crate::gate::Arguments;
use crate::json::Tree;

/// A hash of a call's tool and arguments, and of its id if it has one: arguments are compared as JSON values where they parse,
/// else as exact texts.
#[must_use]
pub fn identity(call: &Call) -> u64 {
    let mut scratch = Tree::default();
    let arguments = match &call.arguments {
        Arguments::Absent => 0,
        Arguments::Text(text) => hash::of_text(text.as_bytes(), &mut scratch),
        Arguments::Json(value) => hash::of_text(value.to_exact_json().as_bytes(), &mut scratch),
    };
    let id = call.id.as_ref().map_or(0, |id| hash::bytes(1, id.as_bytes()));
    hash::mix(hash::mix(id, hash::bytes(2, call.tool.as_bytes())), arguments)
}
