import type { KubeObject } from '#kube/object.ts';
import { type Applied, applyServerSide, type ApplyRequest } from './apply.ts';
import { storedEntries, withEntries } from './managed-entry.ts';
import { trackUpdate, type UpdateToTrack } from './managed-fields.ts';

/**
 * Writes through `/scale` own the replicas of the scaled object under entries of the subresource, which real
 * servers leave without a time. Both functions work on the scaled object, not on the Scale.
 */
export function trackScale(update: Omit<UpdateToTrack, 'subresource'>): KubeObject {
  return withoutScaleTimes(trackUpdate({ ...update, subresource: 'scale' }));
}

/** `applied` is the scaled object with its identity and its replicas only. */
export function applyScale(request: Omit<ApplyRequest, 'subresource'>): Applied {
  const { object, changed } = applyServerSide({ ...request, subresource: 'scale' });
  return { object: withoutScaleTimes(object), changed };
}

function withoutScaleTimes(object: KubeObject): KubeObject {
  const entries = storedEntries(object).map((entry) => {
    if (entry.subresource !== 'scale' || entry.time === undefined) return entry;
    const { time: _time, ...rest } = entry;
    return rest;
  });
  return withEntries(object, entries);
}
