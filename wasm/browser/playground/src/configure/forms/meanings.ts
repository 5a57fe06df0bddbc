/** What the scheduler's own table says of the keys that forms show. */

import { modules } from "../../state/store";
import { keys } from "../checks";
import { valuesOf } from "../keys";
import type { Place } from "../outline/outline";

const rowOf = (level: Place["level"], name: string) => keys.value.find((key) => key.where === level && key.name === name);

export function meaning(level: Place["level"], name: string): string | undefined {
  return rowOf(level, name)?.meaning;
}

/** The values of a key that has only a few. */
export function choices(level: Place["level"], name: string): readonly string[] {
  const row = rowOf(level, name);
  return row ? valuesOf(row, modules.value) : [];
}

/** Names of all properties. */
export function properties(): readonly string[] {
  return keys.value.filter((key) => key.where === "properties" && key.status === "works").map((key) => key.name);
}
