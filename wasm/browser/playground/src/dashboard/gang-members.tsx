import "./gangs.css";
import type { GangMember, GangObject } from "./host/objects";

const words: Readonly<Record<GangMember["state"] | "held", string>> = { allocated: "run", leaving: "leave", held: "wait, with room held for them", pending: "wait" };

/** The members of a gang as blocks, together in one frame: those that run, leave, have room held for them, and wait. */
export function MemberBlocks({ gang: { members, more_members: more = 0, state, held } }: { readonly gang: Pick<GangObject, "members" | "more_members" | "state" | "held"> }) {
  const kept = new Set(held?.members.map(({ ask }) => ask));
  const kinds = members.map((one) => (one.state === "pending" && kept.has(one.ask) ? "held" : one.state));
  const counts = (Object.keys(words) as (keyof typeof words)[]).map((kind) => [kinds.filter((one) => one === kind).length, kind] as const).filter(([n]) => n > 0);
  const label = `${counts.map(([n, kind]) => `${n} ${words[kind]}`).join(", ")}${more > 0 ? `, and ${more} more members` : ""}`;
  return (
    <span class={`gang-blocks${state === "broken" ? " gang-blocks-broken" : ""}`} role="img" aria-label={label}>
      {members.map(({ ask, slice }, i) => <i key={ask} class={`gang-block gang-block-${kinds[i] ?? ""}${startsSlice(members, i, slice) ? " gang-block-slice" : ""}`} />)}
      {more > 0 && <small>+{more}</small>}
    </span>
  );
}

/** Between the members of two slices is a gap. */
function startsSlice(members: readonly GangMember[], i: number, slice: number | undefined): boolean {
  return i > 0 && slice !== undefined && members[i - 1]?.slice !== slice;
}
