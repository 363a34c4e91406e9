import { isObject, textAt, type Json } from '#base/json.ts';
import { namespaceOf, type KubeObject } from '#kube/object.ts';
import { addressTarget } from './address.ts';
import type {
  HookAddress,
  ObjectReference,
  Registration,
  ControllerEnvironment,
} from '#registrations/model/registration.ts';
import { valueAt } from '#registrations/model/spec-path.ts';
import { failed, type RenderFailure } from './render-failure.ts';

export const referenceKey = ({ apiVersion, kind, namespace, name }: ObjectReference): string =>
  `${apiVersion} ${kind} ${namespace}/${name}`;

/** The objects that rendering needs: targets of addresses, and ConfigMaps in the namespace of the controller. */
export function neededReferences(
  registration: Registration,
  instance: KubeObject,
  environment: ControllerEnvironment,
): readonly ObjectReference[] {
  const maps = registration.added.flatMap(({ content }) =>
    content.type === 'controller-key' ? [configMapReference(content.from.name, environment)] : [],
  );
  const addressed = [...registration.rules].flatMap(([path, { from }]) => {
    if (from?.type !== 'resolveAddress') return [];
    const read = addressAtPath(registration, instance, path);
    return read.type === 'address' && read.reference !== undefined ? [read.reference] : [];
  });
  return [...new Map([...maps, ...addressed].map((each) => [referenceKey(each), each])).values()];
}

export const configMapReference = (name: string, { namespace }: ControllerEnvironment): ObjectReference => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace,
  name,
});

export type ElementAddress =
  | {
      readonly type: 'address';
      readonly address: HookAddress;
      /** The object to read; undefined when the URI is enough. */
      readonly reference: ObjectReference | undefined;
    }
  | RenderFailure;

/**
 * The address in an element of an instance. The controller reads it with its own permissions, so a forbidden reference is
 * refused before anything is read: the author of the instance cannot find out whether the object exists.
 */
export function addressAtPath(
  registration: Registration,
  instance: KubeObject,
  path: string,
): ElementAddress {
  const address = addressOfElement(valueAt(instance, path));
  if (address === undefined)
    return failed('ADDRESSUNRESOLVED', `${path} is not an address: it needs ref {kind, name} or uri`);
  const target = addressTarget(address, namespaceOf(instance));
  if (target === undefined) return { type: 'address', address, reference: undefined };
  const shape = shapeProblem(target);
  if (shape !== undefined) return failed('RENDERFAILED', `${path}.ref.${shape}`);
  const refusal = refusalOf(registration, target, namespaceOf(instance));
  if (refusal !== undefined) return failed('REFERENCEREFUSED', `${path}: ${refusal}`);
  const isPlain = target.apiVersion === 'v1' || registration.referenceNamespaces.includes('*');
  const reference: ObjectReference = isPlain ? target : { ...target, isNamespacedOnly: true };
  return { type: 'address', address, reference };
}

const shapes: readonly (readonly [keyof ObjectReference, RegExp])[] = [
  ['apiVersion', /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[a-z0-9]+$/],
  ['kind', /^[A-Za-z][A-Za-z0-9]*$/],
  ['namespace', /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/],
  ['name', /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/],
];
const longest = 253;

/** The parts of a reference become parts of a request path. */
function shapeProblem(target: ObjectReference): string | undefined {
  for (const [field, shape] of shapes) {
    const text = String(target[field]);
    if (text.length > longest || !shape.test(text))
      return `${field} is not a valid ${field}: ${JSON.stringify(text.slice(0, 80))}`;
  }
  return undefined;
}

function refusalOf(
  { name: registration, referenceNamespaces }: Registration,
  { apiVersion, kind, namespace, name }: ObjectReference,
  own: string,
): string | undefined {
  const isAllowed =
    namespace === own || referenceNamespaces.some((each) => each === '*' || each === namespace);
  if (!isAllowed)
    return `${kind} ${namespace}/${name} is not in namespace ${own}: list ${namespace} in spec.referenceNamespaces of registration ${registration} to allow it`;
  // Secrets, ConfigMaps, Nodes and others have no address; the message must not reveal whether they exist.
  return apiVersion === 'v1' && kind !== 'Service'
    ? `a ${kind} of v1 has no address: refer to a Service, or to an object with status.address.url`
    : undefined;
}

/** An element `{ref, uri}` of an instance; undefined when it is something else. */
function addressOfElement(element: Json | undefined): HookAddress | undefined {
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
