import { describe, expect, it } from "vitest";

import { BadQuantity, inOrder, parseQuantities, parseQuantity, typesOf } from "./quantities";

// As TestParseReadsQuantitiesAsKubernetesDoes of core/resource.
describe("quantities", () => {
  it.each([
    ["vcore", "0", 0], ["vcore", "4", 4000], ["vcore", "1.5", 1500], ["vcore", "500m", 500], ["vcore", ".5", 500], ["vcore", "1.", 1000], ["vcore", "+2", 2000],
    ["vcore", "1500000u", 1500], ["vcore", "1e-3", 1], ["vcore", "2k", 2_000_000], ["vcore", "1Ki", 1_024_000], ["memory", "64Gi", 64 * 2 ** 30], ["memory", "10G", 10e9],
    ["memory", "12E6", 12e6], ["memory", "1e+2", 100], ["memory", "1500e-2", 15], ["memory", "0.5Ki", 512], ["memory", "1.5Gi", 3 * 2 ** 29], ["memory", "1000m", 1],
    ["memory", "007", 7], ["memory", "-0", 0], ["memory", "0e99999999999999999999", 0], ["memory", "0.0009765625Ki", 1], ["gpu", "8", 8],
  ])("reads %s %s", (type, text, stored) => {
    expect(parseQuantity(type, text)).toBe(stored);
  });

  it.each([
    ["memory", "", "a quantity such as"], ["memory", "junk", "a quantity such as"], ["memory", ".", "a quantity such as"], ["memory", "1K", "one of the suffixes"], ["memory", "1e", "one of the suffixes"],
    ["memory", "1 ", "one of the suffixes"], ["memory", "-1", "zero or more"], ["memory", "1.5", "a whole number of bytes"], ["gpu", "0.5", "a whole number of units"],
    ["vcore", "0.0005", "thousandths of a core"], ["memory", "8Ei", "at most 9223372036854775807"], ["memory", "1e99999999999999999999", "at most"], ["vcore", "1e-99999999999", "thousandths"],
  ])("says of %s %j what it expected", (type, text, expected) => {
    expect(() => parseQuantity(type, text)).toThrow(BadQuantity);
    expect(() => parseQuantity(type, text)).toThrow(expected);
  });

  it("leaves zeros out of sets", () => {
    expect(parseQuantities({ vcore: 2, memory: "0Gi", gpu: 1 })).toEqual({ vcore: 2000, gpu: 1 });
  });
});

it("types of resources come in the order that people expect", () => {
  expect(inOrder(["pods", "memory", "gpu", "vcore"])).toEqual(["vcore", "memory", "gpu", "pods"]);
  expect(typesOf({ pods: 1, memory: 1 }, { vcore: 1, memory: 2 }, undefined)).toEqual(["vcore", "memory", "pods"]);
});
