/** One folder of src/ and what it may import. */
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

const words = ['schema', 'kube', 'base'];

/** Rooms that every feature shares. */
const shared: Readonly<Record<string, Room>> = {
  base: {
    purpose: 'Plain values: JSON, time, random numbers, text, the journal as a type',
    may: [],
    packages: [],
    node: false,
  },
  kube: {
    purpose: 'Kubernetes vocabulary: objects, metadata, Status, selectors, patches, requests and responses',
    may: ['base'],
    packages: ['re2js'],
    node: false,
  },
  schema: {
    purpose: 'Structural schemas, CEL, CRD validation, the table of built-in types, a kind as one value',
    may: ['kube', 'base'],
    packages: ['re2js', '@marcbachmann/cel-js', 'typebox'],
    node: false,
  },
  edge: {
    purpose: 'All I/O: HTTP, Kubernetes client, SSH, SQLite, files, clock, log, metrics',
    may: ['kube', 'base'],
    packages: ['undici', 'yaml', '@peculiar/x509', 'reflect-metadata', 'ssh2', 'prom-client'],
    node: true,
  },
  loop: {
    purpose: 'What controllers are made of: informers, work queues, leader election, events, owned objects',
    may: ['kube', 'base'],
    types: ['edge'],
    packages: [],
    node: false,
  },
  command: {
    purpose: 'What commands are made of: flags, exit codes, printing, the connection to a cluster',
    may: ['loop', 'edge', ...words],
    packages: ['commander'],
    node: true,
  },
};

const floors = {
  kinds: { may: words, types: [], packages: ['typebox'], node: false },
  model: { may: words, types: [], packages: [], node: false },
  decide: { may: words, types: [], packages: [], node: false },
  call: { may: ['loop', ...words], types: ['edge'], packages: [], node: false },
  engine: { may: ['loop', ...words], types: ['edge'], packages: [], node: false },
  providers: { may: ['loop', ...words], types: ['edge'], packages: [], node: false },
  controller: { may: ['loop', ...words], types: ['edge'], packages: [], node: false },
  cli: { may: ['command', 'loop', 'edge', ...words], types: [], packages: ['commander'], node: true },
} as const;

type Floor = keyof typeof floors;
const order = Object.keys(floors) as readonly Floor[];

/** What a feature shows to the other features. */
const open: Readonly<Record<Floor, readonly Floor[]>> = {
  kinds: ['kinds'],
  model: ['kinds', 'model'],
  decide: ['kinds', 'model', 'decide'],
  call: ['kinds', 'model', 'decide'],
  engine: ['kinds', 'model', 'decide'],
  providers: ['kinds', 'model', 'decide'],
  controller: ['kinds', 'model', 'decide', 'call'],
  cli: ['kinds', 'model', 'decide', 'call'],
};

/** The features of the product, and the floors each has. */
export const features: Readonly<
  Record<string, { readonly purpose: string; readonly floors: readonly Floor[] }>
> = {
  hooks: {
    purpose: 'HookTemplate and HookRun: ask a provider, judge the answer, come to a verdict',
    floors: ['kinds', 'model', 'decide', 'call', 'providers', 'controller', 'cli'],
  },
  releases: {
    purpose: 'GameDeployment and GameStatefulSet: in-place and rolling releases in canary steps',
    floors: ['kinds', 'model', 'decide', 'controller', 'cli'],
  },
  machines: {
    purpose: 'Cluster, Machine and `boathook cluster`: scripts and installers on nodes over SSH',
    floors: ['kinds', 'model', 'decide', 'engine', 'controller', 'cli'],
  },
  registrations: {
    purpose: 'CRDRegistration: instances of a CRD become workloads, shaped by an HTTP hook',
    floors: ['kinds', 'model', 'decide', 'controller', 'cli'],
  },
};

function floorRoom(feature: string, floor: Floor): Room {
  const own = order.slice(0, order.indexOf(floor)).map((each) => `${feature}/${each}`);
  const others = Object.keys(features)
    .filter((each) => each !== feature)
    .flatMap((each) => open[floor].map((face) => `${each}/${face}`));
  const { may, types, packages, node } = floors[floor];
  return { purpose: '', may: [...own, ...others, ...may], types, packages, node };
}

const featureRooms = Object.entries(features).flatMap(([name, feature]) =>
  feature.floors.map((floor) => [`${name}/${floor}`, floorRoom(name, floor)] as const),
);

/** The embedded Kubernetes. It knows no kind of the product. */
const embedded: Readonly<Record<string, Room>> = {
  'embedded/kinds': {
    purpose: 'What is particular to each built-in kind: rules, printed columns, protobuf',
    may: words,
    packages: [],
    node: false,
  },
  'embedded/server': {
    purpose: 'The API server: one function from request to response over a journal',
    may: ['embedded/kinds', ...words],
    packages: [],
    node: false,
  },
  'embedded/controllers': {
    purpose: "Kubernetes' own controllers: workloads, garbage collection, namespaces, endpoints, claims",
    may: ['loop', ...words],
    types: ['edge'],
    packages: [],
    node: false,
  },
  'embedded/nodes': {
    purpose: 'Simulated scheduler and kubelets, for any API server; SimulationProfile',
    may: ['loop', ...words],
    types: ['edge'],
    packages: ['typebox'],
    node: false,
  },
  'embedded/machines': {
    purpose: 'Simulated machines that answer over SSH: files, leases and a small shell, all in memory',
    may: ['edge', 'base'],
    packages: [],
    node: false,
  },
  embedded: {
    purpose:
      'The composition that commands, tests and benches share: server, controllers and nodes in one process',
    may: [
      'embedded/nodes',
      'embedded/controllers',
      'embedded/server',
      'embedded/kinds',
      'command',
      'loop',
      'edge',
      ...words,
    ],
    packages: [],
    node: true,
  },
};

const everyFeature = featureRooms.map(([name]) => name);

const front: Readonly<Record<string, Room>> = {
  'web/wire': {
    purpose: 'What the server of the dashboard and its page send each other',
    may: words,
    types: everyFeature.filter((name) => /\/(?:kinds|model|decide)$/.test(name)),
    packages: [],
    node: false,
  },
  'web/page': {
    purpose: 'The page of the dashboard, which runs in a browser',
    may: ['web/wire', 'base'],
    types: everyFeature.filter((name) => /\/(?:kinds|model|decide)$/.test(name)),
    packages: ['react', 'react-dom', 'uplot'],
    node: false,
  },
  rehearse: {
    purpose: 'The report of a rehearsal: its timeline, as text and as a page',
    may: words,
    types: everyFeature.filter((name) => /\/(?:kinds|model|decide)$/.test(name)),
    packages: [],
    node: false,
  },
  'web/server': {
    purpose: 'The server of the dashboard: sessions, the stream of a tab, acts with the identity of the user',
    may: ['web/wire', ...everyFeature, 'command', 'loop', 'edge', ...words],
    packages: [],
    node: true,
  },
  sdk: {
    purpose: 'What authors of hook services import: typed requests and replies, a server, a test harness',
    may: ['registrations/kinds', 'edge', ...words],
    packages: [],
    node: false,
  },
  cli: {
    purpose:
      'The program: `up`, `controller`, `nodes`, `data`, and the commands of the features put together',
    may: [
      ...featureRooms.map(([name]) => name),
      ...Object.keys(embedded),
      'web/server',
      'web/wire',
      'rehearse',
      'sdk',
      'command',
      'loop',
      'edge',
      ...words,
    ],
    packages: ['commander'],
    node: true,
  },
};

/** Every room by its key: the folder below src/, for features and the embedded Kubernetes with the folder in it. */
export const rooms: Readonly<Record<string, Room>> = {
  ...shared,
  ...Object.fromEntries(featureRooms),
  ...embedded,
  ...front,
};

/** The key of the room that a path below src/ belongs to. */
export function roomOf(path: string): string {
  const [top = '', second, third] = path.split('/');
  if (top === 'web') return `${top}/${second ?? ''}`;
  if (top === 'embedded') return third === undefined ? top : `${top}/${second ?? ''}`;
  if (!(top in features)) return top;
  // The declarative part of a provider belongs to the kind whose schema derives from it.
  if (/^hooks\/providers\/(?:\w+\/)?wire\//.test(path)) return 'hooks/kinds';
  return third === undefined ? `${top}/model` : `${top}/${second ?? ''}`;
}

const codeList = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const row = (name: string, { purpose, may, types = [], packages, node }: Room): string => {
  const alsoTypes = types.length === 0 ? '' : `; types of ${codeList(types)}`;
  const from = may.length === 0 ? 'nothing' : codeList(may);
  const uses = packages.length === 0 ? '–' : codeList(packages);
  return `| [\`${name}\`](src/${name}/README.md) | ${purpose} | ${from}${alsoTypes} | ${node ? 'yes' : 'no'} | ${uses} |`;
};

const head = ['| Folder | Content | May import | `node:*` | Packages |', '| --- | --- | --- | --- | --- |'];

/** The table of folders as ARCHITECTURE.md shows it. */
export function roomTable(): string {
  const many = (rows: Readonly<Record<string, Room>>): string[] =>
    Object.entries(rows).map(([name, room]) => row(name, room));
  return [
    ...head,
    ...many(shared),
    ...many({ ...embedded, cli: { ...front['cli'], may: ['everything'] } as Room }).map((line) =>
      line.replace('`everything`', 'everything'),
    ),
    ...['web/wire', 'web/server', 'web/page'].map((name) => row(name, front[name] as Room)),
    ...['rehearse', 'sdk'].map((name) => row(name, front[name] as Room)),
  ].join('\n');
}

/** The table of features as ARCHITECTURE.md shows it. */
export function featureTable(): string {
  return [
    '| Feature | Content | Folders |',
    '| --- | --- | --- |',
    ...Object.entries(features).map(
      ([name, { purpose, floors }]) =>
        `| [\`${name}\`](src/${name}/README.md) | ${purpose} | ${codeList(floors)} |`,
    ),
  ].join('\n');
}

/** The table of the folders in a feature as ARCHITECTURE.md shows it. */
export function floorTable(): string {
  return [
    '| Folder | May import in its feature | Of other features | Shared | `node:*` |',
    '| --- | --- | --- | --- | --- |',
    ...order.map((floor) => {
      const own = order.slice(0, order.indexOf(floor));
      const { may, types, node } = floors[floor];
      const alsoTypes = types.length === 0 ? '' : `; types of ${codeList(types)}`;
      return `| \`${floor}\` | ${own.length === 0 ? 'nothing' : codeList(own)} | ${codeList(open[floor])} | ${codeList(may)}${alsoTypes} | ${node ? 'yes' : 'no'} |`;
    }),
  ].join('\n');
}
