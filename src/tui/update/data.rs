//! Definitions and calls: asking for them, and taking in what comes.

use super::super::edit::attempts::UNSAVED;
use super::super::job::{Job, Output, Shown, kind};
use super::super::keys::ActionId;
use super::super::notices::Level;
use super::super::runtime::Effect;
use super::super::runtime::jobs::JobKey;
use super::super::runtime::watch::Change;
use super::super::state::{Baseline, Brought, Loading, Looked, State};
use super::Effects;
use crate::capture::index::CallId;
use crate::replay::News;
use std::path::{Path, PathBuf};

impl State {
    /// Asks for everything, the first time that anything happens.
    pub(super) fn begin(&mut self, effects: &mut Effects) {
        if self.loading == Loading::NotAsked && self.desk.is_some() {
            self.loading = Loading::UnderWay;
            self.scan(effects);
        }
    }

    pub(super) fn scan(&mut self, effects: &mut Effects) {
        if let Some(desk) = &self.desk {
            effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::LOADING, 0), Job::Scan(desk.clone())));
        }
    }

    pub(super) fn reload(&mut self, effects: &mut Effects) {
        if let Some(desk) = &self.desk {
            effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::JUDGING, 0), Job::Reload(desk.clone())));
        }
    }

    pub(super) fn mark_baseline(&mut self, effects: &mut Effects) {
        if let Some(desk) = &self.desk {
            effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::BASELINE, 0), Job::MarkBaseline(desk.clone())));
        }
    }

    /// Asks for the selected call, if it is not the one that was asked for last.
    pub(in crate::tui) fn look_at_selected(&mut self, effects: &mut Effects) {
        let selected = self.data.calls.selected();
        if selected == self.look.wanted {
            return;
        }
        self.look.wanted = selected;
        self.look.failed = None;
        match selected {
            Some(id) => self.ask_for(id, effects),
            None => self.look.call = None,
        }
    }

    fn ask_for(&mut self, id: CallId, effects: &mut Effects) {
        if let Some(shown) = self.shown_attempt(id) {
            return self.show(shown);
        }
        if let Some(desk) = &self.desk {
            effects.push(Effect::Spawn(self.jobs.ask(self.now, kind::CALL, 0), Job::Detail(desk.clone(), id)));
        }
    }

    /// Reads what changed: definitions, captures, or both where that cannot be told.
    pub(super) fn files_changed(&mut self, change: &Change, effects: &mut Effects) {
        let (Change::Changed(paths) | Change::Removed(paths)) = change else { return };
        let Some(desk) = &self.desk else { return };
        let below = |roots: &[PathBuf]| paths.iter().any(|path| roots.iter().any(|root| is_below(path, root)));
        let (tools, sessions) = (below(desk.tools()), below(desk.sessions()));
        if tools || !sessions {
            self.reload(effects);
            self.review_again(effects);
        }
        if sessions || !tools {
            self.scan(effects);
        }
    }

    /// Calls do not go without a word.
    fn say_gone(&mut self, news: &News) {
        let News::Calls { file, path, gone: true, .. } = news else { return };
        let calls = self.data.rows.files().find(|(number, _)| number == file).map_or(0, |(_, calls)| calls);
        if calls > 0 && *file != UNSAVED {
            let calls = if calls == 1 { "its call".to_owned() } else { format!("its {calls} calls") };
            self.say(Level::Warning, &format!("{} is gone, and {calls} with it", path.display()));
        }
    }

    /// Takes in news. It has happened, so that it counts whatever has become of the job that brings it.
    pub(in crate::tui) fn take_in_news(&mut self, all: Vec<News>, effects: &mut Effects) {
        let mut sum = Brought::default();
        for news in all {
            self.say_gone(&news);
            self.before_news(&news);
            let brought = self.data.take_in_part(news);
            sum.look_again |= brought.look_again;
            sum.compared |= brought.compared;
            sum.findings |= brought.findings;
            sum.flips |= brought.flips;
            sum.added += brought.added;
            sum.rules = brought.rules.or(sum.rules);
        }
        self.data.place_arrived();
        if sum.look_again && self.look.wanted.is_some() {
            // What is shown stays until the answer is there.
            self.look.wanted = None;
            self.look_at_selected(effects);
        }
        if sum.findings {
            self.say_findings();
        }
        if sum.flips {
            self.find_causes(effects);
        }
        if sum.compared {
            self.say_flips();
        }
        if let Some((_, failed)) = sum.rules {
            self.rules_changed(failed);
            self.review_again(effects);
        }
    }

    fn say_flips(&mut self) {
        let names = list(&self.data.changed);
        let (failing, mended, other) = self.data.flip_counts();
        let mut parts = Vec::new();
        let calls = |n: usize| if n == 1 { "1 call".to_owned() } else { format!("{n} calls") };
        if failing > 0 {
            parts.push(format!("{} now {}", calls(failing), if failing == 1 { "fails" } else { "fail" }));
        }
        if mended > 0 {
            parts.push(if parts.is_empty() { format!("{} mended", calls(mended)) } else { format!("{mended} mended") });
        }
        if other > 0 {
            parts.push(format!("{other} otherwise changed"));
        }
        if parts.is_empty() {
            return self.say(Level::Info, &format!("{names}: no verdict is another one than at the baseline"));
        }
        let level = if failing > 0 { Level::Warning } else { Level::Info };
        self.say(level, &format!("{} ({names}); {} lists them", parts.join(", "), self.key_of(ActionId::ShowFlips)));
    }

    fn say_findings(&mut self) {
        let findings: Vec<String> = self.data.catalog.findings().iter().map(ToString::to_string).collect();
        match findings.as_slice() {
            [] => self.say(Level::Info, "Every definition can be read again"),
            [first, ..] if self.loading == Loading::Done => self.say(Level::Error, &first.clone()),
            all => all.iter().for_each(|finding| self.notices.note(self.now, Level::Error, finding)),
        }
    }

    /// What could not be read in the captures: all of it in the log, and that there is something where calls may be missing.
    fn say_unreadable(&mut self) {
        let mut lost = 0;
        for problem in self.data.rows.problems() {
            lost += usize::from(problem.kind.is_loss());
            self.notices.note(self.now, Level::Warning, &problem.to_string());
        }
        if lost > 0 {
            self.say(Level::Warning, &format!("{lost} places in the captures could not be read; the log has them"));
        }
    }

    /// The first reading is over before its end: what is there is all that there will be, until it is asked for again.
    pub(super) fn reading_ended(&mut self, key: JobKey) {
        if key.kind == kind::COUNTING {
            // Not again before something changes.
            self.counted = self.counting.take();
        }
        if key.kind == kind::RULES {
            self.rules_wanted = None;
        }
        if key.kind == kind::FILTERING {
            // What has not been read is not shown, and is said to be so.
            self.data.find.queue.clear();
        }
        if key.kind == kind::LOADING {
            self.loading = Loading::Done;
            self.data.calls.chosen = true;
        }
    }

    /// Takes in what a job gives.
    pub(super) fn take_in_output(&mut self, output: Output, effects: &mut Effects) {
        match output {
            Output::News(news) => self.take_in_news(news, effects),
            Output::Paths(problems) => {
                if self.loading != Loading::Done {
                    self.say_unreadable();
                }
                self.loading = Loading::Done;
                self.data.calls.chosen = true;
                for problem in problems {
                    self.notices.note(self.now, Level::Error, &problem.to_string());
                }
                self.make_due_review(effects);
                self.count_flips_from_start(effects);
            }
            Output::Advice(advice) => {
                if let (Some(advice), true) = (&advice, advice != self.data.advice) {
                    self.say(Level::Warning, advice);
                }
                self.data.advice = advice;
            }
            Output::Call(shown) => self.show(*shown),
            Output::NoCall(id, why) => {
                if self.look.wanted == Some(id) {
                    self.look.call = None;
                    self.look.failed = Some(why);
                }
            }
            Output::Found(found) => self.take_in_found(found, effects),
            Output::Edit(output) => self.take_in_edit(output, effects),
            Output::BaselineSet { revision, problems } => self.baseline_set(revision, &problems),
            Output::NoBaseline(reason) => self.say(Level::Error, &reason),
            Output::Causes(causes) => self.data.causes = causes,
            Output::Review(output) => self.take_in_review(output, effects),
            Output::Exported(exported) => self.exported(exported),
            Output::Definitions(definitions) => self.explorer.set_definitions(*definitions),
            Output::Counted(statistics) => {
                self.counted = self.counting.take();
                self.explorer.set_statistics(*statistics);
            }
            Output::BaselineMarked => {
                self.data.set_flips(Vec::new());
                self.data.changed.clear();
                self.data.causes.clear();
                self.data.baseline = Baseline::Mark;
                self.say(Level::Info, "Flips are counted from here on");
            }
        }
    }

    /// Shows a call in the detail pane; what is the same as before stays where it was.
    pub fn show(&mut self, shown: Shown) {
        if self.look.wanted != Some(shown.id) {
            return;
        }
        let mut looked = Looked::new(shown, self.reading.form);
        if let Some(before) = self.look.call.take() {
            looked.take_over(*before);
        }
        self.look.failed = None;
        self.look.call = Some(Box::new(looked));
    }
}

/// A watcher tells paths as the folder was given, or made absolute.
fn is_below(path: &Path, root: &Path) -> bool {
    let plain = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_owned();
    plain(path).starts_with(plain(root)) || std::path::absolute(root).is_ok_and(|root| path.starts_with(root))
}

/// Some names, and how many more there are.
fn list(names: &[String]) -> String {
    const NAMED: usize = 3;
    match names.len().checked_sub(NAMED) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..NAMED].join(", ")),
    }
}
