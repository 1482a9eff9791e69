// How far a run is that goes on, and the buttons that steer it.

import { press, type LiveView } from "../live";
import { number, plural, seconds, type Report } from "../model";
import { PlaceLink } from "./parts";

/** The strip above every view. */
export function LiveBar({ view: { live, isLost } }: { view: LiveView }) {
  if (!live) return null;
  if (live.phase === "over") {
    const what = isLost ? "what was seen of it last" : "its report";
    return <div class="live-bar" role="status">The run is over: this is {what}.</div>;
  }
  const isPaused = live.phase === "paused";
  const isStopping = live.phase === "stopping" || isLost;
  return (
    <div class="live-bar">
      <span class={`pulse ${live.phase}`} aria-hidden="true" />
      <b role="status">{isLost ? "The run does not answer" : live.phase}</b>
      <span>{live.run ? plural(live.run.paths.completed + live.run.paths.errors, "path") : plural(live.curve.at(-1)?.paths ?? 0, "state")}</span>
      <span>{number(live.waiting)} waiting</span>
      <span>{seconds(live.run?.seconds ?? live.curve.at(-1)?.seconds ?? 0)}{live.time_left != null && `, ${seconds(live.time_left)} left`}</span>
      <span class="buttons">
        <button onClick={() => press(isPaused ? "resume" : "pause")} disabled={isStopping}>{isPaused ? "Resume" : "Pause"}</button>
        <button onClick={() => press("dump")} disabled={isStopping}>Dump</button>
        <button onClick={() => press("stop")} disabled={isStopping}>Stop</button>
      </span>
    </div>
  );
}

/** The cards of the summary that only a run that goes on has. */
export function LiveCards({ view: { live }, report }: { view: LiveView; report: Report }) {
  if (!live || live.phase === "over") return null;
  return (
    <>
      <section class="card">
        <h2>Workers</h2>
        {live.workers.length === 0 && <p class="faint">The run is in one process so far.</p>}
        {live.workers.length > 0 && (
          <table>
            <thead><tr><th>worker</th><th>state</th><th class="right">paths</th><th class="right">waiting</th></tr></thead>
            <tbody>
              {live.workers.map((it) => (
                <tr key={it.number}>
                  <td>{it.number}</td><td>{it.state}</td>
                  <td class="right">{number(it.paths)}</td><td class="right">{number(it.waiting)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
      <section class="card">
        <h2>Slow queries</h2>
        {live.costs.length === 0 && <p class="faint">No query so far.</p>}
        <ol class="errors">
          {live.costs.slice(0, 6).map((cost, index) => (
            <li key={index}>
              <PlaceLink report={report} file={cost.file} line={cost.line} />
              <span class="faint">{plural(cost.queries, "query", "queries")}, {seconds(cost.seconds)}</span>
            </li>
          ))}
        </ol>
      </section>
      {live.dumps.length > 0 && (
        <section class="card wide">
          <h2>Dumps</h2>
          <ul class="dumps">{live.dumps.map((dump) => <li key={dump}><code>{dump}</code></li>)}</ul>
        </section>
      )}
    </>
  );
}
