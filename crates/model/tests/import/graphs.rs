//! GraphWalker's graphs: edges are what the tester does, vertices what is verified.

use super::{arrows, refused, text};
use model::import::{graphml, graphwalker};

#[test]
fn a_graph_with_guards_and_actions_becomes_a_model() {
    let graph = r#"{"models": [{"name": "Login", "generator": "random(edge_coverage(100))",
        "startElementId": "e0", "actions": ["var tries = 0;"],
        "vertices": [{"id": "v1", "name": "v_Client"}, {"id": "v2", "name": "v_In"}, {"id": "v3"}],
        "edges": [
          {"id": "e0", "name": "e_Start", "targetVertexId": "v1"},
          {"id": "e1", "name": "e_Login", "sourceVertexId": "v1", "targetVertexId": "v2",
           "guard": "tries < 3;", "actions": ["tries++;"]},
          {"id": "e2", "name": "e_Logout", "sourceVertexId": "v2", "targetVertexId": "v3"},
          {"id": "e3", "sourceVertexId": "v3", "targetVertexId": "v1", "actions": ["tries += 2;"]}]}]}"#;
    assert_eq!(
        text(graphwalker(graph)),
        "\
model Login

channel v_Client
channel v_In
channel e_Login
channel e_Logout
channel e_Start

automaton Login_machine {
    var tries: Int = 0

    initial start

    v_Client_entered -> v_Client, v_Client!
    v_In_entered -> v_In, v_In!
    v_Client -> v_In_entered when tries < 3, e_Login?, tries := tries + 1
    v_In -> v3, e_Logout?
    v3 -> v_Client_entered, tau, tries := tries + 2
    start -> v_Client_entered, e_Start?
}
"
    );
    let imported = graphwalker(graph).expect("it is a graph");
    assert_eq!(imported.notes, ["`generator` of the model Login"]);
}

#[test]
fn graphs_go_on_in_each_other_where_they_share_a_state() {
    let graph = r#"{"models": [
        {"name": "A", "startElementId": "v", "vertices": [{"id": "v", "sharedState": "S"}], "edges": []},
        {"name": "B", "vertices": [{"id": "w", "name": "w", "sharedState": "S"}],
         "edges": [{"id": "e", "name": "go", "sourceVertexId": "w", "targetVertexId": "w"}]}]}"#;
    assert_eq!(
        arrows(graphwalker(graph)),
        [
            "initial v",
            "w_entered -> w, w!",
            "w -> w_entered, go?",
            "v -> w_entered, tau",
            "w -> v, tau",
        ]
    );
    let apart = graph.replace(r#""name": "w", "sharedState": "S""#, r#""name": "w""#);
    assert_eq!(
        refused(graphwalker(&apart)),
        ["the model B: it shares no state with another one"]
    );
}

#[test]
fn blocked_elements_are_not_there() {
    let graph = r#"{"models": [{"startElementId": "v", "vertices": [{"id": "v"}, {"id": "w", "properties": {"blocked": true}}],
        "edges": [{"id": "a", "name": "a", "sourceVertexId": "v", "targetVertexId": "w"},
                  {"id": "b", "name": "b", "sourceVertexId": "v", "targetVertexId": "v", "properties": {"blocked": true}},
                  {"id": "c", "name": "c", "sourceVertexId": "v", "targetVertexId": "v"}]}]}"#;
    assert_eq!(arrows(graphwalker(graph)), ["initial v", "v -> v, c?"]);
}

#[test]
fn labels_of_graphml_have_names_guards_actions_and_words() {
    let graph = r#"<graphml xmlns:y="y"><graph>
      <node id="n0"><data><y:NodeLabel>Start</y:NodeLabel></data></node>
      <node id="n1"><data><y:NodeLabel>v_Cart
REQTAG=UC01
INIT:books=0;</y:NodeLabel></data></node>
      <node id="n2"><data><y:NodeLabel>v_Old
BLOCKED</y:NodeLabel></data></node>
      <edge id="e0" source="n0" target="n1"><data><y:EdgeLabel>e_init / books = 0;</y:EdgeLabel></data></edge>
      <edge id="e1" source="n1" target="n1"><data><y:EdgeLabel>e_Add [books&lt;=3] / books++;
weight=0.3</y:EdgeLabel></data></edge>
      <edge id="e2" source="n1" target="n2"><data><y:EdgeLabel>e_Old</y:EdgeLabel></data></edge>
    </graph></graphml>"#;
    assert!(text(graphml(graph)).contains("@req \"UC01\""));
    assert_eq!(
        arrows(graphml(graph)),
        [
            "initial start",
            "v_Cart_entered -> v_Cart, v_Cart!",
            "v_Cart -> v_Cart_entered when books <= 3, e_Add?, books := books + 1",
            "start -> v_Cart_entered, e_init?, books := 0",
        ]
    );
}

#[test]
fn what_scripts_say_and_models_cannot_is_refused_by_name() {
    let graph = r#"{"models": [{"name": "M", "startElementId": "v", "actions": ["n = 0;", "who = nobody();"],
        "vertices": [{"id": "v", "name": "start"}],
        "edges": [
          {"id": "e", "name": "go", "sourceVertexId": "v", "targetVertexId": "v",
           "guard": "isUp(n)", "actions": ["n = >;", "call()"]},
          {"id": "f", "name": "lost", "sourceVertexId": "w", "targetVertexId": "v"}]}]}"#;
    assert_eq!(
        refused(graphwalker(graph)),
        [
            "the action who = nobody(): it has a call of `nobody`",
            "the action n = > of e: it has `>`",
            "the action call() of e: it has `call()`",
            "the guard isUp(n) of e: it has a call of `isUp`",
            "the edge f: there is no vertex w",
        ]
    );
}

#[test]
fn what_is_no_graph_is_refused() {
    let of_graph = |text: &str| graphwalker(text).expect_err("it is no graph").to_string();
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
    assert_eq!(
        graphml("<a/>").expect_err("it is no graph").to_string(),
        "its root is <a>, not <graphml>"
    );
    assert!(graphwalker(&"[".repeat(20_000)).is_err());
}
