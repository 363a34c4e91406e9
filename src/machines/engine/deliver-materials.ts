import { hashText } from '#base/hash.ts';
import type { JobStep, Material } from '#machines/decide/plan.ts';
import type { TaskOutcome as Outcome } from '#machines/decide/progress.ts';
import type { Delivered } from '#edge/ssh/deliver.ts';
import { copyProgress } from './copy-progress.ts';
import type { Desk } from './desk.ts';
import type { Hand } from './hands.ts';
import { deliveredOutcome } from './run-task.ts';

/** Puts the step's materials on the node, once for all steps that have the same: their folder, or why not. */
export async function deliverMaterials(
  desk: Desk,
  { id, materials = [] }: JobStep,
  hand: Hand,
  signal: AbortSignal,
): Promise<string | undefined | Outcome> {
  if (materials.length === 0) return undefined;
  const folder = hand.machine().materialsFolder(hashText(materials.map(identity).join('\n')));
  const files = materials.map(({ src, name, digest, size, mode }) => ({
    source: src,
    path: `${folder}/${name}`,
    digest: digest.replace(/^sha256:/, ''),
    size,
    mode,
  }));
  const deliver = (): Promise<Delivered> =>
    hand.machine().deliver(files, signal, copyProgress(desk, id, hand.node));
  let delivered = await deliver();
  // Nothing has begun yet: after a lost connection it is simply done again.
  if (delivered.type === 'disconnected' && (await hand.again(signal)) === undefined)
    delivered = await deliver();
  return delivered.type === 'delivered' ? folder : deliveredOutcome(hand, delivered);
}

const identity = ({ name, digest, mode }: Material): string => `${digest} ${mode} ${name}`;
