import "./swatch.css";
import { hueOf } from "./colours";

/** How an application is drawn, on the grid and beside its name. */
export function Swatch({ app }: { readonly app: string }) {
  const { colour, variant } = hueOf(app);
  return <i class={`grid-swatch grid-swatch-${variant}`} style={{ "--hue": `var(--c${colour + 1})` }} />;
}
