import type { KubeObject } from '#kube/object.ts';
import { identityOf, parseIdentity, placeOf } from '#releases/model/act-identity.ts';
import { invalid, nothing, refused, type ActOptions, type ActPlan, type ReleaseVerb } from './act-plan.ts';
import { situationOf } from './situation.ts';

/**
 * What to answer when a workload is not in the state that an act is meant for; undefined when it is. Where the wish is
 * fulfilled already, there is nothing to do; otherwise the act is refused.
 */
export function unexpected(
  verb: ReleaseVerb,
  workload: KubeObject,
  { title, expect = '' }: ActOptions,
): ActPlan | undefined {
  const meant = parseIdentity(expect);
  if (meant === undefined)
    return invalid(
      `--expect ${expect} is not the state of a release, such as mgv2k1x0/2: take it from ${sources(title)}`,
    );
  const now = identityOf(workload);
  if (now === expect) return undefined;
  const place = placeOf(workload);
  const fact = `${title} is at ${now} and not at ${expect}`;
  if (place.release !== meant.release)
    return refused(`${fact}: another release has begun, and nothing was changed`);
  const isLater = place.step > meant.step || (place.step === meant.step && place.retries > meant.retries);
  const isFulfilled = verb === 'abort' ? situationOf(workload).type === 'aborted' : isLater;
  return isFulfilled && verb !== 'pause' && verb !== 'resume'
    ? nothing(`${fact}: that was done already, and nothing was changed`)
    : refused(`${fact}, so nothing was changed`);
}

const sources = (title: string): string => `boathook release status ${title} -o json`;
