import { equalJson, numberAt, objectAt, type JsonObject } from '#base/json.ts';
import type { Instant } from '#base/time.ts';
import { conditionsOf, setCondition } from '#kube/conditions.ts';
import type { ControlDeps } from '#loop/control-deps.ts';
import { lintTemplate } from '#hooks/decide/lint.ts';
import type { Finding } from '#hooks/providers/wire/finding.ts';
import { runController, type Controller } from '#loop/controller.ts';
import { keyOf, splitKey } from '#loop/delta.ts';
import { settled, type Next } from '#loop/work-queue.ts';
import { isDeleting, type KubeObject } from '#kube/object.ts';
import { hookTemplates } from '#hooks/kinds/resources.ts';
import { templateOf } from '#hooks/read.ts';

/** Checks every HookTemplate, and writes the findings into its condition Valid. */
export function templateCheck(deps: ControlDeps): Controller {
  const { client, clock, random, tasks, report } = deps;
  const informer = deps.informers.informer({ resource: hookTemplates });
  const events = deps.recorder('hooktemplate-controller');
  const reconcile = async (key: string, signal: AbortSignal): Promise<Next> => {
    const { namespace, name } = splitKey(key);
    const template = informer.get(namespace, name);
    if (template === undefined || isDeleting(template)) return settled;
    const findings = lintTemplate(templateOf(template));
    const status = checkedStatus(template, findings, clock.now());
    if (equalJson(objectAt(template, 'status'), status)) return settled;
    const outcome = await client.updateStatus(hookTemplates, { ...template, status }, signal);
    // A change or a deletion arrives as another event.
    if (outcome.type === 'conflict' || outcome.type === 'not-found') return settled;
    if (outcome.type !== 'ok') throw new Error(outcome.message);
    for (const finding of findings) {
      if (finding.severity === 'error')
        events.record(template, { type: 'Warning', reason: 'Invalid', message: textOf(finding) });
    }
    return settled;
  };
  const isUnchecked = (template: KubeObject): boolean =>
    numberAt(template, 'status', 'observedGeneration') !== numberAt(template, 'metadata', 'generation');
  return runController({
    name: 'hooktemplate',
    clock,
    random,
    tasks,
    report,
    metrics: deps.metrics,
    owns: deps.owns,
    queue: { parallel: 4 },
    sources: [
      {
        informer,
        keysOf: ({ type, object }) => (type !== 'deleted' && isUnchecked(object) ? [keyOf(object)] : []),
      },
    ],
    reconcile,
  });
}

const mostShown = 10;

/** The status of a template with these findings. */
function checkedStatus(template: KubeObject, findings: readonly Finding[], now: Instant): JsonObject {
  const observedGeneration = numberAt(template, 'metadata', 'generation') ?? 0;
  const hasError = findings.some(({ severity }) => severity === 'error');
  const shown = findings.slice(0, mostShown).map(textOf);
  const valid = {
    type: 'Valid',
    status: hasError ? 'False' : 'True',
    reason: hasError ? 'Invalid' : findings.length > 0 ? 'Doubtful' : 'Checked',
    message: shown.length === 0 ? 'conditions, paths and placeholders are correct' : shown.join('\n'),
    observedGeneration,
  };
  return { observedGeneration, conditions: setCondition(conditionsOf(template), valid, now) };
}

const textOf = ({ path, message, hint }: Finding): string =>
  `${path}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
