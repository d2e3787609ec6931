/** The explorer, for folders in which the editor cannot find files by name. */
import type { Workbench } from './workbench.ts';

/** Opens a file by its path, and waits until its editor has the focus. */
export async function openInExplorer({ page }: Pick<Workbench, 'page'>, path: string): Promise<void> {
  const [name = '', ...above] = path.split('/').reverse();
  const folders = above.reverse();
  // Compares the depth too, since another folder of the same name may be visible earlier.
  const rowOf = (name: string, depth: number) =>
    page.locator(`.explorer-folders-view .monaco-list-row[aria-level="${depth + 1}"][aria-label^="${name}"]`).first();
  for (const [depth, folder] of folders.entries()) {
    const row = rowOf(folder, depth);
    if ((await row.getAttribute('aria-expanded')) !== 'true') await row.click();
  }
  await rowOf(name, folders.length).dblclick();
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
  await page.locator('.editor-group-container.active .monaco-editor.focused .view-line').first().waitFor();
}
