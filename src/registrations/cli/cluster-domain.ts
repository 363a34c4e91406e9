import { readFileSync } from 'node:fs';
import { clusterDomainOf } from '#registrations/decide/cluster-domain.ts';

/** The DNS domain of the cluster. */
export const clusterDomainHere = (flag: string | undefined, file = '/etc/resolv.conf'): string =>
  clusterDomainOf({ flag, environment: process.env['CLUSTER_DOMAIN'], resolvConf: textOf(file) });

/** Undefined when the file is missing or not readable. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
