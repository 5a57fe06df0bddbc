import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Button } from "../ui/button";
import { duration, whole } from "../ui/format";
import { Icon, type IconName } from "../ui/icons";
import { slow } from "./host/api";
import type { Connection } from "./host/follower";
import { hostNow, lapse, minuteOf } from "./host/times";
import { connection, reconnect, seq } from "./live";

const words: Record<Connection["state"], string> = { connecting: "Connecting", live: "Live", lost: "Not connected", barred: "No access" };
const icons: Record<Connection["state"], IconName> = { connecting: "more", live: "good", lost: "warn", barred: "bad" };

/** Whether the page hears of the host, and up to which decision. */
export function Status() {
  const { state } = connection.value;
  const late = state === "live" && slow.value;
  return (
    <p class={`status status-${late ? "slow" : state}`} role="status">
      <Icon name={late ? "warn" : icons[state]} />
      <b>{late ? "Slow" : words[state]}</b>
      <span title="The number of the last decision that this page has heard of">{seq.value > 0 ? `decision ${whole(seq.value)}` : state === "live" && "no decision yet"}</span>
    </p>
  );
}

/** Says that nothing of what is shown is real, how fast its clock runs, and what it shows. */
export function Simulated() {
  return lapse.value ? <Lapse speed={lapse.value.speed} /> : null;
}

function Lapse({ speed }: { readonly speed: number }) {
  const time = useSignal(minuteOf(hostNow()));
  useEffect(() => {
    const timer = setInterval(() => (time.value = minuteOf(hostNow())), 250);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="simulated" title={`Nodes and work are simulated. The clock runs ${speed} times as fast as yours; times are those of the simulated day.`}>
      <span>Simulated<span class="wide-only"> cluster</span>, {speed}×<span class="wide-only"> speed</span></span> <time>{time}</time>
    </p>
  );
}

/** What is wrong with the connection, above all views: what they show is old then. */
export function Banner() {
  const now = connection.value;
  if (now.state !== "lost" && now.state !== "barred") return slow.value ? <p class="banner">The host takes long to answer. The page may be some seconds behind.</p> : null;
  return (
    <p class="banner">
      <Icon name="warn" />
      <span>{now.why} This page may be out of date.{now.state === "lost" && <Again at={now.again} />}</span>
      <Button small onClick={reconnect}>Try now</Button>
    </p>
  );
}

function Again({ at }: { readonly at: number }) {
  const left = useSignal(at - Date.now());
  useEffect(() => {
    const timer = setInterval(() => (left.value = at - Date.now()), 500);
    return () => clearInterval(timer);
  }, [at]);
  return <> The page tries again {left.value > 1000 ? `in ${duration(Math.ceil(left.value / 1000) * 1e9)}` : "now"}.</>;
}
