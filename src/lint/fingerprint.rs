//! What makes a finding the same finding in another run: its rule, its tool, its place and the value, never its words.

/// Twelve hexadecimal digits of FNV-1a (64 bits) over the parts, so that a decision about a finding survives other changes
/// and another wording.
#[must_use]
pub fn fingerprint(parts: &[&str]) -> String {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    // 0xFF is in no UTF-8: it keeps the parts apart.
    let hash = parts.iter().fold(OFFSET, |hash, part| step(part.bytes().fold(hash, step), 0xFF));
    format!("{:012x}", hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stable_and_apart() {
        assert_eq!(fingerprint(&["rule", "tool", "/a", "1"]), "bef3e44347c1");
        assert_ne!(fingerprint(&["a", "b"]), fingerprint(&["ab", ""]));
    }
}
