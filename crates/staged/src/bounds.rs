//! How many objects there may be, and which values numbers may have. What is
//! not bounded is free.

use std::collections::BTreeMap;

/// Bounds for the objects of one graph.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// The most objects of a type.
    types: BTreeMap<String, usize>,
    /// How many objects a field ranges over, by type and path.
    fields: BTreeMap<(String, String), usize>,
    /// The values of a number, by type and path.
    ranges: BTreeMap<(String, String), Range>,
    /// The values of numbers that have no range of their own, all of which are
    /// tried one by one.
    values: Option<Range>,
}

/// The values of a number, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least.
    pub low: i64,
    /// The greatest.
    pub high: i64,
}

/// What is wrong with the text of a bound.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is no bound; write it as {wanted}")]
pub struct BoundError {
    /// The text.
    pub text: String,
    /// What it should look like.
    pub wanted: &'static str,
}

impl Bounds {
    /// Adds a bound for a type, `Node=4`, or for a field, `Node.left=2`.
    ///
    /// # Errors
    ///
    /// When the text is neither.
    pub fn add_max(&mut self, text: &str) -> Result<(), BoundError> {
        let error = || BoundError {
            text: text.to_owned(),
            wanted: "Type=4 or Type.field=2",
        };
        let (name, count) = text.split_once('=').ok_or_else(error)?;
        let count = count.trim().parse().map_err(|_| error())?;
        let name = name.trim();
        match name.split_once('.') {
            _ if name.is_empty() => return Err(error()),
            None => self.types.insert(name.to_owned(), count),
            Some(("", _) | (_, "")) => return Err(error()),
            Some((owner, field)) => self
                .fields
                .insert((owner.to_owned(), field.to_owned()), count),
        };
        Ok(())
    }

    /// Adds the values of a number, `Node.data=0..9`.
    ///
    /// # Errors
    ///
    /// When the text is no range, or an empty one.
    pub fn add_range(&mut self, text: &str) -> Result<(), BoundError> {
        let error = || BoundError {
            text: text.to_owned(),
            wanted: "Type.field=0..9, the lower number first",
        };
        let (name, range) = text.split_once('=').ok_or_else(error)?;
        let (owner, field) = name.trim().split_once('.').ok_or_else(error)?;
        let (low, high) = range.split_once("..").ok_or_else(error)?;
        let low: i64 = low.trim().parse().map_err(|_| error())?;
        let high: i64 = high.trim().parse().map_err(|_| error())?;
        if owner.is_empty() || field.is_empty() || low > high {
            return Err(error());
        }
        self.ranges
            .insert((owner.to_owned(), field.to_owned()), Range { low, high });
        Ok(())
    }

    /// Has numbers tried value by value: those of `0..3` where they have no range
    /// of their own.
    ///
    /// # Errors
    ///
    /// When the text is no range, or an empty one.
    pub fn enumerate(&mut self, text: &str) -> Result<(), BoundError> {
        let error = || BoundError {
            text: text.to_owned(),
            wanted: "0..3, the lower number first",
        };
        let (low, high) = text.split_once("..").ok_or_else(error)?;
        let low: i64 = low.trim().parse().map_err(|_| error())?;
        let high: i64 = high.trim().parse().map_err(|_| error())?;
        if low > high {
            return Err(error());
        }
        self.values = Some(Range { low, high });
        Ok(())
    }

    /// The values to try for a number, if numbers are tried value by value.
    pub fn enumerated(&self, type_name: &str, field: &str) -> Option<Range> {
        let values = self.values?;
        Some(self.range(type_name, field).unwrap_or(values))
    }

    /// The most objects of a type.
    pub fn most_objects(&self, type_name: &str) -> usize {
        self.types.get(type_name).copied().unwrap_or(usize::MAX)
    }

    /// How many objects a field ranges over.
    pub fn most_targets(&self, type_name: &str, field: &str) -> usize {
        let key = (type_name.to_owned(), field.to_owned());
        self.fields.get(&key).copied().unwrap_or(usize::MAX)
    }

    /// The values of a number, if they are bounded.
    pub fn range(&self, type_name: &str, field: &str) -> Option<Range> {
        let key = (type_name.to_owned(), field.to_owned());
        self.ranges.get(&key).copied()
    }

    /// The types that are bounded.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        self.types.keys().map(String::as_str)
    }

    /// The types and paths of pointers that are bounded.
    pub fn pointers(&self) -> impl Iterator<Item = (&str, &str)> {
        let names = self.fields.keys();
        names.map(|(owner, field)| (&**owner, &**field))
    }

    /// The types and paths of numbers that are bounded.
    pub fn numbers(&self) -> impl Iterator<Item = (&str, &str)> {
        let names = self.ranges.keys();
        names.map(|(owner, field)| (&**owner, &**field))
    }

    /// The bounds as they were written, in a fixed order.
    pub fn texts(&self) -> Vec<String> {
        let types = self.types.iter().map(|(name, n)| format!("{name}={n}"));
        let fields = self.fields.iter();
        let fields = fields.map(|((owner, field), n)| format!("{owner}.{field}={n}"));
        let ranges = self.ranges.iter();
        let ranges =
            ranges.map(|((owner, field), r)| format!("{owner}.{field}={}..{}", r.low, r.high));
        let values = self.values.iter();
        let values = values.map(|r| format!("{}..{}", r.low, r.high));
        types.chain(fields).chain(ranges).chain(values).collect()
    }

    /// Adds bounds as [`Bounds::texts`] gives them.
    ///
    /// # Errors
    ///
    /// When a text is no bound.
    pub fn add_texts<'a>(
        &mut self,
        texts: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), BoundError> {
        for text in texts {
            if !text.contains('=') {
                self.enumerate(text)?;
            } else if text.contains("..") {
                self.add_range(text)?;
            } else {
                self.add_max(text)?;
            }
        }
        Ok(())
    }
}
