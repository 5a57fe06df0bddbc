import { expect, test } from "vitest";
import { Rejections } from "./rejections";

test("what was rejected is counted by decision and reason, with the first of each", () => {
  const rejections = new Rejections();
  for (const [type, reason, id] of [
    ["ask.rejected", "no-resources", "k1"], ["allocation", undefined, "k0"], ["ask.rejected", "duplicate", "k2"], ["ask.rejected", "duplicate", "k3"],
    ["ignored", "unknown-ask", "k9"], ["app.rejected", "unknown-queue", "a"], ["config.rejected", "invalid-config", undefined],
  ] as const) rejections.add({ type, ...(reason && { reason }), ...(id && { id }) });
  expect(rejections.sorted()).toEqual([
    { type: "app.rejected", reason: "unknown-queue", count: 1, example: "a" },
    { type: "ask.rejected", reason: "duplicate", count: 2, example: "k2" },
    { type: "ask.rejected", reason: "no-resources", count: 1, example: "k1" },
    { type: "ignored", reason: "unknown-ask", count: 1, example: "k9" },
  ]);
});
