import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { sizePanes } from "../see/pane-sizes";
import { Separator } from "../see/separator";
import { IconButton } from "../ui/button";
import { Panel } from "../ui/panel";
import { headline } from "../why/parts";
import { Questions } from "../why/questions-list";
import { go } from "./route";

interface SplitProps {
  readonly title: string;
  /** Filters and other small controls. */
  readonly tools?: ComponentChildren;
  readonly list: ComponentChildren;
  /** What is picked; undefined: nothing, and the list has all the room. */
  readonly detail?: { readonly kind: string; readonly name: string; readonly close: string; readonly content: ComponentChildren } | undefined;
}

/** A list, and beside it what is picked in it. */
export function Split({ title, tools, list, detail }: SplitProps) {
  const panes = useRef<HTMLDivElement>(null);
  useEffect(() => (panes.current ? sizePanes(panes.current) : undefined), []);
  return (
    <div ref={panes} class={detail ? "split split-open" : "split"}>
      <Panel title={title} flush tools={tools}><div class="list">{list}</div></Panel>
      {detail && <Separator pane="detail" upright behind label="Between the list and the inspector" />}
      {detail && (
        <div class="split-detail" id="pane-detail">
          <Panel title="Inspector" class="why" subject={<><small>{detail.kind}</small> {detail.name}</>}
            tools={<IconButton icon="close" label="Clear the selection" onClick={() => go(detail.close)} />}>
            <p class="why-headline" aria-live="polite">{headline}</p>
            <Questions />
            {detail.content}
          </Panel>
        </div>
      )}
    </div>
  );
}
