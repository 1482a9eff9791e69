// What a run came to, at a glance.

import type { ComponentChildren } from "preact";
import type { RunReport, Sample } from "../document";
import { bytes, number, plural, seconds, shellWord, type Report } from "../model";
import { Curve } from "./curve";
import { CommandLine, Meter, PlaceLink } from "./parts";

export function Summary(props: {
  report: Report;
  /** What is known now of a run that goes on may be newer than the document. */
  run: RunReport;
  curve?: Sample[];
  children?: ComponentChildren;
}) {
  const { report, run } = props;
  const { document } = report;
  const directory = shellWord(document.directory);
  const curve = props.curve?.length ? props.curve : document.curve;
  const paths = [
    { name: "completed", count: run.paths.completed, tone: "good" },
    { name: "with errors", count: run.paths.errors, tone: "bad" },
    { name: "ignored", count: run.paths.ignored, tone: "dull" },
    { name: "unfinished", count: run.paths.unfinished, tone: "warn" },
    { name: "unknown", count: run.paths.unknown, tone: "doubt" },
  ];
  const total = paths.reduce((sum, path) => sum + path.count, 0);
  const figures = [
    { name: run.fuzz ? "inputs kept" : "tests", value: number(run.tests) },
    { name: "instructions", value: number(run.instructions) },
    { name: "queries", value: number(run.solver.queries) },
    { name: "time", value: seconds(run.seconds) },
    { name: "solver", value: seconds(run.solver.seconds) },
    { name: "memory", value: bytes(run.peak_memory_bytes) },
  ];
  return (
    <div class="columns">
      <section class="card wide">
        <h2>{plural(total, run.fuzz ? "run" : "path")}</h2>
        <div class="stack-bar" role="img" aria-label={paths.map((it) => `${it.count} ${it.name}`).join(", ")}>
          {paths.filter((it) => it.count > 0).map((it) => (
            <div class={it.tone} style={{ flexGrow: it.count }} title={`${number(it.count)} ${it.name}`} key={it.name} />
          ))}
        </div>
        <ul class="legend">
          {paths.filter((it) => it.count > 0).map((it) => (
            <li key={it.name}><i class={it.tone} /><b>{number(it.count)}</b> {it.name}</li>
          ))}
        </ul>
        <p class={`verdict ${run.outcome}`}>{verdict(run)}</p>
        {run.incomplete?.map((it, index) => (
          <p class="faint" key={index}>
            {it.reason.replaceAll("-", " ")}
            {"function" in it && typeof it.function === "string" ? ` (${it.function})` : ""}
            {it.line ? <> at <PlaceLink report={report} file={it.file ?? ""} line={it.line} /></> : ""}
            {it.times > 1 ? `, ${number(it.times)} times` : ""}
          </p>
        ))}
      </section>
      <section class="card">
        <h2>Coverage</h2>
        <Meter label="Lines" covered={run.coverage.lines.covered} total={run.coverage.lines.total} />
        <Meter label="Branches" covered={run.coverage.branches.covered} total={run.coverage.branches.total} />
      </section>
      <section class="card">
        <h2>Figures</h2>
        <dl class="figures">
          {figures.map((it) => (
            <div key={it.name}><dt>{it.name}</dt><dd>{it.value}</dd></div>
          ))}
        </dl>
      </section>
      {props.children}
      {document.errors.length > 0 && (
        <section class="card wide">
          <h2>Errors</h2>
          <ol class="errors">
            {document.errors.slice(0, 12).map((error, index) => (
              <li key={index}>
                <a href={`#errors/${index}`}><span class="kind">{error.finding.kind}</span> {error.finding.message}</a>
                <PlaceLink report={report} file={error.finding.file} line={error.finding.line} />
              </li>
            ))}
          </ol>
          {document.errors.length > 12 && <a href="#errors">All {number(document.errors.length)} errors</a>}
        </section>
      )}
      {curve.length > 2 && (
        <section class="card wide">
          <h2>Course of the run</h2>
          <Curve samples={curve} what={run.fuzz ? "runs" : "paths"} />
        </section>
      )}
      <section class="card wide">
        <h2>Again</h2>
        {run.outcome !== "running" && !run.fuzz && <CommandLine command={`everypath replay ${directory} --native`} />}
        {run.outcome === "running" && <CommandLine command={`everypath run --resume ${directory}`} />}
        <CommandLine command={`everypath report ${directory}`} />
        {document.notes.map((note, index) => <p class="faint" key={index}>{note}</p>)}
      </section>
    </div>
  );
}

function verdict(run: RunReport): string {
  switch (run.outcome) {
    case "complete":
      return "Complete: every path of the program was followed to its end.";
    case "incomplete":
      return "Nothing was left to explore, but something was left out:";
    case "limit":
      return "A limit was reached: there may be more paths.";
    case "running":
      return "The run goes on, or was killed before its end.";
    case "interrupted":
      return "The run was interrupted: there may be more paths.";
  }
}
