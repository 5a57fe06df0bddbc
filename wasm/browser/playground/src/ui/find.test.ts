import { expect, it } from "vitest";
import type { Model } from "../model/model";
import { find } from "./find";

const ids = (...names: string[]) => new Map(names.map((name) => [name, {}]));
const model = { queues: ids("root", "root.web"), apps: ids("web", "webber"), nodes: ids("n1"), asks: ids("my-web", "web-1") } as unknown as Model;

it("finds what is it first, then what begins with it, then what has it inside", () => {
  expect(find(model, " WEB", 9).map((one) => `${one.kind} ${one.id}`)).toEqual(["app web", "queue root.web", "app webber", "ask web-1", "ask my-web"]);
});

it("finds no more than asked for, and nothing for nothing", () => {
  expect(find(model, "web", 2)).toHaveLength(2);
  expect(find(model, "  ", 9)).toEqual([]);
});
