/** Light, dark, or as the system has it; kept from visit to visit where the browser allows it. */

import { computed, effect, signal } from "@preact/signals";

export const themes = ["auto", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const key = "quern-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(system.matches);

export const theme = signal<Theme>(kept());
/** What shows in the end. Canvases read the colours again when it changes. */
export const dark = computed(() => (theme.value === "auto" ? systemDark.value : theme.value === "dark"));

/** Has the page follow the theme from now on. */
export function followTheme() {
  system.addEventListener("change", () => (systemDark.value = system.matches));
  effect(() => {
    document.documentElement.dataset.theme = dark.value ? "dark" : "light";
  });
}

export function setTheme(next: Theme) {
  theme.value = next;
  try {
    localStorage.setItem(key, next);
  } catch {
    // A browser that keeps nothing for the page: the theme lasts for this visit.
  }
}

function kept(): Theme {
  try {
    return themes.find((name) => name === localStorage.getItem(key)) ?? "auto";
  } catch {
    return "auto";
  }
}
