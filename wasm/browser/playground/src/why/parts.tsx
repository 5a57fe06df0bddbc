/** What all answers are made of. */

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";

import { words } from "../see/words";
import { touched } from "../see/stream-touch";
import { actions } from "../state/run";
import { recent, status, type Selection } from "../state/store";
import { duration } from "../ui/format";

/** The answer in one sentence. The inspector shows it in a live region of its own, so that it is read out when it changes. */
export const headline = signal("");

export function useHeadline(text: string) {
  useEffect(() => { headline.value = text; }, [text]);
  useEffect(() => () => { headline.value = ""; }, []);
}

interface PickProps {
  readonly kind: Exclude<Selection["kind"], "decision">;
  readonly id: string;
  /** A shorter name; the whole one is its hint then. */
  readonly label?: string;
}

/** The name of something. A click selects it. */
export function Pick({ kind, id, label }: PickProps) {
  return (
    <button type="button" class={`why-pick why-pick-${kind}`} title={label && id} onClick={() => actions.select({ kind, id })}>
      {label ?? id}
    </button>
  );
}

/** Several names, as a sentence has them. */
export function Picks({ kind, ids }: { readonly kind: PickProps["kind"]; readonly ids: readonly string[] }) {
  return ids.map((id, i) => [i === 0 ? "" : i === ids.length - 1 ? " and " : ", ", <Pick key={id} kind={kind} id={id} />]);
}

/** A part of an answer under a heading of its own. */
export function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="why-part" aria-labelledby={id}>
      <h4 id={id}>{title}</h4>
      {children}
    </section>
  );
}

/** Facts in pairs; those without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  const known = facts.filter(([, value]) => value !== undefined && value !== "" && value !== false);
  return <dl class="why-facts">{known.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

/** The explanation as the scheduler itself puts it. */
export function Verbatim({ text }: { readonly text: string | undefined }) {
  return text ? <details class="why-verbatim"><summary>In the scheduler’s words</summary><pre>{text}</pre></details> : null;
}

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
