//! HAMPI's language: answers, whichever the encoding, and what is refused.

use grammar::Encoding;
use grammar::hampi::{Query, Reply, Session, Settings};

const ENCODINGS: [Encoding; 3] = [Encoding::Core, Encoding::Chart, Encoding::Auto];

fn solutions(text: &str, encoding: Encoding, most: usize) -> Vec<Vec<String>> {
    let query = Query::parse(text).expect("the text is well-formed");
    let settings = Settings {
        encoding,
        ..Settings::default()
    };
    let mut session = Session::new(&query, settings).expect("the query is small");
    let mut all = Vec::new();
    while all.len() < most {
        match session.next().expect("solutions are confirmed") {
            Reply::Solution(values) => {
                let values = values
                    .iter()
                    .map(|v| String::from_utf8_lossy(v).into_owned());
                all.push(values.collect());
            }
            Reply::None => break,
            Reply::Unknown(reason) => panic!("{reason}"),
        }
    }
    all
}

const WORKED_EXAMPLE: &str = r#"
    var v : 2;
    cfg E := "()" | E E | "(" E ")";
    reg Efixed := fixsize(E, 6);
    val q := concat("((", v, "))");
    assert q in Efixed;
    assert q contains "())";
"#;

#[test]
fn the_worked_example_is_answered_as_published() {
    for encoding in ENCODINGS {
        assert_eq!(
            solutions(WORKED_EXAMPLE, encoding, 1),
            [[")("]],
            "{encoding:?}"
        );
    }
}
