import type { FieldShape, ListShape, MapShape, Shape, StructShape } from '#kube/shape.ts';
import { scalarShape } from '#kube/shape.ts';

type Field =
  Shape | { readonly shape: Shape; readonly strategy?: readonly string[]; readonly mergeKey?: string };

export function struct(
  fields: Readonly<Record<string, Field>>,
  more: { atomic?: boolean; open?: boolean } = {},
): StructShape {
  const known = new Map<string, FieldShape>(
    Object.entries(fields).map(([name, field]) => {
      const { shape, strategy, mergeKey } =
        'type' in field ? { shape: field, strategy: undefined, mergeKey: undefined } : field;
      return [name, { shape: () => shape, patchStrategy: strategy ?? [], patchMergeKey: mergeKey }];
    }),
  );
  return {
    type: 'struct',
    atomic: more.atomic ?? false,
    open: more.open ?? false,
    field: (name) => known.get(name),
    fieldNames: () => [...known.keys()],
  };
}

export const mapOf = (value: Shape, atomic = false): MapShape => ({
  type: 'map',
  atomic,
  value: () => value,
});
export const atomicList = (item: Shape): ListShape => list('atomic', item, [], {});
export const setList = (item: Shape): ListShape => list('set', item, [], {});
export const keyedList = (
  item: Shape,
  keys: readonly string[],
  defaults: ListShape['keyDefaults'] = {},
): ListShape => list('map', item, keys, defaults);

const list = (
  type: ListShape['list'],
  item: Shape,
  keys: readonly string[],
  keyDefaults: ListShape['keyDefaults'],
): ListShape => ({
  type: 'list',
  list: type,
  keys,
  keyDefaults,
  item: () => item,
});

const text = scalarShape;
const texts = mapOf(text);

const ownerReference = struct(
  { apiVersion: text, kind: text, name: text, uid: text, controller: text },
  { atomic: true },
);
export const metaShape = struct({
  name: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  creationTimestamp: text,
  generation: text,
  labels: texts,
  annotations: texts,
  finalizers: { shape: setList(text), strategy: ['merge'] },
  ownerReferences: { shape: keyedList(ownerReference, ['uid']), strategy: ['merge'], mergeKey: 'uid' },
  managedFields: atomicList(struct({}, { open: true })),
});

const object = { apiVersion: text, kind: text, metadata: metaShape };
export const configMapShape = struct({ ...object, data: texts, binaryData: texts, immutable: text });

const port = struct({ name: text, port: text, protocol: text, targetPort: text, nodePort: text });
export const serviceShape = struct({
  ...object,
  spec: struct({
    ports: {
      shape: keyedList(port, ['port', 'protocol'], { protocol: 'TCP' }),
      strategy: ['merge'],
      mergeKey: 'port',
    },
    selector: mapOf(text, true),
    type: text,
    clusterIP: text,
  }),
  status: struct({ loadBalancer: struct({}) }),
});

const selector = struct({ matchLabels: texts }, { atomic: true });
const environment = struct({ name: text, value: text });
const containerPort = struct({ name: text, containerPort: text, protocol: text });
const container = struct({
  name: text,
  image: text,
  args: atomicList(text),
  env: { shape: keyedList(environment, ['name']), strategy: ['merge'], mergeKey: 'name' },
  ports: {
    shape: keyedList(containerPort, ['containerPort', 'protocol'], { protocol: 'TCP' }),
    strategy: ['merge'],
    mergeKey: 'containerPort',
  },
  resources: struct({ limits: texts }),
  imagePullPolicy: text,
});
const volume = struct({
  name: text,
  emptyDir: struct({ medium: text }),
  configMap: struct({ name: text }),
  secret: struct({ secretName: text }),
});
const podSpec = struct({
  containers: { shape: keyedList(container, ['name']), strategy: ['merge'], mergeKey: 'name' },
  volumes: { shape: keyedList(volume, ['name']), strategy: ['merge', 'retainKeys'], mergeKey: 'name' },
  dnsPolicy: text,
  securityContext: struct({ runAsUser: text }),
});
const condition = struct({ type: text, status: text, reason: text, lastTransitionTime: text });
export const deploymentShape = struct({
  ...object,
  spec: struct({
    replicas: text,
    selector,
    strategy: {
      shape: struct({ type: text, rollingUpdate: struct({ maxSurge: text, maxUnavailable: text }) }),
      strategy: ['retainKeys'],
    },
    template: struct({ metadata: metaShape, spec: podSpec }),
  }),
  status: struct({
    replicas: text,
    conditions: { shape: keyedList(condition, ['type']), strategy: ['merge'], mergeKey: 'type' },
  }),
});
