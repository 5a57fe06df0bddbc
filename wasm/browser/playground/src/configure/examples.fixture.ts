import { readFileSync } from "node:fs";

/** A file of docs/examples. */
export function example(name: string): string {
  return readFileSync(new URL(`../../../../../docs/examples/${name}`, import.meta.url), "utf8");
}
