import type { WebProvider } from '#hooks/providers/web/wire/web-wire.ts';
import { isDeepValue } from '#base/json-depth.ts';
import type { Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { ProviderReading } from '#hooks/decide/reading.ts';
import type { OutgoingAnswer } from '#edge/outgoing/outgoing.ts';
import type { JsonPathTemplate } from '#kube/jsonpath-template.ts';
import { textOfValue } from '#kube/jsonpath-text.ts';
import { cut, shortValue, type Witness } from './evidence.ts';

export type Heard = {
  readonly web: WebProvider;
  /** Undefined: the whole reply is the result. */
  readonly path: JsonPathTemplate | undefined;
  readonly request: string;
  readonly witness: Witness;
};

/** The reading of a reply of an HTTP endpoint. */
export function webReading(heard: Heard, answer: OutgoingAnswer): ProviderReading {
  const { web, witness } = heard;
  const evidence = witness.evidence(heard.request, answer);
  const error = (message: string): ProviderReading => ({
    type: 'error',
    message: witness.text(message),
    evidence,
  });
  if (answer.type === 'failed') return error(answer.message);
  const { status } = answer;
  if (status === 404 && web.notFoundIsNoData === true)
    return { type: 'no-data', why: 'the endpoint answered 404', evidence };
  if (status < 200 || status > 299)
    return error(`the endpoint answered ${status}${bodyExcerpt(answer.body)}`);
  const found = resultOf(heard, answer.body);
  if (found.type === 'missing') return { type: 'no-data', why: witness.text(found.message), evidence };
  if (found.type === 'problem') return error(found.message);
  return {
    type: 'value',
    result: witness.json(found.result),
    value: shortValue(witness.hide(found.text)),
    evidence,
  };
}

/** The beginning of the body of a reply, on one line, for messages. */
export function bodyExcerpt(body: string): string {
  const line = body.slice(0, 1000).trim().replaceAll(/\s+/g, ' ');
  return line === '' ? '' : `: ${cut(line, 200)}`;
}

type Found =
  | { readonly type: 'result'; readonly result: Json; readonly text: string }
  | { readonly type: 'missing'; readonly message: string }
  | { readonly type: 'problem'; readonly message: string };

function resultOf({ web, path }: Heard, body: string): Found {
  const isTyped = web.resultType === 'json';
  if (path === undefined && !isTyped) {
    const text = body.trim();
    return { type: 'result', result: text, text };
  }
  const parsed = parse(body);
  if (parsed.type === 'problem') return parsed;
  if (path === undefined) return whole(parsed.json);
  const rendered = path.render(parsed.json);
  if (rendered.type !== 'text') return rendered;
  const { text, values } = rendered;
  if (values.length === 0 && text.trim() === '')
    return { type: 'missing', message: `nothing in the answer fits the jsonPath ${web.jsonPath ?? ''}` };
  const [first = text, ...more] = values;
  return { type: 'result', result: isTyped ? (more.length === 0 ? first : values) : text, text };
}

const whole = (json: Json): Found => ({ type: 'result', result: json, text: textOfValue(json) ?? '' });

function parse(
  body: string,
): { readonly type: 'json'; readonly json: Json } | { readonly type: 'problem'; readonly message: string } {
  let json: Json;
  try {
    json = parseJson(body);
  } catch {
    const what = body.trim() === '' ? 'empty' : `not JSON${bodyExcerpt(body)}`;
    return { type: 'problem', message: `the answer is ${what}` };
  }
  return isDeepValue(json)
    ? { type: 'problem', message: 'the answer is nested too deeply to be read' }
    : { type: 'json', json };
}
