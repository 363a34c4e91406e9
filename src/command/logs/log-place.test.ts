import { expect, test } from 'vitest';
import { logPlaceOf } from './log-place.ts';

test.for([
  [undefined, '127.0.0.1', 0],
  ['7444', '127.0.0.1', 7444],
  ['192.0.2.7:7444', '192.0.2.7', 7444],
  ['2001:db8::7:7444', '2001:db8::7', 7444],
  ['[2001:db8::7]:7444', '2001:db8::7', 7444],
] as const)('%s is %s, port %i', ([address, host, port]) => {
  expect(logPlaceOf(address)).toEqual({ host, port });
});

test.for(['0.0.0.0:7444', '[::]:7444', ':::7444', '192.0.2.7', 'x:99999'])('%s is refused', (address) =>
  expect(() => logPlaceOf(address)).toThrow('--log-address'),
);
