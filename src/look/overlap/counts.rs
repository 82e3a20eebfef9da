//! How many positions lie where: one number for each set of places that share them.

use super::keys::PLACES;

/// Sets of places.
const SETS: usize = 1 << PLACES;

/// train, valid, test, and files of other names.
pub const FILES: usize = 4;

/// Which of the two that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// The place of a file: its split's index, or 3, on either side.
pub fn place(side: Side, file: usize) -> usize {
    side as usize * FILES + file
}

/// Positions, each counted once, by the set of places that hold it; and records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// `positions[set]`: bit `place(side, file)` of `set` says that it is there.
    positions: Vec<u64>,
    records: [u64; PLACES],
}

impl Counts {
    /// Of nothing.
    pub fn none() -> Counts {
        Counts {
            positions: vec![0; SETS],
            records: [0; PLACES],
        }
    }

    /// Adds a position that was found so often in each place.
    pub fn count(&mut self, found: &[u64; PLACES]) {
        let mut set = 0;
        for (place, &n) in found.iter().enumerate() {
            self.records[place] += n;
            set |= usize::from(n > 0) << place;
        }
        self.positions[set] += 1;
    }

    /// Takes in the counts of other positions.
    pub fn add(&mut self, other: &Counts) {
        for (sum, n) in self.positions.iter_mut().zip(&other.positions) {
            *sum += n;
        }
        for (sum, n) in self.records.iter_mut().zip(&other.records) {
            *sum += n;
        }
    }

    /// Records of a side.
    pub fn records(&self, side: Side) -> u64 {
        let first = place(side, 0);
        self.records[first..first + FILES].iter().sum()
    }

    /// Different positions of a side.
    pub fn positions(&self, side: Side) -> u64 {
        self.in_all(&[side_set(side)])
    }

    /// Different positions that both sides have.
    pub fn shared(&self) -> u64 {
        self.in_all(&[side_set(Side::A), side_set(Side::B)])
    }

    /// Different positions that both places have.
    pub fn in_both(&self, one: usize, other: usize) -> u64 {
        self.in_all(&[1 << one, 1 << other])
    }

    /// Different positions that one side has in one of train, valid and test, the other in another:
    /// who learns from one side and judges by the other meets them again.
    pub fn crossed(&self) -> u64 {
        let crosses = |set: usize| {
            let (a, b) = (set & 7, set >> FILES & 7);
            (0..3).any(|file| a >> file & 1 != 0 && b & !(1 << file) != 0)
        };
        let all = self.positions.iter().enumerate();
        all.filter(|(set, _)| crosses(*set)).map(|(_, n)| n).sum()
    }

    /// Whether any side has records in files of this kind.
    pub fn has_file(&self, file: usize) -> bool {
        [Side::A, Side::B]
            .iter()
            .any(|&side| self.records[place(side, file)] > 0)
    }

    /// Positions whose places meet each of the sets.
    fn in_all(&self, sets: &[usize]) -> u64 {
        let all = self.positions.iter().enumerate();
        all.filter(|(places, _)| sets.iter().all(|set| places & set != 0))
            .map(|(_, n)| n)
            .sum()
    }
}

fn side_set(side: Side) -> usize {
    0b1111 << place(side, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(places: &[usize]) -> [u64; PLACES] {
        let mut found = [0; PLACES];
        for &place in places {
            found[place] += 1;
        }
        found
    }

    #[test]
    fn sets_answer_every_question() {
        let (a, b) = (|file| place(Side::A, file), |file| place(Side::B, file));
        let mut counts = Counts::none();
        counts.count(&found(&[a(0)]));
        counts.count(&found(&[a(0), a(0), b(0)]));
        counts.count(&found(&[a(1), b(0)]));
        counts.count(&found(&[a(0), a(2)]));
        counts.count(&found(&[b(3)]));
        assert_eq!((counts.records(Side::A), counts.records(Side::B)), (6, 3));
        assert_eq!(
            (counts.positions(Side::A), counts.positions(Side::B)),
            (4, 3)
        );
        assert_eq!(counts.shared(), 2);
        assert_eq!(counts.in_both(a(0), b(0)), 1);
        assert_eq!(counts.in_both(a(0), a(2)), 1);
        assert_eq!(counts.in_both(a(0), a(0)), 3);
        assert_eq!(counts.crossed(), 1);
        assert!(counts.has_file(3) && counts.has_file(2));
        let mut twice = counts.clone();
        twice.add(&counts);
        assert_eq!((twice.shared(), twice.records(Side::A)), (4, 12));
    }
}
