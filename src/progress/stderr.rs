//! Standard error as a place that may be slow, full or gone without anybody being hurt.
//!
//! Lines go out in one write each, past the standard library's handle, so that lines of several
//! writers do not mix. Nothing here returns an error: a run goes on whether it is watched or not.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::stdio::stderr;

/// Writes everything, in one write where the system takes it whole. Gives up quietly when nobody
/// can read it any more.
pub(super) fn write(bytes: &[u8]) {
    let mut rest = bytes;
    while !rest.is_empty() {
        match rustix::io::write(stderr(), rest) {
            Ok(0) => return,
            Ok(count) => rest = &rest[count..],
            Err(Errno::INTR) => {}
            // Somebody who shares the terminal has made it non-blocking.
            Err(Errno::AGAIN) => {
                let patience = Timespec {
                    tv_sec: 5,
                    tv_nsec: 0,
                };
                let fd = stderr();
                let mut ready = [PollFd::new(&fd, PollFlags::OUT)];
                if !matches!(poll(&mut ready, Some(&patience)), Ok(1..)) {
                    return;
                }
            }
            // Closed pipe, full device, no such descriptor.
            Err(_) => return,
        }
    }
}

/// Writes one line; its end is added.
pub(super) fn write_line(line: &str) {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    write(&bytes);
}
