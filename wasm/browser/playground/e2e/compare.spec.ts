import { expect, test, type Page } from "@playwright/test";
import { cutModule, endlessModule, forbiddenModule, goodModule } from "./compare-modules";

type ModuleFile = ReturnType<typeof goodModule>;

async function opened(page: Page): Promise<void> {
  await page.goto("./#/compare");
  await expect(page.getByRole("heading", { name: "Compare policies" })).toBeVisible({ timeout: 30_000 });
}

async function choose(page: Page, ...files: ModuleFile[]): Promise<void> {
  await page.getByLabel("Module files").setInputFiles(files);
}

/** Drops a file as the browser does. */
async function drop(page: Page, { name, buffer }: ModuleFile): Promise<void> {
  const transfer = await page.evaluateHandle(({ name, bytes }) => {
    const data = new DataTransfer();
    data.items.add(new File([new Uint8Array(bytes)], name, { type: "application/wasm" }));
    return data;
  }, { name, bytes: [...buffer] });
  await page.locator(".compare-drop").dispatchEvent("drop", { dataTransfer: transfer });
}

const card = (page: Page, name: string) => page.getByRole("article", { name: `Module ${name}` });

test("a module that is dropped passes, is set up and acts in the cluster", async ({ page }) => {
  await opened(page);
  await drop(page, goodModule());
  const module = card(page, "tetris");
  await expect(module.getByText("Passed")).toBeVisible({ timeout: 30_000 });
  await module.getByText("What the gate and the trial found").click();
  await expect(module.getByText("15facabdb7f1d08cfbd357313cc99caeec1252aa6493c6b7ce7527db2414f4c9")).toBeVisible();
  await expect(module.getByRole("cell", { name: "929" })).toBeVisible();

  await module.getByLabel("weights").fill("vcore: 2000");
  await expect(module.getByText("Expected name: number, with commas between them, from 0 to 1000, found “vcore: 2000”.")).toBeVisible();
  await expect(module.getByRole("button", { name: "Use it in the cluster" })).toBeDisabled();
  await module.getByLabel("weights").fill("vcore: 2");
  await module.getByLabel("alignment").selectOption("cosine");
  await module.getByRole("button", { name: "Use it in the cluster" }).click();
  await module.getByRole("button", { name: "Name it for the whole tree" }).click();
  await page.goto("./#/configure");
  await expect(page.locator("body")).toContainText("type: tetris");
});

test("a broken module is refused with the reason and the place", async ({ page }) => {
  await opened(page);
  await choose(page, cutModule(), forbiddenModule(), { ...cutModule(), name: "notes.wasm", buffer: Buffer.from("not a module at all") });
  await expect(card(page, "cut").getByText("Refused")).toBeVisible({ timeout: 30_000 });
  await expect(card(page, "cut").getByText("truncated", { exact: true })).toBeVisible();
  await expect(card(page, "cut").getByText("byte 217 (0xd9)")).toBeVisible();
  await expect(card(page, "cut").getByText("section 10 says 6298 bytes, 3780 are left")).toBeVisible();
  await expect(card(page, "forbidden").getByText("forbidden-instruction", { exact: true })).toBeVisible();
  await expect(card(page, "forbidden").getByText(/^code section, function 4, byte \d+/)).toBeVisible();
  await expect(card(page, "notes").getByText("This is not WebAssembly")).toBeVisible();
});

test("an endless module is stopped by its fuel, and the page stays alive", async ({ page }) => {
  await opened(page);
  await choose(page, endlessModule());
  const frames = page.evaluate(() => new Promise<number>((resolve) => {
    let seen = 0;
    const next = () => (++seen < 30 ? requestAnimationFrame(next) : resolve(seen));
    next();
  }));
  await expect(card(page, "endless").getByText("Refused")).toBeVisible({ timeout: 30_000 });
  await expect(card(page, "endless").getByText("It failed its trial")).toBeVisible();
  await expect(card(page, "endless").getByText(/fuel/).first()).toBeVisible();
  expect(await frames).toBe(30);
});

test("fifo against fair: a verdict, figures with their range, and the first decision that differs opens in the cluster", async ({ page }) => {
  await opened(page);
  await page.getByRole("group", { name: "A", exact: true }).getByLabel("Applications in a queue").selectOption("fifo");
  await page.getByRole("group", { name: "B", exact: true }).getByLabel("Applications in a queue").selectOption("fair");
  await page.getByRole("button", { name: "Compare A with B" }).click();
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText(/Compared with A, B .+\. .*within the noise of 5 seeds\./, { timeout: 60_000 });
  await expect(verdict).toContainText("A difference counts where all 5 seeds agree on its direction.");
  await expect(verdict.getByRole("heading")).toBeFocused();
  const figures = page.getByRole("region", { name: "Figures of both runs" });
  await expect(figures.getByRole("row", { name: /^Wait, mean/ }).getByRole("cell").nth(0)).toContainText(/ to /);
  await expect(figures.getByText(/^(better|worse|within the noise|holds)$/).first()).toBeVisible();

  await expect(page.getByRole("group", { name: "A", exact: true })).toBeHidden();
  await expect(page.getByText("A generated workload, seeds 1 to 5. A: app.order fifo. B: app.order fair.")).toBeVisible();
  const fold = page.getByRole("button", { name: "Compare something else" });
  await expect(fold).toHaveAttribute("aria-expanded", "false");
  await fold.press("Enter");
  await expect(page.getByRole("group", { name: "A", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Hide the form" }).press("Enter");
  await expect(page.getByRole("group", { name: "A", exact: true })).toBeHidden();

  await page.locator(".compare-chart").first().getByText("Show as a table").click();
  await expect(page.getByRole("region", { name: /^Used, vcore, as a table/ }).getByRole("row").nth(2)).toContainText("%");

  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "CSV" }).click()]);
  expect(download.suggestedFilename()).toBe("comparison.csv");

  const first = page.locator(".compare-part-b .compare-first");
  const [, at = "", seq = ""] = /^(\S+) · (\d+)/.exec((await first.textContent()) ?? "") ?? [];
  expect(Number(seq)).toBeGreaterThan(1);
  await page.getByRole("button", { name: "Open B in the cluster at this moment" }).click();
  await expect(page).toHaveURL(new RegExp(`#/cluster\\?decision=${seq}$`), { timeout: 30_000 });
  await expect(page.locator("body")).toContainText("A generated workload, seed 1");
  await expect(page.getByRole("complementary").or(page.locator("main")).first()).toContainText(at);
});

test("set-ups that are the same make no difference, and that is said", async ({ page }) => {
  await opened(page);
  await page.getByRole("group", { name: "B", exact: true }).getByLabel("Applications in a queue").selectOption("unchanged");
  await page.getByLabel("Minutes").fill("5");
  await page.getByLabel("Seeds", { exact: true }).fill("21");
  await expect(page.getByText("Expected a whole number from 1 to 20, found “21”.")).toBeVisible();
  await page.getByLabel("Seeds", { exact: true }).fill("2");
  await page.getByRole("button", { name: "Compare A with B" }).click();
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText("Compared with A, B has the same figures.", { timeout: 60_000 });
  await expect(page.getByText("No difference: the runs of all 2 seeds make the same decisions.")).toBeVisible();
  await page.getByRole("button", { name: "Compare something else" }).click();
  await page.getByLabel("Seeds", { exact: true }).fill("1");
  await page.getByRole("button", { name: "Compare A with B" }).click();
  await expect(page.getByText(/^No difference: all [\d,]+ decisions of both runs are the same\.$/)).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText("One seed does not show how much of this is chance.");
});

test("a module against the built-in, on what runs in the cluster, can be cancelled and run", async ({ page }) => {
  await opened(page);
  await choose(page, goodModule());
  await expect(card(page, "tetris").getByText("Passed")).toBeVisible({ timeout: 30_000 });
  await page.getByRole("group", { name: "B", exact: true }).getByLabel("Nodes for an ask").selectOption("tetris (module)");
  await page.getByRole("button", { name: "Compare A with B" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("button", { name: "Compare A with B" })).toBeVisible();
  await page.getByLabel("Source").selectOption("The journal of the cluster");
  await page.getByRole("button", { name: "Compare A with B" }).click();
  await expect(page.getByRole("region", { name: "Figures of both runs" })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("region", { name: "Verdict" })).toContainText("A recorded workload runs once, so nothing is known about noise");
});

test("modules of the page that could not be listed are not called none", async ({ page }) => {
  await page.route("**/policies/index.json", (route) => route.fulfill({ status: 503, body: "later" }));
  await opened(page);
  await expect(page.getByText("The modules that come with the page could not be listed. The site answered 503.")).toBeVisible();
  await page.unroute("**/policies/index.json");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("Modules that come with the page")).toBeVisible();
});
