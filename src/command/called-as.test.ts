import { expect, test } from 'vitest';
import { asCalled } from './called-as.ts';

test.for([
  ['boathook release list', 'kubectl boathook release list'],
  [
    'Usage: kubectl boathook release\n  boathook release get gd/shop',
    'Usage: kubectl boathook release\n  kubectl boathook release get gd/shop',
  ],
  [
    'install it with boathook crds | kubectl apply -f -',
    'install it with kubectl boathook crds | kubectl apply -f -',
  ],
  ['(boathook --help shows', '(kubectl boathook --help shows'],
  ['boathook: it failed', 'boathook: it failed'],
  ['/usr/bin/boathook up', '/usr/bin/boathook up'],
  ['.boathook is a folder', '.boathook is a folder'],
])('%s', ([text = '', expected]) => {
  expect(asCalled(text, 'kubectl boathook')).toBe(expected);
  expect(asCalled(text, 'boathook')).toBe(text);
});
