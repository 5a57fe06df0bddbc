import type { LimitShortfall } from "../engine/types";
import { amount, amountOf } from "../ui/format";
import { Pick } from "./parts";

/** The limits that bar an ask, or keep an application from starting: what each allows, what is used, what is missing. */
export function Limits({ limits }: { readonly limits: readonly LimitShortfall[] }) {
  return limits.map((limit) => <p key={`${limit.reason ?? ""} ${limit.queue ?? ""} ${limit.type}`}>{who(limit)} {missing(limit)} in <Pick kind="queue" id={limit.queue ?? ""} />: {bound(limit)}.</p>);
}

function who({ reason = "", name }: LimitShortfall): string {
  return `${reason.startsWith("group") ? "Group" : "User"} ${name === undefined || name === "" ? "without a name" : name}`;
}

function missing({ type, missing: lack = 0 }: LimitShortfall) {
  return type === "" ? "has no application left" : <>lacks <b>{amountOf(type, lack)}</b></>;
}

function bound({ type, limit = 0, used = 0 }: LimitShortfall): string {
  return type === "" ? `${used} of ${limit} applications` : `${amount(type, used)} of ${amountOf(type, limit)} used`;
}
