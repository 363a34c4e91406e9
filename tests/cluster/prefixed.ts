import { isArray, isObject, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { withMeta } from '#kube/object.ts';
import { printPath, type RequestPath } from './request-path.ts';

/** Every object outside of namespaces that a run makes has this label with the name of the run. */
export const runLabel = 'boathook.dev/test-run';

/** What the names of all namespaces and nodes of one story begin with, and the run it belongs to. */
export type Prefix = {
  readonly text: string;
  readonly run: string;
  /** Whether the cluster may have a scheduler of its own, which is to leave the pods of stories alone. */
  readonly hidesPods: boolean;
};

/** Names of these are unique in the cluster, and others have such objects too. */
const renamed = new Set(['namespaces', 'nodes']);

/** Questions that are answered and not stored. */
const isReview = ({ plural }: RequestPath): boolean => plural.endsWith('reviews');

/** Whether the path leads to objects outside of namespaces, or to the objects of all namespaces. */
export const isClusterWide = (path: RequestPath): boolean => path.namespace === undefined && !isReview(path);

/** The same path with the namespace that the cluster knows. */
export function prefixedPath(path: RequestPath, { text }: Prefix): string {
  const isRenamed = path.namespace === undefined && path.group === '' && renamed.has(path.plural);
  return printPath({
    ...path,
    namespace: path.namespace === undefined ? undefined : text + path.namespace,
    name: isRenamed && path.name !== '' ? text + path.name : path.name,
  });
}

/** Selectors that name a namespace or a node. */
export function prefixedQuery(query: string, path: RequestPath, { text }: Prefix): string {
  const parameters = new URLSearchParams(query);
  const selector = parameters.get('fieldSelector');
  if (selector === null) return query;
  const names = renamed.has(path.plural)
    ? /((?:\.namespace|metadata\.name)=+)(?=[^,])/g
    : /(\.(?:namespace|nodeName)=+)(?=[^,])/g;
  parameters.set('fieldSelector', selector.replace(names, `$1${text}`));
  return parameters.toString();
}

/** The user of a service account carries its namespace. */
export const prefixedUser = (user: string, { text }: Prefix): string =>
  user.replace(/^(system:serviceaccounts?:)(?=[^:])/, `$1${text}`);

/** A body with the namespaces that the cluster knows. A whole object outside of namespaces gets the label of the run. */
export function prefixedBody(body: Json, path: RequestPath, isWhole: boolean, prefix: Prefix): Json {
  const inside = prefixedValue(body, undefined, prefix);
  if (!isObject(inside)) return inside;
  if (path.plural === 'events') return placedEvent(inside, prefix);
  const named =
    path.group === '' && renamed.has(path.plural)
      ? renamedObject(inside, prefix)
      : hidden(inside, path, prefix);
  // A status is written with the labels of its object.
  const isObjectItself = path.subresource === '' || path.subresource === 'status';
  return isClusterWide(path) && isWhole && isObjectItself ? labelled(named, prefix) : named;
}

function prefixedValue(value: Json, key: string | undefined, prefix: Prefix): Json {
  if (typeof value === 'string')
    return isName(key) && value !== '' ? prefix.text + value : prefixedUser(value, prefix);
  if (isArray(value)) return value.map((each) => prefixedValue(each, undefined, prefix));
  if (!isObject(value)) return value;
  const changed = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, prefixedValue(each, name, prefix)]),
  );
  // A reference to a node.
  const { kind, name } = value;
  return kind === 'Node' && typeof name === 'string' ? { ...changed, name: prefix.text + name } : changed;
}

/** A server takes events about objects outside of namespaces in the namespace `default` alone, which is not ours. */
function placedEvent(event: JsonObject, { text }: Prefix): JsonObject {
  const key = event['regarding'] === undefined ? 'involvedObject' : 'regarding';
  const about = objectAt(event, key);
  if (about === undefined || (about['namespace'] ?? '') !== '') return event;
  return { ...event, [key]: { ...about, namespace: `${text}default` } };
}

const isName = (key: string | undefined): boolean => key === 'namespace' || key === 'nodeName';

/** Pods of stories are for the scheduler of the story. */
function hidden(object: JsonObject, { plural, group }: RequestPath, prefix: Prefix): JsonObject {
  if (!prefix.hidesPods) return object;
  if (group === '' && plural === 'pods') return withScheduler(object, ['spec'], prefix);
  if (plural === 'cronjobs')
    return withScheduler(object, ['spec', 'jobTemplate', 'spec', 'template', 'spec'], prefix);
  return group === 'apps' || group === 'batch'
    ? withScheduler(object, ['spec', 'template', 'spec'], prefix)
    : object;
}

function withScheduler(value: JsonObject, path: readonly string[], prefix: Prefix): JsonObject {
  const [key, ...rest] = path;
  if (key === undefined) {
    if (value['containers'] === undefined) return value;
    const asked = textAt(value, 'schedulerName') ?? 'default-scheduler';
    return { ...value, schedulerName: prefix.text + asked };
  }
  const inner = objectAt(value, key);
  return inner === undefined ? value : { ...value, [key]: withScheduler(inner, rest, prefix) };
}

function renamedObject(object: JsonObject, { text }: Prefix): JsonObject {
  const changes = ['name', 'generateName']
    .map((key) => [key, textAt(object, 'metadata', key)] as const)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([key, value]) => [key, `${text}${value}`] as const);
  return changes.length === 0 ? object : withMeta(object, Object.fromEntries(changes));
}

const labelled = (object: JsonObject, { run }: Prefix): JsonObject =>
  withMeta(object, { labels: { ...objectAt(object, 'metadata', 'labels'), [runLabel]: run } });
