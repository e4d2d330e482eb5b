//! Judging calls by other rules: those of another profile, or by definitions that changed.

use super::{Desk, Output, Teller, goes_on};
use crate::gate::Profile;
use crate::replay::{OtherRules, Reloaded};
use crate::tui::runtime::jobs::JobContext;

/// Judges beside the desk, which stays free, and takes over at it what came of it. Stopped before that, nothing has changed.
pub(super) fn judge(desk: &Desk, profile: Profile, job: &JobContext<Output>) {
    let reader = desk.reader();
    let mut other = OtherRules::new(profile);
    loop {
        if !reader.judge_by(&mut other, &mut |done, total| goes_on(job, done, total)) {
            return;
        }
        let mut engine = desk.sit_down();
        let mut news = Vec::new();
        if engine.adopt(&mut other, &mut |told| news.push(told)) {
            // While sitting at the desk, so that nobody tells later news first.
            return job.deliver(Output::News(news));
        }
    }
}

/// Reads the definitions again and judges the calls of those that changed beside the desk, then puts them in force at it. Stopped
/// before that, nothing has changed.
pub(super) fn reload(desk: &Desk, job: &JobContext<Output>) {
    let reader = desk.reader();
    loop {
        let mut engine = desk.sit_down();
        let again = engine.read_again();
        let mut teller = Teller { job, news: engine.introduction().into_iter().collect(), told: None };
        teller.tell();
        drop(engine);
        let Some(mut again) = again else { return };
        loop {
            if !reader.judge_again(&mut again, &mut |done, total| goes_on(job, done, total)) {
                return;
            }
            let mut engine = desk.sit_down();
            let mut news = Vec::new();
            match engine.put_in_force(&mut again, &mut |told| news.push(told)) {
                // While sitting at the desk, so that nobody tells later news first.
                Reloaded::Done => return job.deliver(Output::News(news)),
                Reloaded::More => {}
                Reloaded::Stale => break,
            }
        }
    }
}
