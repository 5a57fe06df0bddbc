import "uplot/dist/uPlot.min.css";
import "./timelines.css";
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { second } from "../model/times";
import { duration } from "../ui/format";
import { dark } from "../ui/theme";
import { readPalette } from "./colours";
import { pace } from "./pace";
import { dashOf, plot } from "./timelines-plot";
import { sampleAt, summary, tableRows, type Chart } from "./timelines-series";

/** What charts show. */
export interface ChartSource {
  read(): { readonly time: readonly number[]; readonly charts: readonly Chart[] };
  /** In seconds. */
  now(): number;
  /** How a time in seconds reads; left out: as the time that has passed. */
  readonly time?: (seconds: number) => string;
  /** What a click on a time does; left out: nothing. */
  readonly travel?: (seconds: number) => void;
  /** Calls when there is more, until the functions that it gives are called. */
  follow(call: () => void): readonly (() => void)[];
}

const passed = (seconds: number) => duration(seconds * second);

interface ChartsProps {
  readonly source: ChartSource;
}

/** Charts over one time, one below the other. */
export function Charts({ source }: ChartsProps) {
  const { charts, time } = source.read();
  const at = sampleAt(time, source.now());
  // A line more or less is another chart: its plot restarts.
  const shapes = charts.map((chart) => chart.lines.map((line) => line.label).join());
  return (
    <div class="timelines-charts" role="group" aria-label="Charts" tabIndex={0}>
      {charts.map((chart, i) => (
        <figure key={`${chart.title} ${shapes[i] ?? ""}`} class="timelines-figure" aria-label={`${chart.title}, now: ${summary(chart, at)}`}>
          <figcaption><b>{chart.title}</b><Key chart={chart} at={at} /></figcaption>
          <Plot source={source} index={i} times={i === charts.length - 1} />
        </figure>
      ))}
    </div>
  );
}

/** The lines of a chart with their values now. */
function Key({ chart, at }: { readonly chart: Chart; readonly at: number }) {
  if (chart.lines.length === 1) return <span>{summary(chart, at)}</span>;
  return (
    <>
      {chart.lines.map((line, i) => (
        <span key={line.label}>
          <svg class="timelines-line" viewBox="0 0 20 6" aria-hidden="true" style={{ color: `var(--c${(i % 7) + 1})` }}><path d={line.form === "dots" ? "M8 3h4" : "M0 3h20"} stroke-width={line.form === "dots" ? 4 : 2} stroke-dasharray={line.form === "dots" ? undefined : dashOf(i).join(" ")} /></svg>
          {line.label} {summary({ ...chart, lines: [line] }, at)}
        </span>
      ))}
    </>
  );
}

/** The drawing of one chart; it follows its source by itself. */
function Plot({ source, index, times }: ChartsProps & { readonly index: number; readonly times: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const size = useSignal({ width: 0, height: 0 });
  const fits = useComputed(() => size.value.width > 60 && size.value.height > 30);
  useEffect(() => {
    if (!box.current) return undefined;
    const sizes = new ResizeObserver(([entry]) => {
      if (entry) size.value = { width: Math.floor(entry.contentRect.width), height: Math.floor(entry.contentRect.height) };
    });
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, []);
  useEffect(() => {
    const target = box.current;
    const [first] = source.read().charts.slice(index);
    if (!target || !first || !fits.value) return undefined;
    const { width, height } = size.peek();
    const made = plot(target, { chart: first, palette: readPalette(), width, height, now: () => source.now(), times, time: source.time ?? passed, travel: source.travel });
    return keepUp(made, source, index, () => size.value);
  }, [index, times, fits.value, dark.value]);
  return <div ref={box} class="timelines-plot" aria-hidden="true" />;
}

/** Has a plot follow its source and its room until it is told to end. */
function keepUp(made: uPlot, source: ChartSource, index: number, room: () => { width: number; height: number }): () => void {
  const { ask, stop } = pace(200, () => {
    const { time, charts } = source.read();
    const chart = charts[index];
    if (chart?.lines.length !== made.series.length - 1) return;
    const { width, height } = room();
    if (width !== made.width || height !== made.height) made.setSize({ width, height });
    made.setData([time as number[], ...chart.lines.map((line) => line.values as (number | null)[])]);
  });
  const ends = source.follow(ask);
  const sizes = new ResizeObserver(ask);
  if (made.root.parentElement) sizes.observe(made.root.parentElement);
  return () => {
    stop();
    sizes.disconnect();
    for (const end of ends) end();
    made.destroy();
  };
}

/** The same as a table. */
export function ChartTable({ source, caption }: ChartsProps & { readonly caption: string }) {
  const { time, charts } = source.read();
  const lines = charts.flatMap((chart) => chart.lines.map((line) => ({ chart, line })));
  return (
    <div class="timelines-table" tabIndex={0} role="region" aria-label="Over time, as a table">
      <table>
        <caption class="sr">{caption}</caption>
        <thead>
          <tr><th scope="col">Time</th>{lines.map(({ chart, line }) => <th key={line.label} scope="col">{`${chart.title}: ${line.label}`}</th>)}</tr>
        </thead>
        <tbody>
          {tableRows(time.length, 120).map((row) => (
            <tr key={row}>
              <th scope="row">{(source.time ?? passed)(time[row] ?? 0)}</th>
              {lines.map(({ chart, line }) => <td key={line.label}>{summary({ ...chart, lines: [{ ...line, values: line.values.slice(row, row + 1) }] }, 0).replace("nothing yet", "–")}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
