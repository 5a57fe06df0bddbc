import { beforeEach, describe, expect, it, vi } from "vitest";

import type { StatusAnswer } from "../engine/types";
import { createModel } from "../model/cluster";
import { frame, lesson, playing, queues, recent, selection, status } from "../state/store";
import { keepAsking, keepUpWithPlay, standings } from "./live";
import { closeLesson, goTo, open, openLesson } from "./open";
import { presets } from "./presets";

const acts = vi.hoisted(() => ({
  model: vi.fn(), open: vi.fn(() => Promise.resolve(true)), seekTime: vi.fn(), seekDecision: vi.fn(), runToEnd: vi.fn(), select: vi.fn(), say: vi.fn(),
  explain: vi.fn(() => Promise.resolve({ id: "index-3", reasons: ["headroom"] })), dryRun: vi.fn(),
}));
vi.mock("../state/run", () => ({ actions: acts }));

const at = (seconds: number, more: Partial<StatusAnswer> = {}) => ({ now: seconds * 1e9, midway: false, seq: 0, idle: false, ...more }) as StatusAnswer;
const model = createModel();

beforeEach(() => {
  vi.stubGlobal("history", { replaceState: vi.fn() });
  acts.model.mockReturnValue(model);
  lesson.value = "first-steps";
  status.value = at(0);
});

describe("a step", () => {
  it("travels to its moment and picks what it is about", async () => {
    await openLesson("first-steps", 2);
    expect(acts.seekTime).toHaveBeenLastCalledWith(5e9);
    expect(acts.select).toHaveBeenLastCalledWith({ kind: "ask", id: "index-3" });
    await openLesson("draining");
    lesson.value = "draining";
    await goTo(6);
    expect(acts.runToEnd).toHaveBeenCalledOnce();
    lesson.value = "priority-table";
    await goTo(1);
    expect(acts.seekDecision).toHaveBeenLastCalledWith(17);
  });

  it("is that of no lesson when something else runs, or when the panel was closed", async () => {
    await openLesson("first-steps");
    expect(open.value?.lesson).toBe(presets[0]);
    lesson.value = "";
    expect(open.value).toBeUndefined();
    lesson.value = "first-steps";
    closeLesson();
    expect(open.value).toBeUndefined();
  });

  it("of an unknown lesson is refused in words", async () => {
    expect(await openLesson("last-steps")).toBe(false);
    expect(acts.say).toHaveBeenLastCalledWith("error", expect.stringContaining("last-steps"), { text: "Show all lessons", address: "#/learn" });
  });
});

describe("a step that is reached while it plays", () => {
  const reach = async (seconds: number) => {
    const end = keepUpWithPlay();
    playing.value = true;
    status.value = at(seconds);
    await Promise.resolve();
    playing.value = false;
    end();
  };

  beforeEach(async () => {
    await openLesson("first-steps", 1);
    acts.select.mockClear();
  });

  it("picks what it is about, where the step before did", async () => {
    selection.value = { kind: "app", id: "shop" };
    await reach(5);
    expect(open.value?.index).toBe(2);
    expect(acts.select).toHaveBeenLastCalledWith({ kind: "ask", id: "index-3" });
  });

  it("leaves alone what the user picked", async () => {
    selection.value = { kind: "node", id: "n2" };
    await reach(5);
    expect(open.value?.index).toBe(2);
    expect(acts.select).not.toHaveBeenCalled();
  });
});

describe("what a step claims", () => {
  const standing = () => standings.value.map((live) => live.standing);

  beforeEach(async () => {
    await openLesson("first-steps", 1);
    recent.value = [];
    queues.value = [];
    frame.value++;
  });

  it("is to come before its moment, and while its instant is under way", () => {
    status.value = at(0.5);
    expect(standing()).toEqual(["to come", "to come", "to come"]);
    status.value = at(1, { midway: true });
    expect(standing()).toEqual(["to come", "to come", "to come"]);
  });

  it("is true or not at its moment, and says what was found", () => {
    queues.value = [{ path: "root.services", used: { vcore: 4000 } }];
    status.value = at(1);
    expect(standing()).toEqual(["not met", "not met", "met"]);
    expect(standings.value[0]?.found).toBe("not there");
  });

  it("may be true no longer afterwards", () => {
    queues.value = [{ path: "root.services", used: { vcore: 4000 } }];
    status.value = at(9);
    expect(standing()).toEqual(["left", "left", "met"]);
  });

  it("is asked of the scheduler where only that knows", async () => {
    vi.useFakeTimers();
    await goTo(2);
    status.value = at(5);
    const end = keepAsking();
    expect(standing().at(-1)).toBe("asking");
    await vi.advanceTimersByTimeAsync(200);
    expect(acts.explain).toHaveBeenLastCalledWith({ kind: "ask", id: "index-3" });
    expect(standing().at(-1)).toBe("met");
    end();
    vi.useRealTimers();
  });
});
