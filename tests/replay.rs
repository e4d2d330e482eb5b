//! The engine: verdicts that follow files as they change.

use misfire::capture::Call;
use misfire::capture::index::CallId;
use misfire::gate::VerdictKind::{self, Accepted, Rejected, UnknownTool};
use misfire::gate::{Arguments, Profile};
use misfire::replay::filter::{Filter, Flags, RowFacts};
use misfire::replay::{Engine, News, Row};
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

struct Project {
    folder: tempfile::TempDir,
    engine: Engine,
    /// What a screen would hold: the rows of each file.
    rows: BTreeMap<u32, Vec<Row>>,
}

const TOOL: &str =
    r#"{"name": "set", "parameters": {"type": "object", "properties": {"level": {"type": "number"}}, "required": ["level"]}}"#;

impl Project {
    fn new(calls: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("tools")).unwrap();
        fs::create_dir_all(folder.path().join("sessions")).unwrap();
        fs::write(folder.path().join("tools/set.json"), TOOL).unwrap();
        fs::write(folder.path().join("sessions/a.jsonl"), calls).unwrap();
        let path = |name: &str| vec![folder.path().join(name)];
        let engine = Engine::open(&path("tools"), path("sessions"), Profile::Wave);
        let mut project = Self { folder, engine, rows: BTreeMap::new() };
        project.scan();
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn scan(&mut self) {
        let mut news = Vec::new();
        let (problems, stopped) = self.engine.scan(&mut |n| news.push(n), &mut || true);
        assert!(problems.is_empty() && !stopped, "{problems:?}");
        for n in news {
            self.take_in(n);
        }
    }

    fn take_in(&mut self, news: News) {
        match news {
            News::Calls { file, removed, added, gone, .. } => {
                let rows = self.rows.entry(file).or_default();
                rows.drain(removed.start as usize..removed.end as usize);
                for row in added {
                    assert_eq!(row.id.call as usize, rows.len(), "rows come in order");
                    rows.push(row);
                }
                assert!(!gone || rows.is_empty());
            }
            News::Rules { .. } | News::Baseline { .. } => {}
            News::Parents(parents) => {
                for (attempt, parent) in parents {
                    self.rows.get_mut(&attempt.file).unwrap()[attempt.call as usize].parent = Some(parent);
                }
            }
            News::Definitions { judged, .. } | News::Profile { judged, .. } => {
                for judgement in judged {
                    let id = judgement.id;
                    self.rows.get_mut(&id.file).unwrap()[id.call as usize].take_in(judgement);
                }
            }
        }
    }

    fn kinds(&self) -> Vec<VerdictKind> {
        self.rows.values().flatten().map(|row| row.outcome.kind).collect()
    }
}

const CALLS: &str = "{\"id\":\"c1\",\"tool\":\"set\",\"arguments\":{\"level\":1}}\n{\"id\":\"c2\",\"tool\":\"set\",\"arguments\":\"{\\\"level\\\":\\\"2\\\"}\"}\n{\"id\":\"c3\",\"tool\":\"get\",\"arguments\":{}}\n";

#[test]
fn calls_are_judged_as_they_are_read_and_as_files_grow() {
    let mut project = Project::new(CALLS);
    assert_eq!(project.kinds(), [Accepted, Rejected, UnknownTool]);
    assert_eq!(project.rows[&0][1].said.error.as_deref(), Some("type level"));

    let file = project.path("sessions/a.jsonl");
    fs::write(&file, CALLS.to_owned() + "{\"tool\":\"set\",\"arguments\":\"{}\"}\n{\"tool\":\"se").unwrap();
    project.scan();
    assert_eq!(project.kinds(), [Accepted, Rejected, UnknownTool, Rejected]);

    // Cut and begun anew: what is the same stays, the rest goes.
    let first = CALLS.lines().next().unwrap();
    fs::write(&file, format!("{first}\n{{\"tool\":\"get\"}}\n")).unwrap();
    project.scan();
    assert_eq!(project.kinds(), [Accepted, UnknownTool]);

    fs::remove_file(&file).unwrap();
    project.scan();
    assert_eq!(project.kinds(), []);
}

#[test]
fn saving_a_definition_flips_the_calls_that_it_concerns() {
    let mut project = Project::new(CALLS);
    fs::write(project.path("tools/set.json"), TOOL.replace("number", "string")).unwrap();
    let mut news = Vec::new();
    project.engine.reload(&mut |n| news.push(n));
    let [News::Definitions { changed, judged, flips, .. }] = news.as_slice() else { panic!("{news:?}") };
    assert_eq!(changed, &["set"]);
    assert_eq!(judged.len(), 2, "only the calls of the definition that changed");
    let flips: Vec<_> = flips.iter().map(|f| (f.id.call, f.is_newly_failing(), f.after.kind)).collect();
    assert_eq!(flips, [(0, true, VerdictKind::Rejected), (1, false, VerdictKind::Accepted)]);

    // Half-written: the last good definition stays, and nobody's verdict changes.
    fs::write(project.path("tools/set.json"), "{\"name\": \"se").unwrap();
    let mut news = Vec::new();
    project.engine.reload(&mut |n| news.push(n));
    let [News::Definitions { changed, catalog, flips, .. }] = news.as_slice() else { panic!("{news:?}") };
    assert!(changed.is_empty() && catalog.findings()[0].kept);
    assert_eq!(flips.len(), 2, "still measured from the baseline");

    // A touch is no news, a new baseline ends the flips.
    project.engine.mark_baseline();
    fs::write(project.path("tools/set.json"), TOOL.replace("number", "string")).unwrap();
    let mut flips = None;
    project.engine.reload(&mut |n| flips = if let News::Definitions { flips, .. } = n { Some(flips.len()) } else { None });
    assert_eq!(flips, Some(0));
    project.engine.reload(&mut |n| panic!("{n:?}"));
}

#[test]
fn definitions_that_changed_hold_at_once_when_all_has_been_judged_by_them() {
    use misfire::replay::Reloaded;
    let mut project = Project::new(CALLS);
    assert!(project.engine.read_again().is_none());
    fs::write(project.path("tools/set.json"), TOOL.replace("number", "string")).unwrap();
    let [mut again, mut stopped, mut stale] = [(); 3].map(|()| project.engine.read_again().unwrap());
    let reader = project.engine.reader();
    // Stopped, or not yet put in force, nothing has changed.
    assert!(!reader.judge_again(&mut stopped, &mut |_, _| false));
    let mut told = Vec::new();
    assert!(reader.judge_again(&mut again, &mut |done, total| {
        told.push((done, total));
        true
    }));
    assert_eq!(told, [(2, 2)]);
    let kind = |project: &Project, call| project.engine.detail(CallId { file: 0, call }).unwrap().verdict.kind;
    assert_eq!([kind(&project, 0), kind(&project, 1)], [Accepted, Rejected]);
    // What comes meanwhile is judged by what is in force, and then again.
    let more = "{\"id\":\"c4\",\"tool\":\"set\",\"arguments\":{\"level\":4}}\n";
    fs::write(project.path("sessions/a.jsonl"), CALLS.to_owned() + more).unwrap();
    project.scan();
    assert_eq!(project.kinds(), [Accepted, Rejected, UnknownTool, Accepted]);
    let mut news = Vec::new();
    assert_eq!(project.engine.put_in_force(&mut again, &mut |n| news.push(n)), Reloaded::Done);
    let [News::Definitions { judged, flips, .. }] = news.as_slice() else { panic!("{news:?}") };
    assert_eq!((judged.len(), flips.len()), (3, 3));
    news.drain(..).for_each(|n| project.take_in(n));
    assert_eq!(project.kinds(), [Rejected, Accepted, UnknownTool, Rejected]);
    assert_eq!(project.engine.put_in_force(&mut stale, &mut |n| panic!("{n:?}")), Reloaded::Stale);
    assert!(project.engine.read_again().is_none());

    // Calls that went meanwhile are judged anew, whatever stands in their places.
    fs::write(project.path("tools/set.json"), TOOL).unwrap();
    let mut again = project.engine.read_again().unwrap();
    assert!(reader.judge_again(&mut again, &mut |_, _| true));
    fs::write(project.path("sessions/a.jsonl"), more.to_owned() + CALLS).unwrap();
    project.scan();
    assert_eq!(project.engine.put_in_force(&mut again, &mut |n| news.push(n)), Reloaded::Done);
    news.drain(..).for_each(|n| project.take_in(n));
    assert_eq!(project.kinds(), [Accepted, Accepted, Rejected, UnknownTool]);
}

#[test]
fn a_saved_attempt_is_found_under_its_call() {
    let mut project = Project::new(CALLS);
    let original = project.engine.detail(CallId { file: 0, call: 1 }).unwrap().call;
    let mut attempt = Call::new("set", Arguments::text("{\"level\": 2}"));
    attempt.parent = original.id.clone();
    attempt.id = Some("c2.1".to_owned());
    let path = project.engine.save(&[attempt]).unwrap();
    assert_eq!(path, project.path("sessions/attempts.misfire.jsonl"));
    project.scan();
    let row = &project.rows[&1][0];
    assert_eq!((row.parent, row.outcome.kind), (Some(CallId { file: 0, call: 1 }), VerdictKind::Accepted));
    assert_eq!(fs::read_to_string(project.path("sessions/a.jsonl")).unwrap(), CALLS, "the original is untouched");
}

#[test]
fn a_scan_can_be_stopped_and_goes_on_later() {
    let mut project = Project::new(CALLS);
    for name in ["b", "c"] {
        fs::write(project.path(&format!("sessions/{name}.jsonl")), CALLS).unwrap();
    }
    let (mut files, mut left) = (0, 1);
    let mut go_on = || {
        left -= 1;
        left >= 0
    };
    let (_, stopped) = project.engine.scan(&mut |_| files += 1, &mut go_on);
    assert!(stopped && files == 1);
    let (_, stopped) = project.engine.scan(&mut |_| files += 1, &mut || true);
    assert!(!stopped && files == 2);
}

#[test]
fn what_changes_while_a_scan_is_stopped_is_part_of_the_next_one() {
    let mut project = Project::new("");
    for name in ["a", "b", "c"] {
        fs::write(project.path(&format!("sessions/{name}.jsonl")), CALLS).unwrap();
    }
    let mut news = Vec::new();
    let mut left = 1;
    let mut go_on = || std::mem::replace(&mut left, 0) > 0;
    let (_, stopped) = project.engine.scan(&mut |n| news.push(n), &mut go_on);
    assert!(stopped);
    // One that has been read grows, one that has not is gone, and another one comes.
    let [News::Calls { path, .. }] = news.as_slice() else { panic!("{news:?}") };
    let (read, mut others) =
        (path.to_path_buf(), ["a", "b", "c"].map(|name| project.path(&format!("sessions/{name}.jsonl"))).to_vec());
    others.retain(|other| *other != read);
    fs::write(&read, CALLS.to_owned() + CALLS.lines().next().unwrap().replace("c1", "c9").as_str() + "\n").unwrap();
    fs::remove_file(&others[0]).unwrap();
    fs::write(project.path("sessions/d.jsonl"), CALLS).unwrap();
    news.drain(..).for_each(|n| project.take_in(n));
    project.engine.scan(&mut |n| news.push(n), &mut || true);
    news.drain(..).for_each(|n| project.take_in(n));
    assert_eq!(project.rows.values().map(Vec::len).sum::<usize>(), 4 + 3 + 3);
}

#[test]
fn rows_answer_filters_without_reading_their_calls() {
    let mut project = Project::new(&CALLS.replace("\"id\":\"c2\"", "\"id\":\"c2\",\"session\":\"s1\",\"parent\":\"c1\""));
    let found = |project: &Project, text: &str| {
        let filter = Filter::parse(text).unwrap();
        let facts = project.rows[&0].iter().map(|row| RowFacts::of_row(row, "sessions/a.jsonl", Flags::NONE));
        let decided = facts.map(|facts| filter.decide(&facts, 0).expect("the row decides"));
        (0..).zip(decided).filter(|(_, passes)| *passes).map(|(n, _)| n).collect::<Vec<u32>>()
    };
    assert_eq!(found(&project, "kind:type at:/level n:1"), [1]);
    assert_eq!(found(&project, "session:s1 is:attempt"), [1]);
    assert_eq!(found(&project, "is:bad !at:/level file:a.jsonl"), [2]);
    // The rows follow the definitions.
    fs::write(project.path("tools/set.json"), TOOL.replace("level", "height")).unwrap();
    let mut news = Vec::new();
    project.engine.reload(&mut |n| news.push(n));
    for n in news {
        project.take_in(n);
    }
    assert_eq!(found(&project, "kind:missing at:/height"), [0, 1]);
    assert_eq!(found(&project, "kind:type"), [] as [u32; 0]);
}

#[cfg(feature = "jsonschema")]
#[test]
fn other_rules_are_taken_over_in_one_step_and_are_the_new_baseline() {
    use misfire::replay::OtherRules;
    let mut project = Project::new(CALLS);
    let bounded = TOOL.replace(r#""number"}"#, r#""number", "minimum": 5}"#);
    fs::write(project.path("tools/set.json"), bounded).unwrap();
    let mut news = Vec::new();
    project.engine.reload(&mut |n| news.push(n));
    news.drain(..).for_each(|n| project.take_in(n));
    assert_eq!(project.kinds(), [Accepted, Rejected, UnknownTool], "a bound is nothing to the gate's own rules");

    let profile = Profile::JsonSchema { formats: false };
    let mut other = OtherRules::new(profile);
    let reader = project.engine.reader();
    assert!(!reader.judge_by(&mut other, &mut |_, _| false), "stopped");
    let mut told = (0, 0);
    assert!(reader.judge_by(&mut other, &mut |done, total| {
        told = (done, total);
        true
    }));
    assert_eq!(told, (3, 3));
    // A call that comes meanwhile is judged too; a definition that comes meanwhile makes everything be judged anew.
    let more = CALLS.to_owned() + "{\"id\":\"c4\",\"tool\":\"get\",\"arguments\":{\"level\":9}}\n";
    fs::write(project.path("sessions/a.jsonl"), more).unwrap();
    project.scan();
    fs::write(project.path("tools/get.json"), TOOL.replace("set", "get")).unwrap();
    project.engine.reload(&mut |n| news.push(n));
    news.drain(..).for_each(|n| project.take_in(n));
    assert!(!project.engine.adopt(&mut other, &mut |n| news.push(n)));
    assert!(news.is_empty());
    assert!(reader.judge_by(&mut other, &mut |_, _| true));
    assert!(project.engine.adopt(&mut other, &mut |n| news.push(n)));
    assert!(matches!(&news[..], [News::Profile { gate, judged }] if gate.profile() == profile && judged.len() == 4));
    news.drain(..).for_each(|n| project.take_in(n));
    assert_eq!(project.kinds(), [Rejected, Rejected, Rejected, Accepted]);

    fs::write(project.path("tools/get.json"), TOOL.replace("set", "get").replace("\"number\"", "\"string\"")).unwrap();
    project.engine.reload(&mut |n| news.push(n));
    let Some(News::Definitions { flips, .. }) = news.pop() else { panic!() };
    assert_eq!(flips.len(), 1, "flips are told by definitions alone: {flips:?}");
}

#[test]
fn counts_kept_up_to_date_are_those_from_scratch() {
    let mut project = Project::new(CALLS);
    let check = |project: &Project| {
        let path = |name: &str| vec![project.path(name)];
        let mut fresh = Engine::open(&path("tools"), path("sessions"), Profile::Wave);
        fresh.scan(&mut |_| {}, &mut || true);
        let (kept, anew) = (project.engine.reader().statistics(), fresh.reader().statistics());
        assert_eq!(kept.tools, anew.tools);
        assert_eq!(
            (kept.total, &kept.kinds, &kept.models, &kept.timeline),
            (anew.total, &anew.kinds, &anew.models, &anew.timeline)
        );
        assert_eq!(kept.retry_loops(), anew.retry_loops());
        kept
    };
    assert_eq!(check(&project).tools["set"].parameters[0].used, 2);
    let again = "{\"tool\":\"set\",\"arguments\":\"{\\\"level\\\":\\\"2\\\"}\",\"at\":\"2026-11-24T10:00:00Z\"}\n";
    fs::write(project.path("sessions/a.jsonl"), CALLS.to_owned() + again).unwrap();
    project.scan();
    let counted = check(&project);
    assert_eq!((counted.tools["set"].parameters[0].used, counted.retry_loops()[0].times), (3, 2));
    fs::write(project.path("tools/set.json"), TOOL.replace("level", "depth")).unwrap();
    project.engine.reload(&mut |_| {});
    let counted = check(&project);
    assert_eq!((counted.tools["set"].parameters[0].used, counted.tools["set"].undeclared["/level"].failing), (0, 3));
    fs::write(project.path("sessions/a.jsonl"), CALLS.lines().next().unwrap().to_owned() + "\n").unwrap();
    project.scan();
    assert_eq!(check(&project).total.calls, 1);
}

/// An API request carries its tools: its calls are judged by them, also when the project's definitions change.
#[test]
fn definitions_that_a_capture_carries_judge_its_calls() {
    let request = |key: &str| {
        format!(
            "{}\n",
            r#"{"model":"m","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"ID","type":"function","function":{"name":"set","arguments":"{\"KEY\":1}"}}]}],"tools":[{"type":"function","function":{"name":"set","parameters":{"type":"object","properties":{"size":{"type":"number"}},"required":["size"]}}}]}"#
                .replace("KEY", key)
                .replace("ID", key)
        )
    };
    let mut project = Project::new("{\"tool\":\"set\",\"arguments\":{\"level\":1}}\n");
    fs::write(project.path("sessions/requests.jsonl"), request("size")).unwrap();
    project.scan();
    let kinds = |project: &Project| {
        let rows = project.rows.values().flatten();
        rows.map(|row| (project.engine.detail(row.id).unwrap().call.place.file.to_path_buf(), row.outcome.kind))
            .collect::<Vec<_>>()
    };
    assert!(kinds(&project).iter().all(|(_, kind)| *kind == Accepted), "{:?}", kinds(&project));
    // The file grows: what it carries is known still.
    let both = request("size") + &request("level");
    fs::write(project.path("sessions/requests.jsonl"), both).unwrap();
    project.scan();
    let rejected: Vec<_> = kinds(&project).into_iter().filter(|(_, kind)| *kind == Rejected).collect();
    assert!(rejected.len() == 1 && rejected[0].0.ends_with("requests.jsonl"), "{rejected:?}");
    let id = project.rows.values().flatten().find(|row| row.outcome.kind == Rejected).unwrap().id;
    let detail = project.engine.detail(id).unwrap();
    assert!(detail.verdict.is_error() && detail.definition.unwrap().path().ends_with("requests.jsonl"));
    fs::write(project.path("tools/set.json"), TOOL.replace("level", "other")).unwrap();
    let mut news = Vec::new();
    project.engine.reload(&mut |n| news.push(n));
    let judged = news.iter().find_map(|news| match news {
        News::Definitions { judged, .. } => Some(judged.iter().map(|judgement| judgement.said.outcome.kind).collect::<Vec<_>>()),
        _ => None,
    });
    let judged = judged.unwrap();
    assert_eq!(judged.iter().filter(|kind| **kind == Accepted).count(), 1, "{judged:?}");
    assert_eq!(judged.iter().filter(|kind| **kind == Rejected).count(), 2, "{judged:?}");
}

#[test]
fn most_calls_of_a_session_are_of_unknown_tools() {
    let project = Project::new(&"{\"tool\":\"TodoWrite\",\"arguments\":{}}\n".repeat(6));
    assert!(project.engine.advice().unwrap().contains("try --tools @claude-code"));
    assert_eq!(Project::new("{\"tool\":\"set\",\"arguments\":{}}\n").engine.advice(), None);
}

#[test]
fn flips_are_counted_from_other_definitions_and_calls_that_come_later_are_compared_too() {
    use misfire::definition::{Catalog, Definition};
    let line = |level: &str| format!("{{\"tool\":\"set\",\"arguments\":{{\"level\":{level}}}}}\n");
    let mut project = Project::new(&(line("1") + &line("\"1\"")));
    let old = TOOL.replace("number", "string");
    let catalog = || Catalog::from_definitions(Definition::parse(old.as_bytes()).unwrap());
    // Stopped before its end, nothing has changed.
    assert!(!project.engine.compare_with(catalog(), &mut |_| panic!("no news"), &mut |_, _| false));
    let mut told = Vec::new();
    assert!(project.engine.compare_with(catalog(), &mut |news| told.push(news), &mut |_, _| true));
    let flips = |news: &[News]| match news.last() {
        Some(News::Baseline { changed, flips }) => {
            assert_eq!(changed, &["set"]);
            flips.iter().map(|flip| (flip.id.call, flip.before.kind, flip.after.kind)).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(flips(&told), [(1, Accepted, Rejected), (0, Rejected, Accepted)]);
    assert!(project.engine.baseline().get("set").unwrap().raw().windows(6).any(|part| part == b"string"));
    let path = project.path("sessions/a.jsonl");
    fs::write(&path, fs::read_to_string(&path).unwrap() + &line("\"9\"")).unwrap();
    told.clear();
    let _ = project.engine.scan(&mut |news| told.push(news), &mut || true);
    assert_eq!(flips(&told), [(1, Accepted, Rejected), (2, Accepted, Rejected), (0, Rejected, Accepted)]);
    // A mark begins anew.
    project.engine.mark_baseline();
    fs::write(&path, fs::read_to_string(&path).unwrap() + &line("2")).unwrap();
    told.clear();
    let _ = project.engine.scan(&mut |news| told.push(news), &mut || true);
    assert!(told.iter().all(|news| !matches!(news, News::Baseline { .. })), "{told:?}");
}
