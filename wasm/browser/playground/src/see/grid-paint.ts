/** Draws one tile. Everything stays inside of its box, so that a tile can be drawn again without its neighbours. */

import type { GangModel, NodeModel } from "../model/model";
import { amounts, share } from "../ui/format";
import { runsOf, type Block } from "./grid-blocks";
import { useOf } from "./grid-use";
import { bodyOf, headOf, headOfRack, type Box, type Layout } from "./grid-layout";
import { framesOf } from "./grid-frames";
import type { Lit } from "./grid-lit";
import type { Hue, Palette } from "./colours";
import type { Textures } from "./grid-textures";

export interface Look {
  readonly palette: Palette;
  readonly textures: Textures;
  readonly layout: Layout;
  /** Device pixels in a CSS pixel: edges are put on them, so that they are sharp. */
  readonly ratio: number;
  readonly type: string;
  readonly lit: Lit | undefined;
  /** The victims of a dry run are crossed out. */
  readonly crossed: boolean;
}

type Ink = CanvasRenderingContext2D;

const dim = 0.22;

export function paintTile(ink: Ink, look: Look, box: Box, node: NodeModel, blocks: readonly Block[]) {
  const body = bodyOf(look.layout, box);
  paintGround(ink, look, box, node);
  if (look.layout.size === "small") paintRuns(ink, look, body, blocks);
  else paintBlocks(ink, look, body, blocks);
  paintEdge(ink, look, box, node);
  if (look.layout.size !== "small") paintHead(ink, look, box, node);
}

/** The frame of a domain, with its name where there is room. */
export function paintRack(ink: Ink, { palette }: Look, box: Box, name: string) {
  edge(ink, box, palette.line, 1, []);
  const head = headOfRack(box.width);
  if (head < 12) return;
  ink.textBaseline = "middle";
  ink.font = `600 11px ${palette.sans}`;
  ink.fillStyle = palette.mute;
  words(ink, name, box.x + 6, box.y + head / 2 + 1, box.width - 12);
}

function paintGround(ink: Ink, look: Look, box: Box, node: NodeModel) {
  const { palette, textures, layout } = look;
  ink.fillStyle = layout.size === "small" ? palette.grid : palette.sunk;
  if (layout.size === "small") ink.fillRect(box.x, box.y, box.width, box.height);
  else {
    ink.clearRect(box.x, box.y, box.width, box.height);
    ink.beginPath();
    ink.roundRect(box.x, box.y, box.width, box.height, 6);
    ink.fill();
  }
  if (node.schedulable) return;
  const head = headOf(layout);
  fillOver(ink, textures.drained, { x: box.x + 1, y: box.y + head + 1, width: box.width - 2, height: box.height - head - 2 });
}

/** Blocks of a group that touch are one rectangle: at this size they cannot be told apart, and a thousand tiles stay cheap. */
function paintRuns(ink: Ink, look: Look, body: Box, blocks: readonly Block[]) {
  for (let first = 0; first < blocks.length;) {
    const start = blocks[first];
    if (!start) return;
    let after = first + 1;
    while (after < blocks.length && sameRun(start, blocks[after], look.lit)) after++;
    const end = blocks[after - 1] ?? start;
    paintBlock(ink, look, span(look, body, start.from, end.to), start);
    first = after;
  }
  ink.globalAlpha = 1;
}

function sameRun(a: Block, b: Block | undefined, lit: Lit | undefined): boolean {
  if (!a.ask || !b?.ask) return false;
  return a.group === b.group && a.ask.leaves === b.ask.leaves && a.ask.placeholder === b.ask.placeholder && (!lit || lit.ask(a.ask) === lit.ask(b.ask));
}

function paintBlocks(ink: Ink, look: Look, body: Box, blocks: readonly Block[]) {
  for (const block of blocks) {
    const box = span(look, body, block.from, block.to);
    const apart = box.height > 5 ? { ...box, height: box.height - 1 } : box;
    paintBlock(ink, look, apart, block);
    if (look.layout.size === "large" && apart.height >= 13) paintLabel(ink, look, apart, block);
    ink.globalAlpha = 1;
  }
  for (const { from, to, gang } of runsOf(blocks)) if (gang) paintGang(ink, look, span(look, body, from, to), gang);
}

/** The members of a gang that stand one on the other have a line at their side: a whole one, or dashes where the gang is broken. */
function paintGang(ink: Ink, { palette }: Look, box: Box, { broken }: GangModel) {
  fillOver(ink, palette.card, { ...box, width: 5 });
  ink.strokeStyle = palette.ink;
  ink.lineWidth = 3;
  ink.setLineDash(broken ? [4, 3] : []);
  ink.beginPath();
  ink.moveTo(box.x + 1.5, box.y + 1);
  ink.lineTo(box.x + 1.5, box.y + box.height - 2);
  ink.stroke();
  ink.setLineDash([]);
}

/** A share of the body, from the bottom up, with its edges on device pixels. */
function span(look: Look, body: Box, from: number, to: number): Box {
  const snap = (y: number) => Math.round(y * look.ratio) / look.ratio;
  const top = snap(body.y + body.height * (1 - Math.min(to, 1)));
  const bottom = snap(body.y + body.height * (1 - Math.min(from, 1)));
  return { x: body.x, y: top, width: body.width, height: bottom - top };
}

function paintBlock(ink: Ink, look: Look, box: Box, { ask, hue }: Block) {
  if (box.height <= 0) return;
  const { palette, textures, lit } = look;
  ink.globalAlpha = lit && !(ask && lit.ask(ask)) ? dim : 1;
  if (!ask || !hue) {
    ink.fillStyle = palette.mute;
    ink.fillRect(box.x, box.y, box.width, box.height);
    return;
  }
  ink.fillStyle = fillOf(palette, hue);
  ink.fillRect(box.x, box.y, box.width, box.height);
  if (hue.variant > 0 && box.height >= 6) fillOver(ink, textures.variants[hue.variant] ?? palette.mute, box);
  if (ask.placeholder) paintPlaceholder(ink, palette, box, fillOf(palette, hue));
  if (ask.leaves) fillOver(ink, textures.leaving, box);
  if (look.crossed && lit?.ask(ask)) paintCross(ink, palette, box);
}

/** A pale block in a dotted frame: the room is taken, but nothing runs there. */
function paintPlaceholder(ink: Ink, palette: Palette, box: Box, colour: string) {
  const alpha = ink.globalAlpha;
  ink.globalAlpha = alpha * 0.7;
  fillOver(ink, palette.card, box);
  ink.globalAlpha = alpha;
  if (box.height < 4) return;
  ink.strokeStyle = colour;
  ink.lineWidth = 2;
  ink.setLineDash([2, 2]);
  ink.strokeRect(box.x + 1, box.y + 1, box.width - 2, box.height - 2);
  ink.setLineDash([]);
}

function fillOf(palette: Palette, hue: Hue): string {
  return palette.fills[hue.colour]?.[hue.variant] ?? palette.mute;
}

function fillOver(ink: Ink, style: string | CanvasPattern, box: Box) {
  ink.fillStyle = style;
  ink.fillRect(box.x, box.y, box.width, box.height);
}

function paintCross(ink: Ink, palette: Palette, box: Box) {
  ink.strokeStyle = palette.ink;
  ink.lineWidth = box.height > 8 ? 2 : 1;
  ink.strokeRect(box.x + 1, box.y + 1, box.width - 2, Math.max(1, box.height - 2));
  if (box.height < 4) return;
  ink.beginPath();
  ink.moveTo(box.x + 1, box.y + 1);
  ink.lineTo(box.x + box.width - 1, box.y + box.height - 1);
  ink.moveTo(box.x + box.width - 1, box.y + 1);
  ink.lineTo(box.x + 1, box.y + box.height - 1);
  ink.stroke();
}

function paintLabel(ink: Ink, look: Look, box: Box, { ask, hue }: Block) {
  const { palette } = look;
  const middle = box.y + box.height / 2;
  ink.font = `11px ${palette.sans}`;
  ink.textBaseline = "middle";
  const name = ask ? ask.id + (ask.placeholder ? " placeholder" : "") + (ask.leaves ? " leaves" : "") : "others";
  if (ask?.leaves && hue) fillOver(ink, ask.placeholder ? palette.card : fillOf(palette, hue), { ...box, width: Math.min(ink.measureText(name).width + 12, box.width) });
  ink.fillStyle = ask?.placeholder ? palette.ink : hue ? palette.labels[hue.colour]?.[hue.variant] ?? palette.ink : palette.card;
  if (ink.globalAlpha < 1) {
    ink.globalAlpha = 0.6;
    ink.fillStyle = palette.ink;
  }
  const wide = words(ink, name, box.x + 6, middle, box.width - 12);
  if (!ask || ask.leaves || box.height < 16) return;
  const size = amounts(ask.resources);
  if (wide + ink.measureText(size).width + 26 > box.width) return;
  ink.textAlign = "right";
  ink.fillText(size, box.x + box.width - 6, middle);
  ink.textAlign = "left";
}

function paintEdge(ink: Ink, look: Look, box: Box, node: NodeModel) {
  const { palette, layout, lit } = look;
  const small = layout.size === "small";
  if (!small) edge(ink, box, palette.line, 1, []);
  for (const { inset, colour, width, dash } of framesOf(node, lit?.node(node) ?? false, small)) {
    edge(ink, { x: box.x + inset, y: box.y + inset, width: box.width - 2 * inset, height: box.height - 2 * inset }, palette[colour], width, [...dash]);
  }
}

/** A frame just inside of a box. */
function edge(ink: Ink, box: Box, colour: string, width: number, dash: number[]) {
  ink.strokeStyle = colour;
  ink.lineWidth = width;
  ink.setLineDash(dash);
  ink.beginPath();
  ink.roundRect(box.x + width / 2, box.y + width / 2, box.width - width, box.height - width, width > 1.5 || box.width > 50 ? 5 : 1);
  ink.stroke();
  ink.setLineDash([]);
}

function paintHead(ink: Ink, look: Look, box: Box, node: NodeModel) {
  const { palette, layout } = look;
  const large = layout.size === "large";
  const line = box.y + (large ? 13 : headOf(layout) / 2 + 1);
  const pad = large ? 8 : 5;
  ink.textBaseline = "middle";
  ink.font = `${large ? "600 13px" : "11px"} ${palette.sans}`;
  ink.fillStyle = palette.ink;
  const use = share(useOf(node, look.type));
  const right = ink.measureText(use).width + 6;
  const room = box.width - 2 * pad;
  // The height of the blocks says as much as the number does; nothing else says the name.
  const both = large || ink.measureText(node.id).width + right <= room;
  if (both) {
    ink.textAlign = "right";
    ink.fillText(use, box.x + box.width - pad, line);
    ink.textAlign = "left";
  }
  words(ink, node.id, box.x + pad, line, both ? room - right : room);
  if (!large) return;
  ink.font = `11px ${palette.sans}`;
  paintSecond(ink, palette, node, { x: box.x + pad, y: box.y + 28, room: box.width - 2 * pad });
}

/** Below the name: what the node has, and what is special about it; the latter alone where only one has room. */
function paintSecond(ink: Ink, palette: Palette, node: NodeModel, { x, y, room }: { x: number; y: number; room: number }) {
  const state = stateOf(node);
  const capacity = amounts(node.capacity);
  const wide = ink.measureText(state).width;
  if (state) {
    ink.fillStyle = palette.ink;
    const both = wide + ink.measureText(capacity).width + 10 <= room;
    words(ink, state, both ? x + room - wide : x, y, room);
    if (!both) return;
  }
  ink.fillStyle = palette.mute;
  words(ink, capacity, x, y, room);
}

function stateOf(node: NodeModel): string {
  const held = [node.kept !== undefined && `kept for ${node.kept}`, node.reserved !== undefined && `reserved for ${node.reserved}`].filter(Boolean);
  return held.length > 0 ? held.join("; ") : node.schedulable ? "" : "drained";
}

/** Writes what fits of a text, and returns how wide that is. */
function words(ink: Ink, text: string, x: number, y: number, room: number): number {
  let said = text;
  let wide = ink.measureText(said).width;
  while (wide > room && said.length > 1) {
    const keep = Math.min(said.length - 1, Math.max(1, Math.floor((said.length * room) / wide)));
    said = `${said.slice(0, keep).replace(/…$/, "").slice(0, -1)}…`;
    wide = ink.measureText(said).width;
    if (said === "…") break;
  }
  if (wide <= room) ink.fillText(said, x, y);
  return Math.min(wide, room);
}
