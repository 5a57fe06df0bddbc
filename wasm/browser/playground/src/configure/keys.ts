/** The scheduler's own table of keys, and what of it counts at a place of a text. */

import type { KeyAnswer } from "../engine/types";
import { place, type Mapping, type Place } from "./outline/outline";

export type Keys = readonly KeyAnswer[];

/** The row of a key that stands in a mapping. */
export function keyIn(keys: Keys, mapping: Mapping, name: string): KeyAnswer | undefined {
  const { level, below } = place(mapping);
  const full = [...below, name].join(".");
  return keys.find((k) => k.where === level && k.name === full);
}

/** Rows of the keys that can stand in a mapping, those below others as well. */
export function keysOf(keys: Keys, { level, below }: Place): Keys {
  const prefix = below.map((b) => `${b}.`).join("");
  return keys.filter((k) => k.where === level && k.name.startsWith(prefix));
}

/** Whether amounts by resource type stand in a mapping. */
export function holdsTypes(keys: Keys, { level, below }: Place): boolean {
  const name = below.join(".");
  return keys.some((k) => k.where === level && k.name === name && takesTypes(k));
}

export const takesTypes = (key: KeyAnswer): boolean => key.type.endsWith(" by resource type");
export const takesList = (key: KeyAnswer): boolean => key.type.startsWith("list");
/** Whether the entries of a list are texts. */
export const takesNames = (key: KeyAnswer): boolean => key.type === "list of users" || key.type === "list of groups";
/** Whether a key is an access list, in which * stands for all users. */
export const takesAccess = (key: KeyAnswer): boolean => key.type.startsWith("*, or ");
export const takesMapping = (key: KeyAnswer): boolean => key.type === "mapping" || key.type === "a rule" || key.type.endsWith(" by name");
/** What is bare in TOML; all else is a text. Properties are texts, whatever they look like. */
export const isBare = (key: KeyAnswer): boolean => key.where !== "properties" && (key.type === "true or false" || key.type === "whole number");

/** The points at which a policy module may serve, by the key that names it. */
const points: Readonly<Record<string, string>> = {
  "application.sort.policy": "app.order",
  "queue.sort.policy": "queue.order",
  "ask.sort.policy": "ask.order",
  "nodesortpolicy.type": "node.score",
};

/** A module that a configuration may name. */
export interface Policy {
  readonly name: string;
  readonly points: readonly string[];
}

/** The values of a key that has only a few: those that its type lists, and the modules that serve there. */
export function valuesOf(key: KeyAnswer, policies: readonly Policy[]): readonly string[] {
  if (takesAccess(key)) return ["*"];
  if (!key.type.includes(" or ")) return [];
  const point = points[key.name];
  const words = key.type.split(/, | or /).filter((word) => /^[a-z]+$/.test(word) && word !== "empty");
  return [...words, ...policies.filter((p) => point !== undefined && p.points.includes(point)).map((p) => p.name)];
}
