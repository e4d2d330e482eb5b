//! Finding a call by letters of what its row shows.

use super::rows::Rows;
use crate::capture::index::CallId;
use crate::replay::filter::{Flags, Fuzzy};
use crate::replay::{LabelReader, is_summary_cut};

/// The best of those that match are kept; nobody goes through more.
pub const BEST: usize = 500;
/// Rows between two looks at whether anybody still wants to know.
const STEP: usize = 1024;
/// What stands between two parts of a row.
const BETWEEN: &str = "  ";

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FuzzyCalls {
    /// What was typed.
    pub typed: String,
    /// It has not been looked for yet.
    pub(in crate::tui) stale: bool,
    /// What was found is not what is looked for now, …
    pub(in crate::tui) pending: bool,
    /// … and the best of it is to be gone to as soon as it is known.
    pub(in crate::tui) go: bool,
    /// The best matches, the best first.
    pub found: Vec<CallId>,
    /// How many match.
    pub matches: usize,
}

impl FuzzyCalls {
    /// Something else is looked for.
    pub(in crate::tui) fn ask(&mut self, typed: &str) {
        typed.clone_into(&mut self.typed);
        (self.stale, self.pending, self.go) = (true, true, false);
    }

    /// Takes in what was found.
    pub(in crate::tui) fn take_in(&mut self, (found, matches): (Vec<CallId>, usize)) {
        (self.found, self.matches, self.pending) = (found, matches, false);
    }
}

/// Writes the text in which letters are looked for: tool, what is wrong or the arguments, id, model, session.
pub fn write_text(id: CallId, rows: &Rows, reader: &mut LabelReader, out: &mut String) {
    out.clear();
    let Some(facts) = rows.facts(id, Flags::NONE) else { return };
    out.push_str(facts.tool);
    let (summary, call_id) = rows.words_with(id, reader);
    let cut = if is_summary_cut(summary) { "..." } else { "" };
    for (part, end) in [Some(summary), call_id, facts.model, facts.session].into_iter().zip([cut, "", "", ""]) {
        if let Some(part) = part.filter(|part| !part.is_empty()) {
            out.extend([BETWEEN, part, end]);
        }
    }
}

/// The calls that match, the best first and of equal ones the newest; and how many there are. Nothing if nobody wants to know
/// any more.
pub fn rank(typed: &str, rows: &Rows, is_cancelled: impl Fn() -> bool) -> Option<(Vec<CallId>, usize)> {
    let (mut fuzzy, mut text, mut reader) = (Fuzzy::new(typed), String::new(), LabelReader::default());
    let mut rated = Vec::new();
    for (n, id) in rows.ids().enumerate() {
        if n % STEP == 0 && is_cancelled() {
            return None;
        }
        write_text(id, rows, &mut reader, &mut text);
        if let (Some(score), Some(place)) = (fuzzy.score(&text), rows.place(id)) {
            rated.push((-score, place));
        }
    }
    let matches = rated.len();
    if matches > BEST {
        rated.select_nth_unstable(BEST);
        rated.truncate(BEST);
    }
    rated.sort_unstable();
    Some((rated.into_iter().map(|(_, place)| place.id).collect(), matches))
}
