//! Patterns in paths, for shells that do not expand them and for patterns in quotes: `*`, `?`, `[a-z]` within a name, `**` for
//! any folders.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Whether a path has a pattern in it.
pub(crate) fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

/// Whether a path is a pattern and nothing stands where it points: neither a file of just that name nor one that it matches.
#[must_use]
pub fn matches_nothing(path: &Path) -> bool {
    is_pattern(path) && !path.exists() && expand(path).is_empty()
}

/// The paths that match a pattern, in order.
pub(crate) fn expand(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        found = match component {
            Component::Normal(name) if name == "**" => found.iter().flat_map(|base| folders_below(base)).collect(),
            Component::Normal(name) if is_pattern(Path::new(name)) => {
                let name: Vec<char> = name.to_string_lossy().chars().collect();
                found.iter().flat_map(|base| children(base, &name)).collect()
            }
            other => {
                for base in &mut found {
                    base.push(other);
                }
                found.retain(|base| base.exists() || base.as_os_str() == "..");
                found
            }
        };
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let readable = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = fs::read_dir(readable).into_iter().flatten().filter_map(Result::ok).map(|entry| entry.file_name());
    let folder = folder.to_path_buf();
    names.map(move |name| folder.join(name))
}

fn children(folder: &Path, pattern: &[char]) -> Vec<PathBuf> {
    // As in a shell, a name that begins with a point must be asked for.
    let hidden = pattern.first() == Some(&'.');
    let fits = |path: &PathBuf| {
        let name: Vec<char> = path.file_name().map(|n| n.to_string_lossy().chars().collect()).unwrap_or_default();
        (hidden || name.first() != Some(&'.')) && matches(pattern, &name)
    };
    entries(folder).filter(fits).collect()
}

/// The folder and all folders below it; links are not followed, and hidden folders are left out as in a shell.
fn folders_below(base: &Path) -> Vec<PathBuf> {
    let is_hidden = |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    let is_folder = |path: &PathBuf| !is_hidden(path) && fs::symlink_metadata(path).is_ok_and(|data| data.is_dir());
    let mut all = vec![base.to_path_buf()];
    let mut next = 0;
    while let Some(folder) = all.get(next).cloned() {
        next += 1;
        all.extend(entries(&folder).filter(is_folder));
    }
    all
}

/// Whether a name matches a pattern. Goes back to the last `*` only, so that no pattern takes long.
fn matches(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match one(&pattern[p..], name[n]) {
            One::Star => {
                star = Some((p, n));
                p += 1;
            }
            One::Matches(used) => {
                p += used;
                n += 1;
            }
            One::Fails => {
                let Some((at, from)) = star else { return false };
                star = Some((at, from + 1));
                (p, n) = (at + 1, from + 1);
            }
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

enum One {
    Star,
    /// So much of the pattern stands for this character.
    Matches(usize),
    Fails,
}

fn one(pattern: &[char], c: char) -> One {
    match pattern {
        [] => One::Fails,
        ['*', ..] => One::Star,
        ['?', ..] => One::Matches(1),
        ['[', rest @ ..] if rest.contains(&']') => {
            let end = rest.iter().skip(1).position(|c| *c == ']').map_or(rest.len(), |n| n + 1);
            let (set, not) = match &rest[..end.min(rest.len())] {
                ['!' | '^', set @ ..] => (set, true),
                set => (set, false),
            };
            if in_set(set, c) == not { One::Fails } else { One::Matches(end + 2) }
        }
        [literal, ..] => {
            if *literal == c {
                One::Matches(1)
            } else {
                One::Fails
            }
        }
    }
}

fn in_set(set: &[char], c: char) -> bool {
    match set {
        [] => false,
        [from, '-', to, rest @ ..] => (*from..=*to).contains(&c) || in_set(rest, c),
        [one, rest @ ..] => *one == c || in_set(rest, c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let fits = |pattern: &str, name: &str| matches(&pattern.chars().collect::<Vec<_>>(), &name.chars().collect::<Vec<_>>());
        for (pattern, yes, no) in [
            ("*.jsonl", "a.jsonl", "a.json"),
            ("a?c", "abc", "ac"),
            ("[a-c]x", "bx", "dx"),
            ("[!a-c]x", "dx", "bx"),
            ("*a*b", "xxaxxb", "xxbxxa"),
            ("[x", "[x", "x"),
            ("**", "anything", "\0never\0"),
            ("[]]", "]", "["),
        ] {
            assert!(fits(pattern, yes), "{pattern} {yes}");
            assert!(!fits(pattern, no) || pattern == "**", "{pattern} {no}");
        }
        assert!(!fits(&"*a".repeat(30), &"a".repeat(29)));
    }

    #[test]
    fn paths() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("x/y")).unwrap();
        fs::create_dir(root.join(".git")).unwrap();
        for name in ["a.jsonl", "b.txt", "x/c.jsonl", "x/y/d.jsonl", ".h.jsonl", ".git/e.jsonl"] {
            fs::write(root.join(name), "").unwrap();
        }
        let found = |pattern: &str| -> Vec<String> {
            let all = expand(&root.join(pattern));
            all.iter().map(|path| path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/")).collect()
        };
        assert_eq!(found("*.jsonl"), ["a.jsonl"]);
        assert_eq!(found("**/*.jsonl"), ["a.jsonl", "x/c.jsonl", "x/y/d.jsonl"]);
        assert_eq!(found("x/*/d.*"), ["x/y/d.jsonl"]);
        assert_eq!(found("x/**"), ["x", "x/y"]);
        assert_eq!(found("no*"), [""; 0]);
        assert_eq!(found(".*.jsonl"), [".h.jsonl"]);
        assert_eq!(found(".git/*"), [".git/e.jsonl"]);
        assert!(matches_nothing(&root.join("no*")) && !matches_nothing(&root.join("no")) && !matches_nothing(&root.join("*")));
    }
}
