import { hookRun } from '#hooks/kinds/hook-run.ts';
import { apiVersionOfKind } from '#schema/kind/kind.ts';
import { hashText } from '#base/hash.ts';
import { listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { MetricCall } from '#hooks/providers/provider.ts';
import type { KubeObject } from '#kube/object.ts';

/** The name of the Job of a call. A call that is repeated after a crash finds its Job by it. */
export function jobName({ run, metric, attempt }: Pick<MetricCall, 'run' | 'metric' | 'attempt'>): string {
  const readable = run.name
    .slice(0, 40)
    .replaceAll(/[^a-z0-9-]/g, '-')
    .replace(/^-+|-+$/g, '');
  return `${readable === '' ? 'hook' : readable}-${hashText([run.uid, metric.name, attempt].join('\n'))}`;
}

/** The Job of one call. The run owns it. */
export function jobObject(question: MetricCall, spec: JsonObject): KubeObject {
  const { run, namespace, metric } = question;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(question),
      namespace,
      labels: { 'boathook.dev/hook-run-uid': run.uid },
      annotations: { 'boathook.dev/hook-run': run.name, 'boathook.dev/metric': metric.name },
      ownerReferences: [
        {
          apiVersion: apiVersionOfKind(hookRun),
          kind: hookRun.kind,
          name: run.name,
          uid: run.uid,
          controller: true,
        },
      ],
    },
    spec: inAccount(spec, question.serviceAccount),
  };
}

/** Its pods always use the ServiceAccount of the run. */
function inAccount(spec: JsonObject, serviceAccountName: string): JsonObject {
  const template = objectAt(spec, 'template') ?? {};
  const pod = objectAt(template, 'spec') ?? {};
  const restartPolicy = textAt(pod, 'restartPolicy') ?? 'Never';
  const { serviceAccount: _deprecated, ...rest } = pod;
  return { ...spec, template: { ...template, spec: { ...rest, restartPolicy, serviceAccountName } } };
}

export const belongsTo = (job: KubeObject, uid: string): boolean =>
  listAt(job, 'metadata', 'ownerReferences').some((owner) => textAt(owner, 'uid') === uid);

/** The end of a Job. */
export type JobResult = { readonly type: 'Complete' | 'Failed'; readonly message: string };

export function endOf(job: KubeObject): JobResult | undefined {
  const isTrue = (type: string) => (each: Json) =>
    textAt(each, 'type') === type && textAt(each, 'status') === 'True';
  const conditions = listAt(job, 'status', 'conditions');
  const failed = conditions.find(isTrue('Failed'));
  if (failed !== undefined) {
    const parts = [textAt(failed, 'reason'), textAt(failed, 'message')].filter((part) => part !== undefined);
    return { type: 'Failed', message: parts.join(': ') };
  }
  return conditions.some(isTrue('Complete')) ? { type: 'Complete', message: '' } : undefined;
}
