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

fn check(name: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, made).unwrap();
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(there == made, "{name} is out of date: run `UPDATE_DOCS=1 cargo test --test docs`");
}
