import type { Command } from 'commander';
import { namespacedOptions } from '#command/cluster-options.ts';
import { repeated, type End } from '#command/given.ts';
import type { PromoteFlags, WaitingFlags } from './act-command.ts';
import type { ActFlags } from './acting-in.ts';
import type { DiffFlags } from './diff-command.ts';
import type { GetFlags } from './get-command.ts';
import type { HistoryFlags } from './history-command.ts';
import type { ReleaseLintFlags } from './lint-command.ts';
import type { ListFlags } from './list-command.ts';
import type { ReleaseFlags } from './release-flags.ts';
import type { StatusFlags } from './status-command.ts';
import type { UndoFlags } from './undo-command.ts';

/** `boathook release`: shows the releases of a cluster, explains them and acts on them. */
export function addRelease(program: Command, end: End): void {
  const release = program
    .command('release')
    .description('show, explain and operate releases of GameDeployments and GameStatefulSets')
    .addHelpText('after', releaseHelp);
  addViews(release, end);
  addStatus(release, end);
  addAccounts(release, end);
  addActs(release, end);
  addChanges(release, end);
  addLint(release, end);
}

const releaseHelp = `
A workload is named as in kubectl: gd/shop, gamestatefulset/db, or shop where only one kind has that name.

Exit codes: 0 done, 1 it does not exist or the request was refused, 2 bad input or an ambiguous name,
3 another writer keeps changing it, 4 it waits for a user, 5 no cluster or login refused, 124 the timeout elapsed,
130 interrupted.`;

const ofCluster = (command: Command, description: string): Command =>
  namespacedOptions(command.description(description));

const output = (command: Command, formats: string): Command =>
  command.option('-o, --output <format>', `${formats}: another format than text`);

const examples = (command: Command, ...lines: readonly string[]): Command =>
  command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);

function addViews(release: Command, end: End): void {
  examples(
    output(
      ofCluster(release.command('list'), 'list releases with phase, step and reason'),
      'json, yaml, name, wide',
    )
      .option('-A, --all-namespaces', 'list the releases of all namespaces', false)
      .option('-l, --selector <selector>', 'label selector of the workloads')
      .option('-w, --watch', 'follow the changes', false)
      .option(...noColor),
    'boathook release list',
    'boathook release list -A -l team=games -w',
    'boathook release list -A -o json | jq -r \'.items[] | select(.phase == "Paused") | .name\'',
  ).action(async (flags: ListFlags) => {
    const { listCommand } = await import('./list-command.ts');
    end(await listCommand(flags));
  });
  examples(
    output(
      ofCluster(
        release.command('get').argument('<workload>'),
        'show steps, revisions, pods and hook runs of a release',
      ),
      'json, yaml, name, wide',
    )
      .option('-w, --watch', 'follow the changes', false)
      .option(...noColor),
    'boathook release get gd/shop',
    'boathook release get gd/shop -w',
    'boathook release get gamestatefulset/db -n games -o yaml',
  ).action(async (workload: string, flags: GetFlags) => {
    const { getCommand } = await import('./get-command.ts');
    end(await getCommand(workload, flags));
  });
}

function addStatus(release: Command, end: End): void {
  examples(
    output(
      ofCluster(
        release.command('status').argument('<workload>'),
        'print the state of a release in one line, with an exit code',
      ),
      'json, yaml, name',
    )
      .option('-w, --watch', 'wait until the release ends or needs a user', false)
      .option('--timeout <duration>', 'end with 124 after this time, such as 10m; implies --watch'),
    'boathook release status gd/shop',
    'boathook release status gd/shop --watch --timeout 10m',
  )
    .addHelpText('after', statusHelp)
    .action(async (workload: string, flags: StatusFlags) => {
      const { statusCommand } = await import('./status-command.ts');
      end(await statusCommand(workload, flags));
    });
}

const statusHelp = `
Exit codes:
  0    complete and healthy
  1    failed or aborted: it cannot succeed without a change
  4    paused, or waiting for a user. With --watch a pause that ends by itself is waited for
  124  still in progress: the timeout elapsed, or there was no --watch to wait for the end

--watch ends at once when the release can no longer succeed by itself. A cause that may end by itself (a refused pod,
no controller for a hook) counts as failed after a minute.`;

const noColor = [
  '--no-color',
  'print without colours; they are used in a terminal only, and not with NO_COLOR',
] as const;

function addAccounts(release: Command, end: End): void {
  examples(
    output(
      ofCluster(
        release.command('explain').argument('<workload>'),
        'explain why a release does not progress, what comes next and what you can do',
      ),
      'json, yaml',
    ),
    'boathook release explain gd/shop',
  ).action(async (workload: string, flags: ReleaseFlags) => {
    const { explainCommand } = await import('./explain-command.ts');
    end(await explainCommand(workload, flags));
  });
  examples(
    output(
      ofCluster(
        release.command('history').argument('<workload>'),
        'list the releases of a workload with images, who acted, outcome and verdicts',
      ),
      'json, yaml, name, wide',
    ).option(...noColor),
    'boathook release history gd/shop',
    'boathook release history gd/shop -o wide',
  ).action(async (workload: string, flags: HistoryFlags) => {
    const { historyCommand } = await import('./history-command.ts');
    end(await historyCommand(workload, flags));
  });
  examples(
    output(
      ofCluster(
        release.command('diff').argument('<workload>').argument('[from]').argument('[to]'),
        'show the difference of the templates of two revisions (default: stable and update revision)',
      ),
      'json, yaml',
    ).option(...noColor),
    'boathook release diff gd/shop',
    'boathook release diff gd/shop 3',
    'boathook release diff gd/shop 3 5',
  ).action(async (workload: string, from: string | undefined, to: string | undefined, flags: DiffFlags) => {
    const { diffCommand } = await import('./diff-command.ts');
    end(await diffCommand(workload, { from, to }, flags));
  });
}

const acting = (command: Command, description: string): Command =>
  output(ofCluster(command.argument('<workload>'), description), 'json, yaml, name').option(
    '--reason <text>',
    'why; it is recorded in an event and in the history',
  );

const waiting = (command: Command, description: string): Command =>
  acting(command, description).option(
    '--wait <duration>',
    'how long to wait for the controller to act; 0 does not wait',
    '10s',
  );

const expecting = (command: Command, description: string): Command =>
  waiting(command, description)
    .option('--expect <state>', 'change nothing unless the release is in this state')
    .addHelpText('after', expectHelp);

const expectHelp = `
The request names the release, the step and the pause that it is meant for. In any other state it changes nothing.
For scripts: --expect takes the state of boathook release status -o json, such as mgv2k1x0/2. Repeating a command with
the same --expect has no further effect.`;

const actExitCodes = `
Exit codes: 0 done, or nothing to do; 1 refused; 3 another writer keeps changing the workload; 4 written, but no
controller has acted on it within --wait, or another verb is needed to continue.`;

function addActs(release: Command, end: End): void {
  examples(
    expecting(release.command('promote'), 'end the current pause or skip the failed hook, and continue')
      .option('--full', 'continue to the end: end all pauses that follow', false)
      .option('--to-step <number>', 'continue up to this step, counted from 1, and not beyond it')
      .option('--skip-hook', 'skip hooks too', false),
    'boathook release promote gd/shop',
    'boathook release promote gd/shop --to-step 4 --reason "checked by hand"',
    'boathook release promote gd/shop --full --skip-hook',
    'boathook release promote gd/shop --expect mgv2k1x0/2',
  )
    .addHelpText('after', actExitCodes)
    .action(async (workload: string, flags: PromoteFlags) => {
      const { promoteCommand } = await import('./act-command.ts');
      end(await promoteCommand(workload, flags));
    });
  const acts = {
    pause: 'pause a release until resume',
    resume: 'end the pause that pause has set; promote ends the pause of a step',
    abort: 'return to the stable revision',
    retry: 'run a failed hook again, or restart an aborted release at step 1',
  } as const;
  for (const verb of ['pause', 'resume', 'abort', 'retry'] as const) {
    const flags = verb === 'abort' || verb === 'retry' ? expecting : waiting;
    examples(
      flags(release.command(verb), acts[verb]),
      `boathook release ${verb} gd/shop`,
      `boathook release ${verb} gd/shop --reason "error rate is too high" -o json`,
    )
      .addHelpText('after', actExitCodes)
      .action(async (workload: string, given: WaitingFlags) => {
        const { actCommand } = await import('./act-command.ts');
        end(await actCommand(verb, workload, given));
      });
  }
}

function addChanges(release: Command, end: End): void {
  examples(
    acting(release.command('undo'), 'set the template back to an earlier revision').option(
      '--to-revision <number>',
      'revision of release history (default: the stable one during a release, else the one before)',
    ),
    'boathook release undo gd/shop',
    'boathook release undo gd/shop --to-revision 3',
  ).action(async (workload: string, flags: UndoFlags) => {
    const { undoCommand } = await import('./undo-command.ts');
    end(await undoCommand(workload, flags));
  });
  const set = release.command('set').description('change the template of a workload');
  examples(
    acting(set.command('image'), 'set the images of containers, which starts a release').argument(
      '<container=image...>',
      'images by container, init containers too; *=IMAGE sets all of them',
    ),
    'boathook release set image gd/shop shop=python:3.12',
    'boathook release set image gd/shop shop=python:3.12 sidecar=envoy:1.31 --reason "new season"',
  ).action(async (workload: string, images: readonly string[], flags: ActFlags) => {
    const { setImageCommand } = await import('./set-image-command.ts');
    end(await setImageCommand(workload, images, flags));
  });
  examples(
    acting(
      release.command('restart'),
      'start a release with the same template, which replaces all pods; not for pods that are only updated in place',
    ),
    'boathook release restart gd/shop',
    'boathook release restart gsts/db --reason "new certificates"',
  ).action(async (workload: string, flags: ActFlags) => {
    const { restartCommand } = await import('./restart-command.ts');
    end(await restartCommand(workload, flags));
  });
}

function addLint(release: Command, end: End): void {
  examples(
    release
      .command('lint')
      .description('find mistakes in GameDeployments and GameStatefulSets, without a cluster')
      .requiredOption(
        '-f, --filename <file>',
        'YAML or JSON with one or more documents, or a folder; - reads the standard input',
        repeated,
      )
      .option('-o, --output <format>', 'json: print JSON instead of text'),
    'boathook release lint -f game.yaml -f templates.yaml',
  )
    .addHelpText('after', '\nExit codes: 0 no errors, 1 errors, 2 the file cannot be read.')
    .action(async (flags: ReleaseLintFlags) => {
      const { lintCommand } = await import('./lint-command.ts');
      end(await lintCommand(flags));
    });
}
