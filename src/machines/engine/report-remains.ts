import { isRemoval } from '#machines/decide/model.ts';
import { localNode, stepsOf, type MachinePlan } from '#machines/decide/plan.ts';
import { hasUnreadResult } from '#machines/decide/unread-results.ts';
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
      // A result that was not read stays, for another part of the operation or a retry.
      const cleanUp = !hasUnreadResult(operationLog.progress(), session.node);
      const found = await session.remains({ cleanUp, purge: purge && cleanUp, paths });
      operationLog.emit({ type: 'notice', node: session.node, message: remainsText(found, purge) });
    }),
  );
}

/** Folders that were not empty among them. */
const removedPaths = (plan: MachinePlan): readonly string[] =>
  stepsOf(plan).flatMap((step) => (step.kind === 'remove' ? step.paths : []));

function remainsText(found: readonly string[] | undefined, purge: boolean): string {
  if (found === undefined) return 'It is unknown what remains on this machine: it does not answer.';
  if (found.length === 0) return 'Nothing of Boathook remains on this machine.';
  const listed = `These files remain on this machine: ${found.join(', ')}.`;
  return purge
    ? `${listed} They are in use, or contain files that Boathook did not create.`
    : `${listed} --purge removes the files of Boathook.`;
}
