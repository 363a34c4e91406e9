import type { HookPhase } from '#registrations/kinds/hook.ts';
import type { JsonObject, MutableJsonObject } from '#base/json.ts';
import {
  apiVersionOf,
  kindOf,
  metaOf,
  nameOf,
  namespaceOf,
  uidOf,
  withoutManagedFields,
  type KubeObject,
} from '#kube/object.ts';
import { listOfChildren } from './children.ts';
import type { Children } from './cycle.ts';
import type { Registration } from '#registrations/model/registration.ts';

export type RequestGiven = {
  readonly registration: Registration;
  readonly instance: KubeObject;
  readonly phase: HookPhase;
  /** As rendered; undefined when rendering fails, and in finalize. */
  readonly children: Children | undefined;
  /** Live children. */
  readonly observed: readonly KubeObject[];
  readonly attempt: number;
};

/** The request to a hook. */
export function hookRequest(given: RequestGiven): JsonObject {
  const { registration, instance, phase, children, observed, attempt } = given;
  const isFull = registration.hook?.payload === 'full';
  const request: MutableJsonObject = {
    object: isFull ? { ...withoutManagedFields(instance), ...referenceTo(instance) } : referenceTo(instance),
    phase,
    capabilities: registration.hook?.capabilities ?? [],
    version: 'v1',
    registration: { name: registration.name, generation: registration.generation },
    formFactor: { name: registration.form.type },
    uid: uidOf(instance),
    generation: metaOf(instance)['generation'] ?? 0,
    attempt,
  };
  const rendered = listOfChildren(children ?? {});
  if (phase === 'post-reconcile') request['rendered'] = rendered.map(({ object }) => object);
  if (phase !== 'pre-reconcile') request['observed'] = observed.map(withoutManagedFields);
  if (isFull && children !== undefined)
    request['children'] = Object.fromEntries(rendered.map(({ key, object }) => [key, object]));
  return request;
}

const referenceTo = (instance: KubeObject): JsonObject => ({
  apiVersion: apiVersionOf(instance),
  kind: kindOf(instance),
  namespace: namespaceOf(instance),
  name: nameOf(instance),
});
