/** The expectations of a lesson in words, in the markup of prose.tsx. */

import type { Expectation } from "./course";

export function words(e: Expectation): string {
  switch (e.kind) {
    case "allocated": return `\`${e.ask}\` runs${e.node ? ` on \`${e.node}\`` : ""}`;
    case "pending": return `\`${e.ask}\` waits`;
    case "order": return `placed in this order: ${names(e.asks)}`;
    case "used": return `\`${e.queue}\` uses ${amount(e)}`;
    case "headroom": return `\`${e.queue}\` may still use ${amount(e)}`;
    case "victims": return `${e.victims.length > 0 ? `${names(e.victims)} had to leave` : "no allocation had to leave"} for \`${e.for}\``;
    case "over-max": return `${e.victims.length > 0 ? names(e.victims) : "no allocation"} had to leave, since \`${e.queue}\` was over its max`;
    case "together": return `${names(e.asks)} were placed at once`;
    case "replaced": return `\`${e.placeholder}\` was told to leave for \`${e.by}\``;
    case "in": return `application \`${e.app}\` is in \`${e.queue}\``;
    case "rejected": return `\`${e.id}\` was rejected: \`${e.reason}\``;
    case "priority": return e.value === undefined ? `\`${e.queue}\` shows no priority` : `\`${e.queue}\` shows the priority ${e.value}`;
    case "share": return `the fair share of \`${e.queue}\` is ${e.thousandths / 1000}`;
    case "state": return `application \`${e.app}\` is ${e.state}`;
    case "queue": return e.state === "gone" ? `there is no queue \`${e.queue}\`` : `queue \`${e.queue}\` is ${e.state}`;
    case "held": return e.ask ? `\`${e.node}\` is held for \`${e.ask}\`` : `\`${e.node}\` is held for no ask`;
    case "decisions": return `${e.count} of \`${e.type}\` so far`;
    case "explains": return `\`${e.ask}\` waits for this reason: \`${e.reason}\``;
    case "verdict": return `a dry run for \`${e.ask}\` says \`${e.verdict}\``;
  }
}

function names(ids: readonly string[]): string {
  return ids.map((id) => `\`${id}\``).join(", ");
}

function amount({ type, amount: n }: { readonly type: string; readonly amount: number }): string {
  const unit = type === "vcore" ? (n === 1 ? "core" : "cores") : type;
  return `${n.toLocaleString("en-GB")} ${unit}`;
}
