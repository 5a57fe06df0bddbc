import { useState } from "preact/hooks";
import type { Model } from "../model/model";
import { selection, types } from "../state/store";
import { actions } from "../state/run";
import { Button } from "../ui/button";
import { share } from "../ui/format";
import { useOf } from "./grid-use";
import { stateOf, usedOf } from "./grid-words";
import { usePaced } from "./pace";
import { byDomain, domainOf, levels } from "./racks";

const page = 100;

/** The grid for those who would rather read it. */
export function NodeTable({ model }: { readonly model: Model }) {
  usePaced(500);
  const [most, setMost] = useState(page);
  const of = levels.value;
  const nodes = of ? byDomain(model.nodes.values(), of).flatMap((domain) => domain.nodes) : [...model.nodes.values()];
  const picked = selection.value?.kind === "node" ? selection.value.id : undefined;
  return (
    <div class="grid-table" tabIndex={0} role="region" aria-label="Nodes as a table">
      <table>
        <caption class="sr">{of ? "Nodes, by domain" : "Nodes, in the order in which they were added"}</caption>
        <thead>
          <tr>
            <th scope="col">Node</th>{of && <th scope="col">Domain</th>}<th scope="col">Full</th>
            {types.value.map((type) => <th key={type} scope="col">{type}</th>)}
            <th scope="col">Allocations</th><th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {nodes.slice(0, most).map((node) => (
            <tr key={node.id} aria-current={node.id === picked}>
              <th scope="row"><button type="button" class="grid-pick" onClick={() => actions.select({ kind: "node", id: node.id })}>{node.id}</button></th>
              {of && <td>{domainOf(node, of)}</td>}
              <td>{share(useOf(node, ""))}</td>
              {types.value.map((type) => <td key={type}>{usedOf(node, type)}</td>)}
              <td>{node.allocations.size}</td>
              <td>{stateOf(node) || "accepts asks"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {nodes.length > most && <Button small onClick={() => setMost(most + page)}>{`Show ${Math.min(page, nodes.length - most)} more of ${nodes.length}`}</Button>}
    </div>
  );
}
