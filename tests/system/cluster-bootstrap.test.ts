import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { everyFile, openClusterWorld, type ClusterWorld } from '../support/cluster-world.ts';
import { installStandIn, kubeadmStandIn, newsIn } from '../support/kubeadm-stand-in.ts';
import type { Ended } from '../support/program.ts';
import { root } from '../support/project-files.ts';

const [m1, w1] = ['192.0.2.1', '192.0.2.2'] as const;
const hooks = ['pre-install', 'post-cluster-ready', 'post-install'] as const;

const config = `
cluster-id: harbour
username: root
password: "sentinel-pass-word"
kubernetes-version: 1.30.2
masters:
- {name: m1, ip: ${m1}}
addition:
  worker:
  - {name: prejoin.sh, type: shell, schedule: prejoin}
`;

type Harbour = ClusterWorld & {
  readonly notes: string;
  bootstrap(...flags: readonly string[]): Promise<Ended>;
  /** What a hook of the installer does beside noting that it ran. */
  hook(name: (typeof hooks)[number], text: string): void;
  write(name: string, text: string): void;
};

async function harbour(): Promise<Harbour> {
  const given = { password: 'sentinel-pass-word', folders: ['/usr/local/bin'] };
  const world = await openClusterWorld(
    [m1, w1].map((address) => ({ address, ...given })),
    'eggo',
  );
  const notes = join(world.folder, 'calls');
  const standIn = `${kubeadmStandIn(notes)}
[ "$1" != init ] || grep -h kubernetesVersion init.yaml >> ${notes} || true
`;
  for (const host of world.hosts.values()) installStandIn(host, standIn);
  mkdirSync(join(world.folder, 'bin'));
  mkdirSync(join(world.folder, 'hooks'));
  const own: Harbour = {
    ...world,
    notes,
    bootstrap: (...flags) => {
      const words = ['bootstrap', '-f', 'deploy.yaml', '--data-dir', world.dataDir, ...flags];
      return world.shell(`PATH=$PWD/bin:$PATH ${root}/boathook cluster ${words.join(' ')}`);
    },
    write: (name, text) => writeFileSync(join(world.folder, name), text, { mode: 0o755 }),
    hook: (name, text) => own.write(`hooks/${name}`, `#!/bin/sh\necho ${name} >> ${notes}\n${text}`),
  };
  own.write('deploy.yaml', config);
  own.write('prejoin.sh', `#!/bin/sh\necho "prejoin as it was" >> ${notes}\n`);
  own.write('bin/kubectl', '#!/bin/sh\n');
  for (const name of hooks) own.hook(name, '');
  return own;
}

const succeeded = ({ code, out, error }: Ended): void =>
  expect({ code, error }, out + error).toEqual({ code: 0, error: '' });

test('pre-install changes what is installed: the version, a machine more, a script', async () => {
  await using world = await harbour();
  world.hook(
    'pre-install',
    `sed -i 's/1.30.2/1.31.0/' deploy.yaml
printf 'workers:\\n- {name: w1, ip: ${w1}}\\n' >> deploy.yaml
printf '#!/bin/sh\\necho prejoin as it is now >> ${world.notes}\\n' > prejoin.sh
`,
  );
  const ended = await world.bootstrap();
  succeeded(ended);
  const [, before = '', after = ''] = ended.out.split(/^Plan: bootstrap of harbour$/m);
  expect(before).toMatch(/pre-install: Succeeded/);
  expect(before).not.toContain('join-worker/w1');
  expect(after, 'the plan is shown again before machines are changed').toMatch(
    /^ {2}install\/join-workers\/join-worker\/w1 +w1$/m,
  );
  const calls = newsIn(world.notes);
  expect(calls[0]).toBe('pre-install');
  expect(calls.filter((call) => /^(pre-install|post-|kubernetesVersion|prejoin)/.test(call))).toEqual([
    'pre-install',
    'prejoin as it is now',
    expect.stringMatching(/^kubernetesVersion: "?v1\.31\.0"?$/),
    'post-cluster-ready',
    'post-install',
  ]);
  expect(calls).toContain('w1 kubeadm join --config join.yaml');
});

test('post-cluster-ready and post-install find the kubeconfig of the cluster, which is removed with them', async () => {
  await using world = await harbour();
  const look = `echo "$BOATHOOK_HOOK in $PWD: $(stat -c %a "$KUBECONFIG") $(stat -c %a "\${KUBECONFIG%/*}") $(cat "$KUBECONFIG")" >> ${world.notes}
echo "$KUBECONFIG" >> ${world.folder}/places
`;
  world.hook('pre-install', `echo "pre-install has [\${KUBECONFIG-}]" >> ${world.notes}\n`);
  world.hook('post-cluster-ready', look);
  // Fails once: what it left must be gone, and the next attempt has its own.
  world.hook('post-install', `${look}[ -e failed ] || { : > failed; exit 7; }\n`);
  succeeded(await world.bootstrap());
  const seen = `in ${world.folder}: 600 700 # admin of harbour`;
  expect(newsIn(world.notes).filter((call) => / in |has \[/.test(call))).toEqual([
    'pre-install has []',
    `post-cluster-ready ${seen}`,
    `post-install ${seen}`,
    `post-install ${seen}`,
  ]);
  const places = readFileSync(join(world.folder, 'places'), 'utf8').trimEnd().split('\n');
  expect(new Set(places).size).toBe(3);
  for (const place of places) {
    expect(place.startsWith(world.dataDir), place).toBe(true);
    expect(existsSync(place), place).toBe(false);
  }
  const left = [...everyFile(world.dataDir)].filter(([, content]) => content.includes('admin of harbour'));
  expect(left.map(([path]) => path)).toEqual([join(world.dataDir, 'machines/harbour/artifacts/kubeconfig')]);
});

test('a pre-install that makes the files wrong changes no machine; once fixed, the operation continues without it', async () => {
  await using world = await harbour();
  world.hook('pre-install', "sed -i 's/harbour/haven/' deploy.yaml\n");
  const renamed = await world.bootstrap();
  expect(renamed.code).toBe(2);
  expect(renamed.error).toMatch(
    /pre-install has changed the name of the cluster from harbour to haven\. pre-install has run, and no machine was changed\. Name it harbour again, then resume: boathook cluster resume -f /,
  );
  expect(newsIn(world.notes)).toEqual(['pre-install']);
  world.write('deploy.yaml', config.replace('1.30.2', '1.31.1'));
  succeeded(
    await world.shell(
      `PATH=$PWD/bin:$PATH ${root}/boathook cluster resume -f deploy.yaml --data-dir ${world.dataDir}`,
    ),
  );
  const calls = newsIn(world.notes);
  expect(calls).not.toContain('pre-install');
  expect(calls.filter((call) => call.startsWith('kubernetesVersion'))).toEqual([
    expect.stringContaining('v1.31.1'),
  ]);
});

test.for([
  [
    'leave one',
    `mkdir -p /etc/kubernetes && echo "made by hand" > /etc/kubernetes/admin.conf`,
    'made by hand',
  ],
  ['leave none', ':', 'none'],
] as const)('scripts in the place of an installer that %s', async ([, init, expected]) => {
  await using world = await harbour();
  mkdirSync(join(world.folder, 'commands'));
  world.write('commands/init', `#!/bin/sh\n${init}\n`);
  const look = `echo "found $(cat "\${KUBECONFIG-/nowhere}" 2> /dev/null || echo none)" >> ${world.notes}\n`;
  world.hook('post-install', look);
  succeeded(await world.bootstrap('--installer', 'commands'));
  expect(newsIn(world.notes)).toContain(`found ${expected}`);
});
