//! Decides when a worker and its engines share one CPU of their own.
//!
//! It pays while exchanges are short, because then most of the time goes into waking each other up
//! across CPUs, and it costs as soon as somebody else wants that CPU, because then both wait where
//! they could go elsewhere. So a pair is bound while its exchanges take about a millisecond or less,
//! and lets go when they get longer or when others take more than a share of its CPU. Where every CPU
//! is wanted by others, being free is no better: a pair whose exchanges take longer at the first look
//! afterwards is bound again. What the engines answer never depends on it.

use super::affinity::{Claim, allowed_cpus, bind, current_cpu, is_under_quota};
use super::tasks::{Fared, threads_of};
use std::time::{Duration, Instant};

/// Exchanges up to this long are worth a CPU of one's own.
const SHORT: Duration = Duration::from_millis(1);
/// Longer ones are not. In between nothing changes, so that it does not go to and fro.
const LONG: Duration = Duration::from_millis(2);
/// How often it is looked at, and how soon for the first time.
const LOOK_EVERY: Duration = Duration::from_millis(200);
const FIRST_LOOK: Duration = Duration::from_millis(10);
/// Fewer exchanges tell nothing.
const ENOUGH: u32 = 8;
/// The largest share of its CPU that others may take before a pair lets go.
const MOST_TAKEN: f64 = 0.2;
/// First and longest time before it tries again after others took its CPU.
const BACKOFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// How often a bound pair pauses, and how long it asks to: the system makes some 60 µs of it. A pair
/// that takes turns on a CPU without a pause was seen to keep the kernel's own threads from it for
/// half a minute (Linux 6.18), and with them every write to disk that waited for one.
const PAUSE_EVERY: Duration = Duration::from_millis(4);
const PAUSE: Duration = Duration::from_micros(1);
/// When it was left alone for so long, what was before is forgotten.
const PEACE: Duration = Duration::from_secs(20);

/// What is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Policy {
    /// Bound while it pays.
    Auto,
    /// Always bound.
    Always,
    /// Never.
    Never,
}

/// The CPUs of a run, looked at before any worker is bound.
#[derive(Clone, Debug)]
pub(crate) struct Cpus {
    policy: Policy,
    allowed: Vec<usize>,
    /// Who respects each other's claims.
    circle: String,
}

impl Cpus {
    /// For so many workers whose engines have at most so many threads each.
    pub(crate) fn new(policy: Policy, workers: usize, threads: u32) -> Cpus {
        let allowed = allowed_cpus();
        let is_of_use = workers <= allowed.len()
            && threads == 1
            // Without these figures nobody would notice that others want the CPU.
            && Fared::of_this_thread().is_some()
            && !is_under_quota(allowed.len());
        let policy = match policy {
            Policy::Auto if !is_of_use => Policy::Never,
            policy => policy,
        };
        Cpus {
            policy,
            allowed,
            circle: "rdg".to_owned(),
        }
    }
}

/// One worker with its engines, from the worker's own thread.
#[derive(Debug)]
pub(crate) struct Pinning {
    cpus: Cpus,
    /// The engines' processes.
    engines: Vec<u32>,
    bound: Option<Bound>,
    /// Not to be bound again before.
    not_before: Instant,
    /// How long an exchange took while bound, from letting go for others until the next look.
    trial: Option<Duration>,
    /// Bound whatever others want, until then: being free was tried.
    stay_until: Instant,
    backoff: Duration,
    /// Since the last look.
    exchanges: u32,
    time: Duration,
    look_at: Instant,
    pause_at: Instant,
}

/// A bound pair.
#[derive(Debug)]
struct Bound {
    claim: Claim,
    since: Instant,
    before: Option<(Instant, Fared)>,
}

impl Pinning {
    /// Of the calling thread, which is the `worker`-th from 0.
    pub(crate) fn new(worker: usize, cpus: &Cpus) -> Pinning {
        let now = Instant::now();
        if cpus.policy == Policy::Always
            && let Err(error) = bind_for_good(worker, cpus)
        {
            tracing::warn!(worker, %error, "cannot pin the worker to one CPU");
        }
        Pinning {
            cpus: cpus.clone(),
            engines: Vec::new(),
            bound: None,
            not_before: now,
            trial: None,
            stay_until: now,
            backoff: BACKOFF.0,
            exchanges: 0,
            time: Duration::ZERO,
            look_at: now + FIRST_LOOK,
            pause_at: now,
        }
    }

    /// These are its engines now. One that is started by a bound worker is bound like it.
    pub(crate) fn engines_are(&mut self, processes: impl IntoIterator<Item = u32>) {
        let processes: Vec<u32> = processes.into_iter().collect();
        if processes == self.engines {
            // The figures of before still count: games may be shorter than the time between looks.
            return;
        }
        self.engines = processes;
        if let Some(bound) = &mut self.bound {
            bound.before = None;
        }
    }

    /// An exchange that took so long has just ended. Costs next to nothing but for a few times a
    /// second.
    pub(crate) fn exchanged(&mut self, took: Duration, now: Instant) {
        self.exchanges += 1;
        self.time += took;
        if now >= self.look_at && self.cpus.policy == Policy::Auto {
            self.look(now);
        }
        let is_bound = self.bound.is_some() || self.cpus.policy == Policy::Always;
        if is_bound && now >= self.pause_at {
            self.pause_at = now + PAUSE_EVERY;
            std::thread::sleep(PAUSE);
        }
    }

    fn look(&mut self, now: Instant) {
        self.look_at = now + LOOK_EVERY;
        let exchanges = std::mem::take(&mut self.exchanges);
        let each = std::mem::take(&mut self.time) / exchanges.max(1);
        match self.bound.take() {
            None if exchanges < ENOUGH => {}
            None if self.trial.take().is_some_and(|bound| each > bound) => {
                self.stay_until = now + self.backoff;
                self.bind(now);
            }
            None if each <= SHORT && now >= self.not_before => {
                self.bind(now);
            }
            None => {}
            Some(_) if each > LONG => {
                self.let_go("exchanges take longer now");
                self.not_before = now + BACKOFF.0;
            }
            Some(bound) => self.go_on(bound, each, now),
        }
    }

    /// Whether it may stay bound: nobody else wants the CPU.
    fn go_on(&mut self, mut bound: Bound, each: Duration, now: Instant) {
        let threads = self.threads();
        let Some(fared) = fared(&threads) else {
            self.let_go("the scheduler's figures are gone");
            return;
        };
        if let Some((then, before)) = bound.before
            && now >= self.stay_until
            && taken(fared.since(before), now - then) > MOST_TAKEN
        {
            self.let_go("others want its CPU");
            self.trial = Some(each);
            self.not_before = now + self.backoff;
            self.backoff = (2 * self.backoff).min(BACKOFF.1);
            return;
        }
        if now >= self.stay_until && now - bound.since > PEACE {
            self.backoff = BACKOFF.0;
        }
        // An engine may have more threads by now than it had.
        for &thread in &threads {
            let _ = bind(Some(thread), &[bound.claim.cpu()]);
        }
        bound.before = Some((now, fared));
        self.bound = Some(bound);
    }

    fn bind(&mut self, now: Instant) {
        // Where it is now the scheduler has found room for it.
        let here = current_cpu().filter(|cpu| self.cpus.allowed.contains(cpu));
        let mut candidates = here.into_iter().chain(self.cpus.allowed.iter().copied());
        let Some(claim) = candidates.find_map(|cpu| Claim::take(&self.cpus.circle, cpu)) else {
            self.not_before = now + BACKOFF.0;
            return;
        };
        let cpu = [claim.cpu()];
        if bind(None, &cpu).is_err() {
            self.cpus.policy = Policy::Never;
            return;
        }
        for thread in self.threads() {
            // One that has ended needs no CPU.
            let _ = bind(Some(thread), &cpu);
        }
        tracing::debug!(cpu = cpu[0], "worker and engine share a CPU");
        self.bound = Some(Bound {
            claim,
            since: now,
            before: None,
        });
    }

    fn let_go(&mut self, why: &str) {
        let _ = bind(None, &self.cpus.allowed);
        for thread in self.threads() {
            let _ = bind(Some(thread), &self.cpus.allowed);
        }
        tracing::debug!(why, "worker and engine no longer share a CPU");
    }

    fn threads(&self) -> Vec<i32> {
        self.engines.iter().copied().flat_map(threads_of).collect()
    }
}

fn fared(threads: &[i32]) -> Option<Fared> {
    Some(Fared::of_this_thread()?.plus(Fared::of_threads(threads)))
}

/// The share of a CPU that others took while threads bound to it wanted it. Bound threads that take
/// turns wait for each other, too, but then the CPU is theirs all the time: what they did not run,
/// others had, or nobody; and while they were not ready, they did not miss it.
fn taken(fared: Fared, elapsed: Duration) -> f64 {
    let not_theirs = elapsed.saturating_sub(fared.ran);
    not_theirs.min(fared.waited).as_secs_f64() / elapsed.as_secs_f64().max(1e-9)
}

/// One CPU for the whole run: one that no other rdg has, if there is any.
fn bind_for_good(worker: usize, cpus: &Cpus) -> std::io::Result<()> {
    let allowed = &cpus.allowed;
    if allowed.is_empty() {
        return Ok(());
    }
    let turn = |at: usize| allowed[(worker + at) % allowed.len()];
    let mut turns = (0..allowed.len()).map(turn);
    let claim = turns.find_map(|cpu| Claim::take(&cpus.circle, cpu));
    let cpu = claim.as_ref().map_or(turn(0), Claim::cpu);
    // It is kept until the process ends.
    std::mem::forget(claim);
    bind(None, &[cpu])
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn fared(ran: u64, waited: u64) -> Fared {
        Fared {
            ran: Duration::from_millis(ran),
            waited: Duration::from_millis(waited),
        }
    }

    #[test]
    fn waiting_for_each_other_is_not_waiting_for_others() {
        let elapsed = Duration::from_millis(200);
        // Taking turns, each waits while the other one runs.
        assert!(taken(fared(198, 120), elapsed) < MOST_TAKEN);
        // Mostly idle: the CPU is somebody else's, and they do not miss it.
        assert!(taken(fared(10, 1), elapsed) < MOST_TAKEN);
        // Half of it is gone, and one of them was always ready.
        assert!(taken(fared(100, 150), elapsed) > MOST_TAKEN);
        assert!(taken(fared(0, 0), Duration::ZERO) < MOST_TAKEN);
    }

    #[test]
    fn a_pair_is_bound_while_its_exchanges_are_short() {
        let cpus = allowed_cpus();
        let all = Cpus {
            policy: Policy::Auto,
            allowed: cpus.clone(),
            circle: format!("rdg-test-{}-pinning", std::process::id()),
        };
        let run = std::thread::spawn(move || {
            let mut child = std::process::Command::new("sleep")
                .arg("300")
                .spawn()
                .unwrap();
            let threads = [child.id() as i32];
            let pid = rustix::process::Pid::from_raw(threads[0]);
            let engine_cpus = || {
                let set = rustix::thread::sched_getaffinity(pid).unwrap();
                (0..4096.min(rustix::thread::CpuSet::MAX_CPU))
                    .filter(|&cpu| set.is_set(cpu))
                    .count()
            };
            let mut pinning = Pinning::new(0, &all);
            pinning.engines_are([child.id()]);
            let (mut now, short) = (Instant::now(), Duration::from_micros(50));
            for _ in 0..60 {
                now += Duration::from_millis(20);
                // Said before every game, and games are shorter than the time between two looks.
                pinning.engines_are([child.id()]);
                pinning.exchanged(short, now);
            }
            let bound = pinning.bound.as_ref().unwrap();
            assert!(
                bound.before.is_some(),
                "nobody sees whether others want the CPU"
            );
            assert_eq!((allowed_cpus().len(), engine_cpus()), (1, 1));
            for _ in 0..50 {
                now += Duration::from_secs(1);
                pinning.exchanged(Duration::from_secs(1), now);
            }
            assert!(pinning.bound.is_none());
            assert_eq!(
                (allowed_cpus().len(), engine_cpus()),
                (all.allowed.len(), all.allowed.len())
            );
            child.kill().unwrap();
            child.wait().unwrap();
        });
        run.join().unwrap();
        assert_eq!(allowed_cpus(), cpus);
    }

    #[test]
    fn free_of_a_wanted_cpu_it_is_bound_again_only_if_that_was_no_better() {
        let cpus = Cpus {
            policy: Policy::Auto,
            allowed: allowed_cpus(),
            circle: format!("rdg-test-{}-trial", std::process::id()),
        };
        let run = std::thread::spawn(move || {
            for (free, is_bound) in [(40, false), (80, true)] {
                let mut pinning = Pinning::new(0, &cpus);
                let mut now = Instant::now();
                pinning.trial = Some(Duration::from_micros(50));
                pinning.not_before = now + BACKOFF.1;
                now += FIRST_LOOK;
                for i in 1..=2 * ENOUGH {
                    now += LOOK_EVERY / ENOUGH;
                    pinning.exchanged(Duration::from_micros(free), now);
                    if i < ENOUGH {
                        assert!(pinning.bound.is_none(), "{i} exchanges tell nothing");
                    }
                }
                assert_eq!(pinning.bound.is_some(), is_bound, "{free}");
                assert_eq!(pinning.stay_until > now, is_bound, "{free}");
            }
        });
        run.join().unwrap();
    }

    #[test]
    fn more_workers_than_cpus_or_more_threads_are_left_alone() {
        let count = allowed_cpus().len();
        assert_eq!(Cpus::new(Policy::Auto, count + 1, 1).policy, Policy::Never);
        assert_eq!(Cpus::new(Policy::Auto, 1, 2).policy, Policy::Never);
        assert_eq!(
            Cpus::new(Policy::Always, count + 1, 2).policy,
            Policy::Always
        );
        assert_eq!(Cpus::new(Policy::Never, 1, 1).policy, Policy::Never);
    }
}
