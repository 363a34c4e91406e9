import { expect, test } from 'vitest';
import { axeFindings } from '../support/axe.ts';
import { openDashboardMachines } from '../support/dashboard-machines.ts';
import { startDashboardWorld } from '../support/dashboard-world.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';

test('an operation on three machines: the grid shows the step that failed, and a retry completes it', async () => {
  await using machines = await openDashboardMachines();
  const [, , last = ''] = machines.addresses;
  machines.script(
    'PostInstall',
    `test "$BOATHOOK_NODE" != ${last} || { echo 'disk sdb is missing' >&2; exit 7; }`,
  );
  await using world = await startDashboardWorld(['--files-root', machines.filesRoot]);
  const kubectl = (await findKubectls()).at(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl on this machine');
  const terminal = openTerminal(kubectl, world.boathook, 'default');
  await terminal.run(['apply', '-f', '-'], { stdin: JSON.stringify(machines.cluster) });

  const { page, faults } = await world.open('/');
  await page.getByRole('link', { name: 'prod' }).first().click();
  const failed = page.getByRole('button', { name: new RegExp(`on ${last}: failed`) });
  await failed.click();
  await page.locator('.cell-detail').getByText('disk sdb is missing').first().waitFor();
  expect(await axeFindings(page)).toEqual([]);

  machines.script('PostInstall', 'echo "done on $BOATHOOK_NODE"');
  await page.getByRole('button', { name: 'Retry the failed steps' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry' }).click();
  await failed.waitFor({ state: 'detached' });
  await page.getByText('Running', { exact: true }).first().waitFor();
  expect(faults).toEqual([]);
});
