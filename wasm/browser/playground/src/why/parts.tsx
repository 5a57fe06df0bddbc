/** What all answers are made of. */

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useCallback, useContext, useEffect, useId, useRef } from "preact/hooks";

import { Around, type Picked } from "./around";
import { goTo, useQuestion } from "./question";

/** The answer in one sentence. The inspector shows it in a live region of its own, so that it is read out when it changes. */
export const headline = signal("");

export function useHeadline(text: string) {
  useEffect(() => { headline.value = text; }, [text]);
  useEffect(() => () => { headline.value = ""; }, []);
}

interface PickProps extends Picked {
  /** A shorter name; the whole one is its hint then. */
  readonly label?: string;
}

/** The name of something. A click selects it. */
export function Pick({ kind, id, label }: PickProps) {
  const { pick } = useContext(Around);
  return (
    <button type="button" class={`why-pick why-pick-${kind}`} title={label && id} onClick={() => pick({ kind, id })}>
      {label ?? id}
    </button>
  );
}

/** Several names, as a sentence has them. */
export function Picks({ kind, ids }: { readonly kind: PickProps["kind"]; readonly ids: readonly string[] }) {
  return ids.map((id, i) => [i === 0 ? "" : i === ids.length - 1 ? " and " : ", ", <Pick key={id} kind={kind} id={id} />]);
}

interface PartProps {
  readonly title: string;
  /** The question that it answers, to be listed under the headline. */
  readonly question?: string | undefined;
  /** What else is done when that is put; the same function each time. */
  readonly onQuestion?: (() => void) | undefined;
  readonly children: ComponentChildren;
}

/** A part of an answer under a heading of its own. */
export function Part({ title, question, onQuestion, children }: PartProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useQuestion(question, heading, useCallback(() => {
    onQuestion?.();
    goTo(heading.current);
  }, [onQuestion]));
  return (
    <section class="why-part" aria-labelledby={id}>
      <h4 id={id} ref={heading} tabIndex={question === undefined ? undefined : -1}>{title}</h4>
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
