//! Fuzzy matching of short names: tools, calls, palette entries.
//!
//! The letters of what was typed must stand in the name in their order, in any case. Of all ways to find them the best one
//! counts: letters that begin words, that stand together, and that have the same case. Several words are found each for
//! itself, in any order.
//!
//! In a long text some letters stand in their order nearly everywhere, and nobody means that. So a letter that does not begin a
//! word is near the one before it, and what gaps cost is never more than what the letters are worth beyond being there: `tskup`
//! and `tu` find `TaskUpdate`, `mis` does not find `make this`.

/// Letters further in a name than this are not looked at.
const LONGEST: usize = 256;
/// Longer words than this are cut: nobody types them.
const LONGEST_WORD: usize = 64;

const LETTER: i32 = 16;
const TOGETHER: i32 = 10;
const FIRST: i32 = 10;
const WORD: i32 = 9;
const CAMEL: i32 = 8;
const SAME_CASE: i32 = 1;
/// A gap costs this, and one more for each letter after its first.
const GAP: i32 = 4;
/// So many letters at most stand between a letter and one that does not begin a word.
const NEAR: usize = 3;
/// Letters before the first match cost one each, up to this.
const LATE: usize = 6;
/// What the letters before the first match may cost at most does not keep a word from being found.
const LATE_AT_MOST: i32 = 6;
/// No way to get here; far enough from the end that penalties do not overflow.
const NOWHERE: i32 = i32::MIN / 2;

/// What was typed, with room to work in.
#[derive(Clone, Debug, Default)]
pub struct Fuzzy {
    words: Vec<Vec<Letter>>,
    name: Vec<Letter>,
    /// The best score with the word's i-th letter at the name's j-th, row by row.
    scores: Vec<i32>,
}

#[derive(Clone, Copy, Debug)]
struct Letter {
    exact: char,
    folded: char,
    /// For its place in a name.
    bonus: i32,
}

/// A name that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuzzyMatch {
    /// How well: more is better.
    pub score: i32,
    /// The numbers of the characters that were found, in order.
    pub at: Vec<usize>,
}

impl Fuzzy {
    /// What to look for.
    #[must_use]
    pub fn new(typed: &str) -> Self {
        let letters = |word: &str| letters(word).take(LONGEST_WORD).collect();
        Self { words: typed.split_whitespace().map(letters).collect(), ..Self::default() }
    }

    /// Whether nothing was typed: then every name matches alike.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// How well a name matches; `None` if it does not.
    pub fn score(&mut self, name: &str) -> Option<i32> {
        self.run(name, None)
    }

    /// How well a name matches, and which of its characters do.
    pub fn find(&mut self, name: &str) -> Option<FuzzyMatch> {
        let mut at = Vec::new();
        let score = self.run(name, Some(&mut at))?;
        at.sort_unstable();
        at.dedup();
        Some(FuzzyMatch { score, at })
    }

    /// The numbers of the names that match, the best first; of equal ones the shorter, then the earlier.
    pub fn rank<S: AsRef<str>>(&mut self, names: &[S]) -> Vec<usize> {
        let rated = names.iter().enumerate().filter_map(|(n, name)| {
            let name = name.as_ref();
            self.score(name).map(|score| (-score, if self.words.is_empty() { 0 } else { name.len() }, n))
        });
        let mut rated: Vec<_> = rated.collect();
        rated.sort_unstable();
        rated.into_iter().map(|(.., n)| n).collect()
    }

    fn run(&mut self, name: &str, mut at: Option<&mut Vec<usize>>) -> Option<i32> {
        if !self.words.iter().all(|word| may_match(word, name)) {
            return None;
        }
        self.name.clear();
        self.name.extend(letters(name).take(LONGEST));
        let mut sum = 0;
        for word in &self.words {
            let found = find_word(word, &self.name, &mut self.scores)?;
            sum += found.score;
            if let Some(at) = &mut at {
                trace(word.len(), &found, &self.name, &self.scores, at);
            }
        }
        Some(sum)
    }
}

/// Whether the word's letters stand in the name in their order: decides most names without further work.
fn may_match(word: &[Letter], name: &str) -> bool {
    if !name.is_ascii() {
        return true;
    }
    let mut bytes = name.bytes();
    word.iter().all(|letter| bytes.any(|byte| letter.folded == char::from(byte.to_ascii_lowercase())))
}

fn letters(text: &str) -> impl Iterator<Item = Letter> {
    let mut before: Option<char> = None;
    text.chars().map(move |exact| {
        let bonus = match before {
            None => FIRST,
            Some(c) if !c.is_alphanumeric() && exact.is_alphanumeric() => WORD,
            Some(c) if !c.is_uppercase() && exact.is_uppercase() => CAMEL,
            Some(c) if !c.is_numeric() && exact.is_numeric() => CAMEL,
            Some(_) => 0,
        };
        before = Some(exact);
        let folded = if exact.is_ascii() { exact.to_ascii_lowercase() } else { exact.to_lowercase().next().unwrap_or(exact) };
        Letter { exact, folded, bonus }
    })
}

/// The best way to find a word.
struct Found {
    score: i32,
    /// Where its last letter is, from `start` on.
    last: usize,
    /// What stands before the first of its letters is left out of the scores.
    start: usize,
    width: usize,
}

/// Finds a word by dynamic programming: each letter goes where it and those before it score best.
fn find_word(word: &[Letter], name: &[Letter], scores: &mut Vec<i32>) -> Option<Found> {
    let start = name.iter().position(|letter| letter.folded == word[0].folded)?;
    let name = &name[start..];
    let width = name.len();
    scores.clear();
    scores.resize(word.len() * width, NOWHERE);
    for (i, letter) in word.iter().enumerate() {
        let (above, row) = scores.split_at_mut(i * width);
        let above = &above[above.len().saturating_sub(width)..];
        // The best score of a place of the letter before, more than one to the left.
        let mut apart = NOWHERE;
        for j in i..width {
            if i > 0 && j > 1 {
                apart = (apart - 1).max(above[j - 2] - GAP);
            }
            if name[j].folded != letter.folded {
                continue;
            }
            let so_far = match i {
                0 => -i32::try_from((start + j).min(LATE)).unwrap_or_default(),
                _ if name[j].bonus > 0 => apart.max(above[j - 1] + TOGETHER),
                _ => (j.saturating_sub(NEAR + 1)..j).map(|k| above[k] + step(k, j)).max().unwrap_or(NOWHERE),
            };
            let case = if name[j].exact == letter.exact { SAME_CASE } else { 0 };
            row[j] = so_far.max(NOWHERE) + LETTER + name[j].bonus + case;
        }
    }
    let last_row = &scores[(word.len() - 1) * width..];
    let best = last_row.iter().enumerate().max_by_key(|(j, score)| (**score, std::cmp::Reverse(*j)))?;
    let least = LETTER * i32::try_from(word.len()).unwrap_or(i32::MAX / LETTER) - LATE_AT_MOST;
    (*best.1 >= least).then_some(Found { score: *best.1, last: best.0, start, width })
}

/// What it brings, or costs, that a letter stands where it does after the one before.
fn step(before: usize, at: usize) -> i32 {
    match at - 1 - before {
        0 => TOGETHER,
        gap => 1 - GAP - i32::try_from(gap).unwrap_or(GAP),
    }
}

/// Walks back from the last letter to the first.
fn trace(letters: usize, found: &Found, name: &[Letter], scores: &[i32], at: &mut Vec<usize>) {
    let mut j = found.last;
    at.push(found.start + j);
    for i in (0..letters.saturating_sub(1)).rev() {
        let first = if name[found.start + j].bonus > 0 { 0 } else { j.saturating_sub(NEAR + 1) };
        let row = &scores[i * found.width..];
        // The word was found, so that there is a place for each of its letters.
        let Some((_, k)) = (first..j).map(|k| (row[k] + step(k, j), k)).max() else { return };
        j = k;
        at.push(found.start + j);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(typed: &str, name: &str) -> Option<String> {
        let found = Fuzzy::new(typed).find(name)?;
        let marked = name.chars().enumerate().map(|(n, c)| if found.at.contains(&n) { format!("[{c}]") } else { c.to_string() });
        Some(marked.collect::<String>().replace("][", ""))
    }

    #[test]
    fn the_best_letters_are_found() {
        for (typed, name, expected) in [
            ("tu", "TaskUpdate", Some("[T]ask[U]pdate")),
            ("tl", "TaskToolList", Some("[T]askTool[L]ist")),
            ("list", "TaskToolList", Some("TaskTool[List]")),
            ("fp", "file_path_prefix", Some("[f]ile_[p]ath_prefix")),
            ("upd task", "TaskUpdate", Some("[TaskUpd]ate")),
            ("é", "École", Some("[É]cole")),
            ("TASK", "TaskUpdate", Some("[Task]Update")),
            ("", "anything", Some("anything")),
            ("tskup", "TaskUpdate", Some("[T]a[skUp]date")),
            ("mtst", "mcp__tickets__search_train", Some("[m]cp__[t]ickets__[s]earch_[t]rain")),
            ("x", "an axe", Some("an a[x]e")),
            ("mis", "make this", None),
            ("sea", "Skill  {\"prefer\":\"a\"}", None),
            ("taskup", "this ask is for a cup", None),
            ("ut", "tu", None),
            ("x", "", None),
            ("日", "日本", Some("[日]本")),
        ] {
            assert_eq!(shown(typed, name).as_deref(), expected, "{typed} in {name}");
        }
    }

    #[test]
    fn better_names_come_first() {
        for (typed, names) in [
            ("task", &["Task", "TaskGet", "TaskUpdate", "Multitask"][..]),
            ("te", &["te", "TaskEdit", "Write", "tables"]),
            ("ws", &["WebSearch", "windows"]),
            ("Re", &["Read", "reader"]),
        ] {
            let mut turned: Vec<&str> = names.to_vec();
            turned.reverse();
            let ranked: Vec<&str> = Fuzzy::new(typed).rank(&turned).into_iter().map(|n| turned[n]).collect();
            assert_eq!(ranked, names, "{typed}");
        }
        assert_eq!(Fuzzy::new(" ").rank(&["bb", "a"]), [0, 1], "nothing typed: as they stand");
    }

    proptest! {
        #[test]
        fn what_is_found_spells_what_was_typed(typed in "[a-cA-C]{1,5}", name in "[a-cA-Cé_ ]{0,30}") {
            let fold = |text: &str| text.to_lowercase();
            let mut rest = name.chars().map(|c| c.to_ascii_lowercase());
            let is_in = typed.to_lowercase().chars().all(|c| rest.any(|other| other == c));
            let stands_together = name.to_ascii_lowercase().contains(&typed.to_lowercase());
            let found = Fuzzy::new(&typed).find(&name);
            prop_assert!(found.is_some() || !stands_together);
            if let Some(found) = found {
                prop_assert!(is_in);
                let chars: Vec<char> = name.chars().collect();
                let spelled: String = found.at.iter().map(|n| chars[*n]).collect();
                prop_assert_eq!(fold(&spelled), fold(&typed));
                prop_assert_eq!(Fuzzy::new(&typed).score(&name), Some(found.score));
            }
        }

        #[test]
        fn no_text_panics(typed in any::<String>(), name in any::<String>()) {
            let found = Fuzzy::new(&typed).find(&name);
            prop_assert!(found.is_none_or(|found| found.at.iter().all(|n| *n < name.chars().count())));
        }
    }
}
