//! Structures, with functions that make, change and hash them by value.

use super::generator::{Generator, Place};
use super::scalar::Scalar;

/// A structure, `struct S0` being the first.
pub struct Record {
    fields: Vec<Field>,
}

struct Field {
    name: String,
    kind: Kind,
}

enum Kind {
    Scalar(Scalar),
    Array(Scalar, Vec<usize>),
    /// So many bits of the type.
    Bits(Scalar, usize),
    /// The structure of this number.
    Record(usize),
    /// A number that is also its bytes and halves.
    Union,
}

impl Record {
    /// Everything that can be read and written in the structure of this name.
    pub fn places(&self, name: &str, all: &[Record]) -> Vec<Place> {
        let mut places = Vec::new();
        for field in &self.fields {
            let text = format!("{name}.{}", field.name);
            match &field.kind {
                Kind::Scalar(scalar) => places.push(Place::new(text, *scalar)),
                Kind::Array(scalar, sizes) => {
                    places.push(Place::array(text, *scalar, sizes.clone()));
                }
                Kind::Bits(scalar, _) => places.push(Place {
                    is_bit_field: true,
                    ..Place::new(text, *scalar)
                }),
                Kind::Record(number) => places.extend(all[*number].places(&text, all)),
                Kind::Union => {
                    let part = |part: &str, scalar, size| {
                        Place::array(format!("{text}.{part}"), scalar, vec![size])
                    };
                    places.push(Place::new(format!("{text}.whole"), Scalar::U64));
                    places.push(part("bytes", Scalar::U8, 8));
                    places.push(part("halves", Scalar::I32, 2));
                }
            }
        }
        places
    }
}

impl Generator {
    /// A structure and its functions.
    pub fn record(&mut self) {
        let number = self.records.len();
        let fields = (0..self.random.between(1, 6))
            .map(|_| Field {
                name: self.fresh("m"),
                kind: self.kind(number),
            })
            .collect();
        let record = Record { fields };
        self.definition(number, &record);
        let places = record.places("s", &self.records);
        self.records.push(record);
        self.make(number, &places);
        self.tweak(number, &places);
        self.hash(number, &places);
    }

    fn kind(&mut self, number: usize) -> Kind {
        match self.random.below(10) {
            0..=3 => Kind::Scalar(self.scalar()),
            4 => {
                let sizes = self.random.pick(&[&[2][..], &[4], &[8], &[2, 2]]);
                Kind::Array(self.scalar(), sizes.to_vec())
            }
            5..=7 => {
                let scalar = self.random.pick(&[
                    Scalar::U32,
                    Scalar::I32,
                    Scalar::U64,
                    Scalar::U8,
                    Scalar::I16,
                    Scalar::Bool,
                ]);
                Kind::Bits(scalar, self.random.between(1, scalar.bits()))
            }
            8 if number > 0 => Kind::Record(self.random.below(number)),
            _ => Kind::Union,
        }
    }

    fn definition(&mut self, number: usize, record: &Record) {
        let packed = match self.random.percent(10) {
            true => " __attribute__((packed))",
            false => "",
        };
        self.open(&format!("struct{packed} S{number}"));
        for Field { name, kind } in &record.fields {
            self.line(&match kind {
                Kind::Scalar(scalar) => format!("{} {name};", scalar.name()),
                Kind::Array(scalar, sizes) => {
                    let sizes: String = sizes.iter().map(|size| format!("[{size}]")).collect();
                    format!("{} {name}{sizes};", scalar.name())
                }
                Kind::Bits(scalar, width) => format!("{} {name} : {width};", scalar.name()),
                Kind::Record(number) => format!("struct S{number} {name};"),
                Kind::Union => format!(
                    "union {{ uint64_t whole; uint8_t bytes[8]; int32_t halves[2]; }} {name};"
                ),
            });
        }
        self.close_with(";");
    }

    /// `makeN(seed)`: every field set from the seed.
    fn make(&mut self, number: usize, places: &[Place]) {
        let storage = self
            .random
            .pick(&["static ", "", "__attribute__((noinline)) "]);
        self.open(&format!(
            "{storage}struct S{number} make{number}(uint64_t seed)"
        ));
        self.line(&format!("struct S{number} s;"));
        for place in places {
            self.each_element(place, |generator, element| {
                generator.line("seed = seed * 6364136223846793005u + 1442695040888963407u;");
                let value = match place.scalar.is_float() {
                    true => "(double)(seed >> 40) / 128.0",
                    false => "seed >> 17",
                };
                generator.line(&format!("{element} = ({})({value});", place.scalar.name()));
            });
        }
        self.line("return s;");
        self.close();
    }

    /// `tweakN(extra, s)`: a copy with some fields changed.
    fn tweak(&mut self, number: usize, places: &[Place]) {
        let storage = self
            .random
            .pick(&["static ", "", "__attribute__((noinline)) "]);
        self.open(&format!(
            "{storage}struct S{number} tweak{number}(int32_t extra, struct S{number} s)"
        ));
        self.locals = places.to_vec();
        self.locals.push(Place::new("extra", Scalar::I32));
        for place in places {
            if self.random.percent(50) {
                let (target, value) = (self.element(place), self.expression(place.scalar, 2));
                self.line(&format!("{target} = {value};"));
            }
        }
        self.locals.clear();
        self.line("return s;");
        self.close();
    }

    /// `hashN(s)`: every field into the checksum; what is between them is not.
    fn hash(&mut self, number: usize, places: &[Place]) {
        self.open(&format!("static void hash{number}(struct S{number} s)"));
        for place in places {
            self.each_element(place, |generator, element| {
                generator.mix(place.scalar, element);
            });
        }
        self.close();
    }

    fn each_element(&mut self, place: &Place, mut act: impl FnMut(&mut Generator, &str)) {
        let mut elements = vec![place.text.clone()];
        for &size in &place.sizes {
            let next = elements
                .iter()
                .flat_map(|text| (0..size).map(move |index| format!("{text}[{index}]")));
            elements = next.collect();
        }
        for element in elements {
            act(self, &element);
        }
    }
}
