/** The canvas of the grid: it knows what it has drawn, and draws again only what has changed since. */

import type { Model, NodeModel } from "../model/model";
import type { Groups } from "./colour-by";
import type { Palette } from "./colours";
import { blocksOf, type Block } from "./grid-blocks";
import { bodyOf, boxOf, indexAt, layOut, layOutRacks, type Box, type Layout } from "./grid-layout";
import type { Lit } from "./grid-lit";
import { paintRack, paintTile, type Look } from "./grid-paint";
import { byDomain, type Levels } from "./racks";
import { makeTextures, type Textures } from "./grid-textures";

/** What to draw beside the nodes. A part that is the same object as before has not changed. */
interface Scene {
  readonly model: Model;
  readonly type: string;
  readonly groups: Groups;
  readonly lit: Lit | undefined;
  readonly crossed: boolean;
  readonly palette: Palette;
  /** Undefined: the nodes stand in the order in which they were added. */
  readonly levels: Levels | undefined;
}

interface Tile {
  readonly node: NodeModel;
  readonly version: number;
  readonly blocks: readonly Block[];
  /** From which the domain of the node follows. */
  readonly attributes: NodeModel["attributes"];
}

export interface Spot {
  readonly index: number;
  readonly node: NodeModel;
  readonly block: Block | undefined;
}

function same(a: Scene, b: Scene): boolean {
  return a.model === b.model && a.type === b.type && a.groups === b.groups && a.lit === b.lit && a.crossed === b.crossed && a.palette === b.palette && a.levels === b.levels;
}

/** What was found of a node before holds for as long as its version does. */
function tileOf(node: NodeModel, { type, groups }: Scene, before?: Tile): Tile {
  if (before?.node === node && before.version === node.version) return before;
  return { node, version: node.version, blocks: blocksOf(node, type, groups), attributes: node.attributes };
}

export class GridCanvas {
  readonly #canvas: HTMLCanvasElement;
  readonly #ink: CanvasRenderingContext2D;
  #width = 0;
  #height = 0;
  #ratio = 1;
  #layout: Layout = layOut(0, 1, 1);
  #tiles: Tile[] = [];
  #last: Scene | undefined;
  #textures: Textures | undefined;

  constructor(canvas: HTMLCanvasElement) {
    const ink = canvas.getContext("2d");
    if (!ink) throw new Error("this browser draws no canvas");
    this.#canvas = canvas;
    this.#ink = ink;
  }

  get layout(): Layout {
    return this.#layout;
  }

  get count(): number {
    return this.#tiles.length;
  }

  /** The room for the tiles, in CSS pixels. */
  resize(width: number, height: number, ratio: number) {
    if (width === this.#width && height === this.#height && ratio === this.#ratio) return;
    this.#width = width;
    this.#height = height;
    this.#ratio = ratio;
    this.#last = undefined;
  }

  /** Returns how many tiles were drawn. */
  draw(scene: Scene): number {
    if (this.#width < 1 || this.#height < 1) return 0;
    const last = this.#last;
    this.#last = scene;
    if (last?.palette !== scene.palette) this.#textures = makeTextures(scene.palette, this.#ratio);
    return last && same(last, scene) && this.#sameNodes(scene) ? this.#drawChanged(scene) : this.#drawAll(scene, last?.type === scene.type && last.groups === scene.groups);
  }

  boxAt(index: number): Box | undefined {
    return index < this.#tiles.length ? boxOf(this.#layout, index) : undefined;
  }

  nodeAt(index: number): NodeModel | undefined {
    return this.#tiles[index]?.node;
  }

  indexOf(id: string): number {
    return this.#tiles.findIndex((tile) => tile.node.id === id);
  }

  /** What is at a place of the canvas. */
  at(x: number, y: number): Spot | undefined {
    const index = indexAt(this.#layout, this.#tiles.length, x, y);
    const tile = index === undefined ? undefined : this.#tiles[index];
    if (index === undefined || !tile) return undefined;
    const body = bodyOf(this.#layout, boxOf(this.#layout, index));
    const height = 1 - (y - body.y) / body.height;
    const inside = x >= body.x && x <= body.x + body.width;
    return { index, node: tile.node, block: inside ? tile.blocks.find((block) => height >= block.from && height < block.to) : undefined };
  }

  /** Reports whether the tiles stand for the nodes that there are, each where it belongs. */
  #sameNodes({ model, levels }: Scene): boolean {
    if (model.nodes.size !== this.#tiles.length) return false;
    return this.#tiles.every(({ node, attributes }) => model.nodes.get(node.id) === node && (!levels || node.attributes === attributes));
  }

  #drawAll(scene: Scene, sameBlocks: boolean): number {
    const racks = scene.levels && byDomain(scene.model.nodes.values(), scene.levels);
    const nodes = racks ? racks.flatMap((rack) => rack.nodes) : [...scene.model.nodes.values()];
    this.#layout = racks && racks.length > 0 ? layOutRacks(racks.map((rack) => rack.nodes.length), this.#width, this.#height) : layOut(nodes.length, this.#width, this.#height);
    this.#fit(Math.max(this.#layout.total, 1));
    const look = this.#look(scene);
    this.#layout.racks?.forEach((rack, i) => paintRack(this.#ink, look, rack, racks?.[i]?.name ?? ""));
    const before = new Map(sameBlocks ? this.#tiles.map((tile) => [tile.node, tile]) : []);
    this.#tiles = nodes.map((node) => tileOf(node, scene, before.get(node)));
    this.#tiles.forEach((tile, i) => paintTile(this.#ink, look, boxOf(this.#layout, i), tile.node, tile.blocks));
    return nodes.length;
  }

  #drawChanged(scene: Scene): number {
    const look = this.#look(scene);
    let drawn = 0;
    for (const [i, tile] of this.#tiles.entries()) {
      const { node } = tile;
      if (tile.version === node.version) continue;
      const now = tileOf(node, scene);
      this.#tiles[i] = now;
      paintTile(this.#ink, look, boxOf(this.#layout, i), node, now.blocks);
      drawn++;
    }
    return drawn;
  }

  /** Sets the canvas to a height, and clears it. */
  #fit(height: number) {
    const canvas = this.#canvas;
    const [wide, high] = [Math.round(this.#width * this.#ratio), Math.round(height * this.#ratio)];
    if (canvas.width === wide && canvas.height === high) {
      this.#ink.clearRect(0, 0, this.#width, height);
      return;
    }
    canvas.width = wide;
    canvas.height = high;
    canvas.style.width = `${this.#width}px`;
    canvas.style.height = `${height}px`;
    this.#ink.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
  }

  #look(scene: Scene): Look {
    this.#textures ??= makeTextures(scene.palette, this.#ratio);
    return { palette: scene.palette, textures: this.#textures, layout: this.#layout, ratio: this.#ratio, type: scene.type, lit: scene.lit, crossed: scene.crossed };
  }
}
