import { checkCidr, isIpv4, isIpv6 } from '#kube/names.ts';
import { isCreditCard, isIsbn10, isIsbn13 } from './check-digits.ts';

type FormatCheck = (text: string) => boolean;

/**
 * The check of a `format`; undefined for those that the server ignores, int32 and
 * int64 among them. Dashes in the name do not count.
 */
export function formatCheck(name: string): FormatCheck | undefined {
  const plain = name.replaceAll('-', '');
  const check = Object.hasOwn(checks, plain) ? checks[plain] : undefined;
  if (check === undefined || ofAnyLength.has(plain)) return check;
  return (text) => text.length <= longest && check(text);
}

/** Nothing of the other formats is ever so long, and some of their checks take quadratic time. */
const longest = 2000;
const ofAnyLength: ReadonlySet<string> = new Set(['byte', 'password', 'uri']);

const matching =
  (pattern: RegExp): FormatCheck =>
  (text) =>
    pattern.test(text);

const uuid = (third: string, fourth: string): FormatCheck =>
  matching(new RegExp(`^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`, 'i'));

const any4 = '[0-9a-f]{4}';

const checks: Readonly<Record<string, FormatCheck>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  uri: isUri,
  email: matching(
    /^(?:[^<>@]*<[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+>|[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+)$/,
  ),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  cidr: (text) => checkCidr(text).length === 0,
  mac: isMac,
  uuid: uuid(any4, any4),
  uuid3: uuid('3[0-9a-f]{3}', any4),
  uuid4: uuid('4[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
  uuid5: uuid('5[0-9a-f]{3}', '[89ab][0-9a-f]{3}'),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matching(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matching(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: isRgbColor,
  byte: isBase64,
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
};

function isUri(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is refused
  if (text === '' || /[\u0000-\u001f\u007f]/.test(text)) return false;
  if (/%(?![0-9a-fA-F]{2})/.test(text.replace(/[?#].*$/s, ''))) return false;
  if (text === '*' || text.startsWith('/')) return true;
  const match = /^[A-Za-z][A-Za-z0-9+.-]*:(.*)$/s.exec(text);
  if (match === null) return false;
  const rest = match[1] ?? '';
  return !rest.startsWith('//') || /^\/\/[^/?#\s<>"^`{|}\\]*(?:[/?#]|$)/.test(rest);
}

function isHostname(text: string): boolean {
  if (text.length > 255 || !hostname.test(text)) return false;
  return text.split('.').every((label) => label.length <= 63);
}

const hostname =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

function isMac(text: string): boolean {
  if (/^[0-9a-f]{2}(?:([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2})*)$/i.test(text))
    return [6, 8, 20].includes((text.length + 1) / 3);
  return /^[0-9a-f]{4}(?:\.[0-9a-f]{4})+$/i.test(text) && [6, 8, 20].includes(((text.length + 1) / 5) * 2);
}

function isRgbColor(text: string): boolean {
  const match = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text);
  return match !== null && match.slice(1).every((each) => Number(each) <= 255);
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = month === 2 && leap ? 29 : (monthDays[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  if (!isDate(date)) return false;
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time);
  if (match === null) return false;
  return Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

const goDuration = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const unitNames = /^(?:ns|nano|us|µs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|wk|week)$/;
const unitStarts = /^(?:nano|micro|milli|sec|min|hour|day|week)/;

/** Go's durations, and loose ones such as `3 days`. */
function isDuration(text: string): boolean {
  if (goDuration.test(text)) return true;
  for (const match of text.matchAll(/\d+\s*([A-Za-zµ]+)/g)) {
    const unit = (match[1] ?? '').toLowerCase();
    if (unitNames.test(unit) || unitStarts.test(unit)) return true;
  }
  return false;
}
