import type { Model } from "../model/model";
import { overlay, selection, shown } from "../state/store";
import { actions } from "../state/run";
import { count, share } from "../ui/format";
import { busiest, marksIn, type Mark } from "./grid-busiest";
import { usePaced } from "./pace";
import { colourBy, groupsBy, type Colouring } from "./colour-by";
import { HueSwatch } from "./swatch";

const markWords: Readonly<Record<Mark, string>> = {
  drained: "Drained", reserved: "Reserved", kept: "Kept for an ask that preempts", leaving: "Told to leave", placeholder: "Placeholder of a gang", gang: "Members of a gang", broken: "Of a broken gang", others: "Used by others",
};

const groupWords: Readonly<Record<Colouring, string>> = { application: "the busiest applications", gang: "the busiest gangs", queue: "the busiest queues", priority: "the busiest priorities", use: "how full nodes are" };

/** What the colours and the marks mean. An application or a queue is a button, since to pick it is the way to find it. */
export function Legend() {
  usePaced(1000);
  const model = actions.model();
  return (
    <ul class="grid-legend" aria-label={`Legend: ${groupWords[colourBy.value]}, and marks`}>
      {overlay.value && <DryRun node={overlay.value.node} victims={overlay.value.victims.length} />}
      <GroupItems model={model} />
      {marksIn(model).map((mark) => <li key={mark}><i class={`grid-mark grid-mark-${mark}`} />{markWords[mark]}</li>)}
    </ul>
  );
}

function GroupItems({ model }: { readonly model: Model }) {
  const groups = groupsBy(colourBy.value, model);
  const kind = groups.by === "application" ? "app" : groups.by === "queue" ? "queue" : undefined;
  const picked = selection.value?.kind === kind ? selection.value?.id : undefined;
  const shares = busiest(model, shown.value, 7, groups);
  if (kind === undefined) return <>{shares.map(({ group, share: used }) => <li key={group}><HueSwatch hue={groups.hue(group)} />{group} <small>{share(used)}</small></li>)}</>;
  return (
    <>
      {shares.map(({ group, share: used }) => (
        <li key={group}>
          <button type="button" class="grid-app" aria-pressed={group === picked} onClick={() => actions.select(group === picked ? undefined : { kind, id: group })}>
            <HueSwatch hue={groups.hue(group)} />{group} <small>{share(used)}</small>
          </button>
        </li>
      ))}
    </>
  );
}

function DryRun({ node, victims }: { readonly node: string; readonly victims: number }) {
  return (
    <>
      <li><i class="grid-mark grid-mark-ring" />Dry run: {node} would take it</li>
      <li><i class="grid-mark grid-mark-cross" />{count(victims, "allocation")} would have to leave</li>
    </>
  );
}
