import { useState } from "preact/hooks";
import { FormReader } from "../play/form-reader";
import { Button } from "../ui/button";
import { TextField } from "../ui/field";
import { examineAgain, type Candidate, type Limits } from "./library";

const defaults = { memory: "16", fuel: "1000000", fuelPerItem: "2000" };

/** What bounds a module; it is tried again under others. */
export function LimitsForm({ candidate }: { readonly candidate: Candidate }) {
  const [draft, setDraft] = useState(() => textsOf(candidate.limits));
  const reader = new FormReader();
  const limits = {
    memory: reader.whole("memory", draft.memory, 1, 256) * 2 ** 20,
    fuel: reader.whole("fuel", draft.fuel, 1, 10_000_000),
    fuelPerItem: reader.whole("fuelPerItem", draft.fuelPerItem, 1, 10_000_000),
  };
  const { errors } = reader;
  const field = (name: keyof typeof defaults, label: string, hint: string) => (
    <TextField label={label} hint={hint} inputMode="numeric" value={draft[name]} error={errors?.[name]} onInput={(text) => setDraft({ ...draft, [name]: text })} />
  );
  return (
    <details class="compare-report">
      <summary>Limits</summary>
      <div class="compare-fields">
        {field("memory", "Memory in MiB", "1 to 256")}
        {field("fuel", "Fuel of a call", "about an instruction each, up to 10,000,000")}
        {field("fuelPerItem", "Fuel for each item", "on top of that, for each item asked about")}
      </div>
      <Button small disabled={errors !== undefined} onClick={() => void examineAgain(candidate, withoutDefaults(limits))}>Try it again with these</Button>
    </details>
  );
}

function textsOf({ memory, fuel, fuelPerItem }: Limits) {
  return {
    memory: memory ? String(memory / 2 ** 20) : defaults.memory,
    fuel: fuel ? String(fuel) : defaults.fuel,
    fuelPerItem: fuelPerItem ? String(fuelPerItem) : defaults.fuelPerItem,
  };
}

/** Limits that are given are announced in the journal, so those that are the defaults are left out. */
function withoutDefaults({ memory, fuel, fuelPerItem }: Required<Limits>): Limits {
  return {
    ...(memory !== Number(defaults.memory) * 2 ** 20 && { memory }),
    ...(fuel !== Number(defaults.fuel) && { fuel }),
    ...(fuelPerItem !== Number(defaults.fuelPerItem) && { fuelPerItem }),
  };
}
