import type { JsonObject } from '#base/json.ts';
import { withMissing } from '#base/json-edit.ts';

const claimSpecDefaults: JsonObject = { resources: {}, volumeMode: 'Filesystem' };

/** A claim is for a file system. */
export const defaultClaimSpec = (spec: JsonObject): JsonObject => withMissing(spec, claimSpecDefaults);
