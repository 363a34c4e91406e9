import { readFileSync } from 'node:fs';
import { clusterDomainOf } from '#registrations/decide/cluster-domain.ts';

/** What the names of Services end in, as far as this process can know. */
export const clusterDomainHere = (flag: string | undefined, file = '/etc/resolv.conf'): string =>
  clusterDomainOf({ flag, environment: process.env['CLUSTER_DOMAIN'], resolvConf: textOf(file) });

/** Not every system has the file, and not everyone may read it. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
