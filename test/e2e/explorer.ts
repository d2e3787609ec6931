/** The explorer, for folders in which the editor cannot search a file. */
import type { Workbench } from './workbench.ts';

/** Opens a file by its path, and waits until its editor has the focus. */
export async function openInExplorer({ page }: Pick<Workbench, 'page'>, path: string): Promise<void> {
  const rows = page.locator('.explorer-folders-view .monaco-list-row');
  const [name = '', ...folders] = path.split('/').reverse();
  for (const folder of folders.reverse()) {
    const row = rows.and(page.locator(`[aria-label^="${folder}"]`)).first();
    if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
  }
  await rows
    .and(page.locator(`[aria-label^="${name}"]`))
    .first()
    .dblclick();
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  await page.locator('.editor-group-container.active .monaco-editor.focused .view-line').first().waitFor();
}
