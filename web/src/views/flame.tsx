// Where the solver's time went, as one picture: a bar for the whole, below it what the
// program's outermost function calls, and so on inwards, each as wide as its share of the time.

import { useMemo, useState } from "preact/hooks";
import type { CallCost } from "../document";
import { seconds, type Report } from "../model";

interface Block {
  name: string;
  seconds: number;
  children: Map<string, Block>;
  /** Where it is in the source. */
  place?: string;
}

/** Blocks narrower than this share of the picture are not drawn. */
const LEAST = 0.004;

export function Flame({ report, calls }: { report: Report; calls: CallCost[] }) {
  const root = useMemo(() => blocks(report, calls), [calls]);
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
    <div class="flame" role="group" aria-label="Solver time by calls">
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
      {block.place && !block.children.size ? (
        <a class="flame-block" href={block.place} title={label} aria-label={label}>{block.name}</a>
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

/** The calls as blocks: a call has its own time and that of what it calls. */
function blocks(report: Report, calls: CallCost[]): Block {
  const root: Block = { name: "solver", seconds: 0, children: new Map() };
  const made: Block[] = [];
  for (const call of calls) {
    const above = (call.caller != null && made[call.caller]) || root;
    const file = report.file(call.file);
    const name = `${call.function || "unknown function"}${call.line ? `:${call.line}` : ""}`;
    const place = file && call.line ? `#source/${encodeURIComponent(file.name)}:${call.line}` : undefined;
    // Functions of one name may be in several files.
    const key = above.children.has(name) ? `${name} (${file?.name ?? call.file})` : name;
    const block: Block = { name: key, seconds: call.seconds, children: new Map(), place };
    above.children.set(key, block);
    made.push(block);
  }
  // Callers come before what they call.
  for (let at = calls.length - 1; at >= 0; at--) {
    const caller = calls[at]!.caller;
    ((caller != null && made[caller]) || root).seconds += made[at]!.seconds;
  }
  return root;
}
