import { kubeconfigCondition } from './install-conditions.ts';
import type { DeclaredCluster, Facts } from './model.ts';
import type { FetchStep, JobStep, ValuePiece, PlanStage, PlanStep } from './plan.ts';
import { repeatable } from './presets.ts';
import { firstWith } from './roles.ts';

const fileName = 'kubeconfig';
const place: ValuePiece = { type: 'text', text: fileName };

/**
 * Runs a hook on the operator's machine with the kubeconfig of the cluster that was made. The file is in the job's own
 * folder, which is its owner's alone, and is removed with the hook. Arguments: the hook, its working directory, and
 * the hook's own.
 */
const wrapper = `#!/bin/sh
hook=$1
folder=$2
shift 2
file=$PWD/$KUBECONFIG
chmod 600 "$file" || exit 1
trap 'rm -f "$file"' EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
cd "$folder" || exit 1
[ -x "$hook" ] || chmod +x "$hook"
if [ -s "$file" ]; then KUBECONFIG=$file; export KUBECONFIG; else unset KUBECONFIG; fi
"$hook" "$@"
`;

/** Fetches the kubeconfig that the user's scripts have created on the first master, if any. */
export function fetchedKubeconfig({
  nodes,
  configDir,
}: Pick<DeclaredCluster, 'nodes' | 'configDir'>): PlanStage {
  const path = `${configDir}/admin.conf`;
  const first = firstWith(nodes, 'master');
  const step: FetchStep = {
    kind: 'fetch',
    id: 'kubeconfig/fetch',
    title: 'fetch-kubeconfig',
    condition: kubeconfigCondition,
    policy: repeatable('abort'),
    path,
    artifact: fileName,
    optional: true,
    targets: first === undefined ? [] : [{ node: first.name, env: [], fingerprint: path }],
  };
  return { id: 'kubeconfig', title: 'kubeconfig', steps: [step] };
}

/** The hooks of a stage, each with the cluster's kubeconfig in `KUBECONFIG`. */
export const withKubeconfig = (stage: PlanStage, facts: Pick<Facts, 'sha256'>): PlanStage => ({
  ...stage,
  steps: stage.steps.map((step) => wrapped(step, facts)),
});

function wrapped(step: PlanStep, { sha256 }: Pick<Facts, 'sha256'>): PlanStep {
  if (step.kind !== 'hook' || step.program.type !== 'delivered') return step;
  const { cwd = '/', program, argv, ...rest } = step;
  const given: JobStep = {
    ...rest,
    program: { type: 'text', name: 'with-kubeconfig.sh', text: wrapper },
    argv: [program.path, cwd, ...argv],
    envNames: [...step.envNames, 'KUBECONFIG'],
    attachments: [
      ...step.attachments,
      { name: fileName, content: [{ type: 'artifact', name: fileName, encoding: 'plain', optional: true }] },
    ],
    targets: step.targets.map((target) => ({
      ...target,
      env: [...target.env, place],
      fingerprint: sha256(JSON.stringify([target.fingerprint, wrapper])),
    })),
  };
  return given;
}
