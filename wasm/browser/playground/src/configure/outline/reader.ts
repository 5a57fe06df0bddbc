import type { Entry, Mapping, Outline, Range, Scalar, Spot } from "./outline";

/** What readers of both formats share: the text, the cursor, and what stands between braces and brackets. */
export abstract class Reader {
  protected readonly text: string;
  protected readonly file: Mapping = { entries: [] };
  private readonly cursor: number;
  private spot: Spot | undefined;

  constructor(text: string, cursor: number) {
    this.text = text;
    this.cursor = cursor;
  }

  /** Reads the whole text. */
  protected abstract all(): void;
  /** Reads a key and its value between braces, and gives the offset behind them. */
  protected abstract bracedPair(at: number, into: Mapping, floor: number): number;
  /** Whether what stands between braces surely ends at this start of a line. */
  protected abstract endsAt(line: number, floor: number, braces: boolean): boolean;

  outline(): Outline {
    this.all();
    return { file: this.file, spot: this.spot };
  }

  protected holdsCursor(range: Range): boolean {
    return this.cursor >= range.from && this.cursor <= range.to;
  }

  protected cursorIn(range: Range): number | undefined {
    return this.holdsCursor(range) ? this.cursor : undefined;
  }

  /** Notes what is at the cursor; what was noted first stays. */
  protected note(kind: Spot["kind"], at: Range, mapping: Mapping, entry?: Entry, braced = false): void {
    if (this.holdsCursor(at)) this.spot ??= { kind, mapping, entry, braced, from: at.from, to: at.to };
  }

  protected add(mapping: Mapping, name: Scalar): Entry {
    const entry: Entry = { name, inside: [] };
    mapping.entries.push(entry);
    return entry;
  }

  protected mappingIn(mapping: Mapping, entry: Entry, braced = false): Mapping {
    const inside: Mapping = { above: { mapping, entry }, entries: [], braced };
    entry.inside.push(inside);
    return inside;
  }

  /** The offset of the end of the line. */
  protected lineEnd(at: number): number {
    const end = this.text.indexOf("\n", at);
    return end < 0 ? this.text.length : end;
  }

  protected skipBlanks(at: number): number {
    while (this.text[at] === " " || this.text[at] === "\t") at++;
    return at;
  }

  /** What a sticky expression finds here; the text of its first group is taken. */
  protected match(expression: RegExp, at: number): { readonly found: string; readonly end: number } | undefined {
    expression.lastIndex = at;
    const match = expression.exec(this.text);
    return match ? { found: match[1] ?? match[0], end: expression.lastIndex } : undefined;
  }

  /** A text in quotes at this place, as far as it goes on the line. */
  protected quoted(at: number): (Scalar & { readonly end: number }) | undefined {
    const quote = this.text[at];
    if (quote !== '"' && quote !== "'") return undefined;
    const end = this.lineEnd(at);
    let to = at + 1;
    while (to < end && this.text[to] !== quote) to += quote === '"' && this.text[to] === "\\" ? 2 : 1;
    to = Math.min(to, end);
    return { text: this.text.slice(at + 1, to), from: at + 1, to, end: Math.min(to + 1, end) };
  }

  /** Reads a value that begins here, and gives the offset behind it. */
  protected value(at: number, mapping: Mapping, entry: Entry, plain: RegExp, braced: boolean, floor: number): number {
    const behind = this.valueOf(at, mapping, entry, plain, braced, floor);
    entry.end = behind;
    return behind;
  }

  private valueOf(at: number, mapping: Mapping, entry: Entry, plain: RegExp, braced: boolean, floor: number): number {
    const begin = this.text[at];
    if (begin === "{" || begin === "[") return this.group(at, mapping, entry, plain, floor);
    const quoted = this.quoted(at);
    if (quoted) {
      entry.value = quoted;
      this.note("value", quoted, mapping, entry, braced);
      return quoted.end;
    }
    const bare = this.match(plain, at);
    const text = (bare?.found ?? "").trimEnd();
    const scalar = { text, from: at, to: at + text.length };
    if (text !== "") entry.value = scalar;
    this.note("value", scalar, mapping, entry, braced);
    return bare?.end ?? at;
  }

  /** Reads a mapping in braces, or a list in brackets. */
  protected group(open: number, mapping: Mapping, entry: Entry, plain: RegExp, floor: number): number {
    const braces = this.text[open] === "{";
    const inside = braces ? this.mappingIn(mapping, entry, true) : undefined;
    let at = open + 1;
    for (;;) {
      const next = this.gap(at, floor, braces);
      const there = this.cursorIn({ from: at, to: next });
      if (inside && there !== undefined) this.note("key", { from: there, to: there }, inside, undefined, true);
      const c = this.text[next];
      if (c === undefined || c === "\n") return next;
      if (c === "}" || c === "]") return next + 1;
      if (c === ",") at = next + 1;
      else at = Math.max(inside ? this.bracedPair(next, inside, floor) : this.value(next, mapping, { ...entry, value: undefined }, plain, true, floor), next + 1);
    }
  }

  /** Steps over blanks, comments and ends of lines; stops before an end of line where a brace was surely left open. */
  private gap(at: number, floor: number, braces: boolean): number {
    for (;;) {
      at = this.skipBlanks(at);
      if (this.text[at] === "#") at = this.lineEnd(at);
      if (this.text[at] === "\r") at++;
      if (this.text[at] !== "\n" || this.endsAt(at + 1, floor, braces)) return at;
      at++;
    }
  }
}
