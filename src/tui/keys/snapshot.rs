//! What decides whether an action can be done: plain facts, taken from the state before a key is looked up.

/// The facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one fact that some action asks for")]
pub struct Snapshot {
    /// A tool is selected.
    pub tool: bool,
    /// A call is selected.
    pub call: bool,
    /// The selected call's arguments are kept and can be judged again.
    pub replayable: bool,
    /// The selected call was edited and the edit has not been replayed.
    pub edited: bool,
    /// An attempt at the selected call is in no file yet.
    pub unsaved: bool,
    /// How many attempts there are at the selected call, the original included.
    pub attempts: usize,
    /// How many issues the selected call has.
    pub issues: usize,
    /// There is a text that the model gets.
    pub model_text: bool,
    /// A value inside the arguments or the schema is selected.
    pub node: bool,
    /// A review has been made.
    pub review: bool,
    /// A finding of the review is selected.
    pub finding: bool,
    /// A call is selected that the screen does not show: keys are not about it.
    pub elsewhere: bool,
    /// Something is selected that can be opened.
    pub opens: bool,
    /// Flips are shown, and have the keys.
    pub at_flips: bool,
    /// A review is shown, and has the keys.
    pub at_review: bool,
    /// The tree of definitions is shown, and has the keys.
    pub at_definitions: bool,
    /// What is shown is compared with a revision.
    pub compares: bool,
    /// There are revisions to compare with, as far as is known.
    pub history: bool,
    /// Lint has notes on definitions.
    pub notes: bool,
    /// Other definitions or parameters than the selected one were found.
    pub found: bool,
    /// What is selected can be folded.
    pub folds: bool,
    /// What is written or chosen can be taken.
    pub accepts: bool,
    /// Before and after are shown already, and have the keys.
    pub comparing: bool,
    /// The selected finding of the review is accepted.
    pub accepted: bool,
    /// There are calls.
    pub calls: bool,
    /// A call is selected in the list.
    pub row: bool,
    /// There is something to search in.
    pub searchable: bool,
    /// Something has been searched for.
    pub search: bool,
    /// A filter is being written, and there is something that can be typed next.
    pub completes: bool,
    /// There are no calls yet, and something to begin with instead.
    pub example: bool,
    /// Calls are marked.
    pub marks: bool,
    /// There is a filter, in force or switched off.
    pub filter: bool,
    /// Definitions are laid out, to be explored.
    pub definition: bool,
    /// A job runs.
    pub job: bool,
    /// There are definitions and calls, or places to look for them.
    pub judged: bool,
    /// Folders or files are watched.
    pub watching: bool,
}

/// Why not, in words.
pub type Refusal = &'static str;

type Check = Result<(), Refusal>;

fn need(fact: bool, refusal: Refusal) -> Check {
    if fact { Ok(()) } else { Err(refusal) }
}

#[expect(clippy::unnecessary_wraps, reason = "one signature for all checks")]
pub(super) fn always(_: &Snapshot) -> Check {
    Ok(())
}

pub(super) fn tool(snapshot: &Snapshot) -> Check {
    need(snapshot.tool || snapshot.finding, "no tool is selected")
}

pub(super) fn call(snapshot: &Snapshot) -> Check {
    seen(snapshot)?;
    need(snapshot.call, "no call is selected")
}

fn seen(snapshot: &Snapshot) -> Check {
    need(!snapshot.elsewhere, "this pane is not about the selected call: Tab goes to the calls")
}

pub(super) fn file(snapshot: &Snapshot) -> Check {
    if snapshot.finding { Ok(()) } else { call(snapshot) }
}

pub(super) fn opens(snapshot: &Snapshot) -> Check {
    need(snapshot.opens, "there is nothing to open here")
}

pub(super) fn flips(snapshot: &Snapshot) -> Check {
    need(!snapshot.at_flips, "that is what is shown")
}

pub(super) fn no_review(snapshot: &Snapshot) -> Check {
    need(!snapshot.at_review, "that is what is shown")
}

pub(super) fn definitions(snapshot: &Snapshot) -> Check {
    definition(snapshot)?;
    need(!snapshot.at_definitions, "that is what is shown")
}

pub(super) fn compares(snapshot: &Snapshot) -> Check {
    need(snapshot.compares, "only flips (F) and the review (V) are compared with a revision")?;
    need(snapshot.history, "there is no git history to compare with")
}

pub(super) fn notes(snapshot: &Snapshot) -> Check {
    definition(snapshot)?;
    need(snapshot.notes, "lint has no notes")
}

pub(super) fn found(snapshot: &Snapshot) -> Check {
    need(snapshot.found, "nothing else was found: / searches")
}

pub(super) fn review(snapshot: &Snapshot) -> Check {
    need(snapshot.review, "there is no review yet: V makes one")
}

pub(super) fn finding(snapshot: &Snapshot) -> Check {
    need(snapshot.finding, "no finding of a review is selected")?;
    need(!snapshot.accepted, "this finding is accepted already")
}

pub(super) fn accepts(snapshot: &Snapshot) -> Check {
    need(snapshot.accepts, "there is nothing to take")
}

pub(super) fn compared(snapshot: &Snapshot) -> Check {
    attempts(snapshot)?;
    need(!snapshot.comparing, "that is what is shown")
}

pub(super) fn replayable(snapshot: &Snapshot) -> Check {
    call(snapshot)?;
    need(snapshot.replayable, "the arguments of this call were not kept")
}

pub(super) fn edited(snapshot: &Snapshot) -> Check {
    call(snapshot)?;
    need(snapshot.edited, "nothing has been edited")
}

pub(super) fn attempts(snapshot: &Snapshot) -> Check {
    call(snapshot)?;
    need(snapshot.attempts > 1, "there is only the original: replay it first")
}

pub(super) fn unsaved(snapshot: &Snapshot) -> Check {
    call(snapshot)?;
    need(snapshot.unsaved, "there is no attempt that is not in a file already")
}

pub(super) fn issues(snapshot: &Snapshot) -> Check {
    call(snapshot)?;
    need(snapshot.issues > 0, "this call has no issues")
}

pub(super) fn model_text(snapshot: &Snapshot) -> Check {
    call(snapshot)?;
    need(snapshot.model_text, "the model gets no error text for this call")
}

pub(super) fn node(snapshot: &Snapshot) -> Check {
    need(snapshot.node, "no value is selected")
}

pub(super) fn folds(snapshot: &Snapshot) -> Check {
    node(snapshot)?;
    need(snapshot.folds, "nothing stands inside of it")
}

pub(super) fn definition(snapshot: &Snapshot) -> Check {
    need(snapshot.definition, "there are no definitions")
}

pub(super) fn judged(snapshot: &Snapshot) -> Check {
    need(snapshot.judged, "there is nothing to judge")
}

pub(super) fn calls(snapshot: &Snapshot) -> Check {
    need(snapshot.calls, "there are no calls yet")
}

pub(super) fn row(snapshot: &Snapshot) -> Check {
    seen(snapshot)?;
    need(snapshot.row, "no call is selected")
}

pub(super) fn searchable(snapshot: &Snapshot) -> Check {
    need(snapshot.searchable, "there is no text or tree here to search in")
}

pub(super) fn search(snapshot: &Snapshot) -> Check {
    searchable(snapshot)?;
    need(snapshot.search, "nothing has been searched for: / does")
}

pub(super) fn completes(snapshot: &Snapshot) -> Check {
    need(snapshot.completes, "there is nothing here to complete")
}

pub(super) fn example(snapshot: &Snapshot) -> Check {
    need(snapshot.example, "there are calls already")
}

pub(super) fn marks(snapshot: &Snapshot) -> Check {
    need(snapshot.marks, "no call is marked: m marks one")
}

pub(super) fn filter(snapshot: &Snapshot) -> Check {
    need(snapshot.filter, "there is no filter: / writes one")
}

pub(super) fn watching(snapshot: &Snapshot) -> Check {
    need(snapshot.watching, "nothing is watched")
}
