import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Decision } from "../engine/types";
import { kindOf, kinds, kindWords, words } from "./words";

const manual = readFileSync(new URL("../../../../../docs/journal.md", import.meta.url), "utf8");
const decisionTypes = rowsOf("## Decisions");
const reasonCodes = ["### Rejections, and inputs that were ignored", "### Releases", "### States of applications", "### States of queues", "### Policy faults"].flatMap(rowsOf);

/** The names in the first column of the tables of a section, up to the next heading. */
function rowsOf(heading: string): string[] {
  const [, text = ""] = manual.split(`${heading}\n`);
  const [section = ""] = text.split(/^##/m);
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, code = ""]) => code);
}

const base: Decision = { seq: 1, at: "0s", type: "", id: "web-3", app: "web", queue: "root.prod", node: "n7", for: "web-9", from: "New", to: "Running", input: "ask.update", policy: "rank" };

describe("words", () => {
  test("the manual's tables are found", () => {
    expect(decisionTypes).toHaveLength(18);
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
    const type = ["finished", "node_removed", "app_removed", "preempted", "timeout", "replaced"].includes(reason) ? "release" : "ignored";
    expect(words({ ...base, type, reason })).not.toContain(`: ${reason}`);
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

  test("a type of a later version is shown as it is", () => {
    expect(words({ seq: 1, at: "0s", type: "new.kind", id: "x" })).toBe("new.kind x");
  });

  test("each kind has a name", () => {
    for (const kind of kinds) expect(kindWords[kind]).toBeTruthy();
  });
});
