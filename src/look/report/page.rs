//! The page: one file, nothing loaded from elsewhere.

use super::attach::Attachment;
use super::boards::board;
use super::charts::{bars, lines};
use super::escape::html;
use super::gather::{Dataset, Report};
use super::label_error::{LabelError, LabelErrors};
use crate::base::text::{bytes, count, number_of, share};
use crate::dataset::metadata::Metadata;
use crate::dataset::split::Split;
use crate::dataset::stats::PhaseStats;
use crate::look::inspect::{Inspection, PhaseView, facts};
use std::fmt::Write;

/// Damage beyond is counted.
const DAMAGE: usize = 50;
const STYLE: &str = include_str!("style.css");

/// Colours of the charts, as the page names them.
const COLOURS: [&str; 4] = ["one", "two", "three", "four"];

/// The whole page.
pub(crate) fn page(report: &Report) -> String {
    let names: Vec<String> = report.datasets.iter().map(name).collect();
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <link rel=\"icon\" href=\"data:,\"><style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        names.join(" and ")
    );
    damage(report, &mut page);
    section(&mut page, "How it was made", report, made);
    section(&mut page, "Records per phase", report, records);
    section(&mut page, "Values", report, values);
    section(&mut page, "Mean and spread by phase", report, spread);
    section(&mut page, "Passes and finished games", report, passes);
    section(&mut page, "Duplicates and failures", report, failures);
    section(
        &mut page,
        "Positions a move apart in different splits",
        report,
        apart,
    );
    section(&mut page, "Sample positions", report, boards);
    for attachment in &report.attachments {
        attached(attachment, &mut page);
    }
    section(&mut page, "Numbers", report, numbers);
    page + "</body></html>\n"
}

fn name(dataset: &Dataset) -> String {
    html(&dataset.path.to_string_lossy())
}

/// A heading, and what each dataset has to say side by side; nothing where none has.
fn section(
    page: &mut String,
    title: &str,
    report: &Report,
    say: fn(&Dataset, &Inspection) -> String,
) {
    let mut said = String::new();
    for dataset in &report.datasets {
        let Some(inspection) = &dataset.inspection else {
            continue;
        };
        let text = say(dataset, inspection);
        if !text.is_empty() {
            let heading = match report.datasets.len() {
                1 => String::new(),
                _ => format!("<h3>{}</h3>", name(dataset)),
            };
            let _ = writeln!(said, "<div>{heading}{text}</div>");
        }
    }
    if !said.is_empty() {
        let _ = writeln!(
            page,
            "<section><h2>{title}</h2><div class=\"grid\">{said}</div></section>"
        );
    }
}

fn damage(report: &Report, page: &mut String) {
    let all: Vec<_> = report.damage().collect();
    if all.is_empty() {
        return;
    }
    *page += "<section class=\"bad\"><h2>Damaged</h2><p>What is damaged is left out of everything below.</p><ul>";
    for damage in all.iter().take(DAMAGE) {
        let _ = write!(page, "<li>{}</li>", html(&damage.message));
    }
    if all.len() > DAMAGE {
        let _ = write!(
            page,
            "<li>and {} more; see rdg verify</li>",
            all.len() - DAMAGE
        );
    }
    *page += "</ul></section>\n";
}

fn figure(svg: &str, caption: &str) -> String {
    format!("<figure>{svg}<figcaption>{caption}</figcaption></figure>")
}

/// Which colour is what.
fn key(names: &[&str]) -> String {
    let parts = names.iter().zip(COLOURS);
    let parts: String = parts
        .map(|(name, colour)| format!("<i style=\"background:var(--{colour})\"></i>{name}"))
        .collect();
    format!("<span class=\"key\">{parts}</span>")
}

fn table(class: &str, head: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("<div class=\"scroll\"><table class=\"{class}\">");
    if !head.is_empty() {
        let cells: String = head.iter().map(|cell| format!("<th>{cell}</th>")).collect();
        let _ = write!(text, "<thead><tr>{cells}</tr></thead>");
    }
    text += "<tbody>";
    for row in rows {
        let cells: String = row.iter().map(|cell| format!("<td>{cell}</td>")).collect();
        let _ = write!(text, "<tr>{cells}</tr>");
    }
    text + "</tbody></table></div>"
}

fn made(_: &Dataset, inspection: &Inspection) -> String {
    let metadata: Vec<&Metadata> = inspection
        .phases
        .iter()
        .filter_map(|phase| phase.metadata.as_ref())
        .collect();
    let mut rows: Vec<Vec<String>> = facts(&metadata)
        .into_iter()
        .map(|(name, fact)| vec![name.to_owned(), html(&fact)])
        .collect();
    let size = inspection.files().map(|file| file.bytes).sum();
    rows.push(vec![
        "Size".to_owned(),
        format!(
            "{} in {}, {}, {}",
            number_of(inspection.records(), "record"),
            number_of(inspection.phases.len() as u64, "phase"),
            number_of(inspection.files().count() as u64, "file"),
            bytes(size)
        ),
    ]);
    table("facts", &[], &rows)
}

/// Phases that are known, with what they hold.
fn known(inspection: &Inspection) -> Vec<(u8, &PhaseView)> {
    let phases = inspection.phases.iter();
    phases
        .filter_map(|view| Some((view.phase?, view)))
        .collect()
}

fn records(_: &Dataset, inspection: &Inspection) -> String {
    let mut parts: [Vec<(i32, u64)>; 4] = Default::default();
    for (phase, view) in known(inspection) {
        for (part, n) in parts.iter_mut().zip(view.split_sizes()) {
            part.push((i32::from(phase), n));
        }
    }
    if parts[0].is_empty() {
        // A file that was named alone: the records tell their phases.
        parts[0] = inspection
            .measured()
            .phases()
            .map(|(phase, n)| (i32::from(phase), n))
            .collect();
        return figure(&bars("records per phase", &parts[..1]), "records by phase");
    }
    let mut sums = [0; 4];
    for view in &inspection.phases {
        for (sum, n) in sums.iter_mut().zip(view.split_sizes()) {
            *sum += n;
        }
    }
    let names = ["train", "valid", "test", "other"].map(str::to_owned);
    let named: Vec<String> = names
        .iter()
        .zip(sums)
        .map(|(name, n)| format!("{name} {} ({})", count(n), share(n, inspection.records())))
        .collect();
    let shown = if sums[3] > 0 { 4 } else { 3 };
    let named: Vec<&str> = named.iter().map(String::as_str).take(shown).collect();
    figure(
        &bars("records per phase", &parts),
        &format!("records by phase:{}", key(&named)),
    )
}

fn values(_: &Dataset, inspection: &Inspection) -> String {
    let measured = inspection.measured();
    let (Some(mean), Some(deviation)) = (measured.mean(), measured.standard_deviation()) else {
        return "<p>no values</p>".to_owned();
    };
    let histogram: Vec<(i32, u64)> = measured.values().map(|(v, n)| (i32::from(v), n)).collect();
    let draws = measured
        .values()
        .find(|(v, _)| *v == 0)
        .map_or(0, |(_, n)| n);
    let caption = format!(
        "records by value for the side to move: mean {mean:.2}, standard deviation {deviation:.2}, draws {}",
        share(draws, measured.sound())
    );
    figure(&bars("values", &[histogram]), &caption)
}

fn spread(_: &Dataset, inspection: &Inspection) -> String {
    let mut means = Vec::new();
    let mut band = Vec::new();
    for (phase, view) in known(inspection) {
        let measured = view.measured();
        if let (Some(mean), Some(deviation)) = (measured.mean(), measured.standard_deviation()) {
            means.push((f64::from(phase), mean));
            band.push((f64::from(phase), mean - deviation, mean + deviation));
        }
    }
    if means.len() < 2 {
        return String::new();
    }
    let caption = "mean value by phase, and one standard deviation around it";
    figure(
        &lines("mean and spread of the values", &[means], &band),
        caption,
    )
}

fn passes(_: &Dataset, inspection: &Inspection) -> String {
    let mut passes = Vec::new();
    let mut over = Vec::new();
    for (phase, view) in known(inspection) {
        let measured = view.measured();
        let percent = |n: u64| 100.0 * n as f64 / measured.sound().max(1) as f64;
        passes.push((f64::from(phase), percent(measured.must_pass)));
        over.push((f64::from(phase), percent(measured.game_over)));
    }
    let all = inspection.measured();
    let total = format!(
        "percent of the records by phase:{}. Altogether {} and {}.",
        key(&["the side to move must pass", "the game is over"]),
        share(all.must_pass, all.sound()),
        share(all.game_over, all.sound())
    );
    if passes.len() < 2 {
        return format!(
            "<p>The side to move must pass in {}, the game is over in {}.</p>",
            share(all.must_pass, all.sound()),
            share(all.game_over, all.sound())
        );
    }
    figure(
        &lines("passes and finished games", &[passes, over], &[]),
        &total,
    )
}

fn failures(dataset: &Dataset, _: &Inspection) -> String {
    if dataset.stats.is_empty() {
        return String::new();
    }
    let mut stats: Vec<_> = dataset.stats.iter().collect();
    stats.sort_by_key(|stats| stats.phase);
    let rate = |n: u64, of: u64| 100.0 * n as f64 / of.max(1) as f64;
    let duplicates: Vec<(f64, f64)> = stats
        .iter()
        .map(|s| (f64::from(s.phase), 100.0 * s.duplicate_rate))
        .collect();
    let of_games = |games: fn(&PhaseStats) -> u64| -> Vec<(f64, f64)> {
        let point = |s: &&PhaseStats| (f64::from(s.phase), rate(games(s), s.attempts));
        stats.iter().map(point).collect()
    };
    let ended_early = of_games(|s| s.ended_early.saturating_add(s.unbalanced));
    let failed = of_games(|s| s.failed_attempts);
    let sum =
        |field: fn(&PhaseStats) -> u64| -> String { count(dataset.stats.iter().map(field).sum()) };
    let totals = format!(
        "Altogether {} duplicates passed over, {} games that ended early, {} that were unbalanced, {} that failed, over the phases.",
        sum(|s| s.duplicate_positions),
        sum(|s| s.ended_early),
        sum(|s| s.unbalanced),
        sum(|s| s.failed_attempts)
    );
    if duplicates.len() < 2 {
        return format!("<p>{totals}</p>");
    }
    let caption = format!(
        "percent by phase:{}. {totals}",
        key(&[
            "duplicates among the positions",
            "games that ended early or were unbalanced",
            "games that failed"
        ])
    );
    figure(
        &lines(
            "duplicates and failures",
            &[duplicates, ended_early, failed],
            &[],
        ),
        &caption,
    )
}

fn apart(dataset: &Dataset, _: &Inspection) -> String {
    if dataset.neighbours.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<String>> = dataset
        .neighbours
        .iter()
        .map(|n| {
            let mut row = vec![n.split.name().to_owned(), count(n.drawn)];
            row.extend(n.by_split.map(|hits| share(hits, n.drawn)));
            row
        })
        .collect();
    let beside: Vec<String> = Split::ALL
        .map(|split| format!("beside {}", split.name()))
        .to_vec();
    let mut head = vec!["positions of", "drawn"];
    head.extend(beside.iter().map(String::as_str));
    let note = "Of positions drawn at random: those that are one move away from a position of the dataset, \
                before or after it, up to symmetry. Shares outside a split's own column flatter its test \
                error.";
    table("", &head, &rows) + &format!("<p>{note}</p>")
}

fn boards(dataset: &Dataset, _: &Inspection) -> String {
    let mut text = String::new();
    for sample in &dataset.samples {
        let position = sample.record.board;
        if position.own & position.opponent != 0 {
            continue;
        }
        let caption = format!(
            "value {:+}, {} discs",
            sample.record.value,
            position.occupied().count_ones()
        );
        let drawn = board(position, &caption);
        text += &figure(&drawn, &caption);
    }
    match text.is_empty() {
        true => text,
        false => format!("<p>The side to move is dark.</p><div class=\"boards\">{text}</div>"),
    }
}

fn attached(attachment: &Attachment, page: &mut String) {
    let title = match attachment.kind {
        "compare" => "Label error",
        "fit" => "Fitting",
        "learn" => "Learning",
        _ => "Match",
    };
    let path = html(&attachment.path.to_string_lossy());
    let _ = write!(
        page,
        "<section><h2>{title}</h2><p>from {path}</p><div class=\"grid\">"
    );
    if let Some(errors) = LabelErrors::of(attachment) {
        label_errors(&errors, page);
        *page += "</div></section>\n";
        return;
    }
    for curve in attachment.curves() {
        let caption = format!("{} by {}", html(&curve.name), html(&curve.axis));
        *page += &figure(&lines(&curve.name, &[curve.points], &[]), &caption);
    }
    let rows: Vec<Vec<String>> = attachment
        .facts()
        .into_iter()
        .map(|(name, fact)| vec![html(&name), html(&fact)])
        .collect();
    *page += &table("facts", &[], &rows);
    *page += "</div></section>\n";
}

/// What `rdg label` says of old values: RMSE and MAE by phase, and every number.
fn label_errors(errors: &LabelErrors, page: &mut String) {
    *page += "<div>";
    if errors.phases.len() > 1 {
        let curve = |value: fn(&LabelError) -> f64| -> Vec<(f64, f64)> {
            let point = |e: &LabelError| (e.phase, value(e));
            errors.phases.iter().map(point).collect()
        };
        let drawn = lines(
            "label error by phase",
            &[curve(|e| e.rmse), curve(|e| e.mae)],
            &[],
        );
        let caption = format!(
            "discs by phase:{}",
            key(&["root mean square error", "mean absolute error"])
        );
        *page += &figure(&drawn, &caption);
    }
    let _ = write!(
        page,
        "<p>Value of the dataset against the {}.</p></div>",
        html(&errors.against)
    );
    let row = |name: String, e: &LabelError| {
        vec![
            name,
            count(e.n),
            format!("{:.2}", e.mean),
            format!("{:.2}", e.mae),
            format!("{:.2}", e.rmse),
            format!("{:.1} %", 100.0 * e.equal),
        ]
    };
    let mut rows: Vec<Vec<String>> = errors
        .phases
        .iter()
        .map(|e| row(e.phase.to_string(), e))
        .collect();
    rows.extend(errors.all.iter().map(|e| row("all".to_owned(), e)));
    let head = ["phase", "n", "mean", "MAE", "RMSE", "equal"];
    *page += &table("", &head, &rows);
}

/// The same numbers as `rdg inspect --json`.
fn numbers(_: &Dataset, inspection: &Inspection) -> String {
    let decimals = |number: Option<f64>| number.map_or("-".to_owned(), |n| format!("{n:.2}"));
    let whole = |number: Option<i16>| number.map_or("-".to_owned(), |n| n.to_string());
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut row = |name: String, sizes: [u64; 4], measured: &crate::look::inspect::Measured| {
        let mut cells = vec![name, count(measured.records)];
        cells.extend(sizes.map(count));
        cells.extend([
            whole(measured.min()),
            whole(measured.max()),
            decimals(measured.mean()),
            decimals(measured.standard_deviation()),
            count(measured.must_pass),
            count(measured.game_over),
        ]);
        rows.push(cells);
    };
    let mut sums = [0; 4];
    for view in &inspection.phases {
        let name = view.phase.map_or("-".to_owned(), |phase| phase.to_string());
        let sizes = view.split_sizes();
        row(name, sizes, &view.measured());
        for (sum, n) in sums.iter_mut().zip(sizes) {
            *sum += n;
        }
    }
    row("all".to_owned(), sums, &inspection.measured());
    let head = [
        "phase", "records", "train", "valid", "test", "other", "min", "max", "mean", "sd", "pass",
        "over",
    ];
    table("", &head, &rows)
}
