// Small pieces that several views use.

import { useState } from "preact/hooks";
import { number, type Report } from "../model";

/** A link to a line of the source, if the file is in the report. */
export function PlaceLink(props: { report: Report; file: string; line: number }) {
  const { report, file, line } = props;
  if (!file || !line) return <span class="faint">unknown place</span>;
  const found = report.file(file);
  const name = `${found?.name ?? file}:${line}`;
  return found ? <a href={`#source/${encodeURIComponent(found.name)}:${line}`}>{name}</a> : <span>{name}</span>;
}

/** How many of the tests that were written a view shows, where that is not all of them. */
export function Share({ report, shown }: { report: Report; shown: number }) {
  const { live, run } = report.document;
  const written = run?.tests ?? 0;
  if (shown >= written) return null;
  const which = live ? "the first, and those with errors; the report has all" : "the first";
  return <span class="faint">{number(shown)} of {number(written)} tests: {which}</span>;
}

/** A command that a person can take along. */
export function CommandLine({ command }: { command: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command);
    } catch {
      // Pages from files may not use the clipboard; select the text instead.
      const area = Object.assign(document.createElement("textarea"), { value: command });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <div class="command">
      <code>{command}</code>
      <button onClick={copy}>{copied ? "Copied" : "Copy"}</button>
    </div>
  );
}

/** A part of a whole as a bar. */
export function Meter(props: { label: string; covered: number; total: number }) {
  const share = props.total ? (100 * props.covered) / props.total : 0;
  return (
    <div class="meter">
      <div class="meter-text">
        <span>{props.label}</span>
        <span>
          <b>{share.toFixed(share === 100 || share === 0 ? 0 : 1)} %</b>{" "}
          <span class="faint">{props.covered.toLocaleString("en")} of {props.total.toLocaleString("en")}</span>
        </span>
      </div>
      <div
        class="meter-bar" role="progressbar" aria-label={props.label}
        aria-valuenow={Math.round(share)} aria-valuemin={0} aria-valuemax={100}
      >
        <div style={{ width: `${share}%` }} />
      </div>
    </div>
  );
}

export function Filter(props: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <input
      type="search"
      placeholder={props.label}
      aria-label={props.label}
      value={props.value}
      onInput={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}
