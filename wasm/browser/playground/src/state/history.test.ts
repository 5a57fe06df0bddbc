import { expect, test } from "vitest";
import { History } from "./history";

test("changes are undone and redone in turn", () => {
  const history = new History<string>(() => 1, 1000);
  history.note("first", "0");
  history.note("second", "1");
  expect(history.undoable).toBe("second");
  expect(history.undo("2")).toEqual({ what: "second", state: "1" });
  expect(history.undo("1")).toEqual({ what: "first", state: "0" });
  expect(history.undo("0")).toBeUndefined();
  expect(history.redoable).toBe("first");
  expect(history.redo("0")).toEqual({ what: "first", state: "1" });
  expect(history.redo("1")).toEqual({ what: "second", state: "2" });
  expect(history.redo("2")).toBeUndefined();
});

test("another change ends what could be redone", () => {
  const history = new History<string>(() => 1, 1000);
  history.note("first", "0");
  history.undo("1");
  history.note("other", "0");
  expect(history.redoable).toBeUndefined();
  expect(history.undoable).toBe("other");
});

test("old changes are forgotten beyond a hundred, and beyond a size, but never the last one", () => {
  const many = new History<number>(() => 1, 1000);
  for (let i = 0; i < 150; i++) many.note(String(i), i);
  let count = 0;
  while (many.undo(0)) count++;
  expect(count).toBe(100);

  const large = new History<number>((size) => size, 10);
  for (const size of [4, 4, 4]) large.note("change", size);
  expect([large.undo(0), large.undo(0), large.undo(0)].filter(Boolean).length).toBe(2);
  large.note("huge", 50);
  expect(large.undoable).toBe("huge");
});
