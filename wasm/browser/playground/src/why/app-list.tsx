import { useState } from "preact/hooks";

import type { AppModel } from "../model/model";
import { Button } from "../ui/button";
import { Pick } from "./parts";

/** How many lines are shown before the rest is asked for. */
const first = 50;

/** Applications with their state and how many of their asks wait and run. */
export function AppList({ apps }: { readonly apps: readonly AppModel[] }) {
  const [all, setAll] = useState(false);
  if (apps.length === 0) return <p class="why-note">None.</p>;
  const shown = all ? apps : apps.slice(0, first);
  return (
    <>
      <table class="why-table">
        <caption class="sr">Applications, in order of submission</caption>
        <thead><tr><th scope="col">Application</th><th scope="col">State</th><th scope="col" class="why-figure">Pending</th><th scope="col" class="why-figure">Allocated</th></tr></thead>
        <tbody>
          {shown.map((app) => {
            const allocated = [...app.asks.values()].filter((ask) => ask.node !== undefined).length;
            return (
              <tr key={app.id}>
                <th scope="row"><Pick kind="app" id={app.id} /></th>
                <td>{app.state}</td>
                <td class="why-figure">{app.asks.size - allocated}</td>
                <td class="why-figure">{allocated}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {shown.length < apps.length && <Button small kind="quiet" onClick={() => setAll(true)}>{`${apps.length - shown.length} more`}</Button>}
    </>
  );
}
