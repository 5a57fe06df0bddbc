import { describe, expect, it } from "vitest";
import { engineHere, hasCore } from "../engine/here";
import { Session } from "../engine/session";
import type { QueueDump } from "../engine/types";
import { welcomeScenario } from "./example";

const minutes = 60;
const second = 1e9;
const share = ({ used = {}, max = {} }: QueueDump, type: string): number => (used[type] ?? 0) / (max[type] ?? 1);

describe.skipIf(!hasCore)("the cluster of a first visit", () => {
  it("stays full and moves for an hour, and what is pending stays bounded", async () => {
    const { journal, grace = 0, begin = 0 } = welcomeScenario();
    const session = await Session.begin(await engineHere(), grace * second);
    await session.feedAll(journal, () => undefined);
    const pending: number[] = [];
    for (let decided = 0, minute = 0; minute <= minutes; minute++) {
      for (let at = 0; at < 60; at += 20) {
        while (!(await session.seek({ time: (begin + minute * 60 + at) * second }, 100_000)).done);
        const root = (await session.state(["queues"])).queues?.find(({ path }) => path === "root");
        if (!root) throw new Error("expected a queue root");
        expect(share(root, "vcore"), `minute ${minute}`).toBeGreaterThan(0.85);
        pending.push(root.pendingAsks ?? 0);
      }
      expect(session.now.seq - decided, `decisions in minute ${minute}`).toBeGreaterThan(20);
      decided = session.now.seq;
    }
    expect(Math.min(...pending), pending.join(" ")).toBeGreaterThanOrEqual(20);
    expect(Math.max(...pending), pending.join(" ")).toBeLessThanOrEqual(80);
  });
});
