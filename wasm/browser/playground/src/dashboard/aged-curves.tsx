import "./aged.css";
import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { parentPath } from "../model/paths";
import { Charts, type ChartSource } from "../see/charts";
import { Facts, Part } from "../why/parts";
import { addAged, agedCharts, ages } from "./aged";
import { useFetched } from "./fetched";
import { part, read } from "./host/api";
import type { QueueObject } from "./host/objects";
import { hostNow, timeOfDay } from "./host/times";
import { queueList } from "./queue-tree";

/** Milliseconds between two samples: usage ages although nothing is decided. */
const apart = 5000;
const mostSiblings = 8;

const readQueue = (path: string, abort: AbortSignal) => read<QueueObject>(`v1/queues/${part(path)}`, abort);

async function sampled(path: string, abort: AbortSignal) {
  const queue = await readQueue(path, abort);
  if (!ages(queue)) return undefined;
  const siblings = queue.aged?.half_life === undefined ? [] : queueList().filter((one) => one.path !== path && parentPath(one.path) === parentPath(path)).slice(0, mostSiblings);
  const among = [queue, ...await Promise.all(siblings.map((one) => readQueue(one.path, abort)))];
  return addAged({ at: hostNow() / 1000, queue, among });
}

/** How the usage of a queue ages, as curves since it was first looked at; nothing where it does not. */
export function AgedCurves({ path }: { readonly path: string }) {
  const { value: samples } = useFetched(`aged ${path}`, (abort) => sampled(path, abort), apart);
  const taken = useMemo(() => signal(0), [path]);
  const latest = useMemo(() => ({ samples }), [path]);
  latest.samples = samples;
  const source = useMemo((): ChartSource => ({
    read: () => ({ time: latest.samples?.map(({ at }) => at) ?? [], charts: agedCharts(latest.samples ?? []) }),
    now: () => hostNow() / 1000, time: (seconds) => timeOfDay(seconds * 1000), follow: (call) => [taken.subscribe(call)],
  }), [latest, taken]);
  useEffect(() => { taken.value++; }, [samples]);
  const last = samples?.at(-1)?.queue;
  if (!samples || !last) return null;
  const of = last.aged?.half_life === undefined ? last.users?.[0] : last.aged;
  const charts = agedCharts(samples).length;
  return (
    <Part title="Usage over time" question="What has it used over time?">
      <Facts facts={[["Half-life", of?.half_life], ["Looks ahead", of?.look_ahead]]} />
      {samples.length < 2 ? <p class="why-note">Curves begin with the second sample, in a few seconds.</p> : <div class="aged-curves" style={{ height: `${charts * 7.5}rem` }}><Charts source={source} /></div>}
      <p class="why-note">Aged usage falls by half in each half-life without use. The queues, or the users, with the smallest compared share come first.</p>
    </Part>
  );
}
