const hidden = '***';

/** Takes out of a text what addresses carry in secret: users, passwords, and parameters that are named like secrets. */
export function redactUrls(text: string): string {
  if (!text.includes('@') && !text.includes('=')) return text;
  return text
    .replaceAll(/\/\/[^/?#\s"]*@/g, `//${hidden}@`)
    .replaceAll(/([?&])([^?=&#\s"]+)=([^&#\s"]*)/g, (whole: string, before: string, name: string) =>
      isSecretName(name) ? `${before}${name}=${hidden}` : whole,
    );
}

/** What an address carries in secret, in every form in which the far end may repeat it. */
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

/** Takes secrets out of a text, however they are written there. */
export function hider(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.flatMap(formsOf));
  if (forms.size === 0) return (text) => text;
  // A secret may be part of another one.
  const longestFirst = [...forms].toSorted((one, other) => other.length - one.length);
  return (text) => longestFirst.reduce((rest, form) => rest.replaceAll(form, hidden), text);
}

/** Anything shorter is found in every text and says nothing: hiding it would only spoil results. */
const shortest = 6;

const formsOf = (secret: string): readonly string[] => {
  const plain = secret.trim();
  if (plain.length < shortest) return [];
  const quoted = JSON.stringify(plain).slice(1, -1);
  // Some write JSON with \/ for /, and some repeat the base64 that a header came in.
  const written = [
    plain,
    quoted,
    quoted.replaceAll('/', String.raw`\/`),
    encodeURIComponent(plain.toWellFormed()),
  ];
  return [...written, base64(plain)];
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
