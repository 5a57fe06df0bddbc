import { expect, test } from "vitest";
import { readAddress, writeAddress } from "./address";

test.each([
  ["", { view: "cluster", origin: "" }],
  ["#/configure", { view: "configure", origin: "" }],
  ["#/cluster?ask=web-1", { view: "cluster", origin: "", picked: { kind: "ask", id: "web-1" } }],
  ["#lesson=fifo", { view: "cluster", origin: "lesson=fifo", lesson: "fifo" }],
  ["#lesson=fifo&step=3&queue=[gpu]root.a", { view: "cluster", origin: "lesson=fifo", lesson: "fifo", step: 3, picked: { kind: "queue", id: "[gpu]root.a" } }],
  ["#s=a-b_c&decision=17", { view: "cluster", origin: "s=a-b_c", picked: { kind: "decision", id: "17" } }],
  ["#given&node=rack%2F1", { view: "cluster", origin: "given", picked: { kind: "node", id: "rack/1" } }],
  ["#/nowhere", { view: "cluster", unknownView: "nowhere", origin: "" }],
  ["#lesson=fifo&step=two", { view: "cluster", origin: "lesson=fifo", lesson: "fifo", step: Number.NaN }],
  ["#ask=", { view: "cluster", origin: "" }],
] as const)("reads %s", (hash, address) => expect(readAddress(hash)).toEqual(address));

test.each(["#/cluster", "#/learn", "#lesson=fifo", "#lesson=fifo&step=2&ask=a", "#s=abc&app=b", "#given", "#/cluster?node=n1", "#/cluster?queue=[gpu]root.a", "#/cluster?app=a%26b%3Dc%20%23d", "#/cluster?ask=j%C3%BC/%25"])(
  "writes %s as it was read", (hash) => expect(writeAddress(readAddress(hash))).toBe(hash));

test("the first step needs no number", () => expect(writeAddress({ view: "cluster", origin: "lesson=fifo", step: 1 })).toBe("#lesson=fifo"));
