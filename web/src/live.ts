// A run that goes on: what its server says, and the buttons that steer it.

import { useEffect, useState } from "preact/hooks";
import type { Document, Live } from "./document";

/** Whole documents are fetched at most this often, in milliseconds. */
const EVERY = 2000;

export interface LiveView {
  live: Live | undefined;
  /** Whether the server does not answer any more. */
  isLost: boolean;
}

/** Follows the run that the page came from; `show` gets whole documents as there are new ones. */
export function useLive(first: Document, show: (document: Document) => void): LiveView {
  const [live, setLive] = useState<Live | undefined>(first.live ?? undefined);
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (!first.live) return;
    const events = new EventSource("events");
    let fetched = performance.now();
    let fetching: Promise<void> | undefined;
    let shown = first.tests.length;
    const refresh = async () => {
      try {
        const answer = await fetch("document");
        if (answer.ok) show((await answer.json()) as Document);
      } catch {
        setLost(true);
      } finally {
        fetching = undefined;
        fetched = performance.now();
      }
    };
    // The document on its way may be older than the end. The server waits until we hang up,
    // unless its run had to end at once: then the page keeps what it has.
    const end = async (update: Live) => {
      await fetching;
      await refresh();
      setLive(update);
      events.close();
    };
    events.onmessage = (event: MessageEvent<string>) => {
      const update = JSON.parse(event.data) as Live;
      setLost(false);
      if (update.phase === "over") {
        void end(update);
        return;
      }
      setLive(update);
      // Models have states in place of tests.
      const news = update.run?.tests ?? update.curve.at(-1)?.paths ?? 0;
      if (!fetching && performance.now() - fetched > (news === shown ? 3 * EVERY : EVERY)) {
        shown = news;
        fetching = refresh();
      }
    };
    events.onerror = () => setLost(true);
    return () => events.close();
  }, []);
  return { live, isLost };
}

/** Presses a button of the run. */
export async function press(button: "pause" | "resume" | "stop" | "dump"): Promise<void> {
  await fetch(button, { method: "POST" });
}
