import type { Command } from 'commander';
import type { End } from '#command/given.ts';
import type { CheckFlags } from './check.ts';
import type { CopyFlags } from './target-folder.ts';

const dataDir = ['--data-dir <path>', 'the data directory of boathook up', '.boathook'] as const;
const output = ['-o, --output <format>', 'json: print JSON instead of sentences'] as const;

/** `boathook data`: what `boathook up` keeps on disk. */
export function addData(program: Command, end: End): void {
  const data = program
    .command('data')
    .description('check, save and rescue the objects that boathook up keeps on disk');
  data
    .command('check')
    .description('compare every stored record with its checksum; nothing is changed, a server may be running')
    .option(...dataDir)
    .option(...output)
    .addHelpText('after', '\nEnds with 0 when everything is as it was written, 2 when something is damaged.')
    .action(async (flags: CheckFlags) => {
      const { checkData } = await import('./check.ts');
      end(checkData(flags));
    });
  data
    .command('backup')
    .description('copy the data directory, also while the server runs; the copy is checked')
    .option(...dataDir)
    .requiredOption('--to <path>', 'the new directory; boathook up --data-dir <path> starts from it')
    .option(...output)
    .addHelpText(
      'after',
      '\nEnds with 0 when the copy is complete, 2 when the original is damaged or there is none.',
    )
    .action(async (flags: CopyFlags) => {
      const { backupData } = await import('./backup.ts');
      end(backupData(flags));
    });
  data
    .command('salvage')
    .description(
      'write what can be trusted of a damaged data directory into a new one, and list what is lost',
    )
    .option(...dataDir)
    .requiredOption('--to <path>', 'the new directory; the damaged one is not changed')
    .option(...output)
    .addHelpText(
      'after',
      '\nEnds with 0 when nothing is lost, 4 when something is, 2 when nothing can be read, 3 when a server uses it.',
    )
    .action(async (flags: CopyFlags) => {
      const { salvageData } = await import('./salvage.ts');
      end(salvageData(flags));
    });
}
