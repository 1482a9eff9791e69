//! Faults for the systems of the example models: what a programmer might get wrong.
//!
//! Each replaces a piece of a system's source, which has to be there exactly once. All of
//! them make the system behave in a way that its model does not allow.

/// A system, and pieces of its source with what stands there instead.
pub struct Faults {
    /// The name of the model and of the system's file.
    pub system: &'static str,
    /// Whether the model has clocks; the system is then told how much time passes.
    pub is_timed: bool,
    /// What is there, and what is wrong.
    pub faults: &'static [(&'static str, &'static str)],
}

pub const ALL: [Faults; 7] = [
    Faults {
        system: "atm",
        is_timed: false,
        faults: &[
            ("enum { TRIES = 3 };", "enum { TRIES = 4 };"),
            ("enum { TRIES = 3 };", "enum { TRIES = 2 };"),
            ("balance = 300", "balance = 200"),
            ("amount % 10 != 0", "amount % 20 != 0"),
            ("today + amount > 500", "today + amount >= 500"),
            ("today + amount > 500", "amount > 500"),
            ("today += amount;", ""),
            ("balance -= amount;", ""),
            ("amount > balance", "amount >= balance"),
            ("\"%d\", left", "\"%d\", left + 1"),
            ("\"%lld\", amount", "\"%lld\", amount - 10"),
            ("== 1234", "== 1235"),
            ("\\\"limit\\\"", "\\\"funds\\\""),
            ("emit(\"eject\", \"\");", ""),
            ("left == 0", "left <= 1"),
        ],
    },
    Faults {
        system: "crossing",
        is_timed: false,
        faults: &[
            ("road = 1 - road;", "road = 1;"),
            ("waiting[road] = 0;", ""),
            ("waiting[1 - road] == 0", "waiting[road] == 0"),
            ("waiting[1 - road] == 0", "waiting[1 - road] < 2"),
            ("--left == 0", "--left <= 1"),
            ("            left = 2;", "            left = 3;"),
            ("\\\"red\\\"\", road", "\\\"red\\\"\", 1 - road"),
            ("\"%d, \\\"green\\\"\"", "\"%d, \\\"amber\\\"\""),
            ("0, \\\"green\\\"", "1, \\\"green\\\""),
            ("waiting[message.number[0]]++", "waiting[1]++"),
            (
                "waiting[message.number[0]]++",
                "waiting[message.number[0]] = message.number[0]",
            ),
        ],
    },
    Faults {
        system: "elevator",
        is_timed: false,
        faults: &[
            ("called == floor", "called >= floor"),
            ("wanted[called] = 1", "wanted[called] = called != 1"),
            ("i < FLOORS && goal < 0", "i < FLOORS - 1 && goal < 0"),
            ("i >= 0 && goal < 0", "i > 0 && goal < 0"),
            ("wanted[goal] = 0;", ""),
            ("\"%d\", floor", "\"%d\", floor + 1"),
            (
                "for (; floor < goal; floor++)\n            emit(\"move\", \"\\\"up\\\"\");",
                "if (floor < goal) { emit(\"move\", \"\\\"up\\\"\"); floor = goal; }",
            ),
            ("\\\"down\\\"", "\\\"up\\\""),
            ("emit(\"doors\", \"false\");", ""),
            ("int i = floor + 1", "int i = floor + 2"),
            ("int i = floor - 1", "int i = floor - 2"),
        ],
    },
    Faults {
        system: "grid",
        is_timed: false,
        faults: &[
            ("consumption <= 200", "consumption < 200"),
            ("consumption <= 200", "consumption <= 210"),
            ("INTGR(value[0], value[1])", "INTGR(value[0], value[0])"),
            ("(1 + rise) * consumption", "rise * consumption"),
            ("const double steep = 1;", "const double steep = 2;"),
            ("%lld\", consumption", "%lld\", consumption + 1"),
            ("                break;\n", ""),
            ("RISE(consumption)", "RISE(consumption + 1)"),
            ("\\\"alarm\\\"", "\\\"ok\\\""),
        ],
    },
    Faults {
        system: "handshake",
        is_timed: false,
        faults: &[
            ("version < 3", "version <= 3"),
            ("version < 3", "version < 2"),
            ("version < 4 ? version : 4", "version"),
            ("version < 4 ? version : 4", "4"),
            ("NONCE(client)", "NONCE(client + 1)"),
            ("MAC(key, server, client)", "MAC(key, client, server)"),
            ("== MAC(key, client, server)", "== MAC(key, server, client)"),
            ("key = 0x5eed", "key = 0x5eee"),
            ("\\\"bad_mac\\\"", "\\\"protocol\\\""),
            ("(uint32_t)message.number[1]", "(uint16_t)message.number[1]"),
        ],
    },
    Faults {
        system: "lamp",
        is_timed: true,
        faults: &[
            ("STAY = 3", "STAY = 4"),
            ("STAY = 3", "STAY = 2"),
            ("LONGEST = 10", "LONGEST = 11"),
            ("LONGEST = 10", "LONGEST = 9"),
            ("by_press < by_limit", "by_press > by_limit"),
            ("            pressed = now();", ""),
            (
                "            pressed = now();",
                "            pressed = lit = now();",
            ),
            ("        is_on = 0;", ""),
            ("emit(\"light\", \"false\")", "emit(\"light\", \"true\")"),
            ("pressed = lit = now();", "pressed = now();"),
            ("pressed = lit = now();", "lit = now();"),
            ("            emit(\"light\", \"true\");", ""),
            ("            is_on = 1;", ""),
        ],
    },
    Faults {
        system: "vending",
        is_timed: false,
        faults: &[
            ("{50, 65, 80}", "{50, 60, 80}"),
            ("{2, 1, 0}", "{2, 2, 0}"),
            ("{2, 1, 0}", "{1, 1, 0}"),
            ("paid < price[slot]", "paid <= price[slot]"),
            ("price[slot] - paid", "price[slot]"),
            ("paid -= price[slot];", "paid = 0;"),
            ("stock[slot]--;", ""),
            ("if (paid > 0)", "if (paid > 5)"),
            ("        paid = 0;\n    }", "    }"),
            ("(long long)COINS(paid)", "(long long)1"),
            ("paid += message.number[0]", "paid = message.number[0]"),
            ("slot, price[slot]);", "price[slot], slot);"),
            ("\"%lld\", slot);", "\"%lld\", slot - slot);"),
        ],
    },
];
