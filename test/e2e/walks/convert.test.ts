/** Exporting a skill to another format, and importing a legacy package. */
import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { until } from '../../protocol/until.ts';
import { temporaryFolder } from '../../temporary.mjs';
import { walk } from '../walk.ts';
import type { Workbench } from '../workbench.ts';

walk.extended(
  'a person converts skills by keyboard alone, sees what is lost, and saves the results',
  async (openFolder) => {
    const elsewhere = temporaryFolder();
    mkdirSync(join(elsewhere, 'out'));
    const workbench = await openFolder('support-desk');
    const { page, press, open, notification, screenshot } = workbench;
    await open('answer-ticket.skill.md');
    await convertTo(workbench, 'Agent Skill');
    await page.locator('.tab.active[data-resource-name="SKILL.md"]').waitFor();
    const told = await notification('converted, with 3 notes. 5 more files are saved with it.');
    await screenshot('convert-1-agent-skill');
    await told.getByRole('button', { name: 'Show Notes' }).click();
    const lost = page.locator('.quick-input-widget', { hasText: 'Notes on the conversion' });
    await lost.waitFor();
    await screenshot('convert-2-lost');
    await press('Escape');
    await lost.waitFor({ state: 'hidden' });
    // The list of notifications would take the focus when it closes by itself.
    await press('Escape');
    await page.locator('.notifications-center.visible').waitFor({ state: 'detached' });
    await saveIn(workbench, join(elsewhere, 'out/'));
    // The saved file replaces the displayed one.
    await page.locator('.breadcrumbs-control:not(.hidden)', { hasText: basename(elsewhere) }).waitFor();
    const folder = join(elsewhere, 'out/answer-ticket');
    assert.match(readFileSync(join(folder, 'SKILL.md'), 'utf8'), /^name: answer-ticket$/m);
    assert.equal(readdirSync(join(folder, 'references')).length, 5);

    await workbench.closeAll();
    await open('answer-ticket.skill.md');
    await convertTo(workbench, 'Record');
    await page.locator('.tab.active[data-resource-name="answer-ticket.record.json"]').waitFor();
    await notification('contains everything from the source');
    await press('Escape');
    await page.locator('.notifications-center.visible').waitFor({ state: 'detached' });
    const record = join(elsewhere, 'answer-ticket.record.json');
    await saveIn(workbench, record);
    // The name of the tab does not show that the file is saved, since the tab had the same name before.
    await until('the record on disk', () => existsSync(record));
    await page.locator('.breadcrumbs-control:not(.hidden)', { hasText: basename(elsewhere) }).waitFor();
    await screenshot('convert-3-record');
    assert.equal((JSON.parse(readFileSync(record, 'utf8')) as { id: string }).id, 'user:answer-ticket');
  },
);

async function convertTo({ page, press, asked }: Workbench, to: string): Promise<void> {
  const question = await asked('Skill: Convert…', 'Convert to…');
  await page.keyboard.insertText(to);
  await press('Enter');
  await question.waitFor({ state: 'hidden' });
}

async function saveIn({ asked, enterPath }: Workbench, path: string): Promise<void> {
  await asked('Skill: Save Converted Skill…', 'Save Converted Skill');
  await enterPath('Save Converted Skill', path);
}
