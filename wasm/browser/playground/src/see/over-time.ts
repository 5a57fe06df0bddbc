/** Whether the nodes are shown over time, with what is promised and planned, or as they are now. */

import { signal } from "@preact/signals";

export const overTime = signal(false);
