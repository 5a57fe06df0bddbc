import { expect, test, type Page } from "@playwright/test";
import { needsProgram, smallCluster } from "./host";
import { openAt, show } from "./page";

needsProgram();

const small = smallCluster();

/** Has the host answer a question with an error. */
const fail = (page: Page, path: string) => page.route(`**/${path}`, (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body: '{"title":"Internal Server Error"}' }));

test("what the page could not read is not called free of problems", async ({ page }) => {
  await fail(page, "v1/policies");
  await openAt(page, small.host);
  const attention = page.getByRole("region", { name: "Needs attention" });
  await expect(attention.getByText("Not known, because the page could not read the policies: Internal Server Error")).toBeVisible();
  await expect(attention.getByText("No problems")).toHaveCount(0);
  await page.unroute("**/v1/policies");
  await page.reload();
  await expect(attention.getByText("Not known")).toHaveCount(0);
});

test("queues that could not be read are neither empty nor loading", async ({ page }) => {
  await fail(page, "v1/queues?*");
  await openAt(page, small.host);
  await expect(page.getByRole("region", { name: "Needs attention" }).getByText("could not read the queues")).toBeVisible();
  await expect(page.getByRole("region", { name: "Waiting asks" }).getByText("Not known: the page could not read the queues.")).toBeVisible();
  await expect(page.getByText("No problems")).toHaveCount(0);
});

test("decisions that the page cannot follow are not called none", async ({ page }) => {
  await page.route("**/v1/decisions?*", (route) => route.abort());
  await page.goto(small.host.address);
  await expect(page.getByRole("region", { name: "Last decisions" }).getByText("Not known: the page is not connected to the host.")).toBeVisible();
  await show(page, "Decisions");
  await expect(page.getByRole("main").getByText("Not known: the page is not connected to the host.")).toBeVisible();
  await expect(page.getByText(/no decisions? yet/i)).toHaveCount(0);
});

test("a configuration that could not be read has no history and no changes", async ({ page }) => {
  await fail(page, "v1/config/history");
  await openAt(page, small.host, "#/configuration");
  await expect(page.getByRole("region", { name: "History" }).getByText("Not known: the page could not read the configuration.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Changes" }).getByText("Not known: the page could not read the configuration.")).toBeVisible();
  await expect(page.getByText("No configuration has been applied yet")).toHaveCount(0);
});

test("a file that is dropped where none is taken does not replace the page", async ({ page }) => {
  await openAt(page, small.host);
  expect(await page.evaluate(() => ["dragover", "drop"].map((type) => {
    const data = new DataTransfer();
    data.items.add(new File(["x"], "x.wasm"));
    return document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }))).toEqual([false, false]);
});
