//! Charts that invoke others: each runs as a session of its own, and they send each other events.

use super::charts::passes;
use super::{arrows, refused, text};
use model::import::scxml;

/// A state that invokes a chart, with more in it and with attributes of the `<invoke>`.
fn invoking(attributes: &str, child: &str, more: &str) -> String {
    format!(
        r#"<state id="s"><invoke type="scxml" {attributes}>
             <content><scxml name="child">{child}</scxml></content>
           </invoke>{more}</state>"#
    )
}

#[test]
fn a_chart_runs_beside_the_state_that_invokes_it() {
    passes(&invoking(
        "",
        r##"<state id="a"><onentry><send event="hello" target="#_parent"/></onentry>
              <transition target="b"/></state><final id="b"/>"##,
        r#"<transition event="hello" target="pass"/><transition event="*" target="fail"/>"#,
    ));
}

#[test]
fn its_end_is_told_after_all_that_it_sent_and_nothing_comes_after_it() {
    let chart = invoking(
        r#"id="worker""#,
        r##"<final id="f">
              <onentry><send event="one" target="#_parent"/></onentry>
              <onexit><send event="two" target="#_parent"/></onexit>
              <donedata><param name="sum" expr="7"/></donedata>
            </final>"##,
        r#"<transition event="*" target="fail"/>
           <state id="s1"><transition event="one" target="s2"/></state>
           <state id="s2"><transition event="two" target="s3"/></state>
           <state id="s3"><transition event="done.invoke.worker" cond="_event.data.sum == 7 &amp;&amp; _event.invokeid == 'worker'" target="pass"/></state>"#,
    );
    passes(&chart);
}

#[test]
fn both_sides_send_each_other_events() {
    passes(&invoking(
        r#"id="child""#,
        r##"<state id="a"><onentry><send event="ready" target="#_parent"/></onentry>
              <transition event="question" target="b">
                <send event="answer" target="#_parent"><param name="n" expr="_event.data.n * 2"/></send>
              </transition></state>
            <state id="b"/>"##,
        r##"<state id="s1"><transition event="ready" target="s2">
              <send event="question" target="#_child"><param name="n" expr="21"/></send></transition></state>
            <state id="s2"><transition event="answer" cond="_event.data.n == 42" target="pass"/>
              <transition event="answer" target="fail"/></state>"##,
    ));
}

#[test]
fn a_chart_ends_with_its_state_and_what_it_still_sends_comes_to_nobody() {
    passes(&format!(
        r#"{}<state id="t"><onentry><send event="late" delay="3s"/></onentry>
             <transition event="late" target="pass"/><transition event="*" target="fail"/></state>"#,
        invoking(
            "",
            r##"<state id="a"><onentry><send event="soon" target="#_parent" delay="2s"/></onentry>
                  <onexit><send event="bye" target="#_parent"/></onexit></state>"##,
            r#"<onentry><send event="leave" delay="1s"/></onentry><transition event="leave" target="t"/>"#,
        )
    ));
}

#[test]
fn variables_are_its_own_and_begin_with_what_it_is_given() {
    passes(&format!(
        r#"<datamodel><data id="n" expr="1"/></datamodel>{}"#,
        r##"<state id="s">
              <invoke namelist="n"><param name="m" expr="n + 4"/>
                <content><scxml><datamodel><data id="n" expr="0"/><data id="m" expr="0"/></datamodel>
                  <state id="a"><transition cond="n == 1 &amp;&amp; m == 5" target="b">
                      <assign location="n" expr="8"/><send event="right" target="#_parent"/></transition>
                    <transition target="b"><send event="wrong" target="#_parent"/></transition></state>
                  <final id="b"/></scxml></content>
              </invoke>
              <transition event="right" cond="n == 1" target="pass"/>
              <transition event="right wrong" target="fail"/></state>"##
    ));
}

#[test]
fn what_comes_from_it_is_finalized_before_conditions_are_looked_at() {
    passes(
        r##"<datamodel><data id="n" expr="1"/></datamodel>
            <state id="s">
              <invoke><content><scxml><final id="a"><onentry>
                  <send event="e" target="#_parent"><param name="v" expr="2"/></send></onentry></final></scxml></content>
                <finalize><assign location="n" expr="_event.data.v"/></finalize>
              </invoke>
              <transition event="e" cond="n == 2" target="pass"/>
              <transition event="e" target="fail"/></state>"##,
    );
}

#[test]
fn events_are_passed_on_where_that_is_wanted() {
    let chart = |forward: &str| {
        let body = invoking(
            forward,
            r##"<state id="a"><transition event="knock" target="b"><send event="heard" target="#_parent"/></transition></state>
                <state id="b"/>"##,
            r#"<transition event="heard" target="t"/>"#,
        );
        format!(r#"<scxml>{body}<state id="t"/></scxml>"#)
    };
    let with = text(scxml(&chart(r#"autoforward="true""#)));
    assert!(with.contains("channel knock"), "{with}");
    assert_eq!(
        arrows(scxml(&chart(""))),
        ["initial s", "s -> s_, tau", "s_ -> s_a, tau"]
    );
}

#[test]
fn a_session_that_is_not_there_is_an_error_of_the_sender() {
    passes(&format!(
        r##"{}<state id="t"><onentry><send event="x" target="#_child"/></onentry>
             <transition event="error.communication" target="pass"/></state>"##,
        invoking(
            r#"id="child""#,
            r#"<final id="a"/>"#,
            r#"<transition event="done.invoke" target="t"/>"#,
        )
    ));
}

#[test]
fn a_chart_in_another_file_or_of_another_kind_is_refused_by_name() {
    for (invoke, what) in [
        (
            r#"<invoke src="file:a.scxml"/>"#,
            vec![
                "an <invoke> with `src`",
                "an <invoke> without a chart in it",
            ],
        ),
        (
            r#"<invoke type="ccxml"><content><scxml><state id="x"/></scxml></content></invoke>"#,
            vec!["an <invoke> of the type `ccxml`"],
        ),
        (
            "<invoke namelist='n'><content><scxml><state id='x'/></scxml></content></invoke>",
            vec!["a value for `n`, which the invoked chart does not have"],
        ),
        (
            "<invoke><content><scxml><state id='x'/></scxml></content><finalize/></invoke>",
            vec!["a <finalize> with nothing in it"],
        ),
    ] {
        let chart = format!(r#"<scxml><state id="s">{invoke}</state></scxml>"#);
        let what: Vec<String> = what.iter().map(|it| format!("line 1: {it}")).collect();
        assert_eq!(refused(scxml(&chart)), what);
    }
}

#[test]
fn what_the_platform_chooses_is_only_known_to_be_what_it_is() {
    passes(
        r#"<datamodel><data id="id"/><data id="session" expr="_sessionid"/><data id="old" expr="_ioprocessors"/></datamodel>
           <state id="s"><onentry><send event="e" idlocation="id"/></onentry>
             <transition event="e" cond="_event.sendid === id &amp;&amp; typeof id == 'string' &amp;&amp; session == _sessionid" target="t"/>
             <transition event="e" target="fail"/></state>
           <state id="t"><onentry><assign location="_sessionid" expr="'mine'"/></onentry>
             <transition event="error.execution" cond="old == _ioprocessors &amp;&amp; _ioprocessors['scxml'].location" target="pass"/></state>"#,
    );
    passes(
        r#"<state id="u"><onentry><send event="f" targetexpr="'#_scxml_' + _sessionid"/></onentry>
             <transition event="f" cond="_event.origin == _ioprocessors['scxml'].location" target="pass"/></state>"#,
    );
    let chart = r#"<scxml><state id="s"><transition event="e" cond="_sessionid == 'a'" target="s"/></state></scxml>"#;
    assert_eq!(
        refused(scxml(chart)),
        ["`_sessionid == 'a'`: it has `_sessionid`"]
    );
}

#[test]
fn a_script_of_the_chart_is_run_before_it_begins() {
    passes(
        r#"<datamodel><data id="n" expr="1"/></datamodel>
           <script>var m = 4; n = n + 1;</script>
           <state id="s"><transition cond="n == 2 &amp;&amp; m == 4" target="pass"/><transition target="fail"/></state>"#,
    );
}

#[test]
fn what_an_invoked_chart_has_no_variable_for_is_not_given_to_it() {
    let chart = r##"<datamodel><data id="n" expr="3"/></datamodel>
        <state id="s"><invoke namelist="n"><param name="m" expr="4"/>
            <content><scxml><datamodel><data id="k" expr="1"/></datamodel>
              <state id="a"><transition cond="k == 1" target="b"><send event="right" target="#_parent"/></transition></state>
              <final id="b"/></scxml></content></invoke>
          <transition event="right" target="pass"/></state>"##;
    passes(chart);
    let imported = scxml(&format!("<scxml>{chart}<state id='pass'/></scxml>")).expect("imports");
    let told: Vec<&String> = imported
        .notes
        .iter()
        .filter(|it| it.contains("not have"))
        .collect();
    assert_eq!(
        told,
        [
            "line 2: a value for `n`, which the invoked chart does not have",
            "line 2: a value for `m`, which the invoked chart does not have"
        ]
    );
}

#[test]
fn errors_of_messages_are_known_where_a_chart_and_the_one_it_invokes_only_send_each_other() {
    passes(&invoking(
        r#"id="child""#,
        r##"<state id="a"><onentry><send event="up" target="#_parent"/></onentry>
              <transition event="down" target="b"/></state><final id="b"/>"##,
        r##"<state id="s1"><transition event="up" target="s2"/></state>
            <state id="s2"><onentry><send event="down" target="#_child"/></onentry>
              <transition event="done.invoke" target="pass"/>
              <transition event="error" target="fail"/></state>"##,
    ));
}
