//! The table of rules in the documentation is the one in the program. `UPDATE_DOCS=1 cargo test --test review_docs` writes it.
#![cfg(feature = "jsonschema")]

use misfire::report::review::rules_markdown;
use std::path::Path;

#[test]
fn the_rules_are_documented_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/review.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("<!-- rules -->\n").expect("a mark where the rules begin");
    let (table, after) = rest.split_once("<!-- /rules -->").expect("a mark where they end");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}<!-- rules -->\n{}<!-- /rules -->{after}", rules_markdown())).unwrap();
        return;
    }
    assert!(table == rules_markdown(), "docs/review.md is out of date: run `UPDATE_DOCS=1 cargo test --test review_docs`");
}
