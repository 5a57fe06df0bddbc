import type { Row } from "./tree-rows";

/** What a key does in the tree, and to which row. act: asks what can be done with it. */
export interface Move {
  readonly does: "go" | "open" | "close" | "pick" | "act";
  readonly row: string;
}

/** As the keys of trees are elsewhere; undefined: the key is not for the tree. */
export function moveOf({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">, rows: readonly Row[], active: string): Move | undefined {
  const at = Math.max(0, rows.findIndex((row) => row.id === active));
  const row = rows[at];
  if (!row) return undefined;
  const go = (to: Row | undefined): Move => ({ does: "go", row: (to ?? row).id });
  switch (key) {
    case "ArrowDown": return go(rows[at + 1]);
    case "ArrowUp": return go(rows[at - 1]);
    case "Home": return go(rows[0]);
    case "End": return go(rows.at(-1));
    case "ArrowRight": return row.place.open === false ? { does: "open", row: row.id } : go(row.place.open ? rows[at + 1] : row);
    case "ArrowLeft": return row.place.open ? { does: "close", row: row.id } : go(parentOf(rows, at));
    case "Enter":
    case " ": return { does: "pick", row: row.id };
    case "ContextMenu": return { does: "act", row: row.id };
    case "F10": return shiftKey ? { does: "act", row: row.id } : undefined;
    default: return undefined;
  }
}

function parentOf(rows: readonly Row[], at: number): Row | undefined {
  const level = rows[at]?.place.level ?? 0;
  return rows.slice(0, at).findLast((row) => row.place.level < level);
}

/** The next row whose name begins with what was typed; a single letter goes on from row to row. */
export function typedTo(rows: readonly Row[], active: string, typed: string): string | undefined {
  const at = Math.max(0, rows.findIndex((row) => row.id === active));
  const from = typed.length === 1 ? at + 1 : at;
  const inTurn = [...rows.slice(from), ...rows.slice(0, from)];
  return inTurn.find((row) => nameOf(row).startsWith(typed.toLowerCase()))?.id;
}

function nameOf(row: Row): string {
  return (row.kind === "queue" ? row.name : row.id).toLowerCase();
}
