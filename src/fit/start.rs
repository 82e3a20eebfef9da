//! Weights to begin with.

use super::FitError;
use super::options::FitOptions;
use super::state::Weights;
use crate::base::shown::Shown;
use crate::engine::builtin::patterns::{Patterns, STEPS_PER_DISC, Stages, Stored};
use sha2::{Digest, Sha256};

/// The weights of [`FitOptions::start`] by stage, and what tells them apart from others. Each stage
/// takes those of the stage that its middle belonged to.
pub(super) fn start(options: &FitOptions) -> Result<Option<(Weights, String)>, FitError> {
    let Some(path) = &options.start else {
        return Ok(None);
    };
    let shown = path.shown();
    if Patterns::from_file(path)
        .map_err(|reason| FitError::Start(reason.into()))?
        .is_none()
    {
        return Err(FitError::Start(
            format!("the weight file {shown} holds no pattern weights to begin with").into(),
        ));
    }
    let unreadable =
        |e| FitError::Start(format!("the weight file {shown} cannot be read: {e}").into());
    let bytes = std::fs::read(path).map_err(unreadable)?;
    let stored = Stored::from_bytes(&bytes)
        .map_err(|fault| FitError::Start(format!("the weight file {shown} {fault}").into()))?;
    if stored.shapes != options.shapes {
        return Err(FitError::Start(format!(
            "the weight file {shown} has other patterns than are to be fitted; name its own with --patterns"
        ).into()));
    }
    let stages = Stages::equal(options.stages);
    let of_stage = |stage: usize| {
        let (first, last) = stages.discs(stage);
        let middle = (u32::from(first) + u32::from(last)).div_ceil(2);
        let weights = &stored.weights[stored.stages.of(middle)];
        let discs = |&weight: &i16| f32::from(weight) / STEPS_PER_DISC as f32;
        weights.iter().map(discs).collect()
    };
    let digest = Sha256::digest(&bytes);
    let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Some(((0..stages.number()).map(of_stage).collect(), digest)))
}
