import type { JsonObject } from '#base/json.ts';
import type { FieldError } from '#kube/field-error.ts';
import { seededRandom } from '#base/random.ts';
import { admitPriority } from '#embedded/kinds/rules/admission-priority.ts';
import { admitServiceAccount } from '#embedded/kinds/rules/admission-service-account.ts';
import { defaultTolerations } from '#embedded/kinds/rules/admission-tolerations.ts';
import type { KindRules } from '#embedded/kinds/rules/kind-rules.ts';
import { podRules } from '#embedded/kinds/rules/pod.ts';

/** Complaints as a user reads them. */
export const texts = (errors: readonly FieldError[]): string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`);

export const meta: JsonObject = {
  name: 'x',
  namespace: 'default',
  uid: '11111111-1111-4111-8111-111111111111',
  creationTimestamp: '2026-01-01T00:00:00Z',
};

/** What a create makes of an object, without metadata checks. */
export function created(rules: KindRules, object: JsonObject): JsonObject {
  const stamped = { ...object, metadata: { ...meta, ...(object['metadata'] as JsonObject | undefined) } };
  const defaulted = rules.defaults?.(stamped) ?? stamped;
  return rules.prepareCreate?.(defaulted) ?? defaulted;
}

/** The complaints of a create, without metadata checks. */
export const refusals = (rules: KindRules, object: JsonObject): string[] =>
  texts(rules.validateCreate?.(created(rules, object)) ?? []);

/** The complaints of an update, after defaults and what it keeps. */
export function updateRefusals(rules: KindRules, object: JsonObject, old: JsonObject): string[] {
  const defaulted = rules.defaults?.(object) ?? object;
  const prepared = rules.prepareUpdate?.(defaulted, old) ?? defaulted;
  return texts(rules.validateUpdate?.(prepared, old) ?? []);
}

export const container: JsonObject = { name: 'c', image: 'img:1' };

/** A pod as a server has it, with parts of its spec replaced. */
export function livePod(spec: JsonObject = {}): JsonObject {
  const pod = created(podRules, {
    apiVersion: 'v1',
    kind: 'Pod',
    spec: { containers: [container], ...spec },
  });
  const admitted = defaultTolerations(admitServiceAccount(pod, { random: seededRandom(1) }));
  const verdict = admitPriority(admitted, { byName: () => undefined, globalDefault: undefined });
  return verdict.type === 'admitted' ? verdict.pod : admitted;
}

export const template = (spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: { app: 'd' } },
  spec: { containers: [container], ...spec },
});

export const selector: JsonObject = { matchLabels: { app: 'd' } };
