//! XLIA's systems: machines, ports and what connects them.

use super::{arrows, refused, text};
use model::import::xlia;

/// A system of one machine with these declarations and states, whose ports lead outside.
fn machine(declarations: &str, states: &str, ends: &str) -> String {
    format!(
        "@xlia< system , 1.0 >:\ntimed system S {{\n@composite:\nstatemachine M {{\n{declarations}\n\
         @region:\n{states}\n@com:\nconnect< env >{{ {ends} }}\n}}\n}}\n"
    )
}

#[test]
fn machines_that_meet_become_automata_that_synchronize() {
    let system = "@xfsp< system , 1.0 >:
timed system< and > Vending {
@property:
    public type Drink enum { TEA, SOUP }
    type Count interval<int[0,9]>;
    type Coins struct { var Count small; var Count large; }
@macro:
    routine worth(Coins coins) --> uint { return coins.small*10 + coins.large*50; }
    routine reset(clock<int> c) { c = 0; }
@machine:
    statemachine< or > Till {
    @private:
        var int paid;
        var Coins coins;
        var Drink wanted;
        const var int PRICE = 60;
    @public:
        var clock<integer> since;
        port input insert(Coins);
        port input choose(Drink);
        port input ready;
        port output shown(int);
        port output brew(Drink);
    @region:
        state<initial> Init { transition --> Idle { paid = 0; } }
        state Idle {
            transition pay --> Paid { input insert(coins); paid += worth(coins); reset(since); }
            transition order --> Ordered { input choose(wanted); reset(since); }
        }
        state Paid {
            transition show --> Idle { tguard(since <= 1); output shown(paid); }
        }
        state Ordered {
            transition enough --> Wait { guard(paid >= PRICE); paid -= PRICE; output brew(wanted); }
            transition poor --> Idle { tguard(since <= 1); guard(paid < PRICE); output shown(paid); }
        }
        state Wait { transition --> Idle { input ready; } }
    }
    statemachine< or > Brewer {
        public var clock rational heat;
        port input brew(Drink);
        port output done(Drink);
        port output ready;
        var Drink drink;
    @region:
        state<initial> Init { transition --> Idle; }
        state Idle { transition brew --> Brewing { input brew(drink); reset(heat); } }
        state Brewing {
            transition serve --> Tell {
                tguard(heat >= 5 && heat < 8);
                output done(drink);
            }
        }
        state Tell { transition --> Idle { output ready; } }
    }
@com:
    connect< env >{ input Till->insert; input Till->choose; output Till->shown; output Brewer->done; }
    connect< rdv >{ output Till->brew; input Brewer->brew; }
    connect< rdv >{ output Brewer->ready; input Till->ready; }
}
";
    assert_eq!(
        text(xlia(system)),
        "\
model Vending

enum Drink { TEA, SOUP }
record Coins { small: Int, large: Int }
const PRICE = 60
channel insert(Coins)
channel choose(Drink)
channel shown(Int)
channel done(Drink)
channel brew(Drink)
channel ready
function worth(coins: Coins): Int = coins.small * 10 + coins.large * 50

automaton Till {
    var paid: Int = 0
    var coins: Coins = any
    var wanted: Drink = any
    clock since

    initial Idle
    state Paid while since <= 1

    pay: Idle -> Paid, insert?(coins) where 0 <= coins.small and coins.small <= 9 and 0 <= coins.large and coins.large <= 9, paid := paid + worth(coins), since := 0
    order: Idle -> Ordered, choose?(wanted), since := 0
    show: Paid -> Idle when since <= 1, shown!(paid)
    enough: Ordered -> Wait when paid >= PRICE, brew!(wanted), paid := paid - PRICE
    poor: Ordered -> Idle when since <= 1 and paid < PRICE, shown!(paid)
    Wait -> Idle, ready?
}

automaton Brewer {
    clock heat
    var drink: Drink = any

    initial Idle
    state Brewing while heat <= 8

    brew: Idle -> Brewing, brew?(drink), heat := 0
    serve: Brewing -> Tell when heat >= 5 and heat < 8, done!(drink)
    Tell -> Idle, ready!
}
"
    );
    let imported = xlia(system).expect("it is a system");
    assert_eq!(
        imported.notes,
        [9, 18].map(|line| format!(
            "line {line}: a clock of whole numbers grows as steadily as others"
        ))
    );
}

#[test]
fn a_guard_moves_before_what_stands_before_it() {
    let states = "
        state< start > a {
            @init{ n := 3; }
            transition in --> a { input i( x ); guard( 1 <= x <= 10 ); guard( n > 0 ); n := n + x; }
            transition out --> a { n := n - 1; guard( n > 5 ); output o( n ); n := 2*n; }
            transition both --> a { input i( x ); if ( x > n ) { n = x; } else { x = n; } output o( x ); output o( n ); }
        }";
    let declarations = "port input i( int ); port output o( int ); var int x; var int n;";
    assert_eq!(
        arrows(xlia(&machine(declarations, states, "input i; output o;"))),
        [
            "initial a",
            "in: a -> a when n > 0, i?(x) where 1 <= x and x <= 10, n := n + x",
            "out: a -> a when n - 1 > 5, o!(n - 1), n := n - 1, n := 2 * n",
            "both: a -> a, i?(x), (n, x) := (if x > n then x else n, if x > n then x else n), o!(x), o!(n)",
        ]
    );
}

#[test]
fn an_answer_that_may_be_interrupted_has_its_time_all_the_same() {
    let declarations =
        "port input i( int ); port output o( int ); var int x; var clock urational c;";
    let limited = |reset: &str| {
        let states = format!(
            "state< start > idle {{ transition ask --> busy {{ input i( x ); {reset} }} }}
             state busy {{
                 transition answer --> idle {{ guard( c <= 5 ); output o( x ); }}
                 transition cancel --> idle {{ input i( x ); }}
             }}"
        );
        let model = text(xlia(&machine(declarations, &states, "input i; output o;")));
        model.contains("state busy while c <= 5\n")
    };
    assert!(limited("c := 0;"));
    // The environment may enter it when the time is over, and then nothing has to happen.
    assert!(!limited(""));
}

#[test]
fn a_choice_is_passed_in_the_step_that_enters_it() {
    let states = "
        state< start > up { @enable{ p = 1; } transition hear --> order { input say( o ); } }
        state down { @enable{ p = 0; } transition hear --> order { input say( o ); } }
        state< choice > order {
            transition stay --> up { guard( o == UP && p == 1 ); output nod; }
            transition lie --> down { guard( o == DOWN ); }
            transition< else > odd --> lost {}
        }
        state< final > lost;";
    let declarations = "type Order enum { DOWN, UP } port input say( Order ); port output nod; \
                        var Order o; var int p;";
    assert_eq!(
        arrows(xlia(&machine(
            declarations,
            states,
            "input say; output nod;"
        ))),
        [
            "initial up",
            "up_hear_stay: up -> up, say?(o) where o = UP and p = 1, nod!, p := 1",
            "up_hear_lie: up -> down, say?(o) where o = DOWN, p := 0",
            "up_hear_odd: up -> lost, say?(o) where not (o = UP and p = 1) and not (o = DOWN)",
            "down_hear_stay: down -> up, say?(o) where o = UP and p = 1, nod!, p := 1",
            "down_hear_lie: down -> down, say?(o) where o = DOWN, p := 0",
            "down_hear_odd: down -> lost, say?(o) where not (o = UP and p = 1) and not (o = DOWN)",
        ]
    );
}

#[test]
fn instances_are_automata_of_their_own() {
    let system = "@xlia< system , 1.0 >:
system<and> Game {
@machine:
    model statemachine Player {
    @parameter:
        public var bool has;
    @property:
        public port input caught;
        public port output send;
    @region:
        state<initial> source { transition startup --> play {} }
        state play {
            transition get { input caught; has = true; } --> play;
            transition put --> play { guard(has == true); has = false; output send; }
        }
    }
    instance statemachine<Player> Ping(has:true);
    instance statemachine<Player> Pong(has:false);
@moe:
    @schedule{ |i| run Ping; run Pong; }
@com:
    connect<rdv> { input Pong->caught; output Ping->send; }
    connect< buffer: fifo<2> > { input Ping->caught; output Pong->send; }
}";
    let found = text(xlia(system));
    let lines: Vec<&str> = found.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(
        lines,
        [
            "model Game",
            "channel Pong_caught",
            "channel Ping_caught queue 2",
            "automaton Ping {",
            "    var has: Bool = true",
            "    initial play",
            "    Ping_play_get: play -> play, Ping_caught?, has := true",
            "    Ping_play_put: play -> play when has = true, Pong_caught!, has := false",
            "}",
            "automaton Pong {",
            "    var has: Bool = false",
            "    initial play",
            "    Pong_play_get: play -> play, Pong_caught?, has := true",
            "    Pong_play_put: play -> play when has = true, Ping_caught!, has := false",
            "}",
        ]
    );
}

#[test]
fn what_is_not_understood_is_refused_by_name() {
    let states = "
        state< start > a {
            @irun{ n++; }
            transition< abort > one --> a {}
            transition two --> a { input i( n ); input i( n ); }
            transition three --> a { n = n % 2; }
            transition four --> nowhere;
            transition five --> a { while n > 0 { n--; } }
            transition six --> a { output nothing; }
            transition seven --> a { guard( m > 0 ); }
        }
        state< or > b { state c; }
        state d { transition< else > t --> a; transition u --> a { input i( n ); } }";
    let declarations = "port input i( int ); port output nothing; var int n; var fifo<int> q; \
                        var int:8 small;";
    assert_eq!(
        refused(xlia(&machine(declarations, states, "input i;"))),
        [
            "line 5: the type `fifo`",
            "line 5: a size in bits of `int`",
            "line 9: `@irun`",
            "line 10: a transition< abort >",
            "line 12: `%` where `;` should be",
            "line 14: `while`",
            "line 18: a state< or >",
        ]
    );
    let states = "
        state< start > a {
            transition two --> a { input i( n ); input i( n ); }
        }
        state b { transition four --> nowhere; }
        state c { transition six --> a { output nothing; } }
        state d { transition seven --> a { guard( m > 0 ); } }
        state e { transition< else > t --> a; transition u --> a { input i( n ); } }
        state f { transition v --> a { newfresh( n ); guard( n > 0 ); } }";
    let declarations = "port input i( int ); port output nothing; var int n;";
    assert_eq!(
        refused(xlia(&machine(declarations, states, "input i;"))),
        [
            "line 9: an input behind another message",
            "line 11: `nowhere`, which is no state",
            "line 12: `nothing` of M, which is connected to nothing",
            "line 13: a name in `m > 0`",
            "line 14: `else` beside a message that may come",
            "line 15: `n` is read where it was changed in part, or to any value",
        ]
    );
    assert_eq!(
        refused(xlia("system S {}")),
        ["line 1: `system` where the prologue `@xlia< system , 1.0 >:` should be"]
    );
}

#[test]
fn small_slips_of_a_file_are_noted() {
    let system = "@xfsp< system , 1.0 >:
timed system< and > Rooms {
@machine:
    model statemachine< or > Heater {
    @param:
        var { integer LOW = 20; }
    @private:
        const { integer LOW = 20; integer ON = 1; uint STEP; }
        var { integer t; }
    @public:
        port < input > { felt (integer); }
        port < output > { heat (integer); unused (integer); }
    @machine:
        state<start> q0 { transition t3 --> q1 { input felt(t); } }
        state q1 {
            transition cold --> q0 { guard (t < LOW); output heat(ON + STEP); }
            transition warm --> q0 { guard (t >= LOW); }
        }
    }
    instance statemachine< Heater > heater;
@moe:
    @schedule{ run heater }
    }
    @init{ init heater(low: 19); }
@com:
    connect< env >{ input Heater->felt; output heater->heat; }
}";
    let imported = xlia(system).unwrap_or_else(|reason| panic!("{reason}"));
    assert_eq!(
        imported.notes,
        [
            "line 23: a `}` too many, since the system goes on",
            "line 24: `low` is read as `LOW`",
            "line 8: `LOW` is declared twice",
            "line 8: the constant STEP has no value, and is a parameter of the model: 0",
        ]
    );
    assert_eq!(
        arrows(xlia(system)),
        [
            "initial q0",
            "t3: q0 -> q1, felt?(t)",
            "cold: q1 -> q0 when t < LOW, heat!(ON + STEP)",
            "warm: q1 -> q0 when t >= LOW, tau",
        ]
    );
    assert!(text(xlia(system)).contains("var LOW: Int = 19\n"));
}
