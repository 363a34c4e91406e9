import type { JsonObject } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';
import { formatMicroTime } from '#base/time.ts';
import type { LogResource } from '#command/logs/log-resource.ts';
import { ApiError, badRequest } from '#kube/status.ts';
import { objectKey } from '#loop/delta.ts';
import { lastCall, type LastCalls, type MadeCall } from '#registrations/controller/last-calls.ts';
import { registrations } from '#registrations/controller/resources.ts';
import { shownText } from '#registrations/decide/shown-text.ts';

/** The log of a CRDRegistration: the last call of its hook about one instance, named by `namespace` and `instance`. */
export const registrationLog = (calls: LastCalls): LogResource => ({
  resource: registrations,
  serve({ name, query }) {
    const [namespace, instance] = [query.get('namespace') ?? '', query.get('instance') ?? ''];
    if (instance === '') throw badRequest('name the instance: ?namespace=NAMESPACE&instance=NAME');
    const key = objectKey(namespace, instance);
    const call = lastCall(calls, name, key);
    if (call === undefined) throw notKept(name, key);
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { type: 'text', text: printJson(shownCall(call)) },
    };
  },
});

/** Without secrets, and only the beginning of long texts. A call without a reply has the status 0 and the reason. */
function shownCall({ at, phase, url, request, answer, latency, hide }: MadeCall): JsonObject {
  const shown = (text: string): string => shownText(hide(text));
  return {
    time: formatMicroTime(at),
    phase,
    url: shown(url),
    request: shown(request),
    latencyMillis: Math.round(latency),
    status: answer.type === 'answer' ? answer.status : 0,
    reply: shown(answer.type === 'answer' ? answer.body : answer.message),
  };
}

const notKept = (name: string, instance: string): ApiError =>
  new ApiError({
    code: 404,
    reason: 'NotFound',
    message: `no call about ${instance} is kept: this controller has not called the hook of CRDRegistration ${name} for it since it started, or has kept newer calls of others instead`,
    details: { name, kind: registrations.plural, group: registrations.group },
  });
