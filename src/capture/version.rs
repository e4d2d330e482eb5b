//! Which version of an agent wrote a session.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// How much of a file is looked at: the version stands in its first lines.
const HEAD: u64 = 64 << 10;

/// The versions of Claude Code that the sessions below these paths say they were written by, the newest first, each once.
#[must_use]
pub fn claude_code_versions(paths: &[PathBuf]) -> Vec<String> {
    let mut versions: Vec<String> = super::files(paths).iter().filter_map(|path| claude_code_version_of(path)).collect();
    versions.sort_by_cached_key(|version| std::cmp::Reverse(parts(version)));
    versions.dedup();
    versions
}

/// The version of Claude Code that a session says it was written by: of several the newest in its first lines.
#[must_use]
pub fn claude_code_version_of(path: &Path) -> Option<String> {
    // A pipe can be read only once.
    if !std::fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut head = Vec::new();
    File::open(path).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    memchr::memmem::find(&head, b"\"sessionId\"")?;
    let versions = memchr::memmem::find_iter(&head, b"\"version\":").filter_map(|at| {
        let rest = head[at + 10..].trim_ascii_start().strip_prefix(b"\"")?;
        let version = std::str::from_utf8(&rest[..memchr::memchr(b'"', rest)?]).ok()?;
        (!parts(version).is_empty()).then(|| version.to_owned())
    });
    versions.max_by_key(|version| parts(version))
}

/// The numbers of a version; none if it is not made of numbers.
fn parts(version: &str) -> Vec<u64> {
    version.split('.').map(|part| part.parse().ok()).collect::<Option<_>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_that_are_recorded() {
        let folder = tempfile::tempdir().unwrap();
        let paths = [folder.path().to_owned()];
        assert_eq!(claude_code_versions(&paths), [""; 0]);
        std::fs::write(folder.path().join("a.jsonl"), r#"{"sessionId":"s","version": "2.1.9"}"#).unwrap();
        std::fs::write(folder.path().join("b.jsonl"), r#"{"sessionId":"s","version":"2.1.45"} {"version":"x"}"#).unwrap();
        std::fs::write(folder.path().join("c.jsonl"), r#"{"openapi":"x","version":"9.9.9"}"#).unwrap();
        assert_eq!(claude_code_versions(&paths), ["2.1.45", "2.1.9"]);
    }
}
