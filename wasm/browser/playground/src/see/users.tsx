import "../why/inspector.css";
import { actions } from "../state/run";
import { Empty } from "../ui/panel";
import { useAsked } from "../why/asking";
import { InSession } from "../why/in-session";
import { UsageTable } from "../why/usage-table";

/** What users and groups use against their limits, in all queues. */
export function Users() {
  const heard = useAsked("limits", () => actions.limitUsage());
  if (!heard) return null;
  if (heard.answer.length === 0) return <Empty>No application is in a queue with limits for its user or group. Limits are set in Configure.</Empty>;
  return <div class="tree-users" role="group" aria-label="Users and groups" tabIndex={0}><InSession><UsageTable caption="Users and groups, the ones nearest to a limit first" usage={heard.answer} /></InSession></div>;
}
