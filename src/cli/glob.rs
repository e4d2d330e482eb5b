//! Patterns of paths (`sessions/**/*.ndjson`), for shells and CI files that do not expand them.

use std::path::{Path, PathBuf};

/// Folders deeper than this are not looked into.
const MAX_DEPTH: usize = 64;

/// Whether a path is a pattern.
pub(super) fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?', '['])
}

/// The files that a pattern matches, sorted; links to folders are not followed. A path that is no pattern, or that exists as
/// it is written, is itself.
pub(super) fn expand(pattern: &str) -> Vec<PathBuf> {
    if !is_pattern(pattern) || Path::new(pattern).exists() {
        return vec![PathBuf::from(pattern)];
    }
    let parts: Vec<&str> = pattern.split('/').collect();
    let fixed = parts.iter().take_while(|part| !is_pattern(part)).count();
    let start = parts[..fixed].join("/");
    let start = match (start.as_str(), fixed) {
        ("", 0) => PathBuf::from("."),
        ("", _) => PathBuf::from("/"),
        (start, _) => PathBuf::from(start),
    };
    let mut found = Vec::new();
    let mut work = vec![(start, fixed, 0)];
    while let Some((folder, at, depth)) = work.pop() {
        let Some(part) = parts.get(at) else { continue };
        if depth > MAX_DEPTH {
            continue;
        }
        // `**` is any number of folders, none too.
        if *part == "**" {
            work.push((folder.clone(), at + 1, depth));
        }
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let path = if folder == Path::new(".") { PathBuf::from(&*name) } else { folder.join(&*name) };
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let last = at + 1 == parts.len();
            if *part == "**" {
                if is_folder && !name.starts_with('.') {
                    work.push((path, at, depth + 1));
                } else if last && !is_folder {
                    found.push(path);
                }
            } else if matches(part.as_bytes(), name.as_bytes()) {
                if last && path.is_file() {
                    found.push(path);
                } else if !last && path.is_dir() {
                    work.push((path, at + 1, depth + 1));
                }
            }
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Whether a name matches one part of a pattern: `*`, `?`, and `[abc]`, `[a-z]`, `[!a]`. A name that begins with a point is
/// matched by one that does.
fn matches(pattern: &[u8], name: &[u8]) -> bool {
    if name.first() == Some(&b'.') && pattern.first() != Some(&b'.') {
        return false;
    }
    let (mut p, mut n) = (0, 0);
    // Where the last star stands, and how much of the name it has taken: going back there is all the search there is.
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
                continue;
            }
            Some(b'?') => {
                p += 1;
                n += 1;
                continue;
            }
            Some(b'[') => {
                if let Some((yes, after)) = class(pattern, p, name[n])
                    && yes
                {
                    p = after;
                    n += 1;
                    continue;
                }
            }
            Some(c) if *c == name[n] => {
                p += 1;
                n += 1;
                continue;
            }
            _ => {}
        }
        let Some((at, taken)) = star else { return false };
        star = Some((at, taken + 1));
        p = at + 1;
        n = taken + 1;
    }
    pattern[p..].iter().all(|c| *c == b'*')
}

/// Whether a byte is in the class that starts at `at`, and what follows the class.
fn class(pattern: &[u8], at: usize, byte: u8) -> Option<(bool, usize)> {
    let end = at + 2 + pattern.get(at + 2..)?.iter().position(|b| *b == b']')?;
    let inner = &pattern[at + 1..end];
    let (negated, inner) = match inner {
        [b'!' | b'^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut yes = false;
    let mut i = 0;
    while i < inner.len() {
        if inner.get(i + 1) == Some(&b'-') && i + 2 < inner.len() {
            yes |= (inner[i]..=inner[i + 2]).contains(&byte);
            i += 3;
        } else {
            yes |= inner[i] == byte;
            i += 1;
        }
    }
    Some((yes != negated, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (pattern, name, yes) in [
            ("*.json", "a.json", true),
            ("*.json", ".a.json", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyy", false),
            ("[a-c]?", "bx", true),
            ("[!a-c]?", "bx", false),
            ("[", "[", false),
            ("*", "", true),
            ("****a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), name.as_bytes()), yes, "{pattern} {name}");
        }
    }

    #[test]
    fn files() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["a.ndjson", "x/b.ndjson", "x/y/c.ndjson", "x/y/d.txt", ".hidden/e.ndjson"] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let base = folder.path().display();
        let names = |pattern: &str| -> Vec<String> {
            let found = expand(&format!("{base}/{pattern}"));
            found.iter().map(|p| p.strip_prefix(folder.path()).unwrap().display().to_string()).collect()
        };
        assert_eq!(names("**/*.ndjson"), ["a.ndjson", "x/b.ndjson", "x/y/c.ndjson"]);
        assert_eq!(names("x/*.ndjson"), ["x/b.ndjson"]);
        assert_eq!(names("*/y/*"), ["x/y/c.ndjson", "x/y/d.txt"]);
        assert_eq!(names("none*"), [""; 0]);
        assert_eq!(names("missing"), ["missing"]);
    }
}
