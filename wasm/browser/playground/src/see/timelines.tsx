import "uplot/dist/uPlot.min.css";
import "./timelines.css";
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { travelTo } from "../play/transport-travel";
import { second } from "../model/times";
import { actions } from "../state/run";
import { frame, status } from "../state/store";
import { IconButton } from "../ui/button";
import { duration } from "../ui/format";
import { Empty, Panel } from "../ui/panel";
import { dark } from "../ui/theme";
import { readPalette } from "./colours";
import { pace, usePaced } from "./pace";
import { dashOf, plot } from "./timelines-plot";
import { chartsOf, sampleAt, summary, tableRows, type Chart } from "./timelines-series";

const now = () => (status.peek()?.now ?? 0) / second;

/** Use, pending asks and waits over the time of the session. A click goes to that time. */
export function Timelines() {
  const table = useSignal(false);
  usePaced(300);
  const { time } = actions.series();
  return (
    <Panel title="Over time" class="timelines" flush
      tools={<IconButton icon="table" label="Show as table" pressed={table.value} onClick={() => (table.value = !table.value)} />}>
      {time.length < 2 ? <Empty>Charts begin once time passes. Play, or step.</Empty> : table.value ? <Table /> : <Charts />}
    </Panel>
  );
}

function Charts() {
  const charts = chartsOf(actions.series());
  const at = sampleAt(actions.series().time, now());
  // A line more or less is another chart: its plot begins anew.
  const shapes = charts.map((chart) => chart.lines.map((line) => line.label).join());
  return (
    <div class="timelines-charts">
      {charts.map((chart, i) => (
        <figure key={`${chart.title} ${shapes[i] ?? ""}`} class="timelines-figure" aria-label={`${chart.title}, now: ${summary(chart, at)}`}>
          <figcaption><b>{chart.title}</b><Key chart={chart} at={at} /></figcaption>
          <Plot index={i} times={i === charts.length - 1} />
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

/** The drawing of one chart; it follows the session by itself. */
function Plot({ index, times }: { readonly index: number; readonly times: boolean }) {
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
    const [first] = chartsOf(actions.series()).slice(index);
    if (!target || !first || !fits.value) return undefined;
    const { width, height } = size.peek();
    const made = plot(target, { chart: first, palette: readPalette(), width, height, now, times, travel: (seconds) => travelTo(seconds * second) });
    return keepUp(made, index, () => size.value);
  }, [index, times, fits.value, dark.value]);
  return <div ref={box} class="timelines-plot" aria-hidden="true" />;
}

/** Has a plot follow samples, the clock and its room until it is told to end. */
function keepUp(made: uPlot, index: number, room: () => { width: number; height: number }): () => void {
  const { ask, stop } = pace(200, () => {
    const series = actions.series();
    const chart = chartsOf(series)[index];
    if (chart?.lines.length !== made.series.length - 1) return;
    const { width, height } = room();
    if (width !== made.width || height !== made.height) made.setSize({ width, height });
    made.setData([series.time as number[], ...chart.lines.map((line) => line.values as (number | null)[])]);
  });
  const ends = [frame.subscribe(ask), status.subscribe(ask)];
  const sizes = new ResizeObserver(ask);
  if (made.root.parentElement) sizes.observe(made.root.parentElement);
  return () => {
    stop();
    sizes.disconnect();
    for (const end of ends) end();
    made.destroy();
  };
}

function Table() {
  const series = actions.series();
  const charts = chartsOf(series);
  const lines = charts.flatMap((chart) => chart.lines.map((line) => ({ chart, line })));
  return (
    <div class="timelines-table" tabIndex={0} role="region" aria-label="Over time, as a table">
      <table>
        <caption class="sr">Samples over the time of the session</caption>
        <thead>
          <tr><th scope="col">Time</th>{lines.map(({ chart, line }) => <th key={line.label} scope="col">{`${chart.title}: ${line.label}`}</th>)}</tr>
        </thead>
        <tbody>
          {tableRows(series.time.length, 120).map((row) => (
            <tr key={row}>
              <th scope="row">{duration((series.time[row] ?? 0) * second)}</th>
              {lines.map(({ chart, line }) => <td key={line.label}>{summary({ ...chart, lines: [{ ...line, values: line.values.slice(row, row + 1) }] }, 0).replace("nothing yet", "–")}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
