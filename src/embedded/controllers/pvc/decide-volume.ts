import { objectAt, textAt, type JsonObject } from '#base/json.ts';
import { formatTime, type Instant } from '#base/time.ts';
import { annotationsOf, isDeleting, nameOf, type KubeObject } from '#kube/object.ts';
import { provisionedByKey } from './decide-claim.ts';
import { refersTo } from './volume-match.ts';

export type VolumeStep =
  | { readonly type: 'none' }
  | { readonly type: 'set status'; readonly status: JsonObject }
  | { readonly type: 'delete' };

const none: VolumeStep = { type: 'none' };

/** `claim` is the one of the name that the volume refers to. */
export function decideVolume(volume: KubeObject, claim: KubeObject | undefined, now: Instant): VolumeStep {
  const reference = objectAt(volume, 'spec', 'claimRef');
  if (reference === undefined || (textAt(reference, 'uid') ?? '') === '')
    return phase(volume, 'Available', now);
  if (claim !== undefined && refersTo(volume, claim) === 'exactly') {
    // The claim does not name the volume yet: the binding is decided there.
    return textAt(claim, 'spec', 'volumeName') === nameOf(volume) ? phase(volume, 'Bound', now) : none;
  }
  const released = phase(volume, 'Released', now);
  if (released.type !== 'none') return released;
  const isOurs = !isDeleting(volume) && annotationsOf(volume)[provisionedByKey] !== undefined;
  return isOurs && textAt(volume, 'spec', 'persistentVolumeReclaimPolicy') === 'Delete'
    ? { type: 'delete' }
    : none;
}

function phase(volume: KubeObject, wanted: string, now: Instant): VolumeStep {
  if (textAt(volume, 'status', 'phase') === wanted) return none;
  const { message: _message, reason: _reason, ...rest } = objectAt(volume, 'status') ?? {};
  return {
    type: 'set status',
    status: { ...rest, phase: wanted, lastPhaseTransitionTime: formatTime(now) },
  };
}
