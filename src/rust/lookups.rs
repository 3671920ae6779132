//! What was looked up in a tree, each kept from the first question on.

use std::any::Any;
use std::cell::OnceCell;

/// A list of cells, one for each type of value that was asked for.
#[derive(Default)]
pub(crate) struct Lookups(OnceCell<(Box<dyn Any>, Box<Lookups>)>);

impl Lookups {
    /// The value of this type, found by `find` unless it is known; `find` may look up others.
    pub(crate) fn get<T: 'static>(&self, find: impl FnOnce() -> T) -> &T {
        self.cell().get_or_init(find)
    }

    fn cell<T: 'static>(&self) -> &OnceCell<T> {
        let (cell, rest) = self.0.get_or_init(|| (Box::new(OnceCell::<T>::new()), Box::default()));
        cell.downcast_ref().unwrap_or_else(|| rest.cell())
    }
}

#[test]
fn what_is_looked_up_may_look_up_something_else_and_is_found_once() {
    let lookups = Lookups::default();
    let length = lookups.get(|| lookups.get(|| "four").len());
    assert_eq!((length, lookups.get(|| 5_usize)), (&4, &4));
    assert_eq!(lookups.get(|| "five"), &"four");
}
