//! The program `misfire`.

use std::process::ExitCode;

#[cfg(feature = "tui")]
fn main() -> ExitCode {
    use misfire::tui::{Options, run};
    match run(&Options::default()) {
        Ok(exit) => ExitCode::from(exit.status()),
        Err(error) => {
            eprintln!("misfire: {error}");
            ExitCode::from(2)
        }
    }
}

#[cfg(not(feature = "tui"))]
fn main() -> ExitCode {
    eprintln!("misfire: built without the terminal app");
    ExitCode::from(2)
}
