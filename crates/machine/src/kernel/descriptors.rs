//! Descriptors: numbers that lead to open files, which have an offset that duplicates
//! share.

use super::Kernel;
use super::errno::{EBADF, EMFILE, Errno};
use super::tree::{Event, Kind, Node, NodeId, ROOT};
use std::rc::Rc;

/// In the place of a directory: the current one.
pub(crate) const AT_FDCWD: i32 = -100;

pub(crate) const O_ACCMODE: u32 = 0o3;
pub(crate) const O_WRONLY: u32 = 0o1;
pub(crate) const O_RDWR: u32 = 0o2;
pub(crate) const O_CREAT: u32 = 0o100;
pub(crate) const O_EXCL: u32 = 0o200;
pub(crate) const O_TRUNC: u32 = 0o1000;
pub(crate) const O_APPEND: u32 = 0o2000;
pub(crate) const O_NONBLOCK: u32 = 0o4000;
pub(crate) const O_DIRECTORY: u32 = 0o200_000;
pub(crate) const O_NOFOLLOW: u32 = 0o400_000;
pub(crate) const O_CLOEXEC: u32 = 0o2_000_000;
pub(crate) const O_PATH: u32 = 0o10_000_000;
pub(crate) const O_TMPFILE: u32 = 0o20_000_000;
/// What `F_SETFL` may change.
pub(crate) const CHANGEABLE: u32 = O_APPEND | O_NONBLOCK;
/// What is remembered of how a file was opened.
pub(crate) const REMEMBERED: u32 =
    O_ACCMODE | CHANGEABLE | O_DIRECTORY | O_NOFOLLOW | O_PATH | 0o100_000;

/// How many descriptors there may be, unless the program sets another limit.
pub(crate) const MOST: usize = 1024;

/// A descriptor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Descriptor {
    /// The number of the open file.
    pub open: usize,
    pub close_on_exec: bool,
}

/// An open file, which several descriptors may share.
#[derive(Clone, Debug)]
pub(crate) struct OpenFile {
    pub node: NodeId,
    pub offset: u64,
    pub flags: u32,
    /// How many descriptors lead to it.
    pub descriptors: u32,
    /// What is written to one end of a socket pair is read at the other.
    pub peer: Option<NodeId>,
    /// Directions of an end of a socket pair that were shut down.
    pub shut: Shut,
}

/// Directions of a connection that are over.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shut {
    pub reading: bool,
    pub writing: bool,
}

impl OpenFile {
    pub fn new(node: NodeId, flags: u32) -> OpenFile {
        OpenFile {
            node,
            offset: 0,
            flags: flags & REMEMBERED,
            descriptors: 0,
            peer: None,
            shut: Shut::default(),
        }
    }

    pub fn reads(&self) -> bool {
        self.flags & O_ACCMODE != O_WRONLY && self.flags & O_PATH == 0
    }

    pub fn writes(&self) -> bool {
        self.flags & O_ACCMODE != 0 && self.flags & O_PATH == 0
    }
}

impl Kernel {
    /// The open file of a descriptor.
    pub(crate) fn file(&self, descriptor: i32) -> Result<&OpenFile, Errno> {
        let number = self.open_number(descriptor)?;
        Ok(self.open[number]
            .as_ref()
            .expect("a descriptor leads to it"))
    }

    pub(crate) fn file_mut(&mut self, descriptor: i32) -> Result<&mut OpenFile, Errno> {
        let number = self.open_number(descriptor)?;
        let open = self.open[number].as_mut();
        Ok(Rc::make_mut(open.expect("a descriptor leads to it")))
    }

    pub(crate) fn open_number(&self, descriptor: i32) -> Result<usize, Errno> {
        Ok(self.descriptor(descriptor)?.open)
    }

    pub(crate) fn descriptor(&self, descriptor: i32) -> Result<Descriptor, Errno> {
        let index = usize::try_from(descriptor).ok();
        let found = index.and_then(|index| self.descriptors.get(index).copied().flatten());
        found.ok_or(EBADF)
    }

    /// Gives a descriptor to a file that was opened, the first that is free.
    pub(crate) fn install(&mut self, file: OpenFile, close_on_exec: bool) -> Result<i32, Errno> {
        let at = self.free(0)?;
        let number = match self.open.iter().position(Option::is_none) {
            Some(number) => number,
            None => {
                self.open.push(None);
                self.open.len() - 1
            }
        };
        self.open[number] = Some(Rc::new(file));
        self.lead(at, number, close_on_exec);
        Ok(at as i32)
    }

    /// The first free descriptor that is not below `least`.
    pub(crate) fn free(&self, least: usize) -> Result<usize, Errno> {
        let taken = |at: &usize| self.descriptors.get(*at).is_some_and(Option::is_some);
        let free = (least..self.limits.files).find(|at| !taken(at));
        free.ok_or(EMFILE)
    }

    /// Lets a free descriptor lead to an open file.
    pub(crate) fn lead(&mut self, at: usize, open: usize, close_on_exec: bool) {
        if self.descriptors.len() <= at {
            self.descriptors.resize(at + 1, None);
        }
        self.descriptors[at] = Some(Descriptor {
            open,
            close_on_exec,
        });
        let file = self.open[open].as_mut().expect("it is open");
        Rc::make_mut(file).descriptors += 1;
    }

    /// Closes a descriptor; a file that nothing leads to any more is gone.
    pub(crate) fn close(&mut self, descriptor: i32) -> Result<(), Errno> {
        let open = self.open_number(descriptor)?;
        self.descriptors[descriptor as usize] = None;
        let file = Rc::make_mut(self.open[open].as_mut().expect("a descriptor leads to it"));
        file.descriptors -= 1;
        if file.descriptors == 0 {
            let (node, peer) = (file.node, file.peer);
            self.open[open] = None;
            self.watch_no_more(open);
            self.forget_unused(node);
            if let Some(peer) = peer {
                self.forget_unused(peer);
            }
        }
        Ok(())
    }

    /// Lets nobody look at an open file that is gone.
    fn watch_no_more(&mut self, open: usize) {
        let nodes: Vec<NodeId> = self.open.iter().flatten().map(|file| file.node).collect();
        for node in nodes {
            if let Some(Kind::Event(Event::Watch(watched))) =
                self.tree.find(node).map(|node| &node.kind)
                && watched.iter().any(|it| it.open == open)
                && let Kind::Event(Event::Watch(watched)) = &mut self.tree.get_mut(node).kind
            {
                Rc::make_mut(watched).retain(|it| it.open != open);
            }
        }
    }

    /// Forgets a file that has no name and is not open.
    pub(crate) fn forget_unused(&mut self, node: NodeId) {
        let uses = |file: &Rc<OpenFile>| file.node == node || file.peer == Some(node);
        let is_open = self.open.iter().flatten().any(uses);
        let is_here = self.directory == node;
        let has_name = self.tree.find(node).is_none_or(Node::has_name);
        if !is_open && !is_here && !has_name && node != ROOT {
            self.tree.forget(node);
        }
    }

    /// The directory that a path begins at.
    pub(crate) fn base(&self, descriptor: i32) -> Result<NodeId, Errno> {
        match descriptor {
            AT_FDCWD => Ok(self.directory),
            _ => Ok(self.file(descriptor)?.node),
        }
    }
}
