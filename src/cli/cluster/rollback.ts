import type { Verdict } from '#decide/machines/verdict.ts';
import type { Assignment } from './operate.ts';
import type { Request } from './options.ts';

/**
 * What undoes a failed operation, as eggo does: a cluster whose creation failed is cleaned up, and so are nodes that
 * could not join. The hooks of the command line were given for this command and do not run again.
 */
export function rollbackOf(
  { request, prepared, options }: Assignment,
  { state, isolated, failures }: Verdict,
): Request | undefined {
  if (!options.rollback || prepared.declaration.cluster.format !== 'eggo') return undefined;
  const undo = { ...request, hooks: [], force: true };
  if (prepared.operation === 'cluster.create' && state === 'Failed')
    return { ...undo, verb: 'cleanup', nodes: [] };
  // A node that was never reached has nothing to undo.
  const touched = [...isolated.keys()].filter((node) => failures.some((failure) => failure.node === node));
  if (prepared.operation === 'node.join' && touched.length > 0)
    return { ...undo, verb: 'delete', nodes: touched };
  return undefined;
}
