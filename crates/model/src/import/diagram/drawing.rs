//! The lines of a state diagram: nodes, the regions they stand in, and labelled arrows.

/// A drawing; the first region is the whole.
pub(super) struct Drawing {
    pub nodes: Vec<Node>,
    pub regions: Vec<Region>,
    pub arrows: Vec<Arrow>,
    pub notes: Vec<String>,
    pub refused: Vec<String>,
}

#[derive(Default)]
pub(super) struct Node {
    pub id: String,
    /// The region that it stands in.
    pub region: usize,
    /// The regions within it.
    pub regions: Vec<usize>,
    /// Whether it is a history, and whether a deep one.
    pub history: Option<bool>,
    /// Whether it is passed at once, by the arrow whose guard holds.
    is_choice: bool,
    /// Whether it is where several states begin or end at once.
    pub bar: Option<Bar>,
    pub on_entry: Vec<String>,
    pub on_exit: Vec<String>,
    /// Transitions within it, which do not leave it.
    pub within: Vec<Label>,
}

/// A bar where arrows part or meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bar {
    Fork,
    Join,
}

#[derive(Default)]
pub(super) struct Region {
    /// The node around it.
    pub around: Option<usize>,
    /// The node where it begins, and the label on the way there.
    pub initial: Option<(usize, Label)>,
    /// Whether an arrow leads to its end.
    pub has_end: bool,
}

pub(super) struct Arrow {
    pub line: usize,
    pub from: usize,
    pub to: End,
    pub label: Label,
}

/// Where an arrow leads.
#[derive(Clone, Copy)]
pub(super) enum End {
    Node(usize),
    /// The end of a region.
    Region(usize),
}

/// `event [guard] / action; action`.
#[derive(Default, Debug)]
pub(super) struct Label {
    pub event: Option<String>,
    pub guard: Option<String>,
    pub actions: Vec<String>,
}

/// Reads line by line.
struct Reader {
    drawing: Drawing,
    /// The regions that are open, the innermost last.
    open: Vec<usize>,
    /// The words that end a note of several lines, while one goes on.
    in_note: Option<&'static [&'static str]>,
    /// Whether nodes are declared only: a declaration counts before any mention.
    declares: bool,
}

impl Drawing {
    /// The drawing of a text whose first line has this number.
    pub fn read(text: &str, first: usize, comment: &str) -> Drawing {
        let mut drawing = Drawing {
            nodes: Vec::new(),
            regions: vec![Region::default()],
            arrows: Vec::new(),
            notes: Vec::new(),
            refused: Vec::new(),
        };
        for declares in [true, false] {
            let mut reader = Reader {
                drawing,
                open: vec![0],
                in_note: None,
                declares,
            };
            for (number, line) in text.lines().enumerate() {
                let line = line.trim().trim_end_matches(';').trim();
                if !line.is_empty() && !line.starts_with(comment) {
                    reader.line(first + number, &without_classes(line));
                }
            }
            drawing = reader.drawing;
        }
        drawing
    }
}

/// The node where the whole begins if an event makes it begin; no other has this name.
const START: &str = "[*]";

/// How deep states may nest.
const DEPTH: usize = 100;

/// Words that begin a line about the picture alone.
const ABOUT_THE_PICTURE: [&str; 18] = [
    "title",
    "caption",
    "skinparam",
    "skin",
    "scale",
    "hide",
    "show",
    "direction",
    "left",
    "top",
    "classDef",
    "class",
    "style",
    "footer",
    "header",
    "!theme",
    "accTitle:",
    "accDescr:",
];

impl Reader {
    fn line(&mut self, number: usize, line: &str) {
        let word = line.split_whitespace().next().unwrap_or_default();
        if let Some(ends) = self.in_note {
            self.in_note = (!ends.contains(&word)).then_some(ends);
        } else if let Some((from, rest)) = arrow(line) {
            if !self.declares {
                self.arrow(number, &from, &rest);
            }
        } else if word == "state" {
            self.declare(number, line);
        } else if matches!(line, "--" | "||") {
            self.next_region(number);
        } else if line == "}" {
            if self.open.len() > 1 {
                self.open.pop();
            } else {
                self.refuse(number, line);
            }
        } else if matches!(word, "note" | "legend") {
            let ends = &["end", "endnote", "endlegend"][..];
            self.in_note = (!line.contains(':')).then_some(ends);
        } else if word == "accDescr" && line.ends_with('{') {
            self.in_note = Some(&["}"]);
        } else if !self.declares && !ABOUT_THE_PICTURE.contains(&word) {
            self.description(number, line);
        }
    }

    /// `state A`, `state "text" as A`, `state A : text`, `state A {`, `state A <<choice>>`.
    fn declare(&mut self, number: usize, line: &str) {
        let rest = line.trim_start_matches("state").trim();
        let (rest, opens) = match rest.strip_suffix('{') {
            Some(rest) => (rest.trim(), true),
            None => (rest, false),
        };
        let marked = rest.split_once("<<").or_else(|| rest.split_once("[["));
        let (rest, stereotype) = match marked {
            Some((rest, stereotype)) => (rest.trim(), stereotype.trim_end_matches(['>', ']'])),
            None => (rest, ""),
        };
        // A colour may follow.
        let rest = rest.split(" #").next().unwrap_or_default().trim();
        let named = match rest.split_once(" as ") {
            Some((text, id)) if text.starts_with('"') => id,
            Some((id, _)) => id,
            None => rest,
        };
        let (named, description) = match named.split_once(':') {
            Some((named, description)) => (named.trim(), Some(description)),
            None => (named.trim(), None),
        };
        let is_too_deep = opens && self.open.len() > DEPTH;
        let is_choice = stereotype.trim() == "choice";
        let bar = match stereotype.trim() {
            "fork" => Some(Bar::Fork),
            "join" => Some(Bar::Join),
            _ => None,
        };
        let is_known = is_choice || bar.is_some() && !opens || stereotype.is_empty();
        if !is_word(named) || !is_known || is_too_deep {
            if opens {
                // What stands inside is read, too, so that the brackets fit.
                self.open.push(0);
            }
            return self.refuse(number, line);
        }
        let node = self.node(named);
        self.drawing.nodes[node].is_choice |= is_choice;
        if self.declares {
            self.drawing.nodes[node].bar = bar;
        }
        if let Some(description) = description.filter(|_| !self.declares) {
            self.describe(number, node, description.trim());
        }
        if opens {
            self.open_region(node);
        }
    }

    /// Opens the first region of a node; the second time a text is read it is there.
    fn open_region(&mut self, node: usize) {
        let known = self.drawing.nodes[node].regions.first();
        let region = match known {
            Some(&region) if !self.declares => region,
            _ => self.new_region(node),
        };
        self.open.push(region);
    }

    fn new_region(&mut self, node: usize) -> usize {
        let region = self.drawing.regions.len();
        self.drawing.regions.push(Region {
            around: Some(node),
            ..Region::default()
        });
        self.drawing.nodes[node].regions.push(region);
        region
    }

    /// Goes on in another region, side by side with the one before.
    fn next_region(&mut self, number: usize) {
        let current = self.open.last().copied().unwrap_or(0);
        let Some(node) = self.drawing.regions[current].around else {
            return self.refuse(number, "regions side by side outside of any state");
        };
        let regions = self.drawing.nodes[node].regions.iter();
        let next = match regions.skip_while(|it| **it != current).nth(1) {
            Some(&region) if !self.declares => region,
            _ => self.new_region(node),
        };
        self.open.pop();
        self.open.push(next);
    }

    fn arrow(&mut self, number: usize, from: &str, rest: &str) {
        let (to, text) = match rest.split_once(':') {
            Some((to, text)) => (to.trim(), on_one_line(text)),
            None => (rest.trim(), String::new()),
        };
        let text = text.trim();
        let mut nodes = self.drawing.nodes.iter();
        let is_choice = nodes.any(|it| it.id == from && it.is_choice);
        let label = match is_choice {
            true => guard_alone(text),
            false => label(text),
        };
        let label = match label {
            Ok(label) => label,
            Err(what) => {
                let what = format!("the label `{text}`: it has {what}");
                return self.refuse(number, &what);
            }
        };
        let region = self.open.last().copied().unwrap_or(0);
        let to = match to {
            "[*]" => {
                self.drawing.regions[region].has_end = true;
                End::Region(region)
            }
            _ => match self.mentioned(to) {
                Some(node) => End::Node(node),
                None => return self.refuse(number, &format!("`{to}`")),
            },
        };
        if from == "[*]" {
            return self.begin(number, region, to, label);
        }
        match self.mentioned(from) {
            Some(from) => self.drawing.arrows.push(Arrow {
                line: number,
                from,
                to,
                label,
            }),
            None => self.refuse(number, &format!("`{from}`")),
        }
    }

    fn begin(&mut self, number: usize, region: usize, to: End, label: Label) {
        let End::Node(node) = to else {
            return self.refuse(number, "a beginning that is an end");
        };
        if self.drawing.nodes[node].region != region {
            return self.refuse(number, "a beginning in a state of another region");
        }
        // What makes the whole begin is an input; the states within others begin by themselves.
        let (node, label) = match label.event.is_some() && region == 0 {
            false => (node, label),
            true => {
                let start = self.node(START);
                self.drawing.arrows.push(Arrow {
                    line: number,
                    from: start,
                    to,
                    label,
                });
                (start, Label::default())
            }
        };
        let is_plain = label.event.is_none() && label.guard.is_none();
        match &mut self.drawing.regions[region].initial {
            initial @ None if is_plain => *initial = Some((node, label)),
            Some((known, _)) if *known == node && self.drawing.nodes[node].id == START => {}
            Some(_) => self.refuse(number, "another beginning"),
            None => self.refuse(number, "a beginning with an event or a guard"),
        }
    }

    /// `A : entry / action`, or what is shown in a state; or a state alone.
    fn description(&mut self, number: usize, line: &str) {
        match line.split_once(':') {
            Some((state, text)) if is_word(state.trim()) => {
                let node = self.node(state.trim());
                self.describe(number, node, text.trim());
            }
            None if is_word(line) => {
                self.node(line);
            }
            _ => self.refuse(number, &format!("`{line}`")),
        }
    }

    fn describe(&mut self, number: usize, node: usize, text: &str) {
        let (word, action) = text.split_once('/').unwrap_or((text, ""));
        let word = word.trim().to_ascii_lowercase();
        let word = match word.as_str() {
            "entry" | "on entry" | "on_entry" | "onentry" | "entering" => "entry",
            "exit" | "on exit" | "on_exit" | "onexit" | "leaving" => "exit",
            "do" => "do",
            // What looks like `event / action` is a transition within the state.
            word if word != "comment" && (text.contains(" /") || text.contains("/ ")) => {
                return self.within(number, node, text);
            }
            _ => {
                let note = format!("line {number}: the description `{text}`");
                return self.drawing.notes.push(note);
            }
        };
        match (word, actions(action)) {
            ("entry", Ok(actions)) => self.drawing.nodes[node].on_entry.extend(actions),
            ("exit", Ok(actions)) => self.drawing.nodes[node].on_exit.extend(actions),
            ("entry" | "exit", Err(what)) => {
                self.refuse(number, &format!("`{text}`: it has {what}"));
            }
            _ => self.refuse(number, &format!("`{text}`")),
        }
    }

    /// `on event [guard] / action`. Words with a bar between them may as well be a description, so
    /// without `on` the action has to look like one.
    fn within(&mut self, number: usize, node: usize, text: &str) {
        let said = text.strip_prefix("on ");
        let acts = |action: &String| {
            action.ends_with(')') || super::script::split_assignment(action).is_some()
        };
        match label(&on_one_line(said.unwrap_or(text))) {
            Ok(label)
                if label.event.is_some()
                    && (said.is_some()
                        || !label.actions.is_empty() && label.actions.iter().all(acts)) =>
            {
                self.drawing.nodes[node].within.push(label);
            }
            _ => self.refuse(number, &format!("`{text}`")),
        }
    }

    /// The node that a word names, `[H]` and `A[H*]` included.
    fn mentioned(&mut self, text: &str) -> Option<usize> {
        let (id, history) = match text.split_once('[') {
            Some((id, "H]")) => (id, Some(false)),
            Some((id, "H*]")) => (id, Some(true)),
            Some(_) => return None,
            None => (text, None),
        };
        let Some(deep) = history else {
            return is_word(id).then(|| self.node(id));
        };
        let region = match id {
            "" => self.open.last().copied().unwrap_or(0),
            _ if is_word(id) => {
                let node = self.node(id);
                // The history of a state with one region is that of its states.
                let regions = &self.drawing.nodes[node].regions;
                (regions.len() == 1).then(|| regions[0])?
            }
            _ => return None,
        };
        let mut nodes = self.drawing.nodes.iter();
        let known = nodes.position(|it| it.region == region && it.history == Some(deep));
        Some(known.unwrap_or_else(|| {
            let id = format!("history {}", self.drawing.nodes.len());
            self.drawing.nodes.push(Node {
                id,
                region,
                history: Some(deep),
                ..Node::default()
            });
            self.drawing.nodes.len() - 1
        }))
    }

    /// The node with a name; it stands where it is declared, or else first mentioned.
    fn node(&mut self, id: &str) -> usize {
        let known = self.drawing.nodes.iter().position(|it| it.id == id);
        known.unwrap_or_else(|| {
            self.drawing.nodes.push(Node {
                id: id.to_owned(),
                region: self.open.last().copied().unwrap_or(0),
                ..Node::default()
            });
            self.drawing.nodes.len() - 1
        })
    }

    fn refuse(&mut self, number: usize, what: &str) {
        if !self.declares {
            self.drawing.refused.push(format!("line {number}: {what}"));
        }
    }
}

/// `event [guard] / action; action`, each part optional.
fn label(text: &str) -> Result<Label, String> {
    let (before, after) = text.split_once('/').unwrap_or((text, ""));
    let (event, guard) = match before.split_once('[') {
        Some((event, guard)) => {
            let guard = guard.trim().strip_suffix(']');
            (event, Some(guard.ok_or("a guard without end")?))
        }
        None => (before, None),
    };
    let event = event.trim().trim_end_matches("()");
    let is_event = event.chars().all(|c| c.is_ascii() && !"[]=<>;".contains(c))
        && event.starts_with(|c: char| c.is_ascii_alphabetic());
    if !is_event && !event.is_empty() {
        return Err(format!("`{event}`, which names no event"));
    }
    Ok(Label {
        event: (!event.is_empty()).then(|| event.to_owned()),
        guard: guard.map(|guard| guard.trim().to_owned()),
        actions: actions(after)?,
    })
}

/// The label of an arrow from a choice, which no event makes one take: `[guard] / action`, or
/// `if guard`.
fn guard_alone(text: &str) -> Result<Label, String> {
    let (before, after) = text.split_once('/').unwrap_or((text, ""));
    let guard = before.trim().strip_prefix("if ").map(str::trim);
    if let Some(guard) = guard {
        return Ok(Label {
            event: None,
            guard: Some(guard.to_owned()),
            actions: actions(after)?,
        });
    }
    let mut label = label(text)?;
    match label.event.take() {
        None => Ok(label),
        Some(event) if event == "else" && label.guard.is_none() => Ok(Label {
            guard: Some(event),
            ..label
        }),
        Some(event) => Err(format!("`{event}` where a guard in brackets should be")),
    }
}

/// A line of Mermaid without the classes that say how states look: `A:::loud`.
fn without_classes(line: &str) -> String {
    let mut parts = line.split(":::");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += part.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "_-".contains(c));
    }
    text
}

/// Assignments and messages, separated by semicolons.
fn actions(text: &str) -> Result<Vec<String>, String> {
    let actions = text.split(';').map(str::trim).filter(|it| !it.is_empty());
    let actions: Vec<String> = actions.map(str::to_owned).collect();
    for action in &actions {
        if message(action).is_none() && super::script::split_assignment(action).is_none() {
            return Err(format!("`{action}`, which is no name and no assignment"));
        }
    }
    Ok(actions)
}

/// A message, `ring` or `ring(3, true)`: its name and its values.
pub(super) fn message(text: &str) -> Option<(&str, Vec<String>)> {
    let (name, values) = match text.strip_suffix(')').and_then(|it| it.split_once('(')) {
        Some((name, values)) => (name.trim(), values.trim()),
        None => (text.trim(), ""),
    };
    if !is_name(name) {
        return None;
    }
    let (mut found, mut depth, mut quote) = (vec![String::new()], 0usize, None);
    for c in values.chars() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth = depth.checked_sub(1)?,
            (None, ',') if depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        found.last_mut()?.push(c);
    }
    let found = found.into_iter().map(|it| it.trim().to_owned());
    let found = found.collect::<Vec<String>>();
    match values.is_empty() {
        true => Some((name, Vec::new())),
        false => (!found.iter().any(String::is_empty)).then_some((name, found)),
    }
}

/// A label of several lines: `\n` breaks them, and a line drawn between them sets off the action.
fn on_one_line(text: &str) -> String {
    let text = text.replace("\\n--\\n", " / ").replace("\\n----\\n", " / ");
    text.replace("\\n", " ")
}

/// The state before an arrow and what follows it: `-->`, `->`, `-right->`, `-[#blue]->`, and the
/// other way round `<--`.
fn arrow(line: &str) -> Option<(String, String)> {
    forward(line).or_else(|| backward(line))
}

fn forward(line: &str) -> Option<(String, String)> {
    let end = line.find('>')?;
    let begin = line[..end].find('-')?;
    let shaft = &line[begin..end];
    let is_shaft = shaft.ends_with('-') && !shaft.contains([':', ' ']);
    is_shaft.then(|| (line[..begin].trim().to_owned(), line[end + 1..].to_owned()))
}

fn backward(line: &str) -> Option<(String, String)> {
    let (to, rest) = line.split_once("<-")?;
    let shaft = rest.split_whitespace().next().unwrap_or_default();
    // The first `-` is that of the head.
    let is_shaft = rest.starts_with(char::is_whitespace)
        || shaft.ends_with('-') && rest.starts_with(shaft) && !shaft.contains(':');
    if !is_shaft || to.contains(':') {
        return None;
    }
    let rest = match rest.starts_with(char::is_whitespace) {
        true => rest,
        false => &rest[shaft.len()..],
    };
    let (from, label) = match rest.split_once(':') {
        Some((from, label)) => (from, format!(":{label}")),
        None => (rest, String::new()),
    };
    Some((from.trim().to_owned(), format!("{} {label}", to.trim())))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether a text names something: words and what joins them.
fn is_name(text: &str) -> bool {
    let is_inside = |c: char| c.is_ascii_alphanumeric() || "_ .-".contains(c);
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_inside)
}
