//! Files and directories: a tree for each path, of which paths share what none of them
//! has changed.
//!
//! A program finds an empty current directory of its own, with the symbolic files it was
//! given, an empty `/tmp` and a few devices. Names are bytes that may be symbolic.

use super::bytes::{Byte, Contents, known};
use super::limits::USER;
use crate::memory::{CAPACITY, ObjectId, Radix};
use crate::streams::StreamId;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// The number of a file, its inode.
pub(crate) type NodeId = u32;

/// A name in a directory.
pub(crate) type Name = Rc<[Byte]>;

/// A file of whatever kind.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub kind: Kind,
    /// Permissions, without the bits of the kind.
    pub mode: u32,
    pub uid: u32,
    pub gid: u32,
    /// Names that lead to it.
    pub links: u32,
    pub accessed: Time,
    pub modified: Time,
    pub changed: Time,
    /// Whether it is the host's, which nobody changes.
    pub read_only: bool,
    /// Where it is mapped and shared: what is written there is written to the file.
    pub mappings: Rc<Vec<Mapping>>,
}

/// Seconds and nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Time {
    pub seconds: i64,
    pub nanoseconds: i64,
}

/// Part of a file that is an object of program memory too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Mapping {
    pub object: ObjectId,
    pub from: usize,
    pub size: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A file whose bytes are all known to be there.
    File(Rc<Contents>),
    /// A file of symbolic bytes, of which the path has decided only what it read.
    Stream(StreamId),
    Directory(Directory),
    Link(Name),
    Device(Device),
    /// What was written to a pipe and not yet read.
    Pipe(Rc<Contents>),
    Socket(Socket),
    /// What a program is told of, and no file.
    Event(Event),
    /// Something of the host that nobody has looked at, and the directory it is in.
    Unseen(Rc<PathBuf>, NodeId),
    /// A file of the host that nobody has opened, and its size.
    Host(Rc<PathBuf>, u64),
}

#[derive(Clone, Debug)]
pub(crate) struct Directory {
    pub entries: Rc<Vec<Entry>>,
    pub parent: NodeId,
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub name: Name,
    pub node: NodeId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Device {
    Null,
    Zero,
    Full,
    Random,
    Terminal,
    /// Standard output and error: what is written is kept with the path.
    Output(i32),
    /// Opening it copies a descriptor, as `/dev/stdin` does.
    Descriptor(i32),
}

pub(crate) const ROOT: NodeId = 1;

/// All files of a path.
#[derive(Clone)]
pub(crate) struct Tree {
    nodes: Radix<Rc<Node>>,
    next: NodeId,
}

impl Tree {
    /// Makes the times of all files this one.
    pub fn start(&mut self, now: Time) {
        for id in ROOT..self.next {
            if self.find(id).is_some() {
                self.get_mut(id).touch(now);
            }
        }
    }

    /// Only the root.
    pub fn new() -> Tree {
        let mut tree = Tree {
            nodes: Radix::new(),
            next: ROOT,
        };
        tree.add(Node::new(Kind::directory(ROOT), 0o755));
        tree.get_mut(ROOT).links = 2;
        tree
    }

    pub fn get(&self, id: NodeId) -> &Node {
        self.nodes.get(id).expect("a file that is in use is there")
    }

    /// The file, if it has not been forgotten.
    pub fn find(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id).map(|node| &**node)
    }

    pub fn get_mut(&mut self, id: NodeId) -> &mut Node {
        let node = self.nodes.get_mut(id);
        Rc::make_mut(node.expect("a file that is in use is there"))
    }

    pub fn add(&mut self, node: Node) -> NodeId {
        let id = self.next;
        self.next += 1;
        self.nodes.replace(id, Some(Rc::new(node)));
        id
    }

    /// The file that an object is a shared mapping of.
    pub fn mapped(&self, object: ObjectId) -> Option<NodeId> {
        let mut found = None;
        self.nodes.visit(0, CAPACITY - 1, &mut |id, node| {
            if node.mappings.iter().any(|mapping| mapping.object == object) {
                found = Some(id);
            }
        });
        found
    }

    /// Forgets a file that nothing leads to any more.
    pub fn forget(&mut self, id: NodeId) {
        self.nodes.replace(id, None);
    }

    /// Whether another file can be made.
    pub fn has_room(&self) -> bool {
        self.next < CAPACITY
    }

    /// Puts a name into a directory.
    pub fn link(&mut self, directory: NodeId, name: Name, node: NodeId) {
        if let Kind::Directory(inner) = &mut self.get_mut(node).kind {
            inner.parent = directory;
            self.get_mut(directory).links += 1;
        }
        self.get_mut(node).links += 1;
        let Kind::Directory(outer) = &mut self.get_mut(directory).kind else {
            return;
        };
        Rc::make_mut(&mut outer.entries).push(Entry { name, node });
    }

    /// Takes a name out of a directory.
    pub fn unlink(&mut self, directory: NodeId, name: &Name) {
        let Kind::Directory(outer) = &mut self.get_mut(directory).kind else {
            return;
        };
        let entries = Rc::make_mut(&mut outer.entries);
        let Some(at) = entries.iter().position(|entry| entry.name == *name) else {
            return;
        };
        let Entry { node, .. } = entries.remove(at);
        self.get_mut(node).links -= 1;
        if let Kind::Directory(_) = self.get(node).kind {
            self.get_mut(directory).links -= 1;
        }
    }

    /// Makes a file and its first name.
    pub fn make(&mut self, directory: NodeId, name: Name, node: Node) -> NodeId {
        let id = self.add(node);
        self.link(directory, name, id);
        id
    }

    /// Makes the directories of a path as far as they are missing; where the last one is.
    pub fn make_directories(&mut self, path: &[&str]) -> NodeId {
        let mut at = ROOT;
        for part in path {
            let name = name(part);
            let found = self.entries(at).iter().find(|entry| entry.name == name);
            at = match found.map(|entry| entry.node) {
                Some(node) => node,
                None => self.make(at, name, Node::new(Kind::directory(at), 0o755)),
            };
        }
        at
    }

    /// Makes a directory of the host visible.
    pub fn mount(&mut self, path: &Path) {
        let names: Vec<String> = path
            .components()
            .filter_map(|component| match component {
                Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
                Component::Prefix(_)
                | Component::RootDir
                | Component::CurDir
                | Component::ParentDir => None,
            })
            .collect();
        let Some((last, before)) = names.split_last() else {
            return;
        };
        let before: Vec<&str> = before.iter().map(String::as_str).collect();
        let directory = self.make_directories(&before);
        let unseen = Node::new(Kind::Unseen(Rc::new(path.to_owned()), directory), 0o755);
        self.make(directory, name(last), unseen);
    }

    /// The entries of a directory; none of what is no directory.
    pub fn entries(&self, directory: NodeId) -> &[Entry] {
        match &self.get(directory).kind {
            Kind::Directory(directory) => &directory.entries,
            _ => &[],
        }
    }
}

impl Node {
    /// A file that nothing leads to yet; a directory has itself as an entry.
    pub fn new(kind: Kind, mode: u32) -> Node {
        let links = u32::from(matches!(kind, Kind::Directory(_)));
        Node {
            kind,
            mode,
            uid: USER,
            gid: USER,
            links,
            accessed: Time::default(),
            modified: Time::default(),
            changed: Time::default(),
            read_only: false,
            mappings: Rc::default(),
        }
    }

    /// Makes all its times this one.
    pub fn touch(&mut self, now: Time) {
        (self.accessed, self.modified, self.changed) = (now, now, now);
    }

    /// Whether a name leads to it; a directory is an entry of itself.
    pub fn has_name(&self) -> bool {
        self.links > u32::from(self.is_directory())
    }

    pub fn is_directory(&self) -> bool {
        matches!(self.kind, Kind::Directory(_))
    }
}

impl Kind {
    pub fn directory(parent: NodeId) -> Kind {
        Kind::Directory(Directory {
            entries: Rc::default(),
            parent,
        })
    }

    pub fn empty_file() -> Kind {
        Kind::File(Rc::default())
    }

    /// The bits of a mode that tell the kind.
    pub fn mode(&self) -> u32 {
        match self {
            Kind::File(_) | Kind::Stream(_) | Kind::Host(..) | Kind::Unseen(..) => 0o100_000,
            // As in `program > file`.
            Kind::Device(Device::Output(_)) => 0o100_000,
            Kind::Device(_) => 0o020_000,
            Kind::Directory(_) => 0o040_000,
            Kind::Link(_) => 0o120_000,
            Kind::Pipe(_) => 0o010_000,
            Kind::Socket(_) => 0o140_000,
            Kind::Event(_) => 0,
        }
    }
}

/// Counters, timers and what looks at other descriptors.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    Counter {
        count: u64,
        /// Whether a read takes one, and not all.
        is_semaphore: bool,
    },
    /// When it rings next, in nanoseconds since 1970, or 0; and how long it is between.
    Timer {
        next: u64,
        interval: u64,
    },
    Watch(Rc<Vec<Watched>>),
}

/// A descriptor that is looked at.
#[derive(Clone, Debug)]
pub(crate) struct Watched {
    pub descriptor: i32,
    /// The open file that it led to.
    pub open: usize,
    pub events: u32,
    /// What the program wants to be told with them.
    pub data: u64,
    /// What it was told last.
    pub told: u32,
    /// Whether it was told once and wanted that.
    pub is_off: bool,
}

/// What became of a socket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Socket {
    Open,
    /// One that sends to anybody, and has heard of no peer yet.
    Datagram,
    Listening,
    /// Connected to the peer that sends this stream.
    Connected(StreamId),
}

/// A name of known characters.
pub(crate) fn name(text: &str) -> Name {
    known(text.as_bytes()).into()
}
