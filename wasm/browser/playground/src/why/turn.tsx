import { useContext } from "preact/hooks";
import type { AskExplanation } from "../engine/types";
import { Around } from "./around";
import { Part, Pick } from "./parts";
import { showing } from "./properties";

/** When it is an ask's turn: its place among all that wait, and its priority as the queues show it upwards. */
export function Turn({ e, pending }: { readonly e: AskExplanation; readonly pending: number }) {
  const { place = 0, priority = 0, seen = [] } = e;
  const { queue: find } = useContext(Around);
  return (
    <Part title="Its turn" question="When is its turn?">
      {pending > 1
        ? <p>Number <b>{place}</b> in the order of the {pending} asks pending. An ask that does not fit delays no other.</p>
        : <p>It is the only ask pending.</p>}
      <table class="why-table">
        <caption>Its priority, as each queue shows it to the one above</caption>
        <thead><tr><th scope="col">Shown by</th><th scope="col" class="why-figure">Priority</th><th scope="col">Because</th></tr></thead>
        <tbody>
          <tr><th scope="row">the ask itself</th><td class="why-figure">{priority}</td><td>its own</td></tr>
          {seen.map(({ queue = "", priority: shown = 0 }) => (
            <tr key={queue}>
              <th scope="row"><Pick kind="queue" id={queue} /></th>
              <td class="why-figure">{shown}</td>
              <td>{showing(find(queue)?.properties)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Part>
  );
}
