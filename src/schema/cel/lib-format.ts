import {
  checkLabel,
  checkLabel1035,
  checkLabelValue,
  checkQualifiedName,
  checkSubdomain,
} from '#kube/names.ts';
import { formatCheck } from '#schema/formats/formats.ts';
import type { OverloadRow } from './overload.ts';
import { parseUrl } from './url.ts';
import { listOf, none, some, type FormatValue, type CelValue } from './value.ts';

type Validate = (text: string) => readonly string[];

/** A prefix may end with a dash, since something will follow it. */
const prefix =
  (check: Validate): Validate =>
  (text) =>
    check(text.endsWith('-') ? `${text.slice(0, -1)}a` : text);

const byFormat =
  (format: string, complaint: string): Validate =>
  (text) =>
    formatCheck(format)?.(text) === true ? [] : [complaint];

const uri: Validate = (text) => {
  const parsed = parseUrl(text);
  return parsed.kind === 'error' ? [parsed.message] : [];
};

const formats: Readonly<Record<string, Validate>> = {
  dns1123Label: checkLabel,
  dns1123Subdomain: checkSubdomain,
  dns1035Label: checkLabel1035,
  qualifiedName: checkQualifiedName,
  dns1123LabelPrefix: prefix(checkLabel),
  dns1123SubdomainPrefix: prefix(checkSubdomain),
  dns1035LabelPrefix: prefix(checkLabel1035),
  labelValue: checkLabelValue,
  uri,
  uuid: byFormat('uuid', 'does not match the UUID format'),
  byte: byFormat('byte', 'invalid base64'),
  date: byFormat('date', 'invalid date'),
  datetime: byFormat('datetime', 'invalid datetime'),
};

const formatOf = (name: string, validate: Validate): FormatValue => ({ kind: 'format', name, validate });

function named(name: string): CelValue {
  const validate = Object.hasOwn(formats, name) ? formats[name] : undefined;
  return validate === undefined ? none : some(formatOf(name, validate));
}

function complaints({ validate }: FormatValue, text: string): CelValue {
  const found = validate(text);
  return found.length === 0 ? none : some(listOf(found));
}

export const namedFormats: readonly OverloadRow[] = [
  ...Object.entries(formats).map(([name, validate]): OverloadRow => [
    `#format.${name}(): Format`,
    () => formatOf(name, validate),
  ]),
  ['#format.named(string): optional<Format>', named],
  ['Format.validate(string): optional<list<string>>', complaints],
];
