/** The preview shows a prompt for every file with text for a model. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { newModel, newPageState, receive } from '../../client/src/panels/preview/webview/model.ts';
import { checkedPackageOf } from '../../server/src/rules/checked-package.ts';
import type { SkillPackage } from '../../server/src/skill/package.ts';
import { cases } from '../random.ts';
import { type Ask, analysisOf, show, uriOf } from '../webview/reply.ts';
import { aCase } from './composer/random-cases.ts';
import { filesOf, workspace } from './composer/random-skills.ts';
import { samples } from './corpus.ts';
import { damagedSample } from './mutate.ts';
import { shown } from './opened.ts';

type Texts = Readonly<Record<string, string>>;

/** Returns whether the file has text that a prompt can contain. */
const hasWords = ({ prose, artifacts }: SkillPackage): boolean =>
  prose.some((passage) => passage.some(({ text }) => text.trim() !== '')) ||
  artifacts.some(({ kind, template }) => kind === 'PromptTemplate' && (template?.text ?? '').trim() !== '');

/**
 * Checks a skill with each of its samples, without a sample, and with invalid input. Returns false if it is not a
 * skill.
 */
function checkShown(files: Texts, path: string): boolean {
  const skillPackage = checkedPackageOf(analysisOf(files), uriOf(path));
  if (!skillPackage) return false;
  const asks: readonly Ask[] = [
    ...skillPackage.samples.map(({ name }) => ({ sample: name })),
    {},
    { invocation: { parameters: { no_such_name: [1] }, profile: 'nobody', channel: 'c' } },
  ];
  for (const ask of asks) {
    const { prompt } = receive(newModel(newPageState()), show(files, path, ask));
    const where = `${path} ${JSON.stringify(ask)}\n${shown(files[path] ?? '')}`;
    if (hasWords(skillPackage)) assert.ok(prompt && prompt.prompt.trim() !== '', where);
    if (!prompt) continue;
    const tiled = prompt.segments.map(({ start, end }) => prompt.prompt.slice(start, end)).join('');
    assert.equal(tiled, prompt.prompt, where);
  }
  return true;
}

test('the preview shows a prompt for every sample skill, including invalid ones', () => {
  const files = Object.fromEntries(samples);
  const skills = [...samples.keys()].filter((path) => checkShown(files, path));
  assert.ok(skills.length > 50, `${skills.length}`);
  assert.ok(skills.some((path) => path.includes('mistakes/')));
});

test('the preview shows a prompt for a damaged skill', () => {
  fc.assert(
    fc.property(damagedSample, ({ path, text }) => void checkShown({ [path]: text }, path)),
    cases(100),
  );
});

test('the preview shows a prompt for a random skill', () => {
  fc.assert(
    fc.property(aCase, ({ text, files }) => {
      const path = 'skills/random.skill.md';
      checkShown({ ...files, [path]: text }, path);
    }),
    cases(100),
  );
  fc.assert(
    fc.property(workspace, (random) => {
      const files = filesOf(random);
      for (const path of Object.keys(files)) checkShown(files, path);
    }),
    cases(20),
  );
});
