/** The progress in each lesson. It is kept in this browser, if the browser allows it. */

import { signal } from "@preact/signals";

const key = "quern.lessons";

/** By name: how many steps were seen. */
export const seen = signal<Readonly<Record<string, number>>>(read());

export function see(name: string, steps: number): void {
  if (steps <= (seen.value[name] ?? 0)) return;
  seen.value = { ...seen.value, [name]: steps };
  try {
    localStorage.setItem(key, JSON.stringify(seen.value));
  } catch {
    // It is remembered until the page is closed.
  }
}

function read(): Record<string, number> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, number] => Number.isInteger(entry[1])));
  } catch {
    return {};
  }
}
