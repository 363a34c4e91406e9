import type { ApiRequest, ApiResponse } from '#kube/http.ts';
import { mostTopics } from '#web/wire/stream.ts';
import { parseTopic, type Topic } from '#web/wire/topic.ts';
import { refusal, streamAnswer } from './answers.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { FollowedTopic } from './live/feeds.ts';
import { tabStream } from './live/tab-stream.ts';
import type { Session } from './session/sessions.ts';

const never = new AbortController().signal;

/** `GET /api/stream?topic=…&have=topic@version`. */
export function openStream({ deps }: DashboardParts, request: ApiRequest, session: Session): ApiResponse {
  const query = new URLSearchParams(request.query);
  const topics = [...new Set(query.getAll('topic'))];
  const wrong = topics.find((text) => !isNamed(parseTopic(text)));
  if (topics.length === 0 || topics.length > mostTopics)
    return refusal(400, `give 1 to ${mostTopics} topics, such as topic=overview`);
  if (wrong !== undefined)
    return refusal(400, `"${wrong}" is not a topic: use overview or kind/namespace/name`);
  const { feeds, health } = session.identity;
  const open = (): readonly FollowedTopic[] => topics.flatMap((topic) => feeds.follow(topic) ?? []);
  const last = request.headers['last-event-id'];
  const have = haveOf([...query.getAll('have'), ...(last === undefined ? [] : [last])]);
  const { ended } = session;
  const stream = tabStream({ open, have, health, clock: deps.clock, ended, gone: request.signal });
  return streamAnswer(stream, never);
}

/** The versions that a tab has, by topic. */
function haveOf(given: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.flatMap((text) => {
      const end = text.lastIndexOf('@');
      return end < 0 ? [] : [[text.slice(0, end), text.slice(end + 1)] as const];
    }),
  );
}

const namePattern = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;

/** Whether an object can have this name: names become parts of selectors. */
export function isNamed(topic: Topic | undefined): topic is Topic {
  if (topic === undefined) return false;
  if (topic.type === 'overview') return true;
  if (!namePattern.test(topic.name)) return false;
  if (topic.type === 'call')
    return (
      namePattern.test(topic.instance) &&
      (topic.instanceNamespace === '' || namePattern.test(topic.instanceNamespace))
    );
  return !('namespace' in topic) || namePattern.test(topic.namespace);
}
