/** The preview shows a prompt for every file with text for a model, and receives only the part that an edit changes. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { restored, shortened } from '../../client/src/panels/preview/shown-prompt.ts';
import { newModel, newPageState, receive } from '../../client/src/panels/preview/webview/model.ts';
import { checkedPackageOf } from '../../server/src/rules/engine/checked-package.ts';
import type { SkillPackage } from '../../server/src/skill/package.ts';
import { cases } from '../random.ts';
import { withTexts } from '../webview/large.ts';
import { type Ask, analysisOf, show, showText, skill, uriOf } from '../webview/reply.ts';
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

/** A prompt, its replaced part, and the text that replaces this part, with repetitions, line breaks and halves of emoji. */
const editedPrompt = fc.array(fc.constantFrom('a', 'a', ' ', '\n', '\r\n', '🙂', '\ud83d', '\ude42', '漢', '7'));

test('the message for an edit restores the whole message, and contains only the changed text', () => {
  const invalid = showText(skill('', '## PromptTemplate: main\n\nHello {{ who\n'));
  fc.assert(
    fc.property(editedPrompt, editedPrompt, editedPrompt, editedPrompt, (head, removed, added, tail) => {
      const before = { ...withTexts([...head, ...removed, ...tail]), serial: 6 };
      const after = { ...withTexts([...head, ...added, ...tail]), serial: 7 };
      const message = shortened(after, before);
      assert.ok(message.type === 'showEdit');
      assert.ok(message.text.length <= added.join('').length);
      const sent = JSON.parse(JSON.stringify(message)) as typeof message;
      assert.deepEqual(restored(sent, before), JSON.parse(JSON.stringify(after)));
      assert.equal(restored(sent, after), undefined);
    }),
    cases(300),
  );
  const whole = { ...withTexts(['Hello {{ name }}']), serial: 3 };
  for (const [from, to] of [
    [whole, invalid],
    [invalid, whole],
  ] as const) {
    const message = shortened(to, from);
    assert.deepEqual(message.type === 'showEdit' && restored(message, from), to);
  }
  assert.equal(shortened(whole, undefined), whole);
});
