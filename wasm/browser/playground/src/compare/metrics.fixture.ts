/** The figures of a run in which nothing happened. */

import type { FiguresAnswer } from "../engine/types";

export const answer: FiguresAnswer = {
  decisions: 0, allocated: 0, pending: 0, preempted: 0, faults: 0, refused: "", waitMean: 0, waitP50: 0, waitP95: 0, waitP99: 0, waitMax: 0,
  makespan: 0, fairness: 1, types: [], used: [], stranded: [], times: [], pendingCurve: [], usedCurves: [], strandedCurves: [], waitCurve: [],
  jobs: { ended: 0, wait: { mean: 0, p95: 0, max: 0 }, turnaround: { mean: 0, p95: 0, max: 0 }, slowdown: { mean: 0, p95: 0, max: 0 } },
};
