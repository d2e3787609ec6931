/** The page of the composition graph for tests, and functions that read its contents. */
import type { GraphState, ToGraphPage, ToGraphPanel } from '../../client/src/panels/graph/messages.ts';
import { type ShowGraph, showGraph, skillFiles } from './composition-graph-reply.ts';
import { openWebview, type Webview, type WebviewOptions } from './page.ts';
import { sampleFiles } from './reply.ts';

export type GraphPage = Webview<ToGraphPage, ToGraphPanel, GraphState>;

export const open = (options: WebviewOptions<GraphState> = {}): Promise<GraphPage> =>
  openWebview<ToGraphPage, ToGraphPanel, GraphState>('graph', options);

export async function opened(message: ShowGraph, options: WebviewOptions<GraphState> = {}): Promise<GraphPage> {
  const webview = await open(options);
  await webview.send(message);
  await webview.page.locator('.node').first().waitFor();
  return webview;
}

export const samples = showGraph(sampleFiles());

/** Skills with one problem of each kind. */
export const WRONG = skillFiles({
  above: ['level: 3', 'composes: [b, gone]', 'requires: [{skill: b, version: ^2.0.0}]'],
  a: ['level: 2', 'composes: [b]', 'effects: [Query]'],
  b: ['level: 2', 'composes: [{skill: leaf, as: look}, a]'],
  leaf: ['level: 1', 'policy: {budget: {p95_ms: 5, cost_usd: 1}}'],
  alone: ['level: 1'],
});

export const wrong = showGraph(WRONG);

export const uriOf = (name: string): string => `file:///skills-here/${name}.skill.yaml`;

export const card = ({ page }: GraphPage, name: string) => page.locator(`.node[data-id="${uriOf(name)}"]`);

export const focusedName = ({ page }: GraphPage): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.querySelector('title')?.textContent?.split('\n')[0]);

/** Shows all skills of the samples, without groups. */
export async function openedWhole(options: WebviewOptions<GraphState> = {}): Promise<GraphPage> {
  const webview = await opened(samples, options);
  await show(webview, 'Workspace');
  return webview;
}

export const show = async ({ page }: GraphPage, label: string): Promise<void> => {
  await page.getByLabel('Show', { exact: true }).selectOption({ label });
};

export const shownPart = ({ page }: GraphPage): Promise<string | null> =>
  page.getByLabel('Show', { exact: true }).locator('option:checked').textContent();

export const names = async ({ page }: GraphPage): Promise<readonly (string | undefined)[]> =>
  (
    await page
      .locator('.node')
      .evaluateAll((all) => all.map((one) => one.querySelector('title')?.textContent?.split('\n')[0]))
  ).toSorted();

const described = (name: string): string =>
  `---\nname: ${name}\ndescription: ${'Words and more words. '.repeat(40).trim()}\n---\n\nDo it.\n`;
/** Skills in the lists of two clients, too many for one of these lists. */
export const LISTED = {
  'skills.config.yaml': 'agent_skills: {clients: [claude-code, codex], model: 200000}\n',
  ...Object.fromEntries(
    Array.from({ length: 24 }, (_, at) => [`.agents/skills/s-${at}/SKILL.md`, described(`s-${at}`)]),
  ),
  '.claude/skills/alone/SKILL.md': '---\nname: alone\ndescription: Does one thing.\n---\n\nDo it.\n',
};
export const listed = showGraph(LISTED);

/** Skills in a folder. */
export function filesIn(folder: string, skills: Parameters<typeof skillFiles>[0]): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(skillFiles(skills)).map(([path, text]) => [`${folder}/${path}`, text]));
}
