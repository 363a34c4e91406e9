import { isInteger } from '#base/json.ts';
import type { Json, JsonObject } from '#base/json.ts';
import { checkQualifiedName } from '#kube/names.ts';
import type { HookReply, ReplyCondition } from './reply.ts';
import { asList, asObject, asText, Malformed, member } from './reply-parts.ts';

export type ReplyStatus = Pick<HookReply, 'conditions' | 'annotations'>;

const maxConditions = 64;
const maxAnnotations = 65_536;

/** The status in a reply: in `status` or, from later hooks, in `object.status`. */
export function readStatus(status: JsonObject, where: string): ReplyStatus {
  const generation = member(status, 'observedGeneration');
  if (generation !== undefined && !isInteger(generation))
    throw new Malformed(`${where}.observedGeneration must be a whole number`);
  return {
    conditions: readConditions(member(status, 'conditions') ?? [], `${where}.conditions`),
    annotations: readAnnotations(member(status, 'annotations') ?? {}, `${where}.annotations`),
  };
}

/** The second overrides the first. */
export function mergeStatus(first: ReplyStatus, second: ReplyStatus): ReplyStatus {
  const types = new Set(second.conditions.map(({ type }) => type));
  return {
    conditions: [...first.conditions.filter(({ type }) => !types.has(type)), ...second.conditions],
    annotations: { ...first.annotations, ...second.annotations },
  };
}

function readConditions(value: Json, where: string): readonly ReplyCondition[] {
  const list = asList(value, where);
  if (list.length > maxConditions) throw new Malformed(`${where} has more than ${maxConditions} items`);
  const conditions = list.map((each, i) => readCondition(asObject(each, `${where}[${i}]`), `${where}[${i}]`));
  const types = conditions.map(({ type }) => type);
  const twice = types.find((type, i) => types.indexOf(type) !== i);
  if (twice !== undefined) throw new Malformed(`${where} has ${twice} more than once`);
  return conditions;
}

const truths = ['True', 'False', 'Unknown'] as const;
const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const longestReason = 1024;
const longestMessage = 32_768;

function readCondition(condition: JsonObject, where: string): ReplyCondition {
  const text = (name: string): string => asText(member(condition, name) ?? '', `${where}.${name}`);
  const type = text('type');
  if (type === '' || type.length > 316 || checkQualifiedName(type).length > 0)
    throw new Malformed(`${where}.type ${JSON.stringify(type.slice(0, 50))} is not the type of a condition`);
  const status = truths.find((each) => each === text('status'));
  if (status === undefined) throw new Malformed(`${where}.status must be True, False or Unknown`);
  const reason = text('reason') === '' ? 'HOOKREPORTED' : text('reason');
  if (reason.length > longestReason || !reasonPattern.test(reason))
    throw new Malformed(`${where}.reason must be one word: a letter, then letters, digits, _ , and :`);
  return { type, status, reason, message: text('message').slice(0, longestMessage) };
}

function readAnnotations(value: Json, where: string): Readonly<Record<string, string>> {
  const entries = Object.entries(asObject(value, where)).map(([key, each]) => {
    const [complaint] = checkQualifiedName(key);
    if (complaint !== undefined)
      throw new Malformed(`${where} has the key ${JSON.stringify(key)}: ${complaint}`);
    return [key, asText(each, `${where}.${key}`)] as const;
  });
  const size = entries.reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  if (size > maxAnnotations) throw new Malformed(`${where} is longer than ${maxAnnotations} characters`);
  return Object.fromEntries(entries);
}
