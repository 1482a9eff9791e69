//! State diagrams in PlantUML and Mermaid.

use super::{arrows, refused};
use model::import::{mermaid, plantuml};

#[test]
fn arrows_carry_an_event_a_guard_and_actions() {
    let drawing = "\
@startuml
title A door
[*] --> Closed
Closed -right-> Open : open [tries < 3] / tries = tries + 1; beep
Closed --> Locked : lock
Locked : shown in the state
Open --> Closed : close() / tries = 0
Open -[#red]-> [*] : break
note left of Open
  any text --> at all
end note
@enduml
";
    assert_eq!(
        arrows(plantuml(drawing)),
        [
            "initial Closed",
            "Closed -> Closed_1, open? where tries < 3, tries := tries + 1",
            "Closed_1 -> Open, beep!",
            "Closed -> Locked, lock?",
            "Open -> Closed, close?, tries := 0",
            "Open -> imported_end, break?",
        ]
    );
    let imported = plantuml(drawing).expect("it is a drawing");
    assert_eq!(
        imported.notes,
        [
            "line 6: the description `shown in the state`",
            "the variable tries begins as 0",
        ]
    );
}

#[test]
fn states_within_states_regions_and_histories_are_flattened() {
    let drawing = "\
```mermaid
stateDiagram-v2
    [*] --> Off
    Off --> On : power
    state On {
        [*] --> Low
        Low --> High : up
        --
        [*] --> Quiet
        Quiet --> Loud : sound
    }
    On --> Off : power
```
";
    assert_eq!(
        arrows(mermaid(drawing)),
        [
            "initial Off",
            "Off -> Low_Quiet, power?",
            "Low_Quiet -> Off, power?",
            "Low_Quiet -> High_Quiet, up?",
            "Low_Quiet -> Low_Loud, sound?",
            "High_Quiet -> Off, power?",
            "High_Quiet -> High_Loud, sound?",
            "Low_Loud -> Off, power?",
            "Low_Loud -> High_Loud, up?",
            "High_Loud -> Off, power?",
        ]
    );
    let drawing = "\
@startuml
[*] --> Play
state Play {
  [*] --> First
  First --> Second : next
}
Play --> Paused : pause
Paused --> Play[H] : resume
@enduml
";
    assert_eq!(
        arrows(plantuml(drawing)),
        [
            "initial First",
            "First -> Paused, pause?",
            "First -> Second, next?",
            "Paused -> First, resume?",
            "Second -> Paused_, pause?",
            "Paused_ -> Second, resume?",
        ]
    );
}

#[test]
fn a_state_with_states_in_it_is_left_without_an_event_when_they_end() {
    let drawing = "\
@startuml
[*] --> Work
state Work {
  [*] --> Step
  Step : entry / begin
  Step --> [*] : done
}
Work --> Idle
@enduml
";
    assert_eq!(
        arrows(plantuml(drawing)),
        [
            "initial start",
            "start -> Step, begin!",
            "Step -> Work_end_then_done_state_Work, done?",
            "Work_end_then_done_state_Work -> Idle, tau",
        ]
    );
    let endless = drawing.replace("Step --> [*] : done", "Step --> Step : done");
    assert_eq!(
        refused(plantuml(&endless)),
        ["line 8: an arrow without an event from a state that never ends"]
    );
}

#[test]
fn of_arrows_that_can_be_taken_it_may_be_any() {
    let drawing = "\
stateDiagram-v2
    [*] --> Ready : file given
    Ready --> check : read
    state check <<choice>>
    check --> Ready : [n > 2] / n = 0
    check --> Other : [n > 1]
    check --> Bad : [else]
";
    assert_eq!(
        arrows(mermaid(drawing)),
        [
            "initial ___",
            "___ -> Ready, file_given?",
            "Ready -> check, read?",
            "check -> Ready when n > 2, tau, n := 0",
            "check -> Other when n > 1, tau",
            "check -> Bad when not (n > 2) and not (n > 1), tau",
        ]
    );
}

#[test]
fn what_a_drawing_does_not_say_clearly_is_refused() {
    let drawing = "\
@startuml
[*] --> A
[*] --> B
A --> B : x > 3
A --> B : go / 5s later!
A --> B : go [
state J <<expansion>>
state \"two words\"
A --> C[H]
A : do / turn
A : yes / no
!include other.puml
@enduml
";
    assert_eq!(
        refused(plantuml(drawing)),
        [
            "line 3: another beginning",
            "line 4: the label `x > 3`: it has `x > 3`, which names no event",
            "line 5: the label `go / 5s later!`: it has `5s later!`, which is no name and no assignment",
            "line 6: the label `go [`: it has a guard without end",
            "line 7: state J <<expansion>>",
            "line 8: state \"two words\"",
            "line 9: `C[H]`",
            "line 10: `do / turn`",
            "line 11: `yes / no`",
            "line 12: `!include other.puml`",
        ]
    );
    let drawing = "@startuml\n[*] --> D\nstate D {\nD1 --> D2\n}\n@enduml";
    assert_eq!(
        refused(plantuml(drawing)),
        ["the state D: nothing says where it begins"]
    );
    let deep = "state D {\n".repeat(20_000);
    assert!(plantuml(&format!("@startuml\n[*] --> D\n{deep}@enduml")).is_err());
    let none = |text: &str| plantuml(text).expect_err("it is no drawing").to_string();
    assert_eq!(none("A --> B"), "it has no model");
    assert_eq!(
        none("@startuml\nA --> B\n@enduml"),
        "it does not begin in one of its states"
    );
}

#[test]
fn what_is_done_on_entry_and_on_exit_may_be_said_in_other_words() {
    let drawing = |entry: &str, exit: &str| {
        format!(
            "@startuml\n[*] --> A\nA --> B : go\nB --> A : back\nB : {entry} / ring\nA : {exit} / bye\n@enduml"
        )
    };
    let usual = arrows(plantuml(&drawing("entry", "exit")));
    assert!(
        usual.iter().any(|arrow| arrow.ends_with("ring!")),
        "{usual:?}"
    );
    for (entry, exit) in [("on_entry", "on_exit"), ("On entry", "On exit")] {
        assert_eq!(arrows(plantuml(&drawing(entry, exit))), usual);
    }
}

#[test]
fn what_is_done_within_a_state_does_not_leave_it() {
    let drawing = "\
@startuml
skin rose
[*] --> A
A : entry / ring
A : comment / a state
A : on tick [n < 3] / n = n + 1
A : tock / shown(n, 'now')
A --> B : go / n = 0
A <-- B : back
A <-up- B : return [n > 1]\\n--\\nbeep()
@enduml
";
    assert_eq!(
        arrows(plantuml(drawing)),
        [
            "initial start",
            "start -> A, ring!",
            "A -> B, go?, n := 0",
            "A -> A, tick? where n < 3, n := n + 1",
            "A -> A_4, tock?",
            "A_4 -> A, shown!(n, \"now\")",
            "B -> B_6, back?",
            "B_6 -> A, ring!",
            "B -> B_8, return? where n > 1",
            "B_8 -> B_8_9, beep!",
            "B_8_9 -> A, ring!",
        ]
    );
}

#[test]
fn what_only_says_how_a_drawing_looks_is_passed_over() {
    let drawing = "stateDiagram-v2
        accDescr {
            what it is about -->
        }
        classDef loud fill:red
        [*] --> Quiet:::loud
        Quiet:::loud --> Noisy: turn
        Noisy --> Quiet: turn";
    assert_eq!(
        arrows(mermaid(drawing)),
        [
            "initial Quiet",
            "Quiet -> Noisy, turn?",
            "Noisy -> Quiet, turn?",
        ]
    );
}

#[test]
fn an_arrow_from_a_choice_has_a_guard_and_no_event() {
    let drawing = |first: &str, second: &str| {
        let text = format!(
            "stateDiagram-v2
            state which [[choice]]
            [*] --> Idle
            Idle --> Idle: reset / n = 0
            Idle --> which: go
            which --> Left: {first}
            which --> Right: {second}"
        );
        mermaid(&text)
    };
    assert_eq!(
        arrows(drawing("if n < 0", "else")),
        arrows(drawing("[n < 0]", "[else]"))
    );
    assert_eq!(
        refused(drawing("coin valid", "[else]")),
        ["line 6: the label `coin valid`: it has `coin valid` where a guard in brackets should be"]
    );
}

#[test]
fn between_a_fork_and_a_join_the_branches_go_side_by_side() {
    let drawing = "stateDiagram-v2
        state apart <<fork>>
        state together <<join>>
        [*] --> Idle
        Idle --> apart: start / count = 0
        apart --> Heating
        apart --> Filling
        Heating --> Hot: warm
        Hot --> together
        Filling --> together: full
        together --> Washing: / spin
        Washing --> Idle: done";
    assert_eq!(
        arrows(mermaid(drawing)),
        [
            "initial Idle",
            "Idle -> Heating_Filling, start?, count := 0",
            "Heating_Filling -> Hot_Filling, warm?",
            "Heating_Filling -> Heating_apart_2_end_then_done_state_apart_2, full?",
            "Hot_Filling -> apart_1_end_Filling_then_done_state_apart_1, tau",
            "Heating_apart_2_end_then_done_state_apart_2 -> Heating_apart_2_end, tau",
            "apart_1_end_Filling_then_done_state_apart_1 -> apart_1_end_Filling, tau",
            "Heating_apart_2_end -> Hot_apart_2_end, warm?",
            "apart_1_end_Filling -> apart_1_end_apart_2_end_then_done_state_apart_2_then_done_state_apart, full?",
            "Hot_apart_2_end -> apart_1_end_apart_2_end_then_done_state_apart_1_then_done_state_apart, tau",
            "apart_1_end_apart_2_end_then_done_state_apart_2_then_done_state_apart -> apart_1_end_apart_2_end_then_done_state_apart, tau",
            "apart_1_end_apart_2_end_then_done_state_apart_1_then_done_state_apart -> apart_1_end_apart_2_end_then_done_state_apart, tau",
            "apart_1_end_apart_2_end_then_done_state_apart -> Washing, spin!",
            "Washing -> Idle, done?",
        ]
    );
}

#[test]
fn a_fork_into_regions_enters_several_states_and_a_join_waits_for_them() {
    let drawing = "@startuml
        state F <<fork>>
        state J <<join>>
        state Both {
            [*] --> A1
            A1 --> A2 : a
            --
            [*] --> B1
            B1 --> B2 : b
        }
        [*] --> Off
        Off --> F : on
        F --> A1
        F --> B2
        A2 --> J
        B2 --> J
        J --> Off
        @enduml";
    assert_eq!(
        arrows(plantuml(drawing)),
        [
            "initial Off",
            "Off -> A1_B2, on?",
            "A1_B2 -> A2_B2, a?",
            "A2_B2 -> Off, tau",
        ]
    );
}

#[test]
fn forks_and_joins_that_do_not_fit_together_are_refused() {
    let refusal = |lines: &str| {
        let text = format!(
            "stateDiagram-v2\nstate F <<fork>>\nstate J <<join>>\n[*] --> F\nF --> A\n{lines}"
        );
        refused(mermaid(&text))
    };
    assert_eq!(
        refusal("A --> J\nJ --> [*]"),
        ["the fork F: it does not lead to several states"]
    );
    assert_eq!(
        refusal("F --> B : go\nA --> J\nB --> J\nJ --> C"),
        ["the fork F: an arrow that leaves it has a label"]
    );
    assert_eq!(
        refusal("F --> B\nA --> C : x\nB --> C : y\nC --> J\nJ --> D"),
        ["the fork F: its branches meet before a join"]
    );
    assert_eq!(
        refusal("F --> B\nA --> [*] : x\nB --> J\nJ --> C"),
        ["the fork F: one of its branches comes to an end before a join"]
    );
    assert_eq!(
        refusal("F --> B\nA --> B : x\nB --> A : y"),
        ["the fork F: its branches meet before a join"]
    );
    assert_eq!(
        refusal("F --> B\nA --> A : x\nB --> B : y"),
        ["the fork F: its branches come to no join"]
    );
    assert_eq!(
        refusal("F --> B\nA --> J\nB --> J\nJ --> C\nC --> A : again"),
        ["the fork F: an arrow leads into one of its branches"]
    );
}
