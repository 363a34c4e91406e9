import { at, isArray, isObject, listAt, objectAt, textAt, type Json } from '#base/json.ts';
import { packageLists } from './eggo-items.ts';
import type { PlanNote } from './plan.ts';
import { pointer } from './problem.ts';

const ours = 'the installer decides that';

/** Fields of eggo that have no effect in Boathook, and the consequence. */
const ignored: Readonly<Record<string, string>> = {
  'external-ca':
    'kubeadm makes the certificates; put your own CA into pki/ of the configuration folder with a prejoin script',
  'external-ca-path':
    'kubeadm makes the certificates; put your own CA into pki/ of the configuration folder with a prejoin script',
  'service/dnsaddr': 'kubeadm takes the tenth address of service/cidr',
  'service/gateway': 'kubeadm takes the first address of service/cidr',
  'service/dns': 'kubeadm installs CoreDNS in its own version',
  'network/plugin': 'no network plugin is installed: list its manifest under addition (type yaml)',
  'network/pluginargs': 'no network plugin is installed: list its manifest under addition (type yaml)',
  'network/plugin-args': 'no network plugin is installed: list its manifest under addition (type yaml)',
  'apiserver-timeout': ours,
  'etcd-external': 'kubeadm runs etcd on the masters',
  'etcd-token': 'kubeadm runs etcd on the masters',
  'dns-vip': 'kubeadm takes the tenth address of service/cidr',
  'pause-image': 'the container runtime is not configured: do that in a prejoin script',
  'network-plugin': 'kubelet has CNI only',
  'enable-kubelet-serving': 'certificates of kubelets stay self-signed',
  'cni-bin-dir': 'the container runtime is not configured: do that in a prejoin script',
  runtime:
    'no container runtime is installed: list its packages under addition; runtime-endpoint names its socket',
  'registry-mirrors': 'the container runtime is not configured: do that in a prejoin script',
  'insecure-registries': 'the container runtime is not configured: do that in a prejoin script',
  'config-extra-args': 'no arguments are added to the components of Kubernetes',
  'open-ports': 'no firewall is changed: open the ports in a prejoin script',
  'install/package-source/type': 'the name decides between a folder, .tar and .tar.gz',
  'install/package-source/dstpath': 'packages are read on this machine, and only what is needed is sent',
};

const words = (text: string): readonly string[] => text.split(/\s+/);

/** Fields that have an effect; an empty map stands for everything below it. */
const known: Readonly<Record<string, readonly string[]>> = {
  '': words(`cluster-id username password private-key-path masters workers etcds loadbalance service network
    apiserver-endpoint apiserver-cert-sans dns-domain runtime-endpoint addition install cluster-config-dir
    kubernetes-version jump-host`),
  service: ['cidr'],
  network: ['podcidr'],
  'apiserver-cert-sans': ['dnsnames', 'ips'],
  loadbalance: ['name', 'ip', 'port', 'arch', 'bind-port', 'host-key'],
  'jump-host': ['ip', 'port', 'username', 'password', 'private-key-path', 'host-key'],
  install: [
    'addition',
    'package-source',
    ...Object.keys(packageLists),
    'network',
    'container',
    'image',
    'dns',
  ],
  'install/package-source': ['srcpath'],
};

/** Everything in an eggo file that has no effect, one by one. */
export function ignoredNotes(document: Json, file: string): readonly PlanNote[] {
  return [
    ...Object.keys(known).flatMap((path) => mapNotes(document, path, file)),
    ...nodeNotes(document, file),
    ...listNotes(document, file),
    ...itemNotes(document, file),
    ...roleNotes(document, file),
  ];
}

const note = (type: PlanNote['type'], file: string, at: string, message: string): PlanNote => ({
  type,
  message: `${at} ${message}`,
  origin: { file, pointer: at },
});

const unknown = (file: string, at: string): PlanNote =>
  note('warning', file, at, 'has no effect: neither eggo nor Boathook has this field');

function mapNotes(document: Json, path: string, file: string): readonly PlanNote[] {
  const keys = path === '' ? [] : path.split('/');
  return Object.entries(objectAt(document, ...keys) ?? {}).flatMap(([key, value]) => {
    if (known[path]?.includes(key) === true || isEmpty(value)) return [];
    const where = pointer(...keys, key);
    const why = ignored[[...keys, key].join('/')];
    return [why === undefined ? unknown(file, where) : note('notice', file, where, `has no effect: ${why}`)];
  });
}

/** eggo's templates contain fields without a value. */
const isEmpty = (value: Json): boolean =>
  value === null ||
  value === '' ||
  value === false ||
  value === 0 ||
  (isArray(value) && value.length === 0) ||
  (isObject(value) && Object.values(value).every(isEmpty));

const nodeFields = ['name', 'ip', 'port', 'arch', 'host-key'];

const nodeNotes = (document: Json, file: string): readonly PlanNote[] =>
  ['masters', 'workers', 'etcds'].flatMap((list) =>
    listAt(document, list).flatMap((entry, index) =>
      unknownKeys(entry, nodeFields).map((key) => unknown(file, pointer(list, index, key))),
    ),
  );

const unknownKeys = (value: Json, fields: readonly string[]): readonly string[] =>
  isObject(value)
    ? Object.keys(value).filter((key) => !fields.includes(key) && !isEmpty(value[key] ?? null))
    : [];

/** eggo's package lists: Boathook uses only their scripts. */
const listNotes = (document: Json, file: string): readonly PlanNote[] =>
  [...Object.keys(packageLists), 'network', 'container', 'image', 'dns'].flatMap((list) =>
    listAt(document, 'install', list).flatMap((item, index) => {
      const type = textAt(item, 'type') ?? '';
      if (type === 'shell' && Object.hasOwn(packageLists, list)) return [];
      const what = `(${type} ${textAt(item, 'name') ?? ''})`;
      const instead =
        type === 'shell' ? 'list it under addition with a role' : 'list it under addition if it is needed';
      return [
        note(
          'notice',
          file,
          pointer('install', list, index),
          `${what} has no effect: the installer brings its own; ${instead}`,
        ),
      ];
    }),
  );

const itemFields = ['name', 'type', 'dst', 'schedule'];
const placed: ReadonlySet<string> = new Set(['bin', 'file', 'dir']);

function itemNotes(document: Json, file: string): readonly PlanNote[] {
  return [['addition'], ['install', 'addition']].flatMap((path) =>
    Object.entries(objectAt(document, ...path) ?? {}).flatMap(([role, items]) =>
      (isArray(items) ? items : []).flatMap((item, index) => {
        const where = (key: string): string => pointer(...path, role, index, key);
        const type = textAt(item, 'type') ?? '';
        const strange = unknownKeys(item, itemFields).filter((key) => key.toLowerCase() !== 'timeout');
        const idle = (textAt(item, 'dst') ?? '') !== '' && !placed.has(type);
        return [
          ...strange.map((key) => unknown(file, where(key))),
          ...(idle ? [note('notice', file, where('dst'), `has no effect for type ${type}`)] : []),
          ...(type === 'yaml' && role !== 'master'
            ? [
                note(
                  'notice',
                  file,
                  where('type'),
                  'yaml is applied once, on the first master, whatever role lists it',
                ),
              ]
            : []),
        ];
      }),
    ),
  );
}

/** Machines that only hold etcd or balance load: their hooks run, and nothing else happens to them. */
function roleNotes(document: Json, file: string): readonly PlanNote[] {
  const masters = new Set(listAt(document, 'masters').map((entry) => textAt(entry, 'ip')));
  const etcds = listAt(document, 'etcds').flatMap((entry, index) =>
    masters.has(textAt(entry, 'ip'))
      ? []
      : [
          note(
            'notice',
            file,
            pointer('etcds', index),
            'gets hooks and additions only: kubeadm runs etcd on the masters',
          ),
        ],
  );
  const balancer = textAt(document, 'loadbalance', 'ip') ?? '';
  return balancer === '' || at(document, 'loadbalance') === undefined
    ? etcds
    : [
        ...etcds,
        note(
          'notice',
          file,
          '/loadbalance',
          'gets hooks and additions only: no load balancer is set up on it',
        ),
      ];
}
