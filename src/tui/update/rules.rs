//! By whose rules calls are judged.

use super::super::job::{Job, kind};
use super::super::keys::ActionId;
use super::super::notices::Level;
use super::super::runtime::Effect;
use super::super::state::State;
use super::Effects;
use crate::gate::Profile;

impl State {
    /// Changes the rules, if that is what the action is about.
    pub(super) fn perform_in_rules(&mut self, action: ActionId, effects: &mut Effects) -> bool {
        if action != ActionId::NextRules {
            return false;
        }
        let wanted = self.rules_wanted.unwrap_or(self.data.gate.profile()).next();
        let Some(desk) = &self.desk else { return true };
        if wanted == self.data.gate.profile() && self.rules_wanted.is_none() {
            self.say(Level::Info, "There are no other rules: the program was built without the profile jsonschema");
            return true;
        }
        self.rules_wanted = Some(wanted);
        let ticket = self.jobs.ask(self.now, kind::RULES, 0);
        effects.push(Effect::Spawn(ticket, Job::Rules(desk.clone(), wanted)));
        true
    }

    /// Says what other rules brought.
    pub(super) fn rules_changed(&mut self, failed: usize) {
        let profile = self.data.gate.profile();
        self.rules_wanted.take_if(|wanted| *wanted == profile);
        let failing = self.data.rows.total().failing;
        let fail = |n: usize| format!("{n} {}", if n == 1 { "call fails" } else { "calls fail" });
        let text = format!("Judged by {}: {}, {failed} before; flips are counted from here on", title(profile), fail(failing));
        self.say(Level::Info, &text);
    }
}

/// A profile in few words.
pub(in crate::tui) fn title(profile: Profile) -> &'static str {
    match (profile.name(), profile.asserts_formats()) {
        ("jsonschema", true) => "jsonschema with formats",
        (name, _) => name,
    }
}
