//! Results of the Berkeley function calling leaderboard: rows whose `result` lists calls, each an object with the tool as its
//! only key. In rows of several turns the lists are nested.

use super::{Format, LIKELY, SURE, State};
use crate::capture::event::{CallEvent, Event, Spot, text};
use crate::json::{Kind, View};

pub(super) struct Bfcl;

impl Format for Bfcl {
    fn name(&self) -> &'static str {
        "bfcl-result"
    }

    fn title(&self) -> &'static str {
        "BFCL result"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let Some(result) = value.get("result").filter(|_| value.get("id").is_some() && value.get("jsonrpc").is_none()) else {
            return 0;
        };
        let mut calls = 0;
        each_call(result, 4, &mut |_, _| calls += 1);
        let counted = ["input_token_count", "output_token_count", "latency"].iter().any(|key| value.get(key).is_some());
        match (calls > 0, counted) {
            (true, true) => SURE,
            (true, false) | (false, true) => LIKELY,
            (false, false) => 0,
        }
    }

    fn read(&self, value: View<'_>, _: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        out(Event::Conversation);
        let Some(result) = value.get("result") else { return Ok(()) };
        each_call(result, 4, &mut |object, arguments| {
            let Some(tool) = arguments.key_str() else { return };
            let call = CallEvent::new(object, tool, Some(arguments).into());
            out(Event::Call(CallEvent { session: text(value, "id"), spot: Spot::of(object), ..call }));
        });
        Ok(())
    }
}

/// Calls each object with one key in a list, or in lists of lists.
fn each_call<'a>(list: View<'a>, depth: usize, found: &mut dyn FnMut(View<'a>, View<'a>)) {
    for item in list.items() {
        let mut members = item.children();
        match (item.kind(), members.next(), members.next()) {
            (Kind::Object, Some(arguments), None) if matches!(arguments.kind(), Kind::Object | Kind::String) => {
                found(item, arguments);
            }
            (Kind::Array, ..) if depth > 0 => each_call(item, depth - 1, found),
            _ => {}
        }
    }
}
