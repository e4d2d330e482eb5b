//! What to do where there is nothing to show.

use super::super::keys::ActionId;
use super::super::state::{Example, Loading, State, ToolKey, Watching};
use super::super::text::Line;
use super::super::theme::Role;
use super::{Canvas, key};
use crate::json::Visible;
use ratatui::layout::Rect;
use std::path::Path;

/// No definitions.
pub(super) fn tools(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    if state.loading == Loading::UnderWay {
        return card(canvas, area, &[Line::word("Reading definitions.", muted)]);
    }
    let mut lines = vec![Line::word("No tools yet.", text)];
    if let Some(desk) = &state.desk {
        lines.extend(desk.tools().iter().map(|path| {
            let path = Visible::new(&path.to_string_lossy());
            Line::word("Looked in ", muted).and_data(&path, text, canvas.theme())
        }));
    }
    lines.push(Line::word("Put definitions there, one tool a file (NAME.json), or start with --tools PATH.", muted));
    card(canvas, area, &lines);
}

/// No calls, or none that are let through.
pub(super) fn calls(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    if state.data.calls.all().is_empty() {
        // Nothing is hidden.
    } else if state.data.find.filters() || state.data.find.only_marked() {
        return hidden(state, canvas, area);
    } else if let Some(filter) = state.data.find.tool() {
        let name = match filter {
            ToolKey::Definition(name) => name.as_str(),
            ToolKey::Unknown(name) => name,
            ToolKey::Finding(..) | ToolKey::All => "this file",
        };
        let none = Line::word("No calls of ", text).and_data(&Visible::new(name), text, canvas.theme());
        let hidden = Line::new().and_number(state.data.rows.total().calls as u64, muted).and_word(" others are hidden. ", muted);
        return card(canvas, area, &[none, hidden.and(key(state, canvas, ActionId::Back)).and_word(" shows them.", muted)]);
    }
    if state.loading == Loading::UnderWay {
        return card(canvas, area, &[Line::word("Reading calls.", muted)]);
    }
    let mut lines = vec![Line::word("No calls yet.", text)];
    if let Some(desk) = &state.desk {
        let watched = matches!(state.watching, Watching::Active(_));
        lines.extend(desk.sessions().iter().map(|path| {
            let path = Visible::new(&path.to_string_lossy());
            Line::word(if watched { "Watched: " } else { "Looked in " }, muted).and_data(&path, text, canvas.theme())
        }));
    }
    lines.push(Line::word("Put captured sessions there, or start with --sessions PATH: a folder or a file.", muted));
    // Where there is an example, it stands beside this, with the commands that write it.
    if state.example().is_none() {
        lines.push(Line::word("One line of JSON is a call:", muted));
        lines.push(Line::word("{\"tool\": \"Read\", \"arguments\": {\"file_path\": \"a.md\"}}", text));
    }
    lines.push(Line::word("What is added is shown at once.", muted));
    card(canvas, area, &lines);
}

/// The filter lets none through.
fn hidden(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    let find = &state.data.find;
    let (hidden, undecided) = state.data.calls.hidden(find);
    let none = if find.filters() {
        Line::word("No call passes the filter ", text).and_data(
            &Visible::new(find.text()),
            canvas.style(Role::Accent),
            canvas.theme(),
        )
    } else {
        Line::word("No marked call is here", text)
    };
    let none = match (find.tool(), state.data.tools.row()) {
        (Some(ToolKey::Definition(name)), _) => {
            none.and_word(" among those of ", text).and_data(&Visible::new(name), text, canvas.theme())
        }
        (Some(ToolKey::Unknown(name)), _) => {
            none.and_word(" among those of ", text).and_data(&Visible::new(name), text, canvas.theme())
        }
        _ => none,
    };
    let mut lines = Vec::new();
    if undecided > 0 {
        lines.push(Line::new().and_number(undecided as u64, muted).and_word(" are still to be read.", muted));
    }
    let counted = Line::new().and_number(hidden as u64, muted);
    let counted = counted.and_word(if hidden == 1 { " call is hidden. " } else { " calls are hidden. " }, muted);
    let counted = counted.and(key(state, canvas, ActionId::Back));
    lines.push(if find.filters() {
        let line = counted.and_word(" or ", muted).and(key(state, canvas, ActionId::ToggleFilter));
        let line = line.and_word(" switches it off, ", muted).and(key(state, canvas, ActionId::Filter));
        line.and_word(" changes it.", muted)
    } else {
        counted.and_word(" shows them.", muted)
    });
    card_under(canvas, area, &none, &lines);
}

/// The typed letters are in no tool's name.
pub(super) fn no_tool_matches(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let (text, muted, accent) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Accent));
    let typed = Visible::new(state.data.tools.typed());
    let none = Line::word("No tool's name has the letters ", text).and_data(&typed, accent, canvas.theme());
    let clears =
        key(state, canvas, ActionId::Back).and_word(" shows all ", muted).and_number(state.data.tools.all().len() as u64, muted);
    card_under(canvas, area, &none, &[clears.and_word(" again.", muted)]);
}

/// No call to look at.
pub(super) fn detail(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let muted = canvas.style(Role::Muted);
    if let Some(why) = &state.look.failed {
        let line = Line::data(&Visible::new(why), canvas.style(Role::Bad), canvas.theme());
        return card(canvas, area, &[line, key(state, canvas, ActionId::Rescan).and_word(" reads everything again.", muted)]);
    }
    if let Some(example) = state.example() {
        return first_steps(state, canvas, area, &example);
    }
    let line = if state.look.wanted.is_some() { "Reading the call." } else { "No call is selected." };
    card(canvas, area, &[Line::word(line, muted)]);
}

/// How to come by something to look at: the two steps, or where there are definitions how to capture calls.
fn first_steps(state: &State, canvas: &mut Canvas<'_>, area: Rect, example: &Example) {
    let (text, muted, accent) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Accent));
    let data = |data: &str| Line::data(&Visible::new(data), text, canvas.theme());
    let file = |words: &'static str, path: &Path| {
        let path = Visible::new(&path.to_string_lossy());
        Line::word(words, muted).and_data(&path, text, canvas.theme()).and_word(":", muted)
    };
    let copies = key(state, canvas, ActionId::CopyExample);
    let demo = Line::word("misfire demo", accent).and_word(" shows all of it on throwaway data.", muted);
    let mut lines = Vec::new();
    if let Some((path, definition)) = &example.definition {
        lines.push(Line::word("Two steps; ", text).and(copies).and_word(" copies both as commands. Or: ", muted).and(demo));
        lines.push(file("1. A definition, one tool a file, as in ", path));
        lines.push(data(definition));
        lines.push(file("2. A call, one line each, as in ", &example.call.0));
        lines.push(data(&example.call.1));
        lines.push(Line::word("What is saved is judged at once.", muted));
    } else {
        lines.push(Line::word("How to capture calls", text));
        lines.push(
            Line::word("Logs of Claude Code, Codex, wave-agent, API traffic, MCP and more are read as they are: ", muted)
                .and_word("--sessions PATH", accent)
                .and_word(", or copy them to where they are looked for.", muted),
        );
        lines.push(Line::word("misfire import LOG --redact", accent).and_word(" takes out what is private.", muted));
        let line = file("Your own agent appends a line for each call, as in ", &example.call.0);
        lines.push(line);
        lines.push(data(&example.call.1).and_word("  ", muted).and(copies).and_word(" copies it as a command.", muted));
        lines.push(demo);
    }
    card(canvas, area, &lines);
}

/// Lines that say what to do, under one that may be so long that it has to leave room for them.
fn card_under(canvas: &mut Canvas<'_>, area: Rect, first: &Line, lines: &[Line]) {
    let width = usize::from(area.width.saturating_sub(2));
    let below: usize = lines.iter().map(|line| line.wrapped(width).len()).sum();
    let room = usize::from(area.height).saturating_sub(below).max(1);
    let mut shown = first.wrapped(width);
    if shown.len() > room {
        shown.truncate(room);
        let cut = shown.pop().unwrap_or_default().truncated(width.saturating_sub(1), canvas.theme());
        shown.push(cut.and_word(canvas.theme().ellipsis(), canvas.style(Role::Muted)));
    }
    shown.extend_from_slice(lines);
    card(canvas, area, &shown);
}

/// Lines that explain, wrapped.
pub(super) fn card(canvas: &mut Canvas<'_>, area: Rect, lines: &[Line]) {
    let area = Rect { x: area.x.saturating_add(1), width: area.width.saturating_sub(2), ..area };
    let lines: Vec<Line> = lines.iter().flat_map(|line| line.wrapped(area.width.into())).collect();
    canvas.rows(area, &lines);
}
