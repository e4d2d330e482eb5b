//! What a finding is known by from run to run.

use crate::json::Value;

/// A hash of the rule, the tool, the place, and what stood and stands there: no prose, so that better wording in a later
/// version does not orphan what was accepted by an earlier one. Twelve hexadecimal digits.
///
/// FNV-1a over 64 bits with a last mixing step (splitmix64), of which the upper 48 bits are kept: not for secrets, but the
/// same on every machine.
pub(crate) fn fingerprint(rule: &str, tool: &str, pointer: &str, before: Option<&Value>, after: Option<&Value>) -> String {
    let text = |value: Option<&Value>| value.map(Value::to_canonical);
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut feed = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    };
    for part in [Some(rule.to_owned()), Some(tool.to_owned()), Some(pointer.to_owned()), text(before), text(after)] {
        // Absent is not the same as any text, and no two lists of parts read the same.
        match part {
            Some(text) => {
                feed(&[1]);
                feed(&(text.len() as u64).to_le_bytes());
                feed(text.as_bytes());
            }
            None => feed(&[0]),
        }
    }
    let mut mixed = hash;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    format!("{:012x}", (mixed ^ (mixed >> 31)) >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_and_spelling_do_not_matter() {
        let a = Value::parse(br#"{"b": 1.0, "a": 2}"#).unwrap();
        let b = Value::parse(br#"{"a":2,"b":1}"#).unwrap();
        let print = |v: Option<&Value>| fingerprint("rule", "tool", "/p", v, None);
        assert_eq!(print(Some(&a)), print(Some(&b)));
        assert_ne!(print(Some(&a)), print(None));
        assert_ne!(print(None), print(Some(&Value::Null)));
        assert_ne!(fingerprint("a", "b", "", None, None), fingerprint("ab", "", "", None, None));
        assert_eq!(print(None).len(), 12);
        // Written into accept files: it must never change.
        assert_eq!(print(None), "937845a1c2ff");
    }
}
