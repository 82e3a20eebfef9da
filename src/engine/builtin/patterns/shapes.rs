//! The patterns: sets of squares whose joint content is looked up as a whole.
//!
//! A pattern's content is a number in base 3, one digit per square: 0 empty, 1 a disc of the side
//! to move, 2 a disc of the other side. Each shape lies on the board in up to eight images
//! (*instances*); all of them share one table of weights.

use crate::board::{Square, Symmetry};

/// The most squares of a shape: contents still fit 16 bits.
pub const MAX_SQUARES: usize = 10;

/// The most shapes of an evaluation.
pub const MAX_SHAPES: usize = 64;

/// The shapes of the embedded weights. Their order, and that of their squares, belongs to the
/// first version of the file format.
const STANDARD: [(&str, &str); 10] = [
    ("edge with both X squares", "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2"),
    ("corner 3 × 3", "a1 b1 c1 a2 b2 c2 a3 b3 c3"),
    ("corner 2 × 4", "a1 b1 c1 d1 a2 b2 c2 d2"),
    ("second rank", "a2 b2 c2 d2 e2 f2 g2 h2"),
    ("third rank", "a3 b3 c3 d3 e3 f3 g3 h3"),
    ("fourth rank", "a4 b4 c4 d4 e4 f4 g4 h4"),
    ("diagonal of 8", "a1 b2 c3 d4 e5 f6 g7 h8"),
    ("diagonal of 7", "a2 b3 c4 d5 e6 f7 g8"),
    ("diagonal of 6", "a3 b4 c5 d6 e7 f8"),
    ("diagonal of 5", "a4 b5 c6 d7 e8"),
];

/// A pattern, by the squares of its first instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    squares: Vec<Square>,
}

/// One image of a shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Instance {
    /// Number of its shape.
    pub(super) shape: usize,
    /// Its squares, in the order of the shape's.
    pub(super) squares: Vec<Square>,
}

impl Shape {
    /// A pattern of these squares.
    ///
    /// # Errors
    /// None, too many or the same square twice; completes a sentence about the shape.
    pub fn new(squares: Vec<Square>) -> Result<Shape, String> {
        if squares.is_empty() || squares.len() > MAX_SQUARES {
            return Err(format!(
                "has {} squares; 1 to {MAX_SQUARES} are possible",
                squares.len()
            ));
        }
        let twice = |at: usize| squares[..at].contains(&squares[at]);
        match (1..squares.len()).find(|&at| twice(at)) {
            Some(at) => Err(format!("names {} twice", squares[at])),
            None => Ok(Shape { squares }),
        }
    }

    /// Its squares, the one of the lowest digit first.
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// For people: its usual name, or its squares.
    pub fn name(&self) -> String {
        let squares: Vec<String> = self.squares.iter().map(Square::to_string).collect();
        let squares = squares.join(" ");
        let usual = STANDARD.iter().find(|(_, text)| *text == squares);
        usual.map_or(squares, |(name, _)| (*name).to_owned())
    }

    /// Number of contents: 3 to the power of the number of squares.
    pub(super) fn contents(&self) -> usize {
        3usize.pow(self.squares.len() as u32)
    }

    /// For each symmetry that maps the shape onto itself, where each square's digit goes.
    fn mirrors(&self) -> Vec<Vec<usize>> {
        let places = |symmetry: &Symmetry| {
            let images = self.squares.iter().map(|&s| symmetry.apply_square(s));
            images
                .map(|image| self.squares.iter().position(|&s| s == image))
                .collect()
        };
        Symmetry::ALL.iter().filter_map(places).collect()
    }

    /// For each content, the number of its weight: contents that mirror each other share one.
    /// Weights are numbered from 0 in the order of their first content.
    pub(super) fn weight_numbers(&self) -> (Vec<u32>, usize) {
        let mirrors = self.mirrors();
        let powers: Vec<usize> = (0..self.squares.len())
            .map(|i| 3usize.pow(i as u32))
            .collect();
        let mut numbers = vec![u32::MAX; self.contents()];
        let mut count = 0;
        for content in 0..self.contents() {
            if numbers[content] == u32::MAX {
                for mirror in &mirrors {
                    let digits = powers.iter().map(|power| content / power % 3);
                    let mirrored: usize = digits.zip(mirror).map(|(d, &to)| d * powers[to]).sum();
                    numbers[mirrored] = count;
                }
                count += 1;
            }
        }
        (numbers, count as usize)
    }
}

/// The shapes of the embedded weights.
pub fn standard() -> Vec<Shape> {
    let shape = |(_, text): &(&str, &str)| {
        let squares = text.split(' ').map(|name| name.parse());
        let squares = squares.collect::<Result<_, _>>();
        Shape::new(squares.expect("squares stand above")).expect("a shape stands above")
    };
    STANDARD.iter().map(shape).collect()
}

/// Reads shapes as lists of squares, one a line: `a1 b1 c1`, with blanks or commas between them or
/// nothing at all. `#` begins a comment.
///
/// # Errors
/// The line and what is wrong with it; completes a sentence that begins with the file's name.
pub fn parse_shapes(text: &str) -> Result<Vec<Shape>, String> {
    let mut shapes: Vec<Shape> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let letters: Vec<char> = line
            .chars()
            .filter(|c| !c.is_whitespace() && *c != ',')
            .collect();
        if letters.is_empty() {
            continue;
        }
        let squares = letters.chunks(2).map(|pair| {
            let name: String = pair.iter().collect();
            name.parse::<Square>()
                .map_err(|_| format!("line {number} has {name:?}, which is not a square"))
        });
        let shape = Shape::new(squares.collect::<Result<_, _>>()?)
            .map_err(|fault| format!("line {number} {fault}"))?;
        if shapes.contains(&shape) {
            return Err(format!("line {number} repeats a pattern"));
        }
        shapes.push(shape);
        if shapes.len() > MAX_SHAPES {
            return Err(format!("holds more than {MAX_SHAPES} patterns"));
        }
    }
    match shapes.is_empty() {
        true => Err("holds no pattern; write the squares of one on each line: a1 b1 c1".to_owned()),
        false => Ok(shapes),
    }
}

/// All instances, shape after shape.
pub(super) fn instances(shapes: &[Shape]) -> Vec<Instance> {
    let mut all = Vec::new();
    for (shape, definition) in shapes.iter().enumerate() {
        let mut seen: Vec<u64> = Vec::new();
        for symmetry in Symmetry::ALL {
            let images = definition.squares.iter();
            let squares: Vec<Square> = images.map(|&s| symmetry.apply_square(s)).collect();
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
        let shapes = standard();
        let all = instances(&shapes);
        assert_eq!(all.len(), 42);
        let counts: Vec<usize> = (0..shapes.len())
            .map(|shape| all.iter().filter(|i| i.shape == shape).count())
            .collect();
        assert_eq!(counts, [4, 4, 8, 4, 4, 4, 2, 4, 4, 4]);
    }

    #[test]
    fn mirrored_contents_share_a_weight() {
        // (3^n + 3^(n - swapped pairs)) / 2 classes where there is a mirror.
        let shapes = standard();
        let counts: Vec<usize> = shapes.iter().map(|s| s.weight_numbers().1).collect();
        let expected = [
            29_646, 10_206, 6_561, 3_321, 3_321, 3_321, 3_321, 1_134, 378, 135,
        ];
        assert_eq!(counts, expected);
        for shape in &shapes {
            let (numbers, count) = shape.weight_numbers();
            let is_numbered = |n: &u32| (*n as usize) < count;
            assert!(numbers.iter().all(is_numbered), "{}", shape.name());
        }
    }

    #[test]
    fn the_middle_has_all_eight_mirrors() {
        // Four squares in a ring, turned and mirrored: 21 necklaces of 3 colours up to the
        // dihedral group (OEIS A027671).
        let shape = parse_shapes("d4 e4 e5 d5").unwrap().remove(0);
        assert_eq!(shape.weight_numbers().1, 21);
        assert_eq!(instances(&[shape]).len(), 1);
    }

    #[test]
    fn the_instances_cover_the_board() {
        let covered = instances(&standard())
            .iter()
            .flat_map(|i| &i.squares)
            .fold(0, |set, s| set | s.bit());
        assert_eq!(covered, u64::MAX);
    }

    #[test]
    fn shapes_are_read_from_lines_of_squares() {
        let shapes = parse_shapes("# corners\n\na1 b1,a2 # three\nA1h8\r\n").unwrap();
        let names: Vec<String> = shapes.iter().map(Shape::name).collect();
        assert_eq!(names, ["a1 b1 a2", "a1 h8"]);
        for (text, fault) in [
            ("", "no pattern"),
            ("a1 b9", "line 1 has \"b9\", which is not a square"),
            ("a1\na1 b", "line 2 has \"b\""),
            ("\u{1b}[2J", "\\u{1b}"),
            ("a1 b1 a1", "names a1 twice"),
            ("a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2", "has 11 squares"),
            ("a1 b1\na1 b1", "line 2 repeats"),
        ] {
            let found = parse_shapes(text).unwrap_err();
            assert!(found.contains(fault), "{found}");
        }
    }
}
