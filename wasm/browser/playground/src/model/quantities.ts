/** Amounts as in Kubernetes, read into stored units: vcore in thousandths of a core, all else in whole units. See docs/configure/configuration.md#quantities. */

import type { Amounts } from "../engine/types";
import type { Quantities } from "./lines";

/** Says why a text is no quantity. */
export class BadQuantity extends Error {
  readonly expected: string;
  readonly found: string;

  constructor(expected: string, text: string) {
    const found = text === "" ? "nothing" : JSON.stringify(text.slice(0, 80));
    super(`expected ${expected}, found ${found}`);
    this.name = "BadQuantity";
    this.expected = expected;
    this.found = found;
  }
}

const largest = 2n ** 63n - 1n;
const syntax = /^([+-]?)(\d*)(?:\.(\d*))?(.*)$/s;
const decimals: Readonly<Record<string, number>> = { "": 0, n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binaries: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const farthest = 400; // an exponent beyond it is too large, or too small, whatever the digits

/**
 * Reads an amount of a type. What does not come to a whole number of stored units is an error, never rounded.
 * @throws BadQuantity
 */
export function parseQuantity(type: string, amount: string | number): number {
  const text = String(amount);
  const thousandths = type === "vcore";
  if (/^\d{1,12}$/.test(text)) return Number(text) * (thousandths ? 1000 : 1);
  if (thousandths && /^\d{1,15}m$/.test(text)) return Number(text.slice(0, -1));
  return Number(stored(type, text));
}

function stored(type: string, text: string): bigint {
  const [, sign = "", whole = "", fraction = "", suffix = ""] = syntax.exec(text) ?? [];
  if (whole === "" && fraction === "") throw new BadQuantity("a quantity such as 4, 1.5, 500m or 64Gi", text);
  const ten = decimals[suffix] ?? (suffix in binaries ? 0 : exponent(suffix));
  if (ten === undefined) throw new BadQuantity("a quantity with one of the suffixes n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, or an exponent such as e3", text);
  const digits = BigInt(whole + fraction);
  if (digits === 0n) return 0n;
  if (sign === "-") throw new BadQuantity("a quantity of zero or more", text);
  return scaled(type, text, digits << BigInt(binaries[suffix] ?? 0), ten - fraction.length + (type === "vcore" ? 3 : 0));
}

function scaled(type: string, text: string, digits: bigint, ten: number): bigint {
  const power = 10n ** BigInt(Math.min(Math.abs(ten), farthest + text.length));
  if (ten < 0 && digits % power !== 0n) throw new BadQuantity(`a whole number of ${unitOf(type)}`, text);
  const value = ten < 0 ? digits / power : digits * power;
  if (value > largest) throw new BadQuantity(`a quantity of at most ${largest}${type === "vcore" ? "m" : ""}`, text);
  return value;
}

function exponent(suffix: string): number | undefined {
  const found = /^[eE]([+-]?\d+)$/.exec(suffix);
  return found ? Math.max(-farthest, Math.min(farthest, Number(found[1]))) : undefined;
}

function unitOf(type: string): string {
  if (type === "vcore") return "thousandths of a core";
  return type === "memory" ? "bytes" : "units";
}

/** A set that has nothing, not even what every object has: a type may be called constructor. */
export function nothing(): Amounts {
  return Object.create(null) as Amounts;
}

/**
 * Reads a set of quantities. Zeros are left out, as the scheduler's own state does.
 * @throws BadQuantity
 */
export function parseQuantities(set: Quantities): Amounts {
  const amounts = nothing();
  for (const type in set) {
    const amount = parseQuantity(type, set[type] ?? 0);
    if (amount !== 0) amounts[type] = amount;
  }
  return amounts;
}

/** All types of some sets, in the order in which people expect them. */
export function typesOf(...sets: readonly (Readonly<Amounts> | undefined)[]): string[] {
  return inOrder(new Set(sets.flatMap((set) => Object.keys(set ?? {}))));
}

/** Types of resources as people expect them: vcore, memory, and then all others by name. */
export function inOrder(types: Iterable<string>): string[] {
  return [...types].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

function rank(type: string): number {
  return type === "vcore" ? 0 : type === "memory" ? 1 : 2;
}
