/** The frames of a tile: the ring of what is selected, and inside of it the marks of a node that is held for an ask. */

import type { NodeModel } from "../model/model";

export interface Frame {
  /** Its distance from the edge of the tile, in CSS pixels. */
  readonly inset: number;
  readonly width: number;
  readonly colour: "accent" | "warn";
  /** Lengths of dashes and gaps; none: a whole line. */
  readonly dash: readonly number[];
}

/** From the outermost to the innermost. No frame covers another: a selected node still shows that it is held. */
export function framesOf({ kept, reserved }: Pick<NodeModel, "kept" | "reserved">, selected: boolean, small: boolean): readonly Frame[] {
  const marks: Omit<Frame, "inset">[] = [];
  if (selected) marks.push({ width: small ? 2 : 3, colour: "accent", dash: [] });
  if (kept !== undefined) marks.push({ width: small ? 1.5 : 3, colour: "warn", dash: [] });
  if (reserved !== undefined) marks.push({ width: small ? 1.5 : 2, colour: "warn", dash: small ? [3, 2] : [6, 4] });
  let inset = 0;
  return marks.map((mark) => {
    const frame = { ...mark, inset };
    inset += mark.width;
    return frame;
  });
}
