import type { ChildKey } from '#registrations/kinds/reply.ts';
import { numberAt, objectAt, textAt } from '#base/json.ts';
import { labelsOf, isDeleting, kindOf, nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { controllerOf, isControlledBy } from '#kube/workload/owner.ts';
import { childKeyOf, childName, listOfChildren } from './children.ts';
import type { Children, InstanceSnapshot } from './cycle.ts';

type Sight = Pick<InstanceSnapshot, 'registration' | 'instance' | 'live'>;

/** The live children with the name that we give them. */
export function controlledChildren({ registration, instance, live }: Sight): Children {
  const name = childName(registration.name, nameOf(instance));
  const found = live.flatMap((child) => {
    const key = childKeyOf(child);
    const isOurs = nameOf(child) === name && isControlledBy(child, instance);
    return key === undefined || !isOurs ? [] : [[key, child] as const];
  });
  return Object.fromEntries(sorted(found));
}

const order: readonly ChildKey[] = ['deployment', 'ksvc', 'service', 'serviceAccount'];
const sorted = <Value>(entries: readonly (readonly [ChildKey, Value])[]) =>
  [...entries].sort(([left], [right]) => order.indexOf(left) - order.indexOf(right));

/** Why children cannot be applied: an object of that name exists that the instance does not control. */
export function conflictOf({ instance, live }: Sight, children: Children): string | undefined {
  const names = new Map(listOfChildren(children).map(({ key, object }) => [key, nameOf(object)]));
  const conflicting = live.find((each) => {
    const key = childKeyOf(each);
    return key !== undefined && names.get(key) === nameOf(each) && !isControlledBy(each, instance);
  });
  if (conflicting === undefined) return undefined;
  const owner = controllerOf(conflicting);
  const whose =
    owner === undefined ? 'is not controlled by the instance' : `belongs to ${owner.kind} ${owner.name}`;
  return `${kindOf(conflicting)} ${namespaceOf(conflicting)}/${nameOf(conflicting)} ${whose}: rename the instance, or delete the object`;
}

/** Whether pods may still use a ServiceAccount: the workload names it, or has not finished its rollout. */
function isAccountInUse(account: KubeObject, live: readonly KubeObject[]): boolean {
  return live.some((each) => {
    const key = childKeyOf(each);
    if (key !== 'deployment' && key !== 'ksvc') return false;
    const podSpec = objectAt(each, 'spec', 'template', 'spec');
    const name = textAt(podSpec, 'serviceAccountName') ?? textAt(podSpec, 'serviceAccount');
    return name === nameOf(account) || !isRolledOut(each, key);
  });
}

function isRolledOut(main: KubeObject, key: 'deployment' | 'ksvc'): boolean {
  const status = objectAt(main, 'status') ?? {};
  const seen = numberAt(status, 'observedGeneration') ?? 0;
  if (seen < (numberAt(main, 'metadata', 'generation') ?? 0)) return false;
  if (key === 'ksvc')
    return textAt(status, 'latestCreatedRevisionName') === textAt(status, 'latestReadyRevisionName');
  const wanted = numberAt(main, 'spec', 'replicas') ?? 1;
  const [all, updated] = [numberAt(status, 'replicas') ?? 0, numberAt(status, 'updatedReplicas') ?? 0];
  return all === updated && updated === wanted && (numberAt(status, 'terminatingReplicas') ?? 0) === 0;
}

/** Children of the instance that are not rendered any more. A ServiceAccount stays while pods use it. */
export function childrenToPrune({ instance, live }: Sight, children: Children): readonly KubeObject[] {
  const wanted = new Set(listOfChildren(children).map(({ key, object }) => `${key} ${nameOf(object)}`));
  return live.filter(
    (each) =>
      isControlledBy(each, instance) &&
      labelsOf(each)['app.kubernetes.io/managed-by'] === 'scoby-controller' &&
      childKeyOf(each) !== undefined &&
      !isDeleting(each) &&
      !wanted.has(`${childKeyOf(each)} ${nameOf(each)}`) &&
      !(childKeyOf(each) === 'serviceAccount' && isAccountInUse(each, live)),
  );
}
