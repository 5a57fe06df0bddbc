import type { ConfigQueue } from "../engine/types";
import { duration } from "../ui/format";

/** What sets a queue apart, in a word or two each; what holds anyway is left out. */
export function badges(queue: ConfigQueue): readonly string[] {
  const { properties = {}, leaf, children = [], priorityOffset = 0, preemptionPolicy = "default", maxApplications = 0 } = queue;
  const set = (name: string): boolean => properties[name] !== undefined;
  return [
    !leaf && children.length === 0 && "parent",
    priorityOffset !== 0 && `offset ${priorityOffset > 0 ? "+" : "−"}${Math.abs(priorityOffset)}`,
    queue.priorityFence && "priority fence",
    preemptionPolicy === "fence" && "preemption fence",
    preemptionPolicy === "disabled" && "no preemption",
    set("preemption.intra-queue") && queue.intraQueue && "intra-queue",
    set("application.sort.policy") && `applications: ${queue.appSort ?? ""}`,
    set("queue.sort.policy") && `children: ${queue.queueSort ?? ""}`,
    set("ask.sort.policy") && `asks: ${queue.askSort ?? ""}`,
    set("application.sort.priority") && !queue.prioritySort && "no priority",
    (queue.quotaDelay ?? 0) > 0 && set("quota.preemption.delay") && `over its max: preempts after ${duration(queue.quotaDelay ?? 0)}`,
    maxApplications > 0 && `at most ${maxApplications} running`,
  ].filter((badge) => typeof badge === "string");
}
