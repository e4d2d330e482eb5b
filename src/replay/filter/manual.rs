//! The manual of the language, written from its tables.

use super::complete::note;
use super::flag::Flag;
use super::sort::SortKey;
use super::term::{Field, TERMS};
use super::value::words;
use std::fmt::Write as _;

/// What stands before the tables.
const START: &str = r#"# Filters

The filter prompt of the terminal app and `misfire check --where` take the same language. A filter is made of terms; a call passes
if all of them match.

    tool:Task* verdict:rejected
    is:bad !kind:unexpected since:1h
    (err:/expected as `\w+`/ | n>2) model:claude*

| written | means |
|---|---|
| `a b` | both; `a & b` is the same |
| `a \| b` | either, or both; "and" binds tighter |
| `tool:a\|b` | without spaces, a list in one term: the tool is one of these |
| `!a` | not |
| `(a \| b) c` | parentheses group |
| `"two words"` | text as it stands; `\"` and `\\` are a quote and a backslash in it |
| `/a.*b/` | a regular expression, in `TEXT` and `NAME`; `\/` is a slash in it |
| `*` `?` | in `NAME`, `PATH` and `POINTER`: any characters, one character |

Case matters only where the pattern has an upper-case letter. A `NAME` is matched whole: `tool:Task*`, not `tool:Task`, finds
`TaskUpdate`. A `TEXT` is found anywhere.

## Terms

| term | short | matches | example |
|---|---|---|---|
"#;

/// What stands behind the table of terms.
const DETAILS: &str = r#"
- **`POINTER`**: a [JSON Pointer](https://www.rfc-editor.org/rfc/rfc6901). `*` stays inside its segment; the segment `**` is any number
  of segments: `at:/items/**`, `at:**/id`. `at:""` is the arguments themselves.
- **`PATH`**: without a slash it is matched with the file's name, with one also with the end of the path: `file:sessions/*.jsonl`.
- **`TIME`**: an age (`30s`, `10m`, `2h`, `7d`, `1w`, `1h30m`), a day (`2026-11-24`, UTC; `until:` takes it to its end), or a moment
  (`2026-11-24T09:13`, `2026-11-24T09:13:14Z`). Calls without a time match neither `since:` nor `until:`.
- **`NUMBER`**: `n:0`, `n>1`, `n>=2`, `n!=1`; `n:0|2` is a list.
- `kind:` and `at:` each ask whether the call has such an issue, not whether it is the same one.
- A word without a term that looks like one (`http://x`) has to be quoted.
"#;

/// What stands before the sort keys.
const IN_THE_APP: &str = "
## In the terminal app

`/` opens the prompt with the last filter in it. It works while it is typed: how many calls pass stands beside it, `Tab` takes the
selected word or value, and a text that is no filter keeps the last good one, with what is wrong underlined. A last word that may
become the name of a term (`kin` of `kind:`) waits for a space, more text or `Enter`. Where only the beginning of a `NAME` stands at
the end (`tool:Task`, and no tool is named so), the calls of all names that begin so are shown, and `Enter` writes the `*`. `Enter` keeps
the filter, `Esc` puts back what was, and `Up` brings back earlier ones, those of earlier runs too. `F3` switches the filter off and on, and `Esc` in the list switches it off. It combines with the tool that is
chosen in the list of tools, and with `M`, which shows only marked calls.

Calls whose arguments or error texts have to be read for an answer come as they are read; how many are left stands in the title. An
attempt that is in no file yet is shown beside its call, and a call that somebody goes to is shown as long as it is selected.

The sort orders are on `o` and a letter; the same one again turns the order round. Filter, order, marks and comments are kept between
runs, outside of the project.

`is:marked` and `is:flipped` are known to the app alone, and `misfire check --where` says what to do instead: `misfire marks`,
`misfire review --calls`. There `is:commented` finds the remarks that stand in captures, not the comments of the app.
";

const SORTING: &str = r"
## Sort orders

A sort order is a list of keys: `time desc, tool`. `asc` is what is meant without `desc`; calls that are equal by all keys stay in
their order.

| key | by |
|---|---|
";

/// The text of `docs/filter.md`.
#[must_use]
pub fn manual() -> String {
    let mut out = START.to_owned();
    // Writing to a string cannot fail.
    for term in &TERMS {
        let name = match term.field {
            Field::Any => term.value.to_owned(),
            Field::Count => format!("{}>{}", term.name, term.value),
            _ => format!("{}:{}", term.name, term.value),
        };
        let short = term.short.map_or(String::new(), |short| format!("`{short} {}`", term.value));
        let _ = writeln!(out, "| `{name}` | {short} | {} | {} |", cell(term.help), code(term.example));
    }
    out.push_str(DETAILS);
    for (field, title) in [(Field::Verdict, "Verdicts"), (Field::Kind, "Kinds of issues")] {
        let _ = write!(out, "\n## {title}\n\n| `{}:` | |\n|---|---|\n", field.term().name);
        for word in words(field) {
            let _ = writeln!(out, "| `{word}` | {} |", note(field, word));
        }
    }
    out.push_str("\n## Flags\n\n| `is:` | short | |\n|---|---|---|\n");
    for flag in Flag::ALL {
        let short = flag.short().map_or(format!("`~{}`", flag.name()), |short| format!("`{short}`"));
        let _ = writeln!(out, "| `{}` | {short} | {} |", flag.name(), flag.help());
    }
    out.push_str(IN_THE_APP);
    out.push_str(SORTING);
    for key in SortKey::ALL {
        let _ = writeln!(out, "| `{}` | {} |", key.name(), key.help());
    }
    out
}

/// A bar would end the cell, in code too.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn code(text: &str) -> String {
    format!("`{}`", cell(text))
}
