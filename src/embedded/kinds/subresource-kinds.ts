/** The kind of a subresource, with group and version if they are not the parent's, and its verbs. */
export type SubresourceInfo = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
};

const getPatchUpdate = ['get', 'patch', 'update'];
const proxied = ['create', 'delete', 'get', 'patch', 'update'];

const subresourceKinds: Readonly<Record<string, SubresourceInfo>> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: getPatchUpdate },
  status: { group: '', version: '', kind: '', verbs: getPatchUpdate },
  ephemeralcontainers: { group: '', version: '', kind: '', verbs: getPatchUpdate },
  finalize: { group: '', version: '', kind: '', verbs: ['update'] },
  log: { group: '', version: '', kind: '', verbs: ['get'] },
  binding: { group: '', version: '', kind: 'Binding', verbs: ['create'] },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction', verbs: ['create'] },
  token: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest', verbs: ['create'] },
  attach: { group: '', version: '', kind: 'PodAttachOptions', verbs: ['create', 'get'] },
  exec: { group: '', version: '', kind: 'PodExecOptions', verbs: ['create', 'get'] },
  portforward: { group: '', version: '', kind: 'PodPortForwardOptions', verbs: ['create', 'get'] },
};

/** `kind` empty: the parent's own kind. */
export function subresourceInfo(parentKind: string, name: string): SubresourceInfo {
  if (name === 'proxy') return { group: '', version: '', kind: `${parentKind}ProxyOptions`, verbs: proxied };
  const info = subresourceKinds[name];
  if (info === undefined) throw new Error(`no such subresource: ${name}`);
  return info.kind === '' ? { ...info, kind: parentKind } : info;
}
