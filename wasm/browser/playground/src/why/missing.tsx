import { words } from "../see/words";
import { touched } from "../see/stream-touch";
import { actions } from "../state/run";
import { recent, status } from "../state/store";
import { duration } from "../ui/format";
import { useHeadline } from "./parts";

/** What is said of something that is not there now. */
export function Missing({ what, id }: { readonly what: string; readonly id: string }) {
  useHeadline(`There is no ${what} ${id} at ${duration(status.peek()?.now ?? 0)}.`);
  const last = recent.peek().findLast((d) => {
    const t = touched(d, actions.model());
    return d.id === id || t.asks.includes(id) || t.app === id || t.node === id || t.queue === id;
  });
  return (
    <p class="why-note">
      {last
        ? <>The last that was decided about it: <button type="button" class="why-pick" onClick={() => actions.select({ kind: "decision", id: String(last.seq), decision: last })}>{words(last)}</button>, at {last.at}.</>
        : "It has left, or has yet to come."}
    </p>
  );
}
