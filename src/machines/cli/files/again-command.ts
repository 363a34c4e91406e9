import { resolve } from 'node:path';
import type { OperationRequest, RunOptions } from './options.ts';

/** The command that takes the last operation up again: its other flags are in its record. */
export function againCommand(
  kind: 'resume' | 'retry',
  { files }: OperationRequest,
  { dataDir }: RunOptions,
): string {
  const place = dataDir === resolve('.boathook') ? '' : ` --data-dir ${dataDir}`;
  return `boathook cluster ${kind} ${files.map((file) => `-f ${file}`).join(' ')}${place}`;
}
