import { makingSteps, outlineOf, type OutlineStep, type StepName } from '#machines/decide/install-outline.ts';
import type { Installer, InstallRequest, InstallStage, InstallStep } from '#machines/decide/installer.ts';
import {
  installCondition,
  kubeconfigCondition,
  platformCondition,
} from '#machines/decide/install-conditions.ts';
import { isRemoval, type DeclaredCluster, type OperationKind } from '#machines/decide/model.ts';
import type { Attachment, ValuePiece } from '#machines/decide/plan.ts';
import type { SpecProblem } from '#machines/decide/problem.ts';
import { firstWith, rolesText } from '#machines/decide/roles.ts';
import {
  certificateKeyFile,
  discoveryFile,
  initConfiguration,
  joinConfiguration,
  tokenFile,
} from './configuration.ts';
import { unchangedExits } from './identity-script.ts';
import { kubeadmScripts, platformScript } from './scripts.ts';
import { stepArguments } from './step-arguments.ts';
import { dialectOf, isTooOld, oldestMinor } from './version.ts';

/** Real kubeadm commands, with generated configuration. `kinds`: the folder of Boathook's own CRDs. */
export const kubeadmInstaller = (kinds: string): Installer => ({
  name: 'kubeadm',
  stages: (request) => outlineOf(request).flatMap((stage) => stagesOf(stage, request)),
  platform: () => [
    {
      name: 'boathook',
      steps: [
        {
          type: 'local',
          name: 'boathook',
          program: { type: 'text', name: 'boathook.sh', text: platformScript },
          argv: [kinds],
          condition: platformCondition,
          attachments: [
            {
              name: 'kubeconfig',
              content: [{ type: 'artifact', name: 'kubeconfig', encoding: 'plain' }],
            },
          ],
        },
      ],
    },
  ],
});

/** After `init`, and before other nodes join, the files that they need are fetched. */
function stagesOf(
  { name, steps, afterPost, beforePre }: ReturnType<typeof outlineOf>[number],
  request: InstallRequest,
): readonly InstallStage[] {
  const { cluster } = request;
  const stage: InstallStage = {
    name,
    steps: steps.map((step) => jobOf(step, request)),
    ...(afterPost === true && { afterPost }),
    ...(beforePre === true && { beforePre }),
  };
  if (name === 'init')
    return [
      stage,
      { name: 'kubeconfig', steps: [fetch(cluster, 'kubeconfig', 'admin.conf'), authority(cluster)] },
    ];
  if (name === 'invite') return [{ ...stage, steps: [...stage.steps, authority(cluster)] }];
  return [stage];
}

const authority = (cluster: DeclaredCluster): InstallStep => fetch(cluster, 'ca.crt', 'pki/ca.crt');

const fetch = (cluster: DeclaredCluster, artifact: string, path: string): InstallStep => {
  const first = firstWith(cluster.nodes, 'master');
  return {
    type: 'fetch',
    name: `fetch-${artifact}`,
    nodes: first === undefined ? [] : [first],
    path: `${cluster.configDir}/${path}`,
    artifact,
    condition: kubeconfigCondition,
  };
};

function jobOf(step: OutlineStep, { cluster, undoes }: InstallRequest): InstallStep {
  const { name, on, about } = step;
  return {
    type: 'job',
    name: `${name}/${about.name}`,
    nodes: [on],
    program: { type: 'text', name: `${name}.sh`, text: kubeadmScripts[name] },
    argv: name === 'reset' && undoes !== undefined ? [undoes] : stepArguments(step, cluster),
    attachments: [...attachmentsOf(step, cluster), ...identityOf(step, cluster)],
    condition: installCondition(step),
    ...(makingSteps.has(name) && { makes: true }),
    ...(identified.has(name) && { unchanged: unchangedExits }),
    ...(name === 'mark' && { about: about.name }),
  };
}

const authorityFile: Attachment = {
  name: 'ca.crt',
  content: [{ type: 'artifact', name: 'ca.crt', encoding: 'plain' }],
};

function attachmentsOf({ name, about }: OutlineStep, cluster: DeclaredCluster): readonly Attachment[] {
  const { isExperimental } = dialectOf(cluster.version);
  const key = isExperimental ? [certificateKeyFile] : [];
  if (name === 'init' || name === 'invite')
    return [{ name: 'init.yaml', content: initConfiguration(cluster, about) }, ...key];
  const discovery = { name: 'discovery.conf', content: discoveryFile(cluster) };
  if (name === 'join-master' && isExperimental) return [discovery, tokenFile, ...key, authorityFile];
  if (name === 'join-master' || name === 'join-worker')
    return [{ name: 'join.yaml', content: joinConfiguration(cluster, about) }, discovery, authorityFile];
  return [];
}

const identified: ReadonlySet<StepName> = new Set([
  'identify',
  'init',
  'invite',
  'join-master',
  'join-worker',
  'complete',
  'upgrade-first',
  'upgrade',
  'reset',
]);

/** The identity for the machine, and the CAs that count as this cluster. */
function identityOf({ name, about }: OutlineStep, cluster: DeclaredCluster): readonly Attachment[] {
  if (!identified.has(name)) return [];
  const text = (lines: readonly string[]): readonly ValuePiece[] => [
    { type: 'text', text: lines.map((line) => `${line}\n`).join('') },
  ];
  const { id, version, accepts = [] } = cluster;
  return [
    {
      name: 'identity',
      content: text([
        `cluster=${id}`,
        `version=${version ?? ''}`,
        `role=${rolesText(about)}`,
        `node=${about.name}`,
      ]),
    },
    { name: 'accepted', content: text(accepts) },
    {
      name: 'known-ca.crt',
      content: [{ type: 'artifact', name: 'ca.crt', encoding: 'plain', optional: true }],
    },
  ];
}

/** Fields that kubeadm requires and the formats do not. Removal works with any version. */
export function checkKubeadm(operation: OperationKind, cluster: DeclaredCluster): readonly SpecProblem[] {
  const { version, format, file } = cluster;
  const origin = { file, pointer: format === 'eggo' ? '/kubernetes-version' : '/spec/version' };
  if (isRemoval(operation)) return [];
  if (version !== undefined && isTooOld(version)) return [{ origin, message: tooOld(version) }];
  const upgrade = operation === 'cluster.upgrade' || operation === 'node.upgrade';
  if (!upgrade || version !== undefined) return [];
  return [{ origin, message: 'an upgrade needs the version to upgrade to' }];
}

const tooOld = (version: string): string =>
  `Kubernetes ${version} is too old for the installer kubeadm, which needs 1.${oldestMinor} or later: ` +
  'choose a later version, or the installer commands or none';
