import { isArray, isObject, listAt, textAt, type Json } from '#base/json.ts';
import type { HookTrialBody } from '#web/wire/hook-test.ts';

/** The body of `POST /api/hooks/test`; undefined: it is not one. */
export function readTrialBody(json: Json): HookTrialBody | undefined {
  const topic = textAt(json, 'topic');
  if (!isObject(json) || topic === undefined) return undefined;
  if (json['args'] !== undefined && !isArray(json['args'])) return undefined;
  const args = listAt(json, 'args').map((each) => ({
    name: textAt(each, 'name') ?? '',
    value: textAt(each, 'value') ?? '',
  }));
  const metric = textAt(json, 'metric') ?? '';
  const url = textAt(json, 'url') ?? '';
  const reply = textAt(json, 'reply');
  return {
    topic,
    args: args.filter(({ name }) => name !== ''),
    ...(metric === '' ? {} : { metric }),
    ...(url === '' ? {} : { url }),
    ...(reply === undefined ? {} : { reply }),
  };
}
