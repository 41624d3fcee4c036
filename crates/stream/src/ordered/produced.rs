//! Work on items while others are still being produced.

use std::io;

use super::jobs::Jobs;
use super::threads::Threads;

impl Threads {
    /// Calls `produce` with a function that takes items, `work` with each of them, on all threads,
    /// and `take` with the results in the order of the items. Results are taken while `produce`
    /// goes on; it waits while there are more items than a few for each thread.
    ///
    /// # Errors
    ///
    /// If threads cannot be started. The inner result has errors of `produce` and `take`.
    ///
    /// ```
    /// use stream::ordered::Threads;
    ///
    /// let mut doubled = Vec::new();
    /// let mut take = |number| {
    ///     doubled.push(number);
    ///     Ok::<_, std::io::Error>(())
    /// };
    /// Threads::new(2).map_produced(|number| 2 * number, &mut take, |give| (0..4).try_for_each(give))??;
    /// assert_eq!(doubled, [0, 2, 4, 6]);
    /// # Ok::<_, std::io::Error>(())
    /// ```
    pub fn map_produced<T: Send, R: Send, X, E>(
        &self,
        work: impl Fn(T) -> R + Sync,
        take: &mut dyn FnMut(R) -> Result<(), E>,
        produce: impl FnOnce(&mut dyn FnMut(T) -> Result<(), E>) -> Result<X, E>,
    ) -> io::Result<Result<X, E>> {
        let Some(pool) = self.pool()? else { return Ok(produce(&mut |item| take(work(item)))) };
        // Others have work while one thread produces, takes or works.
        let most = 4 * self.count();
        let (jobs, work) = (Jobs::default(), &work);
        pool.in_place_scope_fifo(|scope| {
            let jobs = &jobs;
            // Works on items until at most `most` of them have results that were not taken.
            let mut take_until = |most| loop {
                while let Some(result) = jobs.pop() {
                    take(result)?;
                }
                if jobs.len() <= most {
                    return Ok(());
                }
                jobs.run_next_or_wait(work);
            };
            let mut give = |item| {
                jobs.push(item);
                scope.spawn_fifo(move |_| {
                    jobs.run_next(work);
                });
                take_until(most)
            };
            let produced = produce(&mut give).and_then(|produced| take_until(0).map(|()| produced));
            // After an error the scope waits only for items that have begun.
            jobs.drop_waiting();
            Ok(produced)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::panic;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_are_taken_in_order_while_items_are_produced() {
        for count in 1..4 {
            let (mut taken, mut ahead) = (Vec::new(), 0);
            let work = |number: usize| {
                thread::sleep(Duration::from_micros(number as u64 * 37 % 110));
                number
            };
            let produced = std::cell::Cell::new(0);
            let mut take = |number| {
                taken.push(number);
                ahead = ahead.max(produced.get() - taken.len());
                Ok::<_, io::Error>(())
            };
            let end = Threads::new(count).map_produced(work, &mut take, |give| {
                for number in 0..200 {
                    produced.set(number + 1);
                    give(number)?;
                }
                Ok(7)
            });
            assert_eq!(end.unwrap().unwrap(), 7);
            assert!(taken.into_iter().eq(0..200), "{count}");
            assert!(ahead <= 4 * count, "{ahead}");
        }
    }

    #[test]
    fn an_error_of_the_producer_or_of_the_taker_ends_the_work() {
        for count in 1..4 {
            let threads = Threads::new(count);
            let stopped = || io::Error::from(io::ErrorKind::StorageFull);
            let mut fail = |number| if number < 50 { Ok(()) } else { Err(stopped()) };
            let result =
                threads.map_produced(|number| number, &mut fail, |give| (0..).try_for_each(give));
            assert_eq!(result.unwrap().unwrap_err().kind(), io::ErrorKind::StorageFull);
            let result = threads.map_produced(
                |number| number,
                &mut |_: i32| Ok(()),
                |give| {
                    give(1)?;
                    Err::<(), _>(stopped())
                },
            );
            assert_eq!(result.unwrap().unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }

    #[test]
    fn a_panic_reaches_the_thread_that_takes() {
        for count in 1..4 {
            let work = |number: i32| assert!(number != 30, "item {number} fails");
            let run = || {
                let mut take = |()| Ok::<_, io::Error>(());
                Threads::new(count).map_produced(work, &mut take, |give| (0..60).try_for_each(give))
            };
            let panic = panic::catch_unwind(run).unwrap_err();
            assert_eq!(panic.downcast_ref::<String>().unwrap(), "item 30 fails");
        }
    }
}
