import { expect, test } from "vitest";
import { chartsOf, risen, sampleAt, summary, tableRows } from "./timelines-series";

const series = {
  time: [0, 10, 20], used: new Map([["memory", [0, 0.25, 0.5]], ["vcore", [0, 0.5, 0.005]]]), pending: [0, 1, 4], oldest: [0, 0, 90], waited: [NaN, 1.5, NaN],
};

test("what the charts say at a moment", () => {
  const [use, pending, waits] = chartsOf(series);
  if (!use || !pending || !waits) throw new Error("expected three charts");
  expect(summary(use, 2)).toBe("vcore 0.5%, memory 50%");
  expect(summary(pending, 1)).toBe("1 ask");
  expect(summary(waits, 2)).toBe("longest 1m30s, mean of new 1.5s");
  expect(summary(waits, 0)).toBe("longest 0s");
  expect(summary(pending, -1)).toBe("nothing yet");
});

test("the sample at a moment is the last one before it", () => {
  expect([-1, 0, 9, 10, 99].map((at) => sampleAt(series.time, at))).toEqual([-1, 0, 0, 1, 2]);
});

test("a table has the first sample and the last one, however many there are", () => {
  expect(tableRows(3, 10)).toEqual([0, 1, 2]);
  const rows = tableRows(4000, 120);
  expect(rows).toHaveLength(120);
  expect([rows[0], rows.at(-1)]).toEqual([0, 3999]);
});

test("a wait goes on until the next sample says otherwise", () => {
  expect(risen([0, 10, 300], [null, 5, null], 1)).toBe(295);
  expect(risen([0, 10, 300], [0, 5, null], 0)).toBe(10);
  expect(risen([0, 10, 300], [null, 5, null], 0)).toBe(0);
  expect(risen([0, 10, 300], [0, 5, 7], 2)).toBe(7);
});
