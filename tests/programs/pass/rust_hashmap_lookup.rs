use std::collections::HashMap;

fn main() {
    let mut ages = HashMap::new();
    ages.insert("ann", 30);
    ages.insert("bob", 41);
    let older: bool = everypath::any();
    *ages.get_mut("ann").unwrap() += if older { 20 } else { 0 };
    assert_eq!(ages["ann"] > ages["bob"], older);
    assert_eq!(ages.get("eve"), None);
}
