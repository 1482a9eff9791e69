//! Variables whose values are followed while the chart is run beforehand.
//!
//! Where an event goes, after which time, and what a list has in it must be known; and variables
//! that hold a number now and nothing later have no type. The values of such variables are part
//! of the situation, so they have to be the same whatever comes from outside.

use super::super::chart::{Chart, Content};
use super::super::name;
use super::super::post::Said;
use super::super::script::{self, Constant, Plain, Trouble, words};
use super::configuration::Situation;
use super::content::Stop;
use super::{Cursor, Flattening};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables that have to be followed, by the names they have in models.
pub(super) fn followed(chart: &Chart) -> FxHashSet<String> {
    let contents = chart.contents();
    let mut found: FxHashSet<String> = FxHashSet::default();
    let assigned = assigned(chart);
    for content in &contents {
        match content {
            Content::ForEach {
                list, item, index, ..
            } => {
                found.extend(words(list).into_iter().map(name));
                found.extend(std::iter::once(item).chain(index).map(|it| name(it)));
            }
            Content::Post(post) => {
                found.extend(post.computed().flat_map(words).map(name));
            }
            Content::Identify { location, .. } => {
                found.insert(name(location));
            }
            Content::Cancel(Said::Computed(text)) => {
                found.extend(words(text).into_iter().map(name));
            }
            _ => {}
        }
    }
    let located = chart
        .invokes()
        .filter_map(|(_, it)| it.id_location.as_deref());
    found.extend(located.map(name));
    found.extend(without_type(&assigned));
    for expression in expressions(chart, &contents) {
        let mentioned = words(expression);
        let is_about_nothing = |word: &&str| ["typeof", "undefined", "null"].contains(word);
        if mentioned.iter().any(is_about_nothing) {
            found.extend(mentioned.into_iter().map(name));
        }
    }
    // What a value that is followed is computed from is followed, too.
    loop {
        let before = found.len();
        for (location, value) in &assigned {
            if found.contains(&name(location)) {
                found.extend(words(value).into_iter().map(name));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The variables that nothing from outside decides, by the names they have in models: all that
/// they become is computed from constants and from each other.
pub(super) fn determined(chart: &Chart) -> FxHashSet<String> {
    let assigned = assigned(chart);
    let mut found: FxHashSet<String> = assigned.iter().map(|(it, _)| name(it)).collect();
    loop {
        let is_open = |text: &&str| {
            let mut words = words(text).into_iter();
            words.any(|it| !["true", "false"].contains(&it) && !found.contains(&name(it)))
        };
        let open = assigned.iter().filter(|(_, value)| is_open(value));
        let open: Vec<String> = open.map(|(location, _)| name(location)).collect();
        if !open.iter().any(|it| found.contains(it)) {
            return found;
        }
        for variable in open {
            found.remove(&variable);
        }
    }
}

/// Every variable with what it is given, at first and on the way.
fn assigned(chart: &Chart) -> Vec<(&str, &str)> {
    let data = chart.data.iter().filter_map(|datum| {
        let value = datum.value.as_deref()?;
        Some((datum.id.as_str(), value))
    });
    let contents = chart.contents().into_iter();
    let contents = contents.filter_map(|content| match content {
        Content::Assign { location, value } => Some((location.as_str(), value.as_str())),
        _ => None,
    });
    data.chain(contents).collect()
}

/// Variables that are given lists, nothing, or values of several types.
fn without_type(assigned: &[(&str, &str)]) -> Vec<String> {
    let mut types: FxHashMap<String, &'static str> = FxHashMap::default();
    let mut found = Vec::new();
    for (location, value) in assigned {
        // What a chart knows of itself and its events.
        let is_of_event = words(value).contains(&"_event") && !value.contains("_event.data");
        let of_chart = ["_name", "_sessionid", "_ioprocessors"];
        if is_of_event || words(value).iter().any(|it| of_chart.contains(it)) {
            found.push(name(location));
        }
        let Ok(value) = script::evaluated(value, &mut Plain) else {
            continue;
        };
        let Some(constant) = value.constant else {
            continue;
        };
        let variable = name(location);
        let known = types
            .entry(variable.clone())
            .or_insert(constant.type_name());
        if *known != constant.type_name() || constant.literal().is_none() {
            found.push(variable);
        }
    }
    found
}

/// Every expression that is not assigned to something.
fn expressions<'c>(chart: &'c Chart, contents: &[&'c Content]) -> Vec<&'c str> {
    let mut found: Vec<&str> = Vec::new();
    for state in &chart.states {
        found.extend(
            state
                .transitions
                .iter()
                .flat_map(|it| it.condition.as_deref()),
        );
        found.extend(state.done_values.iter().map(|(_, value)| value.as_str()));
    }
    for content in contents {
        match content {
            Content::Choice(branches) => {
                found.extend(
                    branches
                        .iter()
                        .flat_map(|(condition, _)| condition.as_deref()),
                );
            }
            Content::Raise { values, .. } | Content::Tell { values, .. } => {
                found.extend(values.iter().map(|(_, value)| value.as_str()));
            }
            Content::Delay(delayed) => {
                found.extend(delayed.values.iter().map(|(_, value)| value.as_str()));
            }
            Content::Post(post) => {
                found.extend(post.values.iter().map(|(_, value)| value.as_str()));
            }
            Content::Send { values, .. } => found.extend(values.iter().map(String::as_str)),
            Content::Assign { value, .. } => found.push(value),
            Content::Cancel(_)
            | Content::ForEach { .. }
            | Content::Identify { .. }
            | Content::Fail(_) => {}
        }
    }
    found
}

impl Situation {
    /// The value of a variable that is followed.
    pub(super) fn known(&self, variable: &str) -> Option<&Constant> {
        let mut known = self.known.iter();
        known.find(|(it, _)| it == variable).map(|(_, value)| value)
    }

    /// Notes the value of a variable that is followed.
    pub(super) fn note(&mut self, variable: String, value: Constant) {
        self.known.retain(|(it, _)| *it != variable);
        self.known.push((variable, value));
        self.known.sort();
    }
}

impl Flattening {
    /// What the variables that are followed begin with, one after the other.
    pub(super) fn known_at_first(&mut self) -> Situation {
        let mut path = Cursor::default();
        for datum in std::mem::take(&mut self.followed_data) {
            let value = match &datum.value {
                None => Constant::Undefined,
                Some(text) => match self.constant(text, &path) {
                    Ok(value) => value,
                    // The error is raised before the chart begins, and the variable is empty.
                    Err(Stop::Wrong) => {
                        self.fail(&mut path, "error.execution");
                        Constant::Undefined
                    }
                    Err(Stop::Refused) => continue,
                },
            };
            path.situation.note(name(&datum.id), value);
        }
        path.situation
    }

    /// The value of an expression that has to be known.
    pub(super) fn constant(&mut self, text: &str, path: &Cursor) -> Result<Constant, Stop> {
        let value = self.evaluated(text, path)?;
        match value.constant {
            Some(value) => Ok(value),
            None => {
                let what = format!("`{text}`: its value has to be known beforehand");
                self.refuse(what);
                Err(Stop::Refused)
            }
        }
    }

    /// The text that an expression gives, to say where an event goes and when.
    pub(super) fn known_text(&mut self, text: &str, path: &Cursor) -> Result<String, Trouble> {
        match self.in_scope(text, path)?.constant {
            Some(value) => value.address().ok_or_else(|| {
                let shown = value.shown();
                Trouble::Foreign(format!(
                    "`{text}`: it is {shown}, and a text should be here"
                ))
            }),
            None => Err(Trouble::Foreign(format!(
                "`{text}`: its value has to be known beforehand"
            ))),
        }
    }

    /// Does something for each element of a list that is known. The loop is about the list as it
    /// was, whatever becomes of it on the way.
    pub(super) fn for_each(
        &mut self,
        path: Cursor,
        (list, item, index): (&str, &str, Option<&str>),
        content: &[Content],
    ) -> Result<Vec<Cursor>, Stop> {
        let Constant::List(values) = self.constant(list, &path)? else {
            return Err(Stop::Wrong);
        };
        let is_name = |it: &&str| {
            it.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
                && it
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
        };
        if !std::iter::once(item).chain(index).all(|it| is_name(&it)) {
            return Err(Stop::Wrong);
        }
        let mut paths = vec![path];
        for (number, value) in values.into_iter().enumerate() {
            for path in paths.iter_mut().filter(|path| !path.is_broken) {
                path.situation.note(name(item), value.clone());
                if let Some(index) = index {
                    let number =
                        Constant::Number(num_rational::BigRational::from_integer(number.into()));
                    path.situation.note(name(index), number);
                }
            }
            paths = self.execute(paths, content);
        }
        Ok(paths)
    }
}
