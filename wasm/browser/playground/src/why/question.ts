/** What can be asked of the thing that is shown. The inspector lists the questions under its headline. */

import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

export interface Question {
  readonly text: string;
  /** Where its answer stands, or will: questions are in this order. */
  readonly place: Element;
  /** Shows the answer, or gets one. */
  readonly put: () => void;
}

/** In the order of their answers. */
export const questions = signal<readonly Question[]>([]);

/** Lists a question for as long as the place of its answer is shown; undefined: there is none. */
export function useQuestion(text: string | undefined, place: RefObject<Element | null>, put: () => void): void {
  useEffect(() => {
    const { current } = place;
    if (text === undefined || !current) return undefined;
    const one: Question = { text, place: current, put };
    questions.value = [...questions.peek(), one].sort((a, b) => (a.place.compareDocumentPosition(b.place) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1));
    return () => { questions.value = questions.peek().filter((other) => other !== one); };
  }, [text, put]);
}

/** Brings the answer into view, and the focus to its heading, so that it is read out and Tab goes on from there. */
export function goTo(heading: HTMLElement | null): void {
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: "start" });
}
