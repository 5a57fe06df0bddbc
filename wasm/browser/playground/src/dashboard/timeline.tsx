import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Charts, ChartTable, type ChartSource } from "../see/charts";
import { IconButton } from "../ui/button";
import { whole } from "../ui/format";
import { Empty, Panel } from "../ui/panel";
import { mostDecisions } from "./earlier";
import { hostNow, timeOfDay } from "./host/times";
import { beginEarlier, samples } from "./sampling";

const time = (seconds: number) => timeOfDay(seconds * 1000);

const source: ChartSource = {
  read: () => ({ time: samples.time, charts: samples.charts }),
  now: () => hostNow() / 1000,
  time,
  follow: (call) => [samples.taken.subscribe(call)],
};

/** Use, pending asks, allocations and decisions over time. */
export function Timeline() {
  const table = useSignal(false);
  const taken = samples.taken.value;
  const [begin] = samples.time;
  const { first } = samples;
  useEffect(() => { void beginEarlier(); }, [taken]);
  return (
    <div class="timeline">
      <Panel title="Time line" class="timelines" flush
        tools={<IconButton icon="table" label="Show as table" pressed={table.value} onClick={() => (table.value = !table.value)} />}>
        {begin === undefined || samples.time.length < 2 ? <Empty>Charts begin with the second sample, in a few seconds.</Empty> : (
          <>
            {first && begin < first.at && <p class="note">The last {whole(mostDecisions)} decisions show allocations from {time(begin)} on. Use and pending asks are known from {time(first.at)} on, when this page was opened.</p>}
            {table.value ? <ChartTable source={source} caption="Samples over time" /> : <Charts source={source} />}
          </>
        )}
      </Panel>
    </div>
  );
}
