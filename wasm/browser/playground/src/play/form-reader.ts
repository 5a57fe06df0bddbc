import type { Quantities } from "../model/lines";
import { BadQuantity, parseQuantity } from "../model/quantities";
import { parseDuration } from "../model/times";

/** What is wrong with a form, by field. */
export type Errors = Readonly<Record<string, string>>;

/** An amount of a type, as it is being written. */
export interface AmountDraft {
  readonly type: string;
  readonly amount: string;
}

/** Reads what was written into a form, and gathers what is wrong with it. A value that is wrong is read as something harmless. */
export class FormReader {
  private readonly wrong: Record<string, string> = {};

  /** What is wrong; undefined: nothing. */
  get errors(): Errors | undefined {
    return Object.keys(this.wrong).length > 0 ? this.wrong : undefined;
  }

  /** Notes the first thing that is wrong with a field. */
  fail(field: string, what: string) {
    this.wrong[field] ??= what;
  }

  text(field: string, text: string, what: string): string {
    const found = text.trim();
    if (found === "") this.fail(field, `Expected ${what}, found nothing.`);
    return found;
  }

  whole(field: string, text: string, least: number, most: number): number {
    const found = Number(text.trim());
    const good = /^[+-]?\d+$/.test(text.trim()) && found >= least && found <= most;
    if (!good) this.fail(field, `Expected a whole number from ${least} to ${most}, found ${shown(text)}.`);
    return good ? found : least;
  }

  decimal(field: string, text: string, least: number, most: number): number {
    const found = Number(text.trim());
    const good = text.trim() !== "" && found >= least && found <= most;
    if (!good) this.fail(field, `Expected a number from ${least} to ${most}, found ${shown(text)}.`);
    return good ? found : least;
  }

  /** Amounts as they go into a journal; types without an amount are left out. */
  amounts(field: string, drafts: readonly AmountDraft[]): Quantities {
    const set = Object.create(null) as Quantities;
    drafts.forEach(({ type, amount }, i) => {
      const name = type.trim();
      const text = amount.trim();
      if (text === "") return;
      if (name === "") this.fail(`${field}.${i}`, "Expected a name, such as nvidia.com/gpu, found an amount without a type.");
      else if (name in set) this.fail(`${field}.${i}`, `Expected each type once, found ${name} twice.`);
      this.quantity(`${field}.${i}`, name, text);
      set[name] = text;
    });
    if (Object.keys(set).length === 0) this.fail(field, "Expected at least one amount, found none.");
    return set;
  }

  private quantity(field: string, type: string, text: string) {
    try {
      parseQuantity(type, text);
    } catch (error) {
      if (!(error instanceof BadQuantity)) throw error;
      this.fail(field, `Expected ${error.expected}, found ${shown(text)}.`);
    }
  }

  /** A time that something lasts, as a journal writes it; undefined where nothing is written. */
  duration(field: string, text: string): string | undefined {
    const found = text.trim().replace(/\s+/g, "");
    if (found === "") return undefined;
    const length = parseDuration(found);
    if (length === undefined || length <= 0) this.fail(field, `Expected a duration above 0, such as 90s, 5m or 1h30m, found ${shown(text)}.`);
    return found;
  }

  /** "zone=a, rack=r1" */
  pairs(field: string, text: string): Record<string, string> | undefined {
    const found = Object.create(null) as Record<string, string>;
    for (const part of parts(text)) {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(part) ?? [];
      if (name === undefined || value === undefined) this.fail(field, `Expected name=value, with commas between them, found ${shown(part)}.`);
      else if (name.trim() in found) this.fail(field, `Expected each name once, found ${name.trim()} twice.`);
      else found[name.trim()] = value.trim();
    }
    return Object.keys(found).length > 0 ? found : undefined;
  }

  /** "dev, ops": each once. */
  names(field: string, text: string): string[] {
    const found = parts(text);
    const twice = found.find((name, i) => found.indexOf(name) < i);
    if (twice !== undefined) this.fail(field, `Expected each name once, found ${twice} twice.`);
    return found;
  }

  /** "zone=a|b, disk=ssd": any of the values will do. */
  choices(field: string, text: string): Record<string, string[]> | undefined {
    const found = this.pairs(field, text);
    if (!found) return undefined;
    return Object.fromEntries(Object.entries(found).map(([name, values]) => [name, values.split("|").map((value) => value.trim())]));
  }
}

function parts(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter((part) => part !== "");
}

function shown(text: string): string {
  const found = text.trim();
  return found === "" ? "nothing" : `“${found.slice(0, 60)}”`;
}
