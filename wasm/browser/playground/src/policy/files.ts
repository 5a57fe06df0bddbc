/** The files of a policy, as the folder of policies and `quern policy test` take them: NAME.ts, NAME.wasm and its settings NAME.toml. */

import type { ModuleManifest } from "../engine/modules";
import type { Built } from "./work";

/** The settings: the hash of the module, and what can be set, with the defaults. */
export function settingsOf({ loaded }: Pick<Built, "loaded">): string {
  const { name, parameters = {} } = loaded.manifest as ModuleManifest;
  const settable = Object.entries(parameters).flatMap(([key, { default: value, description }]) => [...(description ? [`# ${description}`] : []), `# ${key} = ${tomlOf(value)}`]);
  return [
    `# Settings of the policy ${name}. What is commented out has its default.`,
    `sha256 = "${loaded.sha256}" # of the module beside this file: any other is refused`,
    "", "[parameters]", ...(settable.length > 0 ? settable : ["# it declares none"]),
    "", "[limits] # of one call", "# fuel = 1000000", "# fuel_per_item = 2000", '# memory = "16MiB"',
    "", "[fallback] # what answers where this policy fails", "",
  ].join("\n");
}

/** A value of a parameter: a number, a boolean, a text, a list of numbers or a table of weights. */
function tomlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlOf).join(", ")}]`;
  if (typeof value === "object" && value !== null) return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)} = ${tomlOf(one)}`).join(", ")}}`;
  return JSON.stringify(value);
}
