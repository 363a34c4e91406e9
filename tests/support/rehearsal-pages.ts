import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { axeFindings } from './axe.ts';
import { openTab, startBrowser } from './browser.ts';
import type { Ended } from './program.ts';

const looks = [
  { width: 1280, theme: 'light' },
  { width: 390, theme: 'dark' },
] as const;

/** Opens the page of a rehearsal wide and narrow, light and dark: it loads nothing and is accessible. */
export async function expectPage(path: string, check: (page: Page) => Promise<void>): Promise<void> {
  const browser = await startBrowser();
  try {
    for (const look of looks) {
      const { page, faults, context } = await openTab(browser, look);
      await page.goto(`file://${path}`);
      await check(page);
      expect(await axeFindings(page)).toEqual([]);
      expect(faults).toEqual([`request to file://${path}`]);
      await context.close();
    }
  } finally {
    await browser.close();
  }
}

/** The first report that `-o json` printed. */
export function firstReport({ out }: Ended): unknown {
  const { rehearsals } = JSON.parse(out) as { readonly rehearsals: readonly unknown[] };
  const [report] = rehearsals;
  if (report === undefined) throw new Error('there is no report');
  return report;
}

/** Bad input is named, and nothing is printed. */
export function expectBadInput({ code, out, error }: Ended, says: RegExp): void {
  expect(error).toMatch(says);
  expect(out).toBe('');
  expect(code).toBe(2);
}
