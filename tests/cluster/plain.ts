import { isArray, isObject, listAt, objectAt, textAt, type Json, type JsonObject } from '#base/json.ts';
import { without } from '#base/json.ts';
import { parseJson, printJson } from '#base/json-text.ts';
import { labelsOf, nameOf, namespaceOf } from '#kube/object.ts';
import { isClusterWide, runLabel, type Prefix } from './prefixed.ts';
import type { RequestPath } from './request-path.ts';
import type { StoryTimes } from './story-times.ts';

/** Objects of the cluster that stories read and do not change: all are shown. */
const shared = new Set([
  'apiservices',
  'clusterrolebindings',
  'clusterroles',
  'customresourcedefinitions',
  'priorityclasses',
  'storageclasses',
]);

export type View = { readonly prefix: Prefix; readonly times: StoryTimes };

/** Whether a story may know that an object exists. */
function isShown(object: JsonObject, path: RequestPath, { text, run }: Prefix): boolean {
  const namespace = namespaceOf(object);
  if (namespace !== '') return namespace.startsWith(text);
  if (nameOf(object).startsWith(text)) return true;
  if (path.group === '' && (path.plural === 'namespaces' || path.plural === 'nodes')) return false;
  return shared.has(path.plural) || labelsOf(object)[runLabel] === run;
}

/** The text of an answer as the story expects it: plain namespaces, own objects only, times of the story. */
export function plainText(text: string, path: RequestPath | undefined, view: View): string {
  if (!text.startsWith('{')) return strip(text, view);
  return strip(printJson(plainJson(parseJson(text), path, view)), view);
}

const strip = (text: string, { prefix }: View): string => text.replaceAll(prefix.text, '');

function plainJson(body: Json, path: RequestPath | undefined, view: View): Json {
  if (!isObject(body) || path === undefined) return body;
  const shownOf = (
    items: readonly Json[],
    objectIn: (item: Json) => JsonObject | undefined,
  ): readonly Json[] =>
    isClusterWide(path)
      ? items.filter((item) => {
          const object = objectIn(item);
          return object === undefined || isShown(object, path, view.prefix);
        })
      : items;
  if (isArray(body['items']) && textAt(body, 'kind')?.endsWith('List') === true)
    return {
      ...body,
      items: shownOf(listAt(body, 'items'), asObject).map((item) =>
        isObject(item) ? plainObject(item, view) : item,
      ),
    };
  if (isArray(body['rows']))
    return { ...body, rows: shownOf(listAt(body, 'rows'), (row) => objectAt(row, 'object')) };
  return plainObject(body, view);
}

const asObject = (item: Json): JsonObject | undefined => (isObject(item) ? item : undefined);

function plainObject(object: JsonObject, { times }: View): JsonObject {
  const dated = times.dated(object);
  const labels = objectAt(dated, 'metadata', 'labels');
  if (labels?.[runLabel] === undefined) return dated;
  const left = without(labels, runLabel);
  const metadata = objectAt(dated, 'metadata') ?? {};
  return {
    ...dated,
    metadata: Object.keys(left).length === 0 ? without(metadata, 'labels') : { ...metadata, labels: left },
  };
}

export type PlainEvent = {
  /** Undefined: the event is about an object of others. */
  readonly line: string | undefined;
  /** The version of the object in the cluster. */
  readonly version: number;
};

/** One line of a watch. */
export function plainEvent(line: string, path: RequestPath, view: View): PlainEvent {
  const event = parseJson(line);
  const object = objectAt(event, 'object');
  if (object === undefined || !isObject(event)) return { line, version: 0 };
  const version = Number(textAt(object, 'metadata', 'resourceVersion') ?? 0);
  const type = textAt(event, 'type');
  if (type !== 'ERROR' && type !== 'BOOKMARK' && isClusterWide(path) && !isShown(object, path, view.prefix))
    return { line: undefined, version };
  return { line: strip(printJson({ ...event, object: plainObject(object, view) }), view), version };
}
