import "./transport.css";
import { useSignal } from "@preact/signals";
import { second } from "../model/times";
import { usePaced } from "../see/pace";
import { actions } from "../state/run";
import { ahead, lastInput, playing, speed, status } from "../state/store";
import { Button, IconButton } from "../ui/button";
import { Select } from "../ui/field";
import { count, duration } from "../ui/format";
import { Menu, type MenuItem } from "../ui/menu";
import { clockOf, dateOf, speedsWith, speedWords } from "./transport-clock";
import { marksWords, nextOf, ticksAt, ticksWide } from "./transport-marks";
import { travelTo } from "./transport-travel";

/** Plays, steps, and goes to any moment. */
export function Transport() {
  return (
    <section class="transport" aria-label="Time">
      <Moves />
      <Clock />
      <Scrubber />
      <Position />
      <Select label="Speed: seconds of the session in a second" bare value={String(speed.value)} onChange={(text) => (speed.value = Number(text))}
        options={speedsWith(speed.value).map((one) => ({ value: String(one), text: speedWords(one) }))} />
    </section>
  );
}

function Moves() {
  return (
    <div class="transport-moves" role="group" aria-label="Play and step">
      <IconButton icon="toStart" label="To the start" onClick={() => void actions.seekTime(0)} />
      <IconButton icon="back" label="Back by one decision" onClick={() => void actions.back()} />
      {playing.value
        ? <Button kind="primary" icon="pause" onClick={() => actions.pause()}>Pause</Button>
        : <Button kind="primary" icon="play" onClick={() => actions.play()}>Play</Button>}
      <IconButton icon="step" label="Forward by one decision" onClick={() => void actions.step("decision")} />
      <Menu label="Step by more" icon="up" items={[
        { text: "One decision", hint: "the next decision", onPick: () => void actions.step("decision") },
        { text: "One instant", hint: "all decisions of the next moment", onPick: () => void actions.step("instant") },
        { text: "One input", hint: "the next line of the journal", onPick: () => void actions.step("input") },
        ...markMoves(),
      ]} />
      <IconButton icon="toEnd" label="To the end" onClick={() => void actions.runToEnd()} />
    </div>
  );
}

/** To what is marked on the scrubber, as far as it is known. */
function markMoves(): MenuItem[] {
  const { preemptions, reloads } = actions.marks();
  const now = status.value?.now ?? 0;
  return ([["The next preemption", preemptions], ["The next change of the configuration", reloads]] as const).map(([text, times]) => {
    const next = nextOf(times, now);
    const hint = next === undefined ? "None is known after this moment." : `at ${duration(next)}`;
    return { text, hint, disabled: next === undefined, onPick: () => { if (next !== undefined) void actions.seekTime(next); } };
  });
}

function Clock() {
  usePaced(100);
  const now = status.value?.now ?? 0;
  const date = dateOf(status.value?.start ?? "", now);
  return (
    <div class={date ? "transport-clock transport-dated" : "transport-clock"}>
      <b role="timer" aria-label={`Time of the session: ${duration(now)}`}>{clockOf(now)}</b>
      {date && <small>{date}</small>}
    </div>
  );
}

/** Over the time that is known: what was played, the last input, and the next thing that is worth waiting for. */
function Scrubber() {
  usePaced(100);
  const dragged = useSignal<number | undefined>(undefined);
  const now = status.value?.now ?? 0;
  const end = Math.max(lastKnown(), now, 1);
  const value = dragged.value ?? now;
  const drag = (to: number) => {
    dragged.value = to;
    travelTo(to);
  };
  const marks = actions.marks();
  const words = marksWords(marks);
  return (
    <div class="transport-scrubber" title={words && `${words}: preemptions above the line, configurations below it.`}>
      <input type="range" aria-label="Moment" min={0} max={end} step={end / 500} value={value}
        aria-valuetext={`${duration(value)} of ${duration(end)}${words && `; ${words}`}`} style={{ "--done": `${(100 * value) / end}%` }}
        onInput={(event) => drag(event.currentTarget.valueAsNumber)} onChange={() => (dragged.value = undefined)} onBlur={() => (dragged.value = undefined)} />
      <svg class="transport-ticks" viewBox={`0 0 ${ticksWide} 20`} preserveAspectRatio="none" aria-hidden="true">
        <path class="transport-preemptions" data-count={marks.preemptions.length} d={ticksAt(marks.preemptions, end, 0, 5)} />
        <path class="transport-reloads" data-count={marks.reloads.length} d={ticksAt(marks.reloads, end, 15, 20)} />
      </svg>
    </div>
  );
}

function lastKnown(): number {
  const now = status.value;
  return Math.max((actions.series().time.at(-1) ?? 0) * second, lastInput.value, now?.idle ? 0 : now?.next ?? 0);
}

function Position() {
  const { seq = 0, entries = 0, applied = 0 } = status.value ?? {};
  return (
    <div class="transport-position">
      <span title="Decisions so far">{count(seq, "decision")}</span>
      {ahead.value && (
        <Menu label={`${count(entries - applied, "input")} ahead`} items={[
          { text: "Forget them", hint: "the journal ends at this moment", danger: true, onPick: () => void actions.cutHere() },
        ]} />
      )}
    </div>
  );
}
