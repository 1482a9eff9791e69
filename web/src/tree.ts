// The execution tree with stretches collapsed in which nothing branches, laid out so
// that a piece of it can be drawn without looking at the rest.

import type { Tree } from "./document";
import { outcomeOf, type Outcome, type Report } from "./model";

/** A node of the collapsed tree: a decision, or the end of a test. */
export interface Branch {
  /** The last node of the stretch, in the document. */
  node: number;
  /** How many decisions without an alternative were put together. */
  length: number;
  parent: number;
  children: number[];
  /** Tests that end here. */
  tests: number[];
  depth: number;
  /** Rows of the leaves below: from `top`, up to and without `bottom`. */
  top: number;
  bottom: number;
  /** Tests below by how they end. */
  errors: number;
  unfinished: number;
}

export class Layout {
  readonly branches: Branch[] = [];
  /** For each node of the document, the branch that it is part of. */
  readonly branchOf: Int32Array;
  readonly rows: number;
  readonly depth: number;

  constructor(
    readonly tree: Tree,
    readonly report: Report,
  ) {
    const count = tree.parents.length;
    const children: number[][] = Array.from({ length: count }, () => []);
    for (let node = 1; node < count; node++) children[tree.parents[node]!]!.push(node);
    const testsAt: number[][] = Array.from({ length: count }, () => []);
    report.document.tests.forEach((test, index) => {
      if (test.node != null) testsAt[test.node]!.push(index);
    });
    this.branchOf = new Int32Array(count).fill(-1);
    let row = 0;
    let deepest = 0;
    // Depth first with a stack of its own: a path may have thousands of decisions.
    const stack: [node: number, parent: number][] = [[0, -1]];
    while (stack.length) {
      let [node, parent] = stack.pop()!;
      const index = this.branches.length;
      let length = 1;
      this.branchOf[node] = index;
      while (children[node]!.length === 1 && testsAt[node]!.length === 0) {
        node = children[node]![0]!;
        this.branchOf[node] = index;
        length++;
      }
      const depth = parent < 0 ? 0 : this.branches[parent]!.depth + 1;
      deepest = Math.max(deepest, depth);
      this.branches.push({
        node, length, parent, depth,
        children: [], tests: testsAt[node]!,
        top: 0, bottom: 0, errors: 0, unfinished: 0,
      });
      if (parent >= 0) this.branches[parent]!.children.push(index);
      for (const child of [...children[node]!].reverse()) stack.push([child, index]);
    }
    // Children come after their parents, so that sums go backwards; rows go forwards.
    for (const branch of this.branches) {
      if (branch.children.length === 0) {
        branch.top = row;
        branch.bottom = ++row;
      }
    }
    for (let index = this.branches.length - 1; index >= 0; index--) {
      const branch = this.branches[index]!;
      for (const test of branch.tests) {
        const outcome = outcomeOf(report.document.tests[test]!);
        if (outcome === "error") branch.errors++;
        if (outcome === "unfinished") branch.unfinished++;
      }
      if (branch.children.length) {
        // Children are in the order of their rows.
        branch.top = this.branches[branch.children[0]!]!.top;
        branch.bottom = this.branches[branch.children.at(-1)!]!.bottom;
      }
      for (const child of branch.children) {
        branch.errors += this.branches[child]!.errors;
        branch.unfinished += this.branches[child]!.unfinished;
      }
    }
    this.rows = row;
    this.depth = deepest;
  }

  /** The worst that happens below: what a reader looks for first. */
  outcome(branch: Branch): Outcome {
    if (branch.errors) return "error";
    return branch.unfinished ? "unfinished" : "exit";
  }

  /** The conditions from the root to a branch, with where they were decided. */
  conditions(index: number): { text: string; function: string; file: string; line: number }[] {
    const conditions = [];
    for (let node = this.branches[index]!.node; node !== 0; node = this.tree.parents[node]!) {
      const place = this.tree.places[this.tree.place_of[node]!]!;
      conditions.push({ text: this.tree.conditions[this.tree.condition_of[node]!]!, ...place });
    }
    return conditions.reverse();
  }

  /** Where the decision was made that led to a branch. */
  place(index: number) {
    const node = this.branches[index]!.node;
    return node === 0 ? undefined : this.tree.places[this.tree.place_of[node]!];
  }

  /** A test below a branch, an error if there is one. */
  example(index: number): number | undefined {
    let branch = this.branches[index]!;
    for (;;) {
      if (branch.tests.length) return branch.tests[0];
      const children = branch.children.map((child) => this.branches[child]!);
      const next = children.find((child) => child.errors > 0) ?? children[0];
      if (!next) return undefined;
      branch = next;
    }
  }

  /** Branches whose function, file, line, condition or test has this text in it. */
  search(text: string, most: number): number[] {
    const wanted = text.toLowerCase();
    const places = this.tree.places.map((place) =>
      `${place.function} ${place.file}:${place.line}`.toLowerCase().includes(wanted),
    );
    const conditions = this.tree.conditions.map((it) => it.toLowerCase().includes(wanted));
    const found: number[] = [];
    for (let index = 0; index < this.branches.length && found.length < most; index++) {
      const { node, tests } = this.branches[index]!;
      const test = tests.some((it) => this.report.document.tests[it]!.name.includes(wanted));
      const decided = node !== 0 &&
        (places[this.tree.place_of[node]!] || conditions[this.tree.condition_of[node]!]);
      if (test || decided) found.push(index);
    }
    return found;
  }
}
