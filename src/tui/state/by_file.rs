//! Something for each file, by the files' numbers, which are small but for that of attempts that are in no file.

use crate::tui::edit::attempts::UNSAVED;

/// Something for each file that has it.
#[derive(Clone, Debug)]
pub struct ByFile<T> {
    files: Vec<Option<T>>,
    unsaved: Option<T>,
}

impl<T> Default for ByFile<T> {
    fn default() -> Self {
        Self { files: Vec::new(), unsaved: None }
    }
}

impl<T> ByFile<T> {
    /// That of a file.
    #[must_use]
    pub fn get(&self, file: u32) -> Option<&T> {
        if file == UNSAVED { self.unsaved.as_ref() } else { self.files.get(file as usize)?.as_ref() }
    }

    /// That of a file, to be changed.
    pub fn get_mut(&mut self, file: u32) -> Option<&mut T> {
        if file == UNSAVED { self.unsaved.as_mut() } else { self.files.get_mut(file as usize)?.as_mut() }
    }

    /// That of a file, made where there is none.
    pub fn entry(&mut self, file: u32, make: impl FnOnce() -> T) -> &mut T {
        self.place(file).get_or_insert_with(make)
    }

    /// Sets that of a file.
    pub fn insert(&mut self, file: u32, of: T) {
        *self.place(file) = Some(of);
    }

    /// Takes that of a file away.
    pub fn remove(&mut self, file: u32) {
        if self.get(file).is_some() {
            *self.place(file) = None;
        }
    }

    fn place(&mut self, file: u32) -> &mut Option<T> {
        if file == UNSAVED {
            return &mut self.unsaved;
        }
        let at = file as usize;
        if self.files.len() <= at {
            self.files.resize_with(at + 1, || None);
        }
        &mut self.files[at]
    }

    /// Each, with its file's number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let files = (0..).zip(&self.files).filter_map(|(number, of)| Some((number, of.as_ref()?)));
        files.chain(self.unsaved.as_ref().map(|of| (UNSAVED, of)))
    }

    /// Each.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.iter().map(|(_, of)| of)
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.files.clear();
        self.unsaved = None;
    }
}
