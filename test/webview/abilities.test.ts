/** The preview's tab for the abilities of a `SKILL.md` folder. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { ABLE_SKILL, abilitiesOf, ableNotes } from './abilities.ts';
import { closeBrowser, openPreview, type Preview } from './page.ts';
import { sampleFiles, show, uriOf } from './reply.ts';

after(closeBrowser);

interface Sent {
  readonly sentTypes: () => readonly string[];
}

const shown = show(ableNotes, ABLE_SKILL);
const told = abilitiesOf(ableNotes, ABLE_SKILL);

async function openAbilities(options: Parameters<typeof openPreview>[0] = {}): Promise<Preview> {
  const preview = await openPreview(options);
  await preview.send(shown);
  await preview.send(told);
  await preview.send({ type: 'focus', what: 'abilities' });
  return preview;
}

const entries = ({ page }: Preview, section: string): Promise<string[]> =>
  page.getByRole('region', { name: section }).locator('li').allInnerTexts();

/** The target of a click: the file, and the line in the panel's format. */
async function placeOf(preview: Preview, name: string): Promise<string> {
  await preview.sent();
  await preview.page.getByRole('tabpanel').getByRole('button', { name, exact: true }).first().click();
  const message = (await preview.sent()).find(({ type }) => type === 'reveal');
  assert.ok(message?.type === 'reveal' && message.focus);
  return `${message.place.uri.replace(uriOf('skills/send-notes/'), '')}:${message.place.range.start.line + 1}`;
}

test('each kind of ability has a section that lists entries with their locations', async () => {
  const preview = await openAbilities();
  const said = async (section: string) => (await entries(preview, section)).map((text) => text.split('\n').join(' '));
  assert.deepEqual(await said('Tools it may use without confirmation'), [
    'Read any arguments SKILL.md, line 5',
    'Bash git log:* SKILL.md, line 5',
    'Bash any arguments SKILL.md, line 5',
  ]);
  assert.deepEqual(await said('Commands that run automatically'), [
    'git log -3 before the model reads the text SKILL.md, line 8',
  ]);
  assert.deepEqual(await said('Commands that run unreviewed code'), [
    'a download that runs unreviewed SKILL.md, line 12',
  ]);
  assert.deepEqual(await said('Secrets it uses'), ['NOTES_TOKEN read from the environment scripts/send.sh, line 2']);
  assert.deepEqual(await said('Addresses it fetches'), [
    'tidy.dev SKILL.md, line 12',
    'tidy.dev scripts/send.sh, line 2',
  ]);
  assert.deepEqual(await said('Hidden text'), ['a comment with instructions for the model SKILL.md, line 10']);
  assert.deepEqual(preview.consoleErrors, []);
  await preview.close();
});

test('the entry of a script shows what the script accesses, and links to the lines', async () => {
  const preview = await openAbilities();
  const scripts = preview.page.getByRole('region', { name: 'Scripts and what they access' });
  assert.equal(await scripts.locator('li').first().textContent(), 'compatibility says “without network access”.');
  const send = scripts.getByRole('listitem').filter({ hasText: 'scripts/send.sh' });
  assert.deepEqual(await send.locator('dl > div').allTextContents(), [
    'networkcurlline 4',
    'files outside~/.ssh/config',
  ]);
  assert.match((await scripts.textContent()) ?? '', /sort\.pyPythonno access outside the skill was found/);
  const quiet = scripts.getByRole('listitem').filter({ hasText: 'sort.py' });
  const [link, reaches] = [
    await quiet.getByRole('button').boundingBox(),
    await quiet.locator('.reaches').boundingBox(),
  ];
  assert.ok((reaches?.y ?? 0) >= (link?.y ?? 0) + (link?.height ?? 0), 'each script has a line of its own');
  assert.match((await scripts.textContent()) ?? '', /old\.rbnot scanned/);
  assert.equal(await placeOf(preview, 'curl'), 'scripts/send.sh:2');
  assert.equal(await placeOf(preview, 'line 4'), 'scripts/send.sh:4');
  assert.equal(await placeOf(preview, '~/.ssh/config'), 'scripts/send.sh:3');
  assert.equal(await placeOf(preview, 'scripts/send.sh'), 'scripts/send.sh:1');
  await preview.close();
});

test('the entry of a script names what is not analysed, and links to the first use', async () => {
  const preview = await openAbilities();
  const scripts = preview.page.getByRole('region', { name: 'Scripts and what they access' });
  const rowsOf = (name: string) =>
    scripts.getByRole('listitem').filter({ hasText: name }).locator('dl > div').allTextContents();
  assert.deepEqual(await rowsOf('scripts/deploy.sh'), [
    'runs programshelmkubectl(their effects are not analysed)',
    'has other code"$1"(its effects are not analysed)',
  ]);
  assert.deepEqual(await rowsOf('scripts/plan.py'), [
    'other programssubprocess.run',
    'runs programsterraform(its effects are not analysed)',
  ]);
  assert.equal(await placeOf(preview, 'kubectl'), 'scripts/deploy.sh:3');
  await preview.close();
});

test('lists the commands in the text of each file, and counts names that are not shown', async () => {
  const path = 'skills/plain/SKILL.md';
  const head = '---\nname: plain\ndescription: Says how to deploy.\n---\n\n';
  const programs = Array.from({ length: 25 }, (_, at) => `program-${String(at).padStart(2, '0')} x`);
  const files = {
    [path]: `${head}Run \`kubectl delete namespace prod\`.\n`,
    'skills/plain/more.md': `\`\`\`bash\n${programs.join('\n')}\n\`\`\`\n`,
  };
  const preview = await openPreview();
  await preview.send(show(files, path));
  await preview.send(abilitiesOf(files, path, []));
  await preview.send({ type: 'focus', what: 'abilities' });
  const [own, more] = await preview.page
    .getByRole('region', { name: 'Commands in the text' })
    .getByRole('listitem')
    .allTextContents();
  assert.equal(own, 'SKILL.mdruns programskubectl(its effects are not analysed)');
  assert.match(more ?? '', /^more\.mdruns programsprogram-00.*program-19and 5 more\(their effects are not analysed\)$/);
  assert.equal(await preview.page.locator('.abilities .nothing').count(), 0);
  await preview.close();
});

test('lists skipped files and the limits of the scan', async () => {
  const preview = await openAbilities();
  const { page } = preview;
  assert.ok(await page.getByText('The scan does not cover packages').isVisible());
  await page.getByText('1 file was not scanned').click();
  assert.ok(await page.getByText('picture.png not a text file').isVisible());
  await preview.close();
});

test('shows a sentence for a folder without abilities', async () => {
  const path = 'skills/plain/SKILL.md';
  const files = { [path]: '---\nname: plain\ndescription: Says how to write plainly.\n---\n\nWrite plainly.\n' };
  const preview = await openPreview();
  const { page } = preview;
  await preview.send(show(files, path));
  await preview.send(abilitiesOf(files, path, []));
  await preview.send({ type: 'focus', what: 'abilities' });
  assert.ok(await page.getByText('No scripts and no commands with effects were found.', { exact: true }).isVisible());
  assert.equal(await page.locator('.abilities section').count(), 0);
  await preview.send(abilitiesOf(files, path));
  assert.ok(
    await page.getByText('No scripts and no commands with effects were found in the scanned files.').isVisible(),
  );
  await preview.close();
});

test('requests abilities while their tab is open, and ignores the abilities of another skill', async () => {
  const preview = await openPreview();
  const { page } = preview;
  const wait = () => page.waitForFunction(() => (window as unknown as Sent).sentTypes().includes('askAbilities'));
  await preview.send(shown);
  assert.ok(!(await preview.sent()).some(({ type }) => type === 'askAbilities'));
  await preview.send({ type: 'focus', what: 'abilities' });
  await wait();
  assert.ok(await page.getByText('Scanning the folder of this skill…').isVisible());
  await preview.send({ ...told, view: { ...told.view, uri: uriOf('other/SKILL.md') } });
  assert.ok(await page.getByText('Scanning the folder of this skill…').isVisible());
  await preview.send(told);
  await preview.sent();
  await preview.send({ ...shown, serial: 2 });
  await wait();
  await preview.send(show(sampleFiles(), 'skills/scenes/draft-scene-outline.skill.md'));
  assert.equal(await page.getByRole('tab', { name: 'Abilities' }).count(), 0);
  await preview.close();
});
