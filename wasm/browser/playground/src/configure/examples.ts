/** Texts to begin with: the examples of the documentation, as they are. */

import broken from "../../../../../docs/examples/broken.yaml?raw";
import preempt from "../../../../../docs/examples/preempt.yaml?raw";
import queuesToml from "../../../../../docs/examples/queues.toml?raw";
import queues from "../../../../../docs/examples/queues.yaml?raw";
import second from "../../../../../docs/examples/second.toml?raw";
import tenants from "../../../../../docs/examples/tenants.yaml?raw";
import type { Configuration } from "../model/scenario";

interface Example {
  readonly name: string;
  readonly hint: string;
  readonly configuration: Configuration;
}

export const examples: readonly Example[] = [
  { name: "A small tree", hint: "Guaranteed, max and a sort policy", configuration: { text: queues, format: "yaml" } },
  { name: "The small tree in TOML", hint: "The same, in the other format", configuration: { text: queuesToml, format: "toml" } },
  { name: "The small tree, packed", hint: "Nodes are filled one after the other; TOML", configuration: { text: second, format: "toml" } },
  { name: "Two teams and preemption", hint: "Guarantees are claimed from other queues", configuration: { text: preempt, format: "yaml" } },
  { name: "Tenants behind fences", hint: "Priority offsets and fences", configuration: { text: tenants, format: "yaml" } },
  { name: "Six mistakes", hint: "To see how errors are reported", configuration: { text: broken, format: "yaml" } },
];
