import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '#base/json.ts';
import { exampleFiles, type MachineFleet } from '#cli/machines/machine-fleet.ts';
import { loginOf } from '#cli/machines/cluster-file.ts';
import { writeFileAtomically } from '#edge/write-file.ts';
import { clusters } from '#machines/kinds/resources.ts';
import { createObjects } from './create-objects.ts';
import type { LoadExample } from './example.ts';

const prepare = `#!/bin/sh
echo "preparing $BOATHOOK_NODE"
for part in modules swap runtime; do
  sleep 0.4
  echo "$part: done"
done
`;

/** Fails five times on the last machine: the next automatic attempt is then 16 seconds away, and Retry does not wait. */
const verify = `#!/bin/sh
echo "looking for disk sdb on $(hostname)"
sleep 0.5
if [ "$(hostname)" = machine-3 ]; then
  echo look >> /var/tmp/looks
  count=$(wc -l < /var/tmp/looks)
  if [ "$count" -lt 6 ]; then
    echo "disk sdb is not attached yet (look $count of 6): retry when it is" >&2
    exit 7
  fi
fi
echo 'disk sdb is there'
`;

/** Starts three machines unless some run, and creates a Cluster of them. */
export const machineExample: LoadExample = async ({ client, clock, fleet }, signal) => {
  const source = writeScripts(fleet);
  const { machines, privateKey } = await fleet.start(3);
  const object = clusterObject(
    machines.slice(0, 3).map((machine) => loginOf(machine, privateKey)),
    source,
  );
  const failure = await createObjects(
    client,
    clock,
    [{ resource: clusters, object, ifThere: 'refuse' }],
    signal,
  );
  if (failure !== undefined) return failure;
  const [first, last] = [machines[0]?.address ?? '', machines.slice(0, 3).at(-1)?.address ?? ''];
  return {
    result: 'Done',
    message: `Cluster lab is being created on the simulated machines ${first} to ${last}.`,
  };
};

function writeScripts(fleet: MachineFleet): string {
  const folder = join(exampleFiles(fleet.folder), 'lab');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileAtomically(join(folder, 'prepare'), prepare, 0o700);
  writeFileAtomically(join(folder, 'verify'), verify, 0o700);
  return folder;
}

const clusterObject = (machines: readonly JsonObject[], source: string): JsonObject => ({
  apiVersion: 'platform.tkestack.io/v1',
  kind: 'Cluster',
  metadata: { name: 'lab', labels: { example: 'machines' } },
  spec: {
    type: 'Baremetal',
    version: '1.30.1',
    machines,
    features: {
      files: [{ src: source, dst: '/opt/lab' }],
      hooks: { PreInstall: '/opt/lab/prepare', PostInstall: '/opt/lab/verify' },
    },
  },
});
