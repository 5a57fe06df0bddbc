import { describe, expect, it } from "vitest";
import { scoreText, whyHere, type Before } from "./here-words";

const two: Before = { fits: 4, nodePolicy: "fair", candidates: [{ node: "n1", fits: true, score: -0.25 }, { node: "n2", fits: true, score: -0.5 }] };

describe("why an ask went to its node", () => {
  it.each<[string, Before, string]>([
    ["the built-in policy", two, "4 nodes would take it. Policy fair takes the least used: n1 (25% used) rather than n2 (50% used)."],
    ["a module", { ...two, nodePolicy: "near", candidates: [{ node: "n1", fits: true, score: 12.5 }, { node: "n2", fits: true, score: 3 }] },
      "4 nodes would take it. Policy near scores n1 highest: 12.5, and n2 3."],
    ["nodes alike", { ...two, candidates: [{ node: "n1", fits: true, score: -0.5 }, { node: "n2", fits: true, score: -0.5 }] },
      "4 nodes would take it. n1 and n2 are alike to policy fair (50% used), and n1 comes first."],
    ["a node that was not scored", { ...two, candidates: [{ node: "n1", fits: true, unscored: true }, { node: "n2", fits: true }] },
      "4 nodes would take it. Policy fair puts n1 before n2."],
    ["the only one", { ...two, fits: 1, candidates: [{ node: "n0" }, { node: "n1", fits: true }] }, "n1 was the only node that would take it."],
    ["kept", { ...two, kept: true }, "n1 was kept for it: it had preempted there."],
    ["reserved", { ...two, reserved: true, node: "n1" }, "n1 was reserved for it."],
    ["reserved elsewhere", { ...two, reserved: true, node: "n2" }, "4 nodes would take it. Policy fair takes the least used: n1 (25% used) rather than n2 (50% used)."],
    ["required", { ...two, required: "n1" }, "It requires n1."],
    ["a gang", { ...two, atomic: { id: "g" } },
      "It was placed together with its gang, all of which fits this way. By itself it would have gone to the same node: 4 nodes would take it. Policy fair takes the least used: n1 (25% used) rather than n2 (50% used)."],
    ["a gang that needs the best node for another", { ...two, atomic: { id: "g" }, candidates: [{ node: "n3", fits: true, score: -0.125 }, ...(two.candidates ?? [])] },
      "It was placed together with its gang, all of which fits this way. By itself it would have gone to n3: 4 nodes would take it. Policy fair takes the least used: n3 (12.5% used) rather than n1 (25% used)."],
    ["a gang where only one node takes it", { ...two, fits: 1, atomic: { id: "g" }, candidates: [{ node: "n1", fits: true }] },
      "It was placed together with its gang, all of which fits this way. Only n1 would take it."],
    ["another than the first", { ...two, candidates: [{ node: "n2", fits: true }] }, "It went to n1."],
  ])("%s", (_, before, words) => { expect(whyHere(before, "n1")).toBe(words); });

  it("shows scores of built-in policies as use", () => {
    expect(scoreText("binpacking", { score: 0.123456 })).toBe("12.3% used");
    expect(scoreText("fair", {})).toBe("0% used");
    expect(scoreText("constructor", { score: 1234.5 })).toBe("1,234.5");
    expect(scoreText("fair", { unscored: true })).toBeUndefined();
  });
});
