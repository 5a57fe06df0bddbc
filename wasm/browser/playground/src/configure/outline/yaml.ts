import type { Entry, Mapping, Outline } from "./outline";
import { Reader } from "./reader";

/** The outline of a YAML text. Anchors, tags and documents after the first are left to the scheduler. */
export function yamlOutline(text: string, cursor = -1): Outline {
  return new YamlReader(text, cursor).outline();
}

/** A mapping that is open, by the column of its keys. */
interface Frame {
  column: number;
  readonly mapping: Mapping;
  /** Its last key: what is deeper belongs to it. */
  entry?: Entry;
}

const blockKey = /("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"'{}[\],#:][^\n"'{}[\],#:]*?)[ \t]*:(?=\s|$)/y;
const bracedKey = /("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"'{}[\],#:][^\n"'{}[\],#:]*?)[ \t]*:(?=[\s,}\]{["']|$)/y;
const plainInBlock = /[^\n]*?(?=[ \t]#|[ \t\r]*(?:\n|$))/y;
const plainInBraces = /[^\n,{}[\]#]*/y;

class YamlReader extends Reader {
  private readonly root: Frame = { column: -1, mapping: this.file };
  /** Those below the root's. */
  private readonly frames: Frame[] = [];

  protected all(): void {
    for (let at = 0; at <= this.text.length;) at = this.line(at) + 1;
  }

  /** Reads what begins on this line, and gives the end of the last line of it. */
  private line(start: number): number {
    const end = this.lineEnd(start);
    let at = this.skipBlanks(start);
    if (at >= end || "#\r".includes(this.text[at] ?? "")) {
      const cursor = this.cursorIn({ from: start, to: at });
      if (cursor !== undefined) this.noteBlank(start, cursor);
      return end;
    }
    for (let dash = this.dash(at, end); dash !== undefined; dash = this.dash(at, end)) {
      this.close(at - start + 1);
      at = dash;
    }
    if (at >= end) {
      const cursor = this.cursorIn({ from: start, to: end });
      if (cursor !== undefined) this.note("key", { from: cursor, to: cursor }, this.frame(cursor - start).mapping);
      return end;
    }
    return this.content(at, at - start, end);
  }

  /** The offset behind a dash that begins an item. */
  private dash(at: number, end: number): number | undefined {
    if (this.text[at] !== "-" || !(at + 1 >= end || this.text[at + 1] === " ")) return undefined;
    return Math.min(this.skipBlanks(at + 1), end);
  }

  private content(at: number, column: number, end: number): number {
    const key = this.match(blockKey, at);
    if (!key) return this.word(at, column, end);
    const frame = this.frame(column);
    frame.entry = this.key(at, key.found, frame.mapping, false);
    return this.blockValue(this.skipBlanks(key.end), column, frame, frame.entry);
  }

  /** Something without a colon: a key that is being typed, or a bare item of a list. */
  private word(at: number, column: number, end: number): number {
    if (this.text[at] === "{") return this.item(at, column);
    if (/[["']/.test(this.text[at] ?? "")) {
      const quoted = this.quoted(at);
      if (quoted) this.note("key", quoted, this.frame(column).mapping);
      return end;
    }
    const to = at + this.text.slice(at, end).trimEnd().length;
    if (this.holdsCursor({ from: at, to })) this.note("key", { from: at, to }, this.frame(column).mapping);
    return end;
  }

  /** An item of a list that is between braces. */
  private item(at: number, column: number): number {
    this.close(column);
    const { mapping, entry, column: floor } = this.frames.at(-1) ?? this.root;
    return entry ? this.lineEnd(this.group(at, mapping, entry, plainInBraces, floor)) : this.lineEnd(at);
  }

  private blockValue(at: number, column: number, frame: Frame, entry: Entry): number {
    if (/[|>]/.test(this.text[at] ?? "")) return this.literal(at, column);
    if (this.text[at] === "#") return this.lineEnd(at);
    const behind = this.value(at, frame.mapping, entry, plainInBlock, false, column);
    const end = this.lineEnd(behind);
    const cursor = this.cursorIn({ from: entry.name.to + 1, to: at });
    if (cursor !== undefined) this.note("value", { from: cursor, to: cursor }, frame.mapping, entry);
    return end;
  }

  /** A text of several lines: all that is deeper than its key. */
  private literal(at: number, column: number): number {
    let end = this.lineEnd(at);
    while (end < this.text.length) {
      const next = end + 1;
      const begin = this.skipBlanks(next);
      if (begin - next <= column && begin < this.lineEnd(next)) break;
      end = this.lineEnd(next);
    }
    return end;
  }

  protected bracedPair(at: number, into: Mapping, floor: number): number {
    const key = this.match(bracedKey, at);
    if (!key) {
      const quoted = this.quoted(at);
      const bare = this.match(plainInBraces, at);
      this.note("key", quoted ?? { from: at, to: at + (bare?.found.trimEnd().length ?? 0) }, into, undefined, true);
      return quoted?.end ?? bare?.end ?? at;
    }
    const entry = this.key(at, key.found, into, true);
    const begin = this.skipBlanks(key.end);
    const behind = this.value(begin, into, entry, plainInBraces, true, floor);
    const cursor = this.cursorIn({ from: key.end, to: begin });
    if (cursor !== undefined) this.note("value", { from: cursor, to: cursor }, into, entry, true);
    return behind;
  }

  protected endsAt(line: number, floor: number): boolean {
    const begin = this.skipBlanks(line);
    return begin - line <= floor && begin < this.lineEnd(line) && !/[}\]]/.test(this.text[begin] ?? "");
  }

  private key(at: number, found: string, mapping: Mapping, braced: boolean): Entry {
    const bare = { text: found, from: at, to: at + found.length };
    const { text, from, to } = this.quoted(at) ?? bare;
    const entry = this.add(mapping, { text, from, to });
    this.note("key", { from, to }, mapping, undefined, braced);
    return entry;
  }

  /** A line without anything takes what its column says, and changes nothing for the lines below. */
  private noteBlank(start: number, cursor: number): void {
    const column = cursor - start;
    const at = { from: cursor, to: cursor };
    const frame = this.frames.findLast((f) => f.column <= column) ?? this.root;
    if (!frame.entry || frame.column >= column) this.note("key", at, frame.mapping);
    else this.note("key", at, { above: { mapping: frame.mapping, entry: frame.entry }, entries: [] });
  }

  /** Closes the mappings whose keys stand in this column or deeper. */
  private close(column: number): void {
    while ((this.frames.at(-1)?.column ?? -1) >= column) this.frames.pop();
  }

  /** The mapping whose keys stand in this column. */
  private frame(column: number): Frame {
    this.close(column + 1);
    const top = this.frames.at(-1) ?? this.root;
    if (!top.entry && top.column < 0) top.column = column;
    if (top.column >= column || !top.entry) return top;
    const frame = { column, mapping: this.mappingIn(top.mapping, top.entry) };
    this.frames.push(frame);
    return frame;
  }
}
