import { isRemoval } from '#machines/decide/model.ts';
import type { PreparedOperation } from './prepare.ts';

/** What a user confirms before a removal; nothing for other operations. */
export function removalTexts({
  operation,
  nodes,
  declaration: { cluster },
}: PreparedOperation): readonly string[] {
  if (!isRemoval(operation)) return [];
  return operation === 'cluster.delete'
    ? [`cleanup removes the cluster ${cluster.id} from ${cluster.nodes.map(({ name }) => name).join(', ')}`]
    : [`delete removes ${nodes.join(', ')} from the cluster ${cluster.id}`];
}
