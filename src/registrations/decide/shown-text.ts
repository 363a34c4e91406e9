import { harmlessText } from '#base/harmless-text.ts';
import { shorten } from '#base/text.ts';

const longest = 16 * 1024;

const secretName =
  '[^"]*(?:passw(?:or)?d|passphrase|token|secret|api_?-?key|private_?-?key|credentials?|authorization)';
const jsonText = String.raw`"(?:[^"\\]|\\.)*("|$)`;
/** Members such as `"dbPassword":"…"`. */
const members = new RegExp(`("${secretName}"\\s*:\\s*)${jsonText}`, 'gi');
/** Variables such as `{"name":"DB_PASSWORD","value":"…"}`. */
const variables = new RegExp(`("name"\\s*:\\s*"${secretName}"\\s*,\\s*"value"\\s*:\\s*)${jsonText}`, 'gi');

/**
 * The beginning of a body of JSON for a reader: values whose names are those of secrets are masked, since instances may
 * carry some as plain text.
 */
export const shownText = (body: string): string =>
  shorten(
    harmlessText(
      body
        .slice(0, 2 * longest)
        .replaceAll(members, '$1"***"')
        .replaceAll(variables, '$1"***"'),
    ),
    longest,
  );
