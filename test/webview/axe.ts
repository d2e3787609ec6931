/** Accessibility by the rules of axe. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/**
 * Loads axe into a page. Returns a function that lists the serious violations in the page; each begins with the name of
 * the view.
 */
export async function loadAxe(
  page: Page,
  options: { readonly runOnly?: readonly string[] } = {},
): Promise<(view: string) => Promise<readonly string[]>> {
  await page.evaluate(axe);
  const rules = JSON.stringify({ resultTypes: ['violations'], ...options });
  return async (view) => {
    const violations = (await page.evaluate(
      `axe.run(document, ${rules}).then(({ violations }) => violations)`,
    )) as readonly Violation[];
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${view}: ${id}: ${html}\n${failureSummary}`),
      );
  };
}
