// The page of a run.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Document } from "./document";
import { useLive, type LiveView } from "./live";
import { Report, number, plural } from "./model";
import "./style.css";
import { ModelSummary, ModelTests } from "./views/automata";
import { Corpus } from "./views/corpus";
import { Costs } from "./views/costs";
import { Errors } from "./views/errors";
import { Functions } from "./views/functions";
import { LiveBar, LiveCards } from "./views/live";
import { SourceView } from "./views/source";
import { Summary } from "./views/summary";
import { Tests } from "./views/tests";
import { TreeView } from "./views/tree";

/** A view and what it shows, as the part of the address after `#` has it. */
export interface Route {
  view: string;
  detail: string;
}

function route(): Route {
  const [view = "", ...rest] = decoded(location.hash.slice(1)).split("/");
  return { view: view || "summary", detail: rest.join("/") };
}

/** What somebody typed there may be no code of anything. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function skipToContent(event: Event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

const THEME = "everypath-theme";

interface ViewName {
  id: string;
  name: string;
  count?: number;
}

/** The views that this document has something for. */
function viewsOf(data: Document): ViewName[] {
  const tree = { id: "tree", name: "Tree", count: data.tree ? data.tree.parents.length : undefined };
  const summary = { id: "summary", name: "Summary" };
  if (data.model) {
    return [summary, tree, { id: "tests", name: "Tests", count: data.model.tests.length }];
  }
  const kept = data.run?.fuzz
    ? [{ id: "corpus", name: "Corpus", count: data.corpus.length }]
    : [tree, { id: "tests", name: "Tests", count: data.tests.length }];
  return [
    summary,
    { id: "errors", name: "Errors", count: data.errors.length },
    { id: "source", name: "Source", count: data.files.length },
    ...kept,
    { id: "solver", name: "Solver" },
    { id: "functions", name: "Functions" },
  ];
}

/** What a run came to, in a word, and whether that is good. */
function badge(data: Document): { text: string; tone: string } {
  if (data.model) {
    const failed = data.model.tests.filter((test) => test.verdict === "fail").length;
    return failed ? { text: `${number(failed)} failed`, tone: "bad" } : { text: "model", tone: "good" };
  }
  if (data.errors.length) return { text: plural(data.errors.length, "error"), tone: "bad" };
  return { text: data.run?.outcome ?? "", tone: "good" };
}

function Page({ first }: { first: Document }) {
  const [report, setReport] = useState(() => new Report(first));
  const view = useLive(first, (document) => setReport(new Report(document)));
  const [at, setAt] = useState(route());
  const [theme, setTheme] = useState(() => remembered() ?? preferred());
  useEffect(() => {
    const listen = () => setAt(route());
    addEventListener("hashchange", listen);
    return () => removeEventListener("hashchange", listen);
  }, []);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(THEME, theme);
    } catch {
      // A page from a file may have no storage; the theme then lasts as long as the page.
    }
  }, [theme]);
  const { document: data } = report;
  const { text, tone } = badge(data);
  return (
    <>
      <header>
        <a class="skip" href="#main" onClick={skipToContent}>Skip to content</a>
        <div class="title">
          <span class="brand">everypath</span>
          <h1 title={data.directory}>{data.title}</h1>
          <span class={`badge ${tone}`}>{text}</span>
        </div>
        <nav aria-label="Views">
          {viewsOf(data).map((view) => (
            <a href={`#${view.id}`} aria-current={at.view === view.id ? "page" : undefined} key={view.id}>
              {view.name}
              {view.count !== undefined && <span class="count">{number(view.count)}</span>}
            </a>
          ))}
        </nav>
        <button
          class="theme"
          onClick={() => setTheme(theme === "dark" ? "light" : "dark")}
          aria-label={`Use the ${theme === "dark" ? "light" : "dark"} theme`}
        >
          {theme === "dark" ? "☀" : "☾"}
        </button>
      </header>
      <LiveBar view={view} />
      <main id="main" class={`view-${at.view}`} tabIndex={-1}>
        <View report={report} at={at} live={view} />
      </main>
    </>
  );
}

function View({ report, at, live }: { report: Report; at: Route; live: LiveView }) {
  const { model, run } = report.document;
  if (model) {
    switch (at.view) {
      case "tree":
        return <TreeView report={report} detail={at.detail} />;
      case "tests":
        return <ModelTests model={model} detail={at.detail} />;
      default:
        return <ModelSummary report={report} model={model} curve={live.live?.curve} />;
    }
  }
  if (!run) return <p class="nothing">Nothing is known of this run.</p>;
  switch (at.view) {
    case "errors":
      return <Errors report={report} detail={at.detail} />;
    case "source":
      return <SourceView report={report} detail={at.detail} />;
    case "tree":
      return <TreeView report={report} detail={at.detail} />;
    case "tests":
      return <Tests report={report} />;
    case "solver":
      return <Costs report={report} run={run} />;
    case "functions":
      return <Functions report={report} run={run} />;
    case "corpus":
      return <Corpus report={report} />;
    default:
      return (
        <Summary report={report} run={live.live?.run ?? run} curve={live.live?.phase === "over" ? undefined : live.live?.curve}>
          <LiveCards view={live} report={report} />
        </Summary>
      );
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(THEME);
  } catch {
    return null;
  }
}

function preferred(): string {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

const text = document.getElementById("document")?.textContent ?? "null";
const data = JSON.parse(text) as Document;
render(<Page first={data} />, document.getElementById("page")!);
