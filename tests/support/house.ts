/** One folder of src/ and what it may reach. */
export type Room = {
  readonly purpose: string;
  /** Rooms it may import values and types from. */
  readonly may: readonly string[];
  /** Rooms it may import types from, and nothing else. */
  readonly types?: readonly string[];
  readonly packages: readonly string[];
  /** Whether it may import `node:*`. */
  readonly node: boolean;
};

const words = ['api', 'kube', 'base'];

/** The order of the house. ARCHITECTURE.md prints this table. */
export const rooms: Readonly<Record<string, Room>> = {
  base: {
    purpose:
      'Plain values without a Kubernetes word: JSON, time, random numbers, tasks, the journal as a type',
    may: [],
    packages: [],
    node: false,
  },
  kube: {
    purpose:
      "Kubernetes' words as values: objects, Status, field errors, selectors, patches, schemas, tables",
    may: ['base'],
    packages: ['re2js', '@marcbachmann/cel-js'],
    node: false,
  },
  api: {
    purpose: 'Our own kinds: one schema value each, from which type, CRD, validation and reference page come',
    may: ['kube', 'base'],
    packages: ['typebox'],
    node: false,
  },
  decide: {
    purpose: 'Pure judgement: spec, observation and time in, decision out',
    may: words,
    packages: [],
    node: false,
  },
  edge: {
    purpose: 'The doors: listener, Kubernetes client, certificates, files, journal on disk, clock, log',
    may: words,
    packages: ['undici', 'yaml', '@peculiar/x509', 'reflect-metadata', 'ssh2', 'prom-client'],
    node: true,
  },
  apiserver: {
    purpose: 'The embedded API server: one function from request to response over a journal',
    may: ['kube', 'base'],
    packages: [],
    node: false,
  },
  loop: {
    purpose:
      'What every controller is made of: informers, work queues, expectations, event recording, leader election',
    may: ['kube', 'base'],
    types: ['edge'],
    packages: [],
    node: false,
  },
  builtin: {
    purpose: "Kubernetes' own controllers: garbage collection, namespaces, service accounts and their kin",
    may: ['loop', 'kube', 'base'],
    types: ['edge'],
    packages: [],
    node: false,
  },
  nodes: {
    purpose: 'Simulated nodes: scheduler and kubelet for any API server; knows nothing of our kinds',
    may: ['loop', 'kube', 'base'],
    types: ['edge'],
    packages: [],
    node: false,
  },
  control: {
    purpose: "Boathook's controllers: read, decide, ask, write",
    may: ['loop', 'decide', ...words],
    types: ['edge'],
    packages: [],
    node: false,
  },
  web: {
    purpose: 'The dashboard, built to static files',
    may: ['decide', ...words],
    packages: [],
    node: false,
  },
  sdk: {
    purpose: 'What authors of hook services import: typed requests and replies, a server, a test harness',
    may: ['edge', ...words],
    packages: [],
    node: false,
  },
  simulate: {
    purpose: 'The whole system on virtual time: server, nodes and controllers composed for rehearsals',
    may: ['control', 'nodes', 'builtin', 'loop', 'apiserver', 'decide', ...words],
    types: ['edge'],
    packages: [],
    node: false,
  },
  cli: {
    purpose: 'The front door and only composition root: flags and environment in, doors built, commands run',
    may: ['simulate', 'sdk', 'control', 'nodes', 'builtin', 'loop', 'apiserver', 'edge', 'decide', ...words],
    packages: ['commander'],
    node: true,
  },
};

const codeList = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** The table of rooms as ARCHITECTURE.md shows it. */
export function roomTable(): string {
  const rows = Object.entries(rooms).map(([name, room]) => {
    const types = room.types === undefined ? '' : `; types of ${codeList(room.types)}`;
    const may = room.may.length === 0 ? 'nothing' : codeList(room.may);
    const packages = room.packages.length === 0 ? '–' : codeList(room.packages);
    return `| [\`${name}\`](src/${name}/README.md) | ${room.purpose} | ${may}${types} | ${room.node ? 'yes' : 'no'} | ${packages} |`;
  });
  return [
    '| Room | Its one job | May import | `node:*` | Packages |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}
