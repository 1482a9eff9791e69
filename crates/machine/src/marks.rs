//! What policies keep with a path.

use std::any::Any;
use std::rc::Rc;

/// At most one value of each type, shared by the states that forked from one another
/// until one of them changes it. A path that no policy marked carries nothing.
#[derive(Clone, Default)]
pub struct Marks(Vec<Rc<dyn Any>>);

impl Marks {
    /// The path's value of a type, if it has one.
    #[inline]
    pub fn get<T: Any>(&self) -> Option<&T> {
        self.0.iter().find_map(|mark| mark.downcast_ref())
    }

    /// The same to change it; what was not there is the default.
    pub fn get_mut<T: Any + Clone + Default>(&mut self) -> &mut T {
        let at = self.0.iter().position(|mark| mark.is::<T>());
        let at = at.unwrap_or_else(|| {
            self.0.push(Rc::new(T::default()));
            self.0.len() - 1
        });
        let mark = &mut self.0[at];
        if Rc::get_mut(mark).is_none() {
            let own: T = mark
                .downcast_ref::<T>()
                .expect("it was found by its type")
                .clone();
            *mark = Rc::new(own);
        }
        let own = Rc::get_mut(mark).expect("it is nobody else's now");
        own.downcast_mut().expect("it was found by its type")
    }

    /// Puts a value in the place of what was there.
    pub fn set<T: Any>(&mut self, value: T) {
        self.remove::<T>();
        self.0.push(Rc::new(value));
    }

    /// Forgets the value of a type.
    pub fn remove<T: Any>(&mut self) {
        self.0.retain(|mark| !mark.is::<T>());
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn a_fork_sees_what_was_there_and_changes_its_own() {
        let mut marks = Marks::default();
        assert_eq!(marks.get::<u32>(), None);
        *marks.get_mut::<u32>() += 1;
        marks.set("word");
        let mut fork = marks.clone();
        *fork.get_mut::<u32>() += 1;
        assert_eq!(
            (marks.get::<u32>(), fork.get::<u32>()),
            (Some(&1), Some(&2))
        );
        fork.remove::<&str>();
        assert_eq!(
            (marks.get::<&str>(), fork.get::<&str>()),
            (Some(&"word"), None)
        );
    }
}
