import { isObject, textAt, type JsonObject } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { annotationsOf, type KubeObject } from '#kube/object.ts';

/**
 * On a workload: the last change of its template or of its pause by `boathook release`. A new ControllerRevision copies
 * it from the workload.
 */
export const changeAnnotation = 'boathook.dev/release-change';

/** In the template of the pods: `restart` changes nothing else. */
export const restartedAtAnnotation = 'boathook.dev/restartedAt';

export const changeVerbs = ['pause', 'resume', 'undo', 'set image', 'restart'] as const;
export type ChangeVerb = (typeof changeVerbs)[number];

export type ReleaseChange = {
  readonly id: string;
  readonly verb: ChangeVerb;
  /** The ControllerRevision that the change leads to. A change of another revision is not recorded under it. */
  readonly revision: string;
  /** The user that the client found itself to be. It is claimed, not proved. */
  readonly by: string;
  readonly reason?: string;
  /** RFC 3339. */
  readonly time: string;
};

export const printChange = (change: ReleaseChange): string => printJson(change);

/** Undefined: there is none, or it is not readable. */
export function readChange(workload: KubeObject): ReleaseChange | undefined {
  const json = parsed(annotationsOf(workload)[changeAnnotation]);
  const id = textAt(json, 'id');
  const verb = changeVerbs.find((each) => each === textAt(json, 'verb'));
  if (id === undefined || verb === undefined) return undefined;
  const reason = textAt(json, 'reason');
  return {
    id,
    verb,
    revision: textAt(json, 'revision') ?? '',
    by: textAt(json, 'by') ?? '',
    ...(reason === undefined ? {} : { reason }),
    time: textAt(json, 'time') ?? '',
  };
}

function parsed(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const json = parseJson(text);
    return isObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
