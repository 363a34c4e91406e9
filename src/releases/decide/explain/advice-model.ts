import type { Remedy } from './explanation.ts';
import { releaseCommand, kubectl, kubectlName, type ExplainContext } from './explain-context.ts';

export type Advice = {
  /** What ends the wait, in a sentence. */
  readonly ends: (context: ExplainContext) => string;
  /** At least one. */
  readonly remedies: (context: ExplainContext) => readonly Remedy[];
};

/** Returns to the stable revision: by an abort during the steps, else by the template. */
export function goBack(context: ExplainContext): Remedy {
  const { stepIndex, stableRevision, updateRevision, isAborted } = context;
  const isUnderWay = stepIndex !== undefined && !isAborted;
  if (isUnderWay && stableRevision !== undefined && stableRevision !== updateRevision)
    return {
      what: `Return to the stable revision ${stableRevision}`,
      command: releaseCommand(context, 'abort'),
    };
  return { what: 'Set the template back to the revision before', command: releaseCommand(context, 'undo') };
}

export const editWorkload = (context: ExplainContext, what: string): Remedy => ({
  what,
  command: kubectl(context, `edit ${kubectlName(context.snapshot.workload)}`),
});

/** Patches the spec of the workload. The patch has no blanks: a line break in a command is only at a blank. */
export const patchSpec = (context: ExplainContext, what: string, spec: string): Remedy => ({
  what,
  command: kubectl(
    context,
    `patch ${kubectlName(context.snapshot.workload)} --type=merge --patch='{"spec":${spec}}'`,
  ),
});
