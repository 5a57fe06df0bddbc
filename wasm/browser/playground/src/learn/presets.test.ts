import { describe, expect, it } from "vitest";

import { groups } from "./course";
import { presets } from "./presets";
import { queues, script } from "./script";
import { words } from "./words";

describe("all lessons", () => {
  it("have names and titles of their own, and the first one is for beginners", () => {
    expect(presets[0]?.name).toBe("first-steps");
    for (const of of [(l: typeof presets[number]) => l.name, (l: typeof presets[number]) => l.title]) {
      expect(new Set(presets.map(of)).size).toBe(presets.length);
    }
    expect(presets.filter(({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  it("come group by group, in the order of the overview", () => {
    const found = presets.map((lesson) => groups.indexOf(lesson.group));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(new Set(found).size).toBe(groups.length);
  });

  it.each(presets.map((lesson) => [lesson.name, lesson] as const))("%s: begins at a moment, expects something at each step, and closes its markup", (_, lesson) => {
    expect(lesson.steps[0]?.goto).toBeDefined();
    for (const step of lesson.steps) {
      expect(step.expect?.length, step.title).toBeGreaterThan(0);
      for (const text of [step.text, step.try ?? "", ...(step.expect ?? []).map(words)]) {
        expect(text.split("`").length % 2, text).toBe(1);
        expect(text.split("**").length % 2, text).toBe(1);
        expect(text, text).not.toMatch(/undefined|!|(?<!\*)\*(?!\*)/);
      }
    }
  });
});

describe("script", () => {
  it("writes a tree of queues, parents before their children", () => {
    const line = queues({ "root.a": { max: { vcore: 4 }, "priority.offset": 5 }, "root.a.b": { guaranteed: { vcore: 1, memory: "2Gi" }, maxapplications: 3 }, "root.c": {} }, ["nodesortpolicy: {type: fair}"]);
    expect(line).toEqual({
      type: "config.set", format: "yaml",
      config: `partitions:
- name: default
  nodesortpolicy: {type: fair}
  queues:
  - name: root
    queues:
    - name: a
      resources:
        max: {vcore: 4}
      properties:
        priority.offset: "5"
      queues:
      - name: b
        maxapplications: 3
        resources:
          guaranteed: {vcore: 1, memory: 2Gi}
    - name: c
`,
    });
  });

  it("writes one line for each input, with its time before all else", () => {
    expect(script(["1s", { type: "node.drain", id: "n1" }, [{ type: "tick" }]])).toBe(
      '{"type":"journal","version":1}\n{"at":"1s","type":"node.drain","id":"n1"}\n{"at":"1s","type":"tick"}\n');
  });
});
