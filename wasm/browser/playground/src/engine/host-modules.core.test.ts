import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { Refused } from "./client";
import { startCore, type Ask } from "./core.fixture";
import { hasCore } from "./here";
import type { GateReport, ModuleManifest } from "./modules";
import type { RpcError } from "./types";

// Needs what make builds: the core, the program and the modules; and hostile modules, which TestHostileCorpus of
// host/policy/wazero writes to the folder that QUERN_HOSTILE names. What is missing is skipped by name.
const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const { QUERN_PROGRAM, QUERN_HOSTILE } = process.env;
const program = QUERN_PROGRAM ?? join(root, "build/quern");
const policies = join(root, "build/policies");
const hostile = QUERN_HOSTILE ?? join(root, "build/hostile");

/** A generator of the same numbers in each run: whole ones below n. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** A cluster of several teams with more asks than it has room for, in journal lines. */
function workload(nodes: number, asks: number): string {
  const roll = dice(7);
  const lines: object[] = [];
  for (let i = 0; i < nodes; i++) {
    lines.push({ at: "0s", type: "node.add", id: `n${String(i)}`, capacity: { vcore: 8 + 8 * roll(3), memory: `${String(16 << roll(3))}Gi`, gpu_milli: 1000 * roll(5) },
      attributes: { zone: ["north", "south", "east"][roll(3)], rack: `r${String(roll(5))}` } });
  }
  const leaves = ["root.a", "root.b", "root.c.x", "root.c.y"];
  for (let i = 0; i < 16; i++) {
    lines.push({ at: "0s", type: "app.add", id: `app${String(i)}`, queue: leaves[i % 4],
      tags: { deadline: String(1000 + roll(5000)), duration: String(10 + roll(100)), weight: String(1 + roll(4)) } });
  }
  for (let i = 0; i < asks; i++) {
    lines.push({ at: `${String(Math.floor(i / 8))}s`, type: "ask.add", id: `ask${String(i)}`, app: `app${String(roll(16))}`,
      resources: { vcore: 1 + roll(4), memory: `${String(1 + roll(6))}Gi`, ...(roll(4) === 0 ? { gpu_milli: 250 * (1 + roll(4)) } : {}) },
      priority: roll(3), run: `${String(20 + roll(200))}s` });
  }
  return ['{"type":"journal","version":1}', ...lines.map((l) => JSON.stringify(l))].join("\n") + "\n";
}

/** Queues that ask a policy at the points that it serves. */
function queues(name: string, points: readonly string[]): string {
  const sorts = points.includes("app.order") ? `application.sort.policy: ${name}` : "application.sort.policy: fifo";
  const parent = points.includes("queue.order") ? `        properties: {queue.sort.policy: ${name}}\n` : "";
  const nodes = points.includes("node.score") ? `    nodesortpolicy: {type: ${name}}\n` : "";
  const leaf = (queue: string, weight: number, vcore: number, deeper = ""): string =>
    `${deeper}          - name: ${queue}\n${deeper}            properties: {${sorts}, weight: "${String(weight)}"}\n${deeper}            resources: {guaranteed: {vcore: ${String(vcore)}}}\n`;
  return `partitions:\n  - name: default\n${nodes}    queues:\n      - name: root\n${parent}        queues:\n` +
    leaf("a", 1, 40) + leaf("b", 3, 60) + "          - name: c\n            queues:\n" + leaf("x", 2, 20, "    ") + leaf("y", 1, 10, "    ");
}

/** The first line in which two texts differ. */
function difference(found: string, expected: string): { line: number; found?: string; expected?: string } | undefined {
  if (found === expected) return undefined;
  const [a, b] = [found.split("\n"), expected.split("\n")];
  const line = a.findIndex((l, i) => l !== b[i]);
  return { line: line + 1, found: a[line] ?? "", expected: b[line] ?? "" };
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const shipped = existsSync(policies) ? readdirSync(policies).filter((f) => f.endsWith(".wasm")).map((f) => f.slice(0, -5)) : [];

describe.skipIf(!hasCore)("policy modules beside the core (needs build/core.wasm)", () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "quern-host-modules-"));
  });
  afterAll(() => { rmSync(dir, { recursive: true }); });

  /** What the program decides of a workload with a module, and the journal of that run, with the module and the queues in it. */
  function native(name: string, file: Uint8Array, points: readonly string[], journal: string, more: Record<string, Uint8Array | string> = {}): { recorded: Uint8Array; decisions: string } {
    const at = mkdtempSync(join(dir, `${name}-`));
    const path = (n: string): string => join(at, n);
    writeFileSync(path("journal.jsonl"), journal);
    writeFileSync(path("queues.yaml"), queues(name, points));
    writeFileSync(path(`${name}.wasm`), file);
    for (const [other, data] of Object.entries(more)) writeFileSync(path(other), data);
    execFileSync(program, ["replay", "--policies", at, "--policy-cache", "none", "--config", path("queues.yaml"), "--until", "idle",
      "--record", path("recorded.jsonl"), "--out", path("decisions.jsonl"), path("journal.jsonl")], { stdio: "ignore" });
    return { recorded: readFileSync(path("recorded.jsonl")), decisions: readFileSync(path("decisions.jsonl"), "utf8") };
  }

  it("a module that is loaded comes with what it declares, and with what the gate and the trial found", async () => {
    const ask = await startCore();
    const { manifest, report } = ask("policy.load", {}, readFileSync(join(root, "plugins/binpack-tetris/binpack-tetris.wasm"))).answer;
    const declared = manifest as ModuleManifest;
    expect(declared).toMatchObject({ name: "binpack-tetris", abi: "1.0" });
    expect(declared.points["node.score"]).toMatchObject({ keys: 1, depends: "ask" });
    expect(declared.parameters).toMatchObject({ alignment: { type: "text", default: "dot" } });
    const found = report as GateReport;
    expect(found.exports).toContainEqual({ name: "node_score", kind: "function", signature: "(i32)->i32" });
    expect(found.fuel["node.score"]).toBeGreaterThan(100);
    expect(found.memory?.max).toBe(256);
    expect(found.bytes).toBeGreaterThan(found.codeBytes);
  });

  describe.skipIf(!existsSync(program) || shipped.length === 0)("the shipped modules decide as natively (needs build/quern and build/policies)", () => {
    it.each(shipped)("%s", async (name) => {
      const ask = await startCore();
      const file = readFileSync(join(policies, `${name}.wasm`));
      const loaded = ask("policy.load", { name }, file).answer;
      expect(loaded).toMatchObject({ name });
      const { recorded, decisions } = native(name, file, loaded.points, workload(24, 600));
      const played = ask("replay", { idle: true, decisions: true }, recorded);
      expect(decisions.split("\n").filter((line) => line.includes('"type":"allocation"')).length).toBeGreaterThan(100);
      expect(decisions.split("\n").find((line) => line.includes("policy.fault"))).toBeUndefined();
      expect(difference(text(played.body), decisions)).toBeUndefined();
    }, 60_000);
  });

  it.skipIf(!existsSync(program) || !shipped.includes("zone-spread"))("a module that had a shadow is shown its own columns (needs build/quern and build/policies)", async () => {
    const ask = await startCore();
    const name = "binpack-tetris";
    const file = readFileSync(join(policies, `${name}.wasm`));
    const shadow = { "zone-spread.wasm": readFileSync(join(policies, "zone-spread.wasm")), "zone-spread.toml": `shadow_of = "${name}"\n` };
    ask("policy.load", { name }, file);
    const { recorded, decisions } = native(name, file, ["node.score"], workload(24, 200), shadow);
    expect(text(recorded)).toMatch(/policy\.set.*binpack-tetris.*attribute_code:zone/);
    expect(difference(text(ask("replay", { idle: true, decisions: true }, recorded).body), decisions)).toBeUndefined();
    expect(decisions).not.toContain("policy.fault");
  }, 60_000);

  interface Hostile { file: string; name: string; stop: string; reason: string; words: string; pure: boolean }
  const index = join(hostile, "index.json");
  const corpus = existsSync(index) ? JSON.parse(readFileSync(index, "utf8")) as Hostile[] : [];

  describe.skipIf(corpus.length === 0)("hostile modules break nothing (needs the folder that QUERN_HOSTILE names)", () => {
    let ask: Ask;
    let good: string;
    const journal = workload(1200, 40);
    /** A replay with the good module, which shows that the core is as it was. */
    const replayGood = (): string => {
      const name = "good";
      ask("policy.load", { name }, readFileSync(join(hostile, "good.wasm")));
      const set = text(ask("policy.line", { name }).body);
      const config = JSON.stringify({ at: "0s", type: "config.set", format: "yaml", config: queues(name, ["node.score"]) });
      const [header, ...rest] = workload(40, 40).split("\n");
      return ask("replay", { idle: true }, [header, set.trim(), config, ...rest].join("\n")).answer.sha256;
    };
    /** Why a module is not taken; undefined: it is. */
    const refusal = (bytes: Uint8Array): RpcError | undefined => {
      try {
        ask("policy.load", { name: "m" }, bytes);
        return undefined;
      } catch (thrown) {
        if (thrown instanceof Refused) return thrown.error;
        throw thrown;
      }
    };
    beforeAll(async () => {
      ask = await startCore();
      good = replayGood();
    });

    // What this engine says of a call of null is what it says of one of another signature; and it holds to the standard where
    // the host's takes a segment of elements that lies outside of its table.
    const otherwise = ["call of null", "elements outside of the table"];

    it.each(corpus)("$file $name: $stop", ({ file, name, stop, reason, words, pure }) => {
      const bytes = readFileSync(join(hostile, file));
      if (otherwise.includes(name) || (stop !== "works" && stop !== "call")) {
        const error = refusal(bytes);
        expect(error).toMatchObject({ code: "bad-module" });
        const said = !otherwise.includes(name);
        if (said && ["gate", "manifest", "configure", "trial"].includes(stop)) expect(error?.message).toBe(reason);
        if (said && stop === "resolve") expect(error?.message).toContain(words);
      } else {
        const { points } = ask("policy.load", { name: "m" }, bytes).answer;
        const { recorded, decisions } = native("m", bytes, points, journal);
        const played = text(ask("replay", { idle: true, decisions: true }, recorded).body);
        if (pure) expect(difference(played, decisions)).toBeUndefined();
        if (stop === "call") expect(played).toContain("policy.fault");
        ask("policy.drop", { name: "m" });
      }
      expect(replayGood()).toBe(good);
    }, 60_000);
  });
});
