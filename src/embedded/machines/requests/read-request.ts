import { agentProgram } from '#edge/ssh/agent-program.ts';
import { lookProgram, putProgram } from '#edge/ssh/deliver-program.ts';
import { remainsProgram } from '#edge/ssh/host-program.ts';
import { adoptProgram, cancelProgram } from '#edge/ssh/launch-program.ts';
import { WordReader } from './word-reader.ts';

export type AgentRequest = {
  readonly type: 'agent';
  readonly folder: string;
  readonly run: string;
  readonly holder: string;
  readonly staleSeconds: number;
  readonly operationFolder: string;
  /** Cluster and operation. */
  readonly scope: string;
};

export type PutFile = {
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  readonly digest: string;
};

/** What the operator wants of a machine. The programs of edge/ssh are known by their text. */
export type MachineRequest =
  | AgentRequest
  | { readonly type: 'look'; readonly paths: readonly string[] }
  | { readonly type: 'put'; readonly files: readonly PutFile[] }
  | { readonly type: 'adopt'; readonly from: string; readonly to: string }
  | { readonly type: 'cancel'; readonly folder: string }
  | {
      readonly type: 'remains';
      readonly purge: boolean;
      readonly node: string;
      readonly cluster: string;
      readonly paths: readonly string[];
    }
  /** Any other program, which the shell of the machine runs. */
  | { readonly type: 'script'; readonly text: string; readonly args: readonly string[] };

/** `greeting`: the line that the output and the error output begin with. */
export type GreetedRequest = { readonly greeting: string; readonly request: MachineRequest };

/** Reads the command of an SSH session. */
export function readRequest(command: string): GreetedRequest {
  const reader = new WordReader(command);
  const [program, ...args] = reader.take('exec /bin/sh -c ') ? reader.words() : [];
  const found = /^echo (boathook-[0-9a-f]+); echo \1 >&2\n/.exec(program ?? '');
  if (program === undefined || found === null || args[0] !== 'boathook')
    return { greeting: '', request: { type: 'script', text: command, args: [] } };
  const text = program.slice(found[0].length);
  return { greeting: `${found[1] ?? ''}\n`, request: requestOf(text, args.slice(1)) };
}

function requestOf(text: string, args: readonly string[]): MachineRequest {
  const [first = '', second = '', third = ''] = args;
  switch (text) {
    case agentProgram:
      return agentRequest(args);
    case lookProgram:
      return { type: 'look', paths: args };
    case putProgram:
      return { type: 'put', files: putFiles(args.slice(1)) };
    case adoptProgram:
      return { type: 'adopt', from: first, to: second };
    case remainsProgram:
      return { type: 'remains', purge: first === 'yes', node: second, cluster: third, paths: args.slice(5) };
    default: {
      const folder = cancelledFolder(text);
      return folder === undefined ? { type: 'script', text, args } : { type: 'cancel', folder };
    }
  }
}

function agentRequest(args: readonly string[]): AgentRequest {
  const [folder = '', run = '', holder = '', stale = '', operationFolder = '', , , scope = ''] = args;
  return { type: 'agent', folder, run, holder, staleSeconds: Number(stale), operationFolder, scope };
}

const putFiles = (words: readonly string[]): readonly PutFile[] =>
  Array.from({ length: Math.floor(words.length / 4) }, (_, at) => {
    const [path = '', mode = '', size = '', digest = ''] = words.slice(4 * at, 4 * at + 4);
    return { path, mode: Number.parseInt(mode, 8), size: Number(size), digest };
  });

const cancelStart = cancelProgram('').split("cd ''")[0] ?? '';

/** The folder in a program that ends a job; it must be that program to the last letter. */
function cancelledFolder(text: string): string | undefined {
  if (!text.startsWith(`${cancelStart}cd `)) return undefined;
  const folder = new WordReader(text, cancelStart.length + 'cd '.length).word();
  return folder !== undefined && cancelProgram(folder) === text ? folder : undefined;
}
