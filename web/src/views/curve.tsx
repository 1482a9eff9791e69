// How paths and coverage grew.

import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Sample } from "../document";

export function Curve({ samples, what }: { samples: Sample[]; what: string }) {
  const element = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>();
  useEffect(() => {
    const place = element.current!;
    const style = getComputedStyle(place);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line") } };
    const plot = new uPlot(
      {
        width: place.clientWidth,
        height: 220,
        legend: { show: true },
        scales: { x: { time: false } },
        axes: [
          { ...axis, values: (_, ticks) => ticks.map((tick) => `${tick} s`) },
          { ...axis, size: 64 },
          { ...axis, scale: "covered", side: 1, grid: { show: false } },
        ],
        series: [
          { label: "seconds" },
          { label: what, stroke: colour("--accent"), width: 2 },
          { label: "blocks and edges reached", scale: "covered", stroke: colour("--good"), width: 2 },
          { label: "states waiting", stroke: colour("--warn"), width: 1 },
        ],
      },
      columns(samples),
      place,
    );
    drawn.current = plot;
    const observer = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: 220 }));
    observer.observe(place);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [what]);
  // A run that goes on has new samples several times a second: the plot stays.
  useEffect(() => drawn.current?.setData(columns(samples)), [samples]);
  const last = samples.at(-1)!;
  return (
    <div
      ref={element} role="img"
      aria-label={`After ${last.seconds.toFixed(1)} seconds: ${last.paths} ${what}, ${last.covered} blocks and edges`}
    />
  );
}

function columns(samples: Sample[]): uPlot.AlignedData {
  return [
    samples.map((it) => it.seconds),
    samples.map((it) => it.paths),
    samples.map((it) => it.covered),
    samples.map((it) => it.waiting),
  ];
}
