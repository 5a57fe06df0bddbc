import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Engine } from "../engine/client";
import { engineHere, hasCore } from "../engine/here";
import { check, type Sight } from "./check";
import type { Expectation, Target } from "./course";
import { presets } from "./presets";
import { stage } from "./stage.fixture";

// Needs what make builds: the core and, to compare with it, the program. What is missing is skipped by name.
const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const program = process.env.QUERN_PROGRAM ?? join(root, "build/quern");

/** One of the lessons is as large as a real cluster. */
const large = 120_000;

/** The same, but not true where the first is. */
function mutated(e: Expectation): Expectation {
  switch (e.kind) {
    case "allocated": return { kind: "pending", ask: e.ask };
    case "pending": return { kind: "allocated", ask: e.ask };
    case "together":
    case "order": return { ...e, asks: [...e.asks, "nobody"] };
    case "replaced": return { ...e, by: "another" };
    case "in": return { ...e, queue: "elsewhere" };
    case "used":
    case "headroom": return { ...e, amount: e.amount + 1 };
    case "over-max":
    case "victims": return { ...e, victims: [...e.victims, "nobody"] };
    case "priority": return { ...e, value: (e.value ?? 0) + 1 };
    case "share": return { ...e, thousandths: e.thousandths + 1 };
    case "state":
    case "queue": return { ...e, state: "elsewhere" };
    case "held": return { ...e, ask: "somebody" };
    case "decisions": return { ...e, count: e.count + 1 };
    case "rejected":
    case "explains": return { ...e, reason: "another" };
    case "verdict": return { ...e, verdict: "another" };
  }
}

/** Whether what a step picks is there, or was: a victim that has left is still explained. */
function selectable({ kind, id }: Target, sight: Sight): boolean {
  const there = { queue: sight.queues, app: sight.apps, ask: sight.asks, node: sight.nodes }[kind].has(id);
  return there || (kind === "ask" && sight.decisions.some((d) => d.type === "release" && d.id === id));
}

describe.skipIf(!hasCore)("lessons against the core (needs build/core.wasm)", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await engineHere();
  });

  it.each(presets.map((lesson) => [lesson.name, lesson] as const))("%s: every expectation is met, and can fail", async (_, lesson) => {
    const played = await stage(engine, lesson);
    const wrong: unknown[] = [];
    for (const step of lesson.steps) {
      if (step.goto) await played.go(step.goto);
      const sight = await played.sight(step);
      if (step.select && !selectable(step.select, sight)) wrong.push({ step: step.title, nothingToSelect: step.select });
      for (const e of step.expect ?? []) {
        const { met, found } = check(e, sight);
        if (met !== true) wrong.push({ step: step.title, expected: e, found });
        if (check(mutated(e), sight).met !== false) wrong.push({ step: step.title, cannotFail: e });
      }
    }
    await played.close();
    expect(wrong).toEqual([]);
  }, large);

  it.each(presets.map((lesson) => [lesson.name, lesson] as const))("%s: steps backwards find the same", async (_, lesson) => {
    const played = await stage(engine, lesson);
    await played.go("end");
    for (const step of [...lesson.steps].reverse()) {
      if (!step.goto || step.goto === "end") continue;
      await played.go(step.goto);
      const sight = await played.sight(step);
      expect((step.expect ?? []).filter((e) => check(e, sight).met !== true), step.title).toEqual([]);
    }
    await played.close();
  }, large);

  describe.skipIf(!existsSync(program))("and natively (needs build/quern)", () => {
    let dir: string;
    beforeAll(() => {
      dir = mkdtempSync(join(tmpdir(), "quern-lessons-"));
    });
    afterAll(() => rmSync(dir, { recursive: true }));

    it.each(presets.map((lesson) => [lesson.name, lesson] as const))("%s: the program decides the same", async (name, lesson) => {
      const [journal, decisions] = [join(dir, `${name}.jsonl`), join(dir, `${name}.decisions.jsonl`)];
      writeFileSync(journal, lesson.scenario.journal);
      execFileSync(program, ["replay", "--until", "idle", "--grace", `${lesson.scenario.grace ?? 0}s`, "--out", decisions, journal], { stdio: "ignore" });
      const played = await stage(engine, lesson);
      await played.go("end");
      expect(await played.hash()).toBe(createHash("sha256").update(readFileSync(decisions)).digest("hex"));
      await played.close();
    }, large);
  });
});
