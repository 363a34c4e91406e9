import axe from 'axe-core';
import type { Page } from 'playwright-core';

type Violation = {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
};

/** What axe finds on a page, one line for each. The script is injected by the debugger, so that the policy of the page holds. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate('axe.run(document).then(({ violations }) => violations)');
  return (found as readonly Violation[]).flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}: ${html} ${failureSummary}`),
  );
}
