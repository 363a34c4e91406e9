import { isObject, listAt, numberAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';

export type PolicyVerdict =
  | { readonly type: 'count' }
  | { readonly type: 'ignore' }
  | { readonly type: 'fail index' }
  | { readonly type: 'fail job'; readonly message: string };

const count: PolicyVerdict = { type: 'count' };

/** The action of a job's failure policy for a failed pod: the first rule that matches decides. */
export function judgeFailure(job: KubeObject, pod: KubeObject): PolicyVerdict {
  const rules = listAt(job, 'spec', 'podFailurePolicy', 'rules');
  for (const [at, rule] of rules.entries()) {
    if (!isObject(rule)) continue;
    const match = matchOf(rule, pod);
    if (match === undefined) continue;
    const action = textAt(rule, 'action');
    if (action === 'Ignore') return { type: 'ignore' };
    if (action === 'FailIndex') return { type: 'fail index' };
    if (action === 'FailJob') {
      return { type: 'fail job', message: `${match} matching FailJob rule at index ${at}` };
    }
    return count;
  }
  return count;
}

/** What matched, in words; undefined when nothing did. */
function matchOf(rule: JsonObject, pod: KubeObject): string | undefined {
  const who = `${namespaceOf(pod)}/${nameOf(pod)}`;
  const codes = objectAt(rule, 'onExitCodes');
  if (codes !== undefined) {
    const found = failedContainer(codes, pod);
    if (found === undefined) return undefined;
    return `Container ${textAt(found, 'name')} for pod ${who} failed with exit code ${exitCodeOf(found) ?? 0}`;
  }
  const condition = listAt(rule, 'onPodConditions').find((pattern) => hasCondition(pod, pattern));
  return condition === undefined ? undefined : `Pod ${who} has condition ${textAt(condition, 'type')}`;
}

function failedContainer(requirement: JsonObject, pod: KubeObject): Json | undefined {
  const name = textAt(requirement, 'containerName');
  const values = listAt(requirement, 'values');
  const isIn = textAt(requirement, 'operator') === 'In';
  const statuses = [
    ...listAt(pod, 'status', 'containerStatuses'),
    ...listAt(pod, 'status', 'initContainerStatuses'),
  ];
  return statuses.find((status) => {
    const code = exitCodeOf(status);
    const isMeant = name === undefined || textAt(status, 'name') === name;
    return isMeant && code !== undefined && code !== 0 && values.includes(code) === isIn;
  });
}

const exitCodeOf = (status: Json): number | undefined => numberAt(status, 'state', 'terminated', 'exitCode');

const hasCondition = (pod: KubeObject, pattern: Json): boolean =>
  listAt(pod, 'status', 'conditions').some(
    (each) =>
      textAt(each, 'type') === textAt(pattern, 'type') &&
      textAt(each, 'status') === (textAt(pattern, 'status') ?? 'True'),
  );
