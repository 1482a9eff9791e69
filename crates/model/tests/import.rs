//! Imports: what comes out, and what is said of the rest.

use model::check;
use model::import::{graphwalker, scxml};

#[test]
fn a_state_chart_with_data_becomes_a_model() {
    let imported = scxml(
        r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" name="turnstile" initial="locked">
  <datamodel><data id="coins" expr="0"/><data id="open" expr="false"/></datamodel>
  <state id="locked">
    <onexit><assign location="open" expr="true"/></onexit>
    <transition event="coin" cond="_event.data.value &gt;= 2" target="unlocked">
      <assign location="coins" expr="coins + _event.data.value"/>
      <send event="unlock"/>
      <send event="count"><param name="n" expr="coins"/></send>
    </transition>
    <transition event="coin" target="locked"><send event="refuse"/></transition>
    <transition event="tick" target="locked"><send event="late" delay="5s"/></transition>
  </state>
  <state id="unlocked">
    <transition event="push" target="locked"/>
    <transition cond="coins == 100 &amp;&amp; !open" target="full"/>
    <transition cond="Math.random() > 0.5" target="full"/>
  </state>
  <parallel id="both"/>
  <final id="full"/>
</scxml>"#,
    )
    .expect("it is SCXML");
    assert_eq!(
        imported.text,
        "\
model turnstile

channel coin(Int)
channel unlock
channel count(Int)
channel refuse
channel tick
channel push

automaton turnstile_machine {
    var coins: Int = 0
    var open: Bool = false
    var coin_value: Int = 0

    initial locked
    state full

    locked -> locked_1, coin?(coin_value) where (coin_value >= 2), open := true, coins := coins + coin_value
    locked_1 -> locked_2, unlock!
    locked_2 -> unlocked, count!(coins)
    locked -> locked_4, coin?(coin_value) where (not (coin_value >= 2)), open := true
    locked_4 -> locked, refuse!
    locked -> locked, tick?, open := true
    unlocked -> locked, push?
    unlocked -> full when coins = 100 and not open, tau
}
"
    );
    assert!(check(&imported.text, &[]).is_ok());
    assert_eq!(
        imported.left_out,
        [
            "line 18: <parallel>",
            "line 11: a <send> with a delay",
            "line 16: the condition Math.random() > 0.5: it has `Math.random`",
        ]
    );
}

#[test]
fn a_graph_with_guards_and_actions_becomes_a_model() {
    let imported = graphwalker(
        r#"{"models": [{"name": "Login", "generator": "random(edge_coverage(100))",
            "startElementId": "e0", "actions": ["var tries = 0;", "var who = nobody();"],
            "vertices": [{"id": "v1", "name": "v_Client"}, {"id": "v2", "name": "v_In", "sharedState": "IN"}],
            "edges": [
              {"id": "e0", "name": "e_Start", "targetVertexId": "v1"},
              {"id": "e1", "name": "e_Login", "sourceVertexId": "v1", "targetVertexId": "v2",
               "guard": "tries < 3", "actions": ["tries++;"]},
              {"id": "e2", "name": "e_Logout", "sourceVertexId": "v2", "targetVertexId": "v1"},
              {"id": "e3", "sourceVertexId": "v2", "targetVertexId": "v2", "actions": ["tries += 2;"]}]},
            {"name": "Other"}]}"#,
    )
    .expect("it is GraphWalker's");
    assert_eq!(
        imported.text,
        "\
model Login

channel e_Start
channel e_Login
channel e_Logout

automaton Login_machine {
    var tries: Int = 0

    initial start

    start -> v_Client, e_Start?
    v_Client -> v_In when tries < 3, e_Login?, tries := tries + 1
    v_In -> v_Client, e_Logout?
    v_In -> v_In, tau, tries := tries + (2)
}
"
    );
    assert_eq!(
        imported.left_out,
        [
            "the model Other: one model is carried over, the first",
            "`sharedState` of the vertex v_In",
            "`generator` of the model",
            "the action var who = nobody(): it has `nobody ( )`, whose type is not known",
        ]
    );
    assert!(check(&imported.text, &[]).is_ok());
}

#[test]
fn entering_the_first_state_of_a_chart_is_carried_over() {
    let imported = scxml(
        r#"<scxml initial="start"><datamodel><data id="n">4</data><data id="m"/>
  <data id="f" src="f.json"/></datamodel>
  <state id="start">
    <onentry><assign location="n" expr="7"/><log expr="n"/><send event="ready"/>
      <assign location="m" expr="_event.data.x"/></onentry>
    <transition event="again" target="start"/>
  </state>
</scxml>"#,
    )
    .expect("it is SCXML");
    assert_eq!(
        imported.text,
        "\
model imported

channel again(Int)
channel ready

automaton imported_machine {
    var n: Int = 4
    var m: Int = 0
    var f: Int = 0
    var again_x: Int = 0

    initial start_

    start -> start_1, again?(again_x), n := 7
    start_1 -> start, ready!, m := again_x
    start_ -> start__3, tau, n := 7
    start__3 -> start, ready!
}
"
    );
    assert_eq!(
        imported.left_out,
        [
            "line 1: the data m has no value: it begins as the Int 0",
            "line 2: the value of the data f, which is in f.json: it begins as the Int 0",
            "line 4: <log>",
            "line 5: the start has no event whose data could be read",
        ]
    );
    assert!(check(&imported.text, &[]).is_ok());
}

#[test]
fn edges_without_a_source_are_followed_or_listed() {
    let imported = graphwalker(
        r#"{"models": [{"name": "M", "startElementId": "e0", "actions": ["n = 0;"],
            "vertices": [{"id": "v", "name": "start"}],
            "edges": [
              {"id": "e0", "name": "begin", "targetVertexId": "v", "guard": "n == 0", "actions": ["n = 5;"]},
              {"id": "e1", "name": "other", "targetVertexId": "v"},
              {"id": "e2", "name": "lost", "sourceVertexId": "w", "targetVertexId": "v"},
              {"id": "e3", "name": "stay", "sourceVertexId": "v", "targetVertexId": "v"}]}]}"#,
    )
    .expect("it is GraphWalker's");
    assert_eq!(
        imported.text,
        "\
model M

channel begin
channel stay

automaton M_machine {
    var n: Int = 0

    initial start_

    start_ -> start when n = 0, begin?, n := 5
    start -> start, stay?
}
"
    );
    assert_eq!(
        imported.left_out,
        [
            "the edge e1: it leaves no vertex, and is not the first",
            "the edge e2: there is no vertex w for it to leave",
        ]
    );
    let plain = |start: &str, edge: &str| {
        let text = format!(
            r#"{{"models": [{{"startElementId": "{start}", "vertices": [{{"id": "v"}}, {{"id": "w"}}],
               "edges": [{edge}]}}]}}"#
        );
        let imported = graphwalker(&text).expect("it is GraphWalker's");
        let initial = imported.text.lines().find(|line| line.contains("initial"));
        (
            initial.unwrap_or_default().trim().to_owned(),
            imported.left_out,
        )
    };
    assert_eq!(
        plain("e", r#"{"id": "e", "targetVertexId": "w"}"#),
        ("initial w".to_owned(), vec![])
    );
    let listed = "the start at the edge e: the model begins in v, which it leaves".to_owned();
    assert_eq!(
        plain(
            "e",
            r#"{"id": "e", "sourceVertexId": "v", "targetVertexId": "w"}"#
        ),
        ("initial v".to_owned(), vec![listed])
    );
}

#[test]
fn elements_that_nest_without_end_are_refused() {
    let deep = |count: usize| {
        let (open, close) = ("<state id='>'>".repeat(count), "</state>".repeat(count));
        scxml(&format!("<scxml><!-- <a><a> -->{open}{close}</scxml>"))
    };
    assert_eq!(
        deep(20_000).expect_err("it is too deep").to_string(),
        "its elements are nested more than 200 deep, which no state chart needs"
    );
    assert!(deep(150).is_ok());
    assert!(graphwalker(&"[".repeat(20_000)).is_err());
}

#[test]
fn what_is_no_such_file_is_refused() {
    let of_chart = |text: &str| scxml(text).expect_err("it is no chart").to_string();
    let of_graph = |text: &str| graphwalker(text).expect_err("it is no graph").to_string();
    assert!(of_chart("<a>").starts_with("it is not XML: "));
    assert_eq!(of_chart("<a/>"), "its root is <a>, not <scxml>");
    assert_eq!(
        of_chart("<scxml/>"),
        "it does not begin in one of its states"
    );
    assert_eq!(
        of_graph("["),
        "it is not a GraphWalker file: EOF while parsing a list at line 1 column 1"
    );
    assert_eq!(
        of_graph("{}"),
        "it is not a GraphWalker file: missing field `models` at line 1 column 2"
    );
    assert_eq!(of_graph(r#"{"models": []}"#), "it has no model");
    assert_eq!(of_graph(r#"{"models": [{}]}"#), "the model has no vertices");
    assert_eq!(
        of_graph(r#"{"models": [{"vertices": [{}]}]}"#),
        "it is not a GraphWalker file: missing field `id` at line 1 column 28"
    );
}

#[test]
fn what_scripts_say_and_models_cannot_is_listed_and_left_out() {
    let imported = graphwalker(
        r#"{"models": [{"name": "M", "startElementId": "v", "actions": ["n = 0;"],
            "vertices": [{"id": "v", "name": "start"}],
            "edges": [
              {"id": "e", "name": "go", "sourceVertexId": "v", "targetVertexId": "v",
               "guard": "n >= +2", "actions": ["n = >;"]}]}]}"#,
    )
    .expect("it is JSON");
    assert!(check(&imported.text, &[]).is_ok(), "{}", imported.text);
    let left_out = imported.left_out.join("\n");
    assert!(left_out.contains("`n >= +2`"), "{left_out}");
    assert!(left_out.contains("`>`"), "{left_out}");
}
