//! One module per command: turns what was typed into work and an exit code.
