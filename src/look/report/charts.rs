//! Charts as inline SVG, drawn by `plotters`. Colours are names of the page's own, so that they follow
//! light and dark.

use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;

/// Pixels of a chart before the page scales it: so small that text is readable on a phone.
const SIZE: (u32, u32) = (420, 240);

/// Stand-ins that become colours of the page.
const TEXT: RGBColor = RGBColor(1, 1, 1);
const GRID: RGBColor = RGBColor(2, 2, 2);
const SERIES: [RGBColor; 4] = [
    RGBColor(3, 3, 3),
    RGBColor(4, 4, 4),
    RGBColor(5, 5, 5),
    RGBColor(6, 6, 6),
];

/// What the stand-ins become.
const NAMES: [(&str, &str); 6] = [
    ("#010101", "currentColor"),
    ("#020202", "var(--grid)"),
    ("#030303", "var(--one)"),
    ("#040404", "var(--two)"),
    ("#050505", "var(--three)"),
    ("#060606", "var(--four)"),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Bars over whole numbers, each of several parts on top of each other.
pub(super) fn bars(name: &str, parts: &[Vec<(i32, u64)>]) -> String {
    svg(name, |area| {
        let all = parts.iter().flatten();
        let first = all.clone().map(|p| p.0).min().unwrap_or(0);
        let last = all.clone().map(|p| p.0).max().unwrap_or(0);
        let mut sums = vec![0_u64; (last - first + 1) as usize];
        for (at, n) in all {
            sums[(at - first) as usize] += n;
        }
        let most = sums.iter().max().copied().unwrap_or(0).max(1) as f64;
        let range = f64::from(first) - 0.5..f64::from(last) + 0.5;
        let mut chart = axes(area, range, 0.0..most * 1.05)?;
        let mut base = vec![0_u64; sums.len()];
        for (part, colour) in parts.iter().zip(SERIES) {
            chart.draw_series(part.iter().map(|&(at, n)| {
                let low = &mut base[(at - first) as usize];
                let corners = [
                    (f64::from(at) - 0.42, *low as f64),
                    (f64::from(at) + 0.42, (*low + n) as f64),
                ];
                *low += n;
                Rectangle::new(corners, colour.filled())
            }))?;
        }
        Ok(())
    })
}

/// Lines, and bands between two of them.
pub(super) fn lines(name: &str, series: &[Vec<(f64, f64)>], band: &[(f64, f64, f64)]) -> String {
    svg(name, |area| {
        let xs = series.iter().flatten().map(|p| p.0);
        let ys = series.iter().flatten().map(|p| p.1);
        let edges = band.iter().flat_map(|&(_, low, high)| [low, high]);
        let x = padded(xs, 0.02);
        let y = padded(ys.chain(edges), 0.06);
        let mut chart = axes(area, x, y)?;
        if !band.is_empty() {
            let there = band.iter().map(|&(x, low, _)| (x, low));
            let back = band.iter().rev().map(|&(x, _, high)| (x, high));
            let outline: Vec<(f64, f64)> = there.chain(back).collect();
            chart.draw_series([Polygon::new(outline, SERIES[0].mix(0.2))])?;
        }
        for (points, colour) in series.iter().zip(SERIES) {
            let line = PathElement::new(points.clone(), colour.stroke_width(2));
            chart.draw_series([line])?;
            if points.len() <= 61 {
                let dots = points.iter().map(|&p| Circle::new(p, 2, colour.filled()));
                chart.draw_series(dots)?;
            }
        }
        Ok(())
    })
}

/// The range of numbers with some room around; numbers that are none are left out.
fn padded(numbers: impl Iterator<Item = f64>, share: f64) -> Range<f64> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for number in numbers.filter(|n| n.is_finite()) {
        low = low.min(number);
        high = high.max(number);
    }
    if low > high {
        return 0.0..1.0;
    }
    if (low, high) == (0.0, 0.0) {
        return 0.0..1.0;
    }
    let room = match high - low {
        0.0 => low.abs().max(1.0) * 0.5,
        width => width * share,
    };
    low - room..high + room
}

type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

fn axes<'a, 'b>(
    area: &'a Area<'b>,
    x: Range<f64>,
    y: Range<f64>,
) -> Result<Chart<'a, 'b>, Box<dyn std::error::Error>>
where
    'b: 'a,
{
    let mut chart = ChartBuilder::on(area)
        .margin(6)
        .margin_right(12)
        .x_label_area_size(26)
        .y_label_area_size(48)
        .build_cartesian_2d(x, y)?;
    let text = ("sans-serif", 12).into_font().color(&TEXT);
    chart
        .configure_mesh()
        .x_labels(7)
        .y_labels(5)
        .disable_x_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(GRID)
        .label_style(text)
        .x_label_formatter(&|x| short(*x))
        .y_label_formatter(&|y| short(*y))
        .draw()?;
    Ok(chart)
}

/// `1.5M`, `20k`, `0.25`.
fn short(number: f64) -> String {
    let (scaled, unit) = match number.abs() {
        n if n >= 1e9 => (number / 1e9, "G"),
        n if n >= 1e6 => (number / 1e6, "M"),
        n if n >= 1e4 => (number / 1e3, "k"),
        _ => (number, ""),
    };
    let text = format!("{scaled:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_owned(),
        text => format!("{text}{unit}"),
    }
}

/// The drawing as an element that fits its place; a word in its place where it cannot be drawn.
fn svg(name: &str, draw: impl FnOnce(&Area<'_>) -> Drawn) -> String {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        let drawn = draw(&area).and_then(|()| Ok(area.present()?));
        if let Err(error) = drawn {
            return format!(
                "<p>not drawn: {}</p>",
                super::escape::html(&error.to_string())
            );
        }
    }
    for (stand_in, colour) in NAMES {
        text = text.replace(stand_in, colour);
    }
    let inside = text.split_once("<svg ").map_or("", |(_, rest)| rest);
    let inside = inside.split_once('>').map_or("", |(_, rest)| rest);
    format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">{inside}",
        SIZE.0,
        SIZE.1,
        super::escape::html(name)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_one_element_in_the_colours_of_the_page() {
        let drawn = bars("values", &[vec![(-2, 3), (0, 7)], vec![(0, 1)]]);
        assert!(drawn.starts_with("<svg viewBox=\"0 0 420 240\""), "{drawn}");
        assert!(drawn.trim_end().ends_with("</svg>"));
        assert!(drawn.contains("var(--one)") && drawn.contains("var(--two)"));
        assert!(
            drawn.contains("currentColor") && !drawn.contains("#0"),
            "{drawn}"
        );
        assert_eq!(drawn.matches("var(--one)").count(), 2);
    }

    #[test]
    fn nothing_and_nonsense_are_drawn_too() {
        for series in [
            vec![],
            vec![vec![]],
            vec![vec![(1.0, 5.0)]],
            vec![vec![(0.0, f64::NAN), (1.0, f64::INFINITY)]],
        ] {
            assert!(lines("x", &series, &[]).starts_with("<svg"), "{series:?}");
        }
        assert!(bars("x", &[]).starts_with("<svg"));
    }

    #[test]
    fn labels_are_short() {
        let shown = [0.0, -0.0, 1500.0, 20_000.0, 2.5e6, 0.25, -64.0].map(short);
        assert_eq!(shown, ["0", "0", "1500", "20k", "2.5M", "0.25", "-64"]);
    }
}
