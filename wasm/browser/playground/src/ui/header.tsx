import "./header.css";
import { Share } from "../share/share";
import { title, view, views, type View } from "../state/store";
import { IconButton } from "./button";
import { helpOpen } from "./help";
import { Mark, type IconName } from "./icons";
import { Menu } from "./menu";
import { addressOf } from "./route";
import { Search } from "./search";
import { setTheme, theme, themes, type Theme } from "./theme";

const names: Record<View, string> = { cluster: "Cluster", configure: "Configure", compare: "Compare", scenarios: "Scenarios", learn: "Learn" };
const themeNames: Record<Theme, string> = { auto: "As the system", light: "Light", dark: "Dark" };
const themeIcons: Record<Theme, IconName> = { auto: "auto", light: "sun", dark: "moon" };

export function Header() {
  return (
    <header class="header">
      <div class="header-brand">
        <Mark />
        <h1>Quern <span>playground</span></h1>
        {title.value && <p title={title.value}>{title.value}</p>}
      </div>
      <nav class="header-views" aria-label="Views">
        {views.map((name) => <a key={name} href={addressOf(name)} aria-current={name === view.value ? "page" : undefined}>{names[name]}</a>)}
      </nav>
      <div class="header-tools">
        <Search />
        <Share />
        <Menu label="Theme" icon={themeIcons[theme.value]}
          items={themes.map((name) => ({ text: themeNames[name], icon: themeIcons[name], checked: name === theme.value, onPick: () => setTheme(name) }))} />
        <IconButton icon="help" label="Help: words and keys" onClick={() => (helpOpen.value = true)} />
      </div>
    </header>
  );
}
