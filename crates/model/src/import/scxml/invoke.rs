//! `<invoke>`: a chart that stands in the document becomes part of the one that starts it, with
//! names for its variables that nobody else's have.

use super::super::chart::{Chart, Content, Datum, Invoke, State, Transition};
use super::super::post::{Post, Said};
use super::super::{name, script};
use super::{Reader, elements, is_named, line};
use roxmltree::Node;

impl Reader {
    /// Reads what a state starts when it is entered.
    pub(super) fn invoke(&mut self, node: Node<'_, '_>, state: usize) {
        for attribute in ["typeexpr", "src", "srcexpr"] {
            if node.attribute(attribute).is_some() {
                self.refuse(node, &format!("an <invoke> with `{attribute}`"));
            }
        }
        let kind = node.attribute("type").unwrap_or("scxml");
        if !matches!(
            kind.trim_end_matches('/'),
            "scxml" | "http://www.w3.org/TR/scxml"
        ) {
            self.refuse(node, &format!("an <invoke> of the type `{kind}`"));
        }
        let content = elements(node).find(|it| is_named(*it, "content"));
        let root = content.and_then(|it| elements(it).find(|it| is_named(*it, "scxml")));
        match root {
            Some(root) => self.embed(node, state, root),
            None => self.refuse(node, "an <invoke> without a chart in it"),
        }
    }

    fn embed(&mut self, node: Node<'_, '_>, state: usize, root: Node<'_, '_>) {
        let id = match node.attribute("id") {
            Some(id) => id.to_owned(),
            None => self.choose_id(),
        };
        let prefix = self.prefix_of(node, state);
        let mut child = Reader {
            delayed: self.delayed,
            chosen: self.chosen,
            is_invoked: true,
            ..Reader::new(root)
        };
        child.read(root);
        (self.delayed, self.chosen) = (child.delayed, child.chosen);
        let mut child = child.finished();
        if !child.scripts.is_empty() {
            self.refuse(root, "a <script> of a chart that is invoked");
        }
        let given = self.given(node, &prefix, &child.data);
        let finalize = self.finalize(node);
        child.shift(self.chart.states.len());
        child.rename(&prefix);
        self.chart.refused.append(&mut child.refused);
        self.chart.notes.append(&mut child.notes);
        self.chart.scripted.append(&mut child.scripted);
        self.chart.data.extend(child.data.iter().cloned());
        let invoke = Invoke {
            id,
            id_location: node.attribute("idlocation").map(str::to_owned),
            name: child.name,
            root: self.chart.states.len(),
            data: child.data,
            given,
            finalize,
            is_forwarding: node.attribute("autoforward") == Some("true"),
        };
        self.chart.states.append(&mut child.states);
        self.chart.states[state].invokes.push(invoke);
    }

    /// What the names of an invoked chart's variables begin with.
    fn prefix_of(&self, node: Node<'_, '_>, state: usize) -> String {
        let state = &self.chart.states[state];
        let mut prefix = format!("{}_{}_", name(&state.id), state.invokes.len() + 1);
        let is_taken = |prefix: &str| {
            let data = node.document().descendants();
            let mut ids = data.filter_map(|it| it.attribute("id"));
            ids.any(|id| id.starts_with(prefix))
        };
        while is_taken(&prefix) {
            prefix.push('_');
        }
        prefix
    }

    /// What is given to an invoked chart.
    fn given(&mut self, node: Node<'_, '_>, prefix: &str, data: &[Datum]) -> Vec<Content> {
        let names = node.attribute("namelist").unwrap_or_default();
        let named = names.split_whitespace();
        let mut values: Vec<(String, String)> =
            named.map(|it| (it.to_owned(), it.to_owned())).collect();
        for child in elements(node) {
            match child.tag_name().name() {
                "param" => {
                    let title = child.attribute("name").unwrap_or_default();
                    let value = child.attribute("expr").or(child.attribute("location"));
                    match value {
                        Some(value) => values.push((title.to_owned(), value.to_owned())),
                        None => self.refuse(child, "a <param> without a value"),
                    }
                }
                "content" | "finalize" => {}
                other => self.refuse(child, &format!("<{other}> in an <invoke>")),
            }
        }
        values.retain(|(title, value)| {
            let has = |data: &[Datum], id: &str| data.iter().any(|datum| datum.id == id);
            if has(data, title) {
                return true;
            }
            let what = format!("a value for `{title}`, which the invoked chart does not have");
            // It is not given then; but what cannot be computed keeps the chart from being invoked.
            if has(&self.chart.data, value) || is_constant(value) {
                self.chart
                    .notes
                    .push(format!("line {}: {what}", line(node)));
            } else {
                self.refuse(node, &what);
            }
            false
        });
        let given = values.into_iter().map(|(title, value)| Content::Assign {
            location: format!("{prefix}{title}"),
            value,
        });
        given.collect()
    }

    fn finalize(&mut self, node: Node<'_, '_>) -> Vec<Content> {
        let Some(finalize) = elements(node).find(|it| is_named(*it, "finalize")) else {
            return Vec::new();
        };
        let content = self.content(finalize);
        if content.is_empty() && elements(finalize).next().is_none() {
            self.refuse(finalize, "a <finalize> with nothing in it");
        }
        content
    }
}

impl Chart {
    /// Moves the numbers of all states up.
    fn shift(&mut self, by: usize) {
        let moved = |states: &mut Vec<usize>| states.iter_mut().for_each(|it| *it += by);
        for state in &mut self.states {
            let State {
                parent,
                children,
                histories,
                initial,
                transitions,
                invokes,
                ..
            } = state;
            *parent = parent.map(|it| it + by);
            moved(children);
            moved(histories);
            for Transition {
                source, targets, ..
            } in transitions.iter_mut().chain(initial)
            {
                *source += by;
                moved(targets);
            }
            for invoke in invokes {
                invoke.root += by;
            }
        }
    }

    /// Gives all variables names that begin with the prefix.
    fn rename(&mut self, prefix: &str) {
        for state in &mut self.states {
            for transition in state.transitions.iter_mut().chain(&mut state.initial) {
                if let Some(condition) = &mut transition.condition {
                    rewrite(condition, prefix);
                }
                rename_all(&mut transition.content, prefix);
            }
            for block in state.on_entry.iter_mut().chain(&mut state.on_exit) {
                rename_all(block, prefix);
            }
            rewrite_values(&mut state.done_values, prefix);
            for invoke in &mut state.invokes {
                rename_all(&mut invoke.given, prefix);
                rename_all(&mut invoke.finalize, prefix);
                invoke.data.iter_mut().for_each(|it| it.rename(prefix));
                if let Some(location) = &mut invoke.id_location {
                    location.insert_str(0, prefix);
                }
            }
        }
        self.data.iter_mut().for_each(|it| it.rename(prefix));
        for variable in &mut self.scripted {
            variable.insert_str(0, prefix);
        }
    }
}

impl Datum {
    fn rename(&mut self, prefix: &str) {
        self.id.insert_str(0, prefix);
        if let Some(value) = &mut self.value {
            rewrite(value, prefix);
        }
    }
}

fn rewrite(text: &mut String, prefix: &str) {
    *text = script::renamed(text, prefix);
}

fn rewrite_values(values: &mut [(String, String)], prefix: &str) {
    for (_, value) in values {
        rewrite(value, prefix);
    }
}

fn rename_all(content: &mut [Content], prefix: &str) {
    for part in content {
        rename(part, prefix);
    }
}

fn rename(content: &mut Content, prefix: &str) {
    match content {
        Content::Assign { location, value } => {
            location.insert_str(0, prefix);
            rewrite(value, prefix);
        }
        Content::Identify { location, .. } => location.insert_str(0, prefix),
        Content::Raise { values, .. } | Content::Tell { values, .. } => {
            rewrite_values(values, prefix);
        }
        Content::Delay(delayed) => rewrite_values(&mut delayed.values, prefix),
        Content::Send { values, .. } => values.iter_mut().for_each(|it| rewrite(it, prefix)),
        Content::Cancel(name) => rename_said(name, prefix),
        Content::Choice(branches) => {
            for (condition, content) in branches {
                if let Some(condition) = condition {
                    rewrite(condition, prefix);
                }
                rename_all(content, prefix);
            }
        }
        Content::ForEach {
            list,
            item,
            index,
            content,
        } => {
            rewrite(list, prefix);
            for name in std::iter::once(item).chain(index) {
                name.insert_str(0, prefix);
            }
            rename_all(content, prefix);
        }
        Content::Post(post) => {
            let Post {
                event,
                target,
                kind,
                delay,
                values,
                ..
            } = &mut **post;
            for part in [event, target, kind, delay] {
                rename_said(part, prefix);
            }
            rewrite_values(values, prefix);
        }
        Content::Fail(_) => {}
    }
}

fn rename_said(said: &mut Said, prefix: &str) {
    match said {
        Said::Computed(text) => rewrite(text, prefix),
        Said::Nothing | Said::Text(_) => {}
    }
}

/// Whether an expression has a value that nothing can change.
fn is_constant(text: &str) -> bool {
    let value = script::evaluated(text, &mut script::Plain);
    value.is_ok_and(|value| value.constant.is_some())
}
