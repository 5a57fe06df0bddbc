import type { IconName } from "../ui/icons";
import type { Kind } from "./words";

/** The marks in front of decisions. */
export const kindIcons: Readonly<Record<Kind, IconName>> = {
  placed: "add", ended: "good", preempted: "warn", replaced: "ask", reserved: "link", refused: "bad", state: "info", change: "node",
};
