// The source with what was reached of it.

import { useMemo, useState } from "preact/hooks";
import type { SourceFile } from "../document";
import { List } from "../list";
import { coverageOf, plural, seconds, type Report } from "../model";
import { Filter } from "./parts";

const HEIGHT = 20;

export function SourceView({ report, detail }: { report: Report; detail: string }) {
  const [filter, setFilter] = useState("");
  const { files } = report.document;
  if (!files.length) return <p class="nothing">No source of the program is known: it has no debug information.</p>;
  const colon = detail.lastIndexOf(":");
  const [name, line] = colon < 0 ? [detail, 0] : [detail.slice(0, colon), Number(detail.slice(colon + 1)) || 0];
  const file = report.file(name) ?? files[0]!;
  const wanted = filter.toLowerCase();
  return (
    <div class="split">
      <aside>
        <Filter label="Filter by file or function" value={filter} onChange={setFilter} />
        <ul class="choice files">
          {files.map((it) => {
            const functions = it.functions.filter((one) => one.name.toLowerCase().includes(wanted));
            if (wanted && !functions.length && !it.name.toLowerCase().includes(wanted)) return null;
            return (
              <li key={it.path}>
                <a href={`#source/${encodeURIComponent(it.name)}`} aria-current={it === file ? "true" : undefined} title={it.path}>
                  <span>{it.name}</span><span class="faint">{coverageOf(it).toFixed(0)} %</span>
                </a>
                {(it === file || wanted) && (
                  <ul class="functions">
                    {functions.map((one) => (
                      <li key={`${one.name}:${one.line}`}>
                        <a class={one.hits ? "" : "missed"} href={`#source/${encodeURIComponent(it.name)}:${one.line}`}>{one.name}</a>
                      </li>
                    ))}
                  </ul>
                )}
              </li>
            );
          })}
        </ul>
      </aside>
      <Listing report={report} file={file} line={line} />
    </div>
  );
}

/** What is known of each line of a file. */
function useLines(report: Report, file: SourceFile) {
  return useMemo(() => {
    const hits = new Map(file.lines.map((line) => [line.line, line.hits]));
    const branches = new Map<number, number[][]>();
    for (const branch of file.branches) {
      branches.set(branch.line, [...(branches.get(branch.line) ?? []), branch.taken]);
    }
    const costs = report.costsOf(file.path);
    return { hits, branches, costs, dearest: Math.max(0, ...costs.values()) };
  }, [report, file]);
}

function Listing(props: { report: Report; file: SourceFile; line: number }) {
  const { report, file, line } = props;
  const known = useLines(report, file);
  if (!file.text) return <p class="nothing">{file.path} cannot be read any more.</p>;
  return (
    <div class="code">
      <List
        rows={file.text.length} height={HEIGHT} label={`Source of ${file.name}`}
        at={line > 0 ? line - 1 : undefined} key={file.path}
      >
        {(row) => <Line key={row} number={row + 1} text={file.text![row]!} known={known} marked={row + 1 === line} />}
      </List>
    </div>
  );
}

/** A few lines around one. */
export function Excerpt({ report, file: path, line }: { report: Report; file: string; line: number }) {
  const file = report.file(path);
  const known = useLines(report, file ?? { path: "", name: "", lines: [], branches: [], functions: [] });
  if (!file?.text || !line) return null;
  const [first, last] = [Math.max(1, line - 4), Math.min(file.text.length, line + 4)];
  const lines = [];
  for (let number = first; number <= last; number++) {
    lines.push(<Line key={number} number={number} text={file.text[number - 1]!} known={known} marked={number === line} />);
  }
  return <div class="code excerpt">{lines}</div>;
}

function Line(props: {
  number: number;
  text: string;
  known: ReturnType<typeof useLines>;
  marked: boolean;
}) {
  const { number, known } = props;
  const hits = known.hits.get(number);
  const branches = known.branches.get(number) ?? [];
  const missed = branches.some((taken) => taken.some((count) => count === 0));
  const state = hits === undefined ? "" : hits === 0 ? "missed" : missed ? "partly" : "covered";
  const cost = known.costs.get(number) ?? 0;
  const told = hits === undefined ? "no code" : hits === 0 ? "not covered" : missed ? "partly covered" : "covered";
  return (
    <div class={`line ${state} ${props.marked ? "marked" : ""}`} role="listitem" aria-label={`Line ${number}, ${told}`}>
      <span class="line-number">{number}</span>
      <span class="line-hits" title={hits ? plural(hits, "test") : undefined}>{hits || ""}</span>
      <span class="line-branches" title={branches.length ? told : undefined}>
        {branches.map((taken, index) => (
          <span key={index}>{taken.map((count, way) => <i key={way} class={count ? "taken" : "untaken"} title={plural(count, "test")} />)}</span>
        ))}
      </span>
      <span class="line-cost" title={cost ? `solver: ${seconds(cost)}` : undefined}>
        {cost > 0 && <i style={{ width: `${Math.max(8, (100 * cost) / known.dearest)}%` }} />}
      </span>
      <code>{props.text}</code>
    </div>
  );
}
