import { bundledPage } from '#web/server/bundled-page.ts';
import { loadPage } from '#web/server/load-page.ts';
import { root } from '../cli/cli-cluster.ts';
import type { DashboardMeasurement } from './figures.ts';

/** The scripts as the server sends them. */
export async function scriptSize(): Promise<DashboardMeasurement> {
  const files = [...loadPage(await bundledPage(root))];
  const kilobytes = (ending: string, of: 'gzip' | 'body'): number =>
    files
      .filter(([name]) => name.endsWith(ending))
      .reduce((sum, [, file]) => sum + file[of].length / 1000, 0);
  const details = { plainKilobytes: kilobytes('.js', 'body'), styleKilobytes: kilobytes('.css', 'gzip') };
  return { id: 'script', value: kilobytes('.js', 'gzip'), details };
}
