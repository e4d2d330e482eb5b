//! What happens in the demonstration, in order. It is written down in `story.jsonl`.

use crate::json::{Value, to_well_formed};

/// One thing that happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The agent calls a tool.
    Call {
        /// The tool.
        tool: String,
        /// The text of the arguments, as the model wrote it.
        arguments: String,
    },
    /// Somebody edits a definition.
    Change {
        /// The file, seen from the folder.
        file: String,
        /// Every place of this text in it …
        replace: String,
        /// … becomes this.
        with: String,
        /// What that means, for people.
        said: String,
    },
}

/// Every step.
pub fn steps() -> impl Iterator<Item = Step> + Send {
    // A test holds that every line can be read.
    include_str!("story.jsonl").lines().filter_map(step)
}

fn step(line: &str) -> Option<Step> {
    let value = Value::parse(line.as_bytes()).ok()?;
    let text = |of: &Value, key: &str| Some(to_well_formed(of.get(key)?.as_string()?.as_bytes()).into_owned());
    if let Some(call) = value.get("call") {
        return Some(Step::Call { tool: text(call, "tool")?, arguments: text(call, "arguments")? });
    }
    let change = value.get("change")?;
    let (file, replace) = (text(change, "file")?, text(change, "replace")?);
    Some(Step::Change { file, replace, with: text(change, "with")?, said: text(change, "said")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_step() {
        let lines = include_str!("story.jsonl").lines();
        assert_eq!(lines.clone().filter_map(step).count(), lines.count());
    }
}
