import { numberAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';

/**
 * The state of a release in one short word, such as `mgv2k1x0/2`: the release, the step counted from 1, and after a retry
 * of its hook the number of retries (`mgv2k1x0/5.1`). A script gives it back with `--expect`, so that it acts on nothing
 * else.
 */
export function identityOf(workload: KubeObject): string {
  const { release, step, retries } = placeOf(workload);
  return `${release}/${step}${retries === 0 ? '' : `.${retries}`}`;
}

type Place = { readonly release: string; readonly step: number; readonly retries: number };

/** The parts of an identity. */
export function placeOf(workload: KubeObject): Place {
  const text = (...path: readonly string[]): string => textAt(workload, 'status', ...path) ?? '';
  return {
    release: text('canary', 'releaseID') || text('updateRevision'),
    step: (numberAt(workload, 'status', 'currentStepIndex') ?? -1) + 1,
    retries: numberAt(workload, 'status', 'canary', 'retries') ?? 0,
  };
}

/** Undefined: the text is not an identity. */
export function parseIdentity(text: string): Place | undefined {
  const match = /^([^/\s]+)\/(\d{1,4})(?:\.(\d{1,6}))?$/.exec(text);
  if (match === null) return undefined;
  const [, release = '', step = '0', retries = '0'] = match;
  return { release, step: Number(step), retries: Number(retries) };
}
