import "./grid.css";
import { effect, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { configuration, frame, overlay, selection, shown, types } from "../state/store";
import { actions } from "../state/run";
import { IconButton } from "../ui/button";
import { Select } from "../ui/field";
import { Empty, Panel } from "../ui/panel";
import { dark } from "../ui/theme";
import { colourBy, colourings, groupsBy } from "./colour-by";
import { readPalette } from "./colours";
import { GridCanvas, type Spot } from "./grid-canvas";
import { indexAfter } from "./grid-layout";
import { Legend } from "./grid-legend";
import { litBy } from "./grid-lit";
import { GridTime } from "./grid-time";
import { NodeTable } from "./grid-table";
import { FocusRing, Tooltip, type Hover } from "./grid-tip";
import { describeNode } from "./grid-words";
import { usePaced } from "./pace";
import { overTime } from "./over-time";
import { domainOf, levels, levelsOf } from "./racks";

/** The nodes as tiles, with what runs on them as blocks; or the same as a table. */
export function Grid() {
  const table = useSignal(false);
  usePaced(500);
  const time = overTime.value;
  const tools = (
    <>
      <IconButton icon="time" label="Show over time" pressed={time} onClick={() => (overTime.value = !time)} />
      {!time && <>
      <Select label="Resource type that is shown" bare value={shown.value} onChange={(type) => (shown.value = type)}
        options={[{ value: "", text: "Fullest type" }, ...types.value.map((type) => ({ value: type, text: type }))]} />
      <Select label="Colour by" bare value={colourBy.value} onChange={(by) => (colourBy.value = by)}
        options={colourings.map((by) => ({ value: by, text: `By ${by}` }))} />
      </>}
      <IconButton icon="table" label="Show as table" pressed={table.value} onClick={() => (table.value = !table.value)} />
    </>
  );
  return (
    <Panel title="Nodes" class="grid" tools={tools} flush>
      {actions.model().nodes.size === 0 ? <Empty>No nodes are here yet. Add some, or open a scenario.</Empty>
        : time ? <GridTime table={table.value} />
        : table.value ? <NodeTable model={actions.model()} />
        : <><Tiles /><Legend /></>}
    </Panel>
  );
}

function Tiles() {
  const room = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const grid = useRef<GridCanvas>(undefined);
  const hover = useSignal<Hover | undefined>(undefined);
  const focused = useSignal<number | undefined>(undefined);
  const told = useSignal("");

  useEffect(() => {
    if (!room.current || !canvas.current) return undefined;
    grid.current = new GridCanvas(canvas.current);
    return keepDrawn(grid.current, room.current);
  }, []);

  const spotOf = (event: MouseEvent) => grid.current?.at(event.offsetX, event.offsetY);
  const point = (event: MouseEvent) => {
    const spot = spotOf(event);
    hover.value = spot && { spot, x: event.offsetX, y: event.offsetY };
  };
  const press = (event: KeyboardEvent) => {
    const drawn = grid.current;
    const index = focused.value ?? 0;
    const node = drawn?.nodeAt(index);
    if (!drawn || !node) return;
    if (event.key === "Enter") actions.select({ kind: "node", id: node.id });
    const next = indexAfter(drawn.layout, drawn.count, index, event.key);
    if (next === undefined && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (next !== undefined) focusOn(next);
  };
  const focusOn = (index: number) => {
    const node = grid.current?.nodeAt(index);
    focused.value = node && index;
    const domain = node && levels.value ? domainOf(node, levels.value) : "";
    told.value = node ? describeNode(node, index + 1, grid.current?.count ?? 0, domain) : "";
  };

  return (
    <div class="grid-room">
      <div ref={room} class="grid-scroll" role="application" tabIndex={0} aria-label="Nodes as tiles" aria-describedby="grid-keys" onKeyDown={press}
        onFocus={() => focusOn(startAt(grid.current))} onBlur={() => (focused.value = undefined)}>
        <div class="grid-sheet">
          <canvas ref={canvas} class="grid-canvas" aria-hidden="true" onPointerMove={point} onPointerLeave={() => (hover.value = undefined)}
            onClick={(event) => pick(spotOf(event), grid.current)} />
          <FocusRing box={focused.value === undefined ? undefined : grid.current?.boxAt(focused.value)} />
        </div>
      </div>
      <Tooltip hover={hover} scrolled={room} />
      <p id="grid-keys" hidden>Arrow keys go from node to node, Home and End to the first and the last one, Enter picks one.</p>
      <p class="sr" aria-live="polite">{told}</p>
    </div>
  );
}

/** The node that is picked already, or else the first one. */
function startAt(drawn: GridCanvas | undefined): number {
  const picked = selection.value?.kind === "node" ? drawn?.indexOf(selection.value.id) ?? -1 : -1;
  return Math.max(picked, 0);
}

/** An allocation where they can be told apart, else the node. */
function pick(spot: Spot | undefined, drawn: GridCanvas | undefined) {
  if (!spot) actions.select(undefined);
  else if (spot.block?.ask && drawn?.layout.size !== "small") actions.select({ kind: "ask", id: spot.block.ask.id });
  else actions.select({ kind: "node", id: spot.node.id });
}

/** Draws with the next frame whenever something has changed, until it is told to end. */
function keepDrawn(grid: GridCanvas, room: HTMLElement): () => void {
  const model = actions.model();
  let palette = readPalette();
  let marked = { type: "", groups: groupsBy("application", model), lit: litBy(undefined, undefined, model), crossed: false, levels: levels.peek() };
  let asked = 0;
  const draw = () => {
    asked = 0;
    grid.draw({ model, palette, ...marked });
  };
  const ask = () => {
    asked ||= requestAnimationFrame(draw);
  };
  const sizes = new ResizeObserver(() => {
    const style = getComputedStyle(room);
    grid.resize(room.clientWidth - parseFloat(style.paddingLeft) * 2, room.clientHeight - parseFloat(style.paddingTop) * 2, devicePixelRatio);
    ask();
  });
  sizes.observe(room);
  const ends = [
    frame.subscribe(ask),
    colourBy.subscribe((by) => {
      marked = { ...marked, groups: groupsBy(by, model) };
      ask();
    }),
    effect(() => {
      marked = { ...marked, type: shown.value, lit: litBy(selection.value, overlay.value, model), crossed: overlay.value !== undefined };
      ask();
    }),
    configuration.subscribe(() => void actions.inForce().then((config) => (levels.value = levelsOf(config)))),
    levels.subscribe((found) => {
      marked = { ...marked, levels: found };
      ask();
    }),
    dark.subscribe(() => {
      // The attribute of the document follows in the same turn; its colours can be read after it.
      queueMicrotask(() => {
        palette = readPalette();
        ask();
      });
    }),
  ];
  return () => {
    sizes.disconnect();
    cancelAnimationFrame(asked);
    for (const end of ends) end();
  };
}
