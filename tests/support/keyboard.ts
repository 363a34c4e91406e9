import type { Locator, Page } from 'playwright-core';

const mostKeys = 120;

/** Moves the focus with Tab alone until it is on an element, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let count = 0; count < mostKeys; count += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}

export const isFocused = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === element.ownerDocument.activeElement);

export async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}
