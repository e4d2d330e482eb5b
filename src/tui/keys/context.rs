//! Where a key is pressed.

use std::fmt;

/// What has the keys. Each one's bindings come before those of [`Context::Global`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// Everywhere, unless something is being written.
    Global,
    /// The lists of tools and calls.
    List,
    /// Values and schemas as trees, and text to scroll.
    Tree,
    /// The definitions as a tree.
    Definitions,
    /// The editor of arguments.
    Editor,
    /// Two attempts side by side.
    Diff,
    /// A line to fill in: filter, search, comment.
    Prompt,
    /// The list of all actions.
    Palette,
    /// A question.
    Confirm,
}

impl Context {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 9] = [
        Self::Global,
        Self::List,
        Self::Tree,
        Self::Definitions,
        Self::Editor,
        Self::Diff,
        Self::Prompt,
        Self::Palette,
        Self::Confirm,
    ];

    /// The name in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::List => "list",
            Self::Tree => "tree",
            Self::Definitions => "definitions",
            Self::Editor => "editor",
            Self::Diff => "diff",
            Self::Prompt => "prompt",
            Self::Palette => "palette",
            Self::Confirm => "confirm",
        }
    }

    /// What it is, for people.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Global => "everywhere, unless something is being written",
            Self::List => "the lists of tools and calls",
            Self::Tree => "arguments and schemas as trees, and text to scroll",
            Self::Definitions => "the definitions as a tree; what holds in trees holds here too",
            Self::Editor => "the editor of arguments",
            Self::Diff => "two attempts side by side",
            Self::Prompt => "a line to fill in: filter, search, comment",
            Self::Palette => "the list of all actions",
            Self::Confirm => "a question",
        }
    }

    /// The context with this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|context| context.name() == name)
    }

    /// Whether keys that type characters are text here.
    #[must_use]
    pub fn takes_text(self) -> bool {
        matches!(self, Self::Editor | Self::Prompt | Self::Palette)
    }

    /// Whether it lies over the rest, so that only what concerns the terminal works beside its own keys.
    #[must_use]
    pub fn is_overlay(self) -> bool {
        matches!(self, Self::Prompt | Self::Palette | Self::Confirm)
    }

    /// The contexts whose bindings hold here, the nearest first.
    #[must_use]
    pub fn stack(self) -> &'static [Self] {
        match self {
            Self::Global => &[Self::Global],
            Self::List => &[Self::List, Self::Global],
            Self::Tree => &[Self::Tree, Self::Global],
            Self::Definitions => &[Self::Definitions, Self::Tree, Self::Global],
            Self::Editor => &[Self::Editor, Self::Global],
            Self::Diff => &[Self::Diff, Self::Global],
            Self::Prompt => &[Self::Prompt, Self::Global],
            Self::Palette => &[Self::Palette, Self::Global],
            Self::Confirm => &[Self::Confirm, Self::Global],
        }
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
