// Where the solver's time went, as one picture: a bar for the whole, below it the files,
// their functions, and the lines of those, each as wide as its share of the time.

import { useState } from "preact/hooks";
import type { LineCost } from "../document";
import { seconds, type Report } from "../model";

interface Block {
  name: string;
  seconds: number;
  children: Map<string, Block>;
  href?: string;
}

/** Blocks narrower than this share of the picture are not drawn. */
const LEAST = 0.004;

export function Flame({ report, costs }: { report: Report; costs: LineCost[] }) {
  const root = blocks(report, costs);
  const [path, setPath] = useState<string[]>([]);
  let top = root;
  const above = [root];
  for (const name of path) {
    const next = top.children.get(name);
    if (!next) break;
    top = next;
    above.push(next);
  }
  return (
    <div class="flame" role="group" aria-label="Solver time by file, function and line">
      {above.slice(0, -1).map((block, depth) => (
        <div class="flame-row" key={depth}>
          <button class="flame-block above" onClick={() => setPath(path.slice(0, depth))}>{block.name}</button>
        </div>
      ))}
      <Level block={top} share={1} total={root.seconds} onOpen={(names) => setPath([...path, ...names])} names={[]} />
    </div>
  );
}

function Level(props: {
  block: Block;
  share: number;
  total: number;
  names: string[];
  onOpen: (names: string[]) => void;
}) {
  const { block, share, total, names, onOpen } = props;
  const label = `${block.name}: ${seconds(block.seconds)}, ${((100 * block.seconds) / total).toFixed(1)} %`;
  const children = [...block.children.values()].filter((it) => (share * it.seconds) / block.seconds > LEAST);
  return (
    <div class="flame-level">
      {block.href ? (
        <a class="flame-block" href={block.href} title={label} aria-label={label}>{block.name}</a>
      ) : (
        <button class="flame-block" title={label} aria-label={label} onClick={() => names.length && onOpen(names)}>{block.name}</button>
      )}
      <div class="flame-row">
        {children.map((child) => (
          <div key={child.name} style={{ width: `${(100 * child.seconds) / block.seconds}%` }}>
            <Level block={child} share={(share * child.seconds) / block.seconds} total={total} names={[...names, child.name]} onOpen={onOpen} />
          </div>
        ))}
      </div>
    </div>
  );
}

function blocks(report: Report, costs: LineCost[]): Block {
  const root: Block = { name: "solver", seconds: 0, children: new Map() };
  for (const cost of costs) {
    const file = report.file(cost.file);
    const name = file?.name ?? (cost.file || "unknown file");
    const href = file && cost.line ? `#source/${encodeURIComponent(file.name)}:${cost.line}` : undefined;
    let block = root;
    block.seconds += cost.seconds;
    for (const part of [name, cost.function || "unknown function", cost.line ? `line ${cost.line}` : "unknown line"]) {
      let next = block.children.get(part);
      if (!next) {
        next = { name: part, seconds: 0, children: new Map() };
        block.children.set(part, next);
      }
      next.seconds += cost.seconds;
      block = next;
    }
    block.href = href;
  }
  return root;
}
