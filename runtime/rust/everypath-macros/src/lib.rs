//! `#[everypath::test]`, `#[derive(Arbitrary)]` and Kani's attributes.
//!
//! They read just as much of an item as they need, so that a crate that uses them compiles
//! no parser of Rust.

extern crate proc_macro;

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// A function without parameters that Everypath explores. `cargo test` runs it on the
/// cases saved in `tests/everypath`.
#[proc_macro_attribute]
pub fn test(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry(item, "::everypath")
}

/// The same, under the name that Kani has for it.
#[proc_macro_attribute]
pub fn proof(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry(item, "::kani")
}

/// An attribute of Kani's that changes nothing here: paths are followed to their end.
#[proc_macro_attribute]
pub fn ignored(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// The function as it is, an entry for Everypath that calls it, and a test for cargo.
fn entry(item: TokenStream, own_crate: &str) -> TokenStream {
    let mut tokens = item.clone().into_iter();
    let name = loop {
        match tokens.next() {
            Some(TokenTree::Ident(word)) if word.to_string() == "fn" => break tokens.next(),
            Some(_) => {}
            None => break None,
        }
    };
    let Some(TokenTree::Ident(name)) = name else {
        return error("this attribute is for functions");
    };
    match tokens.next() {
        Some(TokenTree::Group(parameters)) if parameters.stream().is_empty() => {}
        _ => return error("a function that is explored takes no parameters: use `any()`"),
    }
    let line = name.span().start().line();
    let module = format!(
        "#[allow(non_snake_case, unexpected_cfgs)]
         mod __everypath_{name} {{
             #[cfg(everypath)]
             #[unsafe(export_name = \"everypath_test.{name}.{line}\")]
             pub extern \"C\" fn entry() {{
                 let _ = super::{name}();
             }}
             #[cfg(all(test, not(everypath)))]
             #[test]
             fn {name}() {{
                 {own_crate}::saved::replay(env!(\"CARGO_MANIFEST_DIR\"), \"{name}\", || {{
                     let _ = super::{name}();
                 }});
             }}
         }}"
    );
    let module: TokenStream = match module.parse() {
        Ok(module) => module,
        Err(_) => return error("this function cannot be an entry"),
    };
    // Outside Everypath and tests nothing calls it.
    let allow: TokenStream = "#[allow(dead_code)]".parse().unwrap_or_default();
    [allow, item, module].into_iter().collect()
}

/// Any value of a struct: any value of each field. Of an enum: any of its variants.
#[proc_macro_derive(Arbitrary)]
pub fn arbitrary(item: TokenStream) -> TokenStream {
    match Type::read(item) {
        Some(found) => found
            .implementation()
            .parse()
            .unwrap_or_else(|_| error("Arbitrary cannot be derived for this type")),
        None => error("Arbitrary is derived for structs and enums"),
    }
}

/// What a type is, as far as `Arbitrary` needs it.
struct Type {
    name: String,
    /// As declared, with bounds: `<'a, T: Clone>`.
    generics: Vec<TokenTree>,
    body: Body,
}

enum Body {
    Struct(Fields),
    Enum(Vec<(String, Fields)>),
}

enum Fields {
    None,
    Unnamed(usize),
    Named(Vec<String>),
}

impl Type {
    fn read(item: TokenStream) -> Option<Type> {
        let mut tokens = item.into_iter().peekable();
        let is_enum = loop {
            match tokens.next()? {
                TokenTree::Ident(word) if word.to_string() == "struct" => break false,
                TokenTree::Ident(word) if word.to_string() == "enum" => break true,
                _ => {}
            }
        };
        let TokenTree::Ident(name) = tokens.next()? else {
            return None;
        };
        let mut generics = Vec::new();
        if is_punctuation(tokens.peek(), '<') {
            tokens.next();
            let mut depth = 1;
            while depth > 0 {
                let token = tokens.next()?;
                match &token {
                    TokenTree::Punct(sign) if sign.as_char() == '<' => depth += 1,
                    TokenTree::Punct(sign) if sign.as_char() == '>' => depth -= 1,
                    _ => {}
                }
                if depth > 0 {
                    generics.push(token);
                }
            }
        }
        let body = tokens.find_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() != Delimiter::None => Some(group),
            _ => None,
        });
        let body = match (is_enum, body) {
            (true, body) => Body::Enum(variants(&body?)),
            (false, Some(body)) => Body::Struct(fields(&body)),
            (false, None) => Body::Struct(Fields::None),
        };
        Some(Type {
            name: name.to_string(),
            generics,
            body,
        })
    }

    fn implementation(&self) -> String {
        let Type { name, generics, .. } = self;
        let (mut declared, mut used) = (Vec::new(), Vec::new());
        for parameter in split(generics) {
            let text: TokenStream = parameter.iter().cloned().collect();
            let text = text.to_string();
            let before_default = text.split('=').next().unwrap_or_default().trim();
            let is_lifetime = before_default.starts_with('\'');
            let is_constant = before_default.starts_with("const ");
            let own = before_default.split(':').next().unwrap_or_default().trim();
            used.push(own.trim_start_matches("const ").to_owned());
            declared.push(match (is_lifetime || is_constant, before_default.contains(':')) {
                (true, _) => before_default.to_owned(),
                (false, true) => format!("{before_default} + ::everypath::Arbitrary"),
                (false, false) => format!("{before_default}: ::everypath::Arbitrary"),
            });
        }
        let value = match &self.body {
            Body::Struct(fields) => format!("Self {}", fields.values()),
            Body::Enum(variants) if variants.is_empty() => "::everypath::ignore()".to_owned(),
            Body::Enum(variants) => {
                let last = variants.len() - 1;
                let arms = variants.iter().enumerate().map(|(i, (variant, fields))| {
                    let pattern = if i == last { "_".to_owned() } else { i.to_string() };
                    format!("{pattern} => Self::{variant} {},", fields.values())
                });
                let arms: String = arms.collect();
                format!("match ::everypath::choose({}) {{ {arms} }}", variants.len())
            }
        };
        format!(
            "impl<{}> ::everypath::Arbitrary for {name}<{}> {{ fn any() -> Self {{ {value} }} }}",
            declared.join(", "),
            used.join(", ")
        )
    }
}

impl Fields {
    fn values(&self) -> String {
        const ANY: &str = "::everypath::any()";
        match self {
            Fields::None => String::new(),
            Fields::Unnamed(count) => format!("({})", vec![ANY; *count].join(", ")),
            Fields::Named(names) => {
                let fields: Vec<String> = names.iter().map(|it| format!("{it}: {ANY}")).collect();
                format!("{{ {} }}", fields.join(", "))
            }
        }
    }
}

fn variants(body: &Group) -> Vec<(String, Fields)> {
    let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
    let variants = split(&tokens).into_iter().filter_map(|variant| {
        let variant = without_attributes(variant);
        let TokenTree::Ident(name) = variant.first()? else {
            return None;
        };
        let fields = match variant.get(1) {
            Some(TokenTree::Group(group)) => fields(group),
            _ => Fields::None,
        };
        Some((name.to_string(), fields))
    });
    variants.collect()
}

fn fields(body: &Group) -> Fields {
    let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
    let all = split(&tokens);
    if body.delimiter() == Delimiter::Parenthesis {
        return Fields::Unnamed(all.len());
    }
    let name = |field: &[TokenTree]| {
        let colon = field.iter().position(|token| is_punctuation(Some(token), ':'))?;
        match field.get(colon.checked_sub(1)?)? {
            TokenTree::Ident(name) => Some(name.to_string()),
            _ => None,
        }
    };
    let names = all.into_iter().filter_map(|field| name(without_attributes(field)));
    Fields::Named(names.collect())
}

/// The parts between commas that are in no brackets.
fn split(tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    let mut depth = 0i32;
    let mut parts = Vec::new();
    let mut start = 0;
    for (i, token) in tokens.iter().enumerate() {
        if let TokenTree::Punct(sign) = token {
            match sign.as_char() {
                '<' => depth += 1,
                '>' => depth -= 1,
                ',' if depth == 0 => {
                    parts.push(&tokens[start..i]);
                    start = i + 1;
                }
                _ => {}
            }
        }
    }
    parts.push(&tokens[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}

fn without_attributes(mut tokens: &[TokenTree]) -> &[TokenTree] {
    while is_punctuation(tokens.first(), '#') {
        tokens = &tokens[2..];
    }
    tokens
}

fn is_punctuation(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == sign)
}

fn error(message: &str) -> TokenStream {
    let name = Ident::new("compile_error", Span::call_site());
    format!("{name}!({message:?});").parse().unwrap_or_default()
}
