import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Empty } from "../../ui/panel";

/** The editor of the configuration. It is as big as the rest of the page, so it comes when it is wanted. */
export function Configuration() {
  const [Workbench, setWorkbench] = useState<ComponentType>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    import("./workbench").then((module) => setWorkbench(() => module.Workbench), () => setFailed(true));
  }, []);
  if (Workbench) return <Workbench />;
  return <Empty>{failed ? "The editor could not be loaded. Check the connection, and open this view again." : "Loading the editor…"}</Empty>;
}
