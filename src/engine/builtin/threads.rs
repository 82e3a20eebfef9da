//! The threads of one search.

/// Deep trees of searches that wait for each other stand on one stack.
const STACK_BYTES: usize = 16 << 20;

/// Threads that search a position together. They are started once and sleep between searches.
#[derive(Debug)]
pub struct Threads {
    /// `None`: the caller's own thread is enough.
    pool: Option<rayon::ThreadPool>,
}

static ONE: Threads = Threads { pool: None };

impl Threads {
    /// This many threads; 0 counts as 1.
    ///
    /// # Errors
    /// When the system gives none.
    pub fn new(number: u32) -> Result<Threads, String> {
        if number <= 1 {
            return Ok(Threads { pool: None });
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(number as usize)
            .stack_size(STACK_BYTES)
            .thread_name(|index| format!("search {index}"))
            .build()
            .map_err(|error| format!("cannot start {number} threads to search with: {error}"))?;
        Ok(Threads { pool: Some(pool) })
    }

    /// The caller's own thread.
    pub fn one() -> &'static Threads {
        &ONE
    }

    /// How many there are.
    pub fn number(&self) -> usize {
        self.pool.as_ref().map_or(1, |p| p.current_num_threads())
    }

    /// Runs `search` where it can hand out work to all of them.
    pub(super) fn run<R: Send>(&self, search: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.install(search),
            None => search(),
        }
    }
}
