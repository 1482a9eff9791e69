// The page of a run.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Document } from "./document";
import { Report, number, plural } from "./model";
import "./style.css";
import { Costs } from "./views/costs";
import { Errors } from "./views/errors";
import { Functions } from "./views/functions";
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
  const [view = "", ...rest] = decodeURIComponent(location.hash.slice(1)).split("/");
  return { view: view || "summary", detail: rest.join("/") };
}

const THEME = "everypath-theme";

function Page({ report }: { report: Report }) {
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
  const views = [
    { id: "summary", name: "Summary", count: undefined },
    { id: "errors", name: "Errors", count: data.errors.length },
    { id: "source", name: "Source", count: data.files.length },
    { id: "tree", name: "Tree", count: data.tree ? data.tree.parents.length : undefined },
    { id: "tests", name: "Tests", count: data.tests.length },
    { id: "solver", name: "Solver", count: undefined },
    { id: "functions", name: "Functions", count: undefined },
  ];
  const outcome = data.errors.length ? plural(data.errors.length, "error") : data.run.outcome;
  return (
    <>
      <header>
        <a class="skip" href="#main">Skip to content</a>
        <div class="title">
          <span class="brand">everypath</span>
          <h1 title={data.directory}>{data.title}</h1>
          <span class={`badge ${data.errors.length ? "bad" : "good"}`}>{outcome}</span>
        </div>
        <nav aria-label="Views">
          {views.map((view) => (
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
      <main id="main" class={`view-${at.view}`}>
        <View report={report} at={at} />
      </main>
    </>
  );
}

function View({ report, at }: { report: Report; at: Route }) {
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
      return <Costs report={report} />;
    case "functions":
      return <Functions report={report} />;
    default:
      return <Summary report={report} />;
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
render(<Page report={new Report(data)} />, document.getElementById("page")!);
