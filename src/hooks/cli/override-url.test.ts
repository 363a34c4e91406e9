import { expect, test } from 'vitest';
import { overrideUrl } from './override-url.ts';

test.for([
  ['http://1.1.1.1:9091', 'http://h:1', 'http://h:1'],
  ['http://1.1.1.1:9091/a?b=c#d', 'http://h:1', 'http://h:1/a?b=c#d'],
  ['http://1.1.1.1:9091/a', 'http://h:1/x?y', 'http://h:1/x?y'],
  ['http://1.1.1.1:9091/a', 'http://h:1/', 'http://h:1/'],
  ['http://{{ args.PodIP }}:9091/{{ args.path }}', 'http://h:1', 'http://h:1/{{ args.path }}'],
  ['{{ args.base }}/a', 'http://h:1', 'http://h:1/a'],
  ['{{ args.scheme }}://{{ args.host }}/a', 'http://h:1', 'http://h:1/a'],
] as const)('%s by %s is %s', ([url, override, moved]) => {
  const metric = { name: 'm', provider: { web: { url } } };
  expect(overrideUrl(metric, override).provider).toEqual({ web: { url: moved } });
});

test('the address of Prometheus is overridden too', () => {
  const metric = { name: 'm', provider: { prometheus: { address: 'http://p:9090/prefix', query: 'up' } } };
  expect(overrideUrl(metric, 'http://h:1').provider).toEqual({
    prometheus: { address: 'http://h:1/prefix', query: 'up' },
  });
});
