//! Files that commands write: whole or not at all, and nothing that is there is lost.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is being written beside its place. Dropped before [`NewFile::finish`], it leaves nothing.
pub(super) struct NewFile {
    target: PathBuf,
    temporary: PathBuf,
    file: Option<BufWriter<File>>,
    force: bool,
}

/// Why nothing can be written there, if so: in words, and with what to do.
pub(super) fn refusal(target: &Path, force: bool) -> Option<String> {
    let name = target.display();
    match fs::metadata(target) {
        Ok(data) if data.is_dir() => Some(format!("{name} is a folder; name a file in it")),
        Ok(data) if !data.is_file() => Some(format!("{name} is not a regular file; print to stdout instead")),
        Ok(_) if !force => Some(format!("{name} is there already; --force replaces it")),
        _ if target.file_name().is_none() => Some(format!("{name} names no file")),
        _ => None,
    }
}

impl NewFile {
    /// Begins to write; the folder is made where it is not there.
    pub fn create(target: &Path, force: bool) -> io::Result<Self> {
        // A link stays one: what it leads to is replaced.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        for attempt in 0..100 {
            let temporary = folder.join(format!(".{name}.{}-{attempt}.tmp", std::process::id()));
            match File::create_new(&temporary) {
                Ok(file) => return Ok(Self { target, temporary, file: Some(BufWriter::new(file)), force }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "no name is left for a temporary file"))
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> io::Result<()> {
        let file = self.file.take().map(BufWriter::into_inner).transpose().map_err(io::IntoInnerError::into_error)?;
        if let Some(file) = file {
            file.sync_all()?;
        }
        if self.force {
            return fs::rename(&self.temporary, &self.target);
        }
        // A link is made only where nothing is yet, also if somebody made the file meanwhile.
        match fs::hard_link(&self.temporary, &self.target) {
            Ok(()) => fs::remove_file(&self.temporary),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            Err(_) if self.target.exists() => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(&self.temporary, &self.target),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After `finish` it is not there any more.
        let _ = fs::remove_file(&self.temporary);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub/a.txt");
        let write = |text: &str, force| {
            let mut file = NewFile::create(&path, force).unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file
        };
        drop(write("given up", false));
        assert!(!path.exists());
        write("one", false).finish().unwrap();
        assert_eq!(write("two", false).finish().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "one");
        write("three", true).finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(fs::read_dir(folder.path().join("sub")).unwrap().count(), 1);
        assert!(refusal(&path, false).unwrap().contains("--force"));
        assert!(refusal(&path, true).is_none() && refusal(folder.path(), true).is_some());
    }
}
