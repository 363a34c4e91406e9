import { nodesFor } from './hook-steps.ts';
import { isRemoval, type Binding, type OperationKind } from './model.ts';
import type { PlanNote, PlanStage } from './plan.ts';
import type { StageContext } from './plan-stages.ts';
import { leftOutNotes } from './script-sources.ts';

/** Warnings and notices about a plan, printed before it runs. */
export function notesOf(context: StageContext, stages: readonly PlanStage[]): readonly PlanNote[] {
  const used = context.bindings.filter(({ operations }) => operations.includes(context.operation));
  return [
    ...used.filter((binding) => isUnmatchedFlag(binding, context)).map(unmatched),
    ...once(leftOutNotes(used, context.facts)),
    ...remainingNotes(context),
    ...endlessNote(used.filter(({ policies }) => policies[context.operation]?.timeout === undefined)),
    ...manualNote(context),
    ...unmarkedNote(context, stages),
  ];
}

/** Several scripts may have one folder. */
const once = (notes: readonly PlanNote[]): readonly PlanNote[] => [
  ...new Map(notes.map((note) => [note.message, note])).values(),
];

/** What `addition` has installed may have been there before, or be needed by others: it is not ours to remove. */
const remainingNotes = ({ operation, bindings }: StageContext): readonly PlanNote[] =>
  bindings.flatMap(({ action, origin, stage }) =>
    isRemoval(operation) && stage === 'addition' && action.type === 'item'
      ? [
          {
            type: 'notice',
            message: `${origin.pointer} (${action.item} ${action.names.join(', ')}) stays on the machines: a script with schedule postcleanup may remove it`,
            origin,
          },
        ]
      : [],
  );

/** An item of a file may be for other nodes; a flag is given for this command. */
const isUnmatchedFlag = (binding: Binding, context: StageContext): boolean =>
  binding.origin.file.startsWith('--') &&
  binding.scope.type !== 'local' &&
  nodesFor(binding, context).length === 0;

const unmatched = ({ origin, declared, scope }: Binding): PlanNote => {
  const role =
    scope.type === 'once' ? scope.role : scope.type === 'each' ? scope.roles?.join(' or ') : undefined;
  const flag = `${origin.file}=${typeof declared === 'string' ? declared : ''}`;
  return {
    type: 'warning',
    message: `${flag} matches no node: none of those concerned has the role ${role ?? ''}`,
    origin,
  };
};

const endlessNote = (bindings: readonly Binding[]): readonly PlanNote[] =>
  bindings.length === 0
    ? []
    : [
        {
          type: 'notice',
          message: `no time limit for ${bindings.map(({ name }) => name).join(', ')}; --timeout sets one`,
        },
      ];

const manualNote = ({
  operation,
  cluster: { upgradesWorkers, nodes },
}: StageContext): readonly PlanNote[] => {
  const workers = nodes.filter(({ roles }) => !roles.includes('master'));
  if (operation !== 'cluster.upgrade' || upgradesWorkers !== false || workers.length === 0) return [];
  const names = workers.map(({ name }) => name).join(', ');
  return [{ type: 'notice', message: `the upgrade mode is Manual: ${names} are upgraded only by name` }];
};

const marking: ReadonlySet<OperationKind> = new Set(['bootstrap', 'cluster.create', 'node.join']);

/** Without an installer, or a script of its own for it, no step sets them. */
function unmarkedNote(
  { operation, concerned, installer }: StageContext,
  stages: readonly PlanStage[],
): readonly PlanNote[] {
  const marked = marking.has(operation) ? concerned.filter(({ marks }) => marks !== undefined) : [];
  const isDone = stages.some(({ steps }) => steps.some(({ title }) => title === 'mark'));
  if (marked.length === 0 || isDone) return [];
  const names = marked.map(({ name }) => name).join(', ');
  const message = `labels and taints of ${names} are not set: installer ${installer.name} has no step for it`;
  return [{ type: 'notice', message }];
}
