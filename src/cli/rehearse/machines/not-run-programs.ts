import type { ProgressEvent } from '#machines/decide/events.ts';

/** Programs that belong to the installer: simulated machines have stand-ins for them. */
const standIns: ReadonlySet<string> = new Set(['kubeadm', 'kubelet', 'kubectl', 'crictl', 'systemctl']);

/** What scripts call and simulated machines do not run: one sentence for each script and program. */
export const notRunPrograms = (events: readonly ProgressEvent[]): readonly string[] => [
  ...new Set(events.flatMap((event) => (event.type === 'output' ? sentenceOf(event) : []))),
];

function sentenceOf({ step, stream, line }: Extract<ProgressEvent, { type: 'output' }>): readonly string[] {
  const [, said = ''] = stream === 'stderr' ? (/^\[simulated: (.*)\]$/.exec(line) ?? []) : [];
  const [program = ''] = said.split(' ');
  if (said === '' || standIns.has(program)) return [];
  const title = step.slice(step.lastIndexOf('/') + 1);
  return [
    `${title}: ${said.includes(' was not run (') ? said : `${program} is not run and counts as successful`}`,
  ];
}
