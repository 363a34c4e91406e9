import { numberAt } from '#base/json.ts';
import { controllerOf, type ControllerReference } from '#kube/workload/owner.ts';
import { warning, type Note } from '#loop/note.ts';
import { nameOf, namespaceOf, uidOf, type KubeObject } from '#kube/object.ts';
import type { BudgetSnapshot } from './decide.ts';

/** The scale of a controller. `uid`: of the top controller; the ReplicaSets of one Deployment share its scale. */
export type Scale =
  | { readonly type: 'known'; readonly count: number; readonly uid: string }
  | { readonly type: 'unknown'; readonly why: string };

/** Finds the scale of a controller: in the cache, or for other kinds on the server. */
export type FindScale = (namespace: string, controller: ControllerReference) => Promise<Scale>;

export type Expected = { readonly scale: BudgetSnapshot['scale']; readonly notes: readonly Note[] };

/** Number of pods that the controllers of these pods want. Each controller counts once. */
export async function expectedScale(pods: readonly KubeObject[], find: FindScale): Promise<Expected> {
  const controllers = new Map<
    string,
    { readonly pod: KubeObject; readonly controller: ControllerReference }
  >();
  const unmanaged: string[] = [];
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (controller === undefined) unmanaged.push(nameOf(pod));
    else if (!controllers.has(controller.uid)) controllers.set(controller.uid, { pod, controller });
  }
  const notes = unmanaged.length === 0 ? [] : [warning('UnmanagedPods', unmanagedText)];
  const wishes = new Map<string, number>();
  for (const { pod, controller } of controllers.values()) {
    const found = await find(namespaceOf(pod), controller);
    if (found.type === 'unknown') return { scale: found, notes };
    wishes.set(found.uid, found.count);
  }
  const count = [...wishes.values()].reduce((sum, each) => sum + each, 0);
  return { scale: { type: 'known', count }, notes };
}

const unmanagedText = `Pods selected by this PodDisruptionBudget were found to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.`;

/** `spec.replicas` of a workload, 1 unless given. */
export const scaleOf = (workload: KubeObject): number => numberAt(workload, 'spec', 'replicas') ?? 1;

/** Whether it is the controller that a pod names, by uid. */
export const isMeant = (
  workload: KubeObject | undefined,
  { uid }: ControllerReference,
): workload is KubeObject => workload !== undefined && uidOf(workload) === uid;
