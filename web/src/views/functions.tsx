// Functions outside the program, and conditions with them.

import type { RunReport } from "../document";
import { number, type Report } from "../model";
import { TableCard } from "./table";

export function Functions({ report, run }: { report: Report; run: RunReport }) {
  const { external } = run;
  if (!external || (!external.functions.length && !external.queries)) {
    return <p class="nothing">The program called no function outside it.</p>;
  }
  const tried = Object.entries(external.heuristics).filter(([, it]) => it.tries > 0);
  return (
    <div class="columns">
      <section class="card wide">
        <h2>External functions</h2>
        <table>
          <thead><tr><th>function</th><th class="right">calls</th><th class="right">executed</th><th class="right">from its table</th><th class="right">without a result</th></tr></thead>
          <tbody>
            {external.functions.map((it) => (
              <tr key={it.function}>
                <td><code>{it.function}</code></td><td class="right">{number(it.calls)}</td><td class="right">{number(it.runs)}</td>
                <td class="right">{number(it.from_table)}</td><td class="right">{number(it.failures)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section class="card wide">
        <h2>Conditions beyond the solver</h2>
        <p>Decided by <b>{external.strategy}</b>: {number(external.yes)} yes, {number(external.no)} no, {number(external.unknown)} unknown.</p>
        {tried.length > 0 && (
          <table>
            <thead><tr><th>heuristic</th><th class="right">tries</th><th class="right">solutions</th></tr></thead>
            <tbody>
              {tried.map(([name, it]) => (
                <tr key={name}><td>{name}</td><td class="right">{number(it.tries)}</td><td class="right">{number(it.yes)}</td></tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      {report.document.tables.map((table) => <TableCard table={table} key={table.function} />)}
    </div>
  );
}
