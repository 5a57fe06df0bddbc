import { useState } from "preact/hooks";
import { second } from "../model/times";
import { typesOf } from "../model/quantities";
import { Select } from "../ui/field";
import { duration, share } from "../ui/format";
import { Chart } from "./chart";
import type { Curves } from "./metrics";
import type { Outcome } from "./run";

const seconds = (x: number) => duration(x * second);
const asks = (y: number) => String(Math.round(y * 10) / 10);

/** Use, stranded room and pending asks over time, and how long asks waited. */
export function Charts({ a, b, pairs }: Pick<Outcome, "a" | "b" | "pairs">) {
  const types = typesOf(a.figures.used, b.figures.used);
  const [type, setType] = useState(types[0] ?? "vcore");
  const over = (of: (c: Curves) => readonly number[] | undefined) => ({ a: curve(a.figures.curves, of), b: curve(b.figures.curves, of), holds: "since" as const, across: "Up to", sayX: seconds });
  return (
    <section aria-labelledby="compare-charts">
      <div class="compare-bar">
        <div>
          <h2 id="compare-charts">Over time</h2>
          {pairs.length > 1 && <p class="compare-lead">{a.scenario.title}.</p>}
        </div>
        {types.length > 1 && <Select bare label="Resource type of the charts" value={type} options={types.map((value) => ({ value, text: value }))} onChange={setType} />}
      </div>
      <div class="compare-charts">
        <Chart title={`Used, ${type}`} about="Share of the capacity" {...over((c) => c.used[type])} top={1} sayY={share} />
        <Chart title={`Stranded, ${type}`} about="Share of the capacity that is free where no waiting ask fits" {...over((c) => c.stranded[type])} top={1} sayY={share} />
        <Chart title="Pending" about="Asks that wait" {...over((c) => c.pending)} sayY={asks} />
        <Chart title="Waits" about="Share of the placed asks that waited no longer than this" a={waits(a.figures.curves)} b={waits(b.figures.curves)} holds="from" across="Wait"
          top={1} sayX={seconds} sayY={share} />
      </div>
    </section>
  );
}

function curve(curves: Curves, of: (c: Curves) => readonly number[] | undefined) {
  return { x: curves.times, y: of(curves) ?? [] };
}

function waits({ waits }: Curves) {
  return { x: waits.map(([wait]) => wait), y: waits.map(([, part]) => part) };
}
