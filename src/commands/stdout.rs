//! Results on standard output. A reader that has gone away (`rdg … | head`) is no error.

use std::io::{self, BufWriter, ErrorKind, Write};

/// Writes to standard output; a closed pipe counts as written.
///
/// # Errors
/// The system refused, for example because a disk is full; reported on stderr already.
pub(super) fn print(
    write: impl FnOnce(&mut BufWriter<io::StdoutLock<'static>>) -> io::Result<()>,
) -> Result<(), ()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == ErrorKind::BrokenPipe => {
            // What is left in the buffer would be tried again when it is dropped.
            let _ = out.into_parts();
            Ok(())
        }
        Err(e) => {
            let _ = out.into_parts();
            let _ = writeln!(io::stderr(), "error: cannot write to standard output: {e}");
            Err(())
        }
    }
}
