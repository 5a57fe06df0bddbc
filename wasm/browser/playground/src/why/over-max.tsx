import { useContext } from "preact/hooks";
import type { QuotaExplanation } from "../engine/types";
import { amounts, duration } from "../ui/format";
import { Around } from "./around";
import { Facts, Part, Pick } from "./parts";
import { inWords, quotaFaults } from "./words";

/** By how much a queue is over its max, and when it releases that. */
export function OverMax({ e }: { readonly e: QuotaExplanation | undefined }) {
  const around = useContext(Around);
  if (!e) return null;
  const { excess, reason, above, since, due = 0 } = e;
  const now = around.now();
  return (
    <Part title="Over its max">
      <Facts facts={[
        ["Beyond it", amounts(excess)],
        ["Since", since !== undefined && reason !== "switched-off" && `${around.time(since)}, for ${duration(now - since)}`],
        ["Its round", !reason && (due > now ? `in ${duration(due - now)}, at ${around.time(due)}` : "in the next cycle")],
        ["No round", reason && inWords(quotaFaults, reason, above)],
        ["After", above && <Pick kind="queue" id={above} />],
      ]} />
    </Part>
  );
}
