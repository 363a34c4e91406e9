import { isObject, textAt, type Json } from '#base/json.ts';
import { namespaceOf, type KubeObject } from '#kube/object.ts';
import { addressTarget } from './address.ts';
import type { HookAddress, ObjectReference, Registration, Surroundings } from './registration.ts';
import { valueAt } from './spec-path.ts';

export const referenceKey = ({ apiVersion, kind, namespace, name }: ObjectReference): string =>
  `${apiVersion} ${kind} ${namespace}/${name}`;

/** What must be read before an instance can be rendered: addressed objects, and ConfigMaps beside the controller. */
export function neededReferences(
  registration: Registration,
  instance: KubeObject,
  surroundings: Surroundings,
): readonly ObjectReference[] {
  const needed = new Map<string, ObjectReference>();
  const add = (reference: ObjectReference | undefined): void => {
    if (reference !== undefined) needed.set(referenceKey(reference), reference);
  };
  for (const { content } of registration.added)
    if (content.type === 'controller-key') add(configMapReference(content.from.name, surroundings));
  for (const [path, { from }] of registration.rules) {
    if (from?.type !== 'resolveAddress') continue;
    const address = addressOfElement(valueAt(instance, path));
    if (address !== undefined) add(addressTarget(address, namespaceOf(instance)));
  }
  return [...needed.values()];
}

export const configMapReference = (name: string, { namespace }: Surroundings): ObjectReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace,
  name,
});

/** An element `{ref, uri}` of an instance; undefined when it is something else. */
export function addressOfElement(element: Json | undefined): HookAddress | undefined {
  if (!isObject(element)) return undefined;
  const kind = textAt(element, 'ref', 'kind');
  const name = textAt(element, 'ref', 'name');
  if (isObject(element['ref']) && (kind === undefined || name === undefined)) return undefined;
  const uri = textAt(element, 'uri');
  if (kind === undefined || name === undefined) return { uri, ref: undefined };
  const apiVersion = textAt(element, 'ref', 'apiVersion') ?? 'v1';
  const namespace = textAt(element, 'ref', 'namespace') ?? '';
  return { uri, ref: { apiVersion, kind, namespace, name } };
}
