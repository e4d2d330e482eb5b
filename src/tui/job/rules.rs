//! Judging every call by the rules of another profile.

use super::{Desk, Output};
use crate::gate::Profile;
use crate::replay::OtherRules;
use crate::tui::runtime::jobs::JobContext;

/// Judges beside the desk, which stays free, and takes over at it what came of it. Stopped before that, nothing has changed.
pub(super) fn judge(desk: &Desk, profile: Profile, job: &JobContext<Output>) {
    let reader = desk.reader();
    let mut other = OtherRules::new(profile);
    let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    loop {
        let judged = reader.judge_by(&mut other, &mut |done, total| {
            job.progress(count(done), count(total));
            !job.is_cancelled()
        });
        if !judged {
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
