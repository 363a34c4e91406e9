import { Option, type Command } from 'commander';
import { repeated } from './given.ts';

/** The spelling of earlier versions. */
class FileOption extends Option {
  constructor() {
    super('--file <path>');
    this.hideHelp().argParser(repeated);
  }

  override attributeName(): string {
    return 'filename';
  }
}

/** Adds `-f, --filename`, which may be given several times. */
export const addFilename = (
  command: Command,
  description: string,
  { isRequired }: { readonly isRequired: boolean },
): Command =>
  command
    .addOption(
      new Option('-f, --filename <path>', description).argParser(repeated).makeOptionMandatory(isRequired),
    )
    .addOption(new FileOption());
