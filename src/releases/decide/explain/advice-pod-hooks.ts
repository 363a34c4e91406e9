import { textAt } from '#base/json.ts';
import { nameOf } from '#kube/object.ts';
import type { BlockerReason } from '#releases/model/blocker.ts';
import { breakGlassAnnotation } from '#releases/model/well-known.ts';
import { patchSpec, type Advice } from './advice-model.ts';
import type { Remedy } from './explanation.ts';
import { hookCommand, kubectl, type ExplainContext } from './explain-context.ts';
import { podRuns } from './run-evidence.ts';

/** Pods that wait for a hook of their own. */
export const podHookAdvice = {
  WaitingForPodHook: {
    ends: () => 'The release goes on with the pod when its hook passes.',
    remedies: (context) => [...lookAtRuns(context), breakGlass(context)],
  },
  PodHookFailed: {
    ends: () => 'The pod stays as it is, and its hook does not run again by itself.',
    remedies: (context) => [...lookAtRuns(context), ...runAgain(context), breakGlass(context)],
  },
  PodHookDeadline: {
    ends: () => 'The pod stays as it is until its hook passes, or a user retries it or breaks the glass.',
    remedies: (context) => [
      ...lookAtRuns(context),
      ...runAgain(context),
      ...strategiesIn(context).map((name) =>
        patchSpec(context, 'Go on without the hook at its deadline', `{"${name}":{"onDeadline":"Proceed"}}`),
      ),
      breakGlass(context),
    ],
  },
} as const satisfies Partial<Record<BlockerReason, Advice>>;

const lookAtRuns = (context: ExplainContext): readonly Remedy[] =>
  podRuns(context)
    .slice(0, 1)
    .map((run) => ({
      what: 'Look at all calls of the hook',
      command: hookCommand(context, `get ${nameOf(run)}`),
    }));

const runAgain = (context: ExplainContext): readonly Remedy[] =>
  strategiesIn(context).map((name) =>
    patchSpec(context, 'Run failed hooks again', `{"${name}":{"retry":true}}`),
  );

/** The strategies whose hook some pod waits for. */
function strategiesIn({ spec, status }: ExplainContext): readonly string[] {
  const lists = {
    preDeleteUpdateStrategy: 'preDeleteHookCondition',
    preInplaceUpdateStrategy: 'preInplaceHookCondition',
    postInplaceUpdateStrategy: 'postInplaceHookCondition',
  } as const;
  return (Object.keys(lists) as (keyof typeof lists)[]).filter(
    (name) => spec[name]?.hook !== undefined && status[lists[name]] !== undefined,
  );
}

function breakGlass(context: ExplainContext): Remedy {
  const pod = podNameIn(context) ?? 'POD';
  return {
    what: 'In an emergency delete a pod without its hook; NAME and REASON are recorded',
    command: kubectl(context, `annotate pod ${pod} ${breakGlassAnnotation}='NAME: REASON'`),
  };
}

function podNameIn({ status }: ExplainContext): string | undefined {
  const waiting = status['preDeleteHookCondition'];
  return Array.isArray(waiting) ? textAt(waiting[0] as never, 'podName') : undefined;
}
