import { createHmac } from 'node:crypto';

/** HMAC-SHA256 of a text in hex. */
export function hmacSha256Hex(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}
