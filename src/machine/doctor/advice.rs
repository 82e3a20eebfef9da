//! What to do about what was found.

use super::circumstances::Circumstances;
use super::finding::{Check, Finding, Verdict};
use super::games::Repeats;
use super::text::time;
use crate::base::shown::Shown;
use crate::config::{EngineKind, EngineSpec};
use crate::engine::kinds::{End, profile};
use crate::engine::launch::doubt_of_repeats;
use crate::engine::{EngineError, FailureKind};
use crate::machine::setup::{MissingFile, set_up_command};

/// Files that are not there.
pub(super) fn for_missing(
    spec: &EngineSpec,
    missing: &[MissingFile],
    circumstances: &Circumstances,
) -> Vec<String> {
    if let Some(remedy) = remedy(spec) {
        return vec![remedy];
    }
    let keys: Vec<String> = missing
        .iter()
        .map(|file| format!("`{}`", file.key))
        .collect();
    let app = circumstances.app_config.shown();
    let name = &spec.entry.name;
    vec![format!(
        "write the right path to {} of [engines.{name}] in {app}",
        keys.join(" and ")
    )]
}

/// A failure during `check`. The failure's own words come first in the report; this is the rest.
pub(super) fn for_failure(
    spec: &EngineSpec,
    check: Check,
    error: &EngineError,
    circumstances: &Circumstances,
) -> Vec<String> {
    let name = &spec.entry.name;
    let mut advice = Vec::new();
    match error {
        EngineError::Exited { how, stderr, .. } => {
            advice.extend(for_exit(
                spec,
                check,
                how.raw(),
                stderr.raw(),
                circumstances,
            ));
        }
        EngineError::StartTimedOut { .. } => {
            advice.push(format!(
                "if it only loads slowly, raise `startup_timeout` of [engines.{name}]; if it \
                 waits for something, see that it speaks {} with these `args`",
                protocol(spec)
            ));
        }
        EngineError::TimedOut { .. } => advice.push(format!(
            "a level that needs longer needs a longer `timeout`, or lower the level; an engine \
             that hangs in one position hangs again, so do not use it (level {}, timeout {})",
            spec.level,
            time(spec.timeout)
        )),
        _ => {}
    }
    match error.kind() {
        Some(FailureKind::IllegalMove | FailureKind::Unintelligible) => advice.push(format!(
            "see that it plays Reversi on 8 x 8 squares, that `kind = \"{}\"` is its protocol \
             and that `args` ask for it",
            spec.entry.kind.name()
        )),
        Some(FailureKind::CannotStart) => advice.extend(remedy(spec).filter(|_| {
            // Other refusals say themselves what to do.
            error.to_string().contains("another kind of machine")
        })),
        _ => {}
    }
    if check == Check::Repeats {
        advice
            .push("it failed only when it had played for a while: use another version".to_owned());
    }
    advice
}

/// It starts and plays over another protocol than the configured one.
pub(super) fn for_other_protocol(spec: &EngineSpec, kind: EngineKind) -> String {
    format!(
        "it answers over the other protocol: write `kind = \"{}\"` to [engines.{}], or make it \
         speak {} with `args`",
        kind.name(),
        spec.entry.name,
        protocol(spec)
    )
}

fn for_exit(
    spec: &EngineSpec,
    check: Check,
    how: &str,
    stderr: &str,
    circumstances: &Circumstances,
) -> Option<String> {
    let binary = spec.entry.binary.as_deref().map(|path| path.shown());
    let binary = binary.map_or_else(String::new, |path| path.to_string());
    let loader = ["error while loading shared libraries", "version `GLIBC"];
    if loader.iter().any(|words| stderr.contains(words)) {
        let again = remedy(spec).unwrap_or_else(|| "build the engine on this machine".to_owned());
        return Some(format!(
            "install the library that it names (`ldd {binary}` lists all that it needs), or {again}"
        ));
    }
    if how.contains("SIGILL") {
        let cpu = &circumstances.cpu;
        let lacks = match cpu.missing.is_empty() {
            true => String::new(),
            false => format!(" and lacks {}", cpu.missing.join(", ")),
        };
        let build = remedy(spec).unwrap_or_else(|| "build it for this CPU".to_owned());
        return Some(format!("this CPU is {}{lacks}: {build}", cpu.level));
    }
    let end = End {
        how,
        said: stderr,
        is_start: check == Check::Start,
    };
    if let Some(known) = profile(spec).advice_on_end(&end, remedy(spec).as_deref()) {
        return Some(known);
    }
    let has_level = spec.entry.args.iter().any(|word| word.contains("{level}"));
    if check == Check::Start && has_level && how.starts_with("exit code") && how != "exit code 0" {
        return Some(format!(
            "it may not have level {level}: try another one, as in `rdg doctor {name}:1`; or its \
             `args` are wrong, and do not make it speak {protocol}",
            level = spec.level,
            name = spec.entry.name,
            protocol = protocol(spec)
        ));
    }
    (check == Check::Start).then(|| {
        format!(
            "see that its `args` make it speak {} on standard input; many engines print their \
             usage and end when they do not know an option",
            protocol(spec)
        )
    })
}

fn protocol(spec: &EngineSpec) -> &'static str {
    profile(spec).protocol()
}

/// Moves that an engine with perfect endgames must have found.
pub(super) fn for_weak_endgame(spec: &EngineSpec) -> String {
    format!(
        "at level {} it should play these endgames perfectly: its build or its evaluation file is \
         faulty{}",
        spec.level,
        remedy(spec).map_or_else(String::new, |remedy| format!("; {remedy}"))
    )
}

/// Whether games repeat themselves, against what a run would claim in its metadata.
pub(super) fn of_repeats(spec: &EngineSpec, repeats: &Repeats, is_claimed: bool) -> Finding {
    let games = match repeats.games {
        1 => "a repeated game".to_owned(),
        games => format!("{games} repeated games"),
    };
    let Repeats {
        differing_warm: warm,
        differing_cold: cold,
        example,
        ..
    } = repeats;
    if (*warm, *cold) == (0, 0) {
        let text = format!("{games}: the same moves again, in the same process and in a new one");
        let finding = Finding::good(Check::Repeats, text);
        return match is_claimed {
            true => finding.advise(to_be_claimed(spec)),
            false => finding.advise(not_claimed(spec)),
        };
    }
    let example = example.as_deref().unwrap_or_default();
    let text = format!(
        "{games}: {warm} went otherwise in the same process, {cold} in a new one ({example})"
    );
    let mut advice = Vec::new();
    if *cold > 0 {
        advice.push(if spec.threads > 1 {
            "several threads search in another order each time: `threads = 1` repeats itself"
                .to_owned()
        } else {
            profile(spec).advice_on_chance(spec).unwrap_or_else(|| {
                "it draws its moves, or its clock decides: look for an option that turns that \
                 off, such as a fixed seed, no book and a search by depth instead of by time"
                    .to_owned()
            })
        });
    } else {
        let known = profile(spec).advice_on_memory_of_games(spec);
        advice.push(known.unwrap_or_else(|| {
            "it remembers earlier games; look for an option that clears its memory for each new \
             game"
                .to_owned()
        }));
    }
    let name = &spec.entry.name;
    if is_claimed {
        advice.push(format!(
            "as it is, write `options = {{ reproducible = false }}` to [engines.{name}], so that \
             no dataset claims that the same seed gives the same bytes"
        ));
        return Finding::new(Check::Repeats, Verdict::Warning, text).advise(advice);
    }
    advice.push("datasets made with it say so themselves (`reproducible`: false)".to_owned());
    Finding::new(Check::Repeats, Verdict::Note, text).advise(advice)
}

/// It repeated itself, and nobody has said yet that it does.
fn to_be_claimed(spec: &EngineSpec) -> Option<String> {
    doubt_of_repeats(spec).map(|_| {
        format!(
            "write `options = {{ reproducible = true }}` to [engines.{}], so that datasets say that \
             the same seed gives the same bytes",
            spec.entry.name
        )
    })
}

/// It repeated itself although nothing is promised.
fn not_claimed(spec: &EngineSpec) -> Option<String> {
    let words = match spec.threads {
        1 => profile(spec)
            .advice_on_unpromised_repeats(spec)
            .unwrap_or("its `options` say `reproducible = false`, which may be needless"),
        _ => "with several threads that is not to be relied on",
    };
    (!words.is_empty()).then(|| words.to_owned())
}

/// What a user could run to set an engine up.
pub(super) fn remedy(spec: &EngineSpec) -> Option<String> {
    if let Some(command) = set_up_command(spec) {
        return Some(format!("run {command}"));
    }
    profile(spec).remedy(spec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::kinds::tests::spec;

    fn repeats(warm: usize, cold: usize) -> Repeats {
        Repeats {
            games: 9,
            differing_warm: warm,
            differing_cold: cold,
            example: Some("move 12 was c4 and then d3".to_owned()),
        }
    }

    fn said(spec: &EngineSpec, repeats: &Repeats, is_claimed: bool) -> (Verdict, String) {
        let finding = of_repeats(spec, repeats, is_claimed);
        (
            finding.verdict,
            format!("{} {}", finding.text, finding.advice.join(" ")),
        )
    }

    #[test]
    fn each_way_of_not_repeating_has_its_remedy() {
        let gtp = spec("gtp", 1, &[]);
        let (verdict, text) = said(&gtp, &repeats(0, 0), true);
        assert_eq!(verdict, Verdict::Good);
        assert!(text.contains("reproducible = true"), "{text}");
        let known = spec("edax", 5, &[]);
        let (verdict, text) = said(&known, &repeats(0, 0), true);
        assert_eq!(verdict, Verdict::Good);
        assert!(!text.contains("reproducible"), "{text}");
        let (verdict, text) = said(&gtp, &repeats(2, 0), true);
        assert_eq!(verdict, Verdict::Warning);
        assert!(text.contains("remembers") && text.contains("reproducible = false"));
        assert!(text.contains("move 12 was c4"));

        let egaroucid = spec("egaroucid", 5, &[]);
        let (verdict, text) = said(&egaroucid, &repeats(2, 0), false);
        assert_eq!(verdict, Verdict::Note);
        assert!(text.contains("remove `fresh_table = false`"), "{text}");

        let random = spec("edax", 0, &[]);
        let (_, text) = said(&random, &repeats(9, 9), false);
        assert!(text.contains("at random at level 0"), "{text}");

        let mut threads = spec("edax", 20, &[]);
        threads.threads = 4;
        let (_, text) = said(&threads, &repeats(3, 4), false);
        assert!(text.contains("`threads = 1`"), "{text}");
        let (verdict, text) = said(&threads, &repeats(0, 0), false);
        assert_eq!(verdict, Verdict::Good);
        assert!(text.contains("not to be relied on"), "{text}");
    }
}
