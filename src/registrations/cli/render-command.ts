import { readRegistration } from '#registrations/read.ts';
import { uriProblem } from '#registrations/model/uri.ts';
import type { Registration } from '#registrations/model/registration.ts';
import { printYaml } from '#edge/print-yaml.ts';
import { nameOf, namespaceOf, type KubeObject } from '#kube/object.ts';
import { ExitError } from '#command/exit.ts';
import { printAside, printJson } from '#command/print.ts';
import { askingLive, recordedReplies, type AskHook } from './ask-hook.ts';
import { instancesOf, readFiles } from './read-files.ts';
import { renderLocally, type LocalRender } from './render-locally.ts';

export type RenderFlags = {
  readonly filename: readonly string[];
  readonly reply?: string;
  readonly live: boolean;
  readonly hookUrl?: string;
  readonly namespace: string;
  readonly clusterDomain: string;
  readonly output: string;
};

/** `boathook registration render`: prints objects to stdout and everything else to stderr. */
export async function renderCommand(flags: RenderFlags): Promise<number> {
  checkFlags(flags);
  const { registrations, crds, others } = readFiles(flags.filename);
  const [object, second] = registrations;
  if (object === undefined || second !== undefined)
    throw new ExitError(
      2,
      `only one CRDRegistration can be rendered at a time, but there are ${registrations.length}`,
    );
  const registration = mustRead(object);
  const crd = crds.find(isOf(registration));
  const instances = instancesOf(registration.crd, crd, others);
  if (instances.length === 0)
    throw new ExitError(2, `the files contain no instance of ${registration.crd}: add one with -f`);
  await using hook = hookOf(flags, registration, others);
  const results: LocalRender[] = [];
  for (const instance of instances)
    results.push(await renderLocally({ registration, instance, flags, others, crd }, hook.ask));
  show(results, flags.output);
  if (results.some(({ isUnreachable }) => isUnreachable)) return 5;
  return results.some(({ isFailed }) => isFailed) ? 1 : 0;
}

const isOf =
  ({ crd }: Registration) =>
  (each: KubeObject): boolean =>
    nameOf(each) === crd;

function checkFlags({ output, reply, live, hookUrl }: RenderFlags): void {
  if (output !== 'yaml' && output !== 'json')
    throw new ExitError(2, `-o ${output} is not supported: use yaml or json`);
  if (reply !== undefined && live) throw new ExitError(2, 'give --reply or --live, not both');
  if (hookUrl !== undefined && !live) throw new ExitError(2, '--hook-url needs --live');
  if (uriProblem(hookUrl, false) !== undefined)
    throw new ExitError(2, `--hook-url ${hookUrl} is not a URL such as http://localhost:8080/v1`);
}

function mustRead(object: KubeObject): Registration {
  const read = readRegistration(object);
  if (read.type === 'refused') {
    const errors = read.errors.map(({ field, message }) => `${field}: ${message}`);
    throw new ExitError(2, `CRDRegistration ${nameOf(object)} is invalid:\n  ${errors.join('\n  ')}`);
  }
  for (const each of read.warnings) printAside(`warning: ${each}`);
  return read.registration;
}

type Hook = { readonly ask: AskHook; [Symbol.asyncDispose](): Promise<void> };

function hookOf(flags: RenderFlags, registration: Registration, others: readonly KubeObject[]): Hook {
  if (flags.live) return askingLive({ registration, others, flags });
  return recordedReplies(flags.reply);
}

function show(results: readonly LocalRender[], output: string): void {
  for (const { instance, notes } of results)
    for (const note of notes) printAside(`${namespaceOf(instance)}/${nameOf(instance)}: ${note}`);
  const items = results.flatMap(({ children }) => children);
  if (output === 'json') printJson({ apiVersion: 'v1', kind: 'List', items });
  else process.stdout.write(items.map((each) => printYaml(each)).join('---\n'));
}
