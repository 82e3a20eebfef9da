//! Settings that suit the engine and the machine, or do not.

use super::circumstances::Circumstances;
use super::finding::{Check, Finding, Verdict};
use super::memory::MemoryUse;
use crate::base::text::bytes;
use crate::config::EngineSpec;
use crate::engine::kinds::profile;

/// Open files of rdg itself, records of all phases of a window included, with room to spare.
const FILES_OF_RDG: u64 = 256;
/// Three pipes and a handle.
const FILES_OF_ENGINE: u64 = 4;

/// What can be said without starting it.
pub(super) fn before_start(spec: &EngineSpec, circumstances: &Circumstances) -> Vec<Finding> {
    let mut advice: Vec<(String, String)> = (profile(spec).concerns(spec).into_iter())
        .map(|concern| (concern.what, concern.advice))
        .collect();
    let wanted = FILES_OF_RDG + FILES_OF_ENGINE * circumstances.workers as u64;
    if let Some(most) = circumstances.open_files.filter(|&most| most < wanted)
        && !spec.entry.kind.is_embedded()
    {
        advice.push((
            format!(
                "{} workers want about {wanted} open files, {most} are allowed",
                circumstances.workers
            ),
            "fewer `workers`, or a higher limit (`ulimit -Hn`)".to_owned(),
        ));
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
pub(super) fn memory(
    spec: &EngineSpec,
    usage: MemoryUse,
    circumstances: &Circumstances,
) -> Finding {
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
    advice.extend(profile(spec).advice_on_memory(spec));
    Finding::new(Check::Memory, Verdict::Warning, text).advise(advice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::machine::Machine;
    use crate::config::OptionValue;
    use crate::engine::kinds::tests::spec;
    use crate::machine::doctor::CpuFeatures;
    use std::collections::BTreeMap;
    use std::path::PathBuf;
    use std::time::Duration;

    fn circumstances(workers: usize, available_memory: u64) -> Circumstances {
        Circumstances {
            workers,
            time: Duration::from_secs(1),
            app_config: PathBuf::from("app.toml"),
            machine: Machine {
                cpus: 8,
                free_disk: None,
                available_memory: Some(available_memory),
            },
            cpu: CpuFeatures::look(),
            open_files: Some(1024),
        }
    }

    fn said(findings: &[Finding]) -> String {
        let lines = findings.iter().map(|finding| {
            assert_eq!(finding.verdict, Verdict::Warning);
            assert!(!finding.advice.is_empty(), "{}", finding.text);
            format!("{} {}\n", finding.text, finding.advice.join(" "))
        });
        lines.collect()
    }

    #[test]
    fn memory_that_is_not_there_says_how_many_workers_fit() {
        const GB: u64 = 1_000_000_000;
        // Sixteen of Egaroucid's processes do not fit into 16 GB.
        let usage = MemoryUse {
            bytes: 1_280_000_000,
            is_measured: true,
            all_workers: 16 * 1_280_000_000,
        };
        let egaroucid = spec("egaroucid", 5, &[]);
        let finding = memory(&egaroucid, usage, &circumstances(16, 16 * GB));
        assert_eq!(finding.verdict, Verdict::Warning);
        // 90 % of 16 GB are 14.4 GB: eleven times 1.28.
        assert_eq!(finding.advice, ["`workers = 11` in [self_play] fits"]);
        let finding = memory(&egaroucid, usage, &circumstances(16, 64 * GB));
        assert_eq!((finding.verdict, finding.advice.len()), (Verdict::Good, 0));
        let finding = memory(&egaroucid, usage, &circumstances(16, GB));
        assert!(finding.advice[0].starts_with("not even one fits"));
        let edax = memory(&spec("edax", 20, &[]), usage, &circumstances(16, GB));
        assert!(edax.advice[1].ends_with("now 2^22"), "{:?}", edax.advice);
    }

    #[test]
    fn settings_that_do_harm_are_told() {
        let calm = circumstances(8, u64::MAX);
        for kind in ["edax", "gtp", "builtin"] {
            assert!(before_start(&spec(kind, 5, &[]), &calm).is_empty());
        }
        let mut edax = spec("edax", 1, &[]);
        let bits = |bits| BTreeMap::from([("hash_bits".to_owned(), OptionValue::Integer(bits))]);
        edax.entry.options = bits(22);
        let text = said(&before_start(&edax, &calm));
        assert!(text.contains("level 1 does well with 10"), "{text}");
        edax.entry.options = bits(12);
        assert!(before_start(&edax, &calm).is_empty());
        edax.threads = 4;
        let text = said(&before_start(&edax, &calm));
        assert!(
            text.contains("8 workers with 4 threads each on 8 CPUs"),
            "{text}"
        );
        let text = said(&before_start(
            &spec("gtp", 1, &[]),
            &circumstances(500, u64::MAX),
        ));
        assert!(text.contains("1024 are allowed"), "{text}");

        let mut egaroucid = spec("egaroucid", 5, &[]);
        let fresh_table = ("fresh_table".to_owned(), OptionValue::Bool(false));
        egaroucid.entry.options = BTreeMap::from([fresh_table]);
        let text = said(&before_start(&egaroucid, &calm));
        for words in [
            "hash25.eghs is missing",
            "make setup-egaroucid",
            "earlier games",
        ] {
            assert!(text.contains(words), "{text}");
        }
    }
}
