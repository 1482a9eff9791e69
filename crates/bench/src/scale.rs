//! Runs in several processes: what two workers gain over one, what ranges cost, and
//! whether memory stays bounded while paths explode.
//!
//! Processor time is judged always. What a user waits for is judged only while nobody else
//! uses the machine, for it says nothing then.

use crate::Report;
use crate::workshop::{Run, Workshop, processor_time};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

/// A program that takes long enough for workers to be worth it.
struct Scaled {
    name: &'static str,
    file: &'static str,
    define: &'static str,
}

const SCALED: [Scaled; 3] = [
    Scaled {
        name: "regexp",
        file: "regexp",
        define: "LENGTH=10",
    },
    Scaled {
        name: "json",
        file: "json",
        define: "LENGTH=7",
    },
    Scaled {
        name: "hard queries",
        file: "products",
        define: "COUNT=7",
    },
];

/// How many workers; four share two cores on a small machine.
const WORKERS: [&str; 3] = ["1", "2", "4"];
/// What two workers gain over one on two cores, at least.
const GAIN: f64 = 1.8;
/// What they take more of the processor than one process, at most.
const COST: f64 = 1.1;
/// The share of the machine that others may use while waiting times are judged.
const OTHERS: f64 = 0.05;

/// One measured run.
struct Measured {
    run: Run,
    waited: f64,
    /// The share of the machine's cores that others used meanwhile.
    others: f64,
}

/// Measures workers; an error is one message.
pub fn report() -> Result<Report, String> {
    let mut report = Report::default();
    let workshop = Workshop::new()?;
    report.line("program        workers     paths   processor    waited     gain  cost  others");
    let mut judged = Vec::new();
    for program in &SCALED {
        let bitcode = workshop.bitcode(program.file, Some(program.define))?;
        let mut alone: Option<Measured> = None;
        for workers in WORKERS {
            let measured = measure(&workshop, &bitcode, workers)?;
            let first = alone.as_ref().unwrap_or(&measured);
            let gain = first.waited / measured.waited;
            let cost = measured.run.seconds / first.run.seconds;
            report.line(&format!(
                "{:<14} {workers:>7} {:>9} {:>9.2} s {:>7.2} s {gain:>6.2} x {cost:>5.2} {:>5.0} %",
                program.name,
                measured.run.paths(),
                measured.run.seconds,
                measured.waited,
                measured.others * 100.0
            ));
            if !same(first, &measured) {
                return Err(format!(
                    "{}: {workers} workers found other paths",
                    program.name
                ));
            }
            if workers == "2" {
                let is_idle = first.others.max(measured.others) < OTHERS;
                judged.push((program.name, gain, cost, is_idle));
            }
            alone.get_or_insert(measured);
        }
    }
    for (name, gain, cost, is_idle) in judged {
        report.demand_at_most(
            &format!("{name}: processor time of two workers"),
            cost,
            COST,
        );
        match is_idle {
            true => report.demand(&format!("{name}: gain of two workers"), gain, GAIN),
            false => report.line(&format!("{name}: gain not judged: the machine is busy")),
        }
    }
    Ok(report)
}

fn measure(
    workshop: &Workshop,
    bitcode: &std::path::Path,
    workers: &str,
) -> Result<Measured, String> {
    let (begun, used) = (Instant::now(), (cores_used()?, processor_time()?));
    let run = workshop.run(&[bitcode], &["--search", "dfs", "--workers", workers])?;
    let waited = begun.elapsed().as_secs_f64();
    let own = processor_time()? - used.1;
    let cores = thread::available_parallelism().map_or(1.0, |cores| cores.get() as f64);
    Ok(Measured {
        run,
        waited,
        others: ((cores_used()? - used.0 - own) / (waited * cores)).max(0.0),
    })
}

/// Whether both found the same number of paths, with the same ends.
fn same(a: &Measured, b: &Measured) -> bool {
    let ends = |it: &Measured| it.run.report.ends.counts().collect::<Vec<_>>();
    a.run.report.paths == b.run.report.paths && ends(a) == ends(b)
}

/// The seconds that all cores together have worked since the machine was started.
fn cores_used() -> Result<f64, String> {
    /// Ticks a second, as the kernel tells all times of processes.
    const TICKS: f64 = 100.0;
    let text = fs::read_to_string("/proc/stat").map_err(|error| error.to_string())?;
    let numbers = text.lines().next().unwrap_or_default().split_whitespace();
    let numbers: Vec<f64> = numbers.skip(1).filter_map(|it| it.parse().ok()).collect();
    // Of user, nice, system, idle, iowait, irq, softirq and steal, two are no work.
    let work = [0, 1, 2, 5, 6, 7];
    let work = work.iter().filter_map(|&at| numbers.get(at));
    Ok(work.sum::<f64>() / TICKS)
}

/// What a run may take in memory, in MiB.
const MEMORY: u64 = 600;
/// How long paths explode.
const SECONDS: u64 = 600;
/// How much more than it may a run takes at most.
const EXCESS: f64 = 1.1;

/// Lets paths explode under a limit of memory, and prints what they take.
pub fn memory() -> Result<Report, String> {
    let mut report = Report::default();
    let workshop = Workshop::new()?;
    let bitcode = workshop.bitcode("regexp", Some("LENGTH=40"))?;
    let mut command = Command::new(&workshop.everypath);
    command
        .arg("run")
        .arg(&bitcode)
        .args(["--search", "bfs", "--workers", "2", "--no-dump"])
        .args(["--max-memory", &MEMORY.to_string()])
        .args(["--max-time", &SECONDS.to_string()])
        .arg("--output")
        .arg(workshop.file("explosion"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let child = command.spawn();
    let mut child = child.map_err(|error| format!("cannot run {command:?}: {error}"))?;
    report.line("seconds   MiB in all processes");
    let (begun, mut most) = (Instant::now(), 0);
    let mut told = Duration::ZERO;
    while child
        .try_wait()
        .map_err(|error| error.to_string())?
        .is_none()
    {
        thread::sleep(Duration::from_millis(200));
        let taken = memory_of(&child) >> 20;
        most = most.max(taken);
        if begun.elapsed() >= told {
            told += Duration::from_secs(20);
            let bar = "#".repeat((taken * 40 / MEMORY) as usize);
            report.line(&format!(
                "{:>7.0} {taken:>6}  {bar}",
                begun.elapsed().as_secs_f64()
            ));
        }
    }
    report.line(&format!("the most was {most} MiB of {MEMORY}"));
    report.demand_at_most(
        "memory, of what it may be",
        most as f64 / MEMORY as f64,
        EXCESS,
    );
    Ok(report)
}

/// The memory of a process and of those it started.
fn memory_of(child: &Child) -> u64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let own = ids.filter(|&id| id == child.id() || parent_of(id) == Some(child.id()));
    own.map(resident).sum()
}

fn parent_of(id: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in parentheses may hold anything; what follows it does not.
    stat.rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(1)?
        .parse()
        .ok()
}

fn resident(id: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}
