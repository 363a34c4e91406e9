import type { ClusterPage } from '#web/wire/cluster-page.ts';

/** A column of the grid: one step, or the steps of an installer that are the same on different nodes. */
export type GridColumn = {
  readonly title: string;
  /** The step of a node in this column. */
  readonly stepOn: (node: string) => string;
};

/** The columns of the grid. Steps are joined unless a node would have two of them in one column. */
export function gridColumns({
  nodes,
  steps,
  cells,
}: Pick<ClusterPage, 'nodes' | 'steps' | 'cells'>): readonly GridColumn[] {
  const hasCell = (node: string, step: string): boolean => cells[`${node} ${step}`] !== undefined;
  const alike = Map.groupBy(steps, (step) => titleOf(step, nodes));
  const isJoined = (group: readonly string[]): boolean =>
    nodes.every((node) => group.filter((step) => hasCell(node, step)).length < 2);
  return [...alike].flatMap(([title, group]): readonly GridColumn[] => {
    if (!isJoined(group)) return group.map((step) => ({ title: step, stepOn: () => step }));
    const [first = ''] = group;
    return [{ title, stepOn: (node) => group.find((step) => hasCell(node, step)) ?? first }];
  });
}

/** The name of a step without nodes and repetitions: `install/check/check/192.0.2.9` is `install/check`. */
const titleOf = (step: string, nodes: readonly string[]): string =>
  step
    .split('/')
    .filter((part) => !nodes.includes(part))
    .filter((part, at, parts) => part !== parts[at - 1])
    .join('/');
