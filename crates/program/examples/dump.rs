//! Prints the listing of the files given.
fn main() {
    let mut options = program::LoadOptions::default();
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--promote" => options.promote = true,
            "-O1" => options.opt_level = program::OptLevel::Less,
            "-O2" => options.opt_level = program::OptLevel::Default,
            other if other.starts_with('-') => options.cc_args.push(other.into()),
            other => files.push(other.into()),
        }
    }
    let start = std::time::Instant::now();
    match program::load(&files, &options) {
        Ok(program) => {
            eprintln!("loaded in {:?}", start.elapsed());
            println!("{program}");
            for (function, pc, text) in program.unsupported() {
                let name = &program.functions[function.index()].name;
                println!("UNSUPPORTED {name}+{pc}: {text}");
            }
        }
        Err(error) => println!("{error}"),
    }
}
