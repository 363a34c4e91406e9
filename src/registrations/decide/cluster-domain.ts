export type DomainGiven = {
  /** The flag --cluster-domain. */
  readonly flag: string | undefined;
  /** The variable CLUSTER_DOMAIN. */
  readonly environment: string | undefined;
  /** The text of /etc/resolv.conf. */
  readonly resolvConf: string | undefined;
};

const usual = 'cluster.local';

/** The DNS domain of the cluster: the flag, the variable, the search list of the resolver, or the default. */
export const clusterDomainOf = ({ flag, environment, resolvConf }: DomainGiven): string =>
  plain(flag) ?? plain(environment) ?? searched(resolvConf ?? '') ?? usual;

/** Without whitespace and a trailing dot; undefined when empty. */
function plain(text: string | undefined): string | undefined {
  const name = (text ?? '').trim().replace(/\.$/, '');
  return name === '' ? undefined : name;
}

/** Pods search in `<namespace>.svc.<domain>`, `svc.<domain>` and `<domain>`; the last search line is used. */
function searched(resolvConf: string): string | undefined {
  const lines = resolvConf.split('\n').map((line) => line.trim().split(/\s+/));
  const names = lines.findLast(([word]) => word === 'search')?.slice(1) ?? [];
  const service = names.find((name) => name.startsWith('svc.'));
  return plain(service?.slice('svc.'.length));
}
