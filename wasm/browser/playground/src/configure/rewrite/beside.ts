import type { Config, ConfigQueue } from "../../engine/types";
import { partitionsOf, queuesOf } from "../changes";
import type { Home } from "./rewrite";

/** Whether two configurations are the same except some keys of a queue, or of a partition. */
export function sameBeside(a: Config, b: Config, home: Home, keys: readonly string[]): boolean {
  return JSON.stringify(without(a, home, keys)) === JSON.stringify(without(b, home, keys));
}

/** Warnings name lines, and whether any list is set at all follows from the lists. */
function without(config: Config, { partition, queue }: Home, keys: readonly string[]): unknown {
  return partitionsOf(config).map((one, i) => {
    const isIt = partition === undefined ? i === 0 : one.partition?.toLowerCase() === partition.toLowerCase();
    const { rules, ...rest } = one;
    return {
      ...rest, ...(isIt && queue === undefined && keys.includes("placementrules") ? {} : { rules }),
      warnings: undefined, accessControl: undefined, others: undefined, root: undefined,
      queues: queuesOf(one).map((q) => ({ ...(isIt && q.path === queue ? stripped(q, keys) : q), children: undefined })),
    };
  });
}

function stripped({ limits, template, submitACL, adminACL, ...rest }: ConfigQueue, keys: readonly string[]): object {
  const has = (key: string, value: unknown) => (keys.includes(key) ? undefined : value);
  return { ...rest, limits: has("limits", limits), template: has("childtemplate", template), submitACL: has("submitacl", submitACL), adminACL: has("adminacl", adminACL) };
}
