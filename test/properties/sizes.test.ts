/**
 * Enormous and monotonous files: checking, hovers and completion do not throw, and their time is proportional to the
 * size. The limits only detect hanging; `npm run fuzz` uses much longer files, up to five megabytes.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { completion } from '../../server/src/features/completion/completion.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import { utf16 } from '../../server/src/features/locate.ts';
import { extended } from '../extended.ts';
import { withoutHang } from '../hang.ts';
import { SCALE } from '../random.ts';
import { enormousTexts } from './enormous.ts';
import { lineOf, megabytes } from './enormous-lines.ts';
import type { Enormous } from './enormous-parts.ts';
import { checkFindings, fileAt, findingsAt, open } from './opened.ts';

/** Milliseconds of processor time. */
const LIMIT = 30_000 * Math.max(1, SCALE / 5);

/** The number of characters in a string that repeats a construct. */
const LENGTH = SCALE < 1 ? 16_000 : Math.min(5_000_000, 40_000 * SCALE);

/** The limit for these strings. A quadratic algorithm that takes 30 seconds for 40,000 characters exceeds it. */
const LIMIT_OF_LENGTH = Math.min(LIMIT, 30_000 * (LENGTH / 40_000) ** 2);

function checkInBounds({ path, text, beside }: Enormous, limit = LIMIT): void {
  const look = (): void => {
    const workspace = open({ ...beside, [path]: text });
    const file = fileAt(workspace, path);
    findingsAt(workspace, path);
    for (const offset of [text.length >> 1, text.length]) {
      hover(workspace.analysis, file, offset, utf16);
      completion(workspace.analysis, file, offset, utf16);
    }
  };
  withoutHang(look, path, limit);
}

describe('checks a repeated construct in limited time', () => {
  for (const one of enormousTexts(LENGTH)) it(one.title, () => checkInBounds(one, LIMIT_OF_LENGTH));
});

describe('checks a line of 100,000 characters in limited time', () => {
  for (const one of lineOf(100_000)) it(one.title, () => checkInBounds(one));
});

describe('checks a file of five megabytes in limited time', () => {
  for (const one of megabytes(5)) it(one.title, () => checkInBounds(one));
});

it('checks eleven thousand templates that include one another in limited time', extended, () => {
  const one = enormousTexts(660_000).find(({ title }) => title === 'many includes');
  assert.ok(one);
  checkInBounds(one);
});

describe('a thousand tools', () => {
  const names = Array.from({ length: 1000 }, (_, number) => `tool_${number}`);
  const skill = (tools: readonly string[]) =>
    `---\nname: a\ndescription: What it is.\nversion: 1.0.0\ninput_schema: {}\ntools: [${tools.join(', ')}]\n---\n\nBody.\n`;
  const catalog = `tools:\n${names.map((name) => `  - name: ${name}\n`).join('')}`;

  it('cause no findings if the catalog declares them', () => {
    const workspace = open({ 'skills.config.yaml': catalog, 'a.skill.md': skill(names) });
    assert.deepEqual(checkFindings(workspace, 'a.skill.md'), []);
    assert.deepEqual(checkFindings(workspace, 'skills.config.yaml'), []);
  });

  it('do not hide a misspelt tool', () => {
    const workspace = open({ 'skills.config.yaml': catalog, 'a.skill.md': skill([...names, 'toll_7']) });
    assert.deepEqual(
      checkFindings(workspace, 'a.skill.md').map(({ rule }) => rule),
      ['unknown-tool'],
    );
  });
});
