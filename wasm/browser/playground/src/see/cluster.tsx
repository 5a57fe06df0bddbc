import "./cluster.css";
import { useState } from "preact/hooks";
import { Lesson } from "../learn/lesson";
import { open } from "../learn/open";
import { Forms } from "../play/forms";
import { Transport } from "../play/transport";
import { embedded } from "../share/link";
import { Tabs } from "../ui/tabs";
import { Inspector } from "../why/inspector";
import { Grid } from "./grid";
import { Stream } from "./stream";
import { Timelines } from "./timelines";
import { Tree } from "./tree";

type Section = "lesson" | "tree" | "grid" | "side" | "time" | "stream";

const sections: readonly { readonly value: Section; readonly text: string }[] = [
  { value: "tree", text: "Queues" }, { value: "grid", text: "Nodes" }, { value: "side", text: "Inspector" }, { value: "time", text: "Time" }, { value: "stream", text: "Decisions" },
];
const withLesson: typeof sections = [{ value: "lesson", text: "Lesson" }, ...sections];

/** All panels about what runs. On a narrow screen one of them shows at a time. */
export function ClusterView() {
  const lesson = open.value !== undefined && !embedded;
  const [chosen, choose] = useState<Section>(lesson ? "lesson" : "tree");
  const section = chosen === "lesson" && !lesson ? "tree" : chosen;
  return (
    <div class={lesson ? "cluster cluster-taught" : "cluster"} data-section={section}>
      <div class="cluster-sections"><Tabs label="Panels" value={section} tabs={lesson ? withLesson : sections} onChange={choose} /></div>
      <div class="cluster-tree"><Tree /></div>
      <div class="cluster-grid"><Grid /></div>
      <div class="cluster-time"><Timelines /></div>
      <div class="cluster-stream"><Stream /></div>
      <div class="cluster-side"><Lesson /><Inspector /></div>
      <div class="cluster-transport"><Transport /></div>
      <Forms />
    </div>
  );
}
