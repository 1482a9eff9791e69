// run: --sym-arg 2
fn main() {
    let argument = std::env::args_os().nth(1).unwrap();
    match argument.to_str() {
        Some("-v") => println!("verbose"),
        Some(_) => println!("quiet"),
        None => println!("not Unicode"),
    }
}
