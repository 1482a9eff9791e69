// The tree on a canvas: a subtree that would be lower than a few pixels is one block, so
// that what is drawn depends on the size of the window and not on that of the run.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Layout } from "./tree";

const COLUMN = 150;
const ROW = 22;
/** Subtrees lower than this are drawn as one block. */
const BLOCK = 4;

interface View {
  x: number;
  y: number;
  /** Pixels a row is high; columns do not get wider than they are high. */
  scale: number;
}

export function TreeCanvas(props: {
  layout: Layout;
  selected: number;
  onSelect: (branch: number) => void;
}) {
  const { layout, selected, onSelect } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useRef<View>({ x: 0, y: 0, scale: ROW });
  const [, redraw] = useState(0);
  const column = () => Math.max(12, Math.min(COLUMN, view.current.scale * 7));

  const fit = () => {
    const { clientHeight } = canvas.current!;
    view.current = { x: 0, y: 0, scale: Math.min(ROW, (clientHeight - 24) / Math.max(1, layout.rows)) };
    redraw((n) => n + 1);
  };
  useEffect(fit, [layout]);
  useEffect(() => {
    const observer = new ResizeObserver(() => redraw((n) => n + 1));
    observer.observe(canvas.current!);
    return () => observer.disconnect();
  }, []);

  /** Brings a branch into view. */
  useEffect(() => {
    const branch = layout.branches[selected];
    const { clientWidth, clientHeight } = canvas.current!;
    if (!branch || !clientWidth) return;
    const { scale } = view.current;
    const x = branch.depth * column() - view.current.x;
    const y = ((branch.top + branch.bottom) / 2) * scale - view.current.y;
    if (x < 20 || x > clientWidth - COLUMN) view.current.x += x - clientWidth / 3;
    if (y < 20 || y > clientHeight - 20) view.current.y += y - clientHeight / 2;
    redraw((n) => n + 1);
  }, [selected, layout]);

  useEffect(() => {
    const element = canvas.current!;
    const { clientWidth: width, clientHeight: height } = element;
    const ratio = window.devicePixelRatio || 1;
    element.width = width * ratio;
    element.height = height * ratio;
    const pen = element.getContext("2d")!;
    pen.scale(ratio, ratio);
    draw(pen, layout, view.current, column(), width, height, selected, getComputedStyle(element));
  });

  const zoom = (factor: number, at: number) => {
    const old = view.current;
    const least = Math.min(ROW, canvas.current!.clientHeight / Math.max(1, layout.rows)) / 2;
    const scale = Math.min(40, Math.max(least, old.scale * factor));
    const before = column();
    view.current = { ...old, scale, y: (old.y + at) * (scale / old.scale) - at };
    view.current.x = old.x * (column() / before);
    redraw((n) => n + 1);
  };

  const hit = (event: MouseEvent): number => {
    const bounds = canvas.current!.getBoundingClientRect();
    const x = event.clientX - bounds.left + view.current.x - 12;
    const row = (event.clientY - bounds.top + view.current.y - 12) / view.current.scale;
    const depth = Math.floor((x + 8) / column());
    let index = 0;
    // Down the tree along the row, to the column that was clicked.
    for (;;) {
      const branch = layout.branches[index]!;
      if (branch.depth >= depth) return index;
      const next = branch.children.find((child) => {
        const { top, bottom } = layout.branches[child]!;
        return row >= top && row < bottom;
      });
      if (next === undefined) return index;
      index = next;
    }
  };

  const move = (event: KeyboardEvent) => {
    const branch = layout.branches[selected]!;
    const siblings = branch.parent < 0 ? [selected] : layout.branches[branch.parent]!.children;
    const position = siblings.indexOf(selected);
    const next: Record<string, number | undefined> = {
      ArrowLeft: branch.parent < 0 ? undefined : branch.parent,
      ArrowRight: branch.children[0],
      ArrowUp: siblings[position - 1],
      ArrowDown: siblings[position + 1],
      Home: 0,
    };
    if (event.key in next) {
      event.preventDefault();
      const target = next[event.key];
      if (target !== undefined) onSelect(target);
    } else if (event.key === "+" || event.key === "=") zoom(1.4, 100);
    else if (event.key === "-") zoom(1 / 1.4, 100);
    else if (event.key === "f") fit();
  };

  const drag = useRef<{ x: number; y: number; moved: boolean }>();
  return (
    <canvas
      ref={canvas}
      class="tree-canvas"
      tabIndex={0}
      role="application"
      aria-label="Execution tree. Arrow keys follow branches, plus and minus zoom, f shows all."
      onKeyDown={move}
      onWheel={(event) => {
        event.preventDefault();
        if (event.shiftKey || event.deltaX) {
          view.current.x += event.deltaX || event.deltaY;
          redraw((n) => n + 1);
        } else {
          zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.offsetY - 12);
        }
      }}
      onPointerDown={(event) => {
        drag.current = { x: event.clientX, y: event.clientY, moved: false };
        canvas.current!.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        const start = drag.current;
        if (!start) return;
        const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
        if (!start.moved && Math.abs(dx) + Math.abs(dy) < 4) return;
        view.current.x -= dx;
        view.current.y -= dy;
        drag.current = { x: event.clientX, y: event.clientY, moved: true };
        redraw((n) => n + 1);
      }}
      onPointerUp={(event) => {
        if (drag.current && !drag.current.moved) onSelect(hit(event));
        drag.current = undefined;
      }}
    />
  );
}

function draw(
  pen: CanvasRenderingContext2D,
  layout: Layout,
  view: View,
  column: number,
  width: number,
  height: number,
  selected: number,
  style: CSSStyleDeclaration,
) {
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const colours = {
    exit: colour("--good"),
    error: colour("--bad"),
    unfinished: colour("--warn"),
    line: colour("--line"),
    text: colour("--text"),
    faint: colour("--faint"),
    accent: colour("--accent"),
    surface: colour("--surface"),
  };
  pen.clearRect(0, 0, width, height);
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "middle";
  const x = (depth: number) => 12 + depth * column - view.x;
  const y = (row: number) => 12 + row * view.scale - view.y;
  const onPath = new Set<number>();
  for (let index = selected; index >= 0; index = layout.branches[index]!.parent) onPath.add(index);
  const stack = [0];
  while (stack.length) {
    const index = stack.pop()!;
    const branch = layout.branches[index]!;
    const [top, bottom] = [y(branch.top), y(branch.bottom)];
    if (bottom < 0 || top > height || x(branch.depth) > width) continue;
    const [left, middle] = [x(branch.depth), (top + bottom) / 2];
    const shade = colours[layout.outcome(branch)];
    if (bottom - top < BLOCK && branch.children.length) {
      // What is below is too low to be told apart.
      pen.fillStyle = shade;
      const deep = Math.min(4, layout.depth - branch.depth + 1);
      pen.fillRect(left, top, deep * column, Math.max(1, bottom - top));
      continue;
    }
    for (const child of branch.children) {
      const { top, bottom, depth } = layout.branches[child]!;
      const end = (y(top) + y(bottom)) / 2;
      if (Math.max(middle, end) < 0 || Math.min(middle, end) > height) continue;
      const chosen = onPath.has(child);
      pen.strokeStyle = chosen ? colours.accent : colours.line;
      pen.lineWidth = chosen ? 2 : 1;
      pen.beginPath();
      pen.moveTo(left, middle);
      const half = left + column / 2;
      pen.bezierCurveTo(half, middle, half, end, x(depth), end);
      pen.stroke();
      stack.push(child);
    }
    const radius = Math.min(5, Math.max(1.5, view.scale / 3));
    pen.fillStyle = shade;
    pen.beginPath();
    pen.arc(left, middle, index === selected ? radius + 2 : radius, 0, 7);
    pen.fill();
    if (index === selected) {
      pen.strokeStyle = colours.accent;
      pen.lineWidth = 2;
      pen.stroke();
    }
    if (bottom - top >= 13 && column > 60) label(pen, layout, index, left + 9, middle, column, colours);
  }
}

function label(
  pen: CanvasRenderingContext2D,
  layout: Layout,
  index: number,
  x: number,
  y: number,
  column: number,
  colours: { text: string; faint: string; surface: string },
) {
  const branch = layout.branches[index]!;
  const { tree, report } = layout;
  const node = branch.node;
  const condition = node === 0 ? "start" : tree.conditions[tree.condition_of[node]!]!;
  let text = condition.split("\n").at(-1)!;
  if (branch.length > 1 && node !== 0) text = `… ${text}`;
  const test = branch.tests[0];
  const room = branch.children.length ? column - 22 : 420;
  if (test !== undefined) text = `${report.document.tests[test]!.name}  ${text}`;
  const letters = Math.floor(room / 6.4);
  if (text.length > letters) text = text.slice(0, Math.max(1, letters - 1)) + "…";
  // The edges pass behind the text.
  pen.fillStyle = colours.surface;
  pen.fillRect(x - 1, y - 8, pen.measureText(text).width + 2, 16);
  pen.fillStyle = branch.children.length ? colours.faint : colours.text;
  pen.fillText(text, x, y);
}
