import type { ModuleParameter } from "../engine/modules";
import { capital } from "../state/sentence";
import { Select, TextField } from "../ui/field";
import { manifestOf, setText, type Passed } from "./library";
import { expectation, readTexts, textOf } from "./parameters";

/** The values of a module's parameters, as its manifest declares them. */
export function ParametersForm({ candidate }: { readonly candidate: Passed }) {
  const declared = manifestOf(candidate).parameters ?? {};
  const names = Object.keys(declared);
  if (names.length === 0) return null;
  const { wrong } = readTexts(declared, candidate.texts);
  return (
    <fieldset class="compare-parameters">
      <legend>Parameters</legend>
      {Object.entries(declared).map(([name, p]) => (
        <Parameter key={name} name={name} p={p} text={(Object.hasOwn(candidate.texts, name) ? candidate.texts[name] : undefined) ?? textOf(p, p.default)} error={wrong[name]} onChange={(text) => setText(candidate.name, name, text)} />
      ))}
    </fieldset>
  );
}

interface ParameterProps {
  readonly name: string;
  readonly p: ModuleParameter;
  readonly text: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

function Parameter({ name, p, text, error, onChange }: ParameterProps) {
  const among = p.type === "boolean" ? ["true", "false"] : p.values;
  if (among && among.length > 0) {
    return <Select label={name} hint={p.description} error={error} value={text} options={among.map((value) => ({ value, text: value }))} onChange={onChange} />;
  }
  const hint = `${p.description ? `${p.description}. ` : ""}${capital(expectation(p))}.`;
  return <TextField label={name} hint={hint} error={error} value={text} onInput={onChange} />;
}
