/** The problems of the draft, as of its last check. */

import { computed } from "@preact/signals";
import { checked } from "./checks";
import { outlineOf } from "./outline/read";
import { problems, type Problem } from "./problems";

export const problemsFound = computed<readonly Problem[]>(() => {
  const { of, answer, refusal } = checked.value ?? {};
  if (refusal !== undefined) return [{ severity: "error", about: "configuration", text: refusal }];
  return of && answer ? problems(answer, of.text, outlineOf(of)) : [];
});
