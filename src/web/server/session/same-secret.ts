import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Uint8Array => createHash('sha256').update(text).digest();

/** Whether two texts are equal, in a time that tells nothing about them. */
export const isSameSecret = (left: string, right: string): boolean =>
  timingSafeEqual(digest(left), digest(right));

/** A short name of a secret, from which it cannot be found. */
export const secretName = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 32);
