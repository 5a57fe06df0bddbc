/** What the runner of features answers: the types of wasm/browser/featuresmodule and features. */

/** A sentence that a scenario may use. */
export interface Sentence {
  readonly topic: string;
  /** What stands in braces is filled in, what stands in brackets may be left out. */
  readonly form: string;
  /** The regular expression that a step has to match. */
  readonly pattern: string;
  readonly keywords: readonly Keyword[];
  /** What follows the line. */
  readonly takes: "table" | "text" | "";
  readonly doc: string;
}

export type Keyword = "Given" | "When" | "Then";

export type Status = "passed" | "failed" | "undefined" | "ambiguous" | "pending" | "skipped";

export interface PlayedStep {
  readonly line: number;
  readonly keyword: string;
  readonly text: string;
  readonly status?: Status;
  readonly message?: string;
  /** Of an undefined step: the form of the sentence that is most like it. */
  readonly nearest?: string;
}

/** A scenario, or one line of examples of an outline. It has no status before it is played. */
export interface Played {
  readonly name: string;
  readonly line: number;
  /** The line of examples. */
  readonly example?: number;
  readonly status?: Status;
  readonly message?: string;
  readonly steps: readonly PlayedStep[];
}

/** Why a text is no feature. Line 0: as a whole. */
export interface ParseError {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface Heads {
  readonly steps: Record<string, never>;
  readonly shipped: Record<string, never>;
  readonly text: { readonly name: string };
  readonly check: Record<string, never>;
  readonly run: { readonly line?: number };
}

export interface Answers {
  readonly steps: { readonly steps: readonly Sentence[] };
  /** The names of the features that ship, in order. */
  readonly shipped: { readonly names: readonly string[] };
  readonly text: { readonly text: string };
  readonly check: { readonly scenarios: readonly Played[] };
  readonly run: { readonly scenarios: readonly Played[] };
}
