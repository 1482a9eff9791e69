//! A deterministic machine for a context-free language, built as far as it is
//! used.
//!
//! A state is what may follow the letters read so far: a set of continuations,
//! each a part still to be read and the node to return to after it. A rule that
//! is begun at one position by several others gets one node with all their
//! continuations, and a rule begun last in another takes over its node, so that
//! recursion on either side costs nothing. Nodes and states are numbered by what
//! they contain: prefixes after which the same can follow lead to one state.
//!
//! Since it is deterministic, words are counted and listed once, however many
//! derivations they have. The number of states has no bound in general, so there
//! is a limit.
//!
//! Continuations that share their ends are Tomita's graph-structured stack (*Efficient
//! parsing for natural language*, 1985).

use crate::cfg::Part;
use crate::letters::{LetterSet, atoms};
use crate::normal::{Normal, Way, least_of};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A state of the machine.
pub(crate) type StateId = u32;
type NodeId = u32;

/// The end of the word, or a part to read and where to return to.
type Entry = Option<(Part, NodeId)>;

/// Like [`Entry`], while nodes of the position at hand have no number yet.
type Draft = Option<(Part, Target)>;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Target {
    Known(NodeId),
    /// The node of a rule begun at the position at hand.
    Begun(u32),
}

/// What makes two nodes the same.
#[derive(PartialEq, Eq, Hash)]
enum NodeKey {
    /// These continuations.
    Plain(Vec<Entry>),
    /// The node of the rule in this system of nodes that refer to each other.
    System(u32, Vec<(u32, Vec<Draft>)>),
}

/// More states than the limit allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyStates;

/// The machine.
pub(crate) struct Prefixes<'a> {
    normal: &'a Normal,
    /// The division of the alphabet that transitions are labelled with.
    atoms: Vec<LetterSet>,
    /// The atoms of each class.
    members: Vec<Vec<usize>>,
    nodes: FxHashMap<NodeKey, NodeId>,
    entries: Vec<Vec<Entry>>,
    known: FxHashMap<Vec<Entry>, StateId>,
    states: Vec<Vec<Entry>>,
    /// Where each state leads by each atom, once it was asked.
    steps: Vec<Option<Vec<Option<StateId>>>>,
    /// The length of each rule's shortest word.
    shortest: Vec<usize>,
    /// The letters that have to follow each node at least, of the first so many.
    least: Vec<usize>,
    limit: usize,
}

impl<'a> Prefixes<'a> {
    /// The machine over a division of the alphabet that divides no class.
    pub fn new(normal: &'a Normal, atoms: Vec<LetterSet>, limit: usize) -> Prefixes<'a> {
        let members = normal.classes.iter().map(|class| {
            let inside = atoms.iter().enumerate();
            let inside = inside.filter(|(_, atom)| atom.meets(class));
            inside.map(|(at, _)| at).collect()
        });
        let mut machine = Prefixes {
            normal,
            members: members.collect(),
            atoms,
            nodes: FxHashMap::default(),
            entries: Vec::new(),
            known: FxHashMap::default(),
            states: Vec::new(),
            steps: Vec::new(),
            shortest: normal.least_lengths(),
            least: Vec::new(),
            limit,
        };
        let root = machine.intern_node(NodeKey::Plain(vec![None]));
        machine.entries.push(vec![None]);
        let mut first: Vec<Entry> = Vec::new();
        if normal.empty {
            first.push(None);
        }
        first.extend(normal.start.map(|start| Some((Part::Rule(start), root))));
        machine.intern_state(first);
        machine
    }

    /// The state before any letter.
    pub const START: StateId = 0;

    /// Whether the letters read so far are a word.
    pub fn accepts(&self, state: StateId) -> bool {
        self.states[state as usize].contains(&None)
    }

    /// Where each atom leads; nothing where no word goes on so.
    pub fn steps(&mut self, state: StateId) -> Result<&[Option<StateId>], TooManyStates> {
        if self.steps[state as usize].is_none() {
            let next = self.all_steps(state)?;
            self.steps[state as usize] = Some(next);
        }
        Ok(self.steps[state as usize]
            .as_deref()
            .expect("it was just computed"))
    }

    /// The letters that transitions are labelled with.
    pub fn atoms(&self) -> &[LetterSet] {
        &self.atoms
    }

    /// How many letters have to follow at least, until those read are a word.
    pub fn least(&mut self, state: StateId) -> usize {
        self.measure_nodes();
        self.least_of(&self.states[state as usize])
    }

    /// Finds out what follows nodes at least. Those of one position refer to each other, and
    /// to those of earlier ones.
    fn measure_nodes(&mut self) {
        let first = self.least.len();
        self.least.resize(self.entries.len(), usize::MAX);
        let mut settled = false;
        while !settled {
            settled = true;
            for node in first..self.entries.len() {
                let least = self.least_of(&self.entries[node]);
                settled &= least == self.least[node];
                self.least[node] = least;
            }
        }
    }

    fn least_of(&self, entries: &[Entry]) -> usize {
        let letters = entries.iter().map(|entry| match *entry {
            None => 0,
            Some((part, node)) => {
                let own = least_of(part, &self.shortest);
                own.saturating_add(self.least[node as usize])
            }
        });
        letters.min().unwrap_or(usize::MAX)
    }

    fn intern_node(&mut self, key: NodeKey) -> NodeId {
        let next = self.nodes.len() as NodeId;
        *self.nodes.entry(key).or_insert(next)
    }

    fn intern_state(&mut self, entries: Vec<Entry>) -> StateId {
        let next = self.states.len() as StateId;
        let id = *self.known.entry(entries.clone()).or_insert(next);
        if id == next {
            self.states.push(entries);
            self.steps.push(None);
        }
        id
    }

    fn all_steps(&mut self, state: StateId) -> Result<Vec<Option<StateId>>, TooManyStates> {
        let begun = self.begin(state);
        let numbers = self.number(&begun);
        let mut next: Vec<Vec<Entry>> = vec![Vec::new(); self.atoms.len()];
        for entry in &self.states[state as usize] {
            if let Some((Part::Class(class), node)) = entry {
                for &atom in &self.members[*class as usize] {
                    next[atom].extend_from_slice(&self.entries[*node as usize]);
                }
            }
        }
        for &rule in begun.keys() {
            let node = numbers[&rule];
            for way in &self.normal.rules[rule as usize] {
                match *way {
                    Way::One(Part::Class(class)) => {
                        for &atom in &self.members[class as usize] {
                            next[atom].extend_from_slice(&self.entries[node as usize]);
                        }
                    }
                    Way::Two(Part::Class(class), then) => {
                        for &atom in &self.members[class as usize] {
                            next[atom].push(Some((then, node)));
                        }
                    }
                    Way::One(Part::Rule(_)) | Way::Two(Part::Rule(_), _) => {}
                }
            }
        }
        let next = next.into_iter().map(|mut entries| {
            entries.sort_unstable();
            entries.dedup();
            (!entries.is_empty()).then(|| self.intern_state(entries))
        });
        let next = next.collect();
        match self.states.len() + self.entries.len() > self.limit {
            true => Err(TooManyStates),
            false => Ok(next),
        }
    }

    /// The rules that begin at a state's position, and what follows each.
    fn begin(&self, state: StateId) -> BTreeMap<u32, Vec<Draft>> {
        let mut begun: BTreeMap<u32, Vec<Draft>> = BTreeMap::new();
        let mut waiting = Vec::new();
        for entry in &self.states[state as usize] {
            if let Some((Part::Rule(rule), node)) = entry {
                let follow = self.entries[*node as usize].iter();
                let follow = follow.map(|e| e.map(|(part, node)| (part, Target::Known(node))));
                begun.entry(*rule).or_default().extend(follow);
                waiting.push(*rule);
            }
        }
        let mut expanded = vec![false; self.normal.rules.len()];
        while let Some(rule) = waiting.pop() {
            if std::mem::replace(&mut expanded[rule as usize], true) {
                continue;
            }
            for way in &self.normal.rules[rule as usize] {
                match *way {
                    Way::One(Part::Rule(inner)) => {
                        begun.entry(inner).or_default();
                        waiting.push(inner);
                    }
                    Way::Two(Part::Rule(inner), then) => {
                        let follow = Some((then, Target::Begun(rule)));
                        begun.entry(inner).or_default().push(follow);
                        waiting.push(inner);
                    }
                    Way::One(Part::Class(_)) | Way::Two(Part::Class(_), _) => {}
                }
            }
        }
        // A rule that stands for another hands its continuations down; single
        // rules have smaller numbers, so one pass from the top suffices.
        let rules: Vec<u32> = begun.keys().rev().copied().collect();
        for rule in rules {
            let follow = begun.get_mut(&rule).expect("it is a key");
            follow.sort_unstable();
            follow.dedup();
            let follow = follow.clone();
            for way in &self.normal.rules[rule as usize] {
                if let Way::One(Part::Rule(inner)) = way {
                    let inner = begun.get_mut(inner).expect("it was begun");
                    inner.extend_from_slice(&follow);
                }
            }
        }
        begun
    }

    /// Gives each rule's node its number.
    fn number(&mut self, begun: &BTreeMap<u32, Vec<Draft>>) -> FxHashMap<u32, NodeId> {
        let mut numbers = FxHashMap::default();
        let mut fresh = Vec::new();
        for &rule in begun.keys() {
            let key = node_key(rule, begun);
            let count = self.nodes.len() as NodeId;
            let id = self.intern_node(key);
            if id == count {
                fresh.push((rule, id));
                self.entries.push(Vec::new());
            }
            numbers.insert(rule, id);
        }
        for (rule, id) in fresh {
            let follow = begun[&rule].iter().map(|draft| {
                draft.map(|(part, target)| match target {
                    Target::Known(node) => (part, node),
                    Target::Begun(rule) => (part, numbers[&rule]),
                })
            });
            self.entries[id as usize] = follow.collect();
        }
        numbers
    }
}

fn node_key(rule: u32, begun: &BTreeMap<u32, Vec<Draft>>) -> NodeKey {
    let follow = &begun[&rule];
    let known = |draft: &Draft| match draft {
        None => Some(None),
        Some((part, Target::Known(node))) => Some(Some((*part, *node))),
        Some((_, Target::Begun(_))) => None,
    };
    if let Some(entries) = follow.iter().map(known).collect() {
        return NodeKey::Plain(entries);
    }
    let mut system: BTreeMap<u32, Vec<Draft>> = BTreeMap::new();
    let mut waiting = vec![rule];
    while let Some(rule) = waiting.pop() {
        if system.contains_key(&rule) {
            continue;
        }
        let follow = &begun[&rule];
        waiting.extend(follow.iter().filter_map(|draft| match draft {
            Some((_, Target::Begun(other))) => Some(*other),
            _ => None,
        }));
        system.insert(rule, follow.clone());
    }
    NodeKey::System(rule, system.into_iter().collect())
}

/// A division of the alphabet that divides no class of any of these grammars.
pub(crate) fn common_atoms(normals: &[&Normal]) -> Vec<LetterSet> {
    let sets: Vec<LetterSet> = normals.iter().flat_map(|n| n.classes.clone()).collect();
    atoms(normals[0].letters, &sets)
}
