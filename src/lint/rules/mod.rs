//! The rules, by what they look at. Each file holds the rules' data and the checks that report them.

pub(super) mod keywords;
pub(super) mod names;
pub(super) mod objects;
pub(super) mod patterns;
pub(super) mod refs;
pub(super) mod request;
pub(super) mod required;
pub(super) mod schema;
pub(super) mod strict;
pub(super) mod text;
pub(super) mod types;
pub(super) mod unions;
pub(super) mod values;

use super::rule::Rule;
use super::sink::Sink;
use super::tool::Tool;

/// The rules of each file, and the check of one definition by them.
type Group = (&'static [&'static Rule], fn(&Tool<'_>, &mut Sink<'_>));

static GROUPS: [Group; 13] = [
    (names::RULES, names::check),
    (text::RULES, text::check),
    (schema::RULES, schema::check),
    (types::RULES, types::check),
    (objects::RULES, objects::check),
    (required::RULES, required::check),
    (values::RULES, values::check),
    (keywords::RULES, keywords::check),
    (patterns::RULES, patterns::check),
    (refs::RULES, refs::check),
    (unions::RULES, unions::check),
    (strict::RULES, strict::check),
    (request::RULES, |_, _| {}),
];

/// Every rule.
pub(super) fn all() -> impl Iterator<Item = &'static Rule> {
    GROUPS.iter().flat_map(|(rules, _)| rules.iter().copied())
}

/// Checks one definition by every rule that looks at one definition alone.
pub(super) fn check(tool: &Tool<'_>, sink: &mut Sink<'_>) {
    for (_, check) in &GROUPS {
        check(tool, sink);
    }
}
