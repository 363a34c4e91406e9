import { shortestMasked } from '#hooks/decide/short-secrets.ts';

const hidden = '***';

/** Masks users, passwords and parameters with secret names in all URLs of a text. */
export function redactUrls(text: string): string {
  if (!text.includes('@') && !text.includes('=')) return text;
  return text
    .replaceAll(/\/\/[^/?#\s"]*@/g, `//${hidden}@`)
    .replaceAll(/([?&])([^?=&#\s"]+)=([^&#\s"]*)/g, (whole: string, before: string, name: string) =>
      isSecretName(name) ? `${before}${name}=${hidden}` : whole,
    );
}

/** The secrets in a URL, in every form in which the server may repeat them. */
export function secretsInUrl(address: string): readonly string[] {
  if (!address.includes('@') && !address.includes('=')) return [];
  const url = URL.parse(address);
  if (url === null) return [];
  const values = [...url.searchParams].filter(([name]) => isSecretName(name)).map(([, value]) => value);
  if (url.username === '' && url.password === '') return values;
  const [user, password] = [unescaped(url.username), unescaped(url.password)];
  return [...values, password, base64(`${user}:${password}`)];
}

const base64 = (text: string): string =>
  btoa(String.fromCodePoint(...new TextEncoder().encode(text.slice(0, 1000))));

/** A header with a secret value. */
export type SecretField = { readonly name: string; readonly value: string };

/** Masks secrets in a text, also encoded ones. Short secrets are masked only next to the name of their header. */
export function hider(
  secrets: readonly string[],
  fields: readonly SecretField[] = [],
): (text: string) => string {
  const forms = new Set(secrets.flatMap(formsOf));
  const places = fields.filter(isShort).map(placeOf);
  if (forms.size + places.length === 0) return (text) => text;
  // A secret can be part of another one.
  const longestFirst = [...forms].toSorted((one, other) => other.length - one.length);
  return (text) => {
    const rest = longestFirst.reduce((left, form) => left.replaceAll(form, () => hidden), text);
    return places.reduce((left, place) => left.replaceAll(place, `$1${hidden}`), rest);
  };
}

/** Whether a member of a JSON object repeats a header that was sent. */
export function fieldMatcher(fields: readonly SecretField[]): (name: string, value: string) => boolean {
  const sent = new Set(fields.map(({ name, value }) => `${plainName(name)} ${value.trim()}`));
  return (name, value) => sent.size > 0 && sent.has(`${plainName(name)} ${value.trim()}`);
}

const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^http-/, '');

const isShort = ({ value }: SecretField): boolean => {
  const { length } = value.trim();
  return length > 0 && length < shortestMasked;
};

const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Matches `"X-Token": ["ab"]`, `X-Token: ab` and `HTTP_X_TOKEN=ab`. */
function placeOf({ name, value }: SecretField): RegExp {
  const written = name.split(/[-_]/).map(escaped).join('[-_]');
  const quoted = JSON.stringify(value.trim()).slice(1, -1);
  const forms = [...new Set([quoted, value.trim()])].map(escaped).join('|');
  const between = String.raw`["']?\s{0,8}[:=]\s{0,8}\[?\s{0,8}["']?`;
  return new RegExp(`(${written}${between})(?:${forms})(?![^\\s"'\\]&,;])`, 'gi');
}

const formsOf = (secret: string): readonly string[] => {
  const plain = secret.trim();
  if (plain === '') return [];
  const quoted = JSON.stringify(plain).slice(1, -1);
  // Some servers write \/ for / in JSON, and some repeat a header in base64.
  const written = [
    plain,
    quoted,
    quoted.replaceAll('/', String.raw`\/`),
    encodeURIComponent(plain.toWellFormed()),
  ];
  return [...written, base64(plain)].filter(({ length }) => length >= shortestMasked);
};

const secretName =
  /(?:^|[-_.])(?:token|secret|pass|password|passwd|pwd|signature|sig|key|apikey|auth|authorization|credentials?|session|sessionid|jwt|bearer)$/i;

/** `token`, `access_token`, `X-Amz-Signature`, `apiKey`, also when percent-encoded. */
function isSecretName(written: string): boolean {
  const name = unescaped(written).replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2');
  return secretName.test(name);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
