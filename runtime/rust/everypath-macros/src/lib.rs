//! `#[everypath::test]`, `#[derive(Arbitrary)]` and Kani's attributes.
//!
//! They read just as much of an item as they need, so that a crate that uses them compiles
//! no parser of Rust.

extern crate proc_macro;

use proc_macro::{Delimiter, Group, Ident, Literal, Span, TokenStream, TokenTree};

/// A function without parameters that Everypath explores. `cargo test` runs it on the
/// cases saved in `tests/everypath`.
#[proc_macro_attribute]
pub fn test(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry(item, &Own::Everypath, Vec::new())
}

/// The same, under the name that Kani has for it.
#[proc_macro_attribute]
pub fn proof(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry(item, &Own::Kani, Vec::new())
}

/// A harness that checks the contract of a function.
#[proc_macro_attribute]
pub fn proof_for_contract(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    entry(item, &Own::Kani, vec!["unsupported=contracts".to_owned()])
}

/// A function of `proptest!`, which is a test if it has that attribute. The argument is the
/// path of the crate.
#[proc_macro_attribute]
pub fn case(own_crate: TokenStream, item: TokenStream) -> TokenStream {
    let function = Function::read(item.clone());
    match function.attributes.iter().any(|it| it.name == "test") {
        true => entry(item, &Own::Proptest(own_crate), vec!["proptest".to_owned()]),
        false => item,
    }
}

/// The crate that a project has a test from.
enum Own {
    Everypath,
    Kani,
    /// By the path that leads to it.
    Proptest(TokenStream),
}

impl Own {
    fn path(&self) -> TokenStream {
        match self {
            Own::Everypath => parsed("::everypath"),
            Own::Kani => parsed("::kani"),
            Own::Proptest(path) => path.clone(),
        }
    }
}

fn parsed(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

/// An attribute of Kani's that changes nothing here.
#[proc_macro_attribute]
pub fn ignored(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    item
}

/// A bound of loops.
#[proc_macro_attribute]
pub fn unwind(arguments: TokenStream, item: TokenStream) -> TokenStream {
    after_proof("unwind", arguments, item)
}

/// The harness fails on some input.
#[proc_macro_attribute]
pub fn should_panic(arguments: TokenStream, item: TokenStream) -> TokenStream {
    after_proof("should_panic", arguments, item)
}

/// A function that another one stands for.
#[proc_macro_attribute]
pub fn stub(arguments: TokenStream, item: TokenStream) -> TokenStream {
    after_proof("stub", arguments, item)
}

/// Attributes are expanded in the order they are written, and only `proof` makes an entry:
/// one that comes before it is put behind it, where `proof` reads it.
fn after_proof(name: &str, arguments: TokenStream, item: TokenStream) -> TokenStream {
    let function = Function::read(item.clone());
    let is_proof = |it: &Attribute| matches!(it.name.as_str(), "proof" | "proof_for_contract");
    if !function.attributes.iter().any(is_proof) {
        return item;
    }
    let attribute: TokenStream = format!("#[::kani::{name}({arguments})]")
        .parse()
        .unwrap_or_default();
    let attributes = function.attributes.into_iter().map(|it| it.tokens);
    attributes.chain([attribute, function.rest]).collect()
}

/// A function, and the attributes before it.
struct Function {
    attributes: Vec<Attribute>,
    rest: TokenStream,
}

struct Attribute {
    /// The last word of its path.
    name: String,
    /// What comes after the path.
    arguments: Vec<TokenTree>,
    tokens: TokenStream,
}

impl Function {
    fn read(item: TokenStream) -> Function {
        let mut tokens = item.into_iter().peekable();
        let mut attributes = Vec::new();
        while is_punctuation(tokens.peek(), '#') {
            let sign = tokens.next();
            let Some(TokenTree::Group(group)) = tokens.next() else {
                break;
            };
            attributes.push(Attribute::read(sign, group));
        }
        Function {
            attributes,
            rest: tokens.collect(),
        }
    }
}

impl Attribute {
    fn read(sign: Option<TokenTree>, group: Group) -> Attribute {
        let mut name = String::new();
        let mut words = group.stream().into_iter().peekable();
        // What came by way of another macro is in a group without signs.
        if let Some(TokenTree::Group(inner)) = words.peek()
            && inner.delimiter() == Delimiter::None
        {
            words = inner.stream().into_iter().peekable();
        }
        while let Some(word) =
            words.next_if(|it| matches!(it, TokenTree::Ident(_)) || is_punctuation(Some(it), ':'))
        {
            if let TokenTree::Ident(word) = word {
                name = word.to_string();
            }
        }
        Attribute {
            name,
            arguments: words.collect(),
            tokens: sign.into_iter().chain([TokenTree::Group(group)]).collect(),
        }
    }

    /// The text in `(expected = "text")`, `= "text"` or `("text")`.
    fn text(&self) -> String {
        let last = match self.arguments.last() {
            Some(TokenTree::Group(group)) => group.stream().into_iter().last(),
            other => other.cloned(),
        };
        match last {
            Some(TokenTree::Literal(text)) => unquoted(&text),
            _ => String::new(),
        }
    }
}

/// The text of a literal; what is escaped in it stays so.
fn unquoted(literal: &Literal) -> String {
    let text = literal.to_string();
    let text = text.trim_start_matches('r').trim_matches('#');
    text.trim_matches('"').to_owned()
}

/// The function as it is, and what makes it an entry for Everypath or a test for cargo.
/// What its attributes say is in the name of the entry.
fn entry(item: TokenStream, own: &Own, mut says: Vec<String>) -> TokenStream {
    let function = Function::read(item);
    let (mut conditions, mut kept) = (TokenStream::new(), TokenStream::new());
    for attribute in function.attributes {
        match attribute.name.as_str() {
            "should_panic" => says.push(format!("should_panic={}", attribute.text())),
            "ignore" => says.push("ignored".to_owned()),
            "unwind" => says.push("unwind".to_owned()),
            "stub" | "stub_verified" => says.push("unsupported=stubs".to_owned()),
            "solver" | "proof" | "test" => {}
            // What is not compiled is no entry either.
            "cfg" => conditions.extend(attribute.tokens),
            _ => kept.extend(attribute.tokens),
        }
    }
    let mut is_async = false;
    let mut tokens = function.rest.clone().into_iter();
    let name = loop {
        match tokens.next() {
            Some(TokenTree::Ident(word)) if word.to_string() == "fn" => break tokens.next(),
            Some(TokenTree::Ident(word)) => is_async |= word.to_string() == "async",
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
    // The text that is expected comes last, for it may have any sign in it.
    says.sort_by_key(|word| word.starts_with("should_panic"));
    let says: String = says.iter().map(|word| format!(";{word}")).collect();
    let call = match (is_async, own) {
        // Whatever a harness gives, Kani does not look at it.
        (true, Own::Kani) => format!("{{ let _ = ::kani::block_on({name}()); }}"),
        (false, Own::Kani) => format!("{{ let _ = {name}(); }}"),
        // Said here, a failure is at the function's place, and not at that of a macro of ours.
        (true, Own::Everypath) => concluded(&format!("::everypath::block_on({name}())")),
        (false, Own::Everypath) => concluded(&format!("{name}()")),
        (true, Own::Proptest(_)) => format!("::everypath::block_on({name}())"),
        (false, Own::Proptest(_)) => format!("{name}()"),
    };
    let call = parsed(&call);
    let comma = || -> TokenStream { ",".parse().unwrap_or_default() };
    let mut arguments = TokenStream::from(TokenTree::Literal(Literal::string(&says)));
    arguments.extend([
        comma(),
        TokenTree::Ident(name).into(),
        comma(),
        call,
        comma(),
    ]);
    arguments.extend([kept, function.rest]);
    let arguments = Group::new(Delimiter::Brace, arguments);
    let parts = [conditions, own.path(), parsed("::__explored!")];
    let macro_call = parts.into_iter().flatten();
    macro_call.chain([TokenTree::Group(arguments)]).collect()
}

fn concluded(call: &str) -> String {
    format!("::everypath::Conclusion::conclude({call})")
}

/// Any value of a struct: any value of each field. Of an enum: any of its variants.
#[proc_macro_derive(Arbitrary)]
pub fn arbitrary(item: TokenStream) -> TokenStream {
    derived(item, "::everypath")
}

/// The same for crates that know Kani's names alone.
#[proc_macro_derive(KaniArbitrary)]
pub fn kani_arbitrary(item: TokenStream) -> TokenStream {
    derived(item, "::kani")
}

fn derived(item: TokenStream, own_crate: &str) -> TokenStream {
    match Type::read(item) {
        Some(found) => found
            .implementation(own_crate)
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
    /// The `where` clause, if there is one.
    bounds: Vec<TokenTree>,
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
            let mut is_arrow = false;
            while depth > 0 {
                let token = tokens.next()?;
                match &token {
                    TokenTree::Punct(sign) if sign.as_char() == '<' => depth += 1,
                    TokenTree::Punct(sign) if sign.as_char() == '>' && !is_arrow => depth -= 1,
                    _ => {}
                }
                is_arrow = is_punctuation(Some(&token), '-');
                if depth > 0 {
                    generics.push(token);
                }
            }
        }
        let mut body = None;
        let mut bounds = Vec::new();
        // A tuple struct has its `where` after the fields, everything else before them.
        for token in tokens {
            match token {
                TokenTree::Group(group) if body.is_none() && is_body(&group, &bounds) => {
                    body = Some(group);
                }
                TokenTree::Punct(sign) if sign.as_char() == ';' => break,
                token => bounds.push(token),
            }
        }
        let body = match (is_enum, body) {
            (true, body) => Body::Enum(variants(&body?)),
            (false, Some(body)) => Body::Struct(fields(&body)),
            (false, None) => Body::Struct(Fields::None),
        };
        Some(Type {
            name: name.to_string(),
            generics,
            bounds,
            body,
        })
    }

    fn implementation(&self, own_crate: &str) -> String {
        let Type { name, generics, .. } = self;
        let (mut declared, mut used) = (Vec::new(), Vec::new());
        for parameter in split(generics) {
            let before_default: TokenStream = without_default(parameter).iter().cloned().collect();
            let before_default = before_default.to_string();
            let is_lifetime = before_default.starts_with('\'');
            let is_constant = before_default.starts_with("const ");
            let own = before_default.split(':').next().unwrap_or_default().trim();
            used.push(own.trim_start_matches("const ").to_owned());
            declared.push(
                match (is_lifetime || is_constant, before_default.contains(':')) {
                    (true, _) => before_default.to_owned(),
                    (false, true) => format!("{before_default} + {own_crate}::Arbitrary"),
                    (false, false) => format!("{before_default}: {own_crate}::Arbitrary"),
                },
            );
        }
        let value = match &self.body {
            Body::Struct(fields) => format!("Self {}", fields.values(own_crate)),
            Body::Enum(variants) if variants.is_empty() => format!("{own_crate}::ignore()"),
            Body::Enum(variants) => {
                let last = variants.len() - 1;
                let arms = variants.iter().enumerate().map(|(i, (variant, fields))| {
                    let pattern = if i == last {
                        "_".to_owned()
                    } else {
                        i.to_string()
                    };
                    format!("{pattern} => Self::{variant} {},", fields.values(own_crate))
                });
                let arms: String = arms.collect();
                format!("match {own_crate}::choose({}) {{ {arms} }}", variants.len())
            }
        };
        let bounds: TokenStream = self.bounds.iter().cloned().collect();
        let (declared, used) = (declared.join(", "), used.join(", "));
        format!(
            "impl<{declared}> {own_crate}::Arbitrary for {name}<{used}> {bounds} {{
                 fn any() -> Self {{ {value} }}
             }}"
        )
    }
}

/// Whether a group is what is between the braces or parentheses of a type, and no part of
/// the bounds before it.
fn is_body(group: &Group, bounds: &[TokenTree]) -> bool {
    match group.delimiter() {
        Delimiter::Brace => true,
        Delimiter::Parenthesis => bounds.is_empty(),
        Delimiter::Bracket | Delimiter::None => false,
    }
}

impl Fields {
    fn values(&self, own_crate: &str) -> String {
        let any = format!("{own_crate}::any()");
        match self {
            Fields::None => String::new(),
            Fields::Unnamed(count) => format!("({})", vec![any; *count].join(", ")),
            Fields::Named(names) => {
                let fields: Vec<String> = names.iter().map(|it| format!("{it}: {any}")).collect();
                format!("{{ {} }}", fields.join(", "))
            }
        }
    }
}

fn variants(body: &Group) -> Vec<(String, Fields)> {
    let tokens: Vec<TokenTree> = body.stream().into_iter().collect();
    // A discriminant may be `1 << 3`: signs that are brackets of types elsewhere are none here.
    let variants = tokens.split(|it| is_punctuation(Some(it), ','));
    let variants = variants.filter_map(|variant| {
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
        let colon = field
            .iter()
            .position(|token| is_punctuation(Some(token), ':'))?;
        match field.get(colon.checked_sub(1)?)? {
            TokenTree::Ident(name) => Some(name.to_string()),
            _ => None,
        }
    };
    let names = all
        .into_iter()
        .filter_map(|field| name(without_attributes(field)));
    Fields::Named(names.collect())
}

/// The parts between commas that are in no brackets.
fn split(tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    let mut parts = Vec::new();
    let mut rest = tokens;
    while let Some(comma) = outside_brackets(rest, ',') {
        parts.push(&rest[..comma]);
        rest = &rest[comma + 1..];
    }
    parts.push(rest);
    parts.retain(|part| !part.is_empty());
    parts
}

/// A parameter without what it is where nobody says: `T = u8` is `T`.
fn without_default(parameter: &[TokenTree]) -> &[TokenTree] {
    let end = outside_brackets(parameter, '=').unwrap_or(parameter.len());
    &parameter[..end]
}

/// Where a sign first is in no angle brackets. An arrow closes none.
fn outside_brackets(tokens: &[TokenTree], sign: char) -> Option<usize> {
    let mut depth = 0i32;
    let mut is_arrow = false;
    tokens.iter().position(|token| {
        let found = match token {
            TokenTree::Punct(found) => found.as_char(),
            _ => ' ',
        };
        match found {
            '<' => depth += 1,
            '>' if !is_arrow => depth -= 1,
            _ => {}
        }
        is_arrow = found == '-';
        depth == 0 && found == sign
    })
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
