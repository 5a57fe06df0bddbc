import "./swatch.css";
import { colourBy } from "./colour-by";
import { hueOf, type Hue } from "./colours";

/** How an application is drawn, on the grid and beside its name; nothing while the colours mean something else. */
export function Swatch({ app }: { readonly app: string }) {
  return colourBy.value === "application" ? <HueSwatch hue={hueOf(app)} /> : null;
}

export function HueSwatch({ hue: { colour, variant } }: { readonly hue: Hue }) {
  return <i class={`grid-swatch grid-swatch-${variant}`} style={{ "--hue": `var(--c${colour + 1})` }} />;
}
