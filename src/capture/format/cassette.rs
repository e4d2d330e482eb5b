//! Recorded HTTP traffic: VCR cassettes (YAML, which comes here as JSON, or JSON), and HAR files.
//!
//! An exchange is read as the history in its request, then its response. Bodies stand there as values (`parsed_body`), as text,
//! or as base64, compressed or not.

use super::api::{About, Assembler, Walk, Where, read_body};
use super::{Format, SURE, State};
use crate::capture::base64;
use crate::capture::compressed;
use crate::capture::event::{Event, text};
use crate::capture::unit::utf8;
use crate::json::{Kind, View};

/// A cassette of VCR (Python, Ruby, Go) or one of its kin.
pub(super) struct Cassette;

/// An archive as browsers and proxies export it.
pub(super) struct Har;

const LISTS: [&str; 2] = ["interactions", "http_interactions"];

impl Format for Cassette {
    fn name(&self) -> &'static str {
        "vcr-cassette"
    }

    fn title(&self) -> &'static str {
        "VCR cassette"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let list = LISTS.iter().find_map(|key| value.get(key));
        let is_exchange = |item: View<'_>| item.get("request").is_some();
        // More sure than of the API whose bodies it holds.
        if list.is_some_and(|list| list.items().take(1).any(is_exchange)) { SURE * 10 } else { 0 }
    }

    fn read(&self, value: View<'_>, _: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        let list = LISTS.iter().find_map(|key| value.get(key));
        for exchange in list.into_iter().flat_map(View::items) {
            out(Event::Exchange);
            let about = About { at: text(exchange, "recorded_at"), ..About::default() };
            for side in ["request", "response"].iter().filter_map(|side| exchange.get(side)) {
                if let Some(parsed) = side.get("parsed_body") {
                    read_value(parsed, &about, out);
                } else if let Some(body) = side.get("body") {
                    read_recorded(body, &about, out);
                }
            }
        }
        Ok(())
    }
}

/// A body as it was recorded: a string, or an object that holds one.
fn read_recorded(body: View<'_>, about: &About<'_>, out: &mut dyn FnMut(Event<'_>)) {
    if body.kind() != Kind::Object {
        return read_text(body, false, about, out);
    }
    for (key, is_base64) in [("string", false), ("base64_string", true)] {
        if let Some(inner) = body.get(key) {
            let encoded = is_base64 || body.get("encoding").is_some_and(|encoding| encoding.is("base64"));
            return read_text(inner, encoded, about, out);
        }
    }
    read_value(body, about, out);
}

impl Format for Har {
    fn name(&self) -> &'static str {
        "har"
    }

    fn title(&self) -> &'static str {
        "HTTP archive"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let entries = value.get("log").and_then(|log| log.get("entries"));
        if entries.is_some_and(|entries| entries.kind() == Kind::Array) { SURE * 10 } else { 0 }
    }

    fn read(&self, value: View<'_>, _: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        for entry in value.at_pointer("/log/entries").into_iter().flat_map(View::items) {
            out(Event::Exchange);
            let about = About { at: text(entry, "startedDateTime"), ..About::default() };
            if let Some(body) = entry.at_pointer("/request/postData/text") {
                read_text(body, false, &about, out);
            }
            if let Some(content) = entry.at_pointer("/response/content")
                && let Some(body) = content.get("text")
            {
                let encoded = content.get("encoding").is_some_and(|encoding| encoding.is("base64"));
                read_text(body, encoded, &about, out);
            }
        }
        Ok(())
    }
}

fn read_value(value: View<'_>, about: &About<'_>, out: &mut dyn FnMut(Event<'_>)) {
    if value.kind() == Kind::String {
        return read_text(value, false, about, out);
    }
    let mut stream = Assembler::default();
    Walk { out, place: Where::Document, stream: &mut stream, splits: false }.visit(value, about, super::api::DEPTH);
    stream.end(true, out);
}

fn read_text(body: View<'_>, is_base64: bool, about: &About<'_>, out: &mut dyn FnMut(Event<'_>)) {
    let Some(string) = body.string() else { return };
    let at = body.span().start;
    // How gzip and Zstandard begin, in base64.
    let seems = [&b"H4sI"[..], b"KLUv/"].iter().any(|start| string.as_bytes().starts_with(start));
    let decoded = if is_base64 || seems { base64::decode(string.as_bytes()) } else { None };
    let bytes = decoded.as_deref().unwrap_or(string.as_bytes());
    match compressed::inflate(bytes) {
        Some(plain) => read_body(utf8(&plain).as_bytes(), at, about, out),
        None => read_body(utf8(bytes).as_bytes(), at, about, out),
    }
}
