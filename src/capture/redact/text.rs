//! Redacting JSON where it stands: spacing, numbers, order and repeated keys are as they were.

use super::place::{Fate, Place};
use super::{Redactor, words};
use crate::json::{Kind, Tree, Value, View, quote};

/// JSON in a string in a string: deeper than anybody nests it on purpose it is text like any other.
const MAX_QUOTED: u32 = 6;

impl<'c> Redactor<'c> {
    /// A JSON text, redacted; `None` if it is none. `quoted`: in how many strings it stands.
    pub(super) fn json(&mut self, text: &[u8], place: Place<'c>, quoted: u32) -> Option<Vec<u8>> {
        let tree = Tree::parse(text).ok()?;
        let count = u32::try_from(tree.nodes().len()).ok()?;
        let mut places: Vec<Place<'c>> = vec![place; tree.nodes().len()];
        let mut out = Vec::with_capacity(text.len());
        let (mut copied, mut index) = (0, 0);
        while index < count {
            let view = tree.view(text, index);
            if let Some(parent) = view.parent() {
                let above = places[parent.index() as usize];
                places[index as usize] = if let (Some(key), Some(span)) = (view.key(), view.key_span()) {
                    let (place, fate) = above.member(key.as_bytes());
                    if let Some(new) = self.key(key.as_bytes(), fate, above) {
                        out.extend_from_slice(&text[copied..span.start]);
                        out.extend_from_slice(quote(new.as_bytes()).as_bytes());
                        copied = span.end;
                    }
                    place
                } else {
                    above.element()
                };
            }
            let place = places[index as usize];
            if is_listed(view, place) {
                index = view.after();
                continue;
            }
            if let Some(string) = view.string() {
                let new = self.string(&string.to_well_formed(), place, quoted);
                out.extend_from_slice(&text[copied..view.span().start]);
                out.extend_from_slice(quote(new.as_bytes()).as_bytes());
                copied = view.span().end;
            }
            index += 1;
        }
        out.extend_from_slice(&text[copied..]);
        Some(out)
    }

    /// A string that is a value.
    pub(super) fn string(&mut self, text: &str, place: Place<'c>, quoted: u32) -> String {
        let inner = text.trim();
        if quoted < MAX_QUOTED
            && inner.starts_with(['{', '['])
            && let Some(new) = self.json(inner.as_bytes(), place, quoted + 1)
        {
            return String::from_utf8_lossy(&new).into_owned();
        }
        let mut new = self.words.value(text);
        // What was not listed must not become so.
        while place.lists(&Value::from(new.as_str())) {
            new.push('x');
        }
        new
    }

    /// The key's replacement; `None` if it stays.
    fn key(&mut self, key: &[u8], fate: Fate, object: Place<'c>) -> Option<String> {
        let text = crate::json::to_well_formed(key);
        let stays = match fate {
            Fate::Keep => true,
            Fate::Replace => words::is_index(&text),
            Fate::ByLooks => words::is_index(&text) || words::is_plain_name(&text, 40),
        };
        if stays {
            return None;
        }
        let mut new = self.words.key(&text);
        while object.member(new.as_bytes()).1 == Fate::Keep {
            new.push('_');
        }
        Some(new)
    }
}

fn is_listed(view: View<'_>, place: Place<'_>) -> bool {
    let may_be = matches!(view.kind(), Kind::String | Kind::Array | Kind::Object);
    may_be && place.lists_values() && place.lists(&Value::from(view))
}
