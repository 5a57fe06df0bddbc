/** Policies to begin with, one for each of the orders that a configuration names, and those that ship in AssemblyScript. */

import applicationOrder from "./examples/application-order.txt?raw";
import askOrder from "./examples/ask-order.txt?raw";
import nodeOrder from "./examples/node-order.txt?raw";
import queueOrder from "../../../../../plugins/weighted-fair/assemblyscript/weighted-fair.ts?raw";
import zoneSpread from "../../../../../plugins/zone-spread/assemblyscript/zone-spread.ts?raw";

export interface Example {
  readonly name: string;
  readonly hint: string;
  readonly text: string;
}

export const examples: readonly Example[] = [
  { name: "Node order", hint: "Nodes with a low price first", text: nodeOrder },
  { name: "Application order", hint: "The fewest pending asks first", text: applicationOrder },
  { name: "Ask order", hint: "Small asks first", text: askOrder },
  { name: "Queue order", hint: "weighted-fair, which ships: shares by weight", text: queueOrder },
  { name: "Node order by zone", hint: "zone-spread, which ships: spreads over zones", text: zoneSpread },
];
