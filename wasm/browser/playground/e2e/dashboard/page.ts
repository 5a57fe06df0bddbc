import { expect, type Page } from "@playwright/test";
import type { Host } from "./host";

export const viewNames = ["Overview", "Queues", "Applications", "Asks", "Gangs", "Nodes", "Decisions", "Time line", "Policies", "Configuration"] as const;

/** Opens the dashboard of a host, and waits until it hears of it. */
export async function openAt(page: Page, { address }: Host, fragment = "") {
  await page.goto(address + fragment);
  await expect(page.getByRole("status").getByText("Live")).toBeVisible({ timeout: 20_000 });
}

/** Goes to a view by its link in the header. */
export async function show(page: Page, view: (typeof viewNames)[number]) {
  const link = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view, exact: true });
  await link.click();
  await expect(link).toHaveAttribute("aria-current", "page");
}
