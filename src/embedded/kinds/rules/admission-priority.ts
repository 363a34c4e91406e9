import { numberAt, textAt, type JsonObject } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';
import { specOf, withField } from '#base/json-edit.ts';

export type PriorityClasses = {
  readonly byName: (name: string) => KubeObject | undefined;
  /** The class with globalDefault, if there is one. */
  readonly globalDefault: KubeObject | undefined;
};

/** `why` continues `pods "x" is forbidden: `. */
export type PriorityVerdict =
  | { readonly type: 'admitted'; readonly pod: KubeObject }
  | { readonly type: 'refused'; readonly why: string };

type Priority = { readonly name: string; readonly value: number; readonly policy: string };

/** A pod's priority is that of its PriorityClass; another value in the pod is refused. */
export function admitPriority(pod: KubeObject, classes: PriorityClasses): PriorityVerdict {
  const spec = specOf(pod);
  const asked = textAt(spec, 'priorityClassName') ?? '';
  const found = asked === '' ? classes.globalDefault : classes.byName(asked);
  if (asked !== '' && found === undefined) {
    return { type: 'refused', why: `no PriorityClass with name ${asked} was found` };
  }
  const priority = priorityOf(found);
  const why = contradiction(spec, priority);
  if (why !== undefined) return { type: 'refused', why };
  const named = priority.name === '' ? spec : withField(spec, 'priorityClassName', priority.name);
  const valued = withField(named, 'priority', priority.value);
  return {
    type: 'admitted',
    pod: withField(pod, 'spec', withField(valued, 'preemptionPolicy', priority.policy)),
  };
}

function priorityOf(found: KubeObject | undefined): Priority {
  if (found === undefined) return { name: '', value: 0, policy: 'PreemptLowerPriority' };
  return {
    name: nameOf(found),
    value: numberAt(found, 'value') ?? 0,
    policy: textAt(found, 'preemptionPolicy') ?? 'PreemptLowerPriority',
  };
}

const computed = 'priority admission controller computed';

function contradiction(spec: JsonObject, { value, policy }: Priority): string | undefined {
  const said = numberAt(spec, 'priority');
  if (said !== undefined && said !== value) {
    return (
      `the integer value of priority (${said}) must not be provided in pod spec; ` +
      `${computed} ${value} from the given PriorityClass name`
    );
  }
  const preemption = textAt(spec, 'preemptionPolicy');
  if (preemption === undefined || preemption === policy) return undefined;
  return (
    `the string value of PreemptionPolicy (${preemption}) must not be provided in pod spec; ` +
    `${computed} ${policy} from the given PriorityClass name`
  );
}

/** An update that leaves the computed fields out keeps them. */
export function keepPriority(pod: KubeObject, old: KubeObject): KubeObject {
  let spec = specOf(pod);
  for (const key of ['priority', 'preemptionPolicy']) {
    if (spec[key] === undefined) spec = withField(spec, key, specOf(old)[key]);
  }
  return withField(pod, 'spec', spec);
}
