//! Colours and signs.
//!
//! Ten colours by meaning; every style comes from them. Nothing depends on a colour: each state has a word and a sign too, so
//! that without colours nothing is missing. Text is never plain white or black, which is invisible on half of all terminals.

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;

/// For what background, with how many colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThemeKind {
    /// 256 colours on a dark background.
    #[default]
    Dark,
    /// 256 colours on a light background.
    Light,
    /// The 16 colours that the terminal's own scheme defines, for either background.
    Ansi,
    /// No colour at all.
    Mono,
}

/// What a text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Text.
    Text,
    /// Text that matters less.
    Muted,
    /// What the eye should find: titles, keys.
    Accent,
    /// Right.
    Ok,
    /// Not wrong, but not as it should be.
    Warn,
    /// Wrong.
    Bad,
    /// A mark that stands for an invisible character.
    Mark,
    /// The place that matched a search.
    Match,
    /// The selected row of the pane that has the keys.
    Selected,
    /// The selected row of another pane.
    SelectedElsewhere,
    /// The frame of a pane.
    Border,
    /// The frame of the pane that has the keys.
    BorderFocused,
}

/// The ten colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colours {
    /// [`Role::Muted`]
    pub muted: Color,
    /// [`Role::Accent`]
    pub accent: Color,
    /// [`Role::Ok`]
    pub ok: Color,
    /// [`Role::Warn`]
    pub warn: Color,
    /// [`Role::Bad`]
    pub bad: Color,
    /// [`Role::Mark`]
    pub mark: Color,
    /// Behind [`Role::Match`].
    pub matched: Color,
    /// Behind [`Role::Selected`].
    pub selected: Color,
    /// [`Role::Border`]
    pub border: Color,
    /// [`Role::BorderFocused`]
    pub focus: Color,
}

const DARK: Colours = Colours {
    muted: Color::Indexed(245),
    accent: Color::Indexed(117),
    ok: Color::Indexed(114),
    warn: Color::Indexed(221),
    bad: Color::Indexed(210),
    mark: Color::Indexed(177),
    matched: Color::Indexed(58),
    selected: Color::Indexed(238),
    border: Color::Indexed(240),
    focus: Color::Indexed(117),
};

const LIGHT: Colours = Colours {
    muted: Color::Indexed(243),
    accent: Color::Indexed(25),
    ok: Color::Indexed(28),
    warn: Color::Indexed(130),
    bad: Color::Indexed(124),
    mark: Color::Indexed(90),
    matched: Color::Indexed(229),
    selected: Color::Indexed(253),
    border: Color::Indexed(249),
    focus: Color::Indexed(25),
};

/// The terminal's own colours, and reversed text where a background would be needed: what they look like is not known here.
const ANSI: Colours = Colours {
    muted: Color::DarkGray,
    accent: Color::Cyan,
    ok: Color::Green,
    warn: Color::Yellow,
    bad: Color::Red,
    mark: Color::Magenta,
    matched: Color::Reset,
    selected: Color::Reset,
    border: Color::DarkGray,
    focus: Color::Cyan,
};

/// What the screen looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    kind: ThemeKind,
    ascii: bool,
    still: bool,
    colours: Colours,
}

impl Theme {
    /// One of the built-in ones; with `ascii`, nothing of our own is drawn with anything else.
    #[must_use]
    pub fn new(kind: ThemeKind, ascii: bool) -> Self {
        let colours = match kind {
            ThemeKind::Dark => DARK,
            ThemeKind::Light => LIGHT,
            ThemeKind::Ansi | ThemeKind::Mono => ANSI,
        };
        Self { kind, ascii, still: false, colours }
    }

    /// With a person's own colours.
    #[must_use]
    pub fn with_colours(self, colours: Colours) -> Self {
        Self { colours, ..self }
    }

    /// What the environment says, without asking the terminal anything: that would take time before the first frame.
    #[must_use]
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> Self {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default().to_uppercase();
        // The Linux console has a font of 512 signs; a locale that is not Unicode has fewer.
        let ascii = term == "linux" || term == "dumb" || locale == "C" || locale == "POSIX";
        let many = set("COLORTERM").is_some() || term.contains("256color") || term.contains("direct") || cfg!(windows);
        let kind = match set("COLORFGBG").as_deref().and_then(|value| value.rsplit(';').next()).map(str::parse::<u8>) {
            _ if set("NO_COLOR").is_some() || term == "dumb" => ThemeKind::Mono,
            _ if !many => ThemeKind::Ansi,
            // The last number is the background's: 7 and 9 to 15 are light.
            Some(Ok(7 | 9..=15)) => ThemeKind::Light,
            _ => ThemeKind::Dark,
        };
        Self::new(kind, ascii)
    }

    /// Whether nothing of our own is drawn with anything but ASCII.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        self.ascii
    }

    /// The same, with nothing that moves by itself.
    #[must_use]
    pub fn still(mut self) -> Self {
        self.still = true;
        self
    }

    /// Which of the built-in ones.
    #[must_use]
    pub fn kind(&self) -> ThemeKind {
        self.kind
    }

    /// The style of a role.
    #[must_use]
    pub fn style(&self, role: Role) -> Style {
        let mono = self.kind == ThemeKind::Mono;
        let plain = Style::new();
        let coloured = |colour| if mono { plain } else { plain.fg(colour) };
        let c = &self.colours;
        match role {
            Role::Text => plain,
            Role::Muted if mono => plain.add_modifier(Modifier::DIM),
            Role::Muted => coloured(c.muted),
            Role::Accent => coloured(c.accent).add_modifier(Modifier::BOLD),
            Role::Ok => coloured(c.ok),
            Role::Warn => coloured(c.warn),
            Role::Bad => coloured(c.bad).add_modifier(Modifier::BOLD),
            Role::Mark if mono => plain.add_modifier(Modifier::REVERSED),
            Role::Mark => coloured(c.mark),
            Role::Match => self.behind(c.matched).add_modifier(Modifier::UNDERLINED),
            Role::Selected => self.behind(c.selected).add_modifier(Modifier::BOLD),
            Role::SelectedElsewhere if mono => plain.add_modifier(Modifier::UNDERLINED),
            Role::SelectedElsewhere => plain.add_modifier(Modifier::BOLD),
            Role::Border => coloured(c.border),
            Role::BorderFocused => coloured(c.focus).add_modifier(Modifier::BOLD),
        }
    }

    fn behind(&self, colour: Color) -> Style {
        match (self.kind, colour) {
            (ThemeKind::Mono, _) | (_, Color::Reset) => Style::new().add_modifier(Modifier::REVERSED),
            (_, colour) => Style::new().bg(colour),
        }
    }

    /// How a state is shown.
    #[must_use]
    pub fn status(&self, status: Status) -> Shown {
        let (sign, word, role) = match status {
            Status::Ok => (" ", "ok", Role::Ok),
            Status::Bad => ("!", "BAD", Role::Bad),
            Status::Unparsable => ("X", "PARSE", Role::Bad),
            Status::UnknownTool => ("?", "NOTOOL", Role::Bad),
            Status::PassedThrough => ("-", "PASS", Role::Muted),
            Status::Pending => ("~", "PENDING", Role::Warn),
            Status::Undecided => ("%", "UNSURE", Role::Warn),
        };
        Shown { sign, word, style: self.style(role) }
    }

    /// What stands where text was cut off.
    #[must_use]
    pub fn ellipsis(&self) -> &'static str {
        if self.ascii { "..." } else { "…" }
    }

    /// The lines of frames.
    #[must_use]
    pub fn borders(&self) -> border::Set<'static> {
        const ASCII: border::Set<'static> = border::Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        };
        if self.ascii { ASCII } else { border::PLAIN }
    }

    /// One step of the sign that something is going on.
    #[must_use]
    pub fn spinner(&self, step: u64) -> &'static str {
        if self.still {
            return "*";
        }
        ["|", "/", "-", "\\"][usize::try_from(step % 4).unwrap_or_default()]
    }
}

/// The state of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The tool would run.
    Ok,
    /// The arguments have issues.
    Bad,
    /// The arguments are no JSON.
    Unparsable,
    /// There is no such tool.
    UnknownTool,
    /// It is not judged.
    PassedThrough,
    /// It is still being written.
    Pending,
    /// The rules in force could not tell.
    Undecided,
}

impl Status {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Ok, Self::Bad, Self::Unparsable, Self::UnknownTool, Self::PassedThrough, Self::Pending, Self::Undecided];
}

/// A state as it is shown: by a sign, a word and a style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// One cell.
    pub sign: &'static str,
    /// A word.
    pub word: &'static str,
    /// A style.
    pub style: Style,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const ROLES: [Role; 12] = [
        Role::Text,
        Role::Muted,
        Role::Accent,
        Role::Ok,
        Role::Warn,
        Role::Bad,
        Role::Mark,
        Role::Match,
        Role::Selected,
        Role::SelectedElsewhere,
        Role::Border,
        Role::BorderFocused,
    ];

    fn in_environment(set: &[(&str, &str)]) -> (ThemeKind, bool) {
        let theme =
            Theme::from_environment(|name| set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned()));
        (theme.kind, theme.ascii)
    }

    #[test]
    fn the_environment_decides() {
        for (set, expected) in [
            (&[("TERM", "xterm-256color")] as &[_], (ThemeKind::Dark, false)),
            (&[("TERM", "xterm-256color"), ("COLORFGBG", "0;15")], (ThemeKind::Light, false)),
            (&[("TERM", "xterm-256color"), ("COLORFGBG", "15;default;0")], (ThemeKind::Dark, false)),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "1")], (ThemeKind::Mono, false)),
            (&[("TERM", "xterm-256color"), ("NO_COLOR", "")], (ThemeKind::Dark, false)),
            (&[("TERM", "linux")], (ThemeKind::Ansi, true)),
            (&[("TERM", "dumb")], (ThemeKind::Mono, true)),
            (&[("TERM", "xterm-256color"), ("LC_ALL", "C")], (ThemeKind::Dark, true)),
            (&[("TERM", "xterm-256color"), ("LANG", "C.UTF-8")], (ThemeKind::Dark, false)),
        ] {
            if !cfg!(windows) {
                assert_eq!(in_environment(set), expected, "{set:?}");
            }
        }
    }

    #[test]
    fn without_colours_there_is_no_colour() {
        let theme = Theme::new(ThemeKind::Mono, false);
        for role in ROLES {
            let style = theme.style(role);
            assert_eq!((style.fg, style.bg), (None, None), "{role:?}");
        }
    }

    #[test]
    fn no_theme_writes_plain_white_or_black() {
        for kind in [ThemeKind::Dark, ThemeKind::Light, ThemeKind::Ansi] {
            for role in ROLES {
                let style = Theme::new(kind, false).style(role);
                assert!(
                    !matches!(style.fg, Some(Color::White | Color::Black | Color::Indexed(0 | 15 | 16 | 231))),
                    "{kind:?} {role:?}"
                );
            }
        }
    }

    #[test]
    fn every_state_can_be_told_without_colour() {
        let theme = Theme::new(ThemeKind::Mono, true);
        let signs: BTreeSet<_> = Status::ALL.map(|status| theme.status(status).sign).into();
        let words: BTreeSet<_> = Status::ALL.map(|status| theme.status(status).word).into();
        assert_eq!((signs.len(), words.len()), (Status::ALL.len(), Status::ALL.len()));
        assert!(signs.iter().all(|sign| sign.is_ascii() && sign.len() == 1));
    }
}
