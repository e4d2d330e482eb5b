//! Results of tau2-bench simulations: calls are values, made by the assistant and by the simulated user alike.

use super::{Format, SURE, State};
use crate::capture::event::{CallEvent, Event, RawOutcome, ResultEvent, text};
use crate::json::View;

pub(super) struct Tau2;

impl Format for Tau2 {
    fn name(&self) -> &'static str {
        "tau2-simulation"
    }

    fn title(&self) -> &'static str {
        "tau2 simulation"
    }

    fn weigh(&self, value: View<'_>) -> u32 {
        let simulations = value.get("simulations").into_iter().flat_map(View::items);
        let one = value.get("messages").is_some() && value.get("termination_reason").is_some();
        if one || simulations.take(1).any(|simulation| simulation.get("messages").is_some()) { SURE + 1 } else { 0 }
    }

    fn read(&self, value: View<'_>, _: &mut State, out: &mut dyn FnMut(Event<'_>)) -> Result<(), &'static str> {
        let model = value.at_pointer("/info/agent_info/llm");
        match value.get("simulations") {
            Some(simulations) => simulations.items().for_each(|s| simulation(s, model, out)),
            None => simulation(value, model, out),
        }
        Ok(())
    }
}

fn simulation<'a>(simulation: View<'a>, model: Option<View<'a>>, out: &mut dyn FnMut(Event<'_>)) {
    out(Event::Conversation);
    for message in simulation.get("messages").into_iter().flat_map(View::items) {
        for call in message.get("tool_calls").into_iter().flat_map(View::items) {
            let Some(tool) = text(call, "name") else { continue };
            let by_agent = !message.get("role").is_some_and(|role| role.is("user"));
            out(Event::Call(CallEvent {
                id: text(call, "id"),
                at: text(message, "timestamp"),
                session: text(simulation, "id"),
                model: model.filter(|_| by_agent).and_then(View::str),
                ..CallEvent::new(call, tool, call.get("arguments").into())
            }));
        }
        if message.get("role").is_some_and(|role| role.is("tool")) {
            match message.get("tool_messages") {
                Some(several) => several.items().for_each(|one| result(one, out)),
                None => result(message, out),
            }
        }
    }
}

fn result(message: View<'_>, out: &mut dyn FnMut(Event<'_>)) {
    let is_error = message.get("error").and_then(View::bool);
    let outcome = RawOutcome { is_error, text: message.get("content").into() };
    out(Event::Result(ResultEvent { id: text(message, "id"), tool: text(message, "name"), outcome }));
}
