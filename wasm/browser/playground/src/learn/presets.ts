/** All lessons, in the order of the overview. The first is what the page opens with. */

import type { Lesson } from "./course";
import { applicationStates } from "./lessons/application-states";
import { atomicGang } from "./lessons/atomic-gang";
import { backfill } from "./lessons/backfill";
import { delay } from "./lessons/delay";
import { draining } from "./lessons/draining";
import { exchange } from "./lessons/exchange";
import { fairApplications } from "./lessons/fair-applications";
import { fairQueues } from "./lessons/fair-queues";
import { fifo } from "./lessons/fifo";
import { firstSteps } from "./lessons/first-steps";
import { gang } from "./lessons/gang";
import { gangTimeout } from "./lessons/gang-timeout";
import { headroom } from "./lessons/headroom";
import { intraQueue } from "./lessons/intra-queue";
import { law1 } from "./lessons/law-1";
import { law2 } from "./lessons/law-2";
import { law3 } from "./lessons/law-3";
import { law4 } from "./lessons/law-4";
import { law5 } from "./lessons/law-5";
import { law6 } from "./lessons/law-6";
import { law7 } from "./lessons/law-7";
import { leastHarm } from "./lessons/least-harm";
import { maxApplications } from "./lessons/max-applications";
import { noLoops } from "./lessons/no-loops";
import { minRuntime } from "./lessons/min-runtime";
import { nodeOrder } from "./lessons/node-order";
import { nodeWeights } from "./lessons/node-weights";
import { observe } from "./lessons/observe";
import { offsetsAndFences } from "./lessons/offsets-and-fences";
import { paysBack } from "./lessons/pays-back";
import { placement } from "./lessons/placement";
import { priorityOfAnApplication } from "./lessons/priority-of-an-application";
import { priorityTable } from "./lessons/priority-table";
import { promiseBroken } from "./lessons/promise-broken";
import { quota } from "./lessons/quota";
import { repairInRack } from "./lessons/repair-in-rack";
import { replicaset1 } from "./lessons/replicaset-1";
import { replicaset2 } from "./lessons/replicaset-2";
import { replicaset3 } from "./lessons/replicaset-3";
import { requiredNode } from "./lessons/required-node";
import { requiredOrPreferred } from "./lessons/required-or-preferred";
import { reservations } from "./lessons/reservations";
import { slicesOfGangs } from "./lessons/slices";
import { stateaware } from "./lessons/stateaware";
import { tenantFences } from "./lessons/tenant-fences";
import { thousand } from "./lessons/thousand";
import { userLimits } from "./lessons/user-limits";
import { verdicts } from "./lessons/verdicts";
import { whileTheyLeave } from "./lessons/while-they-leave";
import { wholeRack } from "./lessons/whole-rack";
import { whyItWaits } from "./lessons/why-it-waits";
import { windowOpens } from "./lessons/window";
import { yieldLast } from "./lessons/yield-last";

export const presets: readonly Lesson[] = [
  firstSteps,
  priorityOfAnApplication, priorityTable, offsetsAndFences, fifo, fairApplications, fairQueues, stateaware, nodeOrder, nodeWeights,
  headroom, maxApplications, reservations, requiredNode, applicationStates, draining,
  placement, userLimits,
  gang, gangTimeout, atomicGang, wholeRack, requiredOrPreferred, repairInRack, slicesOfGangs,
  backfill, promiseBroken, windowOpens, paysBack, minRuntime,
  law1, law2, law3, law4, law5, law6, law7, tenantFences,
  delay, leastHarm, yieldLast, intraQueue,
  whileTheyLeave, exchange, replicaset1, replicaset2, replicaset3, noLoops, observe, quota,
  whyItWaits, verdicts,
  thousand,
];
