/** The samples of a preview: a sample is saved from the form, and a code lens opens the preview of a sample. */
import { skill } from '../notice.ts';
import { test } from '../outside.ts';
import { editorOf, openPreview, shownPreview } from '../preview.ts';

test.extended('Escape restores a value, Enter confirms it, and one undo removes a saved sample', async (workbench) => {
  const { page, open, press, screenshot } = workbench;
  await open(skill);
  const preview = await openPreview(workbench);
  await preview.prompt('about Old Harbour');
  await preview.frame.locator('.tab', { hasText: 'Prompt' }).click();
  await press('Control+a');
  await preview.frame.locator('body').evaluate(async (body) => {
    const selected = () => String(document.getSelection());
    while (selected() === '') await new Promise((resolve) => requestAnimationFrame(resolve));
    if (selected().includes('Edit…')) throw new Error('The whole page is selected.');
    addEventListener('copy', ({ clipboardData }) => {
      body.dataset.copied = clipboardData?.getData('text/plain');
    });
  });
  await press('Control+c');
  await preview.frame.locator('body[data-copied*="about Old Harbour"]').waitFor();
  await preview.frame.locator('.chip', { hasText: 'page' }).click();
  const value = preview.frame.locator('.popover:popover-open textarea:focus');
  await value.waitFor();
  await page.keyboard.type('ferry times');
  await preview.prompt('about Ferry Times');
  await press('Escape');
  await preview.prompt('about Old Harbour');
  await value.waitFor();
  await press('Escape');
  await value.waitFor({ state: 'detached' });
  await press('Enter');
  await value.waitFor();
  await page.keyboard.type('night boats');
  await press('Enter');
  await value.waitFor({ state: 'detached' });
  await preview.prompt('about Night Boats');
  await preview.openForm();
  const field = preview.frame.locator('.sheet textarea').and(preview.frame.getByLabel(/^page/));
  await field.fill('ferry times');
  await preview.frame.locator('.chip', { hasText: 'ferry times' }).waitFor();
  await preview.prompt('about Ferry Times');
  await screenshot('preview form');
  await preview.frame.getByLabel('Save as sample').fill('the ferry');
  await preview.frame.getByRole('button', { name: 'Save', exact: true }).click();
  const saved = editorOf(page, skill).locator('.view-line', { hasText: 'the ferry' });
  await saved.waitFor();
  const picker = preview.frame.locator('.input-line > select');
  await picker.locator('option:checked', { hasText: 'the ferry' }).waitFor({ state: 'attached' });
  await page.locator(`.tab.dirty[data-resource-name="${skill}"]`).waitFor();
  await editorOf(page, skill).locator('.view-line').first().click();
  await press('Control+Z');
  await saved.first().waitFor({ state: 'detached' });
  await page.locator(`.tab:not(.dirty)[data-resource-name="${skill}"]`).waitFor();
  await preview.closeForm();
  await preview.prompt('about Ferry Times');
});

test.extended('a code lens previews a sample', async (workbench) => {
  const { page, open } = workbench;
  await open(skill);
  const lens = page.locator('.codelens-decoration a', { hasText: 'Preview this sample' });
  await lens.nth(1).click();
  const preview = await shownPreview(page);
  await preview.prompt('about The Lighthouse in a warm tone.');
});
