import { median } from '../apiserver/statistics.ts';
import { releasePath, type DashboardBench } from './dashboard-bench.ts';
import type { DashboardEffort, DashboardMeasurement } from './figures.ts';

/** An act can be chosen and the pods are drawn. Runs in the page. */
const usable = `
  (() => {
    const isUsable = () =>
      document.querySelector('.act-buttons button:not([disabled])') !== null &&
      document.querySelectorAll('.pod').length >= 10;
    window.usable = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (!isUsable()) return;
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now()));
      });
      observer.observe(document, { subtree: true, childList: true, attributes: true });
    });
  })();
`;

/** From the start of the navigation to a page that can be used; each time in a browser with an empty cache. */
export async function usableIn(
  bench: DashboardBench,
  { rounds: count }: DashboardEffort,
): Promise<DashboardMeasurement> {
  const rounds: number[] = [];
  for (let round = 0; round < count; round += 1) {
    const context = await bench.newBrowser();
    const page = await context.newPage();
    await page.addInitScript(usable);
    await page.goto(bench.dashboard.url + releasePath);
    rounds.push((await page.evaluate<number>('window.usable')) / 1000);
    await context.close();
  }
  // In the first round the server has no watch yet.
  return { id: 'usable', value: median(rounds), rounds, details: { firstSeconds: rounds[0] ?? 0 } };
}
