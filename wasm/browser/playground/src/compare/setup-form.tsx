import { queues } from "../state/store";
import { Check, Select, TextField } from "../ui/field";
import { actors, builtIns, drafts, pointWords, policiesOf, serving, type SetupDraft, type SideName } from "./choices";
import { namedPoints, type NamedPoint } from "./configuration";

const asItIs = "";

/** One of the two set-ups: which policy decides at each point. */
export function SetupForm({ name }: { readonly name: SideName }) {
  const draft = drafts[name];
  const set = (part: Partial<SetupDraft>) => (draft.value = { ...draft.value, ...part });
  const { queue, acting } = draft.value;
  const policies = policiesOf(draft.value);
  const choose = (point: NamedPoint, policy: string) => set({ policies: { ...policies, [point]: policy === asItIs ? undefined : policy } });
  const inQueues = namedPoints.some((point) => point !== "node.score" && policies[point] !== undefined);
  return (
    <fieldset class={`compare-setup compare-setup-${name}`}>
      <legend>{name.toUpperCase()}</legend>
      {namedPoints.map((point) => (
        <Select key={point} label={pointWords[point]} value={policies[point] ?? asItIs} onChange={(policy) => choose(point, policy)}
          options={[{ value: asItIs, text: "unchanged" }, ...builtIns[point].map(plain), ...serving(point).map((module) => ({ value: module, text: `${module} (module)` }))]} />
      ))}
      {inQueues && (
        <TextField label="In the queue" value={queue} among={queues.value.map(({ path }) => path)} hint="And in those below it that name a policy themselves" onInput={(path) => set({ queue: path })} />
      )}
      {actors().map((module) => (
        <Check key={module} label={`${module} acts`} checked={acting.includes(module)}
          onChange={(on) => set({ acting: on ? [...acting, module] : acting.filter((one) => one !== module) })} />
      ))}
    </fieldset>
  );
}

function plain(value: string) {
  return { value, text: value };
}
