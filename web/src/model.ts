// The document of a run, and what is computed from it once.

import type { Document, ErrorReport, SourceFile, Test } from "./document";

export type Outcome = "exit" | "error" | "unfinished";

/** How a test ended, as far as colours go. */
export function outcomeOf(test: Test): Outcome {
  if (!test.end) return "unfinished";
  return test.end.startsWith("exit ") ? "exit" : "error";
}

/** Where something is in the source. */
export interface Place {
  file: string;
  line: number;
}

export class Report {
  readonly fileByPath = new Map<string, SourceFile>();
  readonly testByName = new Map<string, number>();
  private costs?: Map<string, Map<number, number>>;

  constructor(readonly document: Document) {
    for (const file of document.files) this.fileByPath.set(file.path, file);
    document.tests.forEach((test, index) => this.testByName.set(test.name, index));
  }

  /** The file that a path, a name or the end of a path means. */
  file(path: string): SourceFile | undefined {
    if (!path) return undefined;
    return (
      this.fileByPath.get(path) ??
      this.document.files.find((file) => file.name === path || file.path.endsWith("/" + path))
    );
  }

  errorOf(test: string): ErrorReport | undefined {
    return this.document.errors.find((error) => error.finding.test === test);
  }

  /** Seconds of the solver by line of a file. */
  costsOf(path: string): Map<number, number> {
    if (!this.costs) {
      this.costs = new Map();
      for (const cost of this.document.costs) {
        const lines = this.costs.get(cost.file) ?? new Map<number, number>();
        lines.set(cost.line, (lines.get(cost.line) ?? 0) + cost.seconds);
        this.costs.set(cost.file, lines);
      }
    }
    return this.costs.get(path) ?? new Map();
  }
}

/** The share in percent of lines with code that were reached. */
export function coverageOf(file: SourceFile): number {
  const covered = file.lines.filter((line) => line.hits > 0).length;
  return file.lines.length ? (100 * covered) / file.lines.length : 0;
}

export function number(value: number): string {
  return value.toLocaleString("en");
}

export function seconds(value: number): string {
  if (value >= 100) return `${value.toFixed(0)} s`;
  if (value >= 1) return `${value.toFixed(2)} s`;
  if (value >= 0.001) return `${(1000 * value).toFixed(1)} ms`;
  return `${(1e6 * value).toFixed(0)} µs`;
}

export function bytes(value: number): string {
  return value >= 1 << 30 ? `${(value / (1 << 30)).toFixed(1)} GiB` : `${Math.round(value / (1 << 20))} MiB`;
}

/** A text as one word of a shell. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function plural(count: number, noun: string, nouns = `${noun}s`): string {
  return `${number(count)} ${count === 1 ? noun : nouns}`;
}
