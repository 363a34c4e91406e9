import type { ChildKey } from '#registrations/kinds/reply.ts';
import { hashText } from '#base/hash.ts';
import type { JsonObject } from '#base/json.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { controllerReference } from '#kube/workload/owner.ts';
import type { Children } from './cycle.ts';

export type ChildKind = {
  readonly key: ChildKey;
  readonly apiVersion: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
};

/** The kinds of children, in the order in which they are sent and applied. */
export const childKinds: readonly ChildKind[] = [
  {
    key: 'deployment',
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    group: 'apps',
    version: 'v1',
    plural: 'deployments',
  },
  {
    key: 'ksvc',
    apiVersion: 'serving.knative.dev/v1',
    kind: 'Service',
    group: 'serving.knative.dev',
    version: 'v1',
    plural: 'services',
  },
  { key: 'service', apiVersion: 'v1', kind: 'Service', group: '', version: 'v1', plural: 'services' },
  {
    key: 'serviceAccount',
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    group: '',
    version: 'v1',
    plural: 'serviceaccounts',
  },
];

/** The children as a list, in the order of their kinds. */
export const listOfChildren = (children: Children): readonly { key: ChildKey; object: KubeObject }[] =>
  childKinds.flatMap(({ key }) => {
    const object = children[key];
    return object === undefined ? [] : [{ key, object }];
  });

export const childKeyOf = ({ apiVersion, kind }: KubeObject): ChildKey | undefined =>
  childKinds.find((each) => each.apiVersion === apiVersion && each.kind === kind)?.key;

const longest = 63;

/** `<registration>-<instance>`; shortened, with a hash, when it is too long or has dots. */
export function childName(registration: string, instance: string): string {
  const whole = `${registration}-${instance}`;
  if (whole.length <= longest && !whole.includes('.')) return whole;
  return cut(whole.replaceAll('.', '-'), whole);
}

function cut(text: string, whole: string): string {
  const hash = hashText(whole).slice(0, 10);
  return `${text.slice(0, longest - hash.length - 1).replace(/[-._]+$/, '')}-${hash}`;
}

const labelValue = (text: string): string => (text.length <= longest ? text : cut(text, text));

/** The labels that select the pods of an instance. */
export const selectorLabels = (
  registration: string,
  instance: KubeObject,
): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/name': labelValue(registration),
  'app.kubernetes.io/instance': labelValue(nameOf(instance)),
  'app.kubernetes.io/component': 'workload',
});

export const childLabels = (
  registration: string,
  instance: KubeObject,
): Readonly<Record<string, string>> => ({
  ...selectorLabels(registration, instance),
  'app.kubernetes.io/part-of': 'scoby-component',
  'app.kubernetes.io/managed-by': 'scoby-controller',
});

/** Selects the children of all instances of a registration: all labels but that of the instance. */
export function childSelector(registration: string): string {
  const { 'app.kubernetes.io/instance': _instance, ...common } = childLabels(registration, {});
  return Object.entries(common)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

/** The metadata of every child. */
export const childMeta = (registration: string, instance: KubeObject): JsonObject => ({
  name: childName(registration, nameOf(instance)),
  namespace: namespaceOf(instance),
  labels: childLabels(registration, instance),
  ownerReferences: [controllerReference(instance)],
});
