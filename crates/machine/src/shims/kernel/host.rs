//! Directories of the host that the program may read, at their own paths.
//!
//! Nothing is read before the program looks: a directory's entries when it is searched,
//! a file's contents when it is opened. What is written stays with the path.

use super::Break;
use super::user::fail;
use crate::kernel::bytes::{Contents, known};
use crate::kernel::errno::{EACCES, EIO};
use crate::kernel::tree::{Directory, Entry, Kind, Node, NodeId, Tree};
use crate::state::State;
use std::path::Path;
use std::rc::Rc;

/// Finds out what is there on the host, if nobody has before.
pub(super) fn look(state: &mut State, id: NodeId) {
    let Kind::Unseen(path, parent) = &state.kernel.tree.get(id).kind else {
        return;
    };
    let (path, parent) = (path.clone(), *parent);
    let tree = &mut Rc::make_mut(&mut state.kernel).tree;
    let data = std::fs::metadata(&*path);
    let kind = match data {
        Ok(data) if data.is_dir() => directory(tree, &path, id, parent),
        Ok(data) => Kind::Host(path, data.len()),
        // A link that leads nowhere, or what we may not look at.
        Err(_) => Kind::Host(path, 0),
    };
    let is_directory = matches!(kind, Kind::Directory(_));
    let node = tree.get_mut(id);
    node.mode = if is_directory { 0o555 } else { 0o444 };
    node.read_only = true;
    node.kind = kind;
}

fn directory(tree: &mut Tree, path: &Path, id: NodeId, parent: NodeId) -> Kind {
    let found = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut names: Vec<_> = found.map(|entry| entry.file_name()).collect();
    // The order in which the system lists them is not the same everywhere.
    names.sort();
    let entries = names.into_iter().map(|file| {
        let mut node = Node::new(Kind::Unseen(Rc::new(path.join(&file)), id), 0o755);
        node.links = 1;
        Entry {
            name: known(file.as_encoded_bytes()).into(),
            node: tree.add(node),
        }
    });
    let entries = Rc::new(entries.collect());
    Kind::Directory(Directory { entries, parent })
}

/// Reads a file of the host that is opened.
pub(super) fn load(state: &mut State, id: NodeId) -> Result<(), Break> {
    look(state, id);
    let Kind::Host(path, _) = &state.kernel.tree.get(id).kind else {
        return Ok(());
    };
    let bytes = match std::fs::read(&**path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => return fail(EACCES),
        Err(_) => return fail(EIO),
    };
    let contents = Rc::new(Contents::of(&known(&bytes)));
    let tree = &mut Rc::make_mut(&mut state.kernel).tree;
    tree.get_mut(id).kind = Kind::File(contents);
    Ok(())
}
