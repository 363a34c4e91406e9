import { expect, test } from 'vitest';
import type { Json, JsonObject } from '#base/json.ts';
import { checkExpression } from './check.ts';
import { declOf } from './decl.ts';
import { formatIssues } from './issue.ts';
import { newMeter } from './meter.ts';
import { parseExpression } from './parse.ts';
import { planExpression } from './plan.ts';
import { isBoxed, itemsOf, type CelValue } from './value.ts';

/** What an expression gives, in a form that is easy to write down. */
function evaluate(source: string, schema: JsonObject = { type: 'integer' }, self: Json = 1): unknown {
  const decl = declOf(schema, false);
  if (decl === undefined) throw new Error('the schema is not visible');
  const parsed = parseExpression(source);
  if (parsed.type === 'bad') return formatIssues(source, parsed.issues);
  const checked = checkExpression(parsed.expr, new Map([['self', decl.type]]));
  if (!('expr' in checked)) return formatIssues(source, checked);
  const meter = newMeter();
  return shown(planExpression(checked, ['self'])(meter, [decl.adapt(self, meter)]));
}

function shown(value: CelValue): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (!isBoxed(value)) return value;
  switch (value.kind) {
    case 'error':
      return `error: ${value.message}`;
    case 'list':
      return itemsOf(value).map(shown);
    case 'map':
      return value.keys().map((key) => [shown(key), shown(value.find(key) ?? null)]);
    case 'optional':
      return value.value === undefined ? 'none' : { some: shown(value.value) };
    case 'uint':
      return `${value.value}u`;
    case 'type':
      return value.name;
    default:
      return value.kind;
  }
}

test.for<[string, unknown]>([
  ['1 + 2 * 3', 7n],
  ['7 / 2', 3n],
  ['-7 / 2', -3n],
  ['-7 % 3', -1n],
  ['7 % 0', 'error: modulus by zero'],
  ['7 / 0', 'error: division by zero'],
  ['7.0 / 2.0', 3.5],
  ['9223372036854775807 + 1', 'error: integer overflow'],
  ['-9223372036854775808', -(2n ** 63n)],
  ['-(-9223372036854775808)', 'error: integer overflow'],
  ['0u - 1u', 'error: unsigned integer overflow'],
  ['0x1F', 31n],
  ["'a' + 'b'", 'ab'],
  ["b'a' + b'b'", [97, 98]],
  ['[1] + [2, 3]', [1n, 2n, 3n]],
  ['1 < 2.5', true],
  ['1u == 1u', true],
  ['dyn(1) == 1.0', true],
  ['dyn(1) == "1"', false],
  ['[1, 2] == [1, 2]', true],
  ["{'a': [1]} == {'a': [1]}", true],
  ["'\u{1F600}' > '\uFFFD'", true],
  ['1 in [1, 2]', true],
  ["'a' in {'a': 1}", true],
  ['[1, 2][2]', 'error: index out of bounds: 2'],
  ["{'a': 1}['b']", 'error: no such key: b'],
  ["{'a': 1}.a", 1n],
  ["{'a': null}.a", null],
  ["has({'a': 1}.b)", false],
  ['true || 1 / 0 == 1', true],
  ['1 / 0 == 1 || true', true],
  ['1 / 0 == 1 && false', false],
  ['1 / 0 == 1 && true', 'error: division by zero'],
  ['true ? 1 : 2', 1n],
  ['[1, 2, 3].all(x, x > 0)', true],
  ['[1, 0].all(x, 1 / x > 5)', false],
  ['[0, 1].exists(x, 1 / x > 0)', true],
  ['[0, 1].all(x, 1 / x > 0)', 'error: division by zero'],
  ['[1, 2, 2].exists_one(x, x == 2)', false],
  ['[1, 2, 3].map(x, x * 2)', [2n, 4n, 6n]],
  ['[1, 2, 3].map(x, x > 1, x * 2)', [4n, 6n]],
  ['[1, 2, 3].filter(x, x % 2 == 1)', [1n, 3n]],
  ["{'b': 1, 'a': 2}.map(k, k)", ['b', 'a']],
  ['[[1, 2], [3]].all(x, x.all(y, y > 0))', true],
  ['type(1) == int', true],
  ["type('a')", 'string'],
  ["type(timestamp('2024-01-01T00:00:00Z')) == google.protobuf.Timestamp", true],
  ["size('\u{1F600}a')", 2n],
  ["{'a': 1}.size()", 1n],
])('the language: %s', ([source, expected]) => {
  expect(evaluate(source)).toEqual(expected);
});

test.for<[string, unknown]>([
  ["bool('true')", true],
  ["bool('yes')", "error: type conversion error from 'string' to 'bool'"],
  ["int('-12')", -12n],
  ["int('1.5')", "error: type conversion error from 'string' to 'int'"],
  ['int(1.9)', 1n],
  ['int(1e30)', 'error: integer overflow'],
  ["int(timestamp('1970-01-01T00:00:10Z'))", 10n],
  ['uint(1)', '1u'],
  ['uint(-1)', 'error: unsigned integer overflow'],
  ["double('1.5')", 1.5],
  ["double('x')", "error: type conversion error from 'string' to 'double'"],
  ['string(1.5)', '1.5'],
  ['string(1000000.0)', '1e+06'],
  ['string(0.00001)', '1e-05'],
  ['string(123456.5)', '123456.5'],
  ["string(duration('1m30s'))", '90s'],
  ["string(duration('1500ms'))", '1.5s'],
  ["string(timestamp('2024-02-29T12:00:00.5+02:00'))", '2024-02-29T10:00:00.5Z'],
  ["string(b'\\xff')", 'error: invalid UTF-8 in bytes, cannot convert to string'],
  ["bytes('é')", [0xc3, 0xa9]],
  ["timestamp('2024-01-01T00:00:00Z') + duration('1h') > timestamp('2024-01-01T00:30:00Z')", true],
  ["timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z') == duration('24h')", true],
  ["timestamp('2024-12-31T23:59:58.007Z').getDayOfYear()", 365n],
  ["timestamp('2024-12-31T23:59:58.007Z').getMonth()", 11n],
  ["timestamp('2024-12-31T23:59:58.007Z').getDate()", 31n],
  ["timestamp('2024-12-31T23:59:58.007Z').getDayOfMonth()", 30n],
  ["timestamp('2024-12-31T23:59:58.007Z').getDayOfWeek()", 2n],
  ["timestamp('2024-12-31T23:59:58.007Z').getMilliseconds()", 7n],
  ["timestamp('2024-12-31T23:59:58Z').getFullYear('+01:00')", 2025n],
  ["timestamp('2024-07-01T00:00:00Z').getHours('Europe/Berlin')", 2n],
  ["timestamp('2024-07-01T00:00:00Z').getHours('Nowhere/Land')", 'error: unknown time zone Nowhere/Land'],
  ["duration('90m').getHours()", 1n],
  ["duration('90m').getMinutes()", 90n],
])('conversions and times: %s', ([source, expected]) => {
  expect(evaluate(source)).toEqual(expected);
});

test.for<[string, unknown]>([
  ["'hello'.charAt(4)", 'o'],
  ["'hello'.charAt(5)", ''],
  ["'hello'.charAt(6)", 'error: index out of range: 6'],
  ["'a\u{1F600}b'.indexOf('b')", 2n],
  ["'hello'.indexOf('l', 3)", 3n],
  ["'hello'.indexOf('l', 9)", 'error: index out of range: 9'],
  ["'hello'.lastIndexOf('l')", 3n],
  ["'hello'.lastIndexOf('l', 2)", 2n],
  ["''.lastIndexOf('l')", -1n],
  ["'TacoCÄt'.lowerAscii()", 'tacocÄt'],
  ["'tacocät'.upperAscii()", 'TACOCäT'],
  ["'a.b.c'.replace('.', '-')", 'a-b-c'],
  ["'a.b.c'.replace('.', '$&', 1)", 'a$&b.c'],
  ["'ab'.replace('', '-')", '-a-b-'],
  ["'a,b,c'.split(',')", ['a', 'b', 'c']],
  ["'a,b,c'.split(',', 2)", ['a', 'b,c']],
  ["'abc'.split('')", ['a', 'b', 'c']],
  ["'a,b'.split(',', 0)", []],
  ["'tacocat'.substring(4)", 'cat'],
  ["'tacocat'.substring(0, 4)", 'taco'],
  ["'tacocat'.substring(4, 2)", 'error: invalid substring range. start: 4, end: 2'],
  ["'tacocat'.substring(9)", 'error: index out of range: 9'],
  ["' \\t a\\n'.trim()", 'a'],
  ["['a', 'b'].join()", 'ab'],
  ["['a', 'b'].join('-')", 'a-b'],
  ["strings.quote('a\"b')", '"a\\"b"'],
  ["'%s is %d%%'.format([dyn('x'), 5])", 'x is 5%'],
  ["'%.2f'.format([1234.5])", '1,234.50'],
  ["'%.3e'.format([1052.032911275])", '1.052 × 10⁰³'],
  ["'%b %o'.format([5, 8])", '101 10'],
  ["'%x %X'.format([dyn(255), dyn('hi')])", 'ff 6869'],
  ["'%s'.format([['a', 'b']])", '["a", "b"]'],
  ["'%s'.format([{'b': 1, 'a': 2}])", '{"a":2, "b":1}'],
  [
    "'%d'.format(['x'])",
    'error: error during formatting: decimal clause can only be used on integers, was given string',
  ],
  ["'%s'.format([])", 'error: index 0 out of range'],
  ["'abc 123'.find('[0-9]+')", '123'],
  ["'abc'.find('[0-9]+')", ''],
  ["'1 a 2'.findAll('[0-9]')", ['1', '2']],
  ["'1 a 2'.findAll('[0-9]', 1)", ['1']],
  ["'foobar'.matches('o+b')", true],
  ["matches('foobar', '^o')", false],
  ["'a'.matches('(' + 'a')", 'error: error parsing regexp: missing closing ): `(a`'],
])('strings and patterns: %s', ([source, expected]) => {
  expect(evaluate(source)).toEqual(expected);
});

test.for<[string, unknown]>([
  ['[1, 2, 2].isSorted()', true],
  ["['b', 'a'].isSorted()", false],
  ['[1, 2].sum()', 3n],
  ['[1.5, 2.0].sum()', 3.5],
  ["[duration('1m'), duration('1s')].sum() == duration('61s')", true],
  ['[9223372036854775807, 1].sum()', 'error: integer overflow'],
  ['[3, 1, 2].min()', 1n],
  ['[3, 1, 2].max()', 3n],
  ['[1].filter(x, x > 1).max()', 'error: max called on empty list'],
  ['[1, 2, 2].indexOf(2)', 1n],
  ['[1, 2, 2].lastIndexOf(2)', 2n],
  ['[1].indexOf(3)', -1n],
  ['sets.contains([1, 2], [2])', true],
  ['sets.intersects([1], [2])', false],
  ['sets.equivalent([1, 2], [2, 1, 1])', true],
])('lists: %s', ([source, expected]) => {
  expect(evaluate(source)).toEqual(expected);
});

test.for<[string, unknown]>([
  ["url('https://user:pass@example.com:80/path?query=val#f').getHost()", 'example.com:80'],
  ["url('https://[::1]:80/').getHostname()", '::1'],
  ["url('https://[::1]:80/').getPort()", '80'],
  ["url('/path').getScheme()", ''],
  ["url('https://example.com/with spaces/').getEscapedPath()", '/with%20spaces/'],
  ["url('https://example.com/p?k1=a&k2=b+c&k2=d').getQuery()['k2']", ['b c', 'd']],
  ["isURL('https://a:b:c/')", false],
  ["isURL('../relative')", false],
  ["isURL('/absolute')", true],
  [
    "url('../x')",
    'error: URL parse error during conversion from string: parse "../x": invalid URI for request',
  ],
  ["ip('127.0.0.1').family()", 4n],
  ["ip('::1').isLoopback()", true],
  ["ip('169.254.1.1').isLinkLocalUnicast()", true],
  ["ip('ff02::1').isLinkLocalMulticast()", true],
  ["ip('255.255.255.255').isGlobalUnicast()", false],
  ["ip('2001:db8::abcd').isGlobalUnicast()", true],
  ["ip.isCanonical('2001:DB8::ABCD')", false],
  ["ip.isCanonical('2001:db8::abcd')", true],
  ["string(ip('2001:db8:0:0:1:0:0:1'))", '2001:db8::1:0:0:1'],
  ["isIP('::ffff:1.2.3.4')", false],
  ["isIP('fe80::1%eth0')", false],
  ["isIP('1.2.3')", false],
  [
    "ip('1.2.3.256')",
    'error: IP Address "1.2.3.256" parse error during conversion from string: ParseAddr("1.2.3.256"): IPv4 field has value >255',
  ],
  ["cidr('192.168.0.0/24').containsIP('192.168.0.1')", true],
  ["cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))", false],
  ["cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24')", true],
  ["cidr('192.168.0.0/24').containsCIDR(cidr('192.168.0.0/16'))", false],
  ["cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24')", true],
  ["cidr('::1/128').prefixLength()", 128n],
  ["cidr('::1/128').ip() == ip('::1')", true],
  ["isCIDR('::1/129')", false],
  ["isCIDR('1.2.3.4')", false],
  ["quantity('1.5G').isGreaterThan(quantity('1G'))", true],
  ["quantity('200M').compareTo(quantity('0.2G'))", 0n],
  ["quantity('50k').add(20) == quantity('50020')", true],
  ["quantity('50k').sub(quantity('100k')).isLessThan(quantity('0'))", true],
  ["quantity('50k').asInteger()", 50_000n],
  ["quantity('0.5').asInteger()", 'error: cannot convert value to integer'],
  ["quantity('0.5').isInteger()", false],
  ["quantity('1.5').asApproximateFloat()", 1.5],
  ["sign(quantity('-1'))", -1n],
  ["isQuantity('200K')", false],
  [
    "quantity('1,5')",
    "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  ["format.dns1123Label().validate('my-name')", 'none'],
  ["format.dns1123Label().validate('My.Name').hasValue()", true],
  ["format.named('dns1123LabelPrefix').value().validate('a-').hasValue()", false],
  ["format.named('nonsense')", 'none'],
  ["format.date().validate('2021-13-01').value()", ['invalid date']],
])('urls, addresses, quantities and formats: %s', ([source, expected]) => {
  expect(evaluate(source)).toEqual(expected);
});

test.for<[string, unknown]>([
  ["{'a': 1}.?a", { some: 1n }],
  ["{'a': 1}.?b", 'none'],
  ["{'a': {'b': 1}}.?a.b", { some: 1n }],
  ["{'a': {'b': 1}}.?x.b", 'none'],
  ['[1, 2][?5]', 'none'],
  ['[1, 2][?0].orValue(9)', 1n],
  ["{'a': 1}.?b.orValue(7)", 7n],
  ["{'a': 1}.?b.or(optional.of(3)).value()", 3n],
  ['optional.none().hasValue()', false],
  ['optional.none().value()', 'error: optional.none() dereference'],
  ['optional.of(1).optMap(x, x + 1)', { some: 2n }],
  ['optional.none().optMap(x, x)', 'none'],
  ['optional.of(1).optFlatMap(x, optional.none())', 'none'],
  ['optional.ofNonZeroValue(0)', 'none'],
  ['optional.of(1) == optional.of(1)', true],
])('optionals: %s', ([source, expected]) => {
  expect(evaluate(source)).toEqual(expected);
});

const everything: JsonObject = {
  type: 'object',
  required: ['n'],
  properties: {
    n: { type: 'integer' },
    s: { type: 'string', nullable: true },
    f: { type: 'number' },
    when: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    span: { type: 'string', format: 'duration' },
    raw: { type: 'string', format: 'byte' },
    either: { 'x-kubernetes-int-or-string': true },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    byKey: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } },
    },
    'x-y.z/w': { type: 'integer' },
    namespace: { type: 'string' },
    a__b: { type: 'integer' },
    free: { 'x-kubernetes-preserve-unknown-fields': true },
    template: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    __proto: { type: 'integer' },
  },
};

const value: JsonObject = {
  n: 3,
  s: null,
  f: 2,
  when: '2024-01-01T00:00:00Z',
  day: '2024-01-01',
  span: '3 days',
  raw: 'aGk=',
  either: '50%',
  labels: { a: 'x', constructor: 'y' },
  set: ['b', 'a'],
  byKey: [
    { k: '1', v: 1 },
    { k: '2', v: 2 },
  ],
  'x-y.z/w': 4,
  namespace: 'ns',
  a__b: 5,
  free: { any: 'thing' },
  template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels: { a: 'b' } }, spec: {} },
};

test.for<[string, unknown]>([
  ['self.n + 1', 4n],
  ['has(self.s)', false],
  ['self.f == 2.0', true],
  ["self.when == timestamp('2024-01-01T00:00:00Z')", true],
  ['self.day == self.when', true],
  ["self.span == duration('72h')", true],
  ["self.raw == b'hi'", true],
  ['type(self.either) == string', true],
  ["self.either.endsWith('%')", true],
  ['self.either > 5', 'error: no such overload'],
  ["self.labels['constructor']", 'y'],
  ["'toString' in self.labels", false],
  ['has(self.labels.hasOwnProperty)', false],
  ['self.labels.__proto__', 'error: no such key: __proto__'],
  ["self.set == ['a', 'b']", true],
  ["(self.set + ['a', 'c']).size()", 3n],
  ['self.byKey.map(x, x.v).sum()', 3n],
  ["self.byKey.exists(x, x.k == '2')", true],
  ['self.x__dash__y__dot__z__slash__w', 4n],
  ['self.__namespace__', 'ns'],
  ['self.a__underscores__b', 5n],
  ['self.template.kind', 'Pod'],
  ['self.template.metadata.name', 'p'],
  ['self == self', true],
])('values of a schema: %s', ([source, expected]) => {
  expect(evaluate(source, everything, value)).toEqual(expected);
});

test.for<[string, string]>([
  ['self.free', "undefined field 'free'"],
  ['self.template.spec', "undefined field 'spec'"],
  ['self.template.metadata.labels', "undefined field 'labels'"],
  ['self.constructor', "undefined field 'constructor'"],
  ['self.__proto__', "undefined field '__proto__'"],
  ['self.s == null', "found no matching overload for '_==_' applied to '(string, null)'"],
  ['self.labels.all(k, k)', "expected type 'bool' but found 'string'"],
])('what rules cannot see: %s', ([source, expected]) => {
  expect(evaluate(source, everything, value)).toContain(expected);
});
