//! What knows both the commands and the terminal app: the app started from arguments, and what is printed of its table of keys.

mod app;
mod diff;
mod keys;
mod man;
mod marks;

pub use app::{app, demo};
pub use diff::diff;
pub use keys::{completions, keys};
pub use man::man;
pub use marks::marks;
