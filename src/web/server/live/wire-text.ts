import type { Json } from '#base/json.ts';
import { printJson } from '#base/json-text.ts';

/** A value of a wire type as JSON: it is JSON, but its type has optional members. */
export const wireText = (value: object): string => printJson(value as Json);
