import { parseTopic, topicText, type ObjectTopic, type Topic } from '#web/wire/topic.ts';

/** The page that a path names. */
export type PageRoute =
  | { readonly type: 'overview' }
  | { readonly type: 'object'; readonly topic: ObjectTopic }
  | { readonly type: 'unknown'; readonly path: string };

/** `/release/GameDeployment/shop/web`, `/hookrun/shop/web-1`, `/cluster/prod`. */
export function routeOf(path: string): PageRoute {
  if (path === '/' || path === '') return { type: 'overview' };
  const parts = path.slice(1).split('/').map(decoded);
  const [type = ''] = parts;
  const isClusterScoped = type === 'cluster' || type === 'registration';
  const text = isClusterScoped && parts.length === 2 ? parts.join('//') : parts.join('/');
  const topic = parts.some((part) => part === undefined) ? undefined : parseTopic(text);
  return topic === undefined || !isObject(topic) ? { type: 'unknown', path } : { type: 'object', topic };
}

const isObject = (topic: Topic): topic is ObjectTopic =>
  topic.type !== 'overview' && topic.type !== 'output' && topic.type !== 'call';

/** The path of the page of a topic, for links. */
export const pathOf = (topic: Topic): string => pathOfText(topicText(topic));

export const pathOfText = (topic: string): string =>
  topic === 'overview'
    ? '/'
    : `/${topic
        .split('/')
        .filter((part) => part !== '')
        .map(encodeURIComponent)
        .join('/')}`;

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
