//! The table of rules for the documentation.

use crate::report::escape::sentence;
use crate::review::{Effect, RuleId};
use std::fmt::Write as _;

/// Every rule as a row of a Markdown table, each with an anchor of its name.
#[must_use]
pub fn rules_markdown() -> String {
    let mut out =
        String::from("| rule | severity | new | recorded | stale | what is said |\n| --- | --- | --- | --- | --- | --- |\n");
    for id in RuleId::ALL {
        let rule = id.rule();
        let said = [("{t}", "TOOL"), ("{p}", "PLACE"), ("{k}", "…"), ("{a}", "BEFORE"), ("{b}", "AFTER")]
            .iter()
            .fold(rule.message.to_owned(), |text, (slot, name)| text.replace(slot, name));
        let (id, directions) = (rule.id, rule.directions);
        let [new, recorded, stale] = [directions.new, directions.recorded, directions.stale].map(Effect::name);
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| <a id=\"{id}\"></a>`{id}` | {} | {new} | {recorded} | {stale} | {} |",
            rule.severity,
            sentence(&said, true)
        );
    }
    out
}
