//! Command-line types. They hold what was typed; `commands` turns it into work.
