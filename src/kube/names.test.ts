import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkCidr,
  checkConfigKey,
  checkEnvName,
  checkIp,
  checkLabel,
  checkLabel1035,
  checkLabelValue,
  checkPathSegment,
  checkPercent,
  checkPortName,
  checkPortNumber,
  checkQualifiedName,
  checkSubdomain,
  isIpv6,
  type Complaints,
} from './names.ts';

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const label1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const qualified =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const key =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
const env =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";
const charset = 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)';
const ip = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const cidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

type Case = readonly [rule: (text: string) => Complaints, text: string, complaints: readonly string[]];

test.for<Case>([
  [checkSubdomain, 'a.b-c.1', []],
  [checkSubdomain, 'E_1', [subdomain]],
  [checkSubdomain, 'a..b', [subdomain]],
  [checkSubdomain, '-a', [subdomain]],
  [checkSubdomain, 'x'.repeat(254), ['must be no more than 253 characters']],
  [checkLabel, 'a-1', []],
  [checkLabel, 'a.b', ['must not contain dots']],
  [checkLabel, 'C_', [label]],
  [checkLabel, 'x'.repeat(64), ['must be no more than 63 characters']],
  [checkLabel1035, 'abc-1', []],
  [checkLabel1035, '1abc', [label1035]],
  [checkLabel1035, 'a.b', [label1035]],
  [checkLabel1035, 'x'.repeat(64), ['must be no more than 63 characters']],
  [checkPathSegment, 'sys:role', []],
  [checkPathSegment, 'a/b', ["may not contain '/'"]],
  [checkPathSegment, 'a%', ["may not contain '%'"]],
  [checkPathSegment, '..', ["may not be '..'"]],
  [checkQualifiedName, 'example.com/Name_1', []],
  [checkQualifiedName, 'bad key', [`name part ${qualified}`]],
  [checkQualifiedName, '', ['name part must be non-empty', `name part ${qualified}`]],
  [checkQualifiedName, 'p'.repeat(64), ['name part must be no more than 63 characters']],
  [checkQualifiedName, 'UP.example.com/x', [`prefix part ${subdomain}`]],
  [checkQualifiedName, '/x', ['prefix part must be non-empty']],
  [
    checkQualifiedName,
    'a/b/c',
    [
      `a qualified name ${qualified} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ],
  ],
  [checkLabelValue, '', []],
  [checkLabelValue, 'bad value!', [value]],
  [checkLabelValue, 'v'.repeat(64), ['must be no more than 63 characters']],
  [checkConfigKey, '.dockerconfigjson', []],
  [checkConfigKey, 'a b', [key]],
  [checkConfigKey, '.', ["must not be '.'"]],
  [checkConfigKey, '..', ["must not be '..'"]],
  [checkConfigKey, '..x', ["must not start with '..'"]],
  [checkConfigKey, 'x'.repeat(254), ['must be no more than 253 characters']],
  [checkEnvName, 'A B', []],
  [checkEnvName, 'A=B', [env]],
  [checkEnvName, 'Ä', [env]],
  [checkPortName, 'http', []],
  [checkPortName, 'Bad_Name', [charset]],
  [checkPortName, '80', ['must contain at least one letter (a-z)']],
  [checkPortName, 'a--b', ['must not contain consecutive hyphens']],
  [checkPortName, 'a-', ['must not begin or end with a hyphen']],
  [checkPortName, 'x'.repeat(16), ['must be no more than 15 characters']],
  [
    checkPercent,
    '150%x',
    [
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
    ],
  ],
  [checkPercent, '25%', []],
  [checkIp, '10.9.8.7', []],
  [checkIp, '2001:db8::ffff', []],
  [checkIp, '::ffff:1.2.3.4', []],
  [checkIp, '256.1.1.1', [ip]],
  [checkIp, '01.1.1.1', [ip]],
  [checkIp, ':::', [ip]],
  [checkIp, '1:2:3:4:5:6:7:8:9', [ip]],
  [checkCidr, '10.0.0.0/16', []],
  [checkCidr, '2001:db8::/64', []],
  [checkCidr, '10.0.0.0/33', [cidr]],
  [checkCidr, '10.0.0.0', [cidr]],
])('%s of %s', ([rule, text, complaints]) => {
  expect(rule(text)).toEqual(complaints);
});

describe('numbers and properties', () => {
  test.for([0, 65_536, -1])('port %d is out of range', (port) => {
    expect(checkPortNumber(port)).toEqual(['must be between 1 and 65535, inclusive']);
  });

  test('a label is always a subdomain', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'z', '0', '-', '.', 'A') }), (text) => {
        if (checkLabel(text).length === 0) expect(checkSubdomain(text)).toEqual([]);
      }),
    );
  });

  test('every IPv6 address is recognised', () => {
    fc.assert(fc.property(fc.ipV6(), isIpv6));
  });

  test('every IPv4 address is recognised', () => {
    fc.assert(fc.property(fc.ipV4(), (text) => checkIp(text).length === 0));
  });
});
