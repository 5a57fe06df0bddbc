import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

import { appStates, helpFor, inWords, listed, nodeCauses, noPlan, protections, quotaFaults, remedies, rights, ruleFaults, verdicts, waiting, waitsBecause, worse } from "./words";

interface Constant {
  readonly name: string;
  readonly code: string;
}

/** The constants of a file of the scheduler that are texts. */
function constants(file: string): Constant[] {
  const source = readFileSync(fileURLToPath(new URL(`../../../../../core/${file}`, import.meta.url)), "utf8");
  return [...source.matchAll(/^\t(\w+)\s*(?:[\w.]+\s*)?= "([^"]+)"/gm)].map(([, name = "", code = ""]) => ({ name, code }));
}

const explain = constants("explain/explain.go");
const verdict = constants("explain/preemption.go");
const quota = constants("explain/quota.go");
const planned = constants("explain/planned.go");
const placement = constants("internal/placement/place.go");
const decision = constants("decision.go");

function named(list: readonly Constant[], prefix: RegExp): string[] {
  return list.filter((c) => prefix.test(c.name)).map((c) => c.code).sort();
}

const keys = (table: object): string[] => Object.keys(table).sort();

describe("words", () => {
  it.each([
    ["why a rule places nothing", placement.map((c) => c.code).sort(), ruleFaults],
    ["why something waits", named(explain, /^Wait/), waiting],
    ["what speaks against a node", named(explain, /^Node/), nodeCauses],
    ["why an ask has no planned start", [...named(planned, /^NoPlan/), "barred", "out-of-reach", "unplanned"].sort(), noPlan],
    ["verdicts", named(verdict, /^Verdict/), verdicts],
    ["what protects an allocation", named(verdict, /^Excluded/), protections],
    ["what makes a set worse", named(verdict, /^Worse/), worse],
    ["by what right", named(decision, /^Right/), rights],
    ["why a queue over its max releases nothing", named(quota, /^Quota/), quotaFaults],
    ["states of applications", named(decision, /^State/), appStates],
  ])("has words for every code of the scheduler: %s", (_, codes, table) => {
    expect(codes.length).toBeGreaterThan(2);
    expect(keys(table)).toEqual(codes);
  });

  it("says what helps for every verdict but the two that take victims", () => {
    expect(keys(remedies)).toEqual(keys(verdicts).filter((code) => code !== "preempts" && code !== "waits-for-victims"));
  });

  it("knows all laws that a finding may be about (stand.tsx words them)", () => {
    expect(named(verdict, /^Law/)).toEqual(["law-4", "law-5", "max"]);
  });

  it("says why something waits", () => {
    expect(waitsBecause(["not-scheduled-yet"])).toBe("It waits because the next cycle has not reached it yet.");
    expect(waitsBecause(["headroom", "no-node-fits"]))
      .toBe("It waits because a queue on its path has too little left below its max and no node can take it now.");
    expect(waitsBecause(["nothing-pending"])).toBe("Nothing is pending.");
    expect(waitsBecause([])).toBe("");
    expect(waitsBecause(["headroom"], { who: "The first", lacks: [{ queue: "root.a", type: "vcore", missing: 1500 }, { queue: "root", type: "vcore", missing: 1 }] }))
      .toBe("The first waits because root.a lacks 1.5 vcore, and 1 queue above it is short too.");
  });

  it("knows a full cluster from a queue at its max", () => {
    expect(helpFor("headroom", { lacks: [{ queue: "root", type: "vcore", missing: 1 }] })).toMatch(/^The cluster is full/);
    expect(helpFor("headroom", { lacks: [{ queue: "root.a", type: "vcore", missing: 1 }, { queue: "root", type: "vcore", missing: 1 }] })).toMatch(/its max/);
    expect(helpFor("headroom", { forever: true }) + helpFor("no-node-fits", { forever: true })).toBe("");
    expect(helpFor("policy", { forever: true })).toBe(waiting.policy?.help);
    expect(helpFor("policy")).toBe(waiting.policy?.help);
  });

  it("puts the detail in, and shows a code that it does not know as it is", () => {
    expect(inWords(nodeCauses, "full", "memory")).toBe("too little memory free");
    expect(inWords(nodeCauses, "haunted")).toBe("haunted");
  });

  it("joins names as a sentence does", () => {
    expect(listed(["a"])).toBe("a");
    expect(listed(["a", "b", "c"])).toBe("a, b and c");
  });
});
