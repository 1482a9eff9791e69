//! SCXML. The gate is the rule of the W3C's suite: the state `pass` is reached, and `fail`
//! never.

use super::{arrows, refused, text};
use mixed::{Mixed, solver::Solver};
use model::execution::Executor;
use model::exploration::{Bounds, explore};
use model::import::scxml;

/// The states of a chart where it can end, as far as it can be run.
fn ends(body: &str) -> Vec<String> {
    let chart = format!(
        r#"<scxml datamodel="ecmascript">{body}<final id="pass"/><final id="fail"/></scxml>"#
    );
    let text = text(scxml(&chart));
    let model = model::check(&text, &[]).expect("it is a model").model;
    let mut executor = Executor::new(&model, Mixed::from(Solver::default()));
    let tree = explore(&mut executor, &Bounds::default(), None);
    assert_eq!(tree.unknown, 0);
    let states = &model.automata[0].states;
    let is_entered = |name: &&String| {
        let taken = |number: &usize| tree.taken[*number] > 0;
        let numbers = (0..model.transitions.len()).filter(taken);
        let mut entered = numbers.map(|number| &states[model.transitions[number].to]);
        entered.any(|state| state == *name)
    };
    let ends = states
        .iter()
        .filter(|name| ["pass", "fail"].contains(&name.as_str()));
    ends.filter(is_entered).cloned().collect()
}

#[track_caller]
pub(super) fn passes(body: &str) {
    assert_eq!(ends(body), ["pass"]);
}

#[test]
fn a_state_chart_with_data_becomes_a_model() {
    let chart = r#"<scxml xmlns="http://www.w3.org/2005/07/scxml" name="turnstile" initial="locked">
  <datamodel><data id="coins" expr="0"/><data id="open" expr="false"/></datamodel>
  <state id="locked">
    <onexit><assign location="open" expr="true"/></onexit>
    <transition event="coin" cond="_event.data.value &gt;= 2" target="unlocked">
      <assign location="coins" expr="coins + _event.data.value"/>
      <send event="unlock"/>
      <send event="count"><param name="n" expr="coins"/></send>
    </transition>
    <transition event="coin" target="locked"><send event="refuse"/></transition>
  </state>
  <state id="unlocked">
    <transition event="push" target="locked"/>
    <transition cond="coins == 100 &amp;&amp; !open" target="full"/>
  </state>
  <final id="full"/>
</scxml>"#;
    assert_eq!(
        text(scxml(chart)),
        "\
model turnstile

channel coin(Int)
channel unlock
channel count(Int)
channel refuse
channel push

automaton turnstile_machine {
    var coins: Int = 0
    var open: Bool = false
    var coin_value: Int = 0

    initial locked
    state full

    locked -> locked_1, coin?(coin_value) where coin_value >= 2, open := true, coins := coins + coin_value
    locked_1 -> locked_1_2, unlock!
    locked_1_2 -> unlocked, count!(coins)
    locked -> locked_4, coin?(coin_value) where not (coin_value >= 2), open := true
    locked_4 -> locked, refuse!
    unlocked -> full when coins = 100 and not open, tau
    unlocked -> locked, push? where not (coins = 100 and not open)
}
"
    );
}

#[test]
fn of_nested_states_the_inner_one_decides_first() {
    passes(
        r#"<state id="outer" initial="inner"><onentry><raise event="e"/></onentry>
             <state id="inner"><transition event="e" target="pass"/></state>
             <transition event="e" target="fail"/>
           </state>"#,
    );
}

#[test]
fn states_are_left_from_the_inside_and_entered_from_the_outside() {
    passes(
        r#"<datamodel><data id="n" expr="1"/></datamodel>
           <state id="a"><onexit><assign location="n" expr="n * 10 + 3"/></onexit>
             <state id="b"><onexit><assign location="n" expr="n * 10 + 2"/></onexit>
               <transition target="d"><assign location="n" expr="n * 10 + 4"/></transition>
             </state>
           </state>
           <state id="c"><onentry><assign location="n" expr="n * 10 + 5"/></onentry>
             <state id="d"><onentry><assign location="n" expr="n * 10 + 6"/></onentry>
               <transition cond="n == 123456" target="pass"/><transition target="fail"/>
             </state>
           </state>"#,
    );
}

#[test]
fn a_transition_within_a_state_leaves_it_only_if_it_is_external() {
    let with = |kind: &str| {
        format!(
            r#"<datamodel><data id="n" expr="0"/></datamodel>
               <state id="s" initial="s1"><onexit><assign location="n" expr="n + 1"/></onexit>
                 <onentry><raise event="go"/></onentry>
                 <transition event="go" type="{kind}" cond="n == 0 &amp;&amp; In('s1')" target="s2"/>
                 <state id="s1"/>
                 <state id="s2"><transition cond="n == 0" target="pass"/><transition target="fail"/></state>
               </state>"#
        )
    };
    assert_eq!(ends(&with("internal")), ["pass"]);
    assert_eq!(ends(&with("external")), ["fail"]);
}

#[test]
fn regions_take_an_event_side_by_side_and_are_done_together() {
    passes(
        r#"<parallel id="p"><onentry><raise event="e"/></onentry>
             <state id="r1"><state id="a1"><transition event="e" target="f1"/></state><final id="f1"/></state>
             <state id="r2"><state id="a2"><transition event="e" target="f2"/></state><final id="f2"/></state>
             <transition event="done.state.r1" cond="!In('f2')" target="fail"/>
             <transition event="done.state.p" target="pass"/>
           </parallel>"#,
    );
}

#[test]
fn a_history_leads_back_to_where_a_state_was_left() {
    let with = |kind: &str| {
        format!(
            r#"<datamodel><data id="n" expr="0"/></datamodel>
               <state id="s" initial="a">
                 <history id="h" type="{kind}"><transition target="a"/></history>
                 <state id="a"><transition target="b2"/></state>
                 <state id="b" initial="b1">
                   <state id="b1"><transition cond="n == 1" target="fail"/></state>
                   <state id="b2"><transition cond="n == 1" target="pass"/>
                     <transition cond="n == 0" target="away"/></state>
                 </state>
               </state>
               <state id="away"><transition target="h"><assign location="n" expr="1"/></transition></state>"#
        )
    };
    assert_eq!(ends(&with("deep")), ["pass"]);
    assert_eq!(ends(&with("shallow")), ["fail"]);
}

#[test]
fn a_history_of_parallel_states_restores_every_region() {
    passes(
        r#"<state id="s"><history id="h" type="deep"><transition target="p"/></history>
             <parallel id="p">
               <state id="r1"><state id="a1"><transition event="e" target="b1"/></state><state id="b1"/></state>
               <state id="r2"><state id="a2"><transition event="e" target="b2"/></state><state id="b2"/></state>
               <onentry><raise event="e"/><raise event="out"/></onentry>
               <transition event="out" target="away"/>
               <transition cond="In('b1') &amp;&amp; In('b2') &amp;&amp; back" target="pass"/>
             </parallel>
           </state>
           <datamodel><data id="back" expr="false"/></datamodel>
           <state id="away"><transition target="h"><assign location="back" expr="true"/></transition></state>"#,
    );
}

#[test]
fn raised_events_go_before_sent_ones_and_transitions_without_event_before_both() {
    passes(
        r#"<datamodel><data id="n" expr="0"/></datamodel>
           <state id="s"><onentry><send event="sent"/><raise event="raised"/></onentry>
             <transition cond="n == 0" target="t"><assign location="n" expr="1"/></transition>
             <transition event="*" target="fail"/>
           </state>
           <state id="t"><transition event="raised" target="u"/><transition event="*" target="fail"/></state>
           <state id="u"><transition event="sent" target="pass"/><transition event="*" target="fail"/></state>"#,
    );
}

#[test]
fn an_event_carries_values_to_the_chart_itself() {
    passes(
        r#"<datamodel><data id="n" expr="3"/></datamodel>
           <state id="s"><onentry>
               <send event="e" namelist="n"><param name="twice" expr="n * 2"/></send>
               <assign location="n" expr="0"/>
             </onentry>
             <transition event="e" cond="_event.data.n == 3 &amp;&amp; _event.data.twice == 6" target="pass"/>
             <transition event="e" target="fail"/>
           </state>"#,
    );
    passes(
        r#"<state id="s">
             <state id="a"><transition target="f"/></state>
             <final id="f"><donedata><param name="why" expr="'enough'"/></donedata></final>
             <transition event="done.state.s" cond="_event.data.why === 'enough'" target="pass"/>
             <transition event="done.state.s" target="fail"/>
           </state>"#,
    );
}

#[test]
fn the_first_of_several_transitions_that_hold_is_taken() {
    passes(
        r#"<datamodel><data id="n" expr="5"/></datamodel>
           <state id="s"><transition cond="n > 5" target="fail"/><transition cond="n > 4" target="pass"/>
             <transition target="fail"/></state>"#,
    );
}

#[test]
fn branches_of_content_are_decided_by_what_was_assigned_before() {
    passes(
        r#"<datamodel><data id="n" expr="0"/></datamodel>
           <state id="s"><onentry><assign location="n" expr="n + 1"/>
               <if cond="n == 0"><raise event="no"/><elseif cond="n == 1"/><raise event="yes"/>
               <else/><raise event="no"/></if></onentry>
             <transition event="yes" target="pass"/><transition event="no" target="fail"/></state>"#,
    );
}

#[test]
fn expressions_mean_what_they_mean_in_scripts() {
    for holds in [
        "-7 % 2 == -1",
        "7 % 2 === 1",
        "10 - (4 - 3) == 9",
        "(n > 1 ? 'a' : 'b') == 'b'",
        "!(n == 0) || n == 0 && t",
        "'abc'.startsWith('ab') && 'abc'.length == 3 && !'abc'.includes('x')",
        "Math.max(n, 4) == 4 && Math.abs(-2) == 2",
        "!t == false",
        "x / 2 == 0.25",
    ] {
        let condition = holds
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('"', "&quot;");
        passes(&format!(
            r#"<datamodel><data id="n" expr="0"/><data id="t" expr="true"/><data id="x" expr="0.5"/></datamodel>
               <state id="s"><transition cond="{condition}" target="pass"/><transition target="fail"/></state>"#
        ));
    }
}

#[test]
fn an_event_is_for_transitions_that_name_its_first_words() {
    let chart = r#"<scxml><state id="a"><transition event="door" target="b"/></state>
      <state id="b"><transition event="door.open" target="a"/><transition event="doorbell *" target="b"/></state></scxml>"#;
    assert_eq!(
        arrows(scxml(chart)),
        [
            "initial a",
            "a -> b, door?",
            "a -> b, door_open?",
            "b -> b, door?",
            "b -> a, door_open?",
            "b -> b, doorbell?",
        ]
    );
}

#[test]
fn what_comes_with_an_event_has_the_type_that_it_is_used_as() {
    let chart = r#"<scxml><state id="a">
        <transition event="login" cond="_event.data.name == 'root' &amp;&amp; _event.data.load &lt; 0.5" target="b"/>
      </state><state id="b"/></scxml>"#;
    let text = text(scxml(chart));
    assert!(text.contains("channel login(String, Real)"), "{text}");
}

#[test]
fn data_without_a_value_is_noted() {
    let chart = r#"<scxml><datamodel><data id="m"/><data id="who"/></datamodel>
      <state id="a"><onentry><log expr="m"/></onentry>
        <transition event="e" target="a"><assign location="who" expr="'me'"/></transition></state></scxml>"#;
    let imported = scxml(chart).expect("it is a chart");
    assert_eq!(
        imported.notes,
        [
            "line 2: a <log>",
            "line 1: the data m has no value: it begins as 0",
            "line 1: the data who has no value: it begins as \"\"",
        ]
    );
}

#[test]
fn what_a_model_cannot_say_is_refused_by_name_and_line() {
    let chart = r#"<scxml><datamodel><data id="f" src="f.json"/><data id="o" expr="{}"/></datamodel>
      <state id="a"><invoke src="a.scxml"><content/></invoke>
        <onentry><send event="late" delayexpr="n"/><send event="odd" type="27"/><send event="lost" target="baz"/>
          <send event="web" type="basichttp"/><cancel/><foreach array="o" item="i"/><script>if (1) x = 2</script>
          <assign location="o"/></onentry>
        <transition event="done.invoke" target="nowhere"/>
        <datamodel/>
      </state></scxml>"#;
    assert_eq!(
        refused(scxml(chart)),
        [
            "line 1: the value of the data f, which is in f.json",
            "line 2: an <invoke> with `src`",
            "line 2: an <invoke> without a chart in it",
            "line 3: a <send> of the type `27`",
            "line 4: a <send> over HTTP without a target",
            "line 4: a <cancel> without a name",
            "line 4: the script `if (1) x = 2`",
            "line 5: <assign>",
            "line 6: the target `nowhere`, which is no state",
            "`{}`: it has `{`",
        ]
    );
    for (condition, what) in [
        ("Math.random() > 0.5", "`Math.random`"),
        ("n % m == 0", "`%` by `m`, which may be 0"),
        (
            "_event.name == 'x'",
            "`_event.name` where there is no event",
        ),
        (
            "_event.data.x == 1",
            "`_event.data.x`, which no event has here",
        ),
        ("n == 010", "the number `010`"),
        ("n ==", "no end"),
        ("f(n)", "a call of `f`"),
        ("n[0] == 1", "an element of `n`"),
    ] {
        let chart = format!(
            r#"<scxml><datamodel><data id="n" expr="0"/><data id="m" expr="0"/></datamodel>
               <state id="a"><transition cond="{condition}" target="a"/></state></scxml>"#
        );
        let chart = chart.replace(" < ", " &lt; ");
        assert_eq!(
            refused(scxml(&chart)),
            [format!("`{condition}`: it has {what}")]
        );
    }
}

#[test]
fn what_does_not_fit_together_is_refused_with_the_reason() {
    let chart = r#"<scxml><datamodel><data id="n" expr="0"/></datamodel>
      <state id="a"><transition event="e" cond="n || n &gt; 3" target="a"/></state></scxml>"#;
    assert_eq!(
        refused(scxml(chart)),
        [
            "`a -> a, e? where n or n > 3`, as a model would say it: it is an Int, and a Bool should be here"
        ]
    );
    let chart = r#"<scxml><state id="a"><transition event="a.b" target="a"/><transition event="a_b" target="a"/></state></scxml>"#;
    assert_eq!(refused(scxml(chart)), ["`a.b` and `a_b`, as one channel"]);
}

#[test]
fn an_error_never_comes_where_everything_is_understood() {
    let chart = |more: &str| {
        format!(
            r#"<scxml><state id="a">{more}<transition event="error.execution" target="a"/></state></scxml>"#
        )
    };
    let imported = scxml(&chart("")).expect("it is a chart");
    assert_eq!(imported.text.matches(" -> ").count(), 0);
    let sends = chart(r#"<onentry><send event="x" target="http://x"/></onentry>"#);
    assert_eq!(
        refused(scxml(&sends)),
        ["line 1: a transition for `error.execution`"]
    );
}

#[test]
fn queues_without_end_are_refused() {
    let chart = r#"<scxml><state id="a"><onentry><send event="e"/><send event="e"/></onentry>
      <transition event="e" target="a"/></state></scxml>"#;
    assert_eq!(
        refused(scxml(chart)),
        ["more than 1000 configurations and queues"]
    );
}

#[test]
fn elements_that_nest_without_end_are_refused() {
    let deep = |count: usize| {
        let open = (0..count).map(|number| format!("<state id='{number}>'>"));
        let open: String = open.collect();
        let close = "</state>".repeat(count);
        scxml(&format!("<scxml><!-- <a><a> -->{open}{close}</scxml>"))
    };
    assert_eq!(
        deep(20_000).expect_err("it is too deep").to_string(),
        "its elements are nested more than 200 deep, which no state chart needs"
    );
    assert!(deep(150).is_ok());
}

#[test]
fn what_is_no_chart_is_refused() {
    let of_chart = |text: &str| scxml(text).expect_err("it is no chart").to_string();
    assert!(of_chart("<a>").starts_with("it is not XML: "));
    assert_eq!(of_chart("<a/>"), "its root is <a>, not <scxml>");
    assert_eq!(
        of_chart("<scxml/>"),
        "it does not begin in one of its states"
    );
}

#[test]
fn events_that_come_later_come_in_the_order_of_their_times() {
    passes(
        r#"<state id="a">
          <onentry>
            <send event="late" delay="2s"/>
            <send event="early" delayexpr="'500ms'"/>
            <send event="timeout" delay="4.5s"/>
          </onentry>
          <transition event="early" target="b"/>
          <transition event="*" target="fail"/>
        </state>
        <state id="b">
          <transition event="late" target="c"/>
          <transition event="*" target="fail"/>
        </state>
        <state id="c"><transition event="timeout" target="pass"/></state>"#,
    );
}

#[test]
fn what_a_chart_does_by_itself_comes_before_what_takes_time() {
    passes(
        r#"<datamodel><data id="n" expr="0"/></datamodel>
        <state id="a">
          <onentry><send event="timeout" delay="1ms"/><send event="own"/><raise event="raised"/></onentry>
          <transition event="raised" target="b"/>
          <transition event="*" target="fail"/>
        </state>
        <state id="b">
          <transition event="own" target="c"/>
          <transition event="*" target="fail"/>
        </state>
        <state id="c">
          <transition cond="n &lt; 3" target="c"><assign location="n" expr="n + 1"/></transition>
          <transition event="timeout" cond="n == 3" target="pass"/>
          <transition event="timeout" target="fail"/>
        </state>"#,
    );
}

#[test]
fn an_event_that_is_cancelled_does_not_come() {
    passes(
        r#"<state id="a">
          <onentry>
            <send id="first" event="one" delay="1s"/>
            <send event="two" delay="1.5s"/>
            <cancel sendid="first"/>
          </onentry>
          <transition event="one" target="fail"/>
          <transition event="two" target="pass"/>
        </state>"#,
    );
}

#[test]
fn values_of_an_event_are_those_of_when_it_was_sent() {
    passes(
        r#"<datamodel><data id="n" expr="1"/></datamodel>
        <state id="a">
          <onentry>
            <send event="late" delay="1s"><param name="then" expr="n"/></send>
            <assign location="n" expr="2"/>
          </onentry>
          <transition event="late" cond="_event.data.then == 1" target="pass"/>
          <transition event="late" target="fail"/>
        </state>"#,
    );
}

#[test]
fn a_blinking_light_blinks_in_time() {
    let chart = r##"<scxml name="blinker">
      <state id="off"><transition event="start" target="on"/></state>
      <state id="on">
        <onentry><send event="light" target="#_lamp"/><send event="next" delay="1s"/></onentry>
        <transition event="next" target="on"/>
        <transition event="stop" target="off"/>
      </state>
    </scxml>"##;
    let refused = refused(scxml(chart));
    assert_eq!(refused, ["more than 3 `next` under way at once"]);
    let right = chart.replace("delay=\"1s\"/>", "id=\"n\" delay=\"1s\"/>");
    let right = right.replace(
        "</onentry>",
        "</onentry><onexit><cancel sendid=\"n\"/></onexit>",
    );
    assert_eq!(
        arrows(scxml(&right)),
        [
            "initial off",
            "off -> off_1, start?, since := 0",
            "off_1 -> on, light!, timer_1 := 0",
            "on -> off, stop?",
            "on -> on when timer_1 >= 1.000, light!, timer_1 := 0",
        ]
    );
}

#[test]
fn a_chart_that_counts_its_rounds_comes_to_an_end() {
    // Without the count, each round would have one more event under way.
    passes(
        r#"<datamodel><data id="rounds" expr="0"/></datamodel>
           <state id="outer" initial="hist">
             <onentry>
               <assign location="rounds" expr="rounds + 1"/>
               <send event="late" delay="2s"/>
             </onentry>
             <history id="hist"><transition target="first"/></history>
             <state id="first"><transition cond="rounds == 1" target="second"/></state>
             <state id="second"><transition cond="rounds &lt; 3" target="away"/></state>
             <transition cond="rounds == 3 &amp;&amp; In('second')" target="pass"/>
             <transition event="late" target="fail"/>
           </state>
           <state id="away"><transition target="hist"/></state>"#,
    );
}

#[test]
fn operators_on_bits_are_understood_between_conditions() {
    passes(
        r#"<datamodel><data id="a" expr="3"/><data id="b" expr="4"/></datamodel>
           <state id="s">
             <transition cond="a == 4 | b != 4" target="fail"/>
             <transition cond="a == 3 &amp; b == 4 | a == 9" target="pass"/>
             <transition target="fail"/>
           </state>"#,
    );
    let chart = r#"<scxml datamodel="ecmascript"><datamodel><data id="a" expr="3"/></datamodel>
        <state id="s"><transition cond="(a | 1) == 3" target="s"/></state></scxml>"#;
    assert_eq!(
        refused(scxml(chart)),
        ["`(a | 1) == 3`: it has `|` of what is no condition"]
    );
}

#[test]
fn data_begin_with_what_data_before_them_give_and_empty_attributes_say_nothing() {
    passes(
        r#"<datamodel><data id="x" expr="0x10"/><data id="y" expr="x * 2"/><data id="b" expr="y &gt; 31"/>
             <data id="z" expr="b ? y : x"/><data id="later" expr=""/></datamodel>
           <state id="s">
             <transition cond="z != 32" target="fail"/>
             <transition cond="" target="pass"/>
           </state>"#,
    );
}
