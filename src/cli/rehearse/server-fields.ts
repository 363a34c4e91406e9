import type { JsonObject } from '#base/json.ts';

const ofServer: ReadonlySet<string> = new Set([
  'resourceVersion',
  'uid',
  'creationTimestamp',
  'generation',
  'managedFields',
  'ownerReferences',
  'selfLink',
]);

/** The metadata of an object without what a server adds. */
export const withoutServerFields = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(metadata).filter(([field]) => !ofServer.has(field)));
