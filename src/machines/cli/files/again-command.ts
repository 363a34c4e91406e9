import { resolve } from 'node:path';
import type { OperationRequest, RunOptions } from './options.ts';

/** The command that resumes or retries the last operation; its other flags are in the journal. */
export function againCommand(
  kind: 'resume' | 'retry',
  { files }: OperationRequest,
  { dataDir }: RunOptions,
): string {
  const place = dataDir === resolve('.boathook') ? '' : ` --data-dir ${dataDir}`;
  return `boathook cluster ${kind} ${files.map((file) => `-f ${file}`).join(' ')}${place}`;
}
