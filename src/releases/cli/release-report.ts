import { ExitError } from '#command/exit.ts';
import { objectName, printOutput, type OutputFormat } from '#command/output.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { identityOf } from '#releases/model/act-identity.ts';
import type { FoundWorkload } from './find-workload.ts';

export const reportFormats = ['json', 'yaml', 'name'] as const;

/** How a request of a person ended. */
export type ReleaseReport = {
  /**
   * Done: it happened. Requested: it is written, and no controller has acted on it yet. Nothing: there was nothing to
   * do. Refused: it makes no sense in this state. Ignored: the controller found the release in another state.
   */
  readonly result: 'Done' | 'Requested' | 'Nothing' | 'Refused' | 'Ignored' | 'Invalid';
  readonly message: string;
  /** The workload as it was seen last. */
  readonly workload: KubeObject;
  /** The exit code, where it is not that of the result. */
  readonly code?: number;
  /** The id of the request, if one was written. */
  readonly id?: string;
};

const codes: Readonly<Record<ReleaseReport['result'], number>> = {
  Done: 0,
  Nothing: 0,
  Refused: 1,
  Ignored: 1,
  Invalid: 2,
  Requested: 4,
};

/** Prints a report and returns the exit code. What was refused is an error, except in JSON and YAML. */
export function printReport(
  { kind, title }: FoundWorkload,
  verb: string,
  report: ReleaseReport,
  format: OutputFormat | 'text',
): number {
  const { result, message, workload, id, code = codes[result] } = report;
  if ((code === 1 || code === 2) && format !== 'json' && format !== 'yaml')
    throw new ExitError(code, message);
  printOutput(format, {
    value: () => ({
      verb,
      workload: title,
      namespace: namespaceOf(workload),
      result,
      message,
      id,
      state: identityOf(workload),
    }),
    names: () => [objectName(kind.kind, kind.resource.group, nameOf(workload))],
    lines: () => [message],
  });
  return code;
}
