//! What the system keeps for a program: files, descriptors, signals, time.
//!
//! It is data of a path, behind one pointer: a fork copies the pointer, and a path that
//! changes something afterwards copies that and shares the rest. What system calls do with
//! it is in `shims/kernel`.

pub(crate) mod bytes;
pub(crate) mod clock;
pub(crate) mod descriptors;
pub(crate) mod errno;
pub(crate) mod limits;
pub(crate) mod signals;
pub(crate) mod tree;

use crate::environment::Environment;
use crate::streams::{STDIN, Stream, StreamId};
use crate::value::Value;
use clock::Clock;
use descriptors::{Descriptor, O_APPEND, O_WRONLY, OpenFile};
use limits::ResourceLimits;
use signals::Signals;
use std::rc::Rc;
use term::Store;
use tree::{Device, Kind, Node, NodeId, Tree, name};

/// Where programs find themselves.
const HOME: [&str; 2] = ["home", "program"];

/// What the system keeps for a program.
#[derive(Clone)]
pub(crate) struct Kernel {
    pub tree: Tree,
    /// Open files by number.
    pub open: Vec<Option<Rc<OpenFile>>>,
    pub descriptors: Vec<Option<Descriptor>>,
    /// The current directory.
    pub directory: NodeId,
    pub umask: u32,
    pub clock: Clock,
    pub signals: Signals,
    pub limits: ResourceLimits,
    /// Where the break began and where it is.
    pub program_break: Option<(u64, u64)>,
    /// Bytes written to standard output and error, by descriptor.
    pub written: [u64; 3],
    /// Symbolic peers that nobody is connected to yet.
    pub peers: Vec<StreamId>,
    pub failures: Failures,
}

impl Kernel {
    /// Whether a handler of a signal may be running.
    #[inline]
    pub(crate) fn handles_signals(&self) -> bool {
        self.signals.is_handling()
    }
}

/// What a program starts with in its surroundings, and the streams it may read.
pub(crate) fn surroundings<'p>(
    store: &mut Store,
    environment: &Environment,
) -> (Rc<Kernel>, Vec<Stream<'p>>) {
    let mut streams = vec![Stream::new(store, STDIN, environment.stdin)];
    let mut tree = Tree::new();
    let home = tree.make_directories(&HOME);
    for (file, most) in &environment.files {
        let id = StreamId(streams.len());
        streams.push(Stream::new(store, &format!("{file}_data"), Some(*most)));
        tree.make(home, name(file), Node::new(Kind::Stream(id), 0o644));
    }
    let mut peers = Vec::new();
    for number in 0..environment.sockets.0 {
        peers.push(StreamId(streams.len()));
        let name = format!("socket{number:02}");
        streams.push(Stream::new(store, &name, Some(environment.sockets.1)));
    }
    let temporary = tree.make_directories(&["tmp"]);
    tree.get_mut(temporary).mode = 0o1777;
    let devices = tree.make_directories(&["dev"]);
    for (file, device) in [
        ("null", Device::Null),
        ("zero", Device::Zero),
        ("full", Device::Full),
        ("random", Device::Random),
        ("urandom", Device::Random),
        ("tty", Device::Terminal),
        ("stdin", Device::Descriptor(0)),
        ("stdout", Device::Descriptor(1)),
        ("stderr", Device::Descriptor(2)),
    ] {
        tree.make(devices, name(file), Node::new(Kind::Device(device), 0o666));
    }
    for directory in &environment.host {
        tree.mount(directory);
    }
    let standard = [
        (Kind::Stream(StreamId::STDIN), 0),
        (Kind::Device(Device::Output(1)), O_WRONLY | O_APPEND),
        (Kind::Device(Device::Output(2)), O_WRONLY | O_APPEND),
    ];
    let mut kernel = Kernel {
        tree,
        open: Vec::new(),
        descriptors: Vec::new(),
        directory: home,
        umask: 0o022,
        clock: Clock::new(),
        signals: Signals::new(),
        limits: ResourceLimits::new(),
        program_break: None,
        written: [0; 3],
        peers,
        failures: Failures::default(),
    };
    for (kind, flags) in standard {
        let mut node = Node::new(kind, 0o600);
        // Somebody else holds it too.
        node.links = 1;
        let node = kernel.tree.add(node);
        let installed = kernel.install(OpenFile::new(node, flags), false);
        debug_assert!(installed.is_ok(), "three descriptors are below the limit");
    }
    kernel.tree.start(kernel.clock.now());
    (Rc::new(kernel), streams)
}

/// The failures of a path.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Failures {
    /// How many calls have failed.
    pub count: u32,
    /// The input that decides about the call that is being made: a state that forks in a
    /// call makes it again, and its input only once.
    pub deciding: Option<Value>,
}
