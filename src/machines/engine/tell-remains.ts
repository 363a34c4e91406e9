import { isRemoval } from '#machines/decide/model.ts';
import { localNode, stepsOf, type MachinePlan as Plan } from '#machines/decide/plan.ts';
import type { Desk } from './desk.ts';
import type { Hand } from './hands.ts';

/** After a removal: what stays on the machines, by path. `purge`: what is our own is removed first. */
export async function tellRemains(desk: Desk, hands: Iterable<Hand>, purge: boolean): Promise<void> {
  if (!isRemoval(desk.plan.operation)) return;
  const paths = removedPaths(desk.plan);
  const nodes = [...hands].filter(({ node }) => node !== localNode);
  await Promise.all(
    nodes.map(async (hand) => {
      const found = await hand.remains({ purge, paths });
      desk.tell({ type: 'notice', node: hand.node, message: remainsText(found, purge) });
    }),
  );
}

/** Folders that were not empty among them. */
const removedPaths = (plan: Plan): readonly string[] =>
  stepsOf(plan).flatMap((step) => (step.kind === 'remove' ? step.paths : []));

function remainsText(found: readonly string[] | undefined, purge: boolean): string {
  if (found === undefined) return 'It is not known what stays on this machine: it does not answer.';
  if (found.length === 0) return 'Nothing of Boathook stays on this machine.';
  const listed = `These stay on this machine: ${found.join(', ')}.`;
  return purge
    ? `${listed} They are in use, or hold files that Boathook did not put there.`
    : `${listed} --purge removes what Boathook keeps there for itself.`;
}
