import { expect, test } from 'vitest';
import { pathOfText, routeOf } from './route.ts';

test.for([
  ['/', 'overview'],
  ['/release/GameDeployment/shop/web', 'release/GameDeployment/shop/web'],
  ['/hookrun/shop/web-1', 'hookrun/shop/web-1'],
  ['/template/shop/age', 'template/shop/age'],
  ['/cluster/prod', 'cluster//prod'],
  ['/registration/kuards', 'registration//kuards'],
] as const)('%s is the page of %s, and the other way round', ([path, topic]) => {
  expect(pathOfText(topic)).toBe(path);
  expect(routeOf(path).type).toBe(topic === 'overview' ? 'overview' : 'object');
});

test.for(['/release/Deployment/shop/web', '/nothing', '/cluster/a/b', '/hookrun/%zz/x', '//evil.example/'])(
  '%s is no page',
  (path) => expect(routeOf(path)).toEqual({ type: 'unknown', path }),
);
