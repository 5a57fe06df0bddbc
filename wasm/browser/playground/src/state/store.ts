/**
 * What the page knows and shows, as signals. Panels read from here and act through actions.ts; nothing else is shared
 * between them.
 *
 * The model is one object that changes in place, since a thousand nodes are too many to copy sixty times a second: read
 * `frame` to be told of changes, and then look at `model()`.
 */

import { computed, signal } from "@preact/signals";
import type { Crashed } from "../engine/client";
import type { Decision, Loaded, QueueDump, StatusAnswer } from "../engine/types";
import type { Configuration } from "../model/scenario";

type Phase = "loading" | "ready" | "crashed" | "unsupported";
export const phase = signal<Phase>("loading");
/** Of loading or of an import: 0 to 1, with what is going on. */
export const progress = signal<{ readonly share: number; readonly what: string } | undefined>(undefined);
export const crash = signal<Crashed | undefined>(undefined);

/** The views of the page; in the address as #/view. */
export const views = ["cluster", "configure", "compare", "policy", "scenarios", "learn"] as const;
export type View = (typeof views)[number];
export const view = signal<View>("cluster");

/** Names what runs in this browser: another opening is another run. */
export const run = signal("");
/** How the address names what runs: "lesson=fifo", "s=…", "given"; "": it cannot. */
export const origin = signal("");
/** Changes by hand since it was opened, and how many of them were there when it was exported. */
export const edits = signal(0);
export const savedEdits = signal(0);
/** Whether there are changes that are nowhere but in this page. */
export const unsaved = computed(() => edits.value !== savedEdits.value);
/** What undo takes back, and what redo does again; undefined: nothing. */
export const undoable = signal<string | undefined>(undefined);
export const redoable = signal<string | undefined>(undefined);

export const title = signal("");
/** The lesson that runs, by its name; empty: what runs is none. */
export const lesson = signal("");
export const status = signal<StatusAnswer | undefined>(undefined);
/** When the last input of the journal happens, in nanoseconds of the session. What it causes may come later. */
export const lastInput = signal(0);
/** Goes up whenever the model has changed and is to be drawn. */
export const frame = signal(0);
/** In the order of the tree: parents before their children. */
export const queues = signal<readonly QueueDump[]>([]);
/** The configuration in force. */
export const configuration = signal<Configuration | undefined>(undefined);
/** How many allocations were told to leave so far. */
export const preempted = signal(0);
/** The last decisions, oldest first, at most recentMost of them; older ones come from actions.earlier. */
export const recent = signal<readonly Decision[]>([]);
export const recentMost = 2000;

export const playing = signal(false);
/** Seconds of the session in a second. */
export const speed = signal(1);
/** Whether the session is not at its latest: inputs are still to come. */
export const ahead = computed(() => (status.value ? status.value.applied < status.value.entries : false));

/** What is picked: everything that is about it lights up everywhere. */
export type Selection =
  | { readonly kind: "queue" | "app" | "ask" | "node"; readonly id: string }
  | { readonly kind: "decision"; readonly id: string; readonly decision: Decision };
export const selection = signal<Selection | undefined>(undefined);

/** What a dry run draws on the grid. */
export interface Overlay {
  readonly node: string;
  readonly ask: string;
  readonly victims: readonly string[];
}
export const overlay = signal<Overlay | undefined>(undefined);

/** The resource type that the grid and the tree show; "": the dominant one. */
export const shown = signal("");
/** All types that nodes have, vcore and memory first. */
export const types = signal<readonly string[]>([]);

/** Modules that are loaded. */
export const modules = signal<readonly Loaded[]>([]);

/** A way on from a notice: a link of this page, or something to do. */
export type NoticeAct = { readonly text: string } & ({ readonly address: string } | { readonly act: () => void });

export interface Notice {
  readonly id: number;
  readonly kind: "info" | "error";
  readonly text: string;
  /** With one it stays until it is dismissed. */
  readonly acts: readonly NoticeAct[];
}
export const notices = signal<readonly Notice[]>([]);
