import type { JsonObject } from '#base/json.ts';

const parameter = (name: string, type: string): JsonObject => ({
  name,
  in: 'query',
  schema: { type, uniqueItems: true },
});

const inPath = (name: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', uniqueItems: true },
});

export const nameInPath = inPath('name');
export const namespaceInPath = inPath('namespace');
export const prettyParameter = parameter('pretty', 'string');

const dryRun = parameter('dryRun', 'string');
/** kubectl looks for `fieldValidation` on a kind's PATCH to learn that the server validates. */
const writing = [dryRun, parameter('fieldManager', 'string'), parameter('fieldValidation', 'string')];
const selecting = [
  parameter('continue', 'string'),
  parameter('fieldSelector', 'string'),
  parameter('labelSelector', 'string'),
  parameter('limit', 'integer'),
  parameter('resourceVersion', 'string'),
  parameter('resourceVersionMatch', 'string'),
  parameter('sendInitialEvents', 'boolean'),
  parameter('timeoutSeconds', 'integer'),
];
const deleting = [
  dryRun,
  parameter('gracePeriodSeconds', 'integer'),
  parameter('orphanDependents', 'boolean'),
  parameter('propagationPolicy', 'string'),
];

/** The query parameters of each action. */
export const actionParameters: Readonly<Record<string, readonly JsonObject[]>> = {
  get: [],
  list: [parameter('allowWatchBookmarks', 'boolean'), ...selecting, parameter('watch', 'boolean')],
  post: writing,
  put: writing,
  patch: [...writing, parameter('force', 'boolean')],
  delete: deleting,
  deletecollection: [...deleting, ...selecting],
};
