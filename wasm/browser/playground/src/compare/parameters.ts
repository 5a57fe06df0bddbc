/** Values of a module's parameters, as texts of a form and as the module takes them. */

import type { ModuleParameter } from "../engine/modules";

/** What a form holds: a text for each parameter that was changed. */
export type Texts = Readonly<Record<string, string>>;

type Values = Readonly<Record<string, unknown>>;

/** How a value is written in a field. */
export function textOf(p: ModuleParameter, value: unknown): string {
  if (p.type === "numbers") return (value as readonly number[]).join(", ");
  if (p.type === "weights") return Object.entries(value as Record<string, number>).map(([name, weight]) => `${name}: ${weight}`).join(", ");
  return String(value);
}

/** What is to be put in, in the page's words. */
export function expectation(p: ModuleParameter): string {
  switch (p.type) {
    case "boolean": return "true or false";
    case "text": return p.values ? `one of ${p.values.join(", ")}` : "a text";
    case "numbers": return `numbers with commas between them${bounded(p, ", ")}`;
    case "weights": return `name: number, with commas between them${bounded(p, ", ")}`;
    case "integer": return `a whole number${bounded(p, " ")}`;
    case "number": return `a number${bounded(p, " ")}`;
  }
}

function bounded({ min, max }: ModuleParameter, before: string): string {
  if (min !== undefined && max !== undefined) return `${before}from ${min} to ${max}`;
  if (min !== undefined) return `${before}of at least ${min}`;
  return max === undefined ? "" : `${before}of at most ${max}`;
}

/** Reads a form: the values of what was changed, and what is wrong by parameter. */
export function readTexts(declared: Readonly<Record<string, ModuleParameter>>, texts: Texts): { readonly values: Values; readonly wrong: Texts } {
  const values: Record<string, unknown> = {};
  const wrong: Record<string, string> = {};
  for (const [name, text] of Object.entries(texts)) {
    const p = declared[name];
    if (!p) continue;
    const value = read(p, text.trim());
    if (value === undefined) wrong[name] = `Expected ${expectation(p)}, found ${text.trim() === "" ? "nothing" : `“${text.trim()}”`}.`;
    else values[name] = value;
  }
  return { values, wrong };
}

/** The value of a text; undefined: it cannot be one. */
function read(p: ModuleParameter, text: string): unknown {
  switch (p.type) {
    case "boolean": return text === "true" ? true : text === "false" ? false : undefined;
    case "text": return p.values && !p.values.includes(text) ? undefined : text;
    case "numbers": return all(pieces(text).map((piece) => number(p, piece)));
    case "weights": return weights(p, text);
    case "integer":
    case "number": return number(p, text);
  }
}

function pieces(text: string): string[] {
  return text === "" ? [] : text.split(",").map((piece) => piece.trim());
}

function all<T>(list: readonly (T | undefined)[]): readonly T[] | undefined {
  return list.includes(undefined) ? undefined : (list as readonly T[]);
}

function number(p: ModuleParameter, text: string): number | undefined {
  const value = Number(text);
  const off = text === "" || !Number.isFinite(value) || (p.type === "integer" && !Number.isInteger(value));
  return off || value < (p.min ?? -Infinity) || value > (p.max ?? Infinity) ? undefined : value;
}

function weights(p: ModuleParameter, text: string): Record<string, number> | undefined {
  const pairs = all(pieces(text).map((piece): readonly [string, number] | undefined => {
    const colon = piece.lastIndexOf(":");
    const name = piece.slice(0, Math.max(0, colon)).trim();
    const value = number(p, piece.slice(colon + 1).trim());
    return name === "" || value === undefined ? undefined : [name, value];
  }));
  return pairs && Object.fromEntries(pairs);
}
