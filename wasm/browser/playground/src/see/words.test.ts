import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Decision } from "../engine/types";
import { kindOf, kinds, kindWords, twoLines, words } from "./words";

const manual = readFileSync(new URL("../../../../../docs/reference/journal.md", import.meta.url), "utf8");
const decisionTypes = rowsOf("## Decisions");
const reasonCodes = ["### Rejections, and inputs that were ignored", "### Refused moves", "### Ends of reservations and kept nodes", "### Releases", "### Planned starts", "### Ends of placeholders", "### States of applications", "### States of queues", "### Policy faults"].flatMap(rowsOf);

/** The names in the first column of the tables of a section, up to the next heading. */
function rowsOf(heading: string): string[] {
  const [, text = ""] = manual.split(`${heading}\n`);
  const [section = ""] = text.split(/^##/m);
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, code = ""]) => code);
}

const base: Decision = { seq: 1, at: "0s", type: "", id: "web-3", app: "web", queue: "root.prod", node: "n7", for: "web-9", from: "New", to: "Running", input: "ask.update", policy: "rank", gang: "workers" };

describe("words", () => {
  test("the manual's tables are found", () => {
    expect(decisionTypes).toHaveLength(31);
    expect(reasonCodes.length).toBeGreaterThan(25);
  });

  test.each(decisionTypes)("%s is said in words, not by its type", (type) => {
    const said = words({ ...base, type, reason: "idle" });
    expect(said).not.toContain(type === "ignored" ? "ignored" : `${type} `);
    expect(said).not.toContain("?");
    expect(said).not.toMatch(/undefined/);
    expect(kinds).toContain(kindOf({ ...base, type }));
  });

  test.each(reasonCodes)("%s has words", (reason) => {
    const type = ["finished", "node_removed", "app_removed", "gang_broken", "preempted", "timeout", "replaced"].includes(reason) ? "release" : "ignored";
    expect(words({ ...base, type, reason })).not.toContain(`: ${reason}`);
  });

  test("windows and planned starts", () => {
    expect(words({ ...base, type: "walltime.exceeded", reason: "window" })).toBe("web-3 told to leave n7: a window there has ended, or begins");
    expect(words({ ...base, type: "window.opened", id: "class", nodes: ["n1", "n2"] })).toBe("Window class opened, with others still on 2 nodes");
    expect(words({ ...base, type: "window.opened", id: "class", nodes: [] })).toBe("Window class opened");
    expect(words({ ...base, type: "plan", gang: undefined, start: "1h0m0s", reason: "planned" })).toBe("web-3 starts at the latest at 1h0m0s on n7");
    expect(words({ ...base, type: "plan", node: undefined, nodes: ["n1", "n2"], start: "1h0m0s", reason: "window" })).toBe("Gang workers of web starts at the latest at 1h0m0s on n1, n2: a window bars the node");
    expect(words({ ...base, type: "plan", gang: undefined, node: undefined, reason: "withdrawn" })).toBe("web-3 has no planned start any more: it was withdrawn");
  });

  test("what is asked for most often", () => {
    expect(words({ ...base, type: "allocation" })).toBe("web-3 placed on n7");
    expect(words({ ...base, type: "preemption", id: "train-2", node: "n1", for: "web-3" })).toBe("train-2 told to leave n1 for web-3");
    expect(words({ ...base, type: "release", reason: "preempted" })).toBe("web-3 left, as it was told to");
    expect(words({ ...base, type: "app.state", id: "web", reason: "second-allocation" })).toBe("web is now Running: its second allocation");
    expect(words({ ...base, type: "config.accepted", warnings: ["a"] })).toBe("New configuration in force, with 1 warning");
    expect(words({ ...base, type: "config.rejected", errors: ["a", "b"] })).toBe("Configuration refused: 2 errors; the one in force stays");
    expect(words({ ...base, type: "ask.rejected", reason: "duplicate", message: "web-3 is pending" })).toBe("Ask web-3 of web was refused: web-3 is pending");
  });

  test("two lines tell what was decided, and why or where", () => {
    const say = (part: Partial<Decision>) => twoLines({ ...base, ...part });
    expect(say({ type: "allocation", resources: { vcore: "1500m", memory: 2 ** 31 } })).toEqual(["web-3 placed on n7", "of web in root.prod · 1.5 vcore, 2 GiB memory"]);
    expect(say({ type: "preemption", id: "train-2", node: "n1", for: "web-3", app: undefined })).toEqual(["train-2 told to leave n1", "for web-3 · in root.prod"]);
    expect(say({ type: "app.state", id: "web", reason: "second-allocation" })).toEqual(["web is now Running", "its second allocation"]);
    expect(say({ type: "config.accepted", warnings: ["a"] })).toEqual(["New configuration in force", "with 1 warning"]);
    expect(say({ type: "release", reason: "preempted" })).toEqual(["web-3 left", "as it was told to"]);
    expect(say({ type: "release", reason: "finished" })).toEqual(["web-3 finished", ""]);
  });

  test("gangs, quotas, partitions and queues that come and go", () => {
    const say = (part: Partial<Decision>) => words({ ...base, ...part });
    expect(say({ type: "placeholder.replaced", id: "gang-1", for: "task-1" })).toBe("Placeholder gang-1 told to make room for task-1, which goes to n7");
    expect(say({ type: "placeholder.timeout", id: "gang-1", reason: "timeout" })).toBe("Placeholder gang-1 told to leave n7: the time of its gang is over");
    expect(say({ type: "placeholder.timeout", id: "gang-1", reason: "gang-over", node: undefined })).toBe("Placeholder gang-1 withdrawn: its gang has failed");
    expect(say({ type: "app.moved", id: "web", from: "root.a", to: "root.b" })).toBe("web moved from root.a to root.b");
    expect(say({ type: "app.state", id: "web", to: "Failed", reason: "failed" })).toBe("web is now Failed: its gang was not complete in time, and its last allocation has left");
    expect(say({ type: "preemption", id: "train-2", node: "n1", for: undefined, quota: "root.a" })).toBe("train-2 told to leave n1 since queue root.a uses more than its max");
    expect(say({ type: "queue.state", queue: "root.users.ann", from: "stopped", to: "active", reason: "created" })).toBe("Queue root.users.ann created: a placement rule has created it");
    expect(say({ type: "queue.state", queue: "root.users.ann", from: "active", to: "stopped", reason: "empty", partition: "gpu" }))
      .toBe("Queue [gpu]root.users.ann is gone: a placement rule had created it, and its last application is gone");
    expect(say({ type: "app.accepted", id: "web", queue: "root.a", partition: "gpu" })).toBe("web submitted to [gpu]root.a");
    expect(say({ type: "ask.rejected", reason: "gang-timeout" })).toBe("Ask web-3 of web ended: its gang was not complete in time");
  });

  test("a type of a later version is shown as it is", () => {
    expect(words({ seq: 1, at: "0s", type: "new.kind", id: "x" })).toBe("new.kind x");
  });

  test("each kind has a name", () => {
    for (const kind of kinds) expect(kindWords[kind]).toBeTruthy();
  });
});
