import { expect, test } from 'vitest';
import { canaryTerminal, gameWorkload } from '../support/canary-terminal.ts';
import { startDashboardWorld } from '../support/dashboard-world.ts';
import { findKubectls, openTerminal } from '../support/kubectl.ts';

test('a GameStatefulSet: the last pod is first, a pause waits for a user, and the rest follows', async () => {
  await using world = await startDashboardWorld(['--profile', 'instant']);
  const kubectl = (await findKubectls()).at(-1);
  if (kubectl === undefined) throw new Error('there is no kubectl on this machine');
  const canary = canaryTerminal(openTerminal(kubectl, world.boathook, 'default'));
  const canarySteps = [{ partition: 2 }, { pause: {} }];
  const updateStrategy = { type: 'RollingUpdate', canary: { steps: canarySteps } };
  await canary.apply(
    gameWorkload('GameStatefulSet', 'db', { replicas: 3, serviceName: 'db', updateStrategy }),
  );

  const { page, faults } = await world.open('/');
  await page.getByRole('link', { name: 'db', exact: true }).click();
  await page.getByRole('heading', { name: 'db', level: 1 }).waitFor();
  await page.getByText('3 of 3 ready').waitFor();
  const podsOf = (number: number) =>
    page.getByRole('list', { name: `Pods of revision ${number}` }).getByRole('listitem');
  await expect.poll(() => podsOf(1).count()).toBe(3);

  await page.getByRole('button', { name: 'Set image' }).click();
  await page.getByLabel('Image of container python').fill('python:3.14');
  await page.getByRole('dialog').getByRole('button', { name: 'Set image' }).click();
  await page.getByText('until a user promotes it').waitFor();
  await page.getByText('3 of 3 ready').waitFor();
  await expect.poll(() => podsOf(2).allInnerTexts()).toEqual([expect.stringMatching(/^db-2\b/)]);
  await page
    .getByRole('region', { name: 'Why is it not moving?' })
    .getByText('boathook release promote gsts/db')
    .first()
    .waitFor();

  await page.getByRole('button', { name: 'Promote' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Promote' }).click();
  await page.getByText('Complete', { exact: true }).first().waitFor();
  await expect.poll(() => podsOf(2).count()).toBe(3);
  await page
    .getByRole('region', { name: 'History' })
    .getByText(/boathook-admin: promote at step 2/)
    .first()
    .waitFor();
  expect(faults).toEqual([]);
});
