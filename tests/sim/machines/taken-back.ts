/** A script that was started on a machine. `code`: how it ended by itself. */
export type BegunScript = {
  readonly node: string;
  readonly operation: string;
  readonly step: string;
  readonly code?: number;
};

/** Exit codes of our scripts that have changed nothing: the work was done already, or the machine is not theirs. */
const done = 93;
const refused = 94;

/** Has begun to make its machine a member of the cluster. */
const isSettingUp = ({ step, code }: BegunScript): boolean =>
  /(^|\/)(init|join-master|join-worker)\//.test(step) && code !== done && code !== refused;

const isResetting = ({ step, code }: BegunScript): boolean => /(^|\/)reset\//.test(step) && code !== refused;

/**
 * The machines that a rollback has taken back, by what ran on them: where the operation had begun to set the machine up
 * its reset must have begun, and elsewhere, where there is nothing to reset, any script of the rollback.
 */
export function takenBack(
  begun: readonly BegunScript[],
  { operation, rollback }: { readonly operation: string; readonly rollback: string },
): ReadonlySet<string> {
  const own = begun.filter((each) => each.operation === operation);
  const back = begun.filter((each) => each.operation === rollback);
  const isTakenBack = (node: string): boolean =>
    own.some((each) => each.node === node && isSettingUp(each))
      ? back.some((each) => each.node === node && isResetting(each))
      : true;
  return new Set(back.map(({ node }) => node).filter(isTakenBack));
}
