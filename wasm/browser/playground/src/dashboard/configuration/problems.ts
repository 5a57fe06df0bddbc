/** What the host has against a draft, and where in the text that is. */

import { computed } from "@preact/signals";
import { about, tokenAt, type Problem } from "../../configure/problems";
import { tried } from "./work";

interface Fault {
  readonly line?: number;
  readonly column?: number;
  readonly queue?: string;
  readonly key?: string;
  readonly message: string;
}

export const problemsFound = computed<readonly Problem[]>(() => {
  const { of, problem, trial } = tried.value ?? {};
  if (of && problem) return faultsOf(problem.body.errors, problem.detail, of.text);
  return (trial?.warnings ?? []).map((text) => ({ severity: "warning", about: "", text }));
});

/** A refusal without places is one problem. */
export function faultsOf(errors: unknown, detail: string, text: string): readonly Problem[] {
  const list = Array.isArray(errors) ? errors as readonly Fault[] : [];
  const lines = text.split("\n");
  return list.length === 0 ? [{ severity: "error", about: "", text: detail }]
    : list.map(({ line, column = 1, queue = "", key = "", message }) => (
      { severity: "error", about: about(queue, key), text: message, line, at: line === undefined ? undefined : tokenAt(lines, line, column) }));
}
