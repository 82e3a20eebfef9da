//! Which games are wanted, by who played them, when, and how strong.

use crate::records::Facts;
use std::ops::RangeInclusive;

/// Games that are wanted. What is not asked for is not looked at.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Filter {
    /// One of the players has one of these in the name, in lower case; empty: anybody.
    pub players: Vec<String>,
    /// The years of the games.
    pub years: Option<RangeInclusive<u16>>,
    /// Both players are rated at least so.
    pub min_rating: Option<f64>,
}

impl Filter {
    /// Whether a game is wanted. One whose file does not tell what is asked for is not.
    pub fn takes(&self, facts: &Facts) -> bool {
        let player = || {
            [&facts.black, &facts.white].into_iter().any(|name| {
                let name = name.to_lowercase();
                self.players.iter().any(|wanted| name.contains(wanted))
            })
        };
        let year =
            |years: &RangeInclusive<u16>| facts.year.is_some_and(|year| years.contains(&year));
        let rated = |least: f64| facts.ratings.iter().all(|r| r.is_some_and(|r| r >= least));
        (self.players.is_empty() || player())
            && self.years.as_ref().is_none_or(year)
            && self.min_rating.is_none_or(rated)
    }
}

/// Reads `1990`, `1990..1999`, `..1999` or `1990..`: years, both included.
pub fn parse_years(text: &str) -> Result<RangeInclusive<u16>, String> {
    let year = |word: &str, open: u16| match word.trim() {
        "" => Ok(open),
        word => word
            .parse::<u16>()
            .map_err(|_| format!("`{word}` is not a year")),
    };
    let years = match text.split_once("..") {
        Some((first, last)) => year(first, 0)?..=year(last.trim_start_matches('='), u16::MAX)?,
        None if text.trim().is_empty() => return Err("write a year or a range of years".to_owned()),
        None => year(text, 0)?..=year(text, 0)?,
    };
    match years.is_empty() {
        true => Err(format!("`{text}` is empty: its first year is the later")),
        false => Ok(years),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_single_or_ranges() {
        assert_eq!(parse_years("1990"), Ok(1990..=1990));
        assert_eq!(parse_years("1990..1999"), Ok(1990..=1999));
        assert_eq!(parse_years("..1999"), Ok(0..=1999));
        assert_eq!(parse_years("1990.."), Ok(1990..=u16::MAX));
        for bad in ["", "x", "1999..1990", "-1", "99999", "1990-1999"] {
            assert!(parse_years(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_asked_for_has_to_be_told() {
        let facts = |black: &str, year, ratings| Facts {
            black: black.to_owned(),
            white: "Somebody Else".to_owned(),
            year,
            ratings,
        };
        let known = facts("TASTET Marc", Some(1999), [Some(1800.0), Some(1700.0)]);
        let unknown = facts("", None, [Some(1800.0), None]);
        let filter = |players: &[&str], years, min_rating| Filter {
            players: players.iter().map(|&name| name.to_owned()).collect(),
            years,
            min_rating,
        };
        for (filter, takes_known, takes_unknown) in [
            (Filter::default(), true, true),
            (filter(&["tastet"], None, None), true, false),
            (filter(&["nobody", "else"], None, None), true, true),
            (filter(&["nobody"], None, None), false, false),
            (filter(&[], Some(1990..=1999), None), true, false),
            (filter(&[], Some(2000..=2001), None), false, false),
            (filter(&[], None, Some(1700.0)), true, false),
            (filter(&[], None, Some(1701.0)), false, false),
        ] {
            assert_eq!(filter.takes(&known), takes_known, "{filter:?}");
            assert_eq!(filter.takes(&unknown), takes_unknown, "{filter:?}");
        }
    }
}
