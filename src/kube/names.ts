/**
 * The syntax of names, label keys and values. Each check answers what is wrong in the words of a Kubernetes
 * server; an empty list means the text is fine.
 */
export type Complaints = readonly string[];

const fine: Complaints = [];

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const qualified = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${qualified})?`;
const configKey = '[-._a-zA-Z0-9]+';
const percent = '[0-9]+%';

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const label1123Pattern = whole(label1123);
const label1035Pattern = whole(label1035);
const subdomainPattern = whole(subdomain1123);
const qualifiedPattern = whole(qualified);
const labelValuePattern = whole(labelValue);
const configKeyPattern = whole(configKey);
const percentPattern = whole(percent);

/** `(e.g. 'a',  or 'b', regex used for validation is 'r')`: the server's own spacing. */
function expected(what: string, pattern: string, ...examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${what} (e.g. ${list}regex used for validation is '${pattern}')`;
}

const labelText = expected(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  label1123,
  'my-name',
  '123-abc',
);
const label1035Text = expected(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  label1035,
  'my-name',
  'abc-123',
);
const subdomainText = expected(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomain1123,
  'example.com',
);
const qualifiedText = expected(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  qualified,
  'MyName',
  'my.name',
  '123-abc',
);
const labelValueText = expected(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelValue,
  'MyValue',
  'my_value',
  '12345',
);
const configKeyText = expected(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  configKey,
  'key.name',
  'KEY_NAME',
  'key-name',
);
const percentText = expected(
  "a valid percent string must be a numeric string followed by an ending '%'",
  percent,
  '1%',
  '93%',
);

export const atMostCharacters = (most: number): string => `must be no more than ${most} characters`;
export const between = (low: number, high: number): string => `must be between ${low} and ${high}, inclusive`;

/** A DNS-1123 label: namespaces, containers. */
export function checkLabel(text: string): Complaints {
  if (text.length <= 63 && label1123Pattern.test(text)) return fine;
  const found: string[] = [];
  if (text.length > 63) found.push(atMostCharacters(63));
  if (label1123Pattern.test(text)) return found;
  found.push(subdomainPattern.test(text) ? 'must not contain dots' : labelText);
  return found;
}

/** A DNS-1035 label: services. */
export function checkLabel1035(text: string): Complaints {
  if (text.length <= 63 && label1035Pattern.test(text)) return fine;
  const found: string[] = [];
  if (text.length > 63) found.push(atMostCharacters(63));
  if (!label1035Pattern.test(text)) found.push(label1035Text);
  return found;
}

/** A DNS-1123 subdomain: most names. */
export function checkSubdomain(text: string): Complaints {
  if (text.length <= 253 && subdomainPattern.test(text)) return fine;
  const found: string[] = [];
  if (text.length > 253) found.push(atMostCharacters(253));
  if (!subdomainPattern.test(text)) found.push(subdomainText);
  return found;
}

const pathSegmentMayNotContain = ['/', '%'];

/** A name that may be one segment of a URL's path: RBAC kinds. `prefix` says that more characters follow. */
export function checkPathSegment(text: string, prefix = false): Complaints {
  if (!prefix && (text === '.' || text === '..')) return [`may not be '${text}'`];
  const found = pathSegmentMayNotContain.filter((each) => text.includes(each));
  return found.length === 0 ? fine : found.map((each) => `may not contain '${each}'`);
}

/** A key of labels and annotations: `name` or `example.com/name`. */
export function checkQualifiedName(text: string): Complaints {
  const slash = text.indexOf('/');
  if (slash < 0) return checkNamePart(text);
  if (text.includes('/', slash + 1)) {
    return [
      `a qualified name ${qualifiedText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const prefix = text.slice(0, slash);
  const prefixComplaints =
    prefix === ''
      ? ['prefix part must be non-empty']
      : checkSubdomain(prefix).map((each) => `prefix part ${each}`);
  const nameComplaints = checkNamePart(text.slice(slash + 1));
  return prefixComplaints.length === 0 ? nameComplaints : [...prefixComplaints, ...nameComplaints];
}

function checkNamePart(name: string): Complaints {
  if (name.length <= 63 && qualifiedPattern.test(name)) return fine;
  const found: string[] = [];
  if (name === '') found.push('name part must be non-empty');
  else if (name.length > 63) found.push(`name part ${atMostCharacters(63)}`);
  if (!qualifiedPattern.test(name)) found.push(`name part ${qualifiedText}`);
  return found;
}

export function checkLabelValue(text: string): Complaints {
  if (text.length <= 63 && labelValuePattern.test(text)) return fine;
  const found: string[] = [];
  if (text.length > 63) found.push(atMostCharacters(63));
  if (!labelValuePattern.test(text)) found.push(labelValueText);
  return found;
}

/** A key of a ConfigMap or Secret. */
export function checkConfigKey(text: string): Complaints {
  if (text.length <= 253 && configKeyPattern.test(text) && !text.startsWith('.')) return fine;
  const found: string[] = [];
  if (text.length > 253) found.push(atMostCharacters(253));
  if (!configKeyPattern.test(text)) found.push(configKeyText);
  if (text === '.' || text === '..') found.push(`must not be '${text}'`);
  else if (text.startsWith('..')) found.push("must not start with '..'");
  return found;
}

/** The name of an environment variable: printable ASCII other than `=`. */
export function checkEnvName(text: string): Complaints {
  return /^[ -<>-~]*$/.test(text)
    ? fine
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

export function checkPortName(text: string): Complaints {
  const found: string[] = [];
  if (text.length > 15) found.push(atMostCharacters(15));
  if (!/^[-a-z0-9]+$/.test(text))
    found.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(text)) found.push('must contain at least one letter (a-z)');
  if (text.includes('--')) found.push('must not contain consecutive hyphens');
  if (text.startsWith('-') || text.endsWith('-')) found.push('must not begin or end with a hyphen');
  return found;
}

export function checkPortNumber(port: number): Complaints {
  return port >= 1 && port <= 65_535 ? fine : [between(1, 65_535)];
}

export function checkPercent(text: string): Complaints {
  return percentPattern.test(text) ? fine : [percentText];
}

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const ipv4Pattern = whole(`${octet}(?:\\.${octet}){3}`);

export const isIpv4 = (text: string): boolean => ipv4Pattern.test(text);

export function isIpv6(text: string): boolean {
  if (!text.includes(':')) return false;
  const cut = text.lastIndexOf(':') + 1;
  const last = text.slice(cut);
  const hex = last.includes('.') ? (isIpv4(last) ? `${text.slice(0, cut)}0:0` : 'x') : text;
  const halves = hex.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const count = halves.length === 2 ? groups.length <= 7 : groups.length === 8;
  return count && groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group));
}

export function checkIp(text: string): Complaints {
  return isIpv4(text) || isIpv6(text)
    ? fine
    : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
}

export function checkCidr(text: string): Complaints {
  const match = /^(.*)\/(\d{1,3})$/.exec(text);
  const address = match?.[1] ?? '';
  const bits = Number(match?.[2] ?? 999);
  const good = (isIpv4(address) && bits <= 32) || (isIpv6(address) && bits <= 128);
  return good ? fine : ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
}
