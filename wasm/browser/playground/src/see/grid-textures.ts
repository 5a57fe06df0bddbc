/** Fills that carry a meaning without a colour: lines for what is drained or leaves, stripes and dots to tell applications apart. */

import type { Palette } from "./colours";

export interface Textures {
  readonly drained: CanvasPattern | string;
  readonly leaving: CanvasPattern | string;
  /** By variant of a hue; the first one is plain. */
  readonly variants: readonly (CanvasPattern | string)[];
}

export function makeTextures(palette: Palette, ratio: number): Textures {
  return {
    drained: texture(ratio, 7, (ink) => slash(ink, 7, palette.mute, 1)),
    leaving: texture(ratio, 8, (ink) => {
      slash(ink, 8, palette.card, 3.4);
      slash(ink, 8, palette.ink, 1.4);
    }),
    variants: ["transparent", texture(ratio, 6, (ink) => line(ink, palette.ink)), texture(ratio, 6, (ink) => dot(ink, palette.card))],
  };
}

/** A pattern of squares with this many CSS pixels to a side. */
function texture(ratio: number, side: number, draw: (ink: CanvasRenderingContext2D) => void): CanvasPattern | string {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.round(side * ratio);
  const ink = canvas.getContext("2d");
  if (!ink) return "transparent";
  const scale = canvas.width / side;
  ink.scale(scale, scale);
  draw(ink);
  const pattern = ink.createPattern(canvas, "repeat");
  pattern?.setTransform(new DOMMatrix().scale(1 / scale));
  return pattern ?? "transparent";
}

/** A line from corner to corner, with what its neighbours bring into this square. */
function slash(ink: CanvasRenderingContext2D, side: number, colour: string, width: number) {
  ink.strokeStyle = colour;
  ink.lineWidth = width;
  ink.beginPath();
  for (const shift of [-side, 0, side]) {
    ink.moveTo(shift - 1, side + 1);
    ink.lineTo(shift + side + 1, -1);
  }
  ink.stroke();
}

function line(ink: CanvasRenderingContext2D, colour: string) {
  ink.globalAlpha = 0.28;
  ink.fillStyle = colour;
  ink.fillRect(0, 0, 1.2, 6);
}

function dot(ink: CanvasRenderingContext2D, colour: string) {
  ink.globalAlpha = 0.5;
  ink.fillStyle = colour;
  ink.fillRect(1, 1, 1.6, 1.6);
  ink.fillRect(4, 4, 1.6, 1.6);
}
