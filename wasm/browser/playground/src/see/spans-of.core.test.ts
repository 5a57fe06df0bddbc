import { beforeEach, describe, expect, it } from "vitest";

import { engineHere, hasCore } from "../engine/here";
import { backfill } from "../learn/lessons/backfill";
import { promiseBroken } from "../learn/lessons/promise-broken";
import { windowOpens } from "../learn/lessons/window";
import type { Actions } from "../state/actions";
import { Live } from "../state/live";
import { perform } from "../state/perform";
import { status } from "../state/store";
import { spansOf } from "./spans-of";

const minute = 60e9;

describe.skipIf(!hasCore)("the cluster over time, as the core tells it", () => {
  let actions: Actions;
  beforeEach(async () => {
    const live = new Live();
    actions = perform(live, () => undefined);
    live.engine = await engineHere();
  });

  const at = async (minutes: number) => {
    await actions.seekTime(minutes * minute);
    const ahead = await actions.ahead();
    if (!ahead) throw new Error("expected an answer");
    return spansOf(actions.model(), status.value?.now ?? 0, actions.past(), ahead);
  };
  const short = ({ spans }: Awaited<ReturnType<typeof at>>) => spans.map(({ ask, node, kind, from, until }) => `${ask} ${kind} on ${node} ${from / minute} to ${until === undefined ? "?" : until / minute}`);

  it("has promised ends, planned starts, and what has ended; going back forgets nothing", async () => {
    await actions.open(backfill.scenario);
    const early = ["run runs on n1 0 to 60", "short runs on n1 2 to 32", "wide planned on n1 60 to 90"];
    expect(short(await at(2))).toEqual(early);
    const late = ["short ended on n1 2 to 27", "run ended on n1 0 to 40", "wide runs on n1 40 to 70", "long planned on n1 70 to 190"];
    const found = await at(40);
    expect(short(found)).toEqual(late);
    expect(found.spans.map(({ why }) => why)).toEqual(["it finished", "it finished", "", ""]);
    expect(short(await at(2))).toEqual(early);
    expect(short(await at(40))).toEqual(late);
  });

  it("marks promises that passed, and says why starts moved", async () => {
    await actions.open(promiseBroken.scenario);
    const { spans } = await at(10.5);
    expect(spans.map(({ ask, kind, why }) => [ask, kind, why])).toEqual([
      ["slow", "late", "it was told to leave"], ["guest", "runs", ""], ["next", "planned", "an allocation stayed after its promised end, or promises a later one"], ["last", "planned", ""],
    ]);
    expect((await at(11)).spans.find(({ ask }) => ask === "slow")).toMatchObject({ kind: "ended", until: 11 * minute, why: "it left: its time was over" });
  });

  it("has windows until they are over, and ends that they bring", async () => {
    await actions.open(windowOpens.scenario);
    expect((await at(2)).windows).toMatchObject([
      { window: "class", open: false, from: 180 * minute, until: 240 * minute, nodes: ["n1"], names: "queue root.course" },
      { window: "repair", open: false, from: 60 * minute, until: 120 * minute, nodes: ["n2"], names: "" },
    ]);
    const { windows, spans } = await at(180);
    expect(windows).toMatchObject([{ window: "class", open: true }]);
    expect(spans.find(({ ask }) => ask === "lecture")?.until).toBe(240 * minute);
  });

  it("tells absolute times from the start of the journal as well", async () => {
    const journal = backfill.scenario.journal.replace(/"at":"(\d+)(s|m)"/g, (_, n: string, unit: string) => `"at":"${new Date(Date.UTC(2026, 2, 1) + Number(n) * (unit === "m" ? 60e3 : 1e3)).toISOString()}"`);
    await actions.open({ title: "Absolute", journal });
    expect((await at(2)).spans.map(({ ask, kind, from, until = 0 }) => [ask, kind, Math.round(from / minute), Math.round(until / minute)])).toEqual([["run", "runs", 0, 60], ["short", "runs", 2, 32], ["wide", "planned", 60, 90]]);
  });
});
