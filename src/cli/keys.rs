//! `misfire keys`, `misfire man` and `misfire completions`: their arguments. What they print is of the terminal app's table, which
//! this room does not know.

/// List what the keys of the terminal app do, with your changes applied
#[derive(Debug, clap::Args)]
pub struct KeysArgs {
    /// Only these actions [default: all]
    #[arg(value_name = "ACTION")]
    pub names: Vec<String>,
    /// Print the mistakes in the key bindings of misfire.toml with their lines instead; exit 1 if there are any
    #[arg(long, conflicts_with_all = ["names", "format"])]
    pub check: bool,
    /// text for people, markdown for a page, json for programs
    #[arg(long, value_enum, default_value_t)]
    pub format: KeysFormat,
}

/// How keys are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum KeysFormat {
    /// For people.
    #[default]
    Text,
    /// A page.
    Markdown,
    /// For programs.
    Json,
}

/// Print completions for a shell
#[derive(Debug, clap::Args)]
pub struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}
