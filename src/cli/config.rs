//! `misfire.toml`: where things are, so that no command needs telling. What is given on the command line wins.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The configuration, with defaults filled in.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Config {
    tools: Paths,
    sessions: Paths,
    profile: Option<ProfileName>,
    formats: Option<bool>,
    targets: Vec<String>,
    fail_on: Option<String>,
    rules: BTreeMap<String, String>,
    /// A person's keys, which the terminal app reads from the text itself, to say on which line a mistake is.
    #[serde(rename = "keys")]
    _keys: toml::Table,
    #[serde(skip)]
    text: String,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ProfileName {
    Wave,
    JsonSchema,
}

/// One path or several.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "OneOrMany")]
struct Paths(Vec<PathBuf>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(PathBuf),
    Many(Vec<PathBuf>),
}

impl From<OneOrMany> for Paths {
    fn from(paths: OneOrMany) -> Self {
        match paths {
            OneOrMany::One(path) => Self(vec![path]),
            OneOrMany::Many(paths) => Self(paths),
        }
    }
}

/// Why the configuration could not be used.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {reason}", path = path.display())]
pub struct ConfigError {
    path: PathBuf,
    reason: String,
}

impl Config {
    /// Reads `misfire.toml` in a folder; without one everything has its default.
    ///
    /// # Errors
    /// If the file cannot be read, is not TOML, or has a key that does not exist; the error says where.
    pub fn load(folder: &Path) -> Result<Self, ConfigError> {
        let path = folder.join("misfire.toml");
        let error = |reason: String| ConfigError { path: path.clone(), reason };
        let mut config = match std::fs::read_to_string(&path) {
            Ok(text) => {
                let config = toml::from_str(&text).map_err(|e| error(e.to_string().trim_end().to_owned()))?;
                Self { text, ..config }
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Self::default(),
            Err(e) => return Err(error(format!("could not be read: {e}"))),
        };
        for (paths, default) in [(&mut config.tools, "tools"), (&mut config.sessions, "sessions")] {
            if paths.0.is_empty() {
                paths.0.push(PathBuf::from(default));
            }
        }
        Ok(config)
    }

    /// The text of the file, for what is read from it elsewhere; empty where there is none.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whose rules judge calls, by name.
    #[must_use]
    pub fn profile(&self) -> Option<&'static str> {
        self.profile.map(|profile| match profile {
            ProfileName::Wave => "wave",
            ProfileName::JsonSchema => "jsonschema",
        })
    }

    /// Whether the profile jsonschema asserts formats.
    #[must_use]
    pub fn formats(&self) -> bool {
        self.formats.unwrap_or_default()
    }

    /// Where the definitions are: what was given, else what the configuration says.
    #[must_use]
    pub fn tools<'a>(&'a self, given: &'a [PathBuf]) -> &'a [PathBuf] {
        if given.is_empty() { &self.tools.0 } else { given }
    }

    /// Where the captured calls are: what was given, else what the configuration says.
    #[must_use]
    pub fn sessions<'a>(&'a self, given: &'a [PathBuf]) -> &'a [PathBuf] {
        if given.is_empty() { &self.sessions.0 } else { given }
    }

    /// For whom definitions are checked, by name; none: for those that their form shows.
    #[must_use]
    pub fn targets(&self) -> &[String] {
        &self.targets
    }

    /// From which severity on a finding about definitions fails a command, by name.
    #[must_use]
    pub fn fail_on(&self) -> Option<&str> {
        self.fail_on.as_deref()
    }

    /// Severities by rule: `error`, `warning`, `note` or `off`.
    #[must_use]
    pub fn rules(&self) -> &BTreeMap<String, String> {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: Option<&str>) -> Result<Config, String> {
        let folder = tempfile::tempdir().unwrap();
        if let Some(text) = text {
            std::fs::write(folder.path().join("misfire.toml"), text).unwrap();
        }
        Config::load(folder.path()).map_err(|e| e.to_string())
    }

    #[test]
    fn defaults_and_what_wins() {
        let config = load(None).unwrap();
        assert_eq!(config.tools(&[]), [PathBuf::from("tools")]);
        assert_eq!(config.sessions(&[]), [PathBuf::from("sessions")]);
        let config = load(Some("tools = [\"a\", \"b\"]\nsessions = \"logs\"\n")).unwrap();
        assert_eq!(config.tools(&[]), [PathBuf::from("a"), PathBuf::from("b")]);
        assert_eq!(config.sessions(&[PathBuf::from("x")]), [PathBuf::from("x")]);
        assert_eq!(config.sessions(&[]), [PathBuf::from("logs")]);
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let error = load(Some("tools = \"a\"\nsesions = \"logs\"\n")).unwrap_err();
        assert!(error.contains("line 2") && error.contains("sesions"), "{error}");
        assert!(load(Some("tools = 3")).unwrap_err().contains("line 1"));
    }
}
