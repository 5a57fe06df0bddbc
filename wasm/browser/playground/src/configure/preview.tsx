import type { ComponentChildren } from "preact";
import type { Amounts, ConfigQueue } from "../engine/types";
import { count } from "../ui/format";
import { Empty, Panel } from "../ui/panel";
import { queuesOf } from "./changes";
import { broken, pending, sound } from "./checks";
import { goToQueue } from "./go-to-queue";
import { badges } from "./badges";
import { quantities } from "./quantity";

/** More queues than this are only counted: nobody reads them here. */
const most = 300;

/** The queue tree that the text says, as of its last form without errors. */
export function Preview() {
  const config = sound.value;
  const all = config ? queuesOf(config) : [];
  const kinds = new Map(pending.value.map(({ queue, kind }) => [queue, kind]));
  return (
    <Panel title="Queues" class="configure-preview" tools={config && <small>{count(all.length, "queue")}{broken.value ? ", as of the last text without errors" : ""}</small>}>
      {all.length === 0 && <Empty>The tree is shown here once the text has no errors.</Empty>}
      <ul class="configure-tree">
        {all.slice(0, most).map((queue) => <li key={queue.path}><Row queue={queue} kind={kinds.get(queue.path)} /></li>)}
      </ul>
      {all.length > most && <p class="configure-stale">and {count(all.length - most, "queue")} more</p>}
    </Panel>
  );
}

function Row({ queue, kind }: { readonly queue: ConfigQueue; readonly kind: string | undefined }) {
  const depth = queue.path.split(".").length - 1;
  return (
    <div class="configure-queue" style={{ "--depth": String(depth) }}>
      <p>
        <button type="button" class="configure-link" aria-label={queue.path} title={queue.path} onClick={() => goToQueue(queue.path)}>{queue.name}</button>
        {kind && <span class={`configure-badge configure-badge-${kind}`}>{kind}</span>}
        {badges(queue).map((badge) => <span key={badge} class="configure-badge">{badge}</span>)}
      </p>
      <Set name="guaranteed" amounts={queue.guaranteed} />
      <Set name="max" amounts={queue.max} />
    </div>
  );
}

function Set({ name, amounts }: { readonly name: string; readonly amounts: Amounts | undefined }): ComponentChildren {
  const written = quantities(amounts);
  return written === "" ? null : <small><span>{name}</span> {written}</small>;
}
