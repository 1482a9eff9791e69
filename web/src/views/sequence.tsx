// A test of a system as a sequence chart: what the tester and the system send each other.

import type { ModelTest } from "../document";

const [LEFT, RIGHT, STEP, TOP] = [90, 570, 34, 50];

export function Sequence({ test }: { test: ModelTest }) {
  const height = TOP + STEP * (test.messages.length + 1);
  const told = test.messages.map((it) => `${it.sender === "nobody" ? "silence" : it.sender}: ${it.text}`);
  return (
    <svg class="sequence" viewBox={`0 0 ${LEFT + RIGHT} ${height}`} role="img" aria-label={`${test.name}: ${told.join("; ")}`}>
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse">
          <path d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {[{ x: LEFT, name: "tester" }, { x: RIGHT, name: "system" }].map(({ x, name }) => (
        <g key={name}>
          <rect x={x - 45} y={8} width={90} height={26} rx={5} />
          <text x={x} y={25} class="party">{name}</text>
          <line class="life" x1={x} x2={x} y1={34} y2={height - 6} />
        </g>
      ))}
      {test.messages.map((message, index) => {
        const y = TOP + STEP * (index + 0.6);
        const text = message.text.length > 64 ? `${message.text.slice(0, 63)}…` : message.text;
        if (message.sender === "nobody") {
          return <text key={index} x={(LEFT + RIGHT) / 2} y={y} class="silence">{text}</text>;
        }
        const [from, to] = message.sender === "tester" ? [LEFT, RIGHT] : [RIGHT, LEFT];
        return (
          <g key={index} class={message.sender}>
            <title>{message.text}</title>
            <text x={(LEFT + RIGHT) / 2} y={y - 6}>{text}</text>
            <line class="message" x1={from} x2={to} y1={y} y2={y} marker-end="url(#arrow)" />
          </g>
        );
      })}
    </svg>
  );
}
