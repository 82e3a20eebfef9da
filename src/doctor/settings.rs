//! Settings that suit the engine and the machine, or do not.

use super::examine::Circumstances;
use super::memory::MemoryUse;
use super::{Check, Finding, Verdict};
use crate::config::{EngineKind, EngineSpec, OptionValue};
use crate::engine::launch::{edax_hash_bits, edax_table_bits};
use crate::progress::text::bytes;
use std::path::Path;

/// What can be said without starting it.
pub fn before_start(spec: &EngineSpec, circumstances: &Circumstances) -> Vec<Finding> {
    let mut advice: Vec<(String, String)> = Vec::new();
    let folder = spec.entry.binary.as_deref().and_then(Path::parent);
    match spec.entry.kind {
        EngineKind::Edax => {
            let (bits, fitting) = (edax_table_bits(spec), edax_hash_bits(spec.level));
            if bits > i64::from(fitting) + 2 {
                advice.push((
                    format!("`hash_bits = {bits}`"),
                    format!(
                        "Edax wipes this table before every game, which costs more than low \
                         levels' thinking: level {} does well with {fitting}, the default",
                        spec.level
                    ),
                ));
            }
            if let Some(ini) = folder
                .map(|folder| folder.join("edax.ini"))
                .filter(|ini| ini.exists())
            {
                advice.push((
                    format!("{} is there", ini.display()),
                    "Edax reads it, and no dataset records what it says: move it away unless it \
                     is needed"
                        .to_owned(),
                ));
            }
        }
        EngineKind::Egaroucid => {
            for needed in [
                "resources/eval_move_ordering_end.egev",
                "resources/hash/hash25.eghs",
            ] {
                let Some(path) = folder.map(|folder| folder.join(needed)) else {
                    continue;
                };
                // Releases differ in the number at the end of the first name.
                let with_number = path.with_extension("egev2");
                if !path.exists() && !with_number.exists() {
                    advice.push((
                        format!("{} is missing", path.display()),
                        "Egaroucid needs it beside its binary: run make setup-egaroucid, or copy \
                         the whole folder"
                            .to_owned(),
                    ));
                }
            }
            if spec.entry.options.get("fresh_table") == Some(&OptionValue::Bool(false)) {
                advice.push((
                    "`fresh_table = false`".to_owned(),
                    "about one move in a hundred depends on earlier games then; the same seed \
                     does not give the same bytes"
                        .to_owned(),
                ));
            }
        }
        EngineKind::Nboard | EngineKind::Gtp | EngineKind::Builtin => {}
    }
    let threads = u64::from(spec.threads) * circumstances.workers as u64;
    let cpus = circumstances.machine.cpus as u64;
    if spec.threads > 1 && threads > cpus {
        advice.push((
            format!(
                "{} workers with {} threads each on {cpus} CPUs",
                circumstances.workers, spec.threads
            ),
            "games side by side use CPUs better than threads do: `threads = 1`, or fewer `workers`"
                .to_owned(),
        ));
    }
    advice
        .into_iter()
        .map(|(text, advice)| {
            Finding::new(Check::Settings, Verdict::Warning, text).advise([advice])
        })
        .collect()
}

/// Memory of one and of all.
pub fn memory(spec: &EngineSpec, usage: MemoryUse, circumstances: &Circumstances) -> Finding {
    let workers = circumstances.workers;
    let available = circumstances.machine.available_memory;
    let mut text = match usage.is_measured {
        true => format!("{} at most", bytes(usage.bytes)),
        false => format!("about {}", bytes(usage.bytes)),
    };
    text += &match workers {
        1 => ", with one worker".to_owned(),
        workers => format!("; {} for {workers} workers", bytes(usage.all_workers)),
    };
    if let Some(available) = available {
        text += &format!(" of {} available", bytes(available));
    }
    // Something has to be left for duplicates, files and everybody else.
    let fits = available.is_none_or(|available| usage.all_workers <= available / 10 * 9);
    if fits {
        return Finding::good(Check::Memory, text);
    }
    let most = available.unwrap_or(0) / 10 * 9 / usage.bytes.max(1);
    let mut advice = vec![match most {
        0 => "not even one fits: free memory, or use another engine".to_owned(),
        most => format!("`workers = {most}` in [self_play] fits"),
    }];
    if spec.entry.kind == EngineKind::Edax {
        advice.push(format!(
            "`hash_bits` in its `options` makes its table smaller, now 2^{}",
            edax_table_bits(spec)
        ));
    }
    Finding::new(Check::Memory, Verdict::Warning, text).advise(advice)
}
