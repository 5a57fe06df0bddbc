/** What the charts show, out of the samples of the session. */

import { second } from "../model/times";
import { inOrder } from "../model/quantities";
import type { SessionSeries } from "../state/shapes";
import { count, duration, share } from "../ui/format";

export interface Line {
  readonly label: string;
  /** In the order of the chart's time; null: nothing to draw. */
  readonly values: readonly (number | null)[];
  /** steps: holds until the next sample; rises: by a second each second, as a wait does, until then; dots: of that moment alone. */
  readonly form: "steps" | "rises" | "dots";
}

export interface Chart {
  readonly title: string;
  readonly lines: readonly Line[];
  /** How a value reads. */
  readonly say: (value: number) => string;
  /** The end of the scale, where that is fixed. */
  readonly top?: number;
}

const seconds = (value: number) => duration(value * second);

export function chartsOf(series: SessionSeries): readonly Chart[] {
  const types = inOrder(series.used.keys());
  return [
    { title: "In use", top: 1, say: share, lines: types.map((type) => ({ label: type, form: "steps", values: series.used.get(type) ?? [] })) },
    { title: "Pending asks", say: (value) => count(Math.round(value), "ask"), lines: [{ label: "pending", form: "steps", values: series.pending }] },
    {
      title: "Waits", say: seconds,
      lines: [{ label: "longest", form: "rises", values: series.oldest.map((value, i) => (series.pending[i] ? value : null)) }, { label: "mean of new", form: "dots", values: series.waited.map((value) => (Number.isNaN(value) ? null : value)) }],
    },
  ];
}

/** What a wait has come to at the end of the stretch behind a sample; 0: nothing waits. */
export function risen(time: readonly number[], values: readonly (number | null)[], sample: number): number {
  const value = values[sample] ?? null;
  const next = time[sample + 1];
  return value !== null && next !== undefined ? value + next - (time[sample] ?? 0) : value ?? 0;
}

/** The last sample at a time or before it; -1: there is none. */
export function sampleAt(time: readonly number[], at: number): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((time[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The value of a line at a sample; what is said of moments alone holds until it is said again. */
function valueAt(line: Line, sample: number): number | undefined {
  if (line.form !== "dots") {
    const value = line.values[sample];
    return sample < 0 || (value === null && line.form === "steps") ? undefined : value ?? 0;
  }
  for (let i = sample; i >= 0; i--) {
    const value = line.values[i];
    if (value !== null && value !== undefined) return value;
  }
  return undefined;
}

/** "vcore 40%, memory 12%": what a chart shows at a sample. */
export function summary(chart: Chart, sample: number): string {
  const parts = chart.lines.map((line) => {
    const value = valueAt(line, sample);
    return value === undefined ? "" : `${chart.lines.length > 1 ? `${line.label} ` : ""}${chart.say(value)}`;
  });
  return parts.filter(Boolean).join(", ") || "nothing yet";
}

/** Evenly chosen samples, the first and the last among them: a table of thousands of rows is no help. */
export function tableRows(length: number, most: number): number[] {
  if (length <= most) return Array.from({ length }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (length - 1)) / (most - 1)));
}
