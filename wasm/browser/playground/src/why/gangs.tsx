import { gangsOf, standing } from "../model/gangs";
import type { AskModel } from "../model/model";
import { actions } from "../state/run";
import { count } from "../ui/format";
import { Part, Pick } from "./parts";

/** So many gangs, and members of each, are listed. */
const listed = 20;

/** The atomic gangs of an application: how each stands, and where its members are. */
export function Gangs({ app }: { readonly app: string }) {
  const gangs = gangsOf(actions.model(), app);
  if (gangs.length === 0) return null;
  return (
    <Part title="Its atomic gangs" question="How do its gangs stand?">
      <dl class="why-gangs">
        {gangs.slice(0, listed).map((one) => (
          <div key={one.gang.id} class={one.gang.broken ? "why-gang why-gang-broken" : "why-gang"}>
            <dt>{one.gang.id}</dt>
            <dd>{standing(one)}</dd>
            <dd><Members members={one.members} /></dd>
          </div>
        ))}
      </dl>
      {gangs.length > listed && <p class="why-note">And {count(gangs.length - listed, "gang")} more.</p>}
    </Part>
  );
}

function Members({ members }: { readonly members: readonly AskModel[] }) {
  return (
    <ul class="why-members">
      {members.slice(0, listed).map(({ id, node, leaves }) => (
        <li key={id}><Pick kind="ask" id={id} /> {node === undefined ? "waits" : <>on <Pick kind="node" id={node} />{leaves && ", leaves"}</>}</li>
      ))}
      {members.length > listed && <li>and {count(members.length - listed, "member")} more</li>}
    </ul>
  );
}
