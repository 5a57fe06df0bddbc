import { expect, test, type Page } from "@playwright/test";
import { complaints, open, show, viewNames } from "./page";

const tree = (page: Page) => page.getByRole("tree", { name: "Queues and applications" });

async function add(page: Page, what: string) {
  await page.getByRole("region", { name: "Queues" }).getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("menuitem", { name: new RegExp(`^${what}`) }).click();
}

test("the views follow their links, the address and the number keys", async ({ page }) => {
  const found = complaints(page);
  await open(page);
  for (const name of viewNames) await show(page, name);
  await page.goBack();
  await expect(page.getByRole("link", { name: "Scenarios" })).toHaveAttribute("aria-current", "page");
  await page.keyboard.press("1");
  await expect(tree(page)).toBeVisible();
  await expect(page).toHaveURL(/#lesson=first-steps$/);
  expect(found).toEqual([]);
});

test("the theme is chosen, and kept for the next visit", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await open(page);
  const html = page.locator("html");
  await expect(html).toHaveAttribute("data-theme", "light");
  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(html).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(html).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "Theme" }).click();
  await page.getByRole("menuitemradio", { name: "System" }).click();
  await expect(html).toHaveAttribute("data-theme", "light");
});

test("nodes, an application and its asks come by hand, and the tree and the stream show what became of them", async ({ page }) => {
  await open(page);
  await page.keyboard.press("End");
  await add(page, "Nodes…");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("fresh{}");
  await dialog.getByLabel("How many").fill("2");
  await dialog.getByRole("button", { name: "Add 2 nodes" }).click();
  await expect(dialog).toBeHidden();
  const stream = page.getByRole("region", { name: "Decisions" });
  await expect(stream).toContainText("fresh2");

  await add(page, "An application…");
  await dialog.getByLabel("ID", { exact: true }).fill("mine");
  await dialog.getByLabel("How many").fill("2");
  await dialog.getByRole("button", { name: "Submit" }).click();
  await expect(dialog).toBeHidden();
  await expect(tree(page).getByRole("treeitem", { name: /^mine, \w+, 2 allocated, 0 pending/ })).toBeVisible();
  await expect(stream).toContainText("mine-ask-2");

  await tree(page).getByRole("treeitem", { name: /^mine,/ }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Add asks…" }).click();
  await expect(dialog.getByLabel("Application")).toHaveValue("mine");
  await dialog.getByRole("group", { name: "Resources of each" }).getByLabel("vcore").fill("5000");
  await dialog.getByRole("button", { name: "Add 1 ask" }).click();
  await expect(tree(page).getByRole("treeitem", { name: /^mine, \w+, 2 allocated, 1 pending/ })).toBeVisible();

  await add(page, "Remove or release…");
  await dialog.getByLabel("ID of an application or an ask").fill("mine");
  await dialog.getByRole("button", { name: "Remove the application" }).click();
  await expect(tree(page).getByRole("treeitem", { name: /^mine, Completed/ })).toBeVisible();
});

test("a form says in place what is wrong, and keeps what was written", async ({ page }) => {
  await open(page);
  await add(page, "Nodes…");
  const dialog = page.getByRole("dialog");
  const capacity = dialog.getByRole("group", { name: "Capacity of each" });
  await capacity.getByLabel("memory").fill("1.5");
  await dialog.getByRole("button", { name: "Add 1 node" }).click();
  await expect(dialog).toContainText("Expected a whole number of bytes, found “1.5”.");
  await expect(capacity.getByLabel("memory")).toHaveValue("1.5");
  await capacity.getByLabel("memory").fill("1Gi");
  await expect(dialog).not.toContainText("Found");
  await dialog.getByRole("button", { name: "Add 1 node" }).click();
  await expect(dialog).toBeHidden();
});

test("a node is drained and resumed", async ({ page }) => {
  await open(page);
  const stream = page.getByRole("region", { name: "Decisions" });
  await add(page, "Nodes…");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("spare");
  await dialog.getByRole("button", { name: "Add 1 node" }).click();
  await expect(stream).toContainText("spare");
  await add(page, "Drain, resume or remove a node…");
  await dialog.getByLabel("Node", { exact: true }).fill("spare");
  await expect(dialog).toContainText("In service, with 0 allocations.");
  await dialog.getByRole("button", { name: "Drain the node" }).click();
  await expect(dialog).toBeHidden();
  await add(page, "Drain, resume or remove a node…");
  await dialog.getByLabel("Node", { exact: true }).fill("spare");
  await expect(dialog).toContainText("Drained, with 0 allocations.");
});

test("a workload comes from a seed", async ({ page }) => {
  await open(page);
  await page.keyboard.press("End");
  await add(page, "A workload…");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Applications a minute").fill("6");
  await dialog.getByLabel("For minutes").fill("5");
  await dialog.getByRole("button", { name: "Add 30 applications" }).click();
  await expect(dialog).toBeHidden();
  await page.keyboard.press("End");
  await expect(page.getByRole("region", { name: "Decisions" })).toContainText(/w\d+-\d+/);
});

test("the tree is walked by keys", async ({ page }) => {
  await open(page);
  await page.keyboard.press("End");
  const root = tree(page).getByRole("treeitem").first();
  await root.focus();
  const level = () => page.evaluate(() => document.activeElement?.getAttribute("aria-level"));
  await page.keyboard.press("ArrowRight");
  expect(await level()).toBe("2");
  await page.keyboard.press("End");
  await page.keyboard.press("Home");
  await expect(root).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(root).toHaveAttribute("aria-expanded", "false");
  await expect(tree(page).getByRole("treeitem")).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(root).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Shift+F10");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(root).toBeFocused();
});

test("the search finds by ID, and picks", async ({ page }) => {
  await open(page);
  await page.keyboard.press("/");
  const box = page.getByRole("combobox", { name: "Find a queue, application, ask or node" });
  await expect(box).toBeFocused();
  await box.fill("root");
  await expect(page.getByRole("option").first()).toContainText("root");
  await page.keyboard.press("Enter");
  await expect(tree(page).getByRole("treeitem").first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("/");
  await box.fill("nothing-like-it");
  await expect(page.getByRole("search")).toContainText("Nothing has");
  await box.fill("roott");
  await expect(page.getByRole("search")).toContainText("Nothing has “roott” in its ID. Did you mean:");
  await page.getByRole("option", { name: "root queue" }).click();
  await expect(page.getByRole("heading", { name: "Queue root", exact: true })).toBeVisible();
});

test("the keys of the page are listed, and do nothing while something is typed", async ({ page }) => {
  await open(page);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Help" })).toContainText("Play or pause");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await page.getByRole("combobox", { name: /Find/ }).fill("");
  await page.keyboard.type("2");
  await expect(tree(page)).toBeVisible();
});

test("a window of any width has no sideways scrolling", async ({ page }) => {
  await open(page);
  for (const width of [360, 600, 720, 900, 1100, 1440, 2560]) {
    await page.setViewportSize({ width, height: 800 });
    for (const name of viewNames) {
      await show(page, name);
      const wide = await page.evaluate(() => [document.documentElement, document.querySelector("main")].some((box) => box !== null && box.scrollWidth > box.clientWidth + 1));
      expect(wide, `${name} at ${width}`).toBe(false);
    }
  }
});

test("without WebAssembly the page says so", async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "WebAssembly"));
  await page.goto("./");
  await expect(page.getByRole("heading", { name: "This browser cannot run the scheduler" })).toBeVisible();
});

test("a scheduler that does not arrive is told of, with what to do", async ({ page }) => {
  await page.route("**/core.wasm.gz", (route) => route.abort());
  await page.goto("./");
  await expect(page.getByRole("heading", { name: "The scheduler could not be loaded" })).toBeVisible();
  await page.unroute("**/core.wasm.gz");
  await page.getByRole("button", { name: "Load again" }).click();
  await expect(tree(page)).toBeVisible();
});

test("a scheduler that is still being compiled is waited for", async ({ page }) => {
  let made = false;
  await page.route("**/core.wasm.gz", (route) => made ? route.continue()
    : route.fulfill({ status: 503, headers: { "Retry-After": "1" }, contentType: "text/plain; charset=utf-8", body: "core.wasm.gz is still being compiled\n" }));
  await page.goto("./");
  await expect(page.getByText("Waiting for the scheduler: core.wasm.gz is still being compiled")).toBeVisible();
  made = true;
  await expect(tree(page)).toBeVisible();
});

test("a program that was compiled without the scheduler says how to get it", async ({ page }) => {
  await page.route("**/core.wasm.gz", (route) => route.fulfill({ status: 404, contentType: "text/plain; charset=utf-8", body: "this program was compiled without core.wasm.gz; make build compiles one with it\n" }));
  await page.goto("./");
  await expect(page.getByRole("heading", { name: "The scheduler could not be loaded" })).toBeVisible();
  await expect(page.getByText("make build compiles one with it")).toBeVisible();
});

test("a runner of features that is still being compiled is waited for", async ({ page }) => {
  let made = false;
  await page.route("**/features.wasm.gz", (route) => made ? route.continue()
    : route.fulfill({ status: 503, headers: { "Retry-After": "1" }, contentType: "text/plain; charset=utf-8", body: "features.wasm.gz is still being compiled\n" }));
  await page.goto("./#/scenarios");
  await expect(page.getByText("Waiting for the runner of features: features.wasm.gz is still being compiled")).toBeVisible();
  made = true;
  await expect(page.getByRole("button", { name: "Run all" })).toBeEnabled();
});

test("the session is moved by keys", async ({ page }) => {
  await open(page);
  const moment = page.getByRole("slider", { name: "Moment" });
  await page.keyboard.press("End");
  await expect(moment).toHaveAttribute("aria-valuetext", /^(?!0s of)/);
  await page.keyboard.press("Home");
  await expect(moment).toHaveAttribute("aria-valuetext", /^0s of/);
  const decisions = page.getByTitle("Decisions so far");
  const before = await decisions.textContent();
  await page.keyboard.press("ArrowRight");
  await expect(decisions).not.toHaveText(before ?? "");
  await page.keyboard.press("ArrowLeft");
  await expect(decisions).toHaveText(before ?? "");
  await page.keyboard.press(" ");
  await expect(page.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await page.keyboard.press(" ");
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
});

test("in a frame of another page there is the cluster alone", async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 560 });
  await open(page, "#embed=1");
  await expect(tree(page)).toBeVisible();
  await expect(page.getByRole("region", { name: "Decisions" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Views" })).toBeHidden();
});
