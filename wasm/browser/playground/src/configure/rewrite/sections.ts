/** The lists of a configuration that a form edits: their drafts, what the scheduler read, and how they are written. */

import type { AccessList, Amounts, ConfigLimit, ConfigTemplate, Rule } from "../../engine/types";
import { typesOf } from "../../model/quantities";
import type { AmountDraft } from "../../play/form-reader";
import { quantity } from "../quantity";
import { bare, type Value } from "./values";

export interface LimitDraft {
  readonly description: string;
  readonly users: string;
  readonly groups: string;
  readonly max: readonly AmountDraft[];
  readonly applications: string;
}

export interface RuleDraft {
  readonly name: string;
  readonly value: string;
  readonly create: boolean;
  readonly filter: "none" | "allow" | "deny";
  readonly users: string;
  readonly groups: string;
  readonly parent?: RuleDraft | undefined;
}

export interface TemplateDraft {
  readonly given: boolean;
  readonly applications: string;
  readonly guaranteed: readonly AmountDraft[];
  readonly max: readonly AmountDraft[];
  readonly properties: readonly PropertyDraft[];
}

export interface PropertyDraft {
  readonly name: string;
  readonly value: string;
}

export interface AccessDraft {
  readonly who: "unset" | "all" | "named";
  readonly users: string;
  readonly groups: string;
}

export const emptyLimit: LimitDraft = { description: "", users: "", groups: "", max: [], applications: "" };
export const emptyRule: RuleDraft = { name: "provided", value: "", create: false, filter: "none", users: "", groups: "" };

export function limitDraft({ description = "", users, groups, maxResources, maxApplications }: ConfigLimit): LimitDraft {
  return { description, users: joined(users), groups: joined(groups), max: amountsOf(maxResources), applications: countOf(maxApplications) };
}

export function limitValue({ description, users, groups, max, applications }: LimitDraft): Value {
  return fields({ limit: description, users: names(users), groups: names(groups), maxresources: amounts(max), maxapplications: bare(applications.trim()) });
}

export function ruleDraft({ name, value = "", create = false, filter, parent }: Rule): RuleDraft {
  return {
    name, value, create, filter: filter ? filter.deny ? "deny" : "allow" : "none", users: joined(filter?.users), groups: joined(filter?.groups),
    parent: parent && ruleDraft(parent),
  };
}

export function ruleValue({ name, value, create, filter, users, groups, parent }: RuleDraft): Value {
  const filtered = filter === "none" ? {} : fields({ type: filter, users: patterns(users), groups: patterns(groups) });
  return fields({ name, ...(create && { create }), value: value.trim(), filter: filtered, ...(parent && { parent: ruleValue(parent) }) });
}

export function templateDraft(of: ConfigTemplate | undefined): TemplateDraft {
  const { maxApplications, guaranteed, max, properties = {} } = of ?? {};
  return {
    given: of !== undefined, applications: countOf(maxApplications), guaranteed: amountsOf(guaranteed), max: amountsOf(max),
    properties: Object.entries(properties).map(([name, value]) => ({ name, value })),
  };
}

/** Undefined: there is none. */
export function templateValue({ given, applications, guaranteed, max, properties }: TemplateDraft): Value | undefined {
  if (!given) return undefined;
  const set = Object.fromEntries(properties.filter(({ name }) => name.trim() !== "").map(({ name, value }) => [name.trim(), value.trim()]));
  return fields({ maxapplications: bare(applications.trim()), resources: fields({ guaranteed: amounts(guaranteed), max: amounts(max) }), properties: set });
}

export function accessDraft(list: AccessList | undefined): AccessDraft {
  const { users = [], groups = [] } = list ?? {};
  const all = users.includes("*") && groups.length === 0;
  return { who: list ? all ? "all" : "named" : "unset", users: all ? "" : joined(users), groups: joined(groups) };
}

/** As a list has them: names joined by commas, a space, then groups likewise. Undefined: there is no list. */
export function accessValue({ who, users, groups }: AccessDraft): string | undefined {
  if (who === "unset") return undefined;
  if (who === "all") return "*";
  return names(groups).length > 0 ? `${names(users).join(",")} ${names(groups).join(",")}` : names(users).join(",");
}

function amounts(drafts: readonly AmountDraft[]): Value {
  return Object.fromEntries(drafts.filter(({ amount }) => amount.trim() !== "").map(({ type, amount }) => [type.trim(), bare(amount.trim())]));
}

function amountsOf(set: Amounts | undefined): AmountDraft[] {
  return typesOf(set).map((type) => ({ type, amount: quantity(type, set?.[type] ?? 0) }));
}

const joined = (list: readonly string[] = []): string => list.join(", ");
const countOf = (count = 0): string => (count > 0 ? String(count) : "");

function names(text: string): string[] {
  return text.split(",").map((name) => name.trim()).filter((name) => name !== "");
}

/** Names, or one expression, which may have commas in it. */
function patterns(text: string): string[] {
  return /[\^$*+?()[{}|]/.test(text) ? [text.trim()] : names(text);
}

/** Without what is empty. */
function fields(all: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== "" && (typeof value !== "object" || Object.keys(value).length > 0)));
}
