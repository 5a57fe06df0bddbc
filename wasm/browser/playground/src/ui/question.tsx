import "./question.css";
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Button } from "./button";
import { Dialog } from "./dialog";

interface Choice<T> {
  readonly text: string;
  readonly hint?: string;
  readonly kind?: "plain" | "primary" | "danger";
  readonly value: T;
}

interface Asked<T> {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly choices: readonly Choice<T>[];
}

const open = signal<(Asked<unknown> & { readonly answer: (value: unknown) => void }) | undefined>(undefined);

/** Asks the user to choose; undefined: they cancel. Another question cancels one that is still open. */
export function askUser<T>(asked: Asked<T>): Promise<T | undefined> {
  open.peek()?.answer(undefined);
  return new Promise((resolve) => {
    open.value = {
      ...asked,
      answer(value) {
        open.value = undefined;
        resolve(value as T | undefined);
      },
    };
  });
}

/** The question that is open, if any. */
export function Question() {
  const asked = open.value;
  if (!asked) return null;
  const cancel = () => asked.answer(undefined);
  return (
    <Dialog key={asked.title} title={asked.title} lead={asked.lead} onClose={cancel}>
      <ul class="question">
        {asked.choices.map(({ text, hint, kind = "plain", value }) => (
          <li key={text}>
            <Button kind={kind} onClick={() => asked.answer(value)}>{text}</Button>
            {hint && <small>{hint}</small>}
          </li>
        ))}
        <li><Button kind="quiet" onClick={cancel}>Cancel</Button></li>
      </ul>
    </Dialog>
  );
}
