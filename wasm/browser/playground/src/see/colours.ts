/** The colours of the page for what draws on a canvas, and which of them an application or a queue has. */

/** One of seven colours, and one of three ways to draw it: plain, striped, dotted. */
export interface Hue {
  readonly colour: number;
  readonly variant: number;
}

export const colourCount = 7;
export const variantCount = 3;
const slots = colourCount * variantCount;

/** The slots of one kind of name. Beyond a bound names share: ten thousand colours cannot be told apart. */
interface Slots {
  readonly given: Map<string, number>;
  readonly takers: number[];
}

const mostGiven = 5000;
const kinds = new Map<string, Slots>();

/**
 * The hue of an application, or a name of another kind: by the name, so that it is the same in every run, but the next one
 * that is least used when another has it already. So the first seven differ in colour, and the first 21 in how they are drawn.
 */
export function hueOf(name: string, kind = "application"): Hue {
  const all = kinds.get(kind) ?? { given: new Map<string, number>(), takers: new Array<number>(slots).fill(0) };
  kinds.set(kind, all);
  const slot = all.given.get(name) ?? give(all, name);
  return { colour: slot % colourCount, variant: Math.floor(slot / colourCount) };
}

function give({ given, takers }: Slots, name: string): number {
  const wanted = hash(name) % colourCount;
  if (given.size >= mostGiven) return wanted;
  let slot = wanted;
  const fewest = Math.min(...takers);
  const round = Math.floor(takers.indexOf(fewest) / colourCount) * colourCount;
  for (let i = 0; i < colourCount; i++) {
    slot = round + ((wanted + i) % colourCount);
    if (takers[slot] === fewest) break;
  }
  takers[slot] = fewest + 1;
  given.set(name, slot);
  return slot;
}

/** FNV-1a: short, and well spread for names that differ in their last digit. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** The tokens as a canvas takes them. */
export interface Palette {
  readonly card: string;
  readonly sunk: string;
  readonly ink: string;
  readonly mute: string;
  readonly line: string;
  readonly grid: string;
  readonly accent: string;
  readonly focus: string;
  readonly warn: string;
  readonly bad: string;
  readonly sans: string;
  /** By colour, then by variant. */
  readonly fills: readonly (readonly string[])[];
  /** What can be read on the fill of the same place. */
  readonly labels: readonly (readonly string[])[];
}

/** Reads the colours of the theme in force. */
export function readPalette(from: Element = document.documentElement): Palette {
  const style = getComputedStyle(from);
  const of = (name: string) => style.getPropertyValue(name).trim();
  const card = of("--card");
  const ink = of("--ink");
  const fills = Array.from({ length: colourCount }, (_, i) => {
    const colour = of(`--c${i + 1}`);
    return [colour, mix(colour, card, 0.42), mix(colour, ink, 0.34)];
  });
  return {
    card, ink, sunk: of("--sunk"), mute: of("--mute"), line: of("--line"), grid: of("--grid"), accent: of("--accent"), focus: of("--focus"),
    warn: of("--warn-line"), bad: of("--bad"), sans: of("--sans") || "sans-serif", fills, labels: fills.map((row) => row.map(readable)),
  };
}

/** A colour with a share of another one in it. Only #rrggbb can be mixed; another form stays as it is. */
export function mix(colour: string, other: string, share: number): string {
  const a = channels(colour);
  const b = channels(other);
  if (!a || !b) return colour;
  return `#${a.map((value, i) => Math.round(value + ((b[i] ?? value) - value) * share).toString(16).padStart(2, "0")).join("")}`;
}

/** Black or white, whichever stands out more from a colour. */
function readable(colour: string): string {
  const rgb = channels(colour);
  if (!rgb) return "#000000";
  const [r = 0, g = 0, b = 0] = rgb.map((value) => (value / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#101417" : "#ffffff";
}

function channels(colour: string): number[] | undefined {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return undefined;
  return [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
}
