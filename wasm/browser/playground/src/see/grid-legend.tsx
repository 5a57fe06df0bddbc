import { overlay, selection, shown } from "../state/store";
import { actions } from "../state/run";
import { count, share } from "../ui/format";
import { busiest, marksIn, type Mark } from "./grid-busiest";
import { usePaced } from "./pace";
import { Swatch } from "./swatch";

const markWords: Readonly<Record<Mark, string>> = {
  drained: "Drained", reserved: "Reserved", kept: "Kept for one that preempts", leaving: "Told to leave", placeholder: "Placeholder of a gang", others: "Used by others",
};

/** What the colours and the marks mean. An application is a button, since to pick it is the way to find it. */
export function Legend() {
  usePaced(1000);
  const model = actions.model();
  const picked = selection.value?.kind === "app" ? selection.value.id : undefined;
  return (
    <ul class="grid-legend" aria-label="Legend: the busiest applications, and marks">
      {overlay.value && <DryRun node={overlay.value.node} victims={overlay.value.victims.length} />}
      {busiest(model, shown.value, 7).map(({ app, share: used }) => (
        <li key={app}>
          <button type="button" class="grid-app" aria-pressed={app === picked} onClick={() => actions.select(app === picked ? undefined : { kind: "app", id: app })}>
            <Swatch app={app} />{app} <small>{share(used)}</small>
          </button>
        </li>
      ))}
      {marksIn(model).map((mark) => <li key={mark}><i class={`grid-mark grid-mark-${mark}`} />{markWords[mark]}</li>)}
    </ul>
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
