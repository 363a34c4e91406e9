import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long though they are small: begun last, they would keep one process busy while the others have ended. */
const longest: readonly string[] = [
  'crash',
  'image',
  'machine-objects-hanging',
  'machine-objects-killed',
  'canary-guide',
  'machine-objects-frozen',
  'release-verbs',
  'machine-provider',
  'dashboard-manners',
  'guide',
  'dashboard-examples-services',
  'dashboard-examples',
  'any-cluster',
  'cluster-logs',
  'machines-lost',
  'machine-objects-crowd',
];

function placeOf({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((name) => moduleId.endsWith(`/tests/system/${name}.test.ts`));
  return at < 0 ? longest.length : at;
}

const groupOf = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;

/** The usual order, largest files first, after those that are known to take long. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => groupOf(one) - groupOf(other) || placeOf(one) - placeOf(other));
  }
}
