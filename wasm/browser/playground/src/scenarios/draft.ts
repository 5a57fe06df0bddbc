/** The feature in the editor, and its result. */

import { computed, signal } from "@preact/signals";
import type { ParseError, Played } from "./answers";

export interface Draft {
  readonly name: string;
  readonly text: string;
}

const first = `Feature: our cluster

  Background:
    Given the queues:
      | queue         | guaranteed | max     | priority.offset |
      | root.services | 4 vcore    |         | 100             |
      | root.batch    |            | 6 vcore |                 |
    And a node "n1" with 8 vcore

  Scenario: the nightly batch leaves the services their share
    Given "night" asks in root.batch for 5 vcore
    When "night" asks "more" for 3 vcore
    And "web" asks in root.services for 3 vcore
    Then "web" is allocated on "n1"
    And "more" waits

  Scenario: a service that ends makes room
    Given "web" asks in root.services for 8 vcore
    And the cycle runs
    And "night" asks in root.batch for 5 vcore
    When "web" is released
    Then "night" is allocated on "n1"
`;

export const draft = signal<Draft>({ name: "our.feature", text: first });
/** The text that it began with. */
const begun = signal(first);
/** Whether the text was changed since. */
export const touched = computed(() => draft.value.text !== begun.value);

/** What was found when the draft was looked at or played last, and in which text. */
export interface Outcome {
  readonly text: string;
  readonly scenarios: readonly Played[];
  readonly errors: readonly ParseError[];
  /** Ended before its end: by the user, or because the runner broke. */
  readonly ended?: string;
}

/** Of the last look at the text. */
export const looked = signal<Outcome | undefined>(undefined);
/** Of the last run. */
export const played = signal<Outcome | undefined>(undefined);
/** What is being played: in words. */
export const playing = signal<string | undefined>(undefined);

/** Whether the text has changed since it was played. */
export const stale = computed(() => played.value !== undefined && played.value.text !== draft.value.text);

/** Begins with another text. */
export function begin(next: Draft): void {
  draft.value = next;
  begun.value = next.text;
  played.value = undefined;
  looked.value = undefined;
}
