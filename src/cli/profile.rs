//! By what calls are judged: the same options for every command that judges.

use super::Config;
use crate::gate::Profile;
use std::path::PathBuf;

/// By what calls are judged: definitions, and whose rules.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct RulesArgs {
    /// A folder or file of tool definitions, or a set such as @claude-code (repeatable) [default: tools, or what misfire.toml says]
    #[arg(long, value_name = "PATH")]
    pub tools: Vec<PathBuf>,
    /// Whose rules judge.
    #[command(flatten)]
    pub profile: ProfileArgs,
}

/// Whose rules judge calls.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct ProfileArgs {
    /// Whose rules judge: wave's gate, or a full JSON Schema validator [default: wave, or what misfire.toml says]
    #[arg(long, value_name = "PROFILE", value_parser = ["wave", "jsonschema"])]
    profile: Option<String>,
    /// Whether the profile jsonschema asserts formats [default: off, or what misfire.toml says]
    #[arg(long, value_name = "on|off", value_parser = ["on", "off"])]
    formats: Option<String>,
}

impl ProfileArgs {
    /// The profile that was asked for, else what the configuration says, else wave's.
    #[must_use]
    pub fn profile(&self, config: &Config) -> Profile {
        let profile = self.profile.as_deref().or(config.profile()).unwrap_or_default();
        let formats = self.formats.as_deref().map_or(config.formats(), |formats| formats == "on");
        chosen(profile, formats)
    }
}

#[cfg(feature = "jsonschema")]
fn chosen(profile: &str, formats: bool) -> Profile {
    if profile == "jsonschema" { Profile::JsonSchema { formats } } else { Profile::Wave }
}

#[cfg(not(feature = "jsonschema"))]
fn chosen(_: &str, _: bool) -> Profile {
    Profile::Wave
}
