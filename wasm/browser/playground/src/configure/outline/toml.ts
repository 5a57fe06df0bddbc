import type { Entry, Mapping, Outline, Scalar, Statement } from "./outline";
import { Reader } from "./reader";

/** The outline of a TOML text. Texts of several lines are left to the scheduler. */
export function tomlOutline(text: string, cursor = -1): Outline {
  return new TomlReader(text, cursor).outline();
}

const barePart = /[A-Za-z0-9_-]*/y;
const plain = /[^\n,{}[\]#]*/y;

class TomlReader extends Reader {
  private table: Mapping = this.file;
  private readonly statements: Statement[] = [];

  override outline(): Outline {
    return { ...super.outline(), statements: this.statements };
  }

  protected all(): void {
    for (let at = 0; at <= this.text.length;) at = this.line(at) + 1;
  }

  private line(start: number): number {
    const end = this.lineEnd(start);
    const at = this.skipBlanks(start);
    if (this.text[at] === "[") return this.header(at, end);
    if (at < end && !"#\r".includes(this.text[at] ?? "")) {
      const to = this.lineEnd(this.pair(at, this.table, false, 0));
      const { parts: [first], last } = this.parts(at);
      this.statements.push({ from: start, to, table: this.table, key: (first ?? last).text });
      return to;
    }
    const cursor = this.cursorIn({ from: start, to: at });
    if (cursor !== undefined) this.note("key", { from: cursor, to: cursor }, this.table);
    return end;
  }

  private header(at: number, end: number): number {
    const list = this.text.startsWith("[[", at);
    const { parts, last } = this.parts(at + (list ? 2 : 1));
    this.note("header", { from: at, to: at + this.text.slice(at, end).trimEnd().length }, this.table);
    const owner = this.descend(this.file, parts);
    const entry = owner.entries.find((e) => e.name.text === last.text) ?? this.add(owner, last);
    this.table = (list ? undefined : entry.inside.at(-1)) ?? this.mappingIn(owner, entry);
    this.statements.push({ from: at, to: end, table: this.table });
    return end;
  }

  /** The mapping that dotted names lead to; what is not there yet is made. */
  private descend(from: Mapping, names: readonly Scalar[]): Mapping {
    let at = from;
    for (const name of names) {
      const entry: Entry = at.entries.find((e) => e.name.text === name.text) ?? this.add(at, name);
      at = entry.inside.at(-1) ?? this.mappingIn(at, entry);
    }
    return at;
  }

  /** The parts of a dotted name; the last may be empty, as long as it is being typed. */
  private parts(at: number): { readonly parts: readonly Scalar[]; readonly last: Scalar; readonly end: number } {
    const parts: Scalar[] = [];
    for (;;) {
      at = this.skipBlanks(at);
      const quoted = this.quoted(at);
      const bare = this.match(barePart, at)?.found ?? "";
      const last = quoted ?? { text: bare, from: at, to: at + bare.length };
      const end = quoted?.end ?? at + bare.length;
      at = this.skipBlanks(end);
      if (this.text[at] !== ".") return { parts, last, end };
      parts.push(last);
      at++;
    }
  }

  private pair(at: number, into: Mapping, braced: boolean, floor: number): number {
    const { parts, last, end } = this.parts(at);
    const owner = this.descend(into, parts);
    this.note("key", last, owner, undefined, braced);
    const sign = this.skipBlanks(end);
    if (this.text[sign] !== "=") return end;
    const entry = this.add(owner, last);
    const begin = this.skipBlanks(sign + 1);
    const behind = this.value(begin, owner, entry, plain, braced, floor);
    const cursor = this.cursorIn({ from: sign + 1, to: begin });
    if (cursor !== undefined) this.note("value", { from: cursor, to: cursor }, owner, entry, braced);
    return behind;
  }

  protected bracedPair(at: number, into: Mapping, floor: number): number {
    return this.pair(at, into, true, floor);
  }

  /** A table in braces ends on its line; a list goes on until a header. */
  protected endsAt(line: number, _floor: number, braces: boolean): boolean {
    return braces || this.text.startsWith("[[", line) || /[A-Za-z"]/.test(this.text[line] ?? "");
  }
}
