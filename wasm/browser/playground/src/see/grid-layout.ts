/** Where the tiles of the nodes are. All lengths are CSS pixels. */

export interface Layout {
  readonly columns: number;
  readonly rows: number;
  readonly width: number;
  readonly height: number;
  readonly gap: number;
  /** large: name, capacity and labels; medium: the name; small: blocks alone. */
  readonly size: "large" | "medium" | "small";
  /** Of all tiles together. It is more than there is room for once tiles would become too small to be told apart. */
  readonly total: number;
  /** Frames around the tiles of a domain, in their order; none: the nodes have no topology. */
  readonly racks?: readonly Rack[];
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A frame with its tiles, of which it has so many from the first on. */
export interface Rack extends Box {
  readonly first: number;
  readonly count: number;
}

const smallest = 13;
/** So many nodes are seen one by one: a hole among them is odd. */
const few = 12;
const widest = 540;
const tallest = 640;
/** Of width to height. */
const flattest = 3.2;
const steepest = 0.62;
const steepestOfFew = 0.42;

/** Finds the number of columns that makes the tiles largest, in the order in which the nodes were added. */
export function layOut(count: number, width: number, height: number): Layout {
  const gap = gapFor(Math.sqrt((width * height) / Math.max(count, 1)));
  const most = Math.max(1, Math.min(count, Math.floor((width + gap) / (smallest + gap))));
  let best = tiles(count, most, width, height, gap);
  for (let columns = most - 1; columns >= 1; columns--) {
    const next = tiles(count, columns, width, height, gap);
    if (worth(next, count, height) > worth(best, count, height)) best = next;
  }
  return best;
}

/** Of a frame: the height of its name, where there is room for one, and what is left around its tiles. */
const nameHeight = 18;
const margin = 4;

/** Lays out frames like tiles, and in each of them its tiles, which have the same size everywhere. */
export function layOutRacks(sizes: readonly number[], width: number, height: number): Layout {
  const frames = layOut(sizes.length, width, height);
  const head = headOfRack(frames.width);
  const inner = layOut(Math.max(...sizes), frames.width - 2 * margin, frames.height - head - margin);
  const step = head + inner.total + margin + frames.gap;
  let first = 0;
  const racks = sizes.map((count, i) => {
    const { x } = boxOf(frames, i);
    const rack = { x, y: Math.floor(i / frames.columns) * step, width: frames.width, height: step - frames.gap, first, count };
    first += count;
    return rack;
  });
  return { ...inner, total: frames.rows * step - frames.gap, racks };
}

export function headOfRack(width: number): number {
  return width >= 54 ? nameHeight : margin;
}

function rackOf(racks: readonly Rack[], index: number): Rack | undefined {
  return racks.find(({ first, count }) => index >= first && index < first + count);
}

function gapFor(side: number): number {
  if (side > 90) return 10;
  if (side > 40) return 5;
  return side > 22 ? 3 : 2;
}

function tiles(count: number, columns: number, width: number, height: number, gap: number): Layout {
  const rows = Math.max(1, Math.ceil(count / columns));
  const wide = Math.min((width - gap * (columns - 1)) / columns, widest);
  const room = (height - gap * (rows - 1)) / rows;
  const high = Math.min(Math.max(room, wide / flattest, smallest), wide / (count <= few ? steepestOfFew : steepest), tallest);
  const size = wide >= 118 && high >= 84 ? "large" : wide >= 54 && high >= 40 ? "medium" : "small";
  return { columns, rows, width: wide, height: high, gap, size, total: rows * (high + gap) - gap };
}

/** The lesser of width and height counts, less when places stay empty, and much less when the tiles have to be scrolled. */
function worth(layout: Layout, count: number, height: number): number {
  const filled = count / (layout.columns * layout.rows);
  const side = Math.min(layout.width, layout.height * 1.3) * (count <= few ? filled ** 2 : Math.sqrt(filled));
  return layout.total > height + 0.5 ? side * 0.4 * (height / layout.total) : side;
}

export function boxOf(layout: Layout, index: number): Box {
  const rack = layout.racks && rackOf(layout.racks, index);
  if (!rack) return cellOf(layout, index);
  const cell = cellOf(layout, index - rack.first);
  return { ...cell, x: rack.x + margin + cell.x, y: rack.y + headOfRack(rack.width) + cell.y };
}

function cellOf(layout: Layout, index: number): Box {
  const column = index % layout.columns;
  const row = Math.floor(index / layout.columns);
  return { x: column * (layout.width + layout.gap), y: row * (layout.height + layout.gap), width: layout.width, height: layout.height };
}

/** The tile at a place, if there is one. */
export function indexAt({ racks, ...layout }: Layout, count: number, x: number, y: number): number | undefined {
  if (racks) {
    const rack = racks.find((one) => x >= one.x && x <= one.x + one.width && y >= one.y && y <= one.y + one.height);
    const inside = rack && indexAt(layout, rack.count, x - rack.x - margin, y - rack.y - headOfRack(rack.width));
    return rack && inside !== undefined ? rack.first + inside : undefined;
  }
  const column = Math.floor(x / (layout.width + layout.gap));
  const row = Math.floor(y / (layout.height + layout.gap));
  if (x < 0 || y < 0 || column >= layout.columns) return undefined;
  const index = row * layout.columns + column;
  const box = boxOf(layout, index);
  return index < count && x <= box.x + box.width && y <= box.y + box.height ? index : undefined;
}

/** Where the blocks of a tile are: below its head, within its border. */
export function bodyOf(layout: Layout, box: Box): Box {
  const head = headOf(layout);
  const edge = layout.size === "small" ? 1 : 2;
  const top = Math.max(head, edge);
  return { x: box.x + edge, y: box.y + top, width: box.width - 2 * edge, height: Math.max(1, box.height - top - edge) };
}

/** The height of the words above the blocks. */
export function headOf(layout: Layout): number {
  return layout.size === "large" ? 38 : layout.size === "medium" ? 17 : 0;
}

/** The index that an arrow key, Home or End leads to. */
export function indexAfter(layout: Layout, count: number, index: number, key: string): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: index + 1, ArrowLeft: index - 1, ArrowDown: below(layout, count, index, 1), ArrowUp: below(layout, count, index, -1), Home: 0, End: count - 1,
  };
  const to = steps[key];
  return to === undefined || count === 0 ? undefined : to < 0 || to >= count ? index : to;
}

/** The tile below, or above where down is -1; the same one where there is none. */
function below(layout: Layout, count: number, index: number, down: 1 | -1): number {
  if (!layout.racks) return index + down * layout.columns;
  const from = boxOf(layout, index);
  let best = index;
  let least = Infinity;
  for (let i = 0; i < count; i++) {
    const { x, y } = boxOf(layout, i);
    const far = (y - from.y) * down;
    const cost = far * 2 + Math.abs(x - from.x);
    if (far >= from.height && cost < least) [best, least] = [i, cost];
  }
  return best;
}
