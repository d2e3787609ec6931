/** The header of the composition graph: how much of each target client's list is used. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { filesIn, LISTED, listed, opened, show } from './composition-graph-page.ts';
import { showGraph } from './composition-graph-reply.ts';
import { closeBrowser } from './page.ts';

after(closeBrowser);

test('the header shows the size of the lists of target clients, and links to truncated entries', async () => {
  const webview = await opened(listed);
  const { page } = webview;
  const lists = page.getByRole('list', { name: 'Budgets for the skill lists' });
  const [claude = '', codex = ''] = await lists.locator('> li > .quiet').allTextContents();
  assert.match(
    claude,
    /^Claude Code lists skills in 8,000 characters for a model with 200,000 tokens of context; .+ leaves 1,924\. The skill here needs \d+ characters$/,
  );
  assert.match(
    codex,
    /which leaves 3,\d{3}\. The 24 skills here need [\d,]+ tokens, so the client cuts 24 descriptions to about \d+ tokens$/,
  );
  await page.getByText('Entries not listed in full').click();
  await webview.sent();
  await lists.getByRole('button', { name: 's-3', exact: true }).click();
  const [message] = await webview.sent();
  assert.ok(message?.type === 'reveal' && message.focus);
  assert.match(message.place.uri, /\/s-3\/SKILL\.md$/);
  await webview.close();
});

test('the header hides the lists if the graph contains none of their skills', async () => {
  const webview = await opened(showGraph({ ...LISTED, ...filesIn('plain', { one: ['level: 1'], two: ['level: 1'] }) }));
  const lists = webview.page.getByRole('list', { name: 'Budgets for the skill lists' });
  await show(webview, 'plain');
  await lists.waitFor({ state: 'detached' });
  await show(webview, 'Workspace');
  await lists.waitFor();
  await webview.close();
});

test('a list from an inner catalog is named with the folder of that catalog', async () => {
  const inner = Object.fromEntries(Object.entries(LISTED).map(([path, text]) => [`inner/${path}`, text]));
  const webview = await opened(showGraph({ ...LISTED, ...inner }));
  await show(webview, 'Workspace');
  const names = await webview.page.locator('.budgets .client-name').allTextContents();
  assert.deepEqual(names.toSorted(), ['Claude Code', 'Claude Code · inner', 'OpenAI Codex', 'OpenAI Codex · inner']);
  await webview.close();
});
