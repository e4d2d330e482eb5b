//! The palette, which is also the help: every action that has a meaning here, found by name, description or key.

use super::actions::{ACTIONS, Action};
use super::context::Context;
use super::keymap::Keymap;
use super::snapshot::{Refusal, Snapshot};

/// One row.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The action.
    pub action: &'static Action,
    /// Its keys here, the preferred first, separated by commas.
    pub keys: String,
    /// Why it cannot be run now.
    pub refusal: Option<Refusal>,
}

/// The rows for a context that match a query, the best first; without a query all, those that can be run first.
#[must_use]
pub fn entries(keymap: &Keymap, context: Context, snapshot: &Snapshot, query: &str) -> Vec<Entry> {
    let query = query.trim();
    let mut ranked: Vec<(u8, Entry)> = ACTIONS
        .iter()
        .filter(|action| action.applies_in(context))
        .filter_map(|action| {
            let keys: Vec<String> = keymap.keys_of(action.id, context).map(ToString::to_string).collect();
            let rank = rank(action, &keys, query)?;
            Some((rank, Entry { action, keys: keys.join(", "), refusal: action.available(snapshot).err() }))
        })
        .collect();
    ranked.sort_by_key(|(rank, entry)| (*rank, entry.refusal.is_some()));
    ranked.into_iter().map(|(_, entry)| entry).collect()
}

/// How well an action matches; lower is better. A key comes first, because whoever types one wants to know what it does.
fn rank(action: &Action, keys: &[String], query: &str) -> Option<u8> {
    let lower = query.to_lowercase();
    let (name, title, help) = (action.name, action.title.to_lowercase(), action.help.to_lowercase());
    let key_is = |key: &String| key == query;
    let key_is_nearly = |key: &String| key.to_lowercase() == lower;
    let ranks: [bool; 9] = [
        keys.iter().any(key_is),
        keys.iter().any(key_is_nearly),
        title == lower || name == lower,
        title.starts_with(&lower) || name.starts_with(&lower),
        words(name, &lower) || words(&title, &lower),
        name.contains(&lower) || title.contains(&lower),
        words(&help, &lower),
        help.contains(&lower) || keys.iter().any(|key| key.to_lowercase().contains(&lower)),
        lower.chars().count() > 1 && is_subsequence(&lower, name),
    ];
    ranks.iter().position(|matches| *matches).and_then(|n| u8::try_from(n).ok())
}

/// Whether each word of the query begins a word of the text.
fn words(text: &str, query: &str) -> bool {
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    query.split_whitespace().all(|wanted| words.iter().any(|word| word.starts_with(wanted)))
}

/// Whether the characters of the query come in the text in this order, white space aside.
fn is_subsequence(query: &str, text: &str) -> bool {
    let mut rest = text.chars();
    query.chars().filter(|c| !c.is_whitespace()).all(|wanted| rest.any(|c| c == wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(query: &str) -> Vec<&'static str> {
        entries(&Keymap::default(), Context::List, &Snapshot::default(), query).iter().map(|entry| entry.action.name).collect()
    }

    #[test]
    fn it_is_found_by_key_by_name_and_by_description() {
        assert_eq!(found("R")[..2], ["rescan", "replay"]);
        assert_eq!(found("r")[..2], ["replay", "rescan"]);
        assert_eq!(found("ctrl-z")[0], "suspend");
        assert_eq!(found("replay ed")[0], "replay-edited");
        assert_eq!(found("jq")[0], "copy-jq-path");
        assert_eq!(found("shell")[0], "suspend");
        assert_eq!(found("tgmouse")[0], "toggle-mouse");
        assert_eq!(found("zzzz"), [""; 0]);
    }

    #[test]
    fn without_a_query_everything_is_there_and_what_can_be_run_comes_first() {
        let all = entries(&Keymap::default(), Context::List, &Snapshot::default(), "");
        assert_eq!(all.len(), ACTIONS.iter().filter(|action| action.applies_in(Context::List)).count());
        let first_refused = all.iter().position(|entry| entry.refusal.is_some()).unwrap();
        assert!(all[first_refused..].iter().all(|entry| entry.refusal.is_some()));
    }

    #[test]
    fn what_cannot_be_run_says_why() {
        let all = entries(&Keymap::default(), Context::List, &Snapshot::default(), "replay");
        assert_eq!(all[0].refusal, Some("no call is selected"));
    }
}
