import type { Picked } from "../why/around";
import { addressOfPicked } from "./route";

/** The name of something, as a link to it. */
export function Name({ kind, id, label }: Picked & { readonly label?: string }) {
  return <a href={addressOfPicked({ kind, id })} title={label && id}>{label ?? broken(id)}</a>;
}

/** A path may break behind its dots. */
function broken(id: string) {
  return id.split(".").flatMap((name, i) => (i === 0 ? [name] : [".", <wbr key={i} />, name]));
}
