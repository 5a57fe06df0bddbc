import { Share } from "./share/share";
import { title, view, views, type View } from "./state/store";
import { IconButton } from "./ui/button";
import { Header } from "./ui/header";
import { helpOpen } from "./ui/help";
import { addressOf } from "./ui/route";
import { Search } from "./ui/search";

const names: Record<View, string> = { cluster: "Cluster", configure: "Configure", compare: "Compare", scenarios: "Scenarios", learn: "Learn" };

export function PageHeader() {
  return (
    <Header page="playground" title={title.value} views={views.map((name) => ({ name: names[name], address: addressOf(name), current: name === view.value }))}
      tools={<><Search /><Share /></>} last={<IconButton icon="help" label="Help: words and keys" onClick={() => (helpOpen.value = true)} />} />
  );
}
