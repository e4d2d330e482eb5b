//! One side of a comparison: a schema together with what is only another spelling of the same.
//!
//! A reference, an `allOf` of one member and a union with null (as generators write an optional value) are looked through,
//! so that respelling a schema does not look like removing all of it.

use crate::definition::subschemas;
use crate::json::{JsString, Object, Step, Value, pointer};

/// The whole schema of a tool's parameters, in which references are looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root<'a>(pub &'a Value);

impl<'a> Root<'a> {
    /// What a local reference names, with its pointer; `None` for one that leads elsewhere or nowhere.
    pub fn resolve(self, reference: &str) -> Option<(&'a Value, String)> {
        let path = percent_decoded(reference.strip_prefix('#')?)?;
        Some((self.0.at_pointer(&path)?, path))
    }
}

/// A reference's fragment with `%XX` decoded (RFC 6901, section 6).
fn percent_decoded(text: &str) -> Option<String> {
    if !text.contains('%') {
        return Some(text.to_owned());
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let hex = (*byte == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        let decoded = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(decoded.unwrap_or(*byte));
        at += if decoded.is_some() { 3 } else { 1 };
    }
    String::from_utf8(out).ok()
}

/// How null is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NullBy {
    /// `type` lists it.
    Type,
    /// A branch of this union is null.
    Union(&'static str),
    /// `nullable: true`, which `OpenAPI` and Gemini have and JSON Schema has not.
    Keyword,
}

impl NullBy {
    /// The spelling in words.
    pub fn words(&self) -> &'static str {
        match self {
            Self::Type => "type array",
            Self::Union(keyword) => keyword,
            Self::Keyword => "nullable",
        }
    }
}

#[derive(Debug)]
struct Part<'a> {
    object: &'a Object,
    pointer: String,
}

/// A schema as a comparison sees it.
#[derive(Debug)]
pub(crate) struct Side<'a> {
    /// The schema itself, then what it is another spelling of.
    parts: Vec<Part<'a>>,
    /// Where the schema stands.
    pub pointer: String,
    /// `false`: nothing is right.
    pub never: bool,
    null_branch: Option<&'static str>,
    /// The reference that was looked through.
    pub via: Option<String>,
}

const UNIONS: [&str; 2] = ["anyOf", "oneOf"];
/// How many spellings deep one schema is looked through.
const MAX_PARTS: usize = 8;

impl<'a> Side<'a> {
    /// The schema at a pointer; with `through` also what its reference leads to.
    pub fn new(root: Root<'a>, schema: &'a Value, at: &str, through: bool) -> Self {
        let mut side = Self {
            parts: Vec::new(),
            pointer: at.to_owned(),
            never: matches!(schema, Value::Bool(false)),
            null_branch: None,
            via: None,
        };
        let mut next = schema.as_object().map(|object| Part { object, pointer: at.to_owned() });
        while let Some(part) = next.take() {
            let object = part.object;
            if side.parts.len() >= MAX_PARTS || side.parts.iter().any(|p| std::ptr::eq(p.object, object)) {
                break;
            }
            let here = part.pointer.clone();
            side.parts.push(part);
            next = side.inner(root, object, &here, through);
        }
        side
    }

    /// The schema that an object is another spelling of.
    fn inner(&mut self, root: Root<'a>, object: &'a Object, at: &str, through: bool) -> Option<Part<'a>> {
        if let (true, Some(reference)) = (through, reference(object)) {
            let found = root.resolve(&reference);
            self.via.get_or_insert(reference);
            let (target, pointer) = found?;
            return target.as_object().map(|object| Part { object, pointer });
        }
        if let Some([only]) = object.get(b"allOf").and_then(Value::as_array) {
            return only.as_object().map(|object| Part { object, pointer: format!("{at}/allOf/0") });
        }
        for keyword in UNIONS {
            let Some(branches) = object.get(keyword.as_bytes()).and_then(Value::as_array) else { continue };
            if branches.iter().any(is_null) && branches.len() > 1 {
                self.null_branch.get_or_insert(keyword);
                let mut others = branches.iter().enumerate().filter(|(_, branch)| !is_null(branch));
                if let (Some((i, branch)), None) = (others.next(), others.next()) {
                    return branch.as_object().map(|object| Part { object, pointer: format!("{at}/{keyword}/{i}") });
                }
            }
        }
        None
    }

    /// The value of a keyword.
    pub fn get(&self, keyword: &str) -> Option<&'a Value> {
        self.parts.iter().find_map(|part| part.object.get(keyword.as_bytes()))
    }

    /// The value of a keyword of the schema itself.
    pub fn own(&self, keyword: &str) -> Option<&'a Value> {
        self.parts.first()?.object.get(keyword.as_bytes())
    }

    /// The schema itself has a reference, at which the wave gate stops looking (rule G9).
    pub fn is_opaque(&self) -> bool {
        self.own("$ref").is_some()
    }

    /// Whether a keyword stands in the schema itself and not in what that is a spelling of.
    pub fn is_own(&self, keyword: &str) -> bool {
        self.own(keyword).is_some() || self.get(keyword).is_none()
    }

    /// Where a keyword stands, or would stand.
    pub fn pointer_of(&self, keyword: &str) -> String {
        let part = self.parts.iter().find(|part| part.object.get(keyword.as_bytes()).is_some()).or(self.parts.first());
        join(part.map_or(&self.pointer, |part| &part.pointer), keyword)
    }

    /// The value of a keyword, if it is an object.
    pub fn object(&self, keyword: &str) -> Option<&'a Object> {
        self.get(keyword)?.as_object()
    }

    /// The value of a keyword, if it is an array.
    pub fn array(&self, keyword: &str) -> Option<&'a [Value]> {
        self.get(keyword)?.as_array()
    }

    /// The value of a keyword, if it is a number.
    pub fn number(&self, keyword: &str) -> Option<f64> {
        match self.get(keyword)? {
            Value::Number(n) => Some(*n),
            _ => None,
        }
    }

    /// The branches of a union, without null and without a union that is only a spelling of an optional value.
    pub fn union(&self, keyword: &str) -> Option<Vec<(&'a Value, String)>> {
        let part = self.parts.iter().find(|part| part.object.get(keyword.as_bytes()).is_some())?;
        let branches = part.object.get(keyword.as_bytes())?.as_array()?;
        let nullable = branches.len() > 1 && branches.iter().any(is_null);
        let kept: Vec<_> = branches
            .iter()
            .enumerate()
            .filter(|(_, branch)| !(nullable && is_null(branch)))
            .map(|(i, branch)| (branch, format!("{}/{keyword}/{i}", part.pointer)))
            .collect();
        (!(nullable && kept.len() == 1)).then_some(kept)
    }

    /// How null is allowed, if it is.
    pub fn null(&self) -> Option<NullBy> {
        let listed = match self.get("type") {
            Some(Value::Array(names)) => names.iter().any(|n| is_text(n, "null")),
            Some(name) => is_text(name, "null"),
            None => false,
        };
        if listed {
            return Some(NullBy::Type);
        }
        if let Some(keyword) = self.null_branch {
            return Some(NullBy::Union(keyword));
        }
        self.get("nullable").is_some_and(Value::is_true).then_some(NullBy::Keyword)
    }

    /// The keywords of the schema and of what it is a spelling of, each once.
    pub fn keywords(&self) -> Vec<&'a JsString> {
        let mut keywords: Vec<&JsString> = Vec::new();
        for (keyword, _) in self.parts.iter().flat_map(|part| part.object.entries()) {
            if !keywords.contains(&keyword) {
                keywords.push(keyword);
            }
        }
        keywords
    }
}

/// Whether there is a reference anywhere in a schema (or something that looks like one: then more is compared than need be).
pub(crate) fn has_reference(schema: &Value) -> bool {
    let mut work = vec![schema];
    while let Some(value) = work.pop() {
        match value {
            Value::Object(object) => {
                if object.get(b"$ref").is_some() || object.get(b"$dynamicRef").is_some() {
                    return true;
                }
                work.extend(object.entries().iter().map(|(_, value)| value));
            }
            Value::Array(items) => work.extend(items),
            _ => {}
        }
    }
    false
}

/// A `$ref`'s text.
pub(crate) fn reference(object: &Object) -> Option<String> {
    object.get(b"$ref")?.as_string().map(ToString::to_string)
}

/// Whether a schema says null and nothing else that matters.
fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|t| is_text(t, "null"))
        || schema.get("const").is_some_and(|v| matches!(v, Value::Null))
        || schema.get("enum").and_then(Value::as_array).is_some_and(|v| matches!(v, [Value::Null]))
}

pub(crate) fn is_text(value: &Value, text: &str) -> bool {
    value.as_string().is_some_and(|t| *t == text)
}

/// A pointer with one more step.
pub(crate) fn join(at: &str, key: &str) -> String {
    format!("{at}{}", pointer([Step::Key(key.as_bytes())]))
}

/// The first reference that leads nowhere, as a pointer to it.
pub(crate) fn dangling(schema: &Value) -> Option<String> {
    let root = Root(schema);
    let mut work = vec![(schema, String::new())];
    while let Some((value, at)) = work.pop() {
        let Some(object) = value.as_object() else { continue };
        if reference(object).is_some_and(|text| root.resolve(&text).is_none()) {
            return Some(join(&at, "$ref"));
        }
        let mut inner: Vec<_> = subschemas(object)
            .map(|child| {
                let step = child.key.map(ToString::to_string).or_else(|| child.index.map(|index| index.to_string()));
                let under = join(&at, child.keyword);
                (child.schema, step.map_or(under.clone(), |step| join(&under, &step)))
            })
            .collect();
        inner.reverse();
        work.extend(inner);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_are_looked_through() {
        let text = br##"{"$defs": {"S": {"type": "string", "maxLength": 3}, "loop": {"$ref": "#/$defs/loop"}, "a b": {"type": "null"}},
            "plain": {"type": "string"}, "ref": {"$ref": "#/$defs/S", "description": "d"}, "all": {"allOf": [{"$ref": "#/$defs/S"}]},
            "opt": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/S"}], "default": null}, "loop": {"$ref": "#/$defs/loop"},
            "two": {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "null"}]}, "out": {"$ref": "http://x/y"},
            "enc": {"$ref": "#/$defs/a%20b"}}"##;
        let schema = Value::parse(text).unwrap();
        let root = Root(&schema);
        let side = |key: &str| Side::new(root, schema.get(key).unwrap(), &format!("/{key}"), true);
        for key in ["ref", "all", "opt"] {
            let side = side(key);
            assert_eq!(side.number("maxLength"), Some(3.0), "{key}");
            assert_eq!(side.pointer_of("maxLength"), "/$defs/S/maxLength");
        }
        assert_eq!(side("opt").null(), Some(NullBy::Union("anyOf")));
        assert!(side("opt").union("anyOf").is_none());
        assert_eq!(side("two").union("anyOf").unwrap().len(), 2);
        assert_eq!(side("plain").pointer_of("maxLength"), "/plain/maxLength");
        assert_eq!(side("enc").null(), Some(NullBy::Type));
        assert!(side("loop").get("type").is_none() && side("out").get("type").is_none());
    }
}
