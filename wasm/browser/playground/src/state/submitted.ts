import { fieldsOf } from "../engine/journal";
import type { Selection } from "./store";

const types: Readonly<Partial<Record<Selection["kind"], readonly unknown[]>>> = { app: ["app.add"], ask: ["ask.add", "allocation.restore"], node: ["node.add"] };

/** When a journal brings an application, an ask or a node, as the journal writes the time; undefined: it does not. */
export function submittedAt(lines: readonly string[], kind: Selection["kind"], id: string): string | undefined {
  const [, base, number] = /^(.*)-(\d+)$/.exec(id) ?? [];
  const names = [id, ...(base !== undefined && kind === "ask" ? [base] : [])].map((name) => JSON.stringify(name));
  for (const line of lines) {
    if (!names.some((name) => line.includes(name))) continue;
    const { type, at, id: of, count } = fieldsOf(line);
    if (typeof at !== "string" || !types[kind]?.includes(type)) continue;
    if (of === id && count === undefined) return at;
    if (of === base && typeof count === "number" && Number(number) >= 1 && Number(number) <= count) return at; // one of many with one name
  }
  return undefined;
}
