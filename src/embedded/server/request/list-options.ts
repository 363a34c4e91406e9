import { forbidden, notSupported, type FieldError } from '#kube/field-error.ts';
import { ApiError, invalidObject } from '#kube/status.ts';
import { flag, integer, revisionOption } from './request-options.ts';

export type ListOptions = {
  readonly limit: number;
  readonly continue: string;
  readonly revision: string | undefined;
  readonly match: string;
  readonly watch: boolean;
  readonly bookmarks: boolean;
  readonly initialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
};

/** Reads and checks the options of a list or watch. */
export function listOptions(query: URLSearchParams, watch: boolean): ListOptions {
  const options: ListOptions = {
    limit: Math.max(0, integer(query, 'limit') ?? 0),
    continue: query.get('continue') ?? '',
    revision: revisionOption(query),
    match: query.get('resourceVersionMatch') ?? '',
    watch,
    bookmarks: flag(query, 'allowWatchBookmarks'),
    initialEvents: query.has('sendInitialEvents') ? flag(query, 'sendInitialEvents') : undefined,
    timeoutSeconds: integer(query, 'timeoutSeconds'),
  };
  const errors = watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return options;
}

const matchField = 'resourceVersionMatch';

function watchErrors({ match, initialEvents }: ListOptions): readonly FieldError[] {
  if (initialEvents !== undefined) {
    const errors: FieldError[] = [];
    if (match !== 'NotOlderThan') {
      errors.push(
        forbidden(matchField, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
      );
      if (match !== '') errors.push(notSupported(matchField, match, ['NotOlderThan']));
    }
    return errors;
  }
  if (match === '') return [];
  return [
    forbidden(matchField, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
  ];
}

function listErrors({ match, revision, initialEvents, ...options }: ListOptions): readonly FieldError[] {
  if (initialEvents !== undefined)
    return [forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')];
  if (match === '') return [];
  const errors: FieldError[] = [];
  if (revision === undefined) {
    errors.push(
      forbidden(matchField, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
    );
  }
  if (options.continue !== '') {
    errors.push(forbidden(matchField, 'resourceVersionMatch is forbidden when continue is provided'));
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    errors.push(notSupported(matchField, match, ['Exact', 'NotOlderThan', '']));
  }
  if (match === 'Exact' && revision === '0') {
    errors.push(forbidden(matchField, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

/** The number in a resourceVersion that a client sent back. */
export function parseRevision(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new ApiError({
    code: 500,
    reason: '',
    message: `resourceVersion: Invalid value: ${JSON.stringify(text)}: strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`,
  });
}
