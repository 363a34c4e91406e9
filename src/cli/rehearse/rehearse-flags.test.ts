import { expect, test } from 'vitest';
import { minutes } from '#base/time.ts';
import { changeOf, podsOf } from './rehearse-flags.ts';

test('changes and behaviours of pods', () => {
  expect(changeOf(['image=a:2', 'image.side=b:2', 'replicas=3'])).toEqual({
    images: new Map([
      ['*', 'a:2'],
      ['side', 'b:2'],
    ]),
    replicas: 3,
  });
  expect(podsOf('slow-start=20m, crash=5%')).toEqual({ slowStart: minutes(20), crash: 0.05 });
});

test.for([
  { given: ['image=a:2', 'image=a:3'], says: 'the image is given twice' },
  { given: ['replicas=1', 'replicas=2'], says: '--change replicas=2: replicas is given twice' },
])('changes $given are refused', ({ given, says }) => {
  expect(() => changeOf(given)).toThrow(says);
});

test.for([
  ['crash=1%,crash=2%', '--pods crash=2%: crash is given twice'],
  ['slow-start=1s,slow-start=2s', '--pods slow-start=2s: slow-start is given twice'],
  ['slow-start=99999h', '--pods slow-start=99999h is not understood: write slow-start=20s (up to 8760h)'],
  ['crash=200%', '--pods crash=200% is not understood'],
  ['slow-start=1s,', '--pods  is not understood'],
] as const)('--pods %s is refused', ([given, says]) => {
  expect(() => podsOf(given)).toThrow(says);
});
