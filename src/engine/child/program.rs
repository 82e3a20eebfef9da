//! Why a file cannot be run, said better than the system says it.

use crate::base::shown::Shown;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Finds what can be found before trying, where the system's own error would be vague.
pub(super) fn check_program(program: &Path, engine: &str) -> Result<(), String> {
    let shown = program.shown();
    let metadata = fs::metadata(program).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => format!(
            "{shown} does not exist; check `binary` of [engines.{engine}] in app.toml, or build \
             the engine"
        ),
        _ => format!("{shown}: {error}; check `binary` of [engines.{engine}] in app.toml"),
    })?;
    if metadata.is_dir() {
        return Err(format!(
            "{shown} is a folder; `binary` of [engines.{engine}] in app.toml must name the program"
        ));
    }
    if !metadata.is_file() {
        return Err(format!(
            "{shown} is not a regular file; `binary` of [engines.{engine}] in app.toml must name the \
             program"
        ));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(format!(
            "{shown} is not executable; run `chmod +x` on it if it is the engine's program"
        ));
    }
    check_content(program, engine)
}

/// Looks at the first bytes. The system library hands every file that the system refuses to the
/// shell, which then says something about its first line; so the refusal is made here.
#[cfg(target_os = "linux")]
fn check_content(program: &Path, engine: &str) -> Result<(), String> {
    let head = |path: &Path| -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        fs::File::open(path)?.take(20).read_to_end(&mut head)?;
        Ok(head)
    };
    // One may be allowed to run what one may not read.
    let Ok(theirs) = head(program) else {
        return Ok(());
    };
    if theirs.starts_with(b"#!") || (!theirs.is_empty() && has_foreign_formats()) {
        return Ok(());
    }
    if !theirs.starts_with(b"\x7fELF") {
        return Err(no_program(program, engine));
    }
    // Bytes 18 and 19 of an ELF file name the machine.
    let ours = std::env::current_exe().and_then(|own| head(&own));
    let is_foreign = match (ours.unwrap_or_default().get(18..20), theirs.get(18..20)) {
        (Some(ours), Some(theirs)) => ours != theirs && !runs_as_well(ours, theirs),
        _ => false,
    };
    match is_foreign {
        true => Err(format!(
            "{} was built for another kind of machine; build it on this one or choose another \
             binary",
            program.shown()
        )),
        false => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn check_content(_program: &Path, _engine: &str) -> Result<(), String> {
    Ok(())
}

/// 64-bit processors that run the 32-bit programs of their family.
#[cfg(target_os = "linux")]
fn runs_as_well(ours: &[u8], theirs: &[u8]) -> bool {
    const X86: [u8; 2] = [3, 0];
    const X86_64: [u8; 2] = [62, 0];
    const ARM: [u8; 2] = [40, 0];
    const AARCH64: [u8; 2] = [183, 0];
    (ours == X86_64 && theirs == X86) || (ours == AARCH64 && theirs == ARM)
}

/// Whether the system has been taught to run more than its own programs (`binfmt_misc`: emulators,
/// other systems' programs).
#[cfg(target_os = "linux")]
fn has_foreign_formats() -> bool {
    fs::read_dir("/proc/sys/fs/binfmt_misc").is_ok_and(|mut entries| {
        entries.any(|entry| {
            entry
                .is_ok_and(|entry| entry.file_name() != "register" && entry.file_name() != "status")
        })
    })
}

fn no_program(program: &Path, engine: &str) -> String {
    format!(
        "{} is not a program that this system can run; check `binary` of [engines.{engine}] in \
         app.toml (a script needs a `#!` line)",
        program.shown()
    )
}

/// What the system's refusal means.
pub(super) fn explain(error: &io::Error, program: &Path, engine: &str) -> String {
    use rustix::io::Errno;
    let shown = program.shown();
    match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NOEXEC) => no_program(program, engine),
        Some(Errno::NOENT) => format!(
            "{shown} exists, but the loader or interpreter that it asks for does not; build it \
             on this machine"
        ),
        Some(Errno::ACCESS) => format!(
            "{shown} may not be executed here; check its permissions, its folder's, and that the \
             file system is not mounted noexec"
        ),
        Some(Errno::MFILE | Errno::NFILE) => {
            "too many open files; use fewer workers or raise `ulimit -n`".to_owned()
        }
        Some(Errno::AGAIN) => {
            "no more processes allowed; use fewer workers or raise `ulimit -u`".to_owned()
        }
        Some(Errno::NOMEM) => "not enough memory; use fewer workers".to_owned(),
        _ => format!("{shown}: {error}"),
    }
}
