//! How many queries came to each link of the chain, and how many it answered.

use std::time::Duration;

/// A link of the chain, in the order in which a query passes them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Link {
    /// The path says the opposite, word for word.
    Path,
    /// The same query was decided before.
    Exact,
    /// Known bits and intervals.
    Ranges,
    /// A known contradiction is part of the query.
    Cores,
    /// No value of the one byte that it is about.
    Bytes,
    /// Comparisons of numbers, as a graph.
    Order,
    /// An assignment found lately satisfies it.
    Models,
    /// A few steps of local search.
    Search,
    /// Every value of the few bits it is about.
    Enumeration,
    /// Bit-blasting.
    Bitblast,
    /// Z3.
    Z3,
}

impl Link {
    /// All links, in order.
    pub const ALL: [Link; 11] = [
        Link::Path,
        Link::Exact,
        Link::Ranges,
        Link::Cores,
        Link::Bytes,
        Link::Order,
        Link::Models,
        Link::Search,
        Link::Enumeration,
        Link::Bitblast,
        Link::Z3,
    ];

    /// The name shown to people.
    pub fn name(self) -> &'static str {
        match self {
            Link::Path => "path itself",
            Link::Exact => "exact cache",
            Link::Ranges => "known bits and ranges",
            Link::Cores => "contradiction cache",
            Link::Bytes => "values of a byte",
            Link::Order => "order of numbers",
            Link::Models => "recent models",
            Link::Search => "local search",
            Link::Enumeration => "enumeration",
            Link::Bitblast => "bitblast",
            Link::Z3 => "z3",
        }
    }

    /// Whether the link is a backend.
    pub fn is_backend(self) -> bool {
        matches!(self, Link::Bitblast | Link::Z3)
    }
}

/// How one link did.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LinkStatistics {
    /// Queries that came to it.
    pub queries: u64,
    /// Queries it settled.
    pub answered: u64,
    /// Time spent in it; the two cheapest links are faster than a clock.
    pub time: Duration,
}

/// How a solver did so far.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Statistics {
    /// Queries put to the solver.
    pub queries: u64,
    /// Queries, or independent parts of them, that went down the chain.
    pub slices: u64,
    /// Queries answered by an assignment.
    pub sat: u64,
    /// Queries answered by a contradiction.
    pub unsat: u64,
    /// Queries not decided.
    pub unknown: u64,
    /// Time spent on queries that neither the path nor memory settled.
    pub time: Duration,
    links: [LinkStatistics; Link::ALL.len()],
}

impl Statistics {
    /// How this link did.
    pub fn link(&self, link: Link) -> LinkStatistics {
        self.links[link as usize]
    }

    pub(crate) fn link_mut(&mut self, link: Link) -> &mut LinkStatistics {
        &mut self.links[link as usize]
    }

    /// Queries that reached a backend.
    pub fn backend_calls(&self) -> u64 {
        let backends = Link::ALL.iter().filter(|link| link.is_backend());
        backends.map(|&link| self.link(link).queries).sum()
    }

    /// Adds what another solver did.
    pub fn add(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.slices += other.slices;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.unknown += other.unknown;
        self.time += other.time;
        for link in Link::ALL {
            let (mine, theirs) = (self.link_mut(link), other.link(link));
            mine.queries += theirs.queries;
            mine.answered += theirs.answered;
            mine.time += theirs.time;
        }
    }
}
