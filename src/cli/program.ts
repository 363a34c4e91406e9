import { Command } from 'commander';
import { asCalled } from '#command/called-as.ts';
import type { End } from '#command/given.ts';
import { packageVersion } from '#command/package-version.ts';
import { addHook } from '#hooks/cli/register.ts';
import { addCluster } from '#machines/cli/register.ts';
import { addRegistration } from '#registrations/cli/register.ts';
import { addRelease } from '#releases/cli/register.ts';
import { addCompletion, addVersion } from './client-commands.ts';
import { addData } from './data/register.ts';
import { addAccess, addDoctor, addInstall, addUninstall } from './install-commands.ts';
import { addController, addDashboard, addManifests, addNodes, addUp } from './server-commands.ts';
import { addRehearse } from './rehearse-commands.ts';
import { addSim } from './sim-commands.ts';

/** All commands. The code of a command is loaded when the command runs. */
export function programOf(name: string, end: End): Command {
  const program = new Command(name)
    .description(
      'Lifecycle hooks for Kubernetes, with an embedded control plane that real kubectl can talk to',
    )
    .version(packageVersion())
    // Options belong to the command before them: `rehearse cluster -f` is not the `-f` of `rehearse`.
    .enablePositionalOptions()
    .showHelpAfterError('(boathook --help shows the commands and their options)')
    .configureOutput({
      writeOut: (text) => void process.stdout.write(asCalled(text, name)),
      writeErr: (text) => void process.stderr.write(asCalled(text, name)),
    })
    .exitOverride();
  addUp(program, end);
  addDashboard(program, end);
  addNodes(program, end);
  addRelease(program, end);
  addHook(program, end);
  addRegistration(program, end);
  addRehearse(program, end);
  addSim(program, end);
  addController(program, end);
  addInstall(program, end);
  addAccess(program, end);
  addManifests(program, end);
  addDoctor(program, end);
  addUninstall(program, end);
  addCluster(program, end);
  addData(program, end);
  addVersion(program, end);
  addCompletion(program, end);
  return program;
}
