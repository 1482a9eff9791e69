//! Which channel a port is, by the connectors of a system and its machines.

use super::Running;
use super::ast::{Connector, End, Port, Protocol, StatementKind, System, Type};
use super::declared::Declared;
use crate::import::name;
use crate::model::DELAY;
use rustc_hash::FxHashMap;

pub(super) struct Wiring {
    channels: Vec<Channel>,
    /// By machine that runs, or none for the system, and port: the number of its channel.
    ports: FxHashMap<(Option<String>, String), usize>,
}

pub(super) struct Channel {
    pub name: String,
    pub payload: Vec<(Option<String>, Type)>,
    pub is_environment: bool,
    /// The machine that runs and has the first of its ports.
    owner: Option<String>,
    /// The machine whose types the payload has.
    machine: Option<String>,
    queue: Option<u32>,
    line: usize,
}

/// A port that a connector names.
struct Found<'s> {
    /// The machine that runs and has it; none for the system.
    machine: Option<&'s Running<'s>>,
    port: &'s Port,
}

impl Wiring {
    pub fn new(system: &System, running: &[Running<'_>], refused: &mut Vec<String>) -> Wiring {
        let mut wiring = Wiring {
            channels: Vec::new(),
            ports: FxHashMap::default(),
        };
        let of_system = system.connectors.iter().map(|connector| (None, connector));
        let of_machines = running.iter().flat_map(|running| {
            let connectors = running.machine.connectors.iter();
            connectors.map(move |connector| (Some(running), connector))
        });
        for (around, connector) in of_system.chain(of_machines) {
            if let Err(what) = wiring.connect(system, running, around, connector) {
                refused.push(what);
            }
        }
        wiring.name_channels();
        wiring
    }

    fn connect(
        &mut self,
        system: &System,
        running: &[Running<'_>],
        around: Option<&Running<'_>>,
        connector: &Connector,
    ) -> Result<(), String> {
        let mut common = None;
        for end in &connector.ends {
            let found = find(system, running, around, end)?;
            let machine = found.machine.map(|running| running.name.clone());
            let key = (machine, end.port.clone());
            if self.ports.contains_key(&key) {
                return Err(format!("line {}: `{}` connected twice", end.line, end.port));
            }
            let number = match (connector.protocol, common) {
                (Protocol::Rendezvous | Protocol::Queue(_), Some(number)) => number,
                _ => self.add(&found, connector),
            };
            if connector.protocol == Protocol::Environment {
                self.narrow(number, &found, running);
            }
            common = Some(number);
            self.ports.insert(key, number);
        }
        Ok(())
    }

    fn add(&mut self, found: &Found<'_>, connector: &Connector) -> usize {
        self.channels.push(Channel {
            name: found.port.name.clone(),
            payload: found.port.payload.clone(),
            is_environment: connector.protocol == Protocol::Environment,
            owner: found.machine.map(|running| running.name.clone()),
            machine: found.machine.map(|running| running.machine.name.clone()),
            queue: match connector.protocol {
                Protocol::Queue(length) => Some(length),
                Protocol::Environment | Protocol::Rendezvous => None,
            },
            line: connector.line,
        });
        self.channels.len() - 1
    }

    /// Takes whole numbers alone where every variable that receives them is one: the
    /// environment then has no reason to send others.
    fn narrow(&mut self, number: usize, found: &Found<'_>, running: &[Running<'_>]) {
        let receivers: Vec<(&Running<'_>, &StatementKind)> = running
            .iter()
            .filter(|it| found.machine.is_none_or(|own| own.name == it.name))
            .flat_map(|it| {
                let transitions = it.machine.states.iter().flat_map(|it| &it.transitions);
                let statements = transitions.flat_map(|it| &it.body);
                statements.map(move |statement| (it, &statement.kind))
            })
            .collect();
        for (place, (_, ty)) in self.channels[number].payload.iter_mut().enumerate() {
            let mut received = receivers.iter().filter_map(|(running, kind)| match kind {
                StatementKind::Input { port, targets } if *port == found.port.name => {
                    let root = targets.get(place)?.root()?;
                    let variables = running.machine.scope.variables.iter();
                    variables
                        .into_iter()
                        .find(|it| it.name == root)
                        .map(|it| &it.ty)
                }
                _ => None,
            });
            let is_whole = |ty: &Type| matches!(ty, Type::Number(number) if !number.is_real);
            let first = received.next();
            if let (Type::Number(number), Some(first)) = (&mut *ty, first)
                && is_whole(first)
                && received.all(is_whole)
            {
                number.is_real = false;
            }
        }
    }

    /// Gives channels their names: after the port, or after machine and port where two would
    /// have the same.
    fn name_channels(&mut self) {
        let plain: Vec<String> = self.channels.iter().map(|it| name(&it.name)).collect();
        let mut taken: Vec<String> = Vec::new();
        for (number, channel) in self.channels.iter_mut().enumerate() {
            let is_single = plain.iter().filter(|it| **it == plain[number]).count() == 1;
            let mut found = plain[number].clone();
            if let Some(owner) = channel.owner.as_ref().filter(|_| !is_single) {
                found = name(&format!("{owner}_{found}"));
            }
            while taken.contains(&found) || found == DELAY {
                found.push('_');
            }
            taken.push(found.clone());
            channel.name = found;
        }
    }

    /// The channel that a port is in a machine that runs.
    pub fn channel(&self, running: &str, port: &str) -> Option<&Channel> {
        let own = (Some(running.to_owned()), port.to_owned());
        let shared = (None, port.to_owned());
        let number = self.ports.get(&own).or_else(|| self.ports.get(&shared))?;
        Some(&self.channels[*number])
    }

    /// The channel with this name in the model.
    pub fn named(&self, channel: &str) -> Option<&Channel> {
        self.channels.iter().find(|it| it.name == channel)
    }

    pub fn text(
        &self,
        global: &Declared,
        locals: &[(String, Declared)],
        refused: &mut Vec<String>,
    ) -> String {
        let mut text = String::new();
        for channel in &self.channels {
            let machine = channel.machine.as_ref();
            let own = locals.iter().find(|(name, _)| Some(name) == machine);
            let declared = own.map_or(global, |(_, declared)| declared);
            let mut values = Vec::new();
            for (called, ty) in &channel.payload {
                match declared.type_text(ty, channel.line) {
                    Err(what) => refused.push(what),
                    Ok(ty) => values.push(match called {
                        Some(called) => format!("{}: {ty}", name(called)),
                        None => ty,
                    }),
                }
            }
            text += &format!("channel {}", channel.name);
            if !values.is_empty() {
                text += &format!("({})", values.join(", "));
            }
            if let Some(length) = channel.queue {
                text += &format!(" queue {length}");
            }
            text.push('\n');
        }
        text
    }
}

/// The port that an end of a connector names.
fn find<'s>(
    system: &'s System,
    running: &'s [Running<'s>],
    around: Option<&'s Running<'s>>,
    end: &End,
) -> Result<Found<'s>, String> {
    let End {
        line,
        machine,
        port,
    } = end;
    let machine = match machine {
        None => around,
        Some(named) => {
            let by_name = running.iter().find(|it| it.name == *named);
            // The only instance of a model may be called as the model.
            let mut of_model = running.iter().filter(|it| it.machine.name == *named);
            let only = of_model.next().filter(|_| of_model.next().is_none());
            let Some(found) = by_name.or(only) else {
                return Err(format!(
                    "line {line}: `{named}`, which is no machine that runs"
                ));
            };
            Some(found)
        }
    };
    let own = machine.and_then(|it| it.machine.scope.ports.iter().find(|it| it.name == *port));
    let shared = system.scope.ports.iter().find(|it| it.name == *port);
    match (own, shared) {
        (Some(port), _) => Ok(Found { machine, port }),
        (None, Some(port)) => Ok(Found {
            machine: None,
            port,
        }),
        (None, None) => Err(format!("line {line}: `{port}`, which is no port")),
    }
}
