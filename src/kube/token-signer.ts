import type { JsonObject } from '#base/json.ts';

/** Signs and verifies service account tokens. */
export type TokenSigner = {
  /** A JWT that holds the claims. */
  sign(claims: JsonObject): string;
  /** The claims of a token that was signed with this key; undefined for any other text. */
  verify(token: string): JsonObject | undefined;
};
