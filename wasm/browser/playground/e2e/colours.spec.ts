import { expect, test, type Page } from "@playwright/test";
import { audit, open, still } from "./page";

const legend = (page: Page) => page.getByRole("list", { name: /^Legend/ });

/** A sum over all pixels of the nodes: it differs where a colour does. */
function colours(page: Page): Promise<string> {
  return page.locator(".grid-canvas").evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    let sum = 0;
    for (const value of data) sum = (Math.imul(sum, 31) + value) >>> 0;
    return String(sum);
  });
}

test("the nodes are coloured by application, queue, priority or use, and the legend says what the colours mean", async ({ page }) => {
  await open(page, "#lesson=thousand");
  await page.getByRole("slider", { name: "Moment" }).evaluate((slider: HTMLInputElement) => {
    slider.value = String(Number(slider.max) * 0.3);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    slider.dispatchEvent(new Event("change", { bubbles: true }));
  });
  await expect(legend(page).getByRole("button").first()).toBeVisible({ timeout: 30_000 });
  await still(page);
  const seen = new Set([await colours(page)]);
  const choose = async (by: string) => {
    await page.getByRole("combobox", { name: "Colour by" }).selectOption({ label: by });
    await still(page);
    seen.add(await colours(page));
  };
  await choose("By queue");
  await legend(page).getByRole("button", { name: /^root\.batch/ }).click();
  await expect(page.getByRole("region", { name: "Inspector" }).getByText("root.batch").first()).toBeVisible();
  await legend(page).getByRole("button", { name: /^root\.batch/ }).click();
  await choose("By priority");
  await expect(legend(page).getByText("priority 10")).toBeVisible();
  await choose("By use");
  await expect(legend(page).getByText("90% full and more")).toBeVisible();
  await audit(page, "colours by use");
  expect(seen.size).toBe(4);
});
