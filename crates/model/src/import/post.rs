//! `<send>`: who gets an event, when, and what it says.
//!
//! What is written in the document is known when it is read; what is computed
//! (`targetexpr="address"`), when it is sent.

use super::chart::{Content, Delayed, PARENT, Recipient};

/// What a document says of a part of a message.
#[derive(Clone, Debug)]
pub(super) enum Said {
    Nothing,
    Text(String),
    /// An expression.
    Computed(String),
}

/// A message on its way.
#[derive(Clone, Debug)]
pub(super) struct Post {
    /// Where it stands, to be shown.
    pub location: String,
    /// Which of the chart's delayed messages it is.
    pub number: usize,
    /// A name to cancel it by.
    pub id: Option<String>,
    pub event: Said,
    pub target: Said,
    pub kind: Said,
    pub delay: Said,
    /// Named values; the whole of the data has no name.
    pub values: Vec<(String, String)>,
}

/// A message of which everything is known.
struct Addressed<'p> {
    event: String,
    target: String,
    kind: String,
    millis: u64,
    post: &'p Post,
}

impl Post {
    /// The parts of which something has to be computed.
    pub fn computed(&self) -> impl Iterator<Item = &str> {
        let parts = [&self.event, &self.target, &self.kind, &self.delay];
        parts.into_iter().filter_map(|part| match part {
            Said::Computed(text) => Some(text.as_str()),
            Said::Nothing | Said::Text(_) => None,
        })
    }

    /// Whether it certainly is for the chart that sends it.
    pub fn is_to_itself(&self) -> bool {
        match &self.target {
            Said::Nothing => true,
            Said::Text(target) => target == "#_internal",
            Said::Computed(_) => false,
        }
    }

    /// What the message does, with the values of expressions, or why models have no such thing.
    /// `is_heard` says whether the chart has a transition for an event.
    ///
    /// # Errors
    ///
    /// What is not understood, or what `value` says of an expression.
    pub fn resolved<E: From<String>>(
        &self,
        is_heard: impl Fn(&str) -> bool,
        mut value: impl FnMut(&str) -> Result<String, E>,
    ) -> Result<Content, E> {
        let mut known = |part: &Said| match part {
            Said::Nothing => Ok(None),
            Said::Text(text) => Ok(Some(text.clone())),
            Said::Computed(text) => value(text).map(Some),
        };
        let unclear = |what: &str| Err(E::from(format!("{}: {what}", self.location)));
        let millis = match known(&self.delay)? {
            None => Some(0),
            Some(delay) => millis(&delay),
        };
        let Some(millis) = millis else {
            return unclear("a <send> with a delay that is not known");
        };
        let kind = known(&self.kind)?.unwrap_or_else(|| "scxml".to_owned());
        let target = known(&self.target)?.unwrap_or_default();
        let Some(event) = known(&self.event)? else {
            return unclear("a <send> without an event that is known");
        };
        let addressed = Addressed {
            event,
            target,
            kind,
            millis,
            post: self,
        };
        match addressed.content(is_heard) {
            Ok(content) => Ok(content),
            Err(what) => unclear(&what),
        }
    }
}

impl Addressed<'_> {
    fn content(self, is_heard: impl Fn(&str) -> bool) -> Result<Content, String> {
        let (kind, target) = (self.kind.as_str(), self.target.as_str());
        let is_http = kind == "basichttp" || kind.ends_with("BasicHTTPEventProcessor");
        let processors = ["SCXMLEventProcessor", "/TR/scxml", "/TR/scxml/"];
        let is_chart = kind == "scxml" || processors.iter().any(|it| kind.ends_with(it));
        if !is_http && !is_chart {
            return Err(format!("a <send> of the type `{kind}`"));
        }
        // It comes to nobody, and the chart hears of an error instead.
        if is_http && target.is_empty() {
            return Err("a <send> over HTTP without a target".to_owned());
        }
        let is_address = target.is_empty() || target.starts_with("#_") || target.contains(':');
        if !is_address && !is_chart {
            return Err(format!("a <send> to `{target}`"));
        }
        if !is_address {
            return Ok(Content::Fail("error.execution"));
        }
        if self.millis > 0 && target == "#_internal" {
            return Err("a delay of an event for `#_internal`".to_owned());
        }
        let to = match target.strip_prefix("#_") {
            Some("internal") => Recipient::Itself,
            Some("parent") => Recipient::Session(PARENT.to_owned()),
            Some(session) if is_chart => Recipient::Session(session.to_owned()),
            None if target.is_empty() && is_heard(&self.event) => Recipient::Itself,
            Some(_) | None => Recipient::Outside,
        };
        let is_external = target != "#_internal";
        let (event, values) = (self.event, self.post.values.clone());
        let id = self.post.id.clone();
        if self.millis > 0 {
            return Ok(Content::Delay(Delayed {
                number: self.post.number,
                id,
                event,
                values,
                millis: self.millis,
                to,
            }));
        }
        Ok(match to {
            Recipient::Itself => Content::Raise {
                event,
                values,
                is_external,
                id,
            },
            Recipient::Session(to) => Content::Tell {
                to,
                event,
                values,
                id,
            },
            Recipient::Outside => Content::Send {
                event,
                values: values.into_iter().map(|(_, value)| value).collect(),
            },
        })
    }
}

/// A time as CSS has it, `1.5s` or `20ms`, in milliseconds.
fn millis(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => (text.strip_suffix('s')?, 1000.0),
    };
    let number: f64 = number.trim().parse().ok()?;
    let millis = (number * unit).round();
    (0.0..=1e12).contains(&millis).then_some(millis as u64)
}
