/** Times in explanations: the scheduler gives those of its own state, and all of the page reads times of the session. */

import type { Explanation } from "../engine/types";
import type { Times } from "../model/times";

/** The fields of explanations, at any depth, that are times and not lengths. Zero or none: there is no such time. */
const moments: ReadonlySet<string> = new Set(["since", "submitted", "due", "endsAt", "ends", "until", "at"]);

/** The explanation with times of the session. */
export function inSession<T extends Explanation>(explanation: T, times: Times): T {
  return times.start === "" ? explanation : (converted(explanation, times) as T);
}

function converted(value: unknown, times: Times): unknown {
  if (Array.isArray(value)) return value.map((one) => converted(one, times));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]: [string, unknown]) =>
    [key, typeof one === "number" && one !== 0 && moments.has(key) ? times.ofState(one) : converted(one, times)]));
}
