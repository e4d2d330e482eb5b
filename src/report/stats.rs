//! Counts of calls as text for people and as JSON.

use crate::capture::time::rfc3339;
use crate::definition::{Catalog, Definition, Parameter, parameter_path};
use crate::json::{JsString, Object, Value, Visible};
use crate::replay::stats::{ByKind, Count, RetryLoop, Statistics, Timeline, ToolStatistics, Usage};
use std::io::{self, Write};

/// Cells of the longest bar.
const BAR: u64 = 24;
/// The most lines of one kind in the text; the JSON has all.
const MOST: usize = 20;
/// The most columns of a timeline.
const COLUMNS: usize = 60;

/// A tool that is defined or called, with what is counted of it.
struct Tool<'a> {
    name: String,
    definition: Option<&'a Definition>,
    statistics: ToolStatistics,
}

/// The defined tools in the order of the catalog, and then what calls use besides.
fn tools<'a>(statistics: &Statistics, catalog: &'a Catalog) -> Vec<Tool<'a>> {
    let defined = catalog.definitions().iter().map(|definition| {
        let qualified = definition.qualified_name();
        let names = [Some(definition.name()), qualified.as_deref()];
        let own = |name: &&str| catalog.get(name).is_some_and(|known| std::sync::Arc::ptr_eq(known, definition));
        let statistics = statistics.of_tool(names.into_iter().flatten().filter(own));
        Tool { name: qualified.clone().unwrap_or_else(|| definition.name().to_owned()), definition: Some(definition), statistics }
    });
    let others = statistics.tools.iter().filter(|(name, _)| catalog.get(name).is_none());
    let others = others.map(|(name, known)| Tool { name: name.clone(), definition: None, statistics: known.clone() });
    defined.chain(others).collect()
}

/// A number of characters by which a timeline can be read without colours: nothing, and then ever more.
#[must_use]
pub fn level(n: u64, most: u64, signs: usize) -> usize {
    let levels = signs.saturating_sub(1) as u64;
    if n == 0 || most == 0 { 0 } else { usize::try_from(n.saturating_mul(levels).div_ceil(most)).unwrap_or(0).min(signs - 1) }
}

/// How much time so many seconds are, in few letters: `5 min`.
#[must_use]
pub fn duration(seconds: i64) -> String {
    let units = [(604_800, "weeks"), (86_400, "days"), (3_600, "h"), (60, "min"), (1, "s")];
    let (unit, name) = units.into_iter().find(|(unit, _)| seconds % unit == 0 && seconds >= *unit).unwrap_or((1, "s"));
    match (seconds / unit, name) {
        (1, "weeks") => "1 week".to_owned(),
        (1, "days") => "1 day".to_owned(),
        (n, name) => format!("{n} {name}"),
    }
}

/// Kinds with their counts, the most frequent first: `type 3, missing 1`.
#[must_use]
pub fn kinds(kinds: &ByKind) -> String {
    let parts: Vec<String> = sorted(kinds).iter().map(|(kind, n)| format!("{kind} {n}")).collect();
    parts.join(", ")
}

/// Kinds with their counts, the most frequent first.
#[must_use]
pub fn sorted(kinds: &ByKind) -> Vec<(&'static str, u64)> {
    let mut kinds: Vec<(&str, u64)> = kinds.iter().map(|(kind, n)| (*kind, *n)).collect();
    kinds.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    kinds
}

/// Writes the counts for people. Of long lists the first.
///
/// # Errors
/// If the stream cannot be written.
pub fn stats_text(out: &mut dyn Write, statistics: &Statistics, catalog: &Catalog) -> io::Result<()> {
    let Count { calls, failing } = statistics.total;
    let share = (failing * 1_000).checked_div(calls).unwrap_or(0);
    let (s, fail) = (if calls == 1 { "" } else { "s" }, if failing == 1 { "fails" } else { "fail" });
    writeln!(out, "{calls} call{s}, {failing} {fail} ({}.{} %)", share / 10, share % 10)?;
    let tools = tools(statistics, catalog);
    by_tool(out, &tools)?;
    let most = statistics.kinds.values().max().copied().unwrap_or(0);
    heading(out, "failing calls by kind", statistics.kinds.is_empty())?;
    for (kind, n) in sorted(&statistics.kinds) {
        line(out, &format!("  {kind:28} {n:>7}  {}", bar(n, most)))?;
    }
    by_parameter(out, &tools)?;
    heading(out, "by model                         calls    fail", statistics.models.is_empty())?;
    for (model, Count { calls, failing }) in &statistics.models {
        let model = if model.is_empty() { "(not recorded)".to_owned() } else { Visible::new(model).into_string() };
        line(out, &format!("  {model:28} {calls:>7} {failing:>7}"))?;
    }
    timeline(out, &statistics.timeline)?;
    loops(out, &statistics.retry_loops())
}

fn heading(out: &mut dyn Write, text: &str, is_empty: bool) -> io::Result<()> {
    if is_empty { Ok(()) } else { writeln!(out, "\n{text}") }
}

fn line(out: &mut dyn Write, text: &str) -> io::Result<()> {
    writeln!(out, "{}", text.trim_end())
}

fn more(out: &mut dyn Write, all: usize) -> io::Result<()> {
    if all > MOST { writeln!(out, "  and {} more", all - MOST) } else { Ok(()) }
}

/// The cells of the longest text, or at least so many.
fn width<'t>(texts: impl Iterator<Item = &'t str>, least: usize) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0).max(least)
}

fn bar(n: u64, most: u64) -> String {
    let cells = if most == 0 { 0 } else { (n * BAR).div_ceil(most) };
    "#".repeat(usize::try_from(cells).unwrap_or(0))
}

fn by_tool(out: &mut dyn Write, tools: &[Tool<'_>]) -> io::Result<()> {
    let mut called: Vec<&Tool<'_>> = tools.iter().filter(|tool| tool.statistics.count.calls > 0).collect();
    called.sort_by_key(|tool| (std::cmp::Reverse(tool.statistics.count.failing), std::cmp::Reverse(tool.statistics.count.calls)));
    let most = called.first().map_or(0, |tool| tool.statistics.count.failing);
    let width = width(called.iter().take(MOST).map(|tool| tool.name.as_str()), 28);
    heading(out, &format!("{:width$}   calls    fail", "by tool", width = width + 2), called.is_empty())?;
    for Tool { name, statistics, .. } in called.iter().take(MOST) {
        let Count { calls, failing } = statistics.count;
        let name = Visible::new(name).into_string();
        line(out, &format!("  {name:width$} {calls:>7} {failing:>7}  {}  {}", bar(failing, most), kinds(&statistics.kinds)))?;
    }
    more(out, called.len())
}

fn by_parameter(out: &mut dyn Write, tools: &[Tool<'_>]) -> io::Result<()> {
    let mut failing: Vec<(u64, [String; 3])> = Vec::new();
    for tool in tools {
        let rows = tool.definition.map(Definition::parameter_rows).unwrap_or_default();
        let name = Visible::new(&tool.name).into_string();
        let mut add = |place: &str, usage: &Usage, what: &str| {
            if usage.failing > 0 {
                let place = format!("{name}  {}", Visible::new(place));
                let (n, kinds) = (usage.failing, kinds(&usage.kinds));
                failing.push((n, [place, what.to_owned(), kinds]));
            }
        };
        for (row, usage) in tool.statistics.parameters.iter().enumerate().take(rows.len()) {
            add(&parameter_path(&rows, row), usage, &usage.used.to_string());
        }
        add("arguments", &tool.statistics.whole, "");
        // Of a tool that captures alone define nothing is declared here, and all is there.
        let what = if tool.definition.is_some() { "undeclared" } else { "" };
        for (pointer, usage) in &tool.statistics.undeclared {
            add(pointer, usage, what);
        }
    }
    failing.sort_by_key(|(n, _)| std::cmp::Reverse(*n));
    let width = width(failing.iter().take(MOST).map(|(_, [place, ..])| place.as_str()), 40);
    heading(out, &format!("{:width$}       used    fail", "parameters that fail", width = width + 2), failing.is_empty())?;
    for (n, [place, what, kinds]) in failing.iter().take(MOST) {
        line(out, &format!("  {place:width$} {what:>10} {n:>7}  {kinds}"))?;
    }
    more(out, failing.len())
}

fn timeline(out: &mut dyn Write, timeline: &Timeline) -> io::Result<()> {
    let Some(start) = timeline.start() else { return Ok(()) };
    let (buckets, seconds) = timeline.at_most(COLUMNS);
    writeln!(out, "\nover time, from {}, each column {}", rfc3339(start), duration(seconds))?;
    let signs: Vec<char> = " .:-=+*#@".chars().collect();
    let most = buckets.iter().map(|count| count.calls).max().unwrap_or(0);
    for (name, of) in [("calls", (|c| c.calls) as fn(&Count) -> u64), ("fail", |c| c.failing)] {
        let drawn: String = buckets.iter().map(|count| signs[level(of(count), most, signs.len())]).collect();
        writeln!(out, "  {name:6} |{drawn}|")?;
    }
    if timeline.untimed.calls > 0 {
        writeln!(out, "  {} calls have no time", timeline.untimed.calls)?;
    }
    Ok(())
}

fn loops(out: &mut dyn Write, loops: &[&RetryLoop]) -> io::Result<()> {
    heading(out, "tried again with the same arguments, and failed again", loops.is_empty())?;
    for RetryLoop { tool, session, times, file, line } in loops.iter().take(MOST) {
        let session = session.as_ref().map(|session| format!("  session {}", Visible::new(session))).unwrap_or_default();
        let place = Visible::new(&file.to_string_lossy()).into_string();
        writeln!(out, "  {times:>3} times  {}  {place}:{line}{session}", Visible::new(tool))?;
    }
    more(out, loops.len())
}

/// The counts as JSON, complete.
#[must_use]
pub fn stats_object(statistics: &Statistics, catalog: &Catalog) -> Value {
    let tools: Vec<Value> = tools(statistics, catalog).iter().map(tool_object).collect();
    let models = statistics.models.iter().map(|(model, count)| {
        let model = if model.is_empty() { Value::Null } else { model.as_str().into() };
        with_count(vec![("model", model)], *count)
    });
    let loops = statistics.retry_loops().into_iter().map(|known| {
        Value::from([
            ("tool", known.tool.as_str().into()),
            ("session", known.session.as_deref().into()),
            ("times", number(known.times)),
            ("source", format!("{}:{}", known.file.display(), known.line).into()),
        ])
    });
    let mut members = vec![("schema_version", 1_u32.into())];
    members.extend([("calls", number(statistics.total.calls)), ("failing", number(statistics.total.failing))]);
    members.push(("kinds", kinds_object(&statistics.kinds)));
    members.push(("tools", tools.into()));
    members.push(("models", models.collect::<Vec<_>>().into()));
    members.push(("timeline", timeline_object(&statistics.timeline)));
    members.push(("retry_loops", loops.collect::<Vec<_>>().into()));
    object(members)
}

fn object(members: Vec<(&str, Value)>) -> Value {
    Value::Object(members.into_iter().map(|(key, value)| (JsString::from(key), value)).collect::<Object>())
}

fn number(n: u64) -> Value {
    u32::try_from(n).unwrap_or(u32::MAX).into()
}

fn with_count(mut members: Vec<(&str, Value)>, count: Count) -> Value {
    members.extend([("calls", number(count.calls)), ("failing", number(count.failing))]);
    object(members)
}

fn kinds_object(kinds: &ByKind) -> Value {
    object(sorted(kinds).into_iter().map(|(kind, n)| (kind, number(n))).collect())
}

fn usage_members(usage: &Usage) -> [(&'static str, Value); 3] {
    [("used", number(usage.used)), ("failing", number(usage.failing)), ("kinds", kinds_object(&usage.kinds))]
}

fn tool_object(tool: &Tool<'_>) -> Value {
    let rows = tool.definition.map(Definition::parameter_rows).unwrap_or_default();
    let statistics = &tool.statistics;
    let parameter = |(n, row): (usize, &Parameter)| {
        let usage = statistics.parameters.get(n).cloned().unwrap_or_default();
        let mut members = vec![("path", parameter_path(&rows, n).into()), ("pointer", row.pointer.as_str().into())];
        members.push(("required", row.required.into()));
        members.extend(usage_members(&usage));
        object(members)
    };
    let parameters: Vec<Value> = rows.iter().enumerate().map(parameter).collect();
    let undeclared: Vec<Value> = statistics
        .undeclared
        .iter()
        .map(|(pointer, usage)| {
            let mut members = vec![("pointer", Value::from(&**pointer))];
            members.extend(usage_members(usage).into_iter().skip(1));
            object(members)
        })
        .collect();
    object(vec![
        ("name", tool.name.as_str().into()),
        ("defined", tool.definition.is_some().into()),
        ("calls", number(statistics.count.calls)),
        ("failing", number(statistics.count.failing)),
        ("kinds", kinds_object(&statistics.kinds)),
        ("parameters", parameters.into()),
        ("undeclared", undeclared.into()),
    ])
}

fn timeline_object(timeline: &Timeline) -> Value {
    let buckets: Vec<Value> = timeline.buckets().iter().map(|count| with_count(Vec::new(), *count)).collect();
    object(vec![
        ("start", timeline.start().map(rfc3339).into()),
        ("seconds", number(u64::try_from(timeline.seconds()).unwrap_or_default())),
        ("buckets", buckets.into()),
        ("untimed", with_count(Vec::new(), timeline.untimed)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_and_durations() {
        assert_eq!([0, 1, 5, 9, 10].map(|n| level(n, 10, 9)), [0, 1, 4, 8, 8]);
        assert_eq!((level(3, 0, 9), level(1, 1_000_000, 9)), (0, 1));
        let shown = [1, 5, 60, 900, 3_600, 43_200, 86_400, 604_800, 2_419_200, 90].map(duration);
        assert_eq!(shown, ["1 s", "5 s", "1 min", "15 min", "1 h", "12 h", "1 day", "1 week", "4 weeks", "90 s"]);
    }
}
