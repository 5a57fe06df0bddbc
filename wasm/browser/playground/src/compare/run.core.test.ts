import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import type { Engine } from "../engine/client";
import { instantiate } from "../engine/reactor";
import type { News } from "../engine/protocol";
import { serve } from "../engine/service";
import { connect, type Channel } from "../engine/start";
import { defaultWorkload, generate } from "../model/generator";
import type { Module, Scenario } from "../model/scenario";
import { compare, type Progress } from "./run";
import type { Setup } from "./setup";

// Needs what make builds: the core, the program and a module. What is missing is skipped by name.
const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const [core, program, tetris] = ["build/core.wasm", "build/quern", "build/policies/binpack-tetris.wasm"].map((name) => join(root, name)) as [string, string, string];

const asItIs: Setup = { policies: {}, queue: "root", modules: [] };

const queues = `partitions:
- name: default
  queues:
  - name: root
    properties: {application.sort.policy: fifo}
    queues:
    - {name: a, resources: {guaranteed: {vcore: 10}}}
    - {name: b, properties: {application.sort.policy: fifo}}
`;

/** Three jobs for one node, at whole seconds and in a form that is worked out by hand. */
const small = `{"type":"journal","version":1}
{"at":"0s","type":"node.add","id":"n1","capacity":{"vcore":8,"memory":"16Gi"}}
{"at":"0s","type":"node.add","id":"n2","capacity":{"vcore":4,"memory":"8Gi"}}
{"at":"1s","type":"app.add","id":"first","queue":"root.a"}
{"at":"1s","type":"ask.add","id":"first","app":"first","resources":{"vcore":3,"memory":"2Gi"},"run":"10s","count":3}
{"at":"3s","type":"app.add","id":"second","queue":"root.b"}
{"at":"3s","type":"ask.add","id":"second","app":"second","resources":{"vcore":2,"memory":"6Gi"},"run":"7s","count":4}
{"at":"5s","type":"app.add","id":"third","queue":"root.b"}
{"at":"5s","type":"ask.add","id":"third","app":"third","resources":{"vcore":4,"memory":"1Gi"},"run":"9s"}
`;

const generated = generate({
  ...defaultWorkload(["root.a", "root.b"], ["vcore", "memory"]), rate: 30, minutes: 20,
  nodes: { count: 12, capacity: { vcore: 16, memory: "64Gi" }, prefix: "n", zones: ["x", "y"] },
});

describe.skipIf(!existsSync(core))("comparisons against the core", () => {
  let module: WebAssembly.Module;
  let folder: string;
  beforeAll(async () => {
    module = await WebAssembly.compile(readFileSync(core));
    folder = mkdtempSync(join(tmpdir(), "quern-compare-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** An engine in this thread, behind the worker's own service. */
  const start = (): Promise<Engine> => {
    const channel: Channel = { postMessage: () => undefined, terminate: () => undefined, onmessage: null, onerror: null };
    const port = {
      onmessage: null as ((event: MessageEvent<unknown>) => void) | null,
      postMessage: (data: News) => queueMicrotask(() => channel.onmessage?.({ data } as MessageEvent<News>)),
      close: () => undefined,
    };
    serve(port, (_address, _progress, hear) => instantiate(module, hear));
    channel.postMessage = (data) => queueMicrotask(() => port.onmessage?.({ data } as MessageEvent<unknown>));
    return connect(channel, "");
  };

  const scenario = (journal: string): Scenario => ({ title: "test", journal, config: { text: queues, format: "yaml" } });
  const binpack: Module[] = existsSync(tetris) ? [{ name: "binpack-tetris", bytes: readFileSync(tetris) }] : [];

  it("two set-ups that are the same make the same decisions", async () => {
    const { a, b, parting, same, differ } = await compare([() => scenario(generated)], asItIs, asItIs, { start });
    expect(parting).toBeUndefined();
    expect(a.figures).toEqual(b.figures);
    expect(same).toBe(a.figures.decisions);
    expect(differ).toMatchObject({ moved: 0, earlier: 0, later: 0, onlyA: 0, onlyB: 0 });
  });

  it("fair in the place of fifo parts where the hash first differs, and both sides can be opened", async () => {
    const fair: Setup = { ...asItIs, policies: { "app.order": "fair" } };
    const { a, b, parting, same } = await compare([() => scenario(generated)], asItIs, fair, { start });
    expect(parting?.a).toBeDefined();
    expect(parting?.common.at(-1)?.seq).toBe(same);
    expect(a.figures.fairness).not.toBe(b.figures.fairness);
    expect(b.scenario.journal).toContain("application.sort.policy: fair");
    const engine = await start();
    for (const [run, decision] of [[a, parting?.a], [b, parting?.b]] as const) {
      const { body } = await engine.request("replay", { idle: true, decisions: true }, run.scenario.journal);
      const lines = new TextDecoder().decode(body).trimEnd().split("\n");
      expect(lines).toHaveLength(run.figures.decisions);
      expect(JSON.parse(lines[same] ?? "{}")).toEqual(decision);
    }
  });

  it("a policy can be for one queue, which a configuration has to have", async () => {
    const one = await compare([() => scenario(small)], asItIs, { ...asItIs, policies: { "app.order": "fair" }, queue: "root.b" }, { start });
    expect(one.b.scenario.journal).toContain("- name: b\\n      properties:\\n        application.sort.policy: fair");
    expect(one.b.scenario.journal).toContain("    properties:\\n      application.sort.policy: fifo");
    await expect(compare([() => scenario(small)], asItIs, { ...asItIs, policies: { "app.order": "fair" }, queue: "root.none" }, { start }))
      .rejects.toThrow("expected a configuration with the queue root.none, found none in the workload");
  });

  it("a workload without a configuration is given the one that stands where there is none", async () => {
    const bare = { title: "test", journal: small.replaceAll(/root\.[ab]/g, "root.default").replaceAll(/"at":"(\d)s"/g, '"at":"2026-01-01T00:00:0$1Z"') };
    const { a, b } = await compare([() => bare], asItIs, { ...asItIs, policies: { "node.score": "binpacking" } }, { start });
    expect(a.figures.allocated).toBe(8);
    expect(a.figures.makespan).toBe(b.figures.makespan);
    expect(b.scenario.journal).toContain("type: binpacking");
  });

  it("several workloads make a pair of runs each, in schedulers that are started once", async () => {
    let starts = 0;
    const heard: Progress[] = [];
    const counted = () => { starts++; return start(); };
    const oneJob = small.split("\n").slice(0, 5).join("\n");
    const { pairs, a, parting } = await compare([() => scenario(oneJob), () => scenario(generated)], asItIs, { ...asItIs, policies: { "app.order": "fair" } }, { start: counted, hear: (now) => heard.push(now) });
    const alone = await compare([() => scenario(generated)], asItIs, { ...asItIs, policies: { "app.order": "fair" } }, { start });
    expect(starts).toBe(2);
    expect(pairs[1]).toEqual(alone.pairs[0]);
    expect(pairs[0]?.a.allocated).toBe(3);
    expect(parting).toEqual(alone.parting); // of the one job, no order differs
    expect(a.figures.decisions).toBe(alone.a.figures.decisions);
    expect(heard.at(-1)).toMatchObject({ share: 1, workload: 2, workloads: 2 });
    expect(heard.every(({ share }, i) => i === 0 || share >= (heard[i - 1]?.share ?? 0))).toBe(true);
  });

  it("a configuration that is refused is told", async () => {
    const { a } = await compare([() => ({ ...scenario(small), config: { text: queues.replace("vcore: 10", "vcore: ten"), format: "yaml" } })], asItIs, asItIs, { start });
    expect(a.figures.refused).toContain("vcore");
  });

  it("of two schedulers of which one does not start, the other is stopped", async () => {
    const one = await start();
    const stop = vi.spyOn(one, "stop");
    const starts = [() => Promise.reject(new Error("no room")), () => Promise.resolve(one)];
    await expect(compare([() => scenario(small)], asItIs, asItIs, { start: () => starts.shift()?.() ?? start() })).rejects.toThrow("no room");
    expect(stop).toHaveBeenCalled();
  });

  it("a comparison can be stopped", async () => {
    const controller = new AbortController();
    const hear = () => controller.abort(new Error("enough"));
    await expect(compare([() => scenario(generated)], asItIs, asItIs, { start, signal: controller.signal, hear })).rejects.toThrow("enough");
  });

  describe.skipIf(!existsSync(program) || binpack.length === 0)("and against the command line", () => {
    interface Native { allocated: number; pending: number; preempted: number; wait_seconds: { p50: number; p99: number; max: number }; used: Record<string, number>; stranded: Record<string, number>; fairness: number }
    interface Tried { before: Native; after: Native; decisions: { placed_in_both: number; on_another_node: number; earlier: number; later: number; only_before: number; only_after: number } }

    const tried = (journal: string): Tried => {
      const [file, config] = [join(folder, "test.journal"), join(folder, "queues.yaml")];
      writeFileSync(file, journal);
      writeFileSync(config, queues);
      return JSON.parse(execFileSync(program, ["policy", "try", tetris, file, "--config", config, "--until", "idle", "--json", "--policy-cache", "none"], { encoding: "utf8" })) as Tried;
    };
    const ours = (journal: string) => compare([() => scenario(journal)], asItIs, { policies: { "node.score": "binpack-tetris" }, queue: "root", modules: binpack }, { start });

    it.each([["a few jobs", small], ["a generated workload", generated]])("%s: the figures are those of policy try", async (_, journal) => {
      const native = tried(journal);
      const { a, b, differ } = await ours(journal);
      for (const [{ figures }, expected] of [[a, native.before], [b, native.after]] as const) {
        expect(figures).toMatchObject({ allocated: expected.allocated, pending: expected.pending, preempted: expected.preempted });
        expect(figures.waits).toMatchObject({ p50: expected.wait_seconds.p50, p99: expected.wait_seconds.p99, most: expected.wait_seconds.max });
        expect(figures.fairness).toBeCloseTo(expected.fairness, 9);
        for (const type of ["vcore", "memory"]) {
          expect(figures.used[type]).toBeCloseTo(expected.used[type] ?? NaN, 9);
          expect(figures.stranded[type]).toBeCloseTo(expected.stranded[type] ?? NaN, 9);
        }
      }
      const d = native.decisions;
      expect(differ).toEqual({ both: d.placed_in_both, moved: d.on_another_node, earlier: d.earlier, later: d.later, onlyA: d.only_before, onlyB: d.only_after });
    }, 60_000);
  });
});
