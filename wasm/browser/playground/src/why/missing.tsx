import { useMemo } from "preact/hooks";
import { dateAndTimeOf } from "../see/stream-list";
import { words } from "../see/words";
import { touched } from "../see/stream-touch";
import { actions } from "../state/run";
import { recent, status } from "../state/store";
import { Button } from "../ui/button";
import { duration } from "../ui/format";
import { searchBox } from "../ui/search-box";
import { useAsked } from "./asking";
import { CameHere } from "./came-here";
import { Pick, useHeadline } from "./parts";

const kinds = { application: "app", ask: "ask", node: "node", queue: "queue" } as const;

/** What is said of something that is not there now: what was decided about it, or when it comes. */
export function Missing({ what, id }: { readonly what: keyof typeof kinds; readonly id: string }) {
  useHeadline(`There is no ${what} ${id} at ${duration(status.peek()?.now ?? 0)}.`);
  const last = recent.peek().findLast((d) => {
    const t = touched(d, actions.model());
    return d.id === id || t.asks.includes(id) || t.app === id || t.node === id || t.queue === id;
  });
  const comes = useMemo(() => actions.comesAt(kinds[what], id), [what, id]);
  const meant = useAsked(`meant ${what} ${id}`, () => actions.meant(kinds[what], id))?.answer ?? [];
  return (
    <>
      {meant.length > 0 && <p>Did you mean {meant.map((name, i) => [i === 0 ? "" : i === meant.length - 1 ? " or " : ", ", <Pick key={name} kind={kinds[what]} id={name} />])}?</p>}
      <p class="why-note">
        {last && <>The last that was decided about it: <button type="button" class="why-pick" onClick={() => actions.select({ kind: "decision", id: String(last.seq), decision: last })}>{words(last)}</button>, at {dateAndTimeOf(last.at)}.</>}
        {!last && comes === undefined && "Nothing in this journal has this name, or it left long ago."}
        {!last && comes !== undefined && `It comes later, at ${duration(comes)}.`}
      </p>
      <p class="why-tools">
        {comes !== undefined && <Button small kind="primary" icon="play" onClick={() => void actions.seekTime(comes)}>Go to {duration(comes)}, when it {what === "node" ? "joins" : "is submitted"}</Button>}
        <Button small icon="search" onClick={() => searchBox.current?.focus()}>Find another</Button>
        <Button small onClick={() => actions.select(undefined)}>Show the whole cluster</Button>
      </p>
      {what === "ask" && comes === undefined && <CameHere id={id} />}
    </>
  );
}
