//! What the keys `y` and `Y` do.

use super::copying;
use crate::definition::Definition;
use crate::json::{Outline, pointer_steps};
use crate::tui::keys::ActionId;
use crate::tui::layout::Pane;
use crate::tui::notices::Level;
use crate::tui::runtime::Effect;
use crate::tui::state::{State, Tab, TreeRow, TreeView};
use crate::tui::update::Effects;

/// Where a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum To {
    Clipboard,
    Screen,
}

impl State {
    /// Copies or prints, if that is what the action is about.
    pub(super) fn perform_copy(&mut self, action: ActionId, effects: &mut Effects) -> bool {
        let Some((action, to)) = what(action) else { return false };
        match self.text_of_copy(action) {
            None => self.say(Level::Info, &format!("{}: there is none here", action.action().title)),
            Some(text) if to == To::Screen => effects.push(Effect::Print(text)),
            Some(text) => effects.push(Effect::Copy { what: action.action().title, text }),
        }
        true
    }

    fn text_of_copy(&self, action: ActionId) -> Option<String> {
        // Definitions, and an example, are there without a call too.
        match action {
            ActionId::CopySchema => return self.definition_here().map(copying::schema),
            ActionId::CopyPointer => return self.place_of_node().map(|(pointer, _)| pointer),
            ActionId::CopyJqPath => return self.place_of_node().map(|(_, path)| path),
            ActionId::CopyExample => return self.example().map(|example| example.commands()),
            _ => {}
        }
        let shown = &self.look.call.as_ref()?.shown;
        Some(match action {
            ActionId::CopyArguments => copying::arguments(&shown.call),
            ActionId::CopyModelText => shown.model_text.clone()?,
            ActionId::CopyIssues => copying::issues(shown.issues()),
            ActionId::CopyWire => copying::wire_result(&shown.call, &shown.verdict, self.reading.form)?,
            ActionId::CopyCommand => copying::command(&shown.call, self.desk.as_ref().map_or(&[], |desk| desk.tools())),
            ActionId::CopyFixture => copying::fixture(&shown.call, &shown.verdict),
            ActionId::CopyDiff => {
                let (_, _, diff) = self.diff()?;
                if diff.patch.is_empty() { "the arguments are the same\n".to_owned() } else { diff.patch.clone() }
            }
            _ => return None,
        })
    }

    /// The definition that is selected: in the tree of them, in the list of tools, or as that of the selected call.
    pub(in crate::tui) fn definition_here(&self) -> Option<&Definition> {
        if self.is_exploring() && self.focus == Pane::Detail {
            return self.explorer.item().and_then(|item| self.explorer.tool(item)).map(|tool| &*tool.definition);
        }
        let selected = self.data.tools.row().filter(|_| self.focus == Pane::Tools).and_then(|row| row.definition.as_deref());
        selected.or_else(|| self.look.call.as_ref()?.shown.definition.as_deref())
    }

    /// Where the selected value is, as a pointer and as a jq path.
    fn place_of_node(&self) -> Option<(String, String)> {
        if self.is_exploring() {
            return place_of_parameter(self.definition_here()?, self.explorer.schema_pointer()?);
        }
        let look = self.look.call.as_ref()?;
        if self.tab == Tab::Schema {
            return look.schema.as_ref().map(|tree| place(tree, None));
        }
        let tree = look.arguments.as_ref()?;
        let number = match tree.rows().get(tree.cursor()) {
            _ if self.tab == Tab::Issues => Some(look.issue),
            Some(TreeRow::Absent { anchor, .. }) => Some(*anchor),
            _ => None,
        };
        let issue = number.and_then(|number| look.shown.issues().get(number));
        Some(place(tree, issue.map(|issue| issue.pointer.as_str())))
    }
}

fn what(action: ActionId) -> Option<(ActionId, To)> {
    use ActionId as A;
    let of = |copy: A, print: A| {
        if action == copy { Some((copy, To::Clipboard)) } else { (action == print).then_some((copy, To::Screen)) }
    };
    of(A::CopyArguments, A::PrintArguments)
        .or_else(|| of(A::CopyPointer, A::PrintPointer))
        .or_else(|| of(A::CopyJqPath, A::PrintJqPath))
        .or_else(|| of(A::CopyModelText, A::PrintModelText))
        .or_else(|| of(A::CopyIssues, A::PrintIssues))
        .or_else(|| of(A::CopyWire, A::PrintWire))
        .or_else(|| of(A::CopySchema, A::PrintSchema))
        .or_else(|| of(A::CopyCommand, A::PrintCommand))
        .or_else(|| of(A::CopyFixture, A::PrintFixture))
        .or_else(|| of(A::CopyDiff, A::PrintDiff))
        .or_else(|| of(A::CopyExample, A::PrintExample))
}

/// The place of a parameter's schema in its definition.
fn place_of_parameter(definition: &Definition, pointer: &str) -> Option<(String, String)> {
    let node = definition.parameters_view()?.at_pointer(pointer)?.index() - definition.view().index();
    let outline = Outline::parse(definition.raw().to_vec(), u32::MAX).ok()?;
    Some((outline.path(node).1, outline.jq_path(node)))
}

/// The place of the selected node, or of something that is not there.
fn place(tree: &TreeView, absent: Option<&str>) -> (String, String) {
    let Some(pointer) = absent else {
        let (_, pointer) = tree.outline().path(tree.node());
        return (pointer, tree.outline().jq_path(tree.node()));
    };
    if let Some(node) = tree.outline().at_pointer(pointer) {
        return (pointer.to_owned(), tree.outline().jq_path(node));
    }
    let (above, _) = pointer.rsplit_once('/').unwrap_or_default();
    let holder = tree.outline().at_pointer(above).map(|node| tree.outline().jq_path(node)).unwrap_or_default();
    let key = pointer_steps(pointer).and_then(|mut steps| steps.pop()).unwrap_or_default();
    let is_word = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let step = if is_word { format!(".{key}") } else { format!("[{}]", crate::json::quote(key.as_bytes())) };
    let path = match holder.as_str() {
        "." if is_word => step,
        holder => format!("{holder}{step}"),
    };
    (pointer.to_owned(), path)
}
