//! `rdg doctor`: which engines, and how the result is shown.

use super::display::{stderr_can_redraw, stdout_color, stdout_symbols, stdout_width};
use super::engines::{EngineName, Registry};
use super::runner::{Closing, End, Failure, Runner};
use super::stdout;
use crate::base::machine::Machine;
use crate::base::shown::Shown;
use crate::cli::DoctorArgs;
use crate::config::{self, CONFIG_NAME, DatasetConfig, EngineSpec};
use crate::engine::launch::check_spec;
use crate::machine::doctor::{
    self, Check, Checkup, Circumstances, CpuFeatures, Look, Patient, Role,
};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

/// Examines the engines, one after the other.
pub(super) fn run(args: &DoctorArgs) -> ExitCode {
    let runner = Runner::plain("doctor");
    let Request {
        patients,
        workers,
        app_config,
    } = match understand(args) {
        Ok(request) => request,
        Err(errors) => return runner.refuse(&errors),
    };
    let circumstances = Circumstances {
        workers,
        time: args.time,
        app_config,
        machine: Machine::look(Path::new(".")),
        cpu: CpuFeatures::look(),
        open_files: rustix::process::getrlimit(rustix::process::Resource::Nofile).maximum,
    };
    let look = Look {
        color: stdout_color(args.no_color),
        symbols: stdout_symbols(args.no_emoji),
        width: stdout_width(),
    };
    let say = |text: &str| match args.json {
        true => Ok(()),
        false => stdout::print(|out| out.write_all(text.as_bytes())),
    };
    // The reason has been told by whoever could not write.
    let unheard = || End::Unsound {
        closing: Closing::default(),
        errors: Vec::new(),
    };
    runner.run_at_once(|running| {
        let mut checkups: Vec<Checkup> = Vec::new();
        if say(&doctor::machine_text(&circumstances, look)).is_err() {
            return unheard();
        }
        for patient in &patients {
            let waiting = Waiting::new();
            let on_check = |check| waiting.tell(&patient.spec, check);
            let checkup = doctor::examine(patient, &circumstances, &running.stop, &on_check);
            drop(waiting);
            // The only error is that the examination was stopped.
            let Ok(checkup) = checkup else {
                return Failure::Stopped.into();
            };
            if say(&doctor::checkup_text(&checkup, look)).is_err() {
                return unheard();
            }
            checkups.push(checkup);
        }
        let closing = Closing::text(match args.json {
            true => format!("{:#}\n", doctor::json(&checkups, &circumstances)),
            false => doctor::summary_text(&checkups, look),
        });
        let fails = |checkup: &Checkup| checkup.patient.is_needed() && !checkup.is_usable();
        match checkups.iter().any(fails) {
            true => End::Unsound {
                closing,
                errors: Vec::new(),
            },
            false => End::Finished(closing),
        }
    })
}

/// The line of a terminal that says what is being waited for; gone when it is dropped.
struct Waiting {
    is_shown: bool,
}

impl Waiting {
    fn new() -> Waiting {
        Waiting {
            is_shown: stderr_can_redraw(),
        }
    }

    fn tell(&self, engine: &EngineSpec, check: Check) {
        self.write(&format!(
            "\r\x1b[Kexamining {}: {} ...",
            engine.entry.name,
            check.name()
        ));
    }

    fn write(&self, text: &str) {
        if self.is_shown {
            // Whoever closes stderr wants to hear nothing.
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.write("\r\x1b[K");
    }
}

/// What is to be examined.
struct Request {
    /// The engines with their levels.
    patients: Vec<Patient>,
    /// How many of each would run at a time.
    workers: usize,
    /// The registry.
    app_config: PathBuf,
}

fn understand(args: &DoctorArgs) -> Result<Request, String> {
    let dataset = dataset(args)?;
    let mut registry = Registry::new(args.app_config.as_deref())?;
    let mut used: Vec<(Role, EngineSpec)> = Vec::new();
    if let Some(dataset) = &dataset {
        let app = registry.app()?;
        let engines = dataset.engines(&app).map_err(|error| error.to_string())?;
        used.push((Role::SelfPlay, engines.self_play));
        used.extend(engines.playout.map(|spec| (Role::Playout, spec)));
        for (_, spec) in &mut used {
            // It is for all engines that can be told one.
            if let Some(level) = args.level.filter(|_| spec.has_level) {
                *spec = spec.clone().at_level(level)?;
            }
            check_spec(spec).map_err(|error| format!("{}: {error}", app.path.shown()))?;
        }
    }
    let mut patients: Vec<Patient> = Vec::new();
    let mut faults = Vec::new();
    let names = match args.engines.is_empty() {
        true => registry.names()?,
        false => args.engines.clone(),
    };
    for word in &names {
        match patients_of(word, args, &used, &mut registry) {
            Ok(found) => patients.extend(found),
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    let workers = dataset.map(|dataset| dataset.self_play.workers);
    let cpus = || available_parallelism().map_or(1, Into::into);
    Ok(Request {
        patients,
        workers: workers.unwrap_or_else(cpus),
        app_config: registry.path().to_owned(),
    })
}

/// The configuration that was named, or the usual one where it is there.
fn dataset(args: &DoctorArgs) -> Result<Option<DatasetConfig>, String> {
    let path = match &args.config {
        Some(path) => path.clone(),
        None => match config::usual_file(CONFIG_NAME) {
            path if path.exists() => path,
            _ => return Ok(None),
        },
    };
    let loaded = config::load_dataset(&path).map_err(|error| error.to_string());
    loaded.map(Some)
}

/// One engine, as the configuration uses it, which may be in two ways at two levels.
fn patients_of(
    word: &str,
    args: &DoctorArgs,
    used: &[(Role, EngineSpec)],
    registry: &mut Registry,
) -> Result<Vec<Patient>, String> {
    let name = EngineName::parse(word).ok_or_else(|| {
        format!(
            "`{}` is not an engine; write its name in app.toml, with a level if wanted: edax:12",
            word.shown()
        )
    })?;
    let is_named = !args.engines.is_empty();
    let mut patients: Vec<Patient> = Vec::new();
    if name.level.is_none() {
        for (role, spec) in used.iter().filter(|(_, spec)| spec.entry.name == name.name) {
            match patients.iter_mut().find(|patient| patient.spec == *spec) {
                Some(patient) => patient.roles.push(*role),
                None => patients.push(Patient {
                    spec: spec.clone(),
                    roles: vec![*role],
                    is_named,
                }),
            }
        }
    }
    if patients.is_empty() {
        let level = args.level.filter(|_| registry.takes_level(&name.name));
        patients.push(Patient {
            spec: registry.engine(&name, level, None)?,
            roles: Vec::new(),
            is_named,
        });
    }
    Ok(patients)
}
