/** Runs workloads under two set-ups, each in a scheduler of its own, and compares the results. */

import { Refused, type Engine } from "../engine/client";
import { Session } from "../engine/session";
import { startEngine } from "../engine/start";
import type { Decision, StatusAnswer } from "../engine/types";
import { isDecision, type Line } from "../model/lines";
import { Rejections } from "../model/rejections";
import type { Scenario } from "../model/scenario";
import { second, Times } from "../model/times";
import { figuresOf, Placements, totalsOf, type Figures, type Totals } from "./metrics";
import { Comparison, differ, type Differ, type Parting } from "./partings";
import { applied, type Setup } from "./setup";

/** The runs of the first workload whose decisions differ, or else of the first; and the figures of all. */
export interface Outcome extends Compared {
  readonly pairs: readonly Pair[];
}

/** The two runs of a workload. */
interface Compared {
  readonly a: Run;
  readonly b: Run;
  /** Undefined: all decisions are the same. */
  readonly parting: Parting | undefined;
  /** Decisions up to there. */
  readonly same: number;
  readonly differ: Differ;
}

/** What a workload came to under both set-ups. */
export interface Pair {
  readonly a: Totals;
  readonly b: Totals;
}

export interface Run {
  readonly figures: Figures;
  /** The workload under this set-up, to be opened in the cluster. */
  readonly scenario: Scenario;
}

/** How far all runs have come: parts of the inputs, 0 to 1, decisions of both set-ups, and the workload that runs, from 1. */
export interface Progress {
  readonly share: number;
  readonly decisions: number;
  readonly workload: number;
  readonly workloads: number;
}

interface RunOptions {
  readonly hear?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
  readonly start?: () => Promise<Engine>;
}

/** Milliseconds of the page's own work between two chances to draw. */
const slice = 8;

/**
 * Runs the workloads one after another; each is made when its turn comes.
 * @throws Refused, Crashed, and the reason of the signal
 */
export async function compare(workloads: readonly (() => Scenario)[], a: Setup, b: Setup, { hear, signal, start = startEngine }: RunOptions = {}): Promise<Outcome> {
  const engines: Engine[] = [];
  const stop = () => engines.forEach((engine) => engine.stop());
  signal?.addEventListener("abort", stop);
  try {
    // Where one does not start, the other is still to be stopped.
    const started = await Promise.allSettled([start(), start()]);
    engines.push(...started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
    signal?.throwIfAborted();
    for (const one of started) if (one.status === "rejected") throw one.reason;
    const [engineA, engineB] = engines;
    if (!engineA || !engineB) throw new Error("two schedulers were started");
    const open = (workload: Scenario) => Promise.all([Side.open(engineA, workload, a), Side.open(engineB, workload, b)]);
    return await all(workloads, open, hear);
  } catch (thrown) {
    signal?.throwIfAborted();
    throw thrown;
  } finally {
    signal?.removeEventListener("abort", stop);
    stop();
  }
}

async function all(workloads: readonly (() => Scenario)[], open: (workload: Scenario) => Promise<[Side, Side]>, hear: RunOptions["hear"]): Promise<Outcome> {
  const pairs: Pair[] = [];
  let shown: Compared | undefined;
  let before = 0; // decisions of the workloads that are done
  for (const [i, workload] of workloads.entries()) {
    const sides = await open(workload());
    const told = (share: number, decisions: number) => hear?.({ share: (i + share) / workloads.length, decisions: before + decisions, workload: i + 1, workloads: workloads.length });
    const compared = await together(...sides, told);
    await Promise.all(sides.map((side) => side.free()));
    before += compared.a.figures.decisions + compared.b.figures.decisions;
    pairs.push({ a: totalsOf(compared.a.figures), b: totalsOf(compared.b.figures) });
    if (!shown || (!shown.parting && compared.parting)) shown = compared;
  }
  if (!shown) throw new Error("expected a workload, found none");
  return { ...shown, pairs };
}

/** Plays both in steps of one size, so that neither runs far ahead of what it is compared with. */
async function together(a: Side, b: Side, hear: (share: number, decisions: number) => void): Promise<Compared> {
  const comparison = new Comparison();
  for (let most = 200; !a.done || !b.done; ) {
    const [linesA, linesB] = await Promise.all([a.play(most), b.play(most)]);
    const begun = performance.now();
    a.follow(linesA, (line) => comparison.add("a", line));
    b.follow(linesB, (line) => comparison.add("b", line));
    comparison.settle();
    hear((a.share + b.share) / 2, a.decisions + b.decisions);
    const took = performance.now() - begun;
    most = Math.max(50, Math.min(5000, took > slice ? most / 2 : took < slice / 3 ? most * 2 : most) | 0);
  }
  comparison.finish();
  const [runA, runB] = await Promise.all([a.run(), b.run()]);
  return { a: runA, b: runB, parting: comparison.parting, same: comparison.same, differ: differ(runA.figures.placed, runB.figures.placed) };
}

/** One of the two runs. */
class Side {
  private readonly session: Session;
  private readonly scenario: Scenario;
  private readonly times = new Times();
  private readonly placements = new Placements();
  private readonly rejections = new Rejections();
  private status: StatusAnswer | undefined;

  private constructor(session: Session, scenario: Scenario) {
    this.session = session;
    this.scenario = scenario;
  }

  static async open(engine: Engine, workload: Scenario, setup: Setup): Promise<Side> {
    const scenario = await applied(engine, workload, setup);
    const session = await Session.begin(engine, (workload.grace ?? 0) * second, true);
    await session.feedAll(scenario.journal, () => undefined);
    return new Side(session, scenario);
  }

  get done(): boolean {
    return this.status?.done ?? false;
  }

  get share(): number {
    return this.status && this.status.entries > 0 ? this.status.applied / this.status.entries : 0;
  }

  get decisions(): number {
    return this.status?.seq ?? 0;
  }

  /** Plays on, and returns what was heard. */
  async play(most: number): Promise<string> {
    if (this.done) return "";
    const { status, text } = await this.session.run({ idle: true }, most);
    this.status = status;
    return text;
  }

  follow(text: string, hear: (decision: Decision) => void): void {
    for (const written of text.split("\n")) {
      if (written === "") continue;
      const line = JSON.parse(written) as Line;
      const at = this.times.of(line.at);
      if (!isDecision(line)) continue;
      this.placements.add(line, at);
      this.rejections.add(line);
      hear(line);
    }
  }

  async free(): Promise<void> {
    await this.session.free();
  }

  async run(): Promise<Run> {
    return { figures: figuresOf(await this.session.figures(), this.placements.byAsk, this.rejections.sorted()), scenario: this.scenario };
  }
}

/** What went wrong, for the end of a sentence of the page. */
export function failureWords(thrown: unknown): string {
  if (thrown instanceof Refused) return thrown.error.message;
  return thrown instanceof Error ? thrown.message : String(thrown);
}
