//! What scripts of SCXML compute beforehand: lists, values without a type, where events go, and
//! errors of the chart itself. Again `pass` has to be reached, and `fail` never.

use super::charts::passes;
use super::refused;
use model::import::scxml;

#[test]
fn a_loop_takes_the_elements_of_a_list_in_order() {
    passes(
        r#"<datamodel><data id="list" expr="[7, 5, 9]"/><data id="n" expr="0"/></datamodel>
           <state id="s"><onentry>
               <foreach array="list" item="x" index="i"><assign location="n" expr="n * 10 + x + i"/></foreach>
             </onentry>
             <transition cond="n == 771 &amp;&amp; x == 9 &amp;&amp; i == 2" target="pass"/>
             <transition target="fail"/>
           </state>"#,
    );
}

#[test]
fn a_loop_is_about_the_list_as_it_was() {
    passes(
        r#"<datamodel><data id="list">[1, 2, 3]</data><data id="n" expr="0"/><data id="x"/></datamodel>
           <state id="s"><onentry>
               <foreach array="list" item="x">
                 <assign location="list" expr="[].concat(list, [4])"/><assign location="n" expr="n + 1"/>
               </foreach>
             </onentry>
             <transition cond="n == 3 &amp;&amp; list.length == 6 &amp;&amp; list[5] === 4" target="pass"/>
             <transition target="fail"/>
           </state>"#,
    );
}

#[test]
fn a_loop_over_what_is_no_list_is_an_error_that_ends_the_block() {
    passes(
        r#"<datamodel><data id="number" expr="7"/><data id="n" expr="0"/></datamodel>
           <state id="s">
             <onentry><foreach array="number" item="x"/><assign location="n" expr="1"/></onentry>
             <onentry><assign location="n" expr="n + 2"/></onentry>
             <transition event="error.execution" cond="n == 2" target="t"/><transition event="*" target="fail"/>
           </state>
           <state id="t"><onentry><raise event="go"/>
               <foreach array="[1]" item="two words"/></onentry>
             <transition event="go"/><transition event="error" target="pass"/>
           </state>"#,
    );
}

#[test]
fn a_variable_may_hold_nothing_and_then_something_of_any_type() {
    passes(
        r#"<datamodel><data id="v"/><data id="w" expr="null"/></datamodel>
           <state id="a"><transition cond="typeof v === 'undefined' &amp;&amp; w == v &amp;&amp; w !== v" target="b"/>
             <transition target="fail"/></state>
           <state id="b"><onentry><assign location="v" expr="'text' + 1"/></onentry>
             <transition cond="v === 'text1' &amp;&amp; typeof unknown == 'undefined'" target="c"/><transition target="fail"/></state>
           <state id="c"><onentry><assign location="v" expr="[v.length, true]"/></onentry>
             <transition cond="v[0] == 5 &amp;&amp; v[1] &amp;&amp; v[2] === undefined" target="pass"/><transition target="fail"/></state>"#,
    );
}

#[test]
fn a_condition_that_is_no_truth_value_is_taken_for_one() {
    passes(
        r#"<datamodel><data id="n" expr="0"/><data id="t" expr="'a'"/></datamodel>
           <state id="a"><transition cond="n" target="fail"/><transition cond="!t" target="fail"/>
             <transition cond="t" target="b"/></state>
           <state id="b"><transition cond="'foo'" target="pass"/><transition target="fail"/></state>"#,
    );
}

#[test]
fn what_is_computed_says_which_event_goes_where_and_when() {
    passes(
        r#"<datamodel><data id="address" expr="27"/><data id="event" expr="'late'"/>
             <data id="delay" expr="200"/></datamodel>
           <state id="s"><onentry>
               <send eventexpr="event" delayexpr="delay + 'ms'"/><send event="later" delay="1s"/>
               <assign location="address" expr="'#_internal'"/>
               <assign location="event" expr="'ear' + 'ly'"/>
               <send targetexpr="address" eventexpr="event"/>
             </onentry>
             <transition event="early" target="t"/><transition event="*" target="fail"/>
           </state>
           <state id="t"><transition event="late" target="pass"/><transition event="*" target="fail"/></state>"#,
    );
}

#[test]
fn an_event_knows_where_it_comes_from_and_what_it_says() {
    passes(
        r#"<state id="a"><onentry><send event="e" id="name"><content>some  words</content></send><raise event="i"/></onentry>
             <transition event="i" cond="_event.type == 'internal' &amp;&amp; _event.sendid === undefined" target="b"/>
             <transition event="*" target="fail"/></state>
           <state id="b">
             <transition event="e" cond="_event.type == 'external' &amp;&amp; _event.sendid == 'name' &amp;&amp; _event.data == 'some words'" target="c"/>
             <transition event="*" target="fail"/></state>
           <state id="c"><final id="f"><donedata><content expr="3 * 4"/></donedata></final>
             <transition event="done.state.c" cond="_event.data == 12 &amp;&amp; _event.type == 'platform'" target="pass"/>
             <transition event="*" target="fail"/></state>"#,
    );
}

#[test]
fn an_event_without_data_has_none_and_a_computed_name_cancels_one() {
    passes(
        r#"<datamodel><data id="what"/><data id="which" expr="'first'"/></datamodel>
           <state id="a"><onentry><raise event="e"/></onentry>
             <transition event="e" cond="typeof _event.data === 'undefined'" target="b">
               <assign location="what" expr="_event.name"/></transition>
             <transition event=".*" target="fail"/></state>
           <state id="b"><onentry>
               <send event="x" id="first" delay="1s"/><send event="y" delay="2s"><param name="n" expr="3"/></send>
               <cancel sendidexpr="which"/></onentry>
             <transition event="x" target="fail"/>
             <transition event="y" cond="what == 'e' &amp;&amp; _event.data['n'] == 3" target="pass"/>
             <transition event="y" target="fail"/></state>"#,
    );
}

#[test]
fn errors_of_the_chart_are_events() {
    passes(
        r#"<datamodel><data id="n" expr="0"/></datamodel>
           <state id="a"><onentry><assign location="absent" expr="1"/><assign location="n" expr="5"/></onentry>
             <transition event="error.execution" cond="n == 0" target="b"/><transition event="*" target="fail"/></state>
           <state id="b"><transition cond="undefined.member" target="fail"/>
             <transition event="error.execution" target="c"/></state>
           <state id="c"><onentry><send event="never" target="nowhere"/></onentry>
             <transition event="error.execution" target="d"/><transition event="*" target="fail"/></state>
           <state id="d"><final id="f"><donedata><param name="x" expr="absent"/></donedata></final>
             <transition event="error.execution"/><transition event="done.state.d" target="pass"/></state>"#,
    );
}

#[test]
fn what_has_to_be_known_and_is_not_is_refused() {
    let chart = |content: &str| {
        let text = format!(
            r#"<scxml><datamodel><data id="v" expr="'x'"/></datamodel>
  <state id="s"><transition event="e">
    {content}
  </transition></state></scxml>"#
        );
        refused(scxml(&text))
    };
    assert_eq!(
        chart(r#"<assign location="v" expr="_event.data.a"/><send eventexpr="v"/>"#),
        ["`_event.data.a`: its value has to be known beforehand"]
    );
    assert_eq!(
        chart(r#"<foreach array="_event.data.list" item="x"/>"#),
        ["`_event.data.list`: its value has to be known beforehand"]
    );
    assert_eq!(
        chart(r#"<send event="f" targetexpr="3"/>"#),
        ["`3`: it is 3, and a text should be here"]
    );
    assert_eq!(
        chart(r#"<send event="f"><content><part/></content></send>"#),
        ["line 3: a <content> that is no plain value"]
    );
}

#[test]
fn a_script_may_have_comments_and_show_what_it_does() {
    let chart = r#"<datamodel><data id="n" expr="0"/></datamodel>
           <state id="s"><onentry><script>
               // n = 7; never
               n = 1; console.log("n; is", n)
               n += 2 /* three */
             </script></onentry>
             <transition cond="n == 3" target="pass"/>
             <transition target="fail"/>
           </state>"#;
    passes(chart);
}

#[test]
fn data_that_is_xml_is_refused_by_name() {
    let chart = r#"<scxml><datamodel><data id="list"><books><book/></books></data></datamodel>
                     <state id="s"><transition event="e" target="s"/></state></scxml>"#;
    assert_eq!(
        refused(scxml(chart)),
        ["line 1: the value of the data list, which is <books>"]
    );
}
