//! Forks and joins: several states at once.
//!
//! Between a fork and the join where its branches meet, the branches are the regions of a state
//! that the drawing does not name, which is left when all of them have come to the join. A fork
//! into regions that are drawn enters several states, and a join of such states is passed when
//! all of them are active.

use super::drawing::{Arrow, Bar, Drawing, End, Label, Node, Region};

/// Puts the branches of forks into regions, and refuses bars that mean something else.
pub(super) fn with_branches(drawing: &mut Drawing) {
    for fork in 0..drawing.nodes.len() {
        if drawing.nodes[fork].bar != Some(Bar::Fork) {
            continue;
        }
        if let Err(what) = branch(drawing, fork) {
            let what = format!("the fork {}: {what}", drawing.nodes[fork].id);
            drawing.refused.push(what);
        }
    }
    for (number, node) in drawing.nodes.iter().enumerate() {
        if node.bar != Some(Bar::Join) {
            continue;
        }
        let left = drawing.arrows.iter().filter(|arrow| arrow.from == number);
        let left: Vec<&Arrow> = left.collect();
        let mut entered = drawing.arrows.iter();
        let entered = entered.any(|arrow| arrow.leads_to(number));
        let what = match &left[..] {
            // Its branches became regions, or it is no join at all.
            [] if !entered => continue,
            [only] if only.label.is_plain() => continue,
            [_] => "its arrow has an event or a guard",
            _ => "not one arrow leaves it",
        };
        let what = format!("the join {}: {what}", node.id);
        drawing.refused.push(what);
    }
}

/// Turns a fork whose branches stand beside it into a state with regions.
fn branch(drawing: &mut Drawing, fork: usize) -> Result<(), &'static str> {
    let begins: Vec<usize> = drawing.left_by(fork).into_iter().collect();
    let arrows = drawing.arrows.iter().filter(|arrow| arrow.from == fork);
    if !arrows.clone().all(|arrow| arrow.label.is_bare()) {
        return Err("an arrow that leaves it has a label");
    }
    if begins.len() < 2 || arrows.count() != begins.len() {
        return Err("it does not lead to several states");
    }
    let region = drawing.nodes[fork].region;
    if begins.iter().all(|&it| drawing.nodes[it].region != region) {
        return Ok(());
    }
    let mut join = None;
    let mut branches: Vec<Vec<usize>> = Vec::new();
    for &begin in &begins {
        let branch = reached(drawing, begin, &mut join)?;
        if branches.iter().flatten().any(|it| branch.contains(it)) {
            return Err("its branches meet before a join");
        }
        branches.push(branch);
    }
    let join = join.ok_or("its branches come to no join")?;
    let within: Vec<usize> = branches.iter().flatten().copied().collect();
    let intrudes = |arrow: &Arrow| match arrow.to {
        End::Node(to) => {
            within.contains(&to) && arrow.from != fork && !within.contains(&arrow.from)
        }
        End::Region(_) => false,
    };
    if drawing.arrows.iter().any(intrudes) {
        return Err("an arrow leads into one of its branches");
    }
    let strangers = |arrow: &Arrow| arrow.leads_to(join) && !within.contains(&arrow.from);
    if drawing.arrows.iter().any(strangers) {
        return Err("its join has an arrow from elsewhere");
    }
    drawing.arrows.retain(|arrow| arrow.from != fork);
    drawing.nodes[fork].bar = None;
    for (begin, branch) in begins.into_iter().zip(branches) {
        let number = drawing.regions.len();
        drawing.regions.push(Region {
            around: Some(fork),
            initial: Some((begin, Label::default())),
            has_end: true,
        });
        drawing.nodes[fork].regions.push(number);
        for &node in &branch {
            drawing.nodes[node].region = number;
        }
        for arrow in &mut drawing.arrows {
            if branch.contains(&arrow.from) && arrow.leads_to(join) {
                arrow.to = End::Region(number);
            }
        }
    }
    // When all branches are at their ends, what follows the join comes.
    for arrow in &mut drawing.arrows {
        if arrow.from == join {
            arrow.from = fork;
        }
    }
    Ok(())
}

/// The nodes that follow one up to a join, which is the same for all.
fn reached(
    drawing: &Drawing,
    begin: usize,
    join: &mut Option<usize>,
) -> Result<Vec<usize>, &'static str> {
    let mut found = vec![begin];
    let mut at = 0;
    while at < found.len() {
        let from = found[at];
        at += 1;
        if drawing.nodes[from].region != drawing.nodes[begin].region {
            return Err("one of its branches leaves the state around it");
        }
        for arrow in drawing.arrows.iter().filter(|arrow| arrow.from == from) {
            let End::Node(to) = arrow.to else {
                return Err("one of its branches comes to an end before a join");
            };
            match drawing.nodes[to].bar {
                Some(Bar::Join) if *join.get_or_insert(to) == to => {}
                Some(Bar::Join) => return Err("its branches come to different joins"),
                Some(Bar::Fork) => return Err("there is another fork in one of its branches"),
                None if !found.contains(&to) => found.push(to),
                None => {}
            }
        }
    }
    Ok(found)
}

impl Drawing {
    /// The nodes that arrows from this one lead to.
    pub fn left_by(&self, node: usize) -> Vec<usize> {
        let arrows = self.arrows.iter().filter(|arrow| arrow.from == node);
        let targets = arrows.filter_map(|arrow| match arrow.to {
            End::Node(to) => Some(to),
            End::Region(_) => None,
        });
        targets.collect()
    }
}

impl Arrow {
    pub fn leads_to(&self, node: usize) -> bool {
        matches!(self.to, End::Node(to) if to == node)
    }
}

impl Label {
    /// Whether nothing has to happen before the arrow is taken.
    pub fn is_plain(&self) -> bool {
        self.event.is_none() && self.guard.is_none()
    }

    pub fn is_bare(&self) -> bool {
        self.is_plain() && self.actions.is_empty()
    }
}

impl Node {
    /// Whether it is passed at once, with others.
    pub fn is_bar(&self) -> bool {
        self.bar.is_some()
    }
}
