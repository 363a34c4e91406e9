import { crdOf } from '#schema/kind/crd.ts';
import { kinds } from './kinds.ts';
import { printDenseYaml } from '#edge/print-yaml.ts';

/** `boathook crds`: the definitions of all our kinds, for `kubectl apply -f -`. */
export function crds(): number {
  process.stdout.write(kinds.map((kind) => printDenseYaml(crdOf(kind))).join('---\n'));
  return 0;
}
