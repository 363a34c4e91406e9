import { hashText } from '#base/hash.ts';
import type { JobStep, Material } from '#machines/decide/plan.ts';
import type { TaskOutcome } from '#machines/decide/progress.ts';
import type { Delivered } from '#edge/ssh/deliver.ts';
import { copyProgress } from './copy-progress.ts';
import type { OperationLog } from './operation-log.ts';
import type { NodeSession } from './node-session.ts';
import { deliveredOutcome } from './run-task.ts';

/** Copies the materials of a step to the node, once for all steps that have the same. Returns their folder, or why not. */
export async function deliverMaterials(
  operationLog: OperationLog,
  { id, materials = [] }: JobStep,
  session: NodeSession,
  signal: AbortSignal,
): Promise<string | undefined | TaskOutcome> {
  if (materials.length === 0) return undefined;
  const folder = session.machine().materialsFolder(hashText(materials.map(identity).join('\n')));
  const files = materials.map(({ src, name, digest, size, mode }) => ({
    source: src,
    path: `${folder}/${name}`,
    digest: digest.replace(/^sha256:/, ''),
    size,
    mode,
  }));
  const deliver = (): Promise<Delivered> =>
    session.machine().deliver(files, signal, copyProgress(operationLog, id, session.node));
  let delivered = await deliver();
  // Nothing has begun yet: after a lost connection it is simply done again.
  if (delivered.type === 'disconnected' && (await session.reconnect(signal)) === undefined)
    delivered = await deliver();
  return delivered.type === 'delivered' ? folder : deliveredOutcome(session, delivered);
}

const identity = ({ name, digest, mode }: Material): string => `${digest} ${mode} ${name}`;
