import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Empty } from "../ui/panel";

/** A policy, written and tried in the page. Editor and compiler come when they are wanted. */
export function PolicyView() {
  const [Workbench, setWorkbench] = useState<ComponentType>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    import("./workbench").then((module) => setWorkbench(() => module.Workbench), () => setFailed(true));
  }, []);
  if (Workbench) return <Workbench />;
  return <Empty>{failed ? "The editor could not be loaded. Check the connection, and open this view again." : "Loading the editor…"}</Empty>;
}
