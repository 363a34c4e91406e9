import { gatesOf } from '#machines/read.ts';
import { hookRuns } from '#hooks/kinds/resources.ts';
import { isOver } from '#hooks/decide/run-phase.ts';
import { removeObject } from '#loop/owned/write.ts';
import { reasonOf } from '#loop/report.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import type { OperationDeps } from './operation-deps.ts';

/** Deletes the HookRuns of an operation that another operation replaces: their verdicts no longer matter. */
export async function deleteHookRuns(
  deps: Pick<OperationDeps, 'client' | 'run' | 'report'>,
  object: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  for (const { state, namespace = '', run: name = '' } of gatesOf(object)) {
    const found = state === 'Asked' ? deps.run(namespace, name) : undefined;
    if (found !== undefined && !isOver(found)) await deleteHookRun(deps, found, signal);
  }
}

/** A HookRun that cannot be deleted is deleted with its owner. */
export async function deleteHookRun(
  { client, report }: Pick<OperationDeps, 'client' | 'report'>,
  run: KubeObject,
  signal: AbortSignal,
): Promise<void> {
  try {
    await removeObject(client, hookRuns, run, signal);
  } catch (error) {
    signal.throwIfAborted();
    report('a HookRun could not be removed', { run: nameOf(run), why: reasonOf(error) }, 'warn');
  }
}
