import type { ComponentChildren } from "preact";

import type { VictimExplanation } from "../engine/types";
import { Pick, Picks } from "./parts";
import { branchesOf, leafName, type Step } from "./paths";
import { Stand } from "./stand";

interface BranchesProps {
  readonly why: Omit<VictimExplanation, "with">;
  /** All victims that the laws see like this one, which has the highest priority of them. */
  readonly alike?: readonly string[];
}

/** Where the ways of an ask and of its victim meet, and what the laws looked at on either side below that. */
export function Branches({ why, alike }: BranchesProps) {
  const { victim, for: ask = "" } = why;
  if (!victim) return null;
  const { common, ask: ours, victim: theirs } = branchesOf(why);
  const shows = victim.kind === "guarantee" ? "shows priority" : "own priority";
  const all = [...ours, ...theirs].flatMap((step) => step.findings);
  const whole = (type: string) => Math.max(...all.filter((f) => f.type === type).map((f) => Math.max(f.used ?? 0, f.guaranteed ?? 0)));
  return (
    <figure class="why-branches">
      <figcaption>{captions[victim.kind ?? ""] ?? "The two meet in"} <Pick kind="queue" id={common} /></figcaption>
      <div class="why-sides">
        <Side title="takes" label={shows} priority={victim.forSeen ?? 0} steps={ours} whole={whole} none="">
          <Pick kind="ask" id={ask} />
        </Side>
        <Side title={alike && alike.length > 1 ? "yield" : "yields"} label={shows} priority={victim.seen ?? 0} steps={theirs} whole={whole} none={protects(victim.kind)}>
          <Picks kind="ask" ids={alike ?? [victim.id]} />
        </Side>
      </div>
      <p class="why-note">{rule(victim.kind, victim.seen ?? 0, victim.forSeen ?? 0)}</p>
    </figure>
  );
}

const captions: Readonly<Record<string, string>> = {
  "queue": "Both are in",
  "required-node": "Queues do not matter here. The two meet in",
};

/** What is said of a victim whose queues guarantee nothing that it uses. */
function protects(kind: string | undefined): string {
  return kind === "guarantee" ? "Guarantees nothing that it uses (law 5)" : "";
}

function rule(kind: string | undefined, seen: number, forSeen: number): string {
  switch (kind) {
    case "queue":
      return `Within a queue only lower priorities are preempted: ${seen} is below ${forSeen}.`;
    case "required-node":
      return `On a required node only allocations whose own priority is not higher are preempted: ${seen} is not above ${forSeen}.`;
    default:
      return `No ask preempts a higher priority, as shown below the queue where they meet (law 6): ${seen} is not above ${forSeen}.`;
  }
}

interface SideProps {
  readonly title: string;
  /** What kind of priority it is: as seen from where the two meet, or its own. */
  readonly label: string;
  readonly priority: number;
  readonly steps: readonly Step[];
  readonly whole: (type: string) => number;
  readonly none: string;
  readonly children: ComponentChildren;
}

function Side({ title, label, priority, steps, whole, none, children }: SideProps) {
  const quiet = steps.every((step) => step.findings.length === 0);
  return (
    <div class="why-side">
      <p class="why-shows">{label} <b>{priority}</b></p>
      <ol class="why-steps">
        {steps.map(({ queue, findings }) => (
          <li key={queue}>
            <Pick kind="queue" id={queue} label={leafName(queue)} />
            {findings.map((f) => <Stand key={f.type} finding={f} whole={whole(f.type)} />)}
          </li>
        ))}
      </ol>
      {quiet && none && <p class="why-note">{none}</p>}
      <p class="why-end"><span>{title}</span> {children}</p>
    </div>
  );
}
