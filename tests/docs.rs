//! Documentation that is made from the program is what the program would make of it now. `UPDATE_DOCS=1 cargo test --test docs`
//! writes it anew.

use std::path::Path;

#[test]
fn filters_are_documented_as_they_are() {
    check("docs/filter.md", &misfire::replay::filter::manual());
}

#[cfg(feature = "tui")]
#[test]
fn keys_are_documented_as_they_are() {
    check("docs/keys.md", &misfire::tui::keys::docs::keys_markdown());
}

#[cfg(feature = "tui")]
#[test]
fn the_manual_page_is_what_the_program_prints() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_misfire")).arg("man").output().unwrap();
    assert!(output.status.success());
    check("docs/misfire.1", &String::from_utf8(output.stdout).unwrap());
}

/// The first screen of the bundled data, as text in the README and as a picture beside it.
#[cfg(feature = "tui")]
#[test]
fn the_pictures_are_real_frames() {
    use misfire::tui::headless::Headless;
    use misfire::tui::runtime::Msg;
    use misfire::tui::runtime::watch::{Change, Mode};
    use misfire::tui::{Options, picture};
    use std::time::Duration;

    std::env::set_current_dir(env!("CARGO_MANIFEST_DIR")).unwrap();
    let mut app = Headless::start(&Options::default(), 96, 30).unwrap();
    let _ = app.send(Msg::Watch(Change::Ready(Mode::Told)));
    assert!(app.finish(Duration::from_secs(60)));
    let frame = app.draw();
    check("docs/screen.svg", &picture::svg(&frame, true));
    let readme = std::fs::read_to_string("README.md").unwrap();
    let (before, rest) = readme.split_once("```text\n").expect("a block of text");
    let (_, after) = rest.split_once("\n```\n").expect("its end");
    check("README.md", &format!("{before}```text\n{}\n```\n{after}", picture::text(&frame)));
}

fn check(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, made).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == made, "{name} is out of date: run `UPDATE_DOCS=1 cargo test --test docs`");
}
