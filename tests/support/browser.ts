import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Debian's Chromium. */
const program = '/usr/bin/chromium';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: program, args: flags, timeout: 120_000 });

export type Look = { readonly width?: number; readonly theme?: 'light' | 'dark' };

/** A tab of a new user, and everything that should not have happened in it. */
export type Tab = {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of the page, refusals of its security policy, requests to other servers. */
  readonly faults: readonly string[];
};

export async function openTab(browser: Browser, { width = 1280, theme = 'light' }: Look = {}): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { hostname } = new URL(request.url());
    if (hostname !== '127.0.0.1') faults.push(`request to ${request.url()}`);
  });
  return { context, page, faults };
}
