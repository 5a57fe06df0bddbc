/** Amounts as configurations write them. */

import type { Amounts } from "../engine/types";
import { typesOf } from "../model/quantities";

const suffixes = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"] as const;

/** A stored amount, exactly: vcore in cores ("1.5"), memory with the largest suffix that leaves it whole ("16Gi"). */
export function quantity(type: string, stored: number): string {
  if (type === "vcore") return String(stored / 1000);
  if (type !== "memory" || stored === 0) return String(stored);
  let power = 0;
  while (stored % 1024 === 0 && power < suffixes.length - 1) {
    stored /= 1024;
    power++;
  }
  return `${stored}${suffixes[power] ?? ""}`;
}

/** A set of amounts: "4 vcore, 16Gi memory". */
export function quantities(set: Amounts | undefined): string {
  return typesOf(set).map((type) => `${quantity(type, set?.[type] ?? 0)} ${type}`).join(", ");
}
