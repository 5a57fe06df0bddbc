import "./stream.css";
import { useComputed, useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Decision } from "../engine/types";
import { actions } from "../state/run";
import { playing, recent, recentMost, selection, title, type Selection } from "../state/store";
import { Button } from "../ui/button";
import { count } from "../ui/format";
import { Empty, Panel } from "../ui/panel";
import { pace } from "./pace";
import { AboutFilter, KindFilter } from "./stream-filter";
import { goesOn, leadsUp, listed, ofKinds, spoken, tally } from "./stream-list";
import { Row } from "./stream-row";
import { Rows } from "./stream-rows";
import { words, type Kind } from "./words";

/** What the scheduler decided, the newest at the bottom. */
export function Stream() {
  const kinds = useSignal<ReadonlySet<Kind>>(new Set());
  const only = useSignal<Selection | undefined>(undefined);
  const earlier = useSignal<readonly Decision[]>([]);
  const heard = useHeard();
  const found = useComputed(() => listed(earlier.value, heard.value, only.value, actions.model()));
  const counts = useComputed(() => tally(found.value));
  const list = useComputed(() => ofKinds(found.value, kinds.value));
  const follow = useFollow(heard);
  useEffect(() => title.subscribe(() => (earlier.value = [])), []);
  useEffect(() => heard.subscribe((now) => {
    if (earlier.peek().length > 0 && !leadsUp(earlier.peek(), now)) earlier.value = [];
  }), []);

  return (
    <Panel title="Decisions" class="stream" tools={<AboutFilter only={only} />} flush>
      <div class="stream-strip"><KindFilter kinds={kinds} counts={counts} /><Earlier earlier={earlier} heard={heard} /></div>
      {list.value.length === 0 ? <Empty>{heard.value.length === 0 ? "No decisions yet. Play, or step." : "No decision matches the filter."}</Empty> : <Rows list={list} follow={follow} row={Row} picked={selection.value?.kind === "decision" ? selection.value.decision.seq : undefined} />}
      <Spoken heard={heard} />
    </Panel>
  );
}

/** The recent decisions, ten times a second while playing. */
function useHeard(): Signal<readonly Decision[]> {
  const heard = useSignal(recent.peek());
  useEffect(() => {
    const { ask, stop } = pace(100, () => (heard.value = recent.peek()));
    const end = recent.subscribe(ask);
    return () => {
      end();
      stop();
    };
  }, []);
  return heard;
}

/** Whether the newest decision stays in sight: until the user scrolls up, and again once the session plays or is somewhere else. */
function useFollow(heard: Signal<readonly Decision[]>): Signal<boolean> {
  const follow = useSignal(true);
  useEffect(() => {
    let last: readonly Decision[] = heard.peek();
    const again = () => (follow.value = true);
    const ends = [
      title.subscribe(again),
      playing.subscribe((now) => { if (now) again(); }),
      heard.subscribe((now) => {
        if (!goesOn(last, now)) again();
        last = now;
      }),
    ];
    return () => { for (const end of ends) end(); };
  }, []);
  return follow;
}

interface EarlierProps {
  readonly earlier: Signal<readonly Decision[]>;
  readonly heard: Signal<readonly Decision[]>;
}

/** The page keeps the last decisions; this fetches those before, as many at a time. */
function Earlier({ earlier, heard }: EarlierProps) {
  const firstSeq = () => (earlier.value[0] ?? heard.value[0])?.seq ?? 1;
  const first = firstSeq();
  if (playing.value || first <= 1) return null;
  const fetch = async () => {
    const found = await actions.earlier(first);
    if (firstSeq() === first) earlier.value = [...found, ...earlier.value]; // else the session has gone elsewhere meanwhile
  };
  return <Button small onClick={() => void fetch()}>{`Show ${count(Math.min(first - 1, recentMost), "earlier decision")}`}</Button>;
}

/** Reads out what is new: each decision while one steps, and a count now and then while it plays. */
function Spoken({ heard }: { readonly heard: Signal<readonly Decision[]> }) {
  const said = useSignal("");
  useEffect(() => {
    const newest = () => heard.peek().at(-1)?.seq ?? 0;
    let before = heard.peek();
    let last = newest();
    const { ask, stop } = pace(4000, () => {
      const news = heard.peek().filter((d) => d.seq > last);
      last = newest();
      if (news.length > 0) said.value = spoken(news, words);
    });
    const end = heard.subscribe((now) => {
      if (!goesOn(before, now)) {
        last = newest();
        said.value = ""; // what was taken back is said no longer
      }
      before = now;
      ask();
    });
    return () => {
      end();
      stop();
    };
  }, []);
  return <p class="sr" role={playing.value ? "status" : "log"} aria-live="polite">{said}</p>;
}
