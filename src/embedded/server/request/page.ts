import { ApiError, badRequest } from '#kube/status.ts';
import type { ServerContext } from './call.ts';
import { decodeContinue, encodeContinue, expiredPage, expiredRevision } from './continue-token.ts';
import { parseRevision, type ListOptions } from './list-options.ts';
import type { ApiResource } from '#embedded/server/registry/resource.ts';
import { isWhole, type ObjectSelection } from './selection.ts';
import type { Stored } from '#embedded/server/store/stored.ts';

/** One page of a list, all of it as of one revision. */
export type ListPage = {
  readonly revision: number;
  readonly items: readonly Stored[];
  readonly continue: string;
  readonly remaining: number | undefined;
};

export function pageOf(
  context: ServerContext,
  resource: ApiResource,
  selection: ObjectSelection,
  options: ListOptions,
): ListPage {
  const from = startOf(context, options);
  const prefix = rangePrefix(resource, selection);
  const states = statesAt(context, resource, selection, { ...from, start: `${prefix}${from.start}` });
  return cut(states, { selection, limit: limitOf(options), prefix, revision: from.revision });
}

/** What all keys of the range begin with; tokens leave it out. Keys of cluster-scoped objects are `/name`. */
function rangePrefix({ namespaced }: ApiResource, { namespace }: ObjectSelection): string {
  if (!namespaced) return '/';
  return namespace === undefined ? '' : `${namespace}/`;
}

type Start = { readonly revision: number; readonly start: string; readonly current: boolean };

/** With resourceVersion 0 the real server ignores the limit. */
const limitOf = (options: ListOptions): number =>
  options.revision === '0' && options.match === '' ? 0 : options.limit;

function startOf(context: ServerContext, options: ListOptions): Start {
  const { store } = context;
  if (options.continue !== '') {
    if (options.revision !== undefined && options.revision !== '0') {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    const { revision, start } = decodeContinue(options.continue);
    if (revision < 0) return { revision: store.revision, start, current: true };
    if (revision < store.history.compacted) throw expiredPage(start);
    return { revision, start, current: revision >= store.revision };
  }
  if (options.match !== 'Exact') return { revision: store.revision, start: '', current: true };
  const revision = parseRevision(options.revision ?? '');
  if (revision > store.revision) throw futureRevision();
  if (revision < store.history.compacted) throw expiredRevision(revision);
  return { revision, start: '', current: revision === store.revision };
}

const futureRevision = (): ApiError =>
  new ApiError({
    code: 500,
    reason: '',
    message: 'etcdserver: mvcc: required revision is a future revision',
  });

/** The objects of a range in the order of their keys, as they were at a revision. */
function* statesAt(
  context: ServerContext,
  resource: ApiResource,
  selection: ObjectSelection,
  from: Start,
): Generator<Stored> {
  const { store } = context;
  const { namespace } = selection;
  const { start } = from;
  const table = store.table(resource.storage);
  if (from.current) {
    yield* table.range(namespace, start);
    return;
  }
  const then = store.history.statesAt(resource.storage, from.revision);
  const wanted = (key: string): boolean =>
    key >= start && (namespace === undefined || key.startsWith(`${namespace}/`));
  // Keys that were deleted since the snapshot must be merged in at their places.
  const missing = [...then.entries()]
    .flatMap(([key, stored]) =>
      stored !== undefined && table.get(key) === undefined && wanted(key) ? [stored] : [],
    )
    .sort((left, right) => (left.key < right.key ? -1 : 1));
  let next = 0;
  for (const now of table.range(namespace, start)) {
    for (let gone = missing[next]; gone !== undefined && gone.key < now.key; gone = missing[next]) {
      yield gone;
      next += 1;
    }
    const state = then.has(now.key) ? then.get(now.key) : now;
    if (state !== undefined) yield state;
  }
  yield* missing.slice(next);
}

type Cut = {
  readonly selection: ObjectSelection;
  readonly limit: number;
  readonly prefix: string;
  readonly revision: number;
};

function cut(states: Iterable<Stored>, { selection, limit, prefix, revision }: Cut): ListPage {
  const items: Stored[] = [];
  let last = '';
  let remaining = 0;
  const whole = isWhole(selection);
  for (const state of states) {
    if (limit > 0 && items.length === limit) {
      remaining += 1;
      if (!whole) break;
      continue;
    }
    if (selection.matches(state)) {
      items.push(state);
      last = state.key;
    }
  }
  if (remaining === 0) return { revision, items, continue: '', remaining: undefined };
  const start = `${last.slice(prefix.length)}\u0000`;
  return {
    revision,
    items,
    continue: encodeContinue({ revision, start }),
    remaining: whole ? remaining : undefined,
  };
}
