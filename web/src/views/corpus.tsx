// The inputs that fuzzing kept.

import { useMemo, useState } from "preact/hooks";
import { List } from "../list";
import { number, plural, type Report } from "../model";
import { Filter } from "./parts";

export function Corpus({ report }: { report: Report }) {
  const [filter, setFilter] = useState("");
  const { corpus, run } = report.document;
  const shown = useMemo(() => {
    const wanted = filter.toLowerCase();
    return corpus.filter((input) => input.name.includes(wanted) || input.text.toLowerCase().includes(wanted));
  }, [filter, corpus]);
  const fuzz = run?.fuzz;
  return (
    <div class="tests">
      <div class="tools">
        <Filter label="Filter by name or text" value={filter} onChange={setFilter} />
        <span class="faint" role="status">{number(shown.length)} of {number(run?.tests ?? corpus.length)}</span>
        {fuzz && (
          <span class="faint">
            {plural(fuzz.runs, "run")} in {plural(fuzz.generations, "generation")}, {plural(fuzz.flips, "condition")} flipped, {number(fuzz.solved)} solved
          </span>
        )}
      </div>
      <List rows={shown.length} height={28} label="Corpus">
        {(row) => {
          const input = shown[row]!;
          return (
            <div class="test" role="listitem" key={input.name}>
              <span>{input.name}</span>
              <span class="faint">{plural(input.size, "byte")}</span>
              <code>{input.text}</code>
            </div>
          );
        }}
      </List>
    </div>
  );
}
