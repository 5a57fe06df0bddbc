import { form } from "./form";
import { ApplicationForm } from "./form-application";
import { AsksForm } from "./form-asks";
import { MoveForm } from "./form-move";
import { NodeForm } from "./form-node";
import { NodesForm } from "./form-nodes";
import { RemoveForm } from "./form-remove";
import { WorkloadForm } from "./form-workload";

/** The form that is open, if any. */
export function Forms() {
  const open = form.value;
  switch (open?.kind) {
    case "nodes": return <NodesForm />;
    case "application": return <ApplicationForm queue={open.queue} />;
    case "move": return <MoveForm app={open.app} />;
    case "asks": return <AsksForm app={open.app} />;
    case "node": return <NodeForm node={open.node} />;
    case "remove": return <RemoveForm id={open.id} />;
    case "workload": return <WorkloadForm queue={open.queue} />;
    case undefined: return null;
  }
}
