import { useContext } from "preact/hooks";
import type { AtomicGang } from "../engine/types";
import { count } from "../ui/format";
import { Around } from "./around";
import { Limits } from "./limits";
import { Facts, Part, Pick } from "./parts";
import { Lacks } from "./reasons";
import { inWords, nodeCauses } from "./words";

/** How the atomic gang stands with which an ask is placed or waits. */
export function Atomic({ e }: { readonly e: AtomicGang | undefined }) {
  const { time } = useContext(Around);
  if (!e) return null;
  const { id, pending = 0, resting = 0, min = 0, succeeded = 0, fallback, ends, fits = 0, accumulates, heldUntil = 0, held = [] } = e;
  return (
    <Part title="Its atomic gang" question="How does its atomic gang stand?">
      <Facts facts={[
        ["Gang", id],
        ["Placed together", `${min} or more${succeeded > 0 ? `, since ${succeeded} of ${succeeded + min} have succeeded` : ""}`],
        ["Members", `${pending} pending${resting > 0 ? `, of which ${resting} cannot be placed before placeholders are` : ""}`],
        ["Fit together", pending - resting < min ? `too few are pending: ${min - pending + resting} more are needed` : fits >= min ? "enough of them" : `${fits} of ${min}`],
        ["Room is held", accumulates && `${held.length > 0 ? `for ${held.map(({ ask = "", node = "" }) => `${ask} on ${node}`).join(", ")}` : "for none of them yet"}, until ${time(heldUntil)} at the latest`],
        ["Time is over", ends && `at ${time(ends)}: its pending members are ${fallback ? "placed one by one" : "rejected"} then`],
      ]} />
      <Domains e={e} />
      <Barred e={e} />
    </Part>
  );
}

/** How many members the domains of its level have room for, and which applications take the nodes of the nearest. */
function Domains({ e: { domains, min = 0 } }: { readonly e: AtomicGang }) {
  if (!domains) return null;
  const { level, preferred, total = 0, enough = 0, nearest = [] } = domains;
  return (
    <>
      <p>It {preferred ? "prefers" : "requires"} one domain of level {level}: {enough} of {total} have room for {min}.</p>
      {enough === 0 && nearest.length > 0 && <ul class="why-list">{nearest.slice(0, 3).map(({ domain, missing = 0, takers = [] }) => (
        <li key={domain}>{domain} lacks {missing} of {min}{takers.map(({ app, nodes = [], more = 0 }) => `; ${nodes.join(", ")}${more > 0 ? ` and ${more} more` : ""} taken by ${app ?? ""}`).join("")}</li>
      ))}</ul>}
    </>
  );
}

/** What keeps the first member out that does not fit beside the others. */
function Barred({ e: { barred, lacks = [], limits = [], nodes = [] } }: { readonly e: AtomicGang }) {
  if (!barred) return null;
  return (
    <>
      <p>Beside these, <Pick kind="ask" id={barred} /> does not fit:</p>
      <Lacks lacks={lacks} />
      <Limits limits={limits} />
      {nodes.length > 0 && <ul class="why-list">{nodes.map(({ reason, detail, nodes: n = 0 }) => <li key={`${reason ?? ""} ${detail ?? ""}`}>{count(n, "node")}: {inWords(nodeCauses, reason, detail)}</li>)}</ul>}
    </>
  );
}
