import type { ControlDeps } from '#loop/control-deps.ts';
import { shortened } from '#hooks/decide/shortened.ts';
import type { InstanceKind } from '#registrations/decide/inspect-crd.ts';
import { finalizer, skipFinalizeAnnotation } from '#registrations/model/registration.ts';
import { runController } from '#loop/controller.ts';
import { keyOf, splitKey } from '#loop/delta.ts';
import type { EventRecorder } from '#loop/event-recorder.ts';
import { createInformer } from '#loop/informer.ts';
import { warning } from '#loop/note.ts';
import { isStale } from '#loop/owned/write.ts';
import { settled, type Next } from '#loop/work-queue.ts';
import { annotationsOf, isDeleting } from '#kube/object.ts';
import { hasFinalizer, removeFinalizer } from './instance-finalizer.ts';
import { instanceResource } from './resources.ts';

export type DeletionGuardDeps = Pick<ControlDeps, 'client' | 'clock' | 'random' | 'tasks' | 'report'> & {
  readonly events: EventRecorder;
  readonly registration: string;
  readonly kind: InstanceKind;
  /** Why the registration is invalid. */
  readonly why: string;
};

export type DeletionGuard = Pick<DeletionGuardDeps, 'kind' | 'why'> & { close(): Promise<void> };

/**
 * Keeps the finalizer of deleted instances while their registration is invalid and its hook therefore unknown. Records
 * why, and removes the finalizer from instances with the annotation that skips finalize.
 */
export function startDeletionGuard(deps: DeletionGuardDeps): DeletionGuard {
  const { client, clock, random, tasks, report, events, registration, kind, why } = deps;
  const resource = instanceResource(kind);
  const instances = createInformer({ client, clock, random, report, resource, dropManagedFields: true });
  const blocked = warning(
    'DeletionBlocked',
    `the finalizer ${finalizer} stays: registration ${registration} is invalid (${shortened(why)}). Correct or delete the registration, or set the annotation ${skipFinalizeAnnotation}=true to delete this instance without calling the hook`,
  );
  const skipped = warning(
    'FinalizeSkipped',
    `the annotation ${skipFinalizeAnnotation} is set: the hook is not called`,
  );
  const reconcile = async (key: string, signal: AbortSignal): Promise<Next> => {
    const { namespace, name } = splitKey(key);
    const instance = instances.get(namespace, name);
    if (instance === undefined || !isDeleting(instance) || !hasFinalizer(instance)) return settled;
    const isFreed = annotationsOf(instance)[skipFinalizeAnnotation] === 'true';
    if (isFreed) await removeFinalizer(client, resource, instance, signal);
    events.record(instance, isFreed ? skipped : blocked);
    return settled;
  };
  const controller = runController({
    name: `crdregistration ${registration} (deletions)`,
    clock,
    random,
    tasks,
    report,
    queue: { isExpected: isStale },
    sources: [{ informer: instances, keysOf: ({ object }) => [keyOf(object)] }],
    reconcile,
  });
  const stop = new AbortController();
  const running = instances.run(stop.signal);
  return {
    kind,
    why,
    async close() {
      stop.abort();
      await controller.close();
      await running;
    },
  };
}
