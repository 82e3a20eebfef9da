//! Known positions and measurements behind `rdg bench`.

pub mod positions;
