// @vitest-environment jsdom
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keepForOffline, NewVersion } from "./version";

/** A worker that is on its way, as far as the page hears of it. */
class Worker extends EventTarget {
  state = "installing";
  readonly postMessage = vi.fn();

  install(): void {
    this.state = "installed";
    this.dispatchEvent(new Event("statechange"));
  }
}

class Registration extends EventTarget {
  installing: Worker | null = null;
  readonly waiting = null;
  readonly update = vi.fn(() => Promise.resolve());

  /** Another version is found, and installed beside the one that runs. */
  find(): Worker {
    const worker = (this.installing = new Worker());
    this.dispatchEvent(new Event("updatefound"));
    worker.install();
    return worker;
  }
}

/** What the browser has of workers: one runs, and the registration may find others. */
function workers(registration: Registration): ServiceWorkerContainer {
  return Object.assign(new EventTarget(), { controller: {}, register: () => Promise.resolve(registration) }) as unknown as ServiceWorkerContainer;
}

describe("the notice of a new version", () => {
  const place = document.createElement("div");
  const reload = vi.fn();
  const notice = "A new version of the playground is available.";
  let registration: Registration;
  let container: ServiceWorkerContainer;
  const find = (): Promise<Worker> => {
    let found: Worker | undefined;
    return act(() => { found = registration.find(); }).then(() => found ?? new Worker());
  };
  const press = (name: string) => act(() => {
    [...place.querySelectorAll("button")].find((button) => button.textContent === name)?.click();
  });

  beforeEach(async () => {
    registration = new Registration();
    container = workers(registration);
    reload.mockClear();
    render(<NewVersion />, place);
    await keepForOffline(container, reload);
  });
  afterEach(() => { render(null, place); });

  it("goes with “Later”, without a reload, and returns with the next version", async () => {
    expect(place.textContent).toBe("");
    const worker = await find();
    expect(place.textContent).toContain(notice);
    await press("Later");
    expect(place.textContent).toBe("");
    expect(worker.postMessage).not.toHaveBeenCalled();
    expect(reload).not.toHaveBeenCalled();
    await find();
    expect(place.textContent).toContain(notice);
  });

  it("has the new version take over on “Load it”, and then reloads", async () => {
    const worker = await find();
    await press("Load it");
    expect(worker.postMessage).toHaveBeenCalledWith("take over");
    expect(reload).not.toHaveBeenCalled();
    container.dispatchEvent(new Event("controllerchange"));
    expect(reload).toHaveBeenCalledOnce();
  });
});
