import type { JsonObject } from '#base/json.ts';
import { withMissing } from '#base/json-edit.ts';

const claimSpecDefaults: JsonObject = { resources: {}, volumeMode: 'Filesystem' };

/** W11: a claim is for a file system. */
export const defaultClaimSpec = (spec: JsonObject): JsonObject => withMissing(spec, claimSpecDefaults);
