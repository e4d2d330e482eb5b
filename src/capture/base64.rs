//! Base64, as bodies of recorded HTTP traffic are kept.

/// The bytes of a base64 text, white space in it ignored; `None` if it is none. Both alphabets, with or without padding.
pub(crate) fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' | b' ' | b'\t' | b'\r' | b'\n' => continue,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(low_byte(bits >> count));
        }
    }
    Some(bytes)
}

fn low_byte(bits: u32) -> u8 {
    bits.to_be_bytes()[3]
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn known_texts() {
        for (text, plain) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9v\nYmFy", "foobar"), ("Zm8", "fo")] {
            assert_eq!(decode(text.as_bytes()).unwrap(), plain.as_bytes());
        }
        assert_eq!(decode(b"--__").unwrap(), decode(b"++//").unwrap());
        assert!(decode(b"a.b").is_none());
    }
}
