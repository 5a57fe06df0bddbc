/** What a user can do to the running scenario. Each says on the page what went wrong, in words, and throws nothing. */

import type { Config, Decision, Heads, LimitUsage, PlacementExplanation } from "../engine/types";
import type { Ahead, Explanation, Past, SessionSeries, TimeMarks } from "./shapes";
import type { Untimed } from "../model/lines";
import type { Model } from "../model/model";
import type { Rejection } from "../model/rejections";
import type { Configuration, Module, Scenario } from "../model/scenario";
import type { Placed, Waited } from "./placed";
import type { Snapshot } from "./snapshot";
import type { NoticeAct, Selection } from "./store";

/** What decides where an application goes. */
export type Where = Omit<Heads["placement"], "id">;

export interface Actions {
  /** The model that `frame` is about. */
  model(): Model;
  series(): SessionSeries;
  marks(): TimeMarks;
  /** What was rejected or ignored up to now, by reason. */
  rejections(): readonly Rejection[];
  /** The last allocations that had ended by now. */
  past(): readonly Past[];
  /** What is known of the time to come; undefined: it cannot be told now. */
  ahead(): Promise<Ahead | undefined>;

  /** Replaces what runs, and its journal, by a scenario; sure: the user was asked. False: it was refused, or the user keeps what runs, which goes on. */
  open(scenario: Scenario, sure?: boolean): Promise<boolean>;
  /** What runs, to be opened again at this moment; undefined: nothing was opened yet. */
  snapshot(): Snapshot | undefined;
  /** Names the journal as it is: another name after each change. */
  version(): string;
  /** Goes back to what ran before, at the moment when it was left. Nothing is asked, since what runs now can be gone back to as well. */
  resume(snapshot: Snapshot): Promise<boolean>;
  /** What a run was when another one replaced it; undefined: it is not known any more. */
  leftBehind(run: string): Snapshot | undefined;
  /** Takes back the last change by hand, or the last opening. */
  undo(): Promise<void>;
  redo(): Promise<void>;
  /** The whole journal, as it would be imported again; also after a crash. */
  journal(): Promise<string>;
  /** What runs, to be opened again from its start. */
  scenario(): Promise<Scenario>;
  /** A decision by its number; undefined: it was not made yet. */
  decision(seq: number): Promise<Decision | undefined>;
  /** The last decisions before one, oldest first, at most recentMost of them. */
  earlier(before: number): Promise<readonly Decision[]>;
  /** All decisions so far, as JSON Lines. */
  decisions(): Promise<string>;

  play(): void;
  pause(): void;
  step(unit: "decision" | "instant" | "input"): Promise<void>;
  /** Plays on until nothing is worth waiting for. */
  runToEnd(): Promise<void>;
  /** Back by one decision. */
  back(): Promise<void>;
  /** To the nearest whole nanosecond; the start is the earliest. */
  seekTime(nanoseconds: number): Promise<void>;
  seekDecision(seq: number): Promise<void>;
  /** Forgets the inputs that are still to come. */
  cutHere(): Promise<void>;

  /** Has inputs happen now (as soon as the session takes them), and plays the instant. False: refused, nothing changed. */
  feed(inputs: readonly Untimed[]): Promise<boolean>;
  /** Has whole journal lines happen when they say; progress is shown. */
  importLines(text: string): Promise<boolean>;
  reload(configuration: Configuration): Promise<boolean>;

  /** When something that is not there yet comes, in nanoseconds of the session; undefined: the journal does not bring it. */
  comesAt(kind: Selection["kind"], id: string): number | undefined;
  explain(selection: Selection): Promise<Explanation | undefined>;
  /** The names of a kind that are like one that nothing has now. */
  meant(kind: "queue" | "app" | "ask" | "node", name: string): Promise<readonly string[]>;
  /** Why an ask was placed where it is, or where it was; undefined: it was not placed up to now, or it cannot be told now. */
  whyHere(ask: string): Promise<Placed | undefined>;
  /** What it waited for before; undefined: it cannot be told now. */
  waitedFor(placed: Placed): Promise<readonly Waited[] | undefined>;
  /** Where an application would go; undefined: it could not be asked. */
  wherePlaced(where: Where): Promise<PlacementExplanation | undefined>;
  /** The configuration in force, as the scheduler reads it; undefined: none was given. */
  inForce(): Promise<Config | undefined>;
  /** What users and groups use in the queues that limit them. */
  limitUsage(): Promise<readonly LimitUsage[]>;
  dryRun(ask: string): Promise<Explanation | undefined>;

  /** Puts a module through its gate and has it act from the next cycle on. */
  loadModule(module: Module): Promise<boolean>;
  dropModule(name: string): Promise<boolean>;

  select(selection: Selection | undefined): void;
  say(kind: "info" | "error", text: string, ...acts: readonly NoticeAct[]): void;
}
