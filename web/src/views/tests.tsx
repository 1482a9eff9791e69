// The tests, all of them.

import { useMemo, useState } from "preact/hooks";
import { List } from "../list";
import { number, outcomeOf, type Report } from "../model";
import { Filter, Share } from "./parts";

export function Tests({ report }: { report: Report }) {
  const [filter, setFilter] = useState("");
  const { tests } = report.document;
  const shown = useMemo(() => {
    const wanted = filter.toLowerCase();
    const has = (text: string) => text.toLowerCase().includes(wanted);
    const indices = tests.map((_, index) => index);
    if (!wanted) return indices;
    return indices.filter((index) => {
      const test = tests[index]!;
      const error = report.errorOf(test.name);
      return has(test.name) || has(test.end ?? "unfinished") || has(test.inputs) ||
        (error !== undefined && has(`${error.finding.function} ${error.finding.file}:${error.finding.line}`));
    });
  }, [filter, tests]);
  return (
    <div class="tests">
      <div class="tools">
        <Filter label="Filter by name, end, input or function" value={filter} onChange={setFilter} />
        <span class="faint" role="status">{number(shown.length)} of {number(tests.length)}</span>
        <Share report={report} shown={tests.length} />
      </div>
      <List rows={shown.length} height={28} label="Tests">
        {(row) => {
          const test = tests[shown[row]!]!;
          return (
            <div class="test" role="listitem" key={shown[row]}>
              <a href={`#tree/${test.name}`}>{test.name}</a>
              <span class={`end ${outcomeOf(test)}`}>{test.end ?? "unfinished"}</span>
              <code>{test.inputs}</code>
            </div>
          );
        }}
      </List>
    </div>
  );
}
