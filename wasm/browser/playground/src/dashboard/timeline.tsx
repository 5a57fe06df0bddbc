import { useSignal } from "@preact/signals";
import { Charts, ChartTable, type ChartSource } from "../see/charts";
import { IconButton } from "../ui/button";
import { Empty, Panel } from "../ui/panel";
import { opened, samples } from "./sampling";

const source: ChartSource = {
  read: () => ({ time: samples.time, charts: samples.charts }),
  now: () => (performance.now() - opened) / 1000,
  follow: (call) => [samples.taken.subscribe(call)],
};

/** Use, pending asks and decisions over the time since the page was opened. */
export function Timeline() {
  const table = useSignal(false);
  const enough = samples.taken.value > 1;
  return (
    <div class="timeline">
      <Panel title="Since this page was opened" class="timelines" flush
        tools={<IconButton icon="table" label="Show as table" pressed={table.value} onClick={() => (table.value = !table.value)} />}>
        {!enough ? <Empty>Charts begin with the second sample, in a few seconds.</Empty>
          : table.value ? <ChartTable source={source} caption="Samples since this page was opened" /> : <Charts source={source} />}
      </Panel>
    </div>
  );
}
