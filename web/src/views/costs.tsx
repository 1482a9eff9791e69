// Where the solver's time went, line by line.

import type { RunReport } from "../document";
import { number, seconds, type Report } from "../model";
import { Flame } from "./flame";
import { PlaceLink } from "./parts";

const MOST = 200;

export function Costs({ report, run }: { report: Report; run: RunReport }) {
  const { calls, costs } = report.document;
  if (!costs.length) return <p class="nothing">The solver was asked nothing, or the run did not write down where.</p>;
  const total = costs.reduce((sum, cost) => sum + cost.seconds, 0) || 1;
  const dearest = costs[0]!.seconds || 1;
  return (
    <section class="card">
      <h2>Solver time by source line</h2>
      <p class="faint">
        {number(run.solver.queries)} queries, of which {number(run.solver.backend_calls)} reached a backend
        and {number(run.solver.unknown)} have no answer; {seconds(run.solver.seconds)}.
      </p>
      {calls.length > 0 && <Flame report={report} calls={calls} />}
      <table>
        <thead><tr><th>line</th><th>function</th><th class="right">queries</th><th class="right">time</th><th class="right">each</th><th class="share">share</th></tr></thead>
        <tbody>
          {costs.slice(0, MOST).map((cost, index) => (
            <tr key={index}>
              <td><PlaceLink report={report} file={cost.file} line={cost.line} /></td>
              <td>{cost.function}</td>
              <td class="right">{number(cost.queries)}</td>
              <td class="right">{seconds(cost.seconds)}</td>
              <td class="right">{seconds(cost.seconds / Math.max(1, cost.queries))}</td>
              <td class="share"><i style={{ width: `${(100 * cost.seconds) / dearest}%` }} /><span>{((100 * cost.seconds) / total).toFixed(1)} %</span></td>
            </tr>
          ))}
        </tbody>
      </table>
      {costs.length > MOST && <p class="faint">and {number(costs.length - MOST)} cheaper lines</p>}
    </section>
  );
}
