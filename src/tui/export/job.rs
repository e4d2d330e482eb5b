//! Writing what is exported.

use crate::capture::index::CallId;
use crate::capture::{Call, write_call};
use crate::gate::{Gate, Verdict};
use crate::replay::judge;
use crate::report::{CallReport, CallsReport, call_object};
use crate::tui::edit::job::Shared;
use crate::tui::job::{Desk, Output};
use crate::tui::runtime::jobs::JobContext;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What this job is called, in words that can be shown.
pub mod kind {
    /// Writing an export.
    pub const EXPORTING: &str = "exporting";
}

/// Something to be written into a new file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportJob {
    /// Where; empty for the folder that the program was started in.
    pub folder: PathBuf,
    /// How the file is called, …
    pub stem: String,
    /// … and what comes after that and a number.
    pub ending: &'static str,
    /// What is written.
    pub content: Content,
}

/// What is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A text.
    Text(String),
    /// Calls, each read and judged.
    Calls {
        /// Where they are read.
        desk: Desk,
        /// By which they are judged.
        gate: Shared<Gate>,
        /// Which.
        calls: Vec<Subject>,
        /// In which form.
        form: Form,
    },
}

/// A call to be exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Where it is read, …
    pub id: CallId,
    /// … unless it is an attempt that is in no file.
    pub attempt: Option<Shared<Call>>,
}

/// A form for many calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Our own capture format, a call a line.
    Own,
    /// What `misfire check --format ndjson` prints.
    Verdicts,
    /// Markdown: counts, and each failing call with the text that the model gets.
    Report,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exported {
    /// A text was written.
    Text {
        /// Where.
        path: PathBuf,
        /// How long it is.
        bytes: usize,
    },
    /// Calls were written.
    Calls {
        /// Where.
        path: PathBuf,
        /// How many.
        calls: usize,
        /// How many are not there any more.
        unread: usize,
    },
    /// Nothing was, for this reason.
    Failed(String),
}

impl ExportJob {
    /// Does it. A file that is not whole is removed again.
    pub fn run(self, job: &JobContext<Output>) {
        let (file, path) = match create(&self.folder, &self.stem, self.ending) {
            Ok(created) => created,
            Err(why) => return job.output(Output::Exported(Exported::Failed(why))),
        };
        let written = match &self.content {
            Content::Text(text) => write_text(file, text).map(|()| Some((text.len(), 0))),
            Content::Calls { desk, gate, calls, form } => write_calls(file, desk, gate, calls, *form, job),
        };
        if !matches!(written, Ok(Some(_))) {
            let _ = std::fs::remove_file(&path);
        }
        let is_text = matches!(self.content, Content::Text(_));
        match written {
            Ok(Some((bytes, _))) if is_text => job.output(Output::Exported(Exported::Text { path, bytes })),
            Ok(Some((calls, unread))) => job.output(Output::Exported(Exported::Calls { path, calls, unread })),
            // It was told to stop, and that has been said.
            Ok(None) => {}
            Err(error) => job.output(Output::Exported(Exported::Failed(format!("{}: {error}", path.display())))),
        }
    }
}

/// A new file; where the name is taken, with a number.
fn create(folder: &Path, stem: &str, ending: &str) -> Result<(File, PathBuf), String> {
    for n in 1..10_000 {
        let number = if n == 1 { String::new() } else { format!("-{n}") };
        let path = folder.join(format!("{stem}{number}{ending}"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{}: {error}", path.display())),
        }
    }
    Err(format!("there are too many files called {stem}"))
}

fn write_text(mut file: File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_data()
}

/// Writes calls; gives how many, and how many could not be read. None if it was told to stop.
fn write_calls(
    file: File,
    desk: &Desk,
    gate: &Gate,
    calls: &[Subject],
    form: Form,
    job: &JobContext<Output>,
) -> io::Result<Option<(usize, usize)>> {
    /// Progress is told this often.
    const OFTEN: usize = 256;
    let mut out = BufWriter::with_capacity(256 << 10, file);
    let reader = desk.reader();
    let (mut written, mut unread, mut report) = (0, 0, CallsReport::default());
    for (n, subject) in calls.iter().enumerate() {
        if n % OFTEN == 0 {
            if job.is_cancelled() {
                return Ok(None);
            }
            job.progress(n as u64, calls.len() as u64);
        }
        let call = match &subject.attempt {
            Some(attempt) => Call::clone(attempt),
            None => match reader.detail(subject.id) {
                Ok(detail) => detail.call,
                Err(_gone) => {
                    unread += 1;
                    continue;
                }
            },
        };
        written += 1;
        let verdict = || judge(gate, &call);
        match form {
            Form::Own => writeln!(out, "{}", write_call(&call))?,
            Form::Verdicts => writeln!(out, "{}", verdict_line(&call, &verdict()))?,
            Form::Report => report.add(&call, &verdict()),
        }
    }
    if form == Form::Report {
        report.write(&mut out)?;
    }
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_data()?;
    Ok(Some((written, unread)))
}

fn verdict_line(call: &Call, verdict: &Verdict) -> String {
    let source = (call.place.line > 0).then(|| call.place.to_string());
    let report = CallReport { verdict, id: call.id.as_deref(), source: source.as_deref(), pending: call.pending };
    call_object(report).to_json()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_an_error() {
        let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else {
            return eprintln!("skipped: there is no /dev/full");
        };
        assert_eq!(write_text(full, "text").unwrap_err().kind(), io::ErrorKind::StorageFull);
    }

    #[test]
    fn nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let name = |ending| create(folder.path(), "a", ending).unwrap().1.file_name().unwrap().to_owned();
        assert_eq!([name(".md"), name(".md"), name(".txt"), name(".md")], ["a.md", "a-2.md", "a.txt", "a-3.md"]);
        let error = create(&folder.path().join("nowhere"), "a", ".md").unwrap_err();
        assert!(error.contains("nowhere"), "{error}");
    }
}
