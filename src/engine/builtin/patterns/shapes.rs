//! The patterns: sets of squares whose joint content is looked up as a whole.
//!
//! A pattern's content is a number in base 3, one digit per square: 0 empty, 1 a disc of the side
//! to move, 2 a disc of the other side. Each shape lies on the board in up to eight images
//! (*instances*); all of them share one table of weights.

use crate::board::{Square, Symmetry};

/// A pattern, by the squares of its first instance.
pub(super) struct Shape {
    /// For people.
    pub(super) name: &'static str,
    squares: &'static [&'static str],
}

/// All shapes. Their order, and that of their squares, belongs to the file format.
pub(super) const SHAPES: [Shape; 10] = [
    Shape {
        name: "edge with both X squares",
        squares: &["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "b2", "g2"],
    },
    Shape {
        name: "corner 3 × 3",
        squares: &["a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"],
    },
    Shape {
        name: "corner 2 × 4",
        squares: &["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2"],
    },
    Shape {
        name: "second rank",
        squares: &["a2", "b2", "c2", "d2", "e2", "f2", "g2", "h2"],
    },
    Shape {
        name: "third rank",
        squares: &["a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3"],
    },
    Shape {
        name: "fourth rank",
        squares: &["a4", "b4", "c4", "d4", "e4", "f4", "g4", "h4"],
    },
    Shape {
        name: "diagonal of 8",
        squares: &["a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8"],
    },
    Shape {
        name: "diagonal of 7",
        squares: &["a2", "b3", "c4", "d5", "e6", "f7", "g8"],
    },
    Shape {
        name: "diagonal of 6",
        squares: &["a3", "b4", "c5", "d6", "e7", "f8"],
    },
    Shape {
        name: "diagonal of 5",
        squares: &["a4", "b5", "c6", "d7", "e8"],
    },
];

/// Instances of all shapes together.
pub(super) const INSTANCES: usize = 42;

/// One image of a shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instance {
    /// Index in [`SHAPES`].
    pub(super) shape: usize,
    /// Its squares, in the order of the shape's.
    pub(super) squares: Vec<Square>,
}

impl Shape {
    pub(super) fn squares(&self) -> Vec<Square> {
        self.squares
            .iter()
            .map(|name| name.parse().expect("the names above are squares"))
            .collect()
    }

    /// Number of contents: 3 to the power of the number of squares.
    pub(super) fn contents(&self) -> usize {
        3usize.pow(self.squares.len() as u32)
    }

    /// Where each square's digit goes when the shape is mirrored onto itself; `None` for a shape
    /// without such a mirror.
    fn mirror(&self) -> Option<Vec<usize>> {
        let squares = self.squares();
        Symmetry::ALL.iter().skip(1).find_map(|&symmetry| {
            let images = squares.iter().map(|&s| symmetry.apply_square(s));
            let places: Option<Vec<usize>> = images
                .map(|image| squares.iter().position(|&s| s == image))
                .collect();
            let moves_something =
                |places: &Vec<usize>| places.iter().enumerate().any(|(i, &p)| i != p);
            places.filter(moves_something)
        })
    }

    /// For each content, the number of its weight: contents that mirror each other share one.
    /// Weights are numbered from 0 in the order of their first content.
    pub(super) fn weight_numbers(&self) -> (Vec<u32>, usize) {
        let mirror = self.mirror();
        let powers: Vec<usize> = (0..self.squares.len())
            .map(|i| 3usize.pow(i as u32))
            .collect();
        let mirrored = |content: usize| -> usize {
            mirror.as_ref().map_or(content, |places| {
                let digit = |i: usize| content / powers[i] % 3;
                places
                    .iter()
                    .enumerate()
                    .map(|(i, &to)| digit(i) * powers[to])
                    .sum()
            })
        };
        let mut numbers = vec![u32::MAX; self.contents()];
        let mut count = 0;
        for content in 0..self.contents() {
            if numbers[content] == u32::MAX {
                numbers[content] = count;
                numbers[mirrored(content)] = count;
                count += 1;
            }
        }
        (numbers, count as usize)
    }
}

/// All instances, shape after shape.
pub(super) fn instances() -> Vec<Instance> {
    let mut all = Vec::with_capacity(INSTANCES);
    for (shape, definition) in SHAPES.iter().enumerate() {
        let mut seen: Vec<u64> = Vec::new();
        for symmetry in Symmetry::ALL {
            let squares: Vec<Square> = definition
                .squares()
                .into_iter()
                .map(|s| symmetry.apply_square(s))
                .collect();
            // Two images on the same squares are mirror images, which have the same weights.
            let set = squares.iter().map(|s| s.bit()).sum();
            if !seen.contains(&set) {
                seen.push(set);
                all.push(Instance { shape, squares });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instance_is_there_once() {
        let all = instances();
        assert_eq!(all.len(), INSTANCES);
        let counts: Vec<usize> = (0..SHAPES.len())
            .map(|shape| all.iter().filter(|i| i.shape == shape).count())
            .collect();
        assert_eq!(counts, [4, 4, 8, 4, 4, 4, 2, 4, 4, 4]);
    }

    #[test]
    fn mirrored_contents_share_a_weight() {
        // (3^n + 3^(n - swapped pairs)) / 2 classes where there is a mirror.
        let counts: Vec<usize> = SHAPES.iter().map(|s| s.weight_numbers().1).collect();
        let expected = [
            29_646, 10_206, 6_561, 3_321, 3_321, 3_321, 3_321, 1_134, 378, 135,
        ];
        assert_eq!(counts, expected);
        for shape in &SHAPES {
            let (numbers, count) = shape.weight_numbers();
            assert!(
                numbers.iter().all(|&n| (n as usize) < count),
                "{}",
                shape.name
            );
        }
    }

    #[test]
    fn the_instances_cover_the_board() {
        let covered = instances()
            .iter()
            .flat_map(|i| &i.squares)
            .fold(0, |set, s| set | s.bit());
        assert_eq!(covered, u64::MAX);
    }
}
