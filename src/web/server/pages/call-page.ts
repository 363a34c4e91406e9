import { numberAt, textAt, type Json } from '#base/json.ts';
import { parseJson } from '#base/json-text.ts';
import type { KubeClient } from '#edge/kube/client.ts';
import { registrations } from '#web/server/live/overview-kinds.ts';
import type { ReadPage } from '#web/server/live/page-feed.ts';
import type { WatchRequest } from '#web/server/live/watch-request.ts';
import type { CallPage } from '#web/wire/registration-page.ts';
import type { CallTopic } from '#web/wire/detail-topic.ts';
import { watchOne, type PageReader } from './page-reader.ts';
import { instanceResource } from './registration-instances.ts';

/** The last call of the hook of a registration about one instance. */
export async function readCallPage(
  { client, askLog }: PageReader,
  topic: CallTopic,
  signal: AbortSignal,
): Promise<ReadPage> {
  const { name, instanceNamespace: namespace, instance } = topic;
  const watch = await watchInstance(client, topic, signal);
  const answer = await askLog({ resource: registrations, name, query: { namespace, instance } }, signal);
  if (answer.type === 'missing') return shown({ type: 'none', message: answer.message }, watch);
  if (answer.type !== 'ok') return { type: 'refused', message: answer.message, watch };
  return shown(callOf(parseJson(await answer.response.text())), watch);
}

const shown = (page: CallPage, watch: readonly WatchRequest[]): ReadPage => ({
  type: 'object',
  object: { type: 'call', page },
  watch,
});

function callOf(json: Json): CallPage {
  const text = (key: string): string => textAt(json, key) ?? '';
  return {
    type: 'call',
    time: text('time'),
    phase: text('phase'),
    url: text('url'),
    request: text('request'),
    latencyMillis: numberAt(json, 'latencyMillis') ?? 0,
    status: numberAt(json, 'status') ?? 0,
    reply: text('reply'),
  };
}

/** After most calls the instance changes. */
async function watchInstance(
  client: KubeClient,
  { name, instanceNamespace: namespace, instance }: CallTopic,
  signal: AbortSignal,
): Promise<readonly WatchRequest[]> {
  const found = await client.get(registrations, { name }, signal);
  const crd = found.type === 'ok' ? textAt(found.object, 'spec', 'crd') : undefined;
  const resource = crd === undefined ? undefined : await instanceResource(client, crd, signal);
  if (resource === undefined) return [];
  return [watchOne(resource, { namespace, name: instance })];
}
