import { millis } from '#base/time.ts';
import type { JournalRecord } from '#machines/decide/progress.ts';
import { installerOf, type OperationRequest } from './options.ts';
import { isVerb } from './verbs.ts';

export type PlannedRecord = Extract<JournalRecord, { readonly type: 'planned' }>;
type RequestRecord = PlannedRecord['request'];

/** A request as the journal keeps it: an empty text, 0 and an empty list stand for what is absent. */
export const requestRecord = ({ undo, ...request }: OperationRequest): RequestRecord => ({
  ...request,
  hooksDir: orEmpty(request.hooksDir),
  commandsDir: orEmpty(request.commandsDir),
  timeout: request.timeout ?? 0,
  type: orEmpty(request.type),
  name: orEmpty(request.name),
  arch: orEmpty(request.arch),
  port: request.port ?? 0,
  ...(undo === undefined
    ? noUndo
    : { undoes: undo.operation, undoTouched: undo.touched, undoMade: undo.made }),
});

const noUndo = { undoes: '', undoTouched: [], undoMade: [] };
const orEmpty = (text: string | undefined): string => text ?? '';

/** The request in the journal. Records of earlier versions have fewer fields. */
export function recordedRequest(record: RequestRecord): OperationRequest {
  const text = (name: string): string | undefined =>
    typeof record[name] === 'string' && record[name] !== '' ? record[name] : undefined;
  const number = (name: string): number | undefined =>
    typeof record[name] === 'number' && record[name] !== 0 ? record[name] : undefined;
  const texts = (name: string): readonly string[] => {
    const value = record[name];
    return typeof value === 'object' ? value : [];
  };
  const { verb, dataDir, retries } = record;
  if (typeof verb !== 'string' || !isVerb(verb)) throw new Error(`the journal has no verb ${String(verb)}`);
  const [timeout, undoes] = [number('timeout'), text('undoes')];
  return {
    verb,
    files: texts('files'),
    nodes: texts('nodes'),
    hooks: texts('hooks'),
    hooksDir: text('hooksDir'),
    folder: text('folder') ?? '',
    ...(typeof dataDir === 'string' && { dataDir }),
    installer: installerOf(text('installer') ?? ''),
    commandsDir: text('commandsDir'),
    parallel: number('parallel') ?? 1,
    timeout: timeout === undefined ? undefined : millis(timeout),
    ...(typeof retries === 'number' && { retries }),
    force: record['force'] === true,
    agent: record['agent'] === true,
    type: text('type'),
    name: text('name'),
    arch: text('arch'),
    port: number('port'),
    accepts: texts('accepts'),
    undo:
      undoes === undefined
        ? undefined
        : { operation: undoes, touched: texts('undoTouched'), made: texts('undoMade') },
  };
}
