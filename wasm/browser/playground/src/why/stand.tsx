import type { Finding } from "../engine/types";
import { amount, amountOf } from "../ui/format";
import { Bar } from "./bar";
import { Pick } from "./parts";

/** How a queue stands to its guaranteed, or to its max, where a law looks at it. */
export function Stand({ finding, whole }: { readonly finding: Finding; readonly whole: number }) {
  return (
    <div class="why-stand">
      <Bar pieces={[{ kind: "used", amount: finding.used ?? 0 }]} mark={finding.guaranteed ?? 0} whole={whole} />
      <span>{standing(finding)}</span>
    </div>
  );
}

function standing({ law, type, used = 0, guaranteed = 0, holds }: Finding): string {
  const of = (bound: string) => `${amount(type, used)} of its ${bound} ${amountOf(type, guaranteed)}`;
  switch (law) {
    case "max":
      return `the ask would exceed its max: ${of("max")} used without it`;
    case "law-5":
      return `${holds ? "keeps" : "would keep only"} ${of("guaranteed")} (law 5)`;
    default:
      return `${holds ? "only" : "already"} ${of("guaranteed")} used (law 4)`;
  }
}

/** How the ask's own queues stand to the laws that decide. */
export function Stands({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <div>
      <p class="why-note">State of the ask’s queues</p>
      <ul class="why-stands">
        {findings.map((f) => (
          <li key={`${f.law ?? ""} ${f.queue ?? ""} ${f.type}`}>
            <Pick kind="queue" id={f.queue ?? ""} />
            <Stand finding={f} whole={Math.max(f.used ?? 0, f.guaranteed ?? 0)} />
          </li>
        ))}
      </ul>
    </div>
  );
}
