/** From tile to tile by keys: the tiles stand in rows, in frames of their own. */

interface Box {
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
}

interface Tile {
  getBoundingClientRect(): Box;
}

/** The tile that an arrow key, Home or End leads to from the one that has the focus; undefined: none. */
export function nearestTile<T extends Tile>(tiles: readonly T[], from: unknown, key: string): T | undefined {
  const at = tiles.findIndex((tile) => tile === from);
  if (at < 0) return undefined;
  switch (key) {
    case "ArrowRight": return tiles[at + 1];
    case "ArrowLeft": return tiles[at - 1];
    case "Home": return tiles[0];
    case "End": return tiles.at(-1);
    case "ArrowDown": return vertical(tiles, at, 1);
    case "ArrowUp": return vertical(tiles, at, -1);
  }
  return undefined;
}

/** The tile below, or above where down is -1: the nearest row counts more than the column. */
function vertical<T extends Tile>(tiles: readonly T[], at: number, down: 1 | -1): T | undefined {
  const boxes = tiles.map((tile) => tile.getBoundingClientRect());
  const from = boxes[at];
  let [best, least] = [undefined as T | undefined, Infinity];
  if (!from) return best;
  for (const [i, box] of boxes.entries()) {
    const far = (box.top - from.top) * down;
    const cost = far * 2 + Math.abs(box.left - from.left);
    if (far >= (from.bottom - from.top) / 2 && cost < least) [best, least] = [tiles[i], cost];
  }
  return best;
}
