//! `--live` for models: the page of an exploration while it goes on.

use super::page::{self, Shown};
use crate::error::Error;
use crate::live::{Link, empty};
use crate::report::PAGE;
use ::model::execution::Executor;
use ::model::exploration::{Bounds, Tree, explore_watched};
use ::model::goal::Tracker;
use ::report::document::{Document, Live};
use base::{OneLine, Stop};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use suite::{Curve, Sample};

/// How long after one document the next is made: its states are written out as text.
const DOCUMENT_EVERY: Duration = Duration::from_secs(1);

/// The page of a model that is explored; none where nobody asked for it.
pub struct ModelPage(Option<Served>);

struct Served {
    link: Link,
    /// The last document that was made.
    made: Arc<Mutex<Document>>,
    title: String,
    folder: PathBuf,
    curve: Curve,
    started: Instant,
    next_document: Instant,
    /// Where it was written down how far the exploration was.
    dumps: Vec<String>,
}

impl ModelPage {
    /// Serves the page if it is wanted.
    pub fn start(
        is_wanted: bool,
        file: &Path,
        folder: &Path,
        executor: &Executor<'_, '_>,
        stop: &Stop,
    ) -> Result<ModelPage, Error> {
        if !is_wanted {
            return Ok(ModelPage(None));
        }
        let title = file.one_line().into_owned();
        let first = page::document(executor, folder, Shown::of(title.clone(), executor));
        let made = Arc::new(Mutex::new(first));
        let shared = made.clone();
        let make = move |live: Live| Document {
            live: Some(live),
            ..shared
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        };
        let now = Instant::now();
        Ok(ModelPage(Some(Served {
            link: Link::start(stop, Box::new(make))?,
            made,
            title,
            folder: folder.to_owned(),
            curve: Curve::default(),
            started: now,
            next_document: now,
            dumps: Vec::new(),
        })))
    }

    /// Explores the model before the eyes of whoever has the page.
    pub fn explore(
        &mut self,
        executor: &mut Executor<'_, '_>,
        bounds: &Bounds,
        goals: Option<&mut Tracker>,
    ) -> Tree {
        explore_watched(executor, bounds, goals, &mut |executor, tree, waiting| {
            if let Some(served) = &mut self.0 {
                served.show(executor, tree, waiting as u64);
            }
        })
    }

    /// Gives pages that are open what became of it.
    pub fn finish(self, executor: &Executor<'_, '_>, shown: Shown<'_>) -> Result<(), Error> {
        match self.0 {
            Some(Served { link, folder, .. }) => {
                link.finish(|| Ok(page::document(executor, &folder, shown)))
            }
            None => Ok(()),
        }
    }
}

impl Served {
    fn publish(&mut self, waiting: u64) {
        self.link.publish(Live {
            curve: self.curve.samples().to_vec(),
            waiting,
            dumps: self.dumps.clone(),
            ..empty()
        });
    }

    /// Writes the page as it is, where `everypath report` finds it.
    fn dump(&self) -> Result<PathBuf, Error> {
        let folder = self.folder.join(format!("dump-{}", self.dumps.len() + 1));
        std::fs::create_dir_all(&folder).map_err(Error::writing(&folder))?;
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let path = folder.join(PAGE);
        let page = ::report::page(&made);
        base::files::write_whole(&path, page.as_bytes()).map_err(Error::writing(&path))?;
        Ok(folder)
    }

    fn show(&mut self, executor: &Executor<'_, '_>, tree: &Tree, waiting: u64) {
        let seconds = self.started.elapsed().as_secs_f64();
        if self.curve.is_due(seconds) {
            self.curve.add(Sample {
                seconds,
                paths: tree.nodes.len() as u64,
                errors: 0,
                covered: tree.covered() as u64,
                waiting,
            });
        }
        if self.link.is_due() {
            self.publish(waiting);
        }
        if Instant::now() >= self.next_document {
            let shown = Shown {
                taken: tree.taken.iter().map(|&times| times > 0).collect(),
                tree: Some(tree),
                seconds,
                ..Shown::of(self.title.clone(), executor)
            };
            let document = page::document(executor, &self.folder, shown);
            *self.made.lock().unwrap_or_else(PoisonError::into_inner) = document;
            self.next_document = Instant::now() + DOCUMENT_EVERY;
        }
        self.link.hold();
        if self.link.take_dump() {
            let written = self.dump();
            self.dumps.push(match written {
                Ok(path) => path.one_line().into_owned(),
                Err(error) => error.to_string(),
            });
            // Whoever paused the exploration is to hear of it too.
            self.publish(waiting);
        }
    }
}
