import { numberAt, objectAt, textAt, at, isArray, type Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { checkCidr, checkSubdomain } from '#kube/names.ts';
import type { Declaration } from './declaration.ts';
import { bindAddition, packagesOf } from './eggo-addition.ts';
import { ignoredNotes } from './eggo-ignored.ts';
import { checkEggoNodes, eggoNodes, type EggoLogin } from './eggo-nodes.ts';
import { itemPaths } from './item-sources.ts';
import type { DeclaredCluster, ClusterNode } from './model.ts';
import { isAbsolute } from './paths.ts';
import { problemAt, type SpecProblem } from './problem.ts';

/** Whether a document looks like an eggo configuration. */
export const isEggo = (document: Json): boolean =>
  isArray(at(document, 'masters')) || textAt(document, 'cluster-id') !== undefined;

/** Every path on the operator's machine that must be read before planning. */
export const eggoSources = (document: Json, file: string): readonly string[] =>
  bindAddition(document, file).bindings.flatMap(({ action }) =>
    action.type === 'source' ? action.candidates : itemPaths(action).paths,
  );

/** The paths among them that are listed with all their sub-folders. */
export const eggoDeepSources = (document: Json, file: string): readonly string[] =>
  bindAddition(document, file).bindings.flatMap(({ action }) => itemPaths(action).deep);

/** Files that are never sent with a script: they hold credentials, or are packages. */
export const eggoPrivateFiles = (document: Json, file: string, home: string): readonly string[] => {
  const key = textAt(document, 'private-key-path');
  return [
    ...Object.values(packagesOf(document, file)).map((path) => path.replace(/!$/, '')),
    ...(key === undefined ? [] : [key.startsWith('~/') ? home + key.slice(1) : key]),
  ];
};

/** An eggo configuration as a declaration; its flags come through `bindFlags`. */
export function compileEggo(document: Json, file: string, options: EggoLogin): Declaration {
  const nodes = eggoNodes(document, file, options);
  const { bindings, problems } = bindAddition(document, file);
  return {
    cluster: clusterOf(document, file, nodes),
    bindings,
    files: [],
    problems: [...checkTop(document, file), ...checkEggoNodes(document, file, options), ...problems],
    notes: ignoredNotes(document, file),
  };
}

function clusterOf(document: Json, file: string, nodes: readonly ClusterNode[]): DeclaredCluster {
  const text = (name: string, ...path: readonly string[]): object => {
    const value = textAt(document, ...path);
    return value === undefined || value === '' ? {} : { [name]: value };
  };
  const sans = objectAt(document, 'apiserver-cert-sans') ?? {};
  return {
    id: textAt(document, 'cluster-id') ?? 'k8s-cluster',
    format: 'eggo',
    file,
    nodes,
    endpoint: endpointOf(document, nodes),
    configDir: textAt(document, 'cluster-config-dir') ?? '/etc/kubernetes',
    ...text('version', 'kubernetes-version'),
    ...text('podCidr', 'network', 'podcidr'),
    ...text('serviceCidr', 'service', 'cidr'),
    ...text('dnsDomain', 'dns-domain'),
    ...text('runtimeEndpoint', 'runtime-endpoint'),
    certificateNames: ['dnsnames', 'ips'].flatMap((key) => {
      const names = sans[key];
      return isArray(names) ? names.filter((name) => typeof name === 'string') : [];
    }),
  };
}

/** `apiserver-endpoint`, else the load balancer, else the first master. */
function endpointOf(document: Json, nodes: readonly ClusterNode[]): DeclaredCluster['endpoint'] {
  const given = /^(.+):(\d+)$/.exec(textAt(document, 'apiserver-endpoint') ?? '');
  if (given !== null) return { host: given[1] ?? '', port: Number(given[2]) };
  const balancer = textAt(document, 'loadbalance', 'ip');
  const port = numberAt(document, 'loadbalance', 'bind-port');
  if (balancer !== undefined && port !== undefined) return { host: balancer, port };
  return { host: nodes[0]?.address ?? '', port: 6443 };
}

const isCidr = (value: string): boolean => checkCidr(value).length === 0;

type TopCheck = {
  readonly path: readonly string[];
  readonly isFine: (value: string) => boolean;
  readonly message: string;
};

const topChecks: readonly TopCheck[] = [
  {
    path: ['cluster-id'],
    isFine: (id) => checkSubdomain(id).length === 0,
    message: 'is not a name: lower-case letters, digits, hyphens and dots',
  },
  { path: ['cluster-config-dir'], isFine: isAbsolute, message: 'must be an absolute path' },
  {
    path: ['private-key-path'],
    isFine: (path) => isAbsolute(path) || path.startsWith('~/'),
    message: 'must be an absolute path',
  },
  {
    path: ['apiserver-endpoint'],
    isFine: (text) => /^.+:\d{1,5}$/.test(text),
    message: 'must be host:port',
  },
  { path: ['network', 'podcidr'], isFine: isCidr, message: 'is not a CIDR such as 10.244.0.0/16' },
  { path: ['service', 'cidr'], isFine: isCidr, message: 'is not a CIDR such as 10.32.0.0/16' },
];

const checkTop = (document: Json, file: string): readonly SpecProblem[] =>
  topChecks.flatMap(({ path, isFine, message }) => {
    const value = at(document, ...path) ?? null;
    if (value === null || (typeof value === 'string' && isFine(value))) return [];
    return [problemAt(file, `/${path.join('/')}`, `${printJson(value)} ${message}`)];
  });
