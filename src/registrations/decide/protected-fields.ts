import type { ChildKey } from '#registrations/kinds/reply.ts';
import { at, equalJson, isObject, listAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { isDeepValue } from '#base/json-depth.ts';
import type { KubeObject } from '#kube/object.ts';
import { containerName } from './render-instance.ts';

const largest = 524_288;
const deepest = 64;

/** Why a reply is refused: it changes a protected field. Undefined when it changes none. */
export function protectedChange(
  key: ChildKey,
  before: KubeObject,
  after: KubeObject,
  further: readonly string[],
): string | undefined {
  if (isDeepValue(after, deepest)) return `is nested deeper than ${deepest} levels`;
  if (printJson(after).length > largest) return `is larger than ${largest} bytes`;
  const field = fixedFields(key).find((path) => !equalJson(at(before, ...path), at(after, ...path)));
  if (field !== undefined) return changed(field.join('.'));
  const label = lostLabel(before, after, ['metadata', 'labels']) ?? lostPodLabel(key, before, after);
  if (label !== undefined) return changed(label);
  if (!keepsOwner(before, after)) return changed('the owner reference to the instance');
  if (isPodOwner(key) && !hasContainer(after)) return `has no container ${containerName}`;
  const pointed = further.find(
    (each) => !equalJson(valueAtPointer(before, each), valueAtPointer(after, each)),
  );
  return pointed === undefined ? undefined : `changes ${pointed}, which the registration protects`;
}

const changed = (what: string): string => `changes ${what}, which is protected`;
const isPodOwner = (key: ChildKey): boolean => key === 'deployment' || key === 'ksvc';

const everywhere: readonly (readonly string[])[] = [
  ['apiVersion'],
  ['kind'],
  ...[
    'name',
    'generateName',
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'managedFields',
    'selfLink',
  ].map((name) => ['metadata', name]),
];
const ofDeployments: readonly (readonly string[])[] = [...everywhere, ['spec', 'selector']];
const fixedFields = (key: ChildKey): readonly (readonly string[])[] =>
  key === 'deployment' ? ofDeployments : everywhere;

/** Labels may be added, but ours must stay. */
function lostLabel(before: KubeObject, after: KubeObject, path: readonly string[]): string | undefined {
  const ours = at(before, ...path);
  if (!isObject(ours)) return undefined;
  const lost = Object.keys(ours)
    .filter((name) => name.startsWith('app.kubernetes.io/'))
    .find((name) => ours[name] !== at(after, ...path, name));
  return lost === undefined ? undefined : `${path.join('.')}[${lost}]`;
}

const lostPodLabel = (key: ChildKey, before: KubeObject, after: KubeObject): string | undefined =>
  key === 'deployment' ? lostLabel(before, after, ['spec', 'template', 'metadata', 'labels']) : undefined;

/** Owners may be added, but no other controller. */
function keepsOwner(before: KubeObject, after: KubeObject): boolean {
  const owners = listAt(after, 'metadata', 'ownerReferences');
  const [ours] = listAt(before, 'metadata', 'ownerReferences');
  const controllers = owners.filter((each) => at(each, 'controller') === true);
  return ours === undefined || (controllers.length === 1 && equalJson(controllers[0], ours));
}

const hasContainer = (child: KubeObject): boolean =>
  listAt(child, 'spec', 'template', 'spec', 'containers').some(
    (each) => textAt(each, 'name') === containerName,
  );

function valueAtPointer(root: JsonObject, pointer: string): Json | undefined {
  let current: Json | undefined = root;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(current)) current = (current as readonly Json[])[Number(name)];
    else current = at(current, name);
  }
  return current;
}
