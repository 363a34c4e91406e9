export type DomainGiven = {
  /** What the command line says. */
  readonly flag: string | undefined;
  /** The variable CLUSTER_DOMAIN. */
  readonly environment: string | undefined;
  /** The text of /etc/resolv.conf. */
  readonly resolvConf: string | undefined;
};

const usual = 'cluster.local';

/** What the names of Services end in: whoever says so counts, then what a pod's resolver searches in. */
export const clusterDomainOf = ({ flag, environment, resolvConf }: DomainGiven): string =>
  plain(flag) ?? plain(environment) ?? searched(resolvConf ?? '') ?? usual;

/** Without blanks and the dot at the end; undefined when nothing is left. */
function plain(text: string | undefined): string | undefined {
  const name = (text ?? '').trim().replace(/\.$/, '');
  return name === '' ? undefined : name;
}

/** Pods search in `<namespace>.svc.<domain>`, `svc.<domain>` and `<domain>`; of several lines the last counts. */
function searched(resolvConf: string): string | undefined {
  const lines = resolvConf.split('\n').map((line) => line.trim().split(/\s+/));
  const names = lines.findLast(([word]) => word === 'search')?.slice(1) ?? [];
  const service = names.find((name) => name.startsWith('svc.'));
  return plain(service?.slice('svc.'.length));
}
