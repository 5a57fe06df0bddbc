import "../see/stream.css";
import { useComputed, useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Decision } from "../engine/types";
import { KindFilter } from "../see/stream-filter";
import { Lines } from "../see/stream-lines";
import { dateAndTimeOf, ofKinds, spoken, tally } from "../see/stream-list";
import { Rows, rowHeight, type RowProps } from "../see/stream-rows";
import { pace } from "../see/pace";
import { words, type Kind } from "../see/words";
import { Button } from "../ui/button";
import { TextField } from "../ui/field";
import { count } from "../ui/format";
import { Empty } from "../ui/panel";
import { DecisionDetail } from "./decision-detail";
import { send, withQuery, wordsOf } from "./host/api";
import { timeOfDay } from "./host/times";
import { mostRecent, recent } from "./live";
import { passing } from "./passing";
import { addressOf, go, place } from "./route";
import { Split } from "./split";
import { NoDecisions } from "./told";

/** So many earlier ones are read at a time. */
const aPage = 500;

/** The decisions as they are made, the newest at the bottom. */
export function Decisions() {
  const { name } = place.value;
  const kinds = useSignal<ReadonlySet<Kind>>(new Set());
  const only = useSignal("");
  const paused = useSignal<readonly Decision[] | undefined>(undefined);
  const earlier = useSignal<readonly Decision[]>([]);
  const follow = useSignal(true);
  const heard = useComputed(() => paused.value ?? recent.value);
  const found = useComputed(() => passing([...before(earlier.value, heard.value), ...heard.value], only.value));
  const counts = useComputed(() => tally(found.value));
  const list = useComputed(() => ofKinds(found.value, kinds.value));
  const picked = Number(name) || undefined;
  const shown = picked === undefined ? undefined : list.value.find((d) => d.seq === picked) ?? heard.value.find((d) => d.seq === picked);
  const pause = () => (paused.value = paused.value ? undefined : recent.peek());
  return (
    <Split title="Decisions"
      tools={<div class="filters">
        <KindFilter kinds={kinds} counts={counts} />
        <TextField label="Only about" value={only.value} onInput={(text) => (only.value = text)} placeholder="a queue, node, application or ask" />
        <Button small icon={paused.value ? "play" : "pause"} pressed={paused.value !== undefined} onClick={pause}>{paused.value ? "Continue" : "Pause"}</Button>
      </div>}
      list={<div class="stream stream-room">
        <div class="stream-strip"><Earlier earlier={earlier} heard={heard} />{paused.value && <Held since={paused.value} />}</div>
        {heard.value.length === 0 ? <NoDecisions /> : list.value.length === 0 ? <Empty>No decision matches the filter.</Empty> : <Rows list={list} follow={follow} row={Row} picked={picked} />}
        <Spoken heard={heard} />
      </div>}
      detail={picked === undefined ? undefined : { kind: "Decision", name: String(picked), close: addressOf("decisions"), content: <DecisionDetail key={picked} seq={picked} known={shown} /> }} />
  );
}

/** Earlier ones that lead up to those heard without a gap. */
function before(earlier: readonly Decision[], heard: readonly Decision[]): readonly Decision[] {
  const [first] = heard;
  const last = earlier.at(-1);
  return first && last && first.seq <= last.seq + 1 ? earlier.filter((d) => d.seq < first.seq) : [];
}

function Row({ decision, index, of, reached, picked, onReach }: RowProps) {
  const text = words(decision);
  return (
    <li class="stream-row" style={{ top: `${index * rowHeight}px` }} aria-setsize={of} aria-posinset={index + 1}>
      <button type="button" class="stream-pick" data-index={index} tabIndex={reached ? 0 : -1} aria-pressed={picked} title={`${text} (${dateAndTimeOf(decision.at)}, decision ${decision.seq})`}
        onFocus={onReach} onClick={() => go(addressOf("decisions", String(decision.seq)))}>
        <Lines decision={decision} time={timeOfDay(decision.at)} />
      </button>
    </li>
  );
}

/** The page keeps the last decisions; this reads those before from the host, as far as it keeps them. */
function Earlier({ earlier, heard }: { readonly earlier: Signal<readonly Decision[]>; readonly heard: { readonly value: readonly Decision[] } }) {
  const failed = useSignal("");
  const first = (before(earlier.value, heard.value)[0] ?? heard.value[0])?.seq ?? 1;
  if (first <= 1) return null;
  const fetch = async () => {
    const from = Math.max(1, first - aPage);
    try {
      const response = await send(withQuery("v1/decisions", { from, limit: first - from }));
      const found = (await response.text()).split("\n").filter(Boolean).map((line) => JSON.parse(line) as Decision);
      earlier.value = [...found, ...before(earlier.peek(), heard.value)].slice(0, mostRecent);
      failed.value = "";
    } catch (thrown) {
      failed.value = wordsOf(thrown);
    }
  };
  return <>{failed.value !== "" && <small class="bad">{failed}</small>}<Button small onClick={() => void fetch()}>{`Show ${count(Math.min(first - 1, aPage), "earlier decision")}`}</Button></>;
}

/** How many have come since it was paused. */
function Held({ since }: { readonly since: readonly Decision[] }) {
  const news = (recent.value.at(-1)?.seq ?? 0) - (since.at(-1)?.seq ?? 0);
  return <span class="note">Paused: {count(Math.max(0, news), "new decision")}</span>;
}

/** Reads out what is new, now and then. */
function Spoken({ heard }: { readonly heard: { subscribe(call: (now: readonly Decision[]) => void): () => void; peek(): readonly Decision[] } }) {
  const said = useSignal("");
  useEffect(() => {
    let last = heard.peek().at(-1)?.seq ?? 0;
    const { ask, stop } = pace(4000, () => {
      const news = heard.peek().filter((d) => d.seq > last);
      last = heard.peek().at(-1)?.seq ?? last;
      if (news.length > 0) said.value = spoken(news, words);
    });
    const end = heard.subscribe(ask);
    return () => {
      end();
      stop();
    };
  }, []);
  return <p class="sr" role="log" aria-live="polite">{said}</p>;
}
