// The errors: what, where, with which input, and how to see each again.

import { useState } from "preact/hooks";
import { plural, type Report } from "../model";
import { CommandLine, Filter, PlaceLink } from "./parts";
import { Excerpt } from "./source";

export function Errors({ report, detail }: { report: Report; detail: string }) {
  const [filter, setFilter] = useState("");
  const { errors } = report.document;
  if (!errors.length) return <p class="nothing">No path ended in an error.</p>;
  const wanted = filter.toLowerCase();
  const shown = errors
    .map((error, index) => ({ error, index }))
    .filter(({ error: { finding } }) =>
      `${finding.kind} ${finding.message} ${finding.function} ${finding.file}`.toLowerCase().includes(wanted),
    );
  const index = Math.min(Number(detail) || 0, errors.length - 1);
  return (
    <div class="split">
      <aside>
        <Filter label="Filter by kind, function or text" value={filter} onChange={setFilter} />
        <ol class="choice">
          {shown.map(({ error, index: at }) => (
            <li key={at}>
              <a href={`#errors/${at}`} aria-current={at === index ? "true" : undefined}>
                <span class="kind">{error.finding.kind}</span>
                <span>{error.finding.message}</span>
                <span class="faint">{error.finding.function}, {error.finding.file}:{error.finding.line}</span>
              </a>
            </li>
          ))}
        </ol>
      </aside>
      <ErrorView report={report} index={index} />
    </div>
  );
}

function ErrorView({ report, index }: { report: Report; index: number }) {
  const error = report.document.errors[index]!;
  const { finding } = error;
  const test = report.document.tests[report.testByName.get(finding.test) ?? -1];
  return (
    <article class="detail" aria-label={`Error ${index + 1}`}>
      <h2><span class="kind">{finding.kind}</span> {finding.message}</h2>
      <p>
        in <b>{finding.function}</b>, <PlaceLink report={report} file={finding.file} line={finding.line} />
        {error.tests > 1 && <span class="faint"> · {plural(error.tests, "test")} lead here</span>}
      </p>
      <Excerpt report={report} file={finding.file} line={finding.line} />
      {error.stack.length > 0 && (
        <>
          <h3>Stack</h3>
          <ol class="frames">
            {error.stack.map((frame, depth) => (
              <li key={depth}><b>{frame.function}</b> <PlaceLink report={report} file={frame.file} line={frame.line} /></li>
            ))}
          </ol>
        </>
      )}
      {error.pictures.map((picture, at) => (
        <img class="picture" key={at} alt="The objects before and after" src={`data:image/svg+xml,${encodeURIComponent(picture)}`} />
      ))}
      <h3>Input <span class="faint">{finding.test}</span></h3>
      <pre class="input">{error.input}</pre>
      {test?.node != null && <p><a href={`#tree/${test.name}`}>Show this path in the tree</a></p>}
      <h3>See it again</h3>
      <CommandLine command={error.replay} />
    </article>
  );
}
