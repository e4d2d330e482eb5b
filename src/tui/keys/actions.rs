//! The one table of everything that a key can do. Dispatch, footer, which-key, palette and documentation come from it.
//!
//! The names are what configurations refer to: a name is never changed and never given to something else.

use super::context::Context::{self, Confirm, Definitions, Diff, Editor, Global, List, Palette, Prompt, Tree};
use super::snapshot::{self as needs, Refusal, Snapshot};

/// What an action is about: the headings of the documentation and of the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Moving the selection.
    Move,
    /// Going from pane to pane.
    Go,
    /// Working on a call.
    Call,
    /// Writing.
    Write,
    /// Finding and filtering.
    Find,
    /// How things are shown.
    Show,
    /// Copying.
    Copy,
    /// Printing to the main screen.
    Print,
    /// Writing files.
    Export,
    /// The program itself.
    Program,
    /// The terminal. Works over an open prompt or palette too.
    Terminal,
}

impl Group {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 11] = [
        Self::Move,
        Self::Go,
        Self::Call,
        Self::Write,
        Self::Find,
        Self::Show,
        Self::Copy,
        Self::Print,
        Self::Export,
        Self::Program,
        Self::Terminal,
    ];

    /// The heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Go => "Go to",
            Self::Call => "Calls and attempts",
            Self::Write => "Write",
            Self::Find => "Find",
            Self::Show => "Show",
            Self::Copy => "Copy",
            Self::Print => "Print to the main screen",
            Self::Export => "Export to a file",
            Self::Program => "Program",
            Self::Terminal => "Terminal",
        }
    }
}

/// One action.
#[derive(Debug)]
pub struct Action {
    /// Which one.
    pub id: ActionId,
    /// The stable name.
    pub name: &'static str,
    /// A word or two, for the footer.
    pub title: &'static str,
    /// A sentence without a full stop, for the palette and the documentation.
    pub help: &'static str,
    /// What it is about.
    pub group: Group,
    /// The footer shows the highest that fit; 0 never.
    pub priority: u8,
    /// Repeats as often as a number typed before it says.
    pub counted: bool,
    /// The keys by default, by context. A context without keys is one where only the palette offers it.
    pub keys: &'static [(Context, &'static [&'static str])],
    check: fn(&Snapshot) -> Result<(), Refusal>,
}

impl Action {
    /// Whether it can be done now.
    ///
    /// # Errors
    /// Why not, in words for people.
    pub fn available(&self, snapshot: &Snapshot) -> Result<(), Refusal> {
        (self.check)(snapshot)
    }

    /// Whether it has a meaning in this context.
    #[must_use]
    pub fn applies_in(&self, context: Context) -> bool {
        let holds = |context: &Context| self.keys.iter().any(|(of, _)| of == context);
        match context.stack() {
            [nearest, rest @ ..] if nearest.is_overlay() => {
                holds(nearest) || (self.group == Group::Terminal && rest.iter().any(holds))
            }
            stack => stack.iter().any(holds),
        }
    }
}

impl ActionId {
    /// The table's row.
    #[must_use]
    pub fn action(self) -> &'static Action {
        // The table is in the order of the enum, both being made from one list.
        &ACTIONS[self as usize]
    }

    /// The action with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        ACTIONS.iter().find(|action| action.name == name).map(|action| action.id)
    }
}

macro_rules! actions {
    ($($id:ident $name:literal $title:literal: $help:literal;
       $group:ident, $priority:literal, $check:ident, $counted:literal, [$($context:ident: $($key:literal)*),*];)*) => {
        /// Names one action.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ActionId { $(#[doc = $help] $id),* }

        /// Every action, in the order of the documentation.
        pub static ACTIONS: &[Action] = &[$(Action {
            id: ActionId::$id,
            name: $name,
            title: $title,
            help: $help,
            group: Group::$group,
            priority: $priority,
            counted: $counted,
            check: needs::$check,
            keys: &[$(($context, &[$($key),*])),*],
        }),*];
    };
}

actions! {
    MoveDown "move-down" "down": "Select the next one";
        Move, 0, always, true, [List: "j" "Down" "Ctrl-n", Tree: "j" "Down" "Ctrl-n", Diff: "j" "Down" "Ctrl-n", Palette: "Down" "Ctrl-n", Prompt: "Down" "Ctrl-n"];
    MoveUp "move-up" "up": "Select the one before";
        Move, 0, always, true, [List: "k" "Up" "Ctrl-p", Tree: "k" "Up" "Ctrl-p", Diff: "k" "Up" "Ctrl-p", Palette: "Up" "Ctrl-p", Prompt: "Up" "Ctrl-p"];
    HalfPageDown "half-page-down" "half down": "Move down by half a page";
        Move, 0, always, true, [List: "Ctrl-d", Tree: "Ctrl-d", Diff: "Ctrl-d"];
    HalfPageUp "half-page-up" "half up": "Move up by half a page";
        Move, 0, always, true, [List: "Ctrl-u", Tree: "Ctrl-u", Diff: "Ctrl-u"];
    PageDown "page-down" "page down": "Move down by a page";
        Move, 0, always, true, [List: "PageDown" "Ctrl-f", Tree: "PageDown" "Ctrl-f", Diff: "PageDown" "Ctrl-f", Palette: "PageDown"];
    PageUp "page-up" "page up": "Move up by a page";
        Move, 0, always, true, [List: "PageUp" "Ctrl-b", Tree: "PageUp" "Ctrl-b", Diff: "PageUp" "Ctrl-b", Palette: "PageUp"];
    First "first" "first": "Go to the first one, or to the one with the number typed before";
        Move, 0, always, true, [List: "g" "Home", Tree: "g" "Home", Diff: "g" "Home"];
    Last "last" "last": "Go to the last one, or to the one with the number typed before";
        Move, 0, always, true, [List: "End", Tree: "G" "End", Diff: "G" "End"];
    Newest "newest" "newest": "Go to the newest call and follow what comes; in other lists, or with a number typed before, as last";
        Move, 0, always, true, [List: "G"];
    Left "left" "left": "Fold, go to the parent, or scroll to the left";
        Move, 0, always, true, [Tree: "h" "Left", Diff: "h" "Left"];
    Right "right" "right": "Unfold, go to the first child, or scroll to the right";
        Move, 0, always, true, [Tree: "l" "Right", Diff: "l" "Right"];
    NextIssue "next-issue" "next issue": "Go to the next issue of the call, from anywhere";
        Move, 35, issues, true, [Global: "J", Editor: "Alt-n"];
    PreviousIssue "previous-issue" "previous issue": "Go to the issue before, from anywhere";
        Move, 0, issues, true, [Global: "K", Editor: "Alt-p"];

    Open "open" "open": "Open what is selected";
        Go, 90, opens, false, [List: "Enter", Tree: "Enter", Diff: "Enter"];
    Back "back" "back": "Close what is open or go back to the list; never quits";
        Go, 0, always, false, [Global: "Esc"];
    NextPane "next-pane" "pane": "Give the keys to the next pane";
        Go, 95, always, false, [Global: "Tab"];
    PreviousPane "previous-pane" "pane before": "Give the keys to the pane before";
        Go, 0, always, false, [Global: "Shift-Tab"];
    PaneLeft "pane-left" "pane left": "Give the keys to the pane on the left";
        Go, 0, always, false, [Global: "Ctrl-Left"];
    PaneRight "pane-right" "pane right": "Give the keys to the pane on the right";
        Go, 0, always, false, [Global: "Ctrl-Right"];
    PaneUp "pane-up" "pane above": "Give the keys to the pane above";
        Go, 0, always, false, [Global: "Ctrl-Up"];
    PaneDown "pane-down" "pane below": "Give the keys to the pane below";
        Go, 0, always, false, [Global: "Ctrl-Down"];
    TabArguments "tab-arguments" "arguments": "Show the arguments as a tree, each issue on its row";
        Go, 0, always, false, [List: "1", Tree: "1", Diff: "1", Global: "Alt-1"];
    TabEdit "tab-edit" "edit": "Show the editor";
        Go, 0, always, false, [List: "2", Tree: "2", Diff: "2", Global: "Alt-2"];
    TabIssues "tab-issues" "issues": "Show the list of issues";
        Go, 0, always, false, [List: "3", Tree: "3", Diff: "3", Global: "Alt-3"];
    TabModelText "tab-model-text" "model text": "Show exactly what the model gets";
        Go, 0, always, false, [List: "4", Tree: "4", Diff: "4", Global: "Alt-4"];
    TabDiff "tab-diff" "before and after": "Show two attempts side by side";
        Go, 0, always, false, [List: "5", Tree: "5", Diff: "5", Global: "Alt-5"];
    TabSchema "tab-schema" "schema": "Show the definition exactly as the model is given it";
        Go, 0, always, false, [List: "6", Tree: "6", Diff: "6", Global: "Alt-6"];
    TabRaw "tab-raw" "raw": "Show the call as it was captured";
        Go, 0, call, false, [Global:];
    ShowStages "show-stages" "stages": "Show the way of the call through the gate, and where it stopped";
        Go, 0, call, false, [Global:];
    ShowFlips "show-flips" "flips": "List the calls whose verdict is not what it was at the baseline";
        Go, 44, flips, false, [Global: "F"];
    ShowReview "show-review" "review": "Review the definitions against what they were: what changed, and which captured calls feel it";
        Go, 43, no_review, false, [Global: "V"];
    ShowDefinitions "show-definitions" "definitions": "Show every definition as a tree of parameters, with how calls use them and what lint finds";
        Go, 38, definitions, false, [Global: "X"];
    ShowStatistics "show-statistics" "statistics": "Show counts of calls: by tool, kind of issue, parameter and model, and over time";
        Go, 0, judged, false, [Global: "S"];
    ShowLog "show-log" "log": "Show what the program had to say";
        Go, 0, always, false, [Global:];

    Edit "edit" "edit": "Edit the arguments; the verdict follows each key";
        Call, 85, call, false, [List: "e", Tree: "e", Diff: "e"];
    EditExternal "edit-external" "$EDITOR": "Edit the arguments in $VISUAL or $EDITOR, at the first issue; where the schema or a review is shown, the definition";
        Call, 30, file, false, [List: "E", Tree: "E", Diff: "E", Editor: "Alt-e"];
    Replay "replay" "replay": "Judge the original arguments again, as a new attempt";
        Call, 80, replayable, false, [List: "r", Tree: "r", Diff: "r"];
    ReplayEdited "replay-edited" "replay edited": "Judge the edited arguments, as a new attempt";
        Call, 84, edited, false, [Global: "F5" "Alt-Enter"];
    Compare "compare" "diff": "Compare the attempt with the original";
        Call, 75, compared, false, [List: "d", Tree: "d", Diff: "d"];
    PreviousAttempt "previous-attempt" "attempt before": "Show the attempt before";
        Call, 0, attempts, true, [List: "[", Tree: "[", Diff: "["];
    NextAttempt "next-attempt" "next attempt": "Show the next attempt";
        Call, 40, attempts, true, [List: "]", Tree: "]", Diff: "]"];
    SwapAttempts "swap-attempts" "swap": "Swap before and after";
        Call, 0, attempts, false, [Diff: "t"];
    CompareFrom "compare-from" "compare from": "Compare the others with the selected attempt, or with the original again";
        Call, 0, attempts, false, [Diff: "b"];
    SaveAttempt "save-attempt" "save": "Save the attempt beside the captured sessions";
        Call, 79, unsaved, false, [List: "s", Tree: "s", Diff: "s"];
    DiscardAttempt "discard-attempt" "discard attempt": "Throw the selected attempt away, which is in no file";
        Call, 0, unsaved, false, [Global:];
    Mark "mark" "mark": "Mark the call, or take the mark away";
        Call, 45, row, false, [List: "m", Tree: "m", Diff: "m"];
    ClearMarks "clear-marks" "clear marks": "Take all marks away";
        Call, 0, marks, false, [List: "U"];
    Comment "comment" "comment": "Write a comment on the call; an empty one takes it away";
        Call, 0, row, false, [List: ";", Tree: ";", Diff: ";"];
    OpenCapture "open-capture" "open file": "Open the file in which the call was captured in $VISUAL or $EDITOR, at its line";
        Call, 0, call, false, [List: "O", Tree: "O", Diff: "O"];
    EditDefinition "edit-definition" "definition": "Open the definition's file in $VISUAL or $EDITOR";
        Call, 0, tool, false, [List: "D", Tree: "D", Definitions: "D" "E", Diff: "D"];

    AcceptFinding "accept-finding" "accept finding": "Accept the selected finding of the review, with a reason, in misfire.accept.toml";
        Call, 86, finding, false, [Tree: "a"];
    CompareWith "compare-with" "revision": "Name the git revision to compare with, of the flips or the review that is shown";
        Call, 87, compares, false, [List: "b", Tree: "b"];

    Undo "undo" "undo": "Undo the last change";
        Write, 60, always, false, [Editor: "Ctrl-_" "Alt-u"];
    Redo "redo" "redo": "Do the undone change again";
        Write, 58, always, false, [Editor: "Alt-r"];
    Complete "complete" "complete": "Offer the keys and values that the definition has for this place; again takes the selected one";
        Write, 62, always, false, [Editor: "Tab" "Ctrl-Space"];
    FormatText "format-text" "lay out": "Lay the JSON out, one value a line, without changing what it says";
        Write, 50, always, false, [Editor: "Alt-q"];
    InsertRequired "insert-required" "required": "Put in every required parameter that is missing, with a value to start from";
        Write, 52, always, false, [Editor: "Alt-i"];
    SelectAll "select-all" "select all": "Select the whole text";
        Write, 0, always, false, [Editor: "Alt-a"];
    DiscardEdits "discard-edits" "discard": "Go back to the text that editing began with; undo brings the edits back";
        Write, 0, edited, false, [Editor:];
    Accept "accept" "accept": "Take what is written or chosen";
        Write, 100, accepts, false, [Prompt: "Enter", Palette: "Enter"];
    Dismiss "dismiss" "as it was": "Close without taking it: what was before is so again";
        Write, 99, always, false, [Prompt: "Esc", Palette: "Esc"];
    Yes "yes" "yes": "Do it";
        Write, 100, always, false, [Confirm: "y" "Enter"];
    No "no" "no": "Do not do it";
        Write, 99, always, false, [Confirm: "n" "Esc" "q"];

    Filter "filter" "filter": "Filter the calls or find a tool";
        Find, 65, always, false, [List: "/"];
    Search "search" "search": "Search in the text or tree; what hides a place that matches is unfolded";
        Find, 64, searchable, false, [Tree: "/", Diff: "/"];
    SearchNext "search-next" "next match": "Go to the next place that matches";
        Find, 43, search, true, [Tree: "n", Diff: "n"];
    SearchPrevious "search-previous" "match before": "Go to the place before that matches";
        Find, 0, search, true, [Tree: "N", Diff: "N"];
    GoToTool "go-to-tool" "go to tool": "Go to the calls of a tool, by letters of its name";
        Find, 0, always, false, [Global: "Ctrl-t"];
    GoToCall "go-to-call" "go to call": "Go to a call, by letters of what its row shows: tool, issue, arguments, id, model, session";
        Find, 0, calls, false, [Global: "Ctrl-g"];
    TakeCandidate "take-candidate" "complete": "Put the selected word or value into the line";
        Find, 98, completes, false, [Prompt: "Tab"];
    ToggleFilter "toggle-filter" "filter on/off": "Switch the filter off, and on again";
        Find, 0, filter, false, [Global: "F3", List: "!"];
    OnlyMarked "only-marked" "only marked": "Show only marked calls, or all again";
        Find, 0, always, false, [List: "M"];
    SortTime "sort-time" "by time": "Sort the calls by time, the oldest first; again for the newest first";
        Find, 0, always, false, [List: "o t"];
    SortTool "sort-tool" "by tool": "Sort the calls by the tool's name; again turns it round";
        Find, 0, always, false, [List: "o n"];
    SortVerdict "sort-verdict" "by verdict": "Sort the calls by verdict, the worst first; again turns it round";
        Find, 0, always, false, [List: "o v"];
    SortIssues "sort-issues" "by issues": "Sort the calls by the number of issues, the most first; again turns it round";
        Find, 0, always, false, [List: "o i"];
    SortModel "sort-model" "by model": "Sort the calls by model; again turns it round";
        Find, 0, always, false, [List: "o m"];
    SortFile "sort-file" "by file": "Sort the calls by file and the place in it; again turns it round";
        Find, 0, always, false, [List: "o f"];
    SortNewest "sort-newest" "newest first": "Sort the calls as at the start: the newest first";
        Find, 0, always, false, [List: "o o"];
    FindDefinition "find-definition" "search": "Search the names, types, values and descriptions of all definitions and parameters";
        Find, 86, definition, false, [Definitions: "/", Global:];
    NextFound "next-found" "next found": "Go to the next definition or parameter that was found";
        Find, 45, found, true, [Definitions: "n"];
    PreviousFound "previous-found" "found before": "Go to the one before that was found";
        Find, 0, found, true, [Definitions: "N"];
    Follow "follow" "follow": "Keep the newest call selected, or stop that";
        Find, 50, always, false, [List: "f"];

    ToggleNotes "toggle-notes" "notes": "Show the notes of lint among the definitions, or only its errors and warnings";
        Show, 41, notes, false, [Definitions: "."];
    ToggleFold "toggle-fold" "fold": "Fold the value, or unfold it";
        Show, 55, folds, false, [Tree: "Space"];
    Fold "fold" "fold": "Fold the value";
        Show, 0, folds, false, [Tree: "c"];
    FoldAll "fold-all" "fold all": "Fold everything, or unfold everything";
        Show, 0, node, false, [Tree: "C"];
    ToggleSame "toggle-same" "same lines": "Show every line that is the same in both attempts, or only those around what differs";
        Show, 45, attempts, false, [Diff: "c" "Space"];
    Wrap "wrap" "wrap": "Wrap long lines, or cut them";
        Show, 0, always, false, [Tree: "w", Diff: "w", List: "w"];
    Whitespace "whitespace" "show spaces": "Show spaces and line ends, or do not";
        Show, 0, always, false, [Tree: "v", Diff: "v", List: "v"];
    NextForm "next-wire-form" "wire form": "Show what the model gets in the next provider's form, or as plain text again";
        Show, 0, call, false, [Global: "W"];
    Zoom "zoom" "zoom": "Give the pane the whole screen, or take it back";
        Show, 42, always, false, [List: "z", Tree: "z", Diff: "z", Editor: "Alt-z"];

    CopyArguments "copy-arguments" "arguments": "Copy the arguments as they are";
        Copy, 0, call, false, [Global: "y a"];
    CopyPointer "copy-pointer" "JSON Pointer": "Copy where the value is, as a JSON Pointer";
        Copy, 0, node, false, [Global: "y p"];
    CopyJqPath "copy-jq-path" "jq path": "Copy where the value is, as a jq path";
        Copy, 0, node, false, [Global: "y j"];
    CopyModelText "copy-model-text" "error text": "Copy the exact text that the model gets";
        Copy, 70, model_text, false, [Global: "y e"];
    CopyIssues "copy-issues" "issues": "Copy the issues, one a line";
        Copy, 0, issues, false, [Global: "y i"];
    CopyWire "copy-wire-result" "wire result": "Copy the message that goes back to the model, in the form that is shown";
        Copy, 0, model_text, false, [Global: "y w"];
    CopySchema "copy-schema" "schema": "Copy the definition as the model is given it";
        Copy, 0, tool, false, [Global: "y s"];
    CopyCommand "copy-command" "command": "Copy a command that judges this call";
        Copy, 0, call, false, [Global: "y c"];
    CopyFixture "copy-fixture" "test fixture": "Copy call, verdict and text as a fixture for a test";
        Copy, 0, call, false, [Global: "y t"];
    CopyDiff "copy-diff" "diff": "Copy the difference between the attempts";
        Copy, 0, attempts, false, [Global: "y d"];
    CopyReview "copy-review" "review": "Copy the review as a comment for a pull request, in Markdown";
        Copy, 0, review, false, [Global: "y m"];
    CopyExample "copy-example" "example": "Where there are no calls yet: copy commands that write a first one, and a first definition where there is none";
        Copy, 88, example, false, [Global: "y y"];

    PrintArguments "print-arguments" "arguments": "Print the arguments to the main screen";
        Print, 0, call, false, [Global: "Y a"];
    PrintPointer "print-pointer" "JSON Pointer": "Print where the value is, as a JSON Pointer";
        Print, 0, node, false, [Global: "Y p"];
    PrintJqPath "print-jq-path" "jq path": "Print where the value is, as a jq path";
        Print, 0, node, false, [Global: "Y j"];
    PrintModelText "print-model-text" "error text": "Print the text that the model gets";
        Print, 0, model_text, false, [Global: "Y e"];
    PrintIssues "print-issues" "issues": "Print the issues, one a line";
        Print, 0, issues, false, [Global: "Y i"];
    PrintWire "print-wire-result" "wire result": "Print the message that goes back to the model, in the form that is shown";
        Print, 0, model_text, false, [Global: "Y w"];
    PrintSchema "print-schema" "schema": "Print the definition as the model is given it";
        Print, 0, tool, false, [Global: "Y s"];
    PrintCommand "print-command" "command": "Print a command that judges this call";
        Print, 0, call, false, [Global: "Y c"];
    PrintFixture "print-fixture" "test fixture": "Print call, verdict and text as a fixture for a test";
        Print, 0, call, false, [Global: "Y t"];
    PrintDiff "print-diff" "diff": "Print the difference between the attempts";
        Print, 0, attempts, false, [Global: "Y d"];
    PrintReview "print-review" "review": "Print the review as a comment for a pull request";
        Print, 0, review, false, [Global: "Y m"];
    PrintExample "print-example" "example": "Where there are no calls yet: print commands that write a first one, and a first definition where there is none";
        Print, 0, example, false, [Global: "Y y"];

    ExportArguments "export-arguments" "arguments": "Write the arguments to a file, as they are";
        Export, 0, call, false, [Global: "x a"];
    ExportCall "export-call" "call": "Write the call to a file, in the capture format of misfire";
        Export, 0, call, false, [Global: "x c"];
    ExportModelText "export-model-text" "error text": "Write the exact text that the model gets to a file";
        Export, 0, model_text, false, [Global: "x e"];
    ExportIssues "export-issues" "issues": "Write the issues to a file, one a line";
        Export, 0, issues, false, [Global: "x i"];
    ExportDefinition "export-definition" "definition": "Write the definition to a file, as the model is given it";
        Export, 0, tool, false, [Global: "x d"];
    ExportShown "export-shown" "shown calls": "Write every call in the list to a file, in the capture format of misfire";
        Export, 0, always, false, [Global: "x l"];
    ExportVerdicts "export-verdicts" "verdicts": "Write the verdict on every call in the list to a file, as NDJSON";
        Export, 0, always, false, [Global: "x n"];
    ExportReport "export-report" "report": "Write a report on the calls in the list to a file, as Markdown";
        Export, 0, always, false, [Global: "x m"];
    ExportPage "export-page" "web page": "Write a report on the calls in the list to a file, as HTML that runs and loads nothing";
        Export, 0, always, false, [Global: "x h"];
    ExportPicture "export-picture" "picture": "Write a picture of the screen to a file, as SVG";
        Export, 0, always, false, [Global: "x s"];
    ExportScreen "export-screen" "screen as text": "Write the text of the screen to a file";
        Export, 0, always, false, [Global: "x t"];

    ShowPalette "palette" "palette": "Show every action and run one: type to find it by name, description or key";
        Program, 98, always, false, [Global: "?" ":" "F1" "Alt-x"];
    Quit "quit" "quit": "Go back, and quit where there is nothing to go back to";
        Program, 97, always, false, [Global: "q"];
    Rescan "rescan" "rescan": "Read every watched folder again";
        Program, 0, watching, false, [Global: "R"];
    NextRules "next-rules" "rules": "Judge every call by the rules of the next profile: wave, jsonschema, jsonschema with formats";
        Program, 0, judged, false, [Global: "P"];
    MarkBaseline "mark-baseline" "baseline": "Count flips from here on: what the gate says now is what they are compared with";
        Program, 0, always, false, [Global: "B"];
    Cancel "cancel" "cancel": "Stop the running job or close what is open; twice within a second quits";
        Terminal, 0, always, false, [Global: "Ctrl-c"];
    Suspend "suspend" "suspend": "Stop the program and go back to the shell; fg continues";
        Terminal, 0, always, false, [Global: "Ctrl-z"];
    Redraw "redraw" "redraw": "Draw the screen again";
        Terminal, 0, always, false, [Global: "Ctrl-l"];
    ToggleMouse "toggle-mouse" "mouse": "Leave the mouse to the terminal, to select text with it, or take it back";
        Terminal, 0, always, false, [Global: "F2"];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kebab_case_and_belong_to_one_action() {
        for (n, action) in ACTIONS.iter().enumerate() {
            assert_eq!(action.id as usize, n);
            assert_eq!(ActionId::parse(action.name), Some(action.id), "{} twice", action.name);
            assert!(action.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", action.name);
            assert!(!action.help.ends_with('.') && action.help.starts_with(|c: char| c.is_ascii_uppercase()), "{}", action.name);
        }
    }

    #[test]
    fn an_action_that_cannot_be_done_says_why() {
        let nothing = Snapshot::default();
        assert_eq!(ActionId::Replay.action().available(&nothing), Err("no call is selected"));
        assert_eq!(ActionId::Quit.action().available(&nothing), Ok(()));
        let call = Snapshot { call: true, ..nothing };
        assert_eq!(ActionId::Replay.action().available(&call), Err("the arguments of this call were not kept"));
    }

    #[test]
    fn only_the_terminal_works_over_an_overlay() {
        assert!(ActionId::Suspend.action().applies_in(Prompt));
        assert!(!ActionId::NextPane.action().applies_in(Prompt));
        assert!(ActionId::NextPane.action().applies_in(Editor));
    }
}
