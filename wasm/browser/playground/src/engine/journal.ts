import type { Piece } from "./types";

/** The first line of a journal that says nothing of how it is replayed. */
export const plainHeader = '{"type":"journal","version":1}';

const start = "0s";

/** The lines of a journal, without comments and empty ones, in the order in which they happen. */
export class Journal {
  private lines: string[] = [];
  private changes = 0;

  /** Another one after each change. */
  get revision(): number {
    return this.changes;
  }

  get length(): number {
    return this.lines.length;
  }

  /** The line that happens last; undefined: there is none. */
  get last(): string | undefined {
    return this.lines.at(-1);
  }

  /** The whole journal, to be imported again, under a first line. */
  text(header = plainHeader): string {
    return journalText(header, this.lines);
  }

  /** All lines as they are now. They share their text with the journal. */
  copy(): readonly string[] {
    return this.lines.slice();
  }

  /** Puts the lines of a text that was fed where they came to stand. */
  insert(text: string, positions: readonly Piece[]): void {
    const added = inputsOf(text);
    if (added.length === 0) return;
    this.changes++;
    if (positions.length === 1 && positions[0]?.from === this.lines.length) {
      for (const line of added) this.lines.push(line);
      return;
    }
    const before = this.lines;
    const after: string[] = [];
    let taken = 0;
    let old = 0;
    for (const { from, lines } of positions) {
      while (after.length < from) after.push(before[old++] ?? "");
      for (let i = 0; i < lines; i++) after.push(added[taken++] ?? "");
    }
    this.lines = after.concat(before.slice(old));
  }

  /** Keeps the first lines, of which the last now reads otherwise. */
  cut(count: number, last: string): void {
    this.lines.length = count;
    this.changes++;
    const [line] = inputsOf(last);
    if (line !== undefined) this.lines[count - 1] = line;
  }
}

/** A journal as one text, under its first line. */
export function journalText(header: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${header}\n${lines.join("\n")}\n`;
}

/** The lines of a text that are inputs, as the scheduler's decoder takes them. */
export function inputsOf(text: string): string[] {
  return [...eachInput(text)];
}

/** The same, as they are asked for. */
export function* eachInput(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end < 0 ? text.length : end).trim();
    if (line !== "" && !line.startsWith("#") && !isHeader(line)) yield line;
    from = end < 0 ? text.length : end + 1;
  }
}

/** The time of the first of some inputs, as it is written. What cannot be read is refused when it is fed. */
export function firstTime(inputs: Iterable<string>): string {
  for (const input of inputs) {
    const { at } = fieldsOf(input);
    return typeof at === "string" ? at : start;
  }
  return start;
}

/** Whether a line is the first of a journal, which names the format; no input has a version. */
export function isHeader(line: string): boolean {
  return line.length < 200 && line.includes('"version"') && fieldsOf(line).type === "journal";
}

/** What a line says; of one that cannot be read nothing. */
export function fieldsOf(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
}
