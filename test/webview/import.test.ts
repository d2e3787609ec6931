/** The import page: it shows the abilities of the skills before the import, and imports nothing by accident. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import type {
  ImportedSkill,
  ImportState,
  InstallView,
  ToImportPage,
  ToImportPanel,
} from '../../client/src/panels/import/messages.ts';
import { loadAxe } from './axe.ts';
import { closeBrowser, inTheme, openWebview, THEMES, type Webview, type WebviewOptions } from './page.ts';

after(closeBrowser);

const SKILL: ImportedSkill = {
  name: 'draft-scene',
  version: '1.3.0',
  oldVersion: '1.2.0',
  state: 'update',
  path: 'skills/draft-scene.skill.md',
  description: 'Drafts a scene.',
  identity: [{ key: 'owner', text: 'story-desk' }],
  writes: true,
  operation: 'READ',
  effects: ['Query'],
  tools: [
    { name: 'read_page', operation: 'READ', isKnown: true },
    { name: 'write_page', operation: 'WRITE', isKnown: false },
  ],
  scopes: [{ name: 'write:pages', isKnown: false }],
  parts: [
    { name: 'plan-scene', from: 'installed' },
    { name: 'gone', from: 'missing' },
  ],
  interrupts: ['before_write'],
  executables: ['skills/run.sh'],
  runs: ['git status', '.envrc'],
  automatic: [{ path: '.envrc', why: 'run or loaded by the shell' }],
  reaches: ['network'],
  programs: ['helm', 'kubectl'],
  modules: ['numpy'],
  unanalysed: ['.agents/skills/x/a.rb'],
  addresses: ['far.example'],
  findings: [
    {
      rule: 'pipe-to-shell',
      path: 'skills/run.sh',
      line: 1,
      message: 'A `download` is run. <img src=x onerror=alert(1)>',
    },
  ],
  notScanned: [{ path: 'skills/data.bin', why: 'not a text file' }],
  others: [{ path: 'mine/draft-scene.skill.md', relation: 'hidden' }],
  permission: 'disabled in this workspace',
  changes: [
    { kind: 'more', text: 'may now write' },
    { kind: 'more', text: 'new tool `write_page`' },
  ],
  contract: [{ bump: 'minor', message: 'the tool `write_page` was added' }],
};

const VIEW: InstallView = {
  origin: '../story.skill',
  skills: [SKILL],
  files: [{ path: 'skills/old.md', state: 'removed' }],
  conflicts: [],
  unremoved: [{ path: 'README.md', why: "is outside the skill's folder or may not belong to the skill" }],
  conversion: null,
  patches: [{ path: 'skills/draft-scene.skill.md', patch: '-tools: [read_page]\n+tools: [read_page, write_page]\n' }],
  leftOut: [{ path: 'skills.config.yaml', why: 'belongs to the workspace, not to a skill' }],
  digest: 'one',
};

type ImportPage = Webview<ToImportPage, ToImportPanel, ImportState>;

async function opened(message: ToImportPage, options: WebviewOptions<ImportState> = {}): Promise<ImportPage> {
  const webview = await openWebview<ToImportPage, ToImportPanel, ImportState>('import', options);
  await webview.send(message);
  return webview;
}

const shown = (view: Partial<InstallView> = {}, problem: string | null = null): ToImportPage => ({
  type: 'show',
  view: { ...VIEW, ...view },
  folder: 'world',
  problem,
});

test('the import page shows the new capabilities of an update before all capabilities', async () => {
  const webview = await opened(shown());
  const text = (await webview.page.locator('article').textContent()) ?? '';
  const order = [
    'may now write',
    'new tool write_page',
    'contract, minor:',
    'Self-declared',
    'WRITE',
    'read_page',
    'not in this workspace',
  ];
  const places = order.map((word) => text.indexOf(word));
  assert.ok(!places.includes(-1), text);
  assert.deepEqual(
    [...places].sort((a, b) => a - b),
    places,
  );
  for (const word of [
    'gone missing',
    'before_write',
    'skills/run.sh',
    'git status',
    'network',
    'far.example',
    'is hidden by it',
    'disabled in this workspace',
    'pipe-to-shell',
  ]) {
    assert.ok(text.includes(word), word);
  }
  await webview.page.getByText('skills/draft-scene.skill.md').last().click();
  assert.match((await webview.page.locator('pre').textContent()) ?? '', /\+tools: \[read_page, write_page\]/);
  await webview.close();
});

test('names what is not analysed in one line for each kind', async () => {
  const programs = Array.from({ length: 32 }, (_, at) => `program-${String(at).padStart(2, '0')}`);
  const webview = await opened(shown({ skills: [{ ...SKILL, programs, path: '.agents/skills/x/SKILL.md' }] }));
  const textOf = (title: string) =>
    webview.page.locator('.import-rows > div', { hasText: title }).locator('dd').allTextContents();
  const [runs, ...others] = await textOf('Runs programs');
  assert.match(runs ?? '', /^program-00.*program-19 ?and 12 more \(their effects are not analysed\)$/);
  assert.deepEqual(others, []);
  assert.deepEqual(await textOf('Imports modules'), ['numpy (its effects are not analysed)']);
  assert.deepEqual(await textOf('Other code'), ['a.rb (its effects are not analysed)']);
  await webview.close();
});

test('unchanged skills come last, and are not counted as imported', async () => {
  const same = { ...SKILL, name: 'add-scene', path: 'skills/add-scene.skill.md', state: 'same' as const, changes: [] };
  const webview = await opened(shown({ skills: [same, SKILL] }));
  assert.equal(await webview.page.getByRole('heading', { level: 1 }).textContent(), 'Import 1 skill into world');
  const names = await webview.page
    .getByRole('article')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
  assert.deepEqual(names, ['draft-scene', 'add-scene']);
  await webview.close();
});

test('a skill with scripts is never shown as read-only, and a long row stays beside its title', async () => {
  const executables = Array.from({ length: 12 }, (_, at) => `.agents/skills/forms/scripts/fill-form-${at}.py`);
  const skill = {
    ...SKILL,
    writes: false,
    operation: null,
    tools: [],
    changes: [],
    executables,
    runs: [],
    automatic: [],
    findings: [],
    programs: [],
    modules: [],
    unanalysed: [],
  };
  const webview = await opened(shown({ skills: [skill] }));
  const row = (title: string) => webview.page.locator('.import-rows > div', { hasText: title });
  assert.equal(await row('Writes').locator('dd').textContent(), 'unknown: its scripts and commands may write');
  const lefts = await row('fill-form')
    .locator('dd')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  const title = await row('fill-form').locator('dt').boundingBox();
  assert.ok(Math.min(...lefts) >= (title?.x ?? 0) + (title?.width ?? 0), `${lefts}`);
  await webview.send(shown({ skills: [{ ...skill, executables: [] }] }));
  assert.equal(await row('Writes').locator('dd').textContent(), 'none found');
  await webview.send(shown({ skills: [{ ...skill, executables: [], programs: ['kubectl'] }] }));
  assert.equal(await row('Writes').locator('dd').textContent(), 'unknown: its scripts and commands may write');
  await webview.send(shown({ skills: [{ ...skill, executables: [], runs: SKILL.runs, automatic: SKILL.automatic }] }));
  assert.equal(await row('Writes').locator('dd').textContent(), 'unknown: its scripts and commands may write');
  await webview.send(shown({ skills: [{ ...skill, findings: SKILL.findings }] }));
  const unreviewed = 'unknown: a command runs unreviewed code, which can read, change and send files';
  assert.equal(await row('Writes').locator('dd').textContent(), unreviewed);
  await webview.send(shown({ skills: [{ ...skill, executables: [], runs: SKILL.runs, automatic: SKILL.automatic }] }));
  assert.deepEqual(await row('Runs by itself').locator('dd').allTextContents(), [
    'git status ',
    '.envrc run or loaded by the shell',
  ]);
  await webview.close();
});

test('paths of files are relative to the folder of a SKILL.md, and skipped files are counted', async () => {
  const folder = '.agents/skills/forms';
  const fonts = Array.from({ length: 40 }, (_, at) => ({ path: `${folder}/fonts/${at}.ttf`, why: 'no text' }));
  const skill = {
    ...SKILL,
    path: `${folder}/SKILL.md`,
    executables: [`${folder}/scripts/fill.py`],
    notScanned: [...fonts, { path: `${folder}/long.md`, why: 'too long' }],
  };
  const webview = await opened(shown({ skills: [skill] }));
  const row = (title: string) => webview.page.locator('.import-rows > div', { hasText: title });
  assert.equal(await row('Scripts').first().locator('dd').textContent(), 'scripts/fill.py');
  const left = row('Not scanned').locator('dd');
  assert.equal(await left.first().locator('summary').textContent(), '40 files (no text)');
  assert.equal(await left.last().textContent(), 'long.md (too long)');
  assert.ok(!(await left.getByText('fonts/39.ttf').isVisible()));
  await left.first().locator('summary').click();
  assert.ok(await left.getByText('fonts/39.ttf').isVisible());
  await webview.close();
});

test('content from a source is shown as text on the import page', async () => {
  const webview = await opened(shown());
  assert.equal(await webview.page.locator('article img').count(), 0);
  assert.ok((await webview.page.locator('.import-findings').textContent())?.includes('<img src=x onerror=alert(1)>'));
  assert.deepEqual(webview.consoleErrors, []);
  await webview.close();
});

test("Import and Cancel send the user's decision", async () => {
  const webview = await opened(shown());
  await webview.page.getByRole('button', { name: 'Import', exact: true }).click();
  assert.deepEqual(await webview.sent(), [{ type: 'import', force: false }]);
  await webview.page.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await webview.sent(), [{ type: 'cancel' }]);
  await webview.close();
});

test('local edits are overwritten only after confirmation for the shown preview', async () => {
  const conflicts = [{ path: 'skills/draft-scene.skill.md', why: 'was edited since it was installed' }];
  const webview = await opened(shown({ conflicts }));
  const { page } = webview;
  const button = page.getByRole('button', { name: 'Import', exact: true });
  // The click is forced, since Playwright waits for an enabled button.
  await button.click({ force: true });
  assert.deepEqual(await webview.sent(), []);
  await page.getByLabel('Overwrite these files').check();
  await button.click();
  assert.deepEqual(await webview.sent(), [{ type: 'import', force: true }]);
  // Another import preview asks for confirmation again.
  await webview.send(shown({ conflicts, digest: 'two' }, 'Not installed: files changed since the preview.'));
  assert.ok(!(await page.getByLabel('Overwrite these files').isChecked()));
  assert.equal(await page.getByRole('alert').textContent(), 'Not installed: files changed since the preview.');
  await webview.close();
});

test('offers only to close the page if everything is already installed', async () => {
  const same = { ...SKILL, state: 'same' as const, changes: [], contract: [] };
  const webview = await opened(shown({ skills: [same], files: [{ path: SKILL.path, state: 'same' }], patches: [] }));
  await webview.page.getByRole('heading', { name: 'Everything is already in world, unchanged' }).waitFor();
  assert.equal(await webview.page.getByRole('button', { name: 'Import', exact: true }).count(), 0);
  await webview.page.getByRole('button', { name: 'Close' }).click();
  assert.deepEqual(await webview.sent(), [{ type: 'cancel' }]);
  await webview.close();
});

test('a refused source is shown with the reason, and cannot be imported', async () => {
  const webview = await opened({
    type: 'refused',
    problem: 'Not installed: `a.skill` is refused, because `../x` leaves the folder.',
  });
  assert.match(
    (await webview.page.getByRole('alert').textContent()) ?? '',
    /a\.skill is refused, because \.\.\/x leaves the folder/,
  );
  assert.equal(await webview.page.getByRole('button', { name: 'Import', exact: true }).count(), 0);
  await webview.close();
});

for (const theme of THEMES) {
  test(`the import page is accessible in ${theme}, even at a narrow width`, inTheme(theme), async () => {
    const conflicts = [{ path: 'a.md', why: 'already exists and was not installed' }];
    const losses = [{ what: 'code_template `code`', why: 'Skills cannot contain code.' }];
    const conversion = { path: 'old.skill.json', text: `description: ${'long '.repeat(40)}\n`, losses };
    const message = shown({ conflicts, conversion }, 'Something failed.');
    const webview = await opened(message, { theme, width: 320, height: 500 });
    await webview.page.locator('summary', { hasText: 'Converted skill' }).click();
    assert.equal(
      await webview.page.getByText('Not converted').locator('xpath=..').locator('li code').innerText(),
      'code',
    );
    const check = await loadAxe(webview.page);
    assert.deepEqual(await check('import'), []);
    const isWide = (one: Element): boolean => one.scrollWidth > one.clientWidth;
    assert.equal(await webview.page.locator('html').evaluate(isWide), false);
    assert.equal(await webview.page.locator('.import-body').evaluate(isWide), false);
    await webview.close();
  });
}
