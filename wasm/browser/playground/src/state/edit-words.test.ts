import { expect, test } from "vitest";
import { editWords } from "./edit-words";

test("a change is told by its first input and how many more there are", () => {
  expect(editWords([{ type: "node.drain", id: "n1" }])).toBe("drain node n1");
  expect(editWords([{ type: "app.add", id: "web", queue: "root.a" }, { type: "ask.add", id: "w", app: "web", resources: {} }])).toBe("submit application web and 1 more input");
  expect(editWords([{ type: "config.set", config: "" }])).toBe("change the configuration");
  expect(editWords([{ type: "tick" }])).toBe("change the cluster");
});
