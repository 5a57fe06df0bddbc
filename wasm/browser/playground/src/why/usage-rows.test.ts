import { describe, expect, it } from "vitest";
import { usageRows } from "./usage-rows";

describe("usage against limits", () => {
  it("says who uses how much of which limit, the nearest to a limit first", () => {
    const rows = usageRows([
      { queue: "root.a", name: "ann", used: { vcore: 1000, gpu: 3 }, max: { vcore: 4000, memory: 2 ** 31 }, applications: 1, maxApplications: 0 },
      { queue: "root.a", name: "bob", used: { vcore: 1000 }, applications: 1, maxApplications: 1 },
      { partition: "gpu", queue: "root.a", group: true, name: "*", used: { vcore: 3000 }, max: { vcore: 4000 }, applications: 2, maxApplications: 5 },
      { queue: "root.b", used: { vcore: 500 }, max: { vcore: 0 } },
    ]);
    expect(rows.map(({ who, queue, full, bounds }) => [who, queue, full, bounds.map(({ text }) => text)])).toEqual([
      ["user bob", "root.a", true, ["1 of 1 application"]],
      ["users without a name", "root.b", true, ["0.5 of 0 vcore"]],
      ["all other groups", "[gpu]root.a", false, ["3 of 4 vcore", "2 of 5 applications"]],
      ["user ann", "root.a", false, ["1 of 4 vcore", "0 B of 2 GiB memory"]],
    ]);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(4);
  });

  it("knows a usage beyond a limit that was lowered", () => {
    const [row] = usageRows([{ queue: "root", group: true, name: "dev", used: { vcore: 6000 }, max: { vcore: 4000 } }]);
    expect(row).toMatchObject({ who: "group dev", full: true, bounds: [{ used: 6000, limit: 4000 }] });
  });

  it("is nothing where nobody has anything", () => { expect(usageRows([])).toEqual([]); });
});
