import { isRemoval } from '#machines/decide/model.ts';
import { localNode, stepsOf, type MachinePlan } from '#machines/decide/plan.ts';
import { mayCleanUp } from './may-clean-up.ts';
import type { OperationLog } from './operation-log.ts';
import type { NodeSession } from './node-session.ts';

/** After a removal: what stays on the machines, by path. `purge`: what is our own is removed first. */
export async function reportRemains(
  operationLog: OperationLog,
  sessions: Iterable<NodeSession>,
  purge: boolean,
): Promise<void> {
  if (!isRemoval(operationLog.plan.operation)) return;
  const paths = removedPaths(operationLog.plan);
  const nodes = [...sessions].filter(({ node }) => node !== localNode);
  await Promise.all(
    nodes.map(async (session) => {
      const cleanUp = mayCleanUp(operationLog, session.node);
      const found = await session.remains({ cleanUp, purge: purge && cleanUp, paths });
      operationLog.emit({ type: 'notice', node: session.node, message: remainsText(found, cleanUp, purge) });
    }),
  );
}

/** Folders that were not empty among them. */
const removedPaths = (plan: MachinePlan): readonly string[] =>
  stepsOf(plan).flatMap((step) => (step.kind === 'remove' ? step.paths : []));

function remainsText(found: readonly string[] | undefined, isCleaned: boolean, purge: boolean): string {
  if (found === undefined) return 'It is unknown what remains on this machine: it does not answer.';
  if (found.length === 0) return 'Nothing of Boathook remains on this machine.';
  const listed = `These files remain on this machine: ${found.join(', ')}.`;
  if (!isCleaned)
    return `${listed} The result of a script there is not known yet, so nothing of Boathook was removed: a retry of the operation reads it.`;
  return purge
    ? `${listed} They are in use, or contain files that Boathook did not create.`
    : `${listed} --purge removes the files of Boathook.`;
}
