// A model: what was reached of it, its automata, and its tests as sequence charts.

import { useState } from "preact/hooks";
import type { ModelReport, Sample } from "../document";
import { number, plural, seconds, type Report } from "../model";
import { Curve } from "./curve";
import { Filter, Meter } from "./parts";
import { Sequence } from "./sequence";
import { TableCard } from "./table";

const VERDICTS = [
  { verdict: "pass", tone: "good" },
  { verdict: "fail", tone: "bad" },
  { verdict: "inconclusive", tone: "warn" },
];

export function ModelSummary({ report, model, curve }: { report: Report; model: ModelReport; curve?: Sample[] }) {
  const taken = model.transitions.filter((it) => it.taken).length;
  const counts = VERDICTS.map((it) => ({ ...it, count: model.tests.filter((test) => test.verdict === it.verdict).length }));
  return (
    <div class="columns">
      <section class="card">
        <h2>{plural(model.tests.length, "test")}</h2>
        <ul class="legend">
          {counts.filter((it) => it.count > 0).map((it) => (
            <li key={it.verdict}><i class={it.tone} /><b>{number(it.count)}</b> {it.verdict}</li>
          ))}
        </ul>
        <p class="faint">{plural(model.states.length, "symbolic state")}; {seconds(model.seconds)}</p>
      </section>
      <section class="card">
        <h2>Coverage</h2>
        <Meter label="Transitions" covered={taken} total={model.transitions.length} />
      </section>
      {curve && curve.length > 2 && (
        <section class="card wide"><h2>Course of the exploration</h2><Curve samples={curve} what="states" /></section>
      )}
      {model.missed.length > 0 && (
        <section class="card wide">
          <h2>Not covered</h2>
          <ul class="errors">
            {model.missed.map((it) => <li key={it.goal}><b>{it.goal}</b><span class="faint">{it.reason}</span></li>)}
          </ul>
        </section>
      )}
      <section class="card wide"><h2>Automata</h2><Automata model={model} /></section>
      {model.tables.map((table) => <TableCard table={table} key={table.function} />)}
      {report.document.notes.map((note, index) => <p class="faint" key={index}>{note}</p>)}
    </div>
  );
}

function Automata({ model }: { model: ModelReport }) {
  return (
    <>
      <p class="legend"><span><i class="good" />taken</span><span><i class="bad" />not taken</span></p>
      <img class="picture" alt="The automata with the transitions that were taken" src={`data:image/svg+xml,${encodeURIComponent(model.automata)}`} />
      <table>
        <thead><tr><th>transition</th><th>automaton</th><th>from</th><th>to</th><th>in the model</th></tr></thead>
        <tbody>
          {model.transitions.map((it) => (
            <tr key={`${it.automaton} ${it.name}`}>
              <td class={it.taken ? "good-text" : "bad-text"}>{it.name}{it.taken ? "" : " (not taken)"}</td>
              <td>{it.automaton}</td><td>{it.from}</td><td>{it.to}</td><td><code>{it.text}</code></td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

export function ModelTests({ model, detail }: { model: ModelReport; detail: string }) {
  const [filter, setFilter] = useState("");
  if (!model.tests.length) return <p class="nothing">There are no tests.</p>;
  const wanted = filter.toLowerCase();
  const shown = model.tests.filter((test) =>
    `${test.name} ${test.verdict ?? ""} ${test.requirements.join(" ")} ${test.messages.map((it) => it.text).join(" ")}`.toLowerCase().includes(wanted),
  );
  const test = model.tests.find((it) => it.name === detail) ?? shown[0] ?? model.tests[0]!;
  return (
    <div class="split">
      <aside>
        <Filter label="Filter by name, verdict or message" value={filter} onChange={setFilter} />
        <ol class="choice">
          {shown.map((it) => (
            <li key={it.name}>
              <a href={`#tests/${encodeURIComponent(it.name)}`} aria-current={it === test ? "true" : undefined}>
                <span>{it.name}</span>
                <span class={`faint verdict-${it.verdict ?? "none"}`}>{it.verdict ?? "not run"}, {plural(it.messages.length, "message")}</span>
              </a>
            </li>
          ))}
        </ol>
      </aside>
      <article class="detail" aria-label={test.name}>
        <h2>{test.name} {test.verdict && <span class={`verdict-${test.verdict}`}>{test.verdict}</span>}</h2>
        {test.reason && <p>{test.reason}</p>}
        {test.requirements.length > 0 && <p class="faint">requirements: {test.requirements.join(", ")}</p>}
        <Sequence test={test} />
        {test.output && <><h3>What the system printed beside messages</h3><pre class="input">{test.output}</pre></>}
      </article>
    </div>
  );
}
