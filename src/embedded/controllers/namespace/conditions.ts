import { setCondition, type Condition } from '#kube/conditions.ts';
import { equalJson, type Json } from '#base/json.ts';
import { type Instant } from '#base/time.ts';
import type { Remaining } from './remaining.ts';

/** The result of one round of deletions. */
export type DeletionProgress = {
  /** One text per resource whose deletion was refused. */
  readonly failures: readonly string[];
  readonly remaining: Remaining;
};

type Verdict = { readonly reason: string; readonly message: string };
type Rule = {
  readonly type: string;
  readonly fine: Verdict;
  /** What is wrong, when something is. */
  wrong(progress: DeletionProgress): Verdict | undefined;
};

/** The conditions of a namespace that is being deleted, in order. */
const rules: readonly Rule[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    fine: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
    wrong: () => undefined,
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    fine: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
    wrong: () => undefined,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    fine: {
      reason: 'ContentDeleted',
      message: 'All content successfully deleted, may be waiting on finalization',
    },
    wrong: ({ failures }) =>
      verdict(
        failures,
        'ContentDeletionFailed',
        `Failed to delete all resource types, ${failures.length} remaining: `,
      ),
  },
  {
    type: 'NamespaceContentRemaining',
    fine: { reason: 'ContentRemoved', message: 'All content successfully removed' },
    wrong: ({ remaining }) =>
      verdict(
        counted(remaining.resources, (name, count) => `${name} has ${count} resource instances`),
        'SomeResourcesRemain',
        'Some resources are remaining: ',
      ),
  },
  {
    type: 'NamespaceFinalizersRemaining',
    fine: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
    wrong: ({ remaining }) =>
      verdict(
        counted(remaining.finalizers, (name, count) => `${name} in ${count} resource instances`),
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: ',
      ),
  },
];

/** The conditions after a round, or undefined when nothing changes. Conditions of other types stay. */
export function conditionsAfter(
  before: readonly Json[],
  progress: DeletionProgress,
  now: Instant,
): readonly Json[] | undefined {
  const after = rules.reduce<readonly Json[]>(
    (conditions, rule) => setCondition(conditions, conditionFor(rule, progress), now),
    before,
  );
  return equalJson(after, before) ? undefined : after;
}

function conditionFor(rule: Rule, progress: DeletionProgress): Condition {
  const wrong = rule.wrong(progress);
  const { reason, message } = wrong ?? rule.fine;
  return { type: rule.type, status: wrong === undefined ? 'False' : 'True', reason, message };
}

const verdict = (parts: readonly string[], reason: string, opening: string): Verdict | undefined =>
  parts.length === 0 ? undefined : { reason, message: `${opening}${parts.toSorted().join(', ')}` };

const counted = (
  counts: ReadonlyMap<string, number>,
  say: (name: string, count: number) => string,
): readonly string[] => [...counts].map(([name, count]) => say(name, count));
