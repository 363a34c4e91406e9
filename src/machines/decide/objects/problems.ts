import { preflightCondition } from '#machines/decide/install-conditions.ts';
import type { Condition } from '#kube/conditions.ts';
import { failureReason } from '#machines/decide/conditions.ts';
import type { OperationKind } from '#machines/decide/model.ts';
import type { SpecProblem } from '#machines/decide/problem.ts';

/** The problems of an object as conditions of the steps that they concern. */
export function problemConditions(
  problems: readonly SpecProblem[],
  kind: OperationKind,
): readonly Condition[] {
  const byType = new Map<string, string[]>();
  for (const problem of problems) {
    const type = conditionFor(problem.origin.pointer);
    if (type !== undefined) byType.set(type, [...(byType.get(type) ?? []), sentence(problem)]);
  }
  return [...byType].map(([type, texts]) => ({
    type,
    status: 'False',
    reason: failureReason(kind),
    message: texts.join('; ').slice(0, 1024),
  }));
}

/** All problems in one text. */
export const problemsText = (problems: readonly SpecProblem[]): string =>
  problems.map(sentence).join('; ').slice(0, 1024);

const sentence = ({ origin, message, valid }: SpecProblem): string =>
  `${placeOf(origin)}${message}${valid === undefined ? '' : `. Valid values: ${valid.join(', ')}`}`;

/** The problems of a Cluster include those of its Machines, which are named. */
function placeOf({ file, pointer }: SpecProblem['origin']): string {
  const place = [file, pointer].filter((each) => each !== '').join(' ');
  return place === '' ? '' : `${place}: `;
}

function conditionFor(pointer: string): string | undefined {
  if (pointer.startsWith('/spec/features/files')) return 'EnsureCopyFiles';
  if (pointer === '/spec/version') return preflightCondition;
  if (pointer.startsWith('/spec/features/upgrade/betweenBatches')) return 'EnsureBetweenBatchesHook';
  const hook = /^\/spec\/features\/hooks\/(?:Hook)?([A-Za-z]+)$/.exec(pointer)?.[1];
  return hook === undefined ? undefined : `Ensure${hook}Hook`;
}
