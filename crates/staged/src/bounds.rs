//! How many objects there may be, how long arrays are, and which values numbers may
//! have. What is not bounded is free, and a pointer without a length leads to one object.

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
    /// The most elements of arrays, by what they hold.
    arrays: BTreeMap<String, usize>,
    /// The most elements of the arrays that a field leads to.
    field_arrays: BTreeMap<(String, String), usize>,
    /// The fields that tell how many elements another leads to.
    lengths: BTreeMap<(String, String), Length>,
    /// What fields lead to whose type does not tell.
    pointees: BTreeMap<(String, String), String>,
    /// What lies behind the objects of a type, in the memory that was allocated for them.
    behind: BTreeMap<String, Behind>,
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

/// How many elements an array has: what a field beside the pointer says, and some more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Length {
    /// The field.
    pub field: String,
    /// How many more there are, as in `mask+1`.
    pub more: u64,
}

/// What lies behind an object: so many elements of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Behind {
    /// What they are.
    pub element: String,
    /// How many.
    pub count: u64,
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
    /// Adds a bound for a type, `Node=4`, for a field, `Node.left=2`, or for the
    /// elements of arrays, `Slot[]=4` and `Table.slots[]=4`.
    ///
    /// # Errors
    ///
    /// When the text is none of these.
    pub fn add_max(&mut self, text: &str) -> Result<(), BoundError> {
        let error = || BoundError {
            text: text.to_owned(),
            wanted: "Type=4, Type.field=2, 'Type[]=4' or 'Type.field[]=4'",
        };
        let (name, count) = text.split_once('=').ok_or_else(error)?;
        let count = count.trim().parse().map_err(|_| error())?;
        let name = name.trim();
        let (types, fields, name) = match name.strip_suffix("[]") {
            Some(name) => (&mut self.arrays, &mut self.field_arrays, name),
            None => (&mut self.types, &mut self.fields, name),
        };
        match name.split_once('.') {
            _ if name.is_empty() => return Err(error()),
            None => types.insert(type_name(name), count),
            Some(("", _) | (_, "")) => return Err(error()),
            Some((owner, field)) => fields.insert((owner.to_owned(), field.to_owned()), count),
        };
        Ok(())
    }

    /// Ties the length of an array to a field beside the pointer, `Table.slots=cap` or
    /// `Table.slots=mask+1`.
    ///
    /// # Errors
    ///
    /// When the text is neither.
    pub fn add_length(&mut self, text: &str) -> Result<(), BoundError> {
        let error = || BoundError {
            text: text.to_owned(),
            wanted: "Type.pointer=field or Type.pointer=field+1",
        };
        let (key, length) = field_and_value(text).ok_or_else(error)?;
        let (field, more) = match length.split_once('+') {
            Some((field, more)) => (field.trim(), more.trim().parse().map_err(|_| error())?),
            None => (length, 0),
        };
        if field.is_empty() || field.starts_with(|first: char| first.is_ascii_digit()) {
            return Err(error());
        }
        let field = field.to_owned();
        self.lengths.insert(key, Length { field, more });
        Ok(())
    }

    /// Names what a `void *` leads to, `Node.value=int*`.
    ///
    /// # Errors
    ///
    /// When the text names no pointer.
    pub fn add_type(&mut self, text: &str) -> Result<(), BoundError> {
        let error = || BoundError {
            text: text.to_owned(),
            wanted: "'Type.pointer=int*'",
        };
        let (key, pointer) = field_and_value(text).ok_or_else(error)?;
        let pointee = type_name(pointer);
        let pointee = pointee.strip_suffix('*').filter(|it| !it.is_empty());
        let pointee = pointee.ok_or_else(error)?;
        self.pointees.insert(key, pointee.to_owned());
        Ok(())
    }

    /// Says what lies behind the objects of a type that does not tell, `Node=char[8]`.
    ///
    /// # Errors
    ///
    /// When the text names no array.
    pub fn add_behind(&mut self, text: &str) -> Result<(), BoundError> {
        let error = || BoundError {
            text: text.to_owned(),
            wanted: "'Type=char[8]'",
        };
        let (owner, array) = text.split_once('=').ok_or_else(error)?;
        let array = array.trim().strip_suffix(']').ok_or_else(error)?;
        let (element, count) = array.split_once('[').ok_or_else(error)?;
        let count = count.trim().parse().map_err(|_| error())?;
        let (owner, element) = (type_name(owner), type_name(element));
        if owner.is_empty() || element.is_empty() || count == 0 {
            return Err(error());
        }
        self.behind.insert(owner, Behind { element, count });
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

    /// The most elements of an array that a field leads to, if arrays are made.
    pub fn most_elements(&self, owner: &str, field: &str, element: &str) -> Option<usize> {
        let key = (owner.to_owned(), field.to_owned());
        let own = self.field_arrays.get(&key);
        own.or_else(|| self.arrays.get(element)).copied()
    }

    /// How many elements a field leads to, if another field tells.
    pub fn length(&self, owner: &str, field: &str) -> Option<&Length> {
        self.lengths.get(&(owner.to_owned(), field.to_owned()))
    }

    /// What a field leads to, if it was named.
    pub fn pointee(&self, owner: &str, field: &str) -> Option<&str> {
        let key = (owner.to_owned(), field.to_owned());
        self.pointees.get(&key).map(String::as_str)
    }

    /// What lies behind the objects of a type, if it was said.
    pub fn behind(&self, type_name: &str) -> Option<&Behind> {
        self.behind.get(type_name)
    }

    /// The types behind whose objects something lies.
    pub fn followed_types(&self) -> impl Iterator<Item = &str> {
        self.behind.keys().map(String::as_str)
    }

    /// The values of a number, if they are bounded.
    pub fn range(&self, type_name: &str, field: &str) -> Option<Range> {
        let key = (type_name.to_owned(), field.to_owned());
        self.ranges.get(&key).copied()
    }

    /// Has what is bounded of a structure be bounded where it is a member of another, too, unless
    /// something is said of that. Tells whether anything was added.
    pub fn extend_to_member(&mut self, owner: &str, member: &str, structure: &str) -> bool {
        let own = (owner, member, structure);
        let added = [
            spread(&mut self.fields, own, |_, known| *known),
            spread(&mut self.ranges, own, |_, known| *known),
            spread(&mut self.field_arrays, own, |_, known| *known),
            spread(&mut self.lengths, own, |member, known| Length {
                field: format!("{member}.{}", known.field),
                more: known.more,
            }),
            spread(&mut self.pointees, own, |_, known| known.clone()),
        ];
        added.contains(&true)
    }

    /// The types that are bounded.
    pub fn types(&self) -> impl Iterator<Item = &str> {
        self.types.keys().map(String::as_str)
    }

    /// The types and paths of pointers that are bounded.
    pub fn pointers(&self) -> impl Iterator<Item = (&str, &str)> {
        let names = self.fields.keys().chain(self.field_arrays.keys());
        let names = names.chain(self.lengths.keys()).chain(self.pointees.keys());
        names.map(|(owner, field)| (&**owner, &**field))
    }

    /// The types of whose arrays the elements are bounded.
    pub fn arrays(&self) -> impl Iterator<Item = &str> {
        self.arrays.keys().map(String::as_str)
    }

    /// The types and paths of pointers whose length is tied to a field, and the field.
    pub fn lengths(&self) -> impl Iterator<Item = (&str, &str, &Length)> {
        let lengths = self.lengths.iter();
        lengths.map(|((owner, field), length)| (&**owner, &**field, length))
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
        let arrays = self.arrays.iter().map(|(name, n)| format!("{name}[]={n}"));
        let field_arrays = self.field_arrays.iter();
        let field_arrays = field_arrays.map(|((owner, field), n)| format!("{owner}.{field}[]={n}"));
        let lengths = self.lengths.iter();
        let lengths = lengths.map(|((owner, field), length)| {
            let more = match length.more {
                0 => String::new(),
                more => format!("+{more}"),
            };
            format!("{LENGTH}{owner}.{field}={}{more}", length.field)
        });
        let pointees = self.pointees.iter();
        let pointees = pointees.map(|((owner, field), to)| format!("{TYPE}{owner}.{field}={to}*"));
        let behind = self.behind.iter();
        let behind =
            behind.map(|(owner, it)| format!("{BEHIND}{owner}={}[{}]", it.element, it.count));
        let values = self.values.iter();
        let values = values.map(|r| format!("{}..{}", r.low, r.high));
        let of_objects = types.chain(fields).chain(arrays).chain(field_arrays);
        let of_fields = ranges.chain(lengths).chain(pointees).chain(behind);
        of_objects.chain(of_fields).chain(values).collect()
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
            if let Some(length) = text.strip_prefix(LENGTH) {
                self.add_length(length)?;
            } else if let Some(pointee) = text.strip_prefix(TYPE) {
                self.add_type(pointee)?;
            } else if let Some(behind) = text.strip_prefix(BEHIND) {
                self.add_behind(behind)?;
            } else if !text.contains('=') {
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

/// Repeats what is known of the fields of a structure for those of a member that is one.
fn spread<T>(
    known: &mut BTreeMap<(String, String), T>,
    (owner, member, structure): (&str, &str, &str),
    within: impl Fn(&str, &T) -> T,
) -> bool {
    let own = known.iter().filter(|((of, _), _)| of == structure);
    let own = own.map(|((_, field), it)| {
        let key = (owner.to_owned(), format!("{member}.{field}"));
        (key, within(member, it))
    });
    let mut found: Vec<((String, String), T)> = own.collect();
    found.retain(|(key, _)| !known.contains_key(key));
    let is_more = !found.is_empty();
    known.extend(found);
    is_more
}

/// What lengths, types and what lies behind objects begin with among other bounds.
const BEHIND: &str = "behind ";
const LENGTH: &str = "length ";
const TYPE: &str = "type ";

/// A type's name as layouts have it: no `struct`, no space before a star.
fn type_name(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_prefix("struct ").unwrap_or(text);
    text.replace(" *", "*").trim().to_owned()
}

/// `Type.field=value` in its parts.
fn field_and_value(text: &str) -> Option<((String, String), &str)> {
    let (name, value) = text.split_once('=')?;
    let (owner, field) = name.trim().split_once('.')?;
    let known = !owner.is_empty() && !field.is_empty() && !value.trim().is_empty();
    known.then(|| ((owner.to_owned(), field.to_owned()), value.trim()))
}
