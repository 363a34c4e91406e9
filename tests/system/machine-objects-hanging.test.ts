import { expect, test } from 'vitest';
import {
  clusterOf,
  conditionOf,
  isFalse,
  openObjectsWorld,
  untilReady,
} from '../support/machine-objects-world.ts';

const address = '192.0.2.31';

/**
 * Stops whatever was to watch over it on the machine, and keeps running: nothing there reports that its time is up.
 */
const hanging = `#!/bin/sh
pid=$PPID
while [ "$pid" -gt 1 ]; do
  next=$(cut -d ' ' -f 4 < "/proc/$pid/stat")
  kill -s STOP "$pid"
  pid=$next
done
exec sleep 1000
`;

test('a machine that hangs after the launch does not block the operation of an object past the limit of its hook', async () => {
  await using world = await openObjectsWorld([{ address, password: 'secret-1' }]);
  world.script('hooks/pre-install', hanging);
  const features = {
    files: [{ src: 'hooks', dst: '/tmp/hooks' }],
    hooks: { PreInstall: '/tmp/hooks/pre-install' },
  };
  await world.apply(clusterOf('cls-hang', [address], features, { hookTimeout: '2s' }));
  const told = await world.until('cluster', 'cls-hang', (object) => isFalse(object, 'EnsurePreInstallHook'));
  expect(conditionOf(told, 'EnsurePreInstallHook')).toMatchObject({
    reason: 'FailedInit',
    message: expect.stringContaining('did not report the end of the script although its time is up'),
  });
  // The hanging script is ended manually, and fixed: the operation continues.
  world.hosts.get(address)?.run('pkill', '-KILL', '-f', 'sleep 1000|/runner');
  world.script('hooks/pre-install', '#!/bin/sh\n');
  await world.boathook('cluster', 'retry', 'cls-hang');
  await untilReady(world, 'cluster', 'cls-hang');
});
