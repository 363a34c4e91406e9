import { ExitError } from '#command/exit.ts';
import type { WorkloadKind } from '#releases/controller/workload-kind.ts';
import { gameDeploymentKind } from '#releases/controller/game-deployment-controller.ts';
import { gameStatefulSetKind } from '#releases/controller/game-stateful-set-controller.ts';

export const workloadKinds: readonly WorkloadKind[] = [gameDeploymentKind, gameStatefulSetKind];

/** A workload as a person names it: `gd/shop`, `gamestatefulset/db`, or `shop` where one kind has it. */
export type WorkloadName = { readonly kind: WorkloadKind | undefined; readonly name: string };

const words: readonly (readonly [WorkloadKind, readonly string[]])[] = [
  [gameDeploymentKind, ['gd', 'gamedeployment', 'gamedeployments']],
  [gameStatefulSetKind, ['gsts', 'gamestatefulset', 'gamestatefulsets']],
];

export function parseWorkloadName(text: string): WorkloadName {
  const [first = '', second, ...more] = text.split('/');
  if (more.length > 0 || !isName(first) || !isName(second ?? first))
    throw new ExitError(2, `"${text}" is not the name of a workload: write KIND/NAME, such as gd/shop`);
  if (second === undefined) return { kind: undefined, name: first };
  return { kind: kindNamed(first), name: second };
}

/** Letters that a name or a kind can have. Another case is not refused here, so that the right name can be suggested. */
const isName = (text: string): boolean => /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(text);

/** The kind of a word that kubectl would accept: `gd`, `gamedeployments`, `gamedeployment.tkex.tencent.com`. */
function kindNamed(word: string): WorkloadKind {
  const [plain = '', ...group] = word.toLowerCase().split('.');
  const found = words.find(
    ([{ resource }, known]) =>
      known.includes(plain) &&
      (group.length === 0 ||
        group.join('.') === resource.group ||
        group.join('.') === `${resource.version}.${resource.group}`),
  );
  if (found !== undefined) return found[0];
  throw new ExitError(
    2,
    `"${word}" is not a kind of workload: use gd (GameDeployment) or gsts (GameStatefulSet)`,
  );
}
