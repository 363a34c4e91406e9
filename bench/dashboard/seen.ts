import type { Page } from 'playwright-core';

/**
 * Notes when a page has drawn what is wanted: `seen(test)` resolves with the milliseconds since 1970 of the frame in
 * which the test became true. Runs in the page.
 */
const script = `
  window.seen = (test) => new Promise((resolve) => {
    const now = () => performance.timeOrigin + performance.now();
    const done = () => requestAnimationFrame(() => resolve(now()));
    if (document.body !== null && test()) return done();
    const observer = new MutationObserver(() => {
      if (document.body === null || !test()) return;
      observer.disconnect();
      done();
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
`;

/** Loads the script into every page that is opened from now on. */
export const notesWhatIsSeen = (page: Page): Promise<unknown> => page.addInitScript(script);

/** Milliseconds since 1970 of the frame in which a text was on the page. */
export const textSeen = (page: Page, text: string): Promise<number> =>
  page.evaluate(
    `window.seen(() => document.body.textContent.includes(${JSON.stringify(text)}))`,
  ) as Promise<number>;

/** Now, by the clock that `textSeen` uses. */
export const nowMillis = (): number => performance.timeOrigin + performance.now();
