import type { Browser } from 'playwright-core';
import { startBoathook, wholeCluster, type Boathook } from './boathook.ts';
import { openTab, startBrowser, type Look, type Tab } from './browser.ts';

/** A real `boathook up` with its dashboard, and a real browser. */
export type DashboardWorld = {
  readonly boathook: Boathook;
  readonly browser: Browser;
  /** Without a path. */
  readonly url: string;
  /** The printed link. It works once. */
  readonly link: string;
  /** A tab that is signed in, at a path. All tabs have the session of the first one. */
  open(path?: string, look?: Look): Promise<Tab>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startDashboardWorld(flags: readonly string[] = []): Promise<DashboardWorld> {
  const [boathook, browser] = await Promise.all([
    startBoathook({ flags: [...wholeCluster, '--dashboard-port', '0', ...flags] }),
    startBrowser(),
  ]);
  const link = (await boathook.process.lineLike(/^dashboard at /)).replace('dashboard at ', '').trim();
  const url = new URL(link).origin;
  const cookies: Parameters<Tab['context']['addCookies']>[0][number][] = [];
  const open: DashboardWorld['open'] = async (path = '/', look = {}) => {
    const tab = await openTab(browser, look);
    if (cookies.length > 0) await tab.context.addCookies(cookies);
    await tab.page.goto(cookies.length > 0 ? url + path : link);
    await tab.page.getByRole('banner').getByText('Sign out').waitFor({ state: 'attached' });
    if (cookies.length === 0) {
      cookies.push(...(await tab.context.cookies()));
      await tab.page.goto(url + path);
    }
    await tab.page.getByRole('heading', { level: 1 }).waitFor();
    return tab;
  };
  return {
    boathook,
    browser,
    url,
    link,
    open,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await boathook[Symbol.asyncDispose]();
    },
  };
}
