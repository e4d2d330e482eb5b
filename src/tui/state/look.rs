//! The call that is looked at, as far as the person has moved in it.

use super::pages::Pages;
use super::tree::{Anchor, TreeView};
use crate::capture::index::CallId;
use crate::dialect::{WireForm, wire};
use crate::gate::{Issue, IssueKind};
use crate::json::{Outline, to_well_formed};
use crate::tui::job::{ArgumentsView, Shown};

/// The detail pane's call.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// What was asked for last; it may not be here yet.
    pub wanted: Option<CallId>,
    /// What is here.
    pub call: Option<Box<Looked>>,
    /// Why what was asked for could not be read.
    pub failed: Option<String>,
}

/// A call, and where in it one is.
#[derive(Clone, Debug)]
pub struct Looked {
    /// The call with its verdict, its definition and the text that the model gets.
    pub shown: Shown,
    /// The arguments, where they parse.
    pub arguments: Option<TreeView>,
    /// The arguments as text, where they do not.
    pub text: Pages,
    /// The byte of that text at which reading stopped.
    pub error_at: Option<usize>,
    /// The definition.
    pub schema: Option<TreeView>,
    /// The bytes as captured.
    pub raw: Pages,
    /// What the model gets.
    pub model: Pages,
    /// The selected issue.
    pub issue: usize,
    /// The first issue that is seen in their list.
    pub issues_top: usize,
    /// The first line of the stages that is seen.
    pub stages_top: usize,
}

impl Looked {
    /// A call to look at, from its beginning.
    #[must_use]
    pub fn new(mut shown: Shown, form: Option<WireForm>) -> Self {
        let raw = Pages::new(to_well_formed(&shown.raw).into_owned());
        let (mut arguments, mut text, mut error_at) = (None, Pages::default(), None);
        let broken = std::mem::replace(&mut shown.arguments, ArgumentsView::FreeText(Vec::new()));
        match broken {
            ArgumentsView::Tree(outline) => {
                let anchors = shown.issues().iter().map(|issue| anchor(&outline, issue)).collect();
                arguments = Some(TreeView::new(outline, anchors));
            }
            ArgumentsView::Broken { text: bytes, error } => {
                let before = bytes.get(..error.offset).map_or(0, |before| to_well_formed(before).len());
                let shown = to_well_formed(&bytes).into_owned();
                // What is not Unicode is replaced, and may be of another length: never inside of a character.
                let at = (0..=before.min(shown.len())).rev().find(|at| shown.is_char_boundary(*at));
                error_at = at;
                text = Pages::new(shown);
            }
            ArgumentsView::FreeText(bytes) => text = Pages::new(to_well_formed(&bytes).into_owned()),
        }
        let schema = shown.schema.take().map(|outline| {
            let anchors = shown.schema_nodes.iter().map(|node| node.map_or(Anchor::Nowhere, Anchor::Node)).collect();
            TreeView::new(outline, anchors)
        });
        let mut looked = Self {
            shown,
            arguments,
            text,
            error_at,
            schema,
            raw,
            model: Pages::default(),
            issue: 0,
            issues_top: 0,
            stages_top: 0,
        };
        looked.set_form(form);
        looked.select_issue(0);
        looked
    }

    /// What the model gets, as plain text or in a provider's form.
    pub fn set_form(&mut self, form: Option<WireForm>) {
        let text = match form {
            None => self.shown.model_text.clone(),
            Some(form) => wire(form, &self.shown.verdict, self.shown.call.id.as_deref()).map(|wire| wire.to_json_pretty(2)),
        };
        self.model = Pages::new(text.unwrap_or_default());
    }

    /// Selects an issue, in the arguments and in the definition too.
    pub fn select_issue(&mut self, number: usize) {
        let count = self.shown.issues().len();
        self.issue = number.min(count.saturating_sub(1));
        if count == 0 {
            return;
        }
        for tree in [&mut self.arguments, &mut self.schema].into_iter().flatten() {
            tree.select_anchor(self.issue);
        }
    }

    /// Goes on from where one was in an earlier look at the same call.
    pub fn take_over(&mut self, before: Self) {
        if before.shown.id != self.shown.id {
            return;
        }
        self.select_issue(before.issue);
        for (tree, before) in [(&mut self.arguments, before.arguments), (&mut self.schema, before.schema)] {
            if let (Some(tree), Some(before)) = (tree, before) {
                tree.take_over(before);
            }
        }
        (self.model.top, self.raw.top, self.text.top) = (before.model.top, before.raw.top, before.text.top);
    }
}

/// Where an issue stands in the arguments.
fn anchor(outline: &Outline, issue: &Issue) -> Anchor {
    if issue.kind != IssueKind::Missing {
        return outline.at_pointer(&issue.pointer).map_or(Anchor::Nowhere, Anchor::Node);
    }
    let holder = issue.pointer.rsplit_once('/').map_or("", |(holder, _)| holder);
    outline.at_pointer(holder).map_or(Anchor::Nowhere, Anchor::Absent)
}
