import "./inspector.css";
import { words } from "../see/words";
import { actions } from "../state/run";
import { phase, selection, type Selection } from "../state/store";
import { IconButton } from "../ui/button";
import { whole } from "../ui/format";
import { Panel } from "../ui/panel";
import { AppView } from "./app";
import { AskView } from "./ask";
import { DecisionView } from "./decision";
import { NodeView } from "./node";
import { InSession } from "./in-session";
import { headline } from "./parts";
import { Questions } from "./questions-list";
import { QueueView } from "./queue";
import { Summary } from "./summary";

/** The selected object, and the explanation of its state. */
export function Inspector() {
  const picked = selection.value;
  const close = picked && <IconButton icon="close" label="Clear the selection" onClick={() => actions.select(undefined)} />;
  return (
    <Panel title="Inspector" class="why" tools={close} subject={picked ? <><small>{kindOf(picked)}</small> {nameOf(picked)}</> : "The cluster"}>
      <p class="why-headline" aria-live="polite">{headline}</p>
      <Questions />
      <InSession>
        {phase.value === "ready" && <Answer key={picked ? `${picked.kind} ${picked.id}` : ""} picked={picked} />}
      </InSession>
    </Panel>
  );
}

const kinds = { queue: "Queue", app: "Application", ask: "Ask", node: "Node" } as const;

function kindOf(picked: Selection): string {
  if (picked.kind === "decision") return `Decision ${whole(picked.decision.seq)}`;
  const ask = picked.kind === "ask" ? actions.model().asks.get(picked.id) : undefined;
  if (ask?.node === undefined) return kinds[picked.kind];
  return ask.placeholder ? "Placeholder" : "Allocation";
}

function nameOf(picked: Selection): string {
  return picked.kind === "decision" ? words(picked.decision) : picked.id;
}

function Answer({ picked }: { readonly picked: Selection | undefined }) {
  switch (picked?.kind) {
    case "queue":
      return <QueueView path={picked.id} />;
    case "app":
      return <AppView id={picked.id} />;
    case "ask":
      return <AskView id={picked.id} />;
    case "node":
      return <NodeView id={picked.id} />;
    case "decision":
      return <DecisionView decision={picked.decision} />;
    default:
      return <Summary />;
  }
}
