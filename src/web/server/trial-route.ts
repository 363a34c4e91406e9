import { seconds } from '#base/time.ts';
import type { ApiRequest, ApiResponse } from '#kube/http.ts';
import { parseTopic } from '#web/wire/topic.ts';
import { jsonAnswer, refusal } from './answers.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { readJson } from './read-body.ts';
import type { Session } from './session/sessions.ts';
import { isNamed } from './stream-route.ts';
import { readTrialBody } from './trials/read-trial-body.ts';
import { tryTemplate } from './trials/try-template.ts';

/** A recorded reply may be a whole answer of Prometheus. */
const longestBody = 2 * 1024 * 1024;
const patience = seconds(30);

/** `POST /api/hooks/test`. */
export async function tryHook(
  { deps }: DashboardParts,
  request: ApiRequest,
  { identity }: Session,
): Promise<ApiResponse> {
  const sent = await readJson(request, longestBody);
  if (sent.type === 'refused') return refusal(sent.status, sent.message);
  const body = readTrialBody(sent.json);
  const topic = parseTopic(body?.topic ?? '');
  if (body === undefined || !isNamed(topic) || topic.type !== 'template')
    return refusal(400, 'give the topic of a template, such as template/shop/age');
  const { clock, random } = deps;
  const late = new AbortController();
  const cancel = clock.after(patience, () => late.abort(new Error('no verdict came in time')));
  try {
    const signal = AbortSignal.any([late.signal, request.signal]);
    // In a cluster the loopback addresses are those of the pod, which is nobody's to call.
    const policy = { allowLoopback: deps.signIn === 'link' };
    return jsonAnswer(200, await tryTemplate({ identity, random, policy }, topic, body, signal));
  } finally {
    cancel();
  }
}
