import { at, listAt, textAt, type Json } from '#base/json.ts';
import { nameOf, type KubeObject } from '#kube/object.ts';

/** A condition in one line, followed by further lines of its message. */
export function conditionText(condition: Json): string {
  const [type, status, reason, message] = ['type', 'status', 'reason', 'message'].map(
    (key) => textAt(condition, key) ?? '',
  );
  const why = [reason, message].filter((each) => each !== '' && status !== 'True').join(': ');
  return `${type ?? ''}: ${status ?? ''}${why === '' ? '' : ` (${why})`}`;
}

/** The conditions to print. Of several with the same cause only the first: its step waits. */
export function toldConditions(object: Json): readonly Json[] {
  const all = listAt(object, 'status', 'conditions');
  const isFalse = (each: Json): boolean => textAt(each, 'status') === 'False';
  const causes = all.filter((each) => isFalse(each) && !isReady(each)).map((each) => textAt(each, 'message'));
  return all.filter(
    (each) => !(isReady(each) && isFalse(each) && causes.includes(textAt(each, 'message') ?? '')),
  );
}

export const isReady = (condition: Json): boolean => textAt(condition, 'type') === 'Ready';

/** The status of an object as lines. */
export function statusLines(object: KubeObject): readonly string[] {
  const status = at(object, 'status');
  const operation = textAt(status, 'operation', 'id');
  const phase = textAt(status, 'phase') ?? textAt(status, 'reason') ?? 'not reconciled yet';
  const retryAt = textAt(status, 'operation', 'retryAt');
  return [
    `${nameOf(object)}: ${phase}${operation === undefined ? '' : `: ${operation}`}`,
    ...(retryAt === undefined ? [] : [`  next try at ${retryAt}`]),
    ...listAt(status, 'operation', 'steps').flatMap((step) =>
      listAt(step, 'tasks').map((task) => `  ${taskText(task, textAt(step, 'name') ?? '')}`),
    ),
    ...toldConditions(object)
      .toSorted((a, b) => Number(isReady(a)) - Number(isReady(b)))
      .map((each) => conditionText(each).replaceAll('\n', '\n  ')),
  ];
}

const taskText = (task: Json, step: string): string =>
  `${textAt(task, 'node') ?? ''} ${step}: ${textAt(task, 'state') ?? ''}`;
