import { useSignal } from "@preact/signals";
import { travelTo } from "../play/transport-travel";
import { second } from "../model/times";
import { actions } from "../state/run";
import { frame, status } from "../state/store";
import { IconButton } from "../ui/button";
import { Empty, Panel } from "../ui/panel";
import { Charts, ChartTable, type ChartSource } from "./charts";
import { usePaced } from "./pace";
import { chartsOf } from "./timelines-series";

const session: ChartSource = {
  read() {
    const series = actions.series();
    return { time: series.time, charts: chartsOf(series) };
  },
  now: () => (status.peek()?.now ?? 0) / second,
  travel: (seconds) => travelTo(seconds * second),
  follow: (call) => [frame.subscribe(call), status.subscribe(call)],
};

/** Use, pending asks and waits over the time of the session. A click goes to that time. */
export function Timelines() {
  const table = useSignal(false);
  usePaced(300);
  const { time } = actions.series();
  return (
    <Panel title="Over time" class="timelines" flush
      tools={<IconButton icon="table" label="Show as table" pressed={table.value} onClick={() => (table.value = !table.value)} />}>
      {time.length < 2 ? <Empty>Charts begin once time passes. Play, or step.</Empty> : table.value ? <ChartTable source={session} caption="Samples over the time of the session" /> : <Charts source={session} />}
    </Panel>
  );
}
