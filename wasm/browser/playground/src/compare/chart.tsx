import "uplot/dist/uPlot.min.css";
import { useEffect, useMemo, useRef } from "preact/hooks";
import uPlot from "uplot";
import { readPalette } from "../see/colours";
import { tableRows } from "../see/timelines-series";
import { dark } from "../ui/theme";
import { joined, type Curve, type Holds } from "./curves";

interface ChartProps {
  readonly title: string;
  /** What is drawn, and in which unit. */
  readonly about: string;
  readonly across: string;
  readonly a: Curve;
  readonly b: Curve;
  readonly holds: Holds;
  /** The top of the axis; left out: as high as the curves. */
  readonly top?: number;
  readonly sayX: (x: number) => string;
  readonly sayY: (y: number) => string;
}

const height = 180;
const dashB = [7, 4];
/** Seconds between two marks below: whole minutes, hours and days. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000];
const mostRows = 40;

/** Two curves, told apart by colour and by dash, with a table of the same. */
export function Chart(props: ChartProps) {
  const { title, about, across, sayX, sayY } = props;
  const data = useMemo(() => joined(props.a, props.b, props.holds), [props.a, props.b, props.holds]);
  const say = (y: number | null | undefined) => (y === null || y === undefined ? "–" : sayY(y));
  return (
    <figure class="compare-chart">
      <figcaption>
        <h3>{title}</h3>
        <p>{about}</p>
      </figcaption>
      <ul class="compare-legend" aria-hidden="true">
        <li><svg viewBox="0 0 28 8"><path class="compare-line-a" d="M0 4h28" /></svg>A</li>
        <li><svg viewBox="0 0 28 8"><path class="compare-line-b" d="M0 4h28" /></svg>B</li>
      </ul>
      <Plot {...props} data={data} />
      <details>
        <summary>Show as a table</summary>
        <div class="compare-scroll" tabIndex={0} role="region" aria-label={`${title}, as a table`}>
          <table>
            <thead><tr><th scope="col">{across}</th><th scope="col">A</th><th scope="col">B</th></tr></thead>
            <tbody>
              {tableRows(data.x.length, mostRows).map((i) => (
                <tr key={i}><th scope="row">{sayX(data.x[i] ?? 0)}</th><td>{say(data.a[i])}</td><td>{say(data.b[i])}</td></tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

function Plot({ title, data, holds, top, sayX, sayY }: ChartProps & { readonly data: ReturnType<typeof joined> }) {
  const target = useRef<HTMLDivElement>(null);
  const theme = dark.value;
  useEffect(() => {
    const element = target.current;
    if (!element) return undefined;
    const plot = draw(element, data, { holds, top, sayX, sayY });
    const follow = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    follow.observe(element);
    return () => {
      follow.disconnect();
      plot.destroy();
    };
  }, [data, holds, top, theme]);
  return <div ref={target} class="compare-plot" role="img" aria-label={`${title}: A and B as curves; the table below has the figures`} />;
}

function draw(target: HTMLElement, data: ReturnType<typeof joined>, { holds, top, sayX, sayY }: Pick<ChartProps, "holds" | "top" | "sayX" | "sayY">): uPlot {
  const palette = readPalette();
  const axis = { stroke: palette.mute, font: `11px ${palette.sans}`, grid: { stroke: palette.grid, width: 1 }, ticks: { show: false } } satisfies uPlot.Axis;
  const paths = uPlot.paths.stepped?.({ align: holds === "since" ? -1 : 1 });
  const line = (label: string, colour: number, dash: number[]): uPlot.Series => ({ label, stroke: palette.fills[colour]?.[0] ?? palette.ink, width: 2, dash, paths, points: { show: false } });
  return new uPlot({
    width: target.clientWidth, height, padding: [8, 24, 0, 0], legend: { show: false }, cursor: { y: false, points: { size: 6 } },
    scales: { x: { time: false }, y: { range: (_, __, most) => [0, top ?? Math.max(most * 1.08, 1)] } },
    axes: [
      { ...axis, size: 24, space: 70, gap: 3, incrs: steps, values: (_, at) => at.map(sayX) },
      { ...axis, size: 50, space: 26, gap: 4, values: (_, at) => at.map((value) => (top !== undefined || Number.isInteger(value) ? sayY(value) : "")) },
    ],
    series: [{}, line("A", 0, []), line("B", 1, dashB)],
  }, [data.x, data.a, data.b], target);
}
