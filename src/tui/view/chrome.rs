//! The rows around the panes: header, status, hints.

use super::super::edit::attempts::UNSAVED;
use super::super::job::kind;
use super::super::keys::ActionId;
use super::super::keys::footer::{GAP, footer as hints};
use super::super::notices::Level;
use super::super::runtime::ledger::{SPIN, WORTH_SHOWING};
use super::super::runtime::watch::Mode;
use super::super::state::{State, Tab, Watching};
use super::super::text::Line;
use super::super::theme::Role;
use super::super::update::rules_title;
use super::{Canvas, number, tree};
use crate::json::Visible;
use ratatui::layout::Rect;

/// Whose screen this is, what it shows, and how that is followed.
pub(super) fn header(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let (before, filter) = header_parts(state, canvas, area.width.into());
    let line = before.and(filter);
    canvas.row(area, 0, &line);
    // Where there is no room for all of it, how many calls are wrong is what matters.
    let whole = counts(state, canvas);
    let fits = line.width() + 2 + whole.width() <= area.width.into();
    let counts = if fits { whole } else { failing(state, canvas) };
    canvas.row_right(area, 0, &counts, line.width() + 2);
}

/// Cells that the filter has at least beside the counts; otherwise it has all of them.
const BESIDE: usize = 24;

/// What is followed and how, and what hides calls.
pub(super) fn header_parts(state: &State, canvas: &Canvas<'_>, width: usize) -> (Line, Line) {
    let (accent, muted) = (canvas.style(Role::Accent), canvas.style(Role::Muted));
    let rules = rules_title(state.data.gate.profile());
    let mut line =
        Line::word(" misfire ", accent).and_word(" ", muted).and_word(rules, canvas.style(Role::Text)).and_word(" ", muted);
    if state.demo {
        line = line.and_word(" DEMO on throwaway data ", canvas.style(Role::Warn));
    }
    let filter = filter(state, canvas);
    let watching = match &state.watching {
        Watching::Nothing => Line::new(),
        Watching::Starting => Line::word("  * starting to watch", muted),
        Watching::Active(Mode::Told) => Line::word("  * watching", muted),
        Watching::Active(Mode::Looking(_)) => Line::word("  ! looking once a second", canvas.style(Role::Warn)),
    };
    let sources =
        state.sources.iter().fold(Line::new(), |line, source| line.and_word(" ", muted).and_data(source, muted, canvas.theme()));
    // What hides calls, and how many are wrong, must be seen; where from they are is less of a surprise.
    let counts_fit = line.width() + sources.width() + watching.width() + 2 + counts(state, canvas).width() <= width;
    let has_room = if filter.is_empty() { counts_fit } else { width >= 100 };
    if has_room {
        line = line.and(sources);
    }
    let before = line.and(watching);
    if filter.is_empty() {
        return (before, filter);
    }
    let before = before.and_word("  ", muted);
    let room = width.saturating_sub(before.width());
    let beside = room.saturating_sub(counts(state, canvas).width() + 2);
    let room = if filter.width() <= beside || beside >= BESIDE { beside } else { room };
    let filter = filter.truncated(room, canvas.theme());
    (before, filter)
}

/// What hides calls, or would if it were not switched off.
fn filter(state: &State, canvas: &Canvas<'_>) -> Line {
    let (text, muted, warn) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Warn));
    let find = &state.data.find;
    let mut line = Line::new();
    if find.only_marked() {
        line = line.and_word("only marked", warn);
    }
    if find.text().trim().is_empty() {
        return line;
    }
    if !line.is_empty() {
        line = line.and_word("  ", muted);
    }
    let written = Visible::new(find.text());
    if find.is_on() {
        line.and_word("filter: ", warn).and_data(&written, text, canvas.theme())
    } else {
        line.and_word("filter off: ", muted).and_data(&written, muted, canvas.theme())
    }
}

/// How much there is, and how much of it is wrong.
fn counts(state: &State, canvas: &Canvas<'_>) -> Line {
    let (text, muted, bad) = (canvas.style(Role::Text), canvas.style(Role::Muted), canvas.style(Role::Bad));
    let (tools, total) = (&state.data.tools, state.data.rows.total());
    if tools.definitions == 0 && total.calls == 0 {
        return Line::new();
    }
    let mut line = number(tools.definitions, text).and_word(" tools  ", muted);
    if tools.findings > 0 {
        line = line.and(number(tools.findings, bad)).and_word(" cannot be read  ", bad);
    }
    line = line.and(number(total.calls, text)).and_word(" calls  ", muted);
    line.and(failing(state, canvas))
}

/// How many calls are wrong.
fn failing(state: &State, canvas: &Canvas<'_>) -> Line {
    let total = state.data.rows.total();
    if total.calls == 0 && state.data.tools.definitions == 0 {
        return Line::new();
    }
    let style = canvas.style(if total.failing > 0 { Role::Bad } else { Role::Muted });
    number(total.failing, style).and_word(" bad ", style)
}

/// Where one is: tool, call, place in the arguments.
fn place(state: &State, canvas: &Canvas<'_>) -> Line {
    let (text, muted) = (canvas.style(Role::Text), canvas.style(Role::Muted));
    if state.is_reviewing()
        && let Some((tool, finding)) = state.review.finding()
    {
        let name = Line::word(" ", text).and_data(&Visible::new(&tool.name), text, canvas.theme());
        return name.and_word(" > ", muted).and_data(&Visible::new(&finding.pointer), text, canvas.theme());
    }
    let Some(look) = &state.look.call else { return Line::new() };
    let mut line = Line::word(" ", text).and_data(&Visible::new(&look.shown.call.tool), text, canvas.theme());
    let is_saved = look.shown.id.file != UNSAVED;
    let place = if is_saved { look.shown.call.place.to_string() } else { state.version_name(look.shown.id) };
    line = line.and_word(" > ", muted).and_data(&Visible::new(&place), text, canvas.theme());
    let node = look.arguments.as_ref().filter(|_| state.tab == Tab::Arguments).map(|tree| tree.outline().path(tree.node()).0);
    let line = match node.filter(|path| !path.is_empty()) {
        Some(path) => line.and_word(" > ", muted).and_data(&Visible::new(&path), text, canvas.theme()),
        None => line,
    };
    match super::detail::comment(state, canvas, look) {
        Some(comment) => line.and_word("  ", muted).and(comment),
        None => line,
    }
}

/// What was just said, or where one is; what goes on; what has been typed.
pub(super) fn status(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let left = notice(state, canvas).unwrap_or_else(|| place(state, canvas));
    let right = super::prompt::found(state, canvas).and(marked(state, canvas)).and(job(state, canvas)).and(typed(state, canvas));
    let width = usize::from(area.width);
    // What was said is cut where the other begins, and is seen to be cut.
    let said = state.notices.shown().is_some() && right.width() <= width / 2;
    let left = if said { whole_or_cut(state, canvas, left, width - right.width()) } else { left };
    canvas.row(area, 0, &left);
    let taken = if state.notices.shown().is_some() { 0 } else { left.width() };
    canvas.row_right(area, 0, &right, taken.min(width));
}

/// What was said; where it does not fit, or has taken the place of other warnings, also where the rest is.
fn whole_or_cut(state: &State, canvas: &Canvas<'_>, said: Line, room: usize) -> Line {
    let (muted, unread) = (canvas.style(Role::Muted), state.notices.unread());
    if said.width() <= room && unread == 0 {
        return said;
    }
    let key = super::key(state, canvas, ActionId::ShowPalette);
    let more = match unread {
        0 => Line::word("  ", muted),
        n => Line::word("  ", muted).and(number(n, muted)).and_word(" more, ", muted),
    };
    let more = more.and(key).and_word(" show-log", muted);
    // On a narrow screen what was said comes before where the rest of it is.
    if more.width() * 4 > room {
        return said.truncated(room, canvas.theme());
    }
    said.truncated(room - more.width(), canvas.theme()).and(more)
}

/// How many calls are marked.
fn marked(state: &State, canvas: &Canvas<'_>) -> Line {
    let style = canvas.style(Role::Muted);
    match state.data.find.notes.marked() {
        0 => Line::new(),
        n => Line::word(" ", style).and(number(n, style)).and_word(" marked ", style),
    }
}

fn notice(state: &State, canvas: &Canvas<'_>) -> Option<Line> {
    let notice = state.notices.shown()?;
    let (word, role) = match notice.level {
        Level::Info => (" ", Role::Text),
        Level::Warning => (" warning: ", Role::Warn),
        Level::Error => (" error: ", Role::Bad),
    };
    let style = canvas.style(role);
    let line = Line::word(word, style);
    Some(notice.lines.iter().take(1).fold(line, |line, text| line.and_data(text, style, canvas.theme())))
}

/// The job that has been running for longest, with how far it is.
fn job(state: &State, canvas: &Canvas<'_>) -> Line {
    const BAR: u64 = 10;
    let style = canvas.style(Role::Muted);
    let Some((key, running)) = state.jobs.oldest().filter(|(_, job)| state.now >= job.since + WORTH_SHOWING) else {
        return Line::new();
    };
    let step = u64::try_from(state.now.as_millis() / SPIN.as_millis()).unwrap_or_default();
    let line = Line::word(" ", style)
        .and_word(canvas.theme().spinner(step), style)
        .and_word(" ", style)
        .and_word(key.kind, style)
        .and_word(" ", style);
    let Some((done, total)) = running.progress.filter(|(_, total)| *total > 0) else { return line };
    let filled = (done.min(total).saturating_mul(BAR) / total).min(BAR);
    let line = if key.kind == kind::LOADING {
        let bytes = |n: u64| tree::size(usize::try_from(n).unwrap_or(usize::MAX), style);
        line.and(number(state.data.rows.total().calls, style))
            .and_word(", ", style)
            .and(bytes(done))
            .and_word(" of ", style)
            .and(bytes(total))
    } else {
        line.and_number(done, style).and_word("/", style).and_number(total, style)
    };
    let mut line = line.and_word(" [", style);
    for n in 0..BAR {
        line = line.and_word(if n < filled { "#" } else { "-" }, style);
    }
    line.and_word("] ", style)
}

/// A number or the beginning of a sequence, as it has been typed so far.
fn typed(state: &State, canvas: &Canvas<'_>) -> Line {
    let style = canvas.style(Role::Accent);
    let mut line = Line::new();
    if let Some(count) = state.pending.count() {
        line = line.and_word(" ", style).and_number(count, style);
    }
    for chord in state.pending.chords() {
        line = line.and_word(" ", style).and_data(&Visible::new(&chord.to_string()), style, canvas.theme());
    }
    line.and_word(" ", style)
}

/// What can be done here and now.
pub(super) fn footer(state: &State, canvas: &mut Canvas<'_>, area: Rect) {
    let (key, word) = (canvas.style(Role::Accent), canvas.style(Role::Muted));
    let mut line = Line::word(" ", word);
    let width = usize::from(area.width).saturating_sub(1);
    for (n, hint) in hints(&state.keymap, state.context(), &state.snapshot(), width).iter().enumerate() {
        if n > 0 {
            line = line.clone().pad_to(line.width() + GAP, word);
        }
        line = line.and_data(&Visible::new(&hint.keys), key, canvas.theme()).and_word(" ", word).and_word(hint.title, word);
    }
    canvas.row(area, 0, &line);
}
