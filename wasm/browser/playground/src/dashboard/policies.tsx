import { Empty, Panel } from "../ui/panel";

export function Policies() {
  return <Panel title="Policies"><Empty>…</Empty></Panel>;
}
