import { isArray, isObject, textAt, type Json, type JsonObject } from '#base/json.ts';
import type { ActRequestBody } from '#web/wire/session.ts';

const verbs: readonly ActRequestBody['verb'][] = [
  'promote',
  'pause',
  'resume',
  'abort',
  'retry',
  'undo',
  'set-image',
  'load-example',
];

export type ReadActBody =
  | { readonly type: 'body'; readonly body: ActRequestBody }
  | { readonly type: 'invalid'; readonly message: string };

const invalid = (message: string): ReadActBody => ({ type: 'invalid', message });

/** A longer reason would not fit into an annotation and an Event. */
const longestReason = 500;

/** The body of a request for an act. */
export function readActBody(json: Json | undefined): ReadActBody {
  if (!isObject(json)) return invalid('the body is not a JSON object');
  const verb = verbs.find((each) => each === json['verb']);
  const topic = textAt(json, 'topic');
  if (verb === undefined) return invalid(`verb is none of ${verbs.join(', ')}`);
  if (topic === undefined) return invalid('topic is missing');
  const problem = problemOf(json);
  if (problem !== undefined) return invalid(problem);
  const identity = textAt(json, 'identity') ?? '';
  return { type: 'body', body: { topic, verb, identity, ...optionsOf(json) } };
}

function problemOf(json: JsonObject): string | undefined {
  const { toStep, toRevision, images } = json;
  const { length } = reasonOf(json);
  if (length > longestReason) return `the reason has ${length} characters: ${longestReason} are possible`;
  if (toStep !== undefined && toStep !== 'full' && !isCount(toStep))
    return 'toStep is neither the number of a step, counted from 1, nor "full"';
  if (toRevision !== undefined && !isCount(toRevision)) return 'toRevision is not the number of a revision';
  if (images !== undefined && !(isArray(images) && images.every((each) => typeof each === 'string')))
    return 'images is not a list of CONTAINER=IMAGE';
  return undefined;
}

const reasonOf = (json: JsonObject): string => textAt(json, 'reason')?.trim() ?? '';

type Options = Omit<ActRequestBody, 'topic' | 'verb' | 'identity'>;

function optionsOf(json: JsonObject): Options {
  const { toStep, toRevision, images } = json;
  const reason = reasonOf(json);
  return {
    ...(reason === '' ? {} : { reason }),
    ...(toStep === 'full' || isCount(toStep) ? { toStep } : {}),
    ...(json['skipHooks'] === true ? { skipHooks: true } : {}),
    ...(isCount(toRevision) ? { toRevision } : {}),
    ...(isArray(images) ? { images: images.filter((each) => typeof each === 'string') } : {}),
  };
}

const isCount = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value < 1_000_000;
