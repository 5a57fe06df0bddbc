import "./header.css";
import type { ComponentChildren } from "preact";
import { Mark, type IconName } from "./icons";
import { Menu } from "./menu";
import { setTheme, theme, themes, type Theme } from "./theme";

interface HeaderProps {
  /** What of Quern the page is. */
  readonly page: string;
  readonly title?: string;
  readonly views: readonly { readonly name: string; readonly address: string; readonly current: boolean }[];
  /** At the right, before the theme. */
  readonly tools?: ComponentChildren;
  /** Behind it. */
  readonly last?: ComponentChildren;
}

/** The name of the page, its views, and what is there in all of them. */
export function Header({ page, title, views, tools, last }: HeaderProps) {
  return (
    <header class="header">
      <div class="header-brand">
        <Mark />
        <p class="header-name">Quern <span>{page}</span></p>
        {title && <p class="header-title" title={title}>{title}</p>}
      </div>
      <nav class="header-views" aria-label="Views">
        {views.map(({ name, address, current }) => <a key={name} href={address} aria-current={current ? "page" : undefined}>{name}</a>)}
      </nav>
      <div class="header-tools">
        {tools}
        <ThemeMenu />
        {last}
      </div>
    </header>
  );
}

const themeNames: Record<Theme, string> = { auto: "System", light: "Light", dark: "Dark" };
const themeIcons: Record<Theme, IconName> = { auto: "auto", light: "sun", dark: "moon" };

function ThemeMenu() {
  return (
    <Menu label="Theme" icon={themeIcons[theme.value]}
      items={themes.map((name) => ({ text: themeNames[name], icon: themeIcons[name], checked: name === theme.value, onPick: () => setTheme(name) }))} />
  );
}
