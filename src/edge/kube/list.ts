import { isObject, listAt, textAt } from '#base/json.ts';
import type { KubeObject } from '#kube/object.ts';
import type { Outcome, Refusal } from './outcome.ts';

export type Selection = {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  /** What of each object is sent: all of it unless given. */
  readonly content?: 'metadata' | undefined;
  /** Objects per page of a list: that of the client unless given. */
  readonly pageSize?: number | undefined;
};

export type Page = {
  readonly type: 'page';
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
};
export type Listed = {
  readonly type: 'ok';
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
};

/** Asks for one page, or for the whole list when the limit is undefined. */
export type AskPage = (limit: number | undefined, proceed: string | undefined) => Promise<Outcome>;

/** Page after page; a refusal is the last. `gone`: the continue token expired, list again. */
export async function* pagesOf(ask: AskPage, limit: number): AsyncGenerator<Page | Refusal> {
  let proceed: string | undefined;
  do {
    const outcome = await ask(limit, proceed);
    if (outcome.type !== 'ok') {
      yield outcome;
      return;
    }
    yield pageOf(outcome.object);
    proceed = textAt(outcome.object, 'metadata', 'continue') || undefined;
  } while (proceed !== undefined);
}

/** The whole list of one moment, read in pages; in one piece when the pages grow too old on the way. */
export async function listWhole(ask: AskPage, limit: number): Promise<Listed | Refusal> {
  const items: KubeObject[] = [];
  let resourceVersion = '';
  for await (const page of pagesOf(ask, limit)) {
    if (page.type === 'gone' && items.length > 0) return listAtOnce(ask);
    if (page.type !== 'page') return page;
    for (const item of page.items) items.push(item);
    resourceVersion = page.resourceVersion;
  }
  return { type: 'ok', items, resourceVersion };
}

async function listAtOnce(ask: AskPage): Promise<Listed | Refusal> {
  const outcome = await ask(undefined, undefined);
  return outcome.type === 'ok' ? { ...pageOf(outcome.object), type: 'ok' } : outcome;
}

/** Lists leave out the items' own kind and apiVersion; objects that travel on need them. */
function pageOf(list: KubeObject): Page {
  const kind = (textAt(list, 'kind') ?? '').replace(/List$/, '');
  const apiVersion = textAt(list, 'apiVersion') ?? '';
  const items = listAt(list, 'items')
    .filter(isObject)
    .map((item) => (item['kind'] === undefined ? { apiVersion, kind, ...item } : item));
  return { type: 'page', items, resourceVersion: textAt(list, 'metadata', 'resourceVersion') ?? '' };
}
