import type { ApiRequest, ApiResponse } from '#kube/http.ts';
import { parseTopic } from '#web/wire/topic.ts';
import type { ActReply, ActRequestBody } from '#web/wire/session.ts';
import { auditAct } from './acts/audit.ts';
import { performReleaseAct } from './acts/perform-release-act.ts';
import { retryCluster } from './acts/retry-cluster.ts';
import { readActBody } from './acts/read-act-body.ts';
import { jsonAnswer, refusal } from './answers.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { readJson } from './read-body.ts';
import type { Session } from './session/sessions.ts';
import { isNamed } from './stream-route.ts';

const longestBody = 64 * 1024;

/** `POST /api/acts`. */
export async function act(
  dashboard: DashboardParts,
  request: ApiRequest,
  session: Session,
): Promise<ApiResponse> {
  const sent = await readJson(request, longestBody);
  if (sent.type === 'refused') return refusal(sent.status, sent.message);
  const read = readActBody(sent.json);
  if (read.type === 'invalid') return jsonAnswer(200, { result: 'Invalid', message: read.message });
  const reply = await perform(dashboard, session, read.body);
  auditAct(dashboard.deps.audit, session.identity.user, read.body, reply);
  return jsonAnswer(200, reply);
}

function perform(dashboard: DashboardParts, { identity }: Session, body: ActRequestBody): Promise<ActReply> {
  const { clock, random, examples } = dashboard.deps;
  const { verb } = body;
  if (verb === 'load-example') {
    const invalid = { result: 'Invalid', message: 'this cluster offers no examples' } as const;
    return examples?.load(body.topic, identity.client, dashboard.signal) ?? Promise.resolve(invalid);
  }
  const topic = parseTopic(body.topic);
  if (isNamed(topic) && topic.type === 'cluster' && verb === 'retry')
    return retryCluster(identity.client, topic.name, dashboard.signal);
  if (!isNamed(topic) || topic.type !== 'release')
    return Promise.resolve({ result: 'Invalid', message: `"${body.topic}" is not the topic of a release` });
  return performReleaseAct({ identity, clock, random, signal: dashboard.signal }, topic, { ...body, verb });
}
