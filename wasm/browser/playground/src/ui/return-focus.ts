/** When what has the focus goes away, the focus returns to where it came from, and not to the beginning of the page. */

const mostRemembered = 20;

/** Has the page return the focus from now on. */
export function returnFocus(): void {
  const trail: HTMLElement[] = [];
  document.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement) || trail.at(-1) === target) return;
    trail.push(target);
    if (trail.length > mostRemembered) trail.shift();
  });
  const check = () => {
    const last = trail.at(-1);
    if (document.activeElement !== document.body || last === undefined) return;
    if (isThere(last)) {
      trail.length = 0; // it was left on purpose, for nothing else
      return;
    }
    const back = trail.findLast(isThere) ?? document.querySelector<HTMLElement>("main");
    back?.focus({ preventScroll: true });
  };
  // A button that takes itself away is gone with the next frame.
  const soon = () => { requestAnimationFrame(() => { requestAnimationFrame(check); }); };
  for (const event of ["click", "keydown", "focusout"]) document.addEventListener(event, soon);
}

function isThere(element: HTMLElement): boolean {
  return element.isConnected && element.getClientRects().length > 0;
}
