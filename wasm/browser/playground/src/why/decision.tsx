import type { Decision } from "../engine/types";
import { dateAndTimeOf } from "../see/stream-list";
import { touched } from "../see/stream-touch";
import { actions } from "../state/run";
import { Button } from "../ui/button";
import { useAsked } from "./asking";
import { Facts, Part, Pick } from "./parts";
import { explainAsk } from "./questions";
import { Victim } from "./victim";

/** A decision of the stream: its fields, and what is behind it where the scheduler still knows. */
export function DecisionView({ decision: d }: { readonly decision: Decision }) {
  return (
    <>
      <p class="why-tools"><Button small icon="back" onClick={() => void actions.seekDecision(d.seq)}>Go to this moment</Button></p>
      {d.type === "preemption" ? <Preemption d={d} /> : <Fields d={d} />}
      <Messages title="Errors" list={d.errors} />
      <Messages title="Warnings" list={d.warnings} />
    </>
  );
}

function Fields({ d }: { readonly d: Decision }) {
  const { asks: [ask], app, queue, node } = touched(d, actions.model());
  return (
    <Facts facts={[
      ["At", dateAndTimeOf(d.at)],
      ["Ask", ask && <Pick kind="ask" id={ask} />],
      ["For", d.for && <Pick kind="ask" id={d.for} />],
      ["Application", app && <Pick kind="app" id={app} />],
      ["Queue", queue && <Pick kind="queue" id={queue} />],
      ["Node", node && <Pick kind="node" id={node} />],
      ["State", d.to && `${d.from ?? ""} → ${d.to}`],
      ["Priority", d.type === "allocation" && (d.priority ?? 0)],
      ["Resources", d.resources && Object.entries(d.resources).map(([type, value]) => `${type} ${value}`).join(", ")],
      ["Input", d.input],
      ["Policy", d.policy],
      ["Until then", d.fallback && `${d.fallback} decides`],
      ["Reason", d.reason && <code>{d.reason}</code>],
      ["Message", d.message],
      ["Cut short", d.approximate && "others might have done less harm"],
    ]} />
  );
}

function Messages({ title, list }: { readonly title: string; readonly list: readonly string[] | undefined }) {
  if (!list || list.length === 0) return null;
  return <Part title={title}><ul class="why-list">{list.map((text, i) => <li key={i}>{text}</li>)}</ul></Part>;
}

/** A preemption with the laws behind it, as the scheduler remembers them. */
function Preemption({ d }: { readonly d: Decision }) {
  const heard = useAsked(`preemption ${d.seq}`, () => explainAsk(d.id ?? ""));
  if (!heard) return null;
  const why = heard.answer?.victim;
  if (why && why.for === d.for) return <Victim why={why} />;
  return (
    <>
      <Fields d={d} />
      <p class="why-note">At this moment the scheduler has no record of it: it is still ahead, or more than three days back. Go to the moment of the decision to see the law that allowed it.</p>
    </>
  );
}
