// A list of many rows of one height, of which only those in view are in the page.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export function List(props: {
  rows: number;
  height: number;
  label: string;
  /** The row to bring into view; it is brought there again when `focus` changes. */
  at?: number;
  children: (row: number) => ComponentChildren;
}) {
  const element = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, size: 800 });
  const look = () => {
    const { scrollTop, clientHeight } = element.current!;
    setView({ top: scrollTop, size: clientHeight });
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (props.at === undefined) return;
    const { clientHeight } = element.current!;
    element.current!.scrollTop = Math.max(0, props.at * props.height - clientHeight / 3);
    look();
  }, [props.at, props.rows]);
  const first = Math.max(0, Math.floor(view.top / props.height) - 10);
  const last = Math.min(props.rows, Math.ceil((view.top + view.size) / props.height) + 10);
  const shown = [];
  for (let row = first; row < last; row++) shown.push(props.children(row));
  return (
    <div class="list" ref={element} onScroll={look} tabIndex={0} role="list" aria-label={props.label}>
      <div class="list-room" style={{ height: `${props.rows * props.height}px` }}>
        <div class="list-shown" style={{ transform: `translateY(${first * props.height}px)` }}>
          {shown}
        </div>
      </div>
    </div>
  );
}
