import { at, isArray, isObject, textAt, type Json } from '#base/json.ts';
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
  const identity = textAt(json, 'identity') ?? '';
  if (verb === undefined) return invalid(`verb is none of ${verbs.join(', ')}`);
  if (topic === undefined) return invalid('topic is missing');
  const reason = textAt(json, 'reason')?.trim() ?? '';
  if (reason.length > longestReason)
    return invalid(`the reason has ${reason.length} characters: ${longestReason} are possible`);
  const toStep = at(json, 'toStep');
  if (toStep !== undefined && toStep !== 'full' && !isCount(toStep))
    return invalid('toStep is neither the number of a step, counted from 1, nor "full"');
  const toRevision = at(json, 'toRevision');
  if (toRevision !== undefined && !isCount(toRevision))
    return invalid('toRevision is not the number of a revision');
  const images = at(json, 'images');
  if (images !== undefined && !(isArray(images) && images.every((each) => typeof each === 'string')))
    return invalid('images is not a list of CONTAINER=IMAGE');
  return {
    type: 'body',
    body: {
      topic,
      verb,
      identity,
      ...(reason === '' ? {} : { reason }),
      ...(toStep === undefined ? {} : { toStep }),
      ...(json['skipHooks'] === true ? { skipHooks: true } : {}),
      ...(toRevision === undefined ? {} : { toRevision }),
      ...(images === undefined ? {} : { images: images.filter((each) => typeof each === 'string') }),
    },
  };
}

const isCount = (value: Json): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value < 1_000_000;
