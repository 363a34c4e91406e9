import { isObject, listAt, numberAt, objectAt, textAt, type JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';

/** By this annotation a command or a page asks for an act on a release under way. */
export const actAnnotation = 'boathook.dev/release-act';

export const actVerbs = ['promote', 'abort', 'retry'] as const;
export type ActVerb = (typeof actVerbs)[number];

/** The exact state that an act is meant for. In another state the act changes nothing. */
export type ActTarget = {
  /** `status.canary.releaseID`; empty for a workload without steps. */
  readonly release: string;
  /** `status.updateRevision`. */
  readonly revision: string;
  /** `status.currentStepIndex`, from 0; -1 for a workload without steps. */
  readonly step: number;
  /** The pause: `<reason> <startTime>` of the pause of the step; empty where the step is not paused. */
  readonly pause: string;
  /** `status.canary.currentStepHookRun`; empty where there is none. */
  readonly hookRun: string;
};

export type ReleaseAct = {
  /** Identifies the request: writing it twice is one act. */
  readonly id: string;
  readonly verb: ActVerb;
  readonly target: ActTarget;
  /** Of promote: the index of the step at which it ends, from 0. Undefined: the next step. */
  readonly toStep?: number;
  /** Of promote: hooks of steps are skipped. */
  readonly skipHooks?: boolean;
  /** The user that the client found itself to be. It is claimed, not proved. */
  readonly by: string;
  readonly reason?: string;
  /** RFC 3339. */
  readonly time: string;
};

export type ReadAct =
  | { readonly type: 'none' }
  | { readonly type: 'act'; readonly act: ReleaseAct }
  /** The annotation holds something else. */
  | { readonly type: 'unreadable'; readonly message: string };

export const printAct = (act: ReleaseAct): string => printJson(act);

export function readAct(workload: KubeObject): ReadAct {
  const text = annotationsOf(workload)[actAnnotation];
  if (text === undefined || text === '') return { type: 'none' };
  const json = parsed(text);
  const target = objectAt(json, 'target');
  const id = textAt(json, 'id');
  const verb = actVerbs.find((each) => each === textAt(json, 'verb'));
  if (json === undefined || target === undefined || id === undefined || verb === undefined) {
    const message = `The annotation ${actAnnotation} is not a request that this version knows: use boathook release.`;
    return { type: 'unreadable', message };
  }
  const toStep = numberAt(json, 'toStep');
  const reason = textAt(json, 'reason');
  const act: ReleaseAct = {
    id,
    verb,
    target: targetIn(target),
    ...(toStep === undefined ? {} : { toStep }),
    ...(json['skipHooks'] === true ? { skipHooks: true } : {}),
    by: textAt(json, 'by') ?? '',
    ...(reason === undefined ? {} : { reason }),
    time: textAt(json, 'time') ?? '',
  };
  return { type: 'act', act };
}

const targetIn = (target: JsonObject): ActTarget => ({
  release: textAt(target, 'release') ?? '',
  revision: textAt(target, 'revision') ?? '',
  step: numberAt(target, 'step') ?? -1,
  pause: textAt(target, 'pause') ?? '',
  hookRun: textAt(target, 'hookRun') ?? '',
});

function parsed(text: string): JsonObject | undefined {
  try {
    const json = parseJson(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** The state of a release that an act must name: what its status says now. */
export function actTargetOf(workload: KubeObject): ActTarget {
  const pause = listAt(workload, 'status', 'pauseConditions').find(
    (each) => textAt(each, 'reason') !== 'PausedByUser',
  );
  return {
    release: textAt(workload, 'status', 'canary', 'releaseID') ?? '',
    revision: textAt(workload, 'status', 'updateRevision') ?? '',
    step: numberAt(workload, 'status', 'currentStepIndex') ?? -1,
    pause:
      pause === undefined
        ? ''
        : `${textAt(pause, 'reason') ?? ''} ${textAt(pause, 'startTime') ?? ''}`.trim(),
    hookRun: textAt(workload, 'status', 'canary', 'currentStepHookRun') ?? '',
  };
}

export const isSameTarget = (left: ActTarget, right: ActTarget): boolean =>
  left.release === right.release &&
  left.revision === right.revision &&
  left.step === right.step &&
  left.pause === right.pause &&
  left.hookRun === right.hookRun;
