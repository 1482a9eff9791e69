// The execution tree and what is known of the branch that is selected.

import { useEffect, useMemo, useState } from "preact/hooks";
import { TreeCanvas } from "../canvas";
import { number, plural, type Report } from "../model";
import { Layout } from "../tree";
import { Filter, PlaceLink, Share } from "./parts";

const MOST_FOUND = 2000;

export function TreeView({ report, detail }: { report: Report; detail: string }) {
  const { tree } = report.document;
  const layout = useMemo(() => tree && new Layout(tree, report), [tree, report]);
  if (!layout && report.document.live) return <p class="nothing">No test has been followed again so far.</p>;
  if (!layout) return <p class="nothing">There is no tree: the program of this run could not be followed again.</p>;
  return <Shown report={report} layout={layout} detail={detail} />;
}

function Shown({ report, layout, detail }: { report: Report; layout: Layout; detail: string }) {
  const [selected, setSelected] = useState(0);
  const [text, setText] = useState("");
  const [hit, setHit] = useState(0);
  const found = useMemo(() => (text.length > 1 ? layout.search(text, MOST_FOUND) : []), [text, layout]);
  // An address may name a test.
  useEffect(() => {
    const node = report.document.tests[report.testByName.get(detail) ?? -1]?.node;
    if (node != null) setSelected(layout.branchOf[node]!);
  }, [detail, layout]);
  useEffect(() => {
    if (found.length) setSelected(found[hit % found.length]!);
  }, [found, hit]);
  const followed = useMemo(() => report.document.tests.filter((test) => test.node != null).length, [report]);
  const branch = layout.branches[selected]!;
  const conditions = layout.conditions(selected);
  const example = layout.example(selected);
  const test = example === undefined ? undefined : report.document.tests[example];
  const leaves = branch.bottom - branch.top;
  const state = report.document.model?.states[branch.node];
  const place = layout.place(selected);
  const firstError = () => {
    const index = layout.branches.findIndex((it) => it.errors > 0 && it.children.length === 0);
    if (index >= 0) setSelected(index);
  };
  return (
    <div class="tree">
      <div class="tools">
        <Filter label="Search function, line, condition or test" value={text} onChange={(value) => { setText(value); setHit(0); }} />
        {text.length > 1 && (
          <>
            <span class="faint" role="status">{found.length ? `${(hit % found.length) + 1} of ${number(found.length)}` : "nothing found"}</span>
            <button onClick={() => setHit(hit + 1)} disabled={!found.length}>Next</button>
          </>
        )}
        {!report.document.model && <button onClick={firstError} disabled={!layout.branches[0]!.errors}>First error</button>}
        {!report.document.model && <span class="legend"><i class="good" />ends normally<i class="bad" />error<i class="warn" />unfinished</span>}
        {!report.document.model && <Share report={report} shown={followed} />}
      </div>
      <TreeCanvas layout={layout} selected={selected} onSelect={setSelected} />
      <aside class="branch" aria-live="polite">
        <h2>{selected === 0 ? "Start" : branch.children.length ? `Branch at depth ${conditions.length}` : "Path"}</h2>
        <p>
          {state && <>in <b>{state.location}</b><br /></>}
          {place?.file && <>decided in <b>{place.function}</b>, <PlaceLink report={report} file={place.file} line={place.line} /><br /></>}
          {branch.length > 1 && selected !== 0 && <span class="faint">{plural(branch.length - 1, "decision")} without an alternative before it<br /></span>}
          {leaves > 1 && <span class="faint">{plural(leaves, "path")} from here{branch.errors ? `, ${plural(branch.errors, "error")}` : ""}</span>}
        </p>
        {test && (
          <>
            <h3>{leaves > 1 ? "For example" : "Test"} <span class="faint">{test.name}</span></h3>
            <p class={test.end?.startsWith("exit ") ? "" : "bad-text"}>{test.end ?? "a limit stopped this path"}</p>
            <pre class="input">{test.inputs || "no inputs"}</pre>
          </>
        )}
        {conditions.length > 0 && (
          <>
            <h3>{state ? "Steps" : "Path condition"}</h3>
            <ol class="conditions">
              {conditions.map((it, index) => (
                <li key={index}><code>{it.text}</code>{it.file && <PlaceLink report={report} file={it.file} line={it.line} />}</li>
              ))}
            </ol>
          </>
        )}
        {state && (
          <>
            <Terms title="Path condition" terms={state.path} />
            <Terms title="Values" terms={state.values} />
            <Terms title="Calls" terms={state.calls} />
          </>
        )}
      </aside>
    </div>
  );
}

function Terms({ title, terms }: { title: string; terms: string[] }) {
  if (!terms.length) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="conditions">{terms.map((term, index) => <li key={index}><code>{term}</code></li>)}</ul>
    </>
  );
}
