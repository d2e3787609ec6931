/**
 * The words of a workspace that has only `SKILL.md` files: no finding and no action there has a word of the composer's
 * own format, which its author does not need to know (docs/style.md, "Glossary").
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import type { MarkupContent } from 'vscode-languageserver-types';
import type { Analysis } from '../../../server/src/analysis/analysis.ts';
import { codeActions } from '../../../server/src/features/actions/code-actions.ts';
import { CODE_LENSES, codeLenses } from '../../../server/src/features/code-lens.ts';
import { completion } from '../../../server/src/features/completion/completion.ts';
import { hover } from '../../../server/src/features/hover/hover.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { about } from '../../../server/src/features/workspace-facts.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import type { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { openFiles, type PageFile, parsePage, ROOT } from './page.ts';

/** The words of the composer's own format. */
const OWN_WORDS =
  /\b(?:catalogs?|framing|levels?|planner|surfaces?|legacy|typed|composites?|composes?|composition|artifacts?|PromptTemplates?|input_schema|output_schema|execution|contracts?|interrupts?|skills\.config\.yaml|\.skill\.(?:md|yaml|json))\b/i;

/** The files of a case, if all of them are files of clients. */
const isPlain = (files: readonly PageFile[]): boolean =>
  files.length > 0 &&
  files.some(({ path }) => path.endsWith('SKILL.md')) &&
  files.every(
    ({ path, content }) =>
      !/\.skill\.\w+$|skills\.config\.yaml$/.test(path) && !/\.skill\.(?:md|yaml|json)\b/.test(content),
  );

const cases = readdirSync('docs/rules')
  .filter((name) => name.endsWith('.md') && name !== 'README.md')
  .flatMap((name) => parsePage(readFileSync(`docs/rules/${name}`, 'utf8')).cases.map((one) => ({ ...one, name })))
  .filter(({ files }) => isPlain(files));

/** The starts of the words of the frontmatter and of the next lines. */
const starts = (text: string): readonly number[] =>
  [...text.slice(0, 1_000).matchAll(/[\w$@#{]+/g)].map(({ index }) => index);

/** The labels and descriptions of the completion at the ends of lines and after the first words of a file. */
function completionTexts(analysis: Analysis, file: SkillFile): readonly string[] {
  // In a file beside a skill, only links are completed.
  if (file.dialect === 'composer') return [];
  const ends = [...file.text.slice(0, 2_000).matchAll(/\r?\n|$/g)].map(({ index }) => index);
  return [...new Set([...starts(file.text).slice(0, 3), ...ends])].slice(0, 8).flatMap((offset) => {
    const found = completion(analysis, file, offset, utf16);
    return (Array.isArray(found) ? found : found.items).flatMap(({ label, detail = '', documentation }) => [
      `${label} ${detail}`,
      typeof documentation === 'object' ? documentation.value : '',
    ]);
  });
}

const LENS_COMMANDS = { preview: 'x', showReferences: 'x', enable: 'x' };

const lensTitles = (analysis: Analysis, file: SkillFile): readonly string[] =>
  codeLenses(analysis, file, LENS_COMMANDS, new Set(CODE_LENSES), utf16).map(({ command }) => command?.title ?? '');

it('no finding, action, hover or completion in a workspace of `SKILL.md` files has a word of the own format', () => {
  assert.ok(cases.length > 300, `${cases.length} cases`);
  const shown = new Map<string, string>();
  for (const { files, name } of cases) {
    const { analysis } = openFiles(files);
    for (const { path } of files) {
      const file = analysis.file(`${ROOT}/${path}`);
      if (!file) continue;
      const findings = check(file, analysis);
      const range = utf16.range(file, { start: 0, end: file.text.length });
      const hovers = [...new Set(starts(file.text))].flatMap((offset) => {
        const shownHere = hover(analysis, file, offset, utf16);
        return shownHere ? [(shownHere.contents as MarkupContent).value] : [];
      });
      const commands = { select: 'x', share: 'x', chooseClients: 'x', compare: 'x' };
      const actions = codeActions(analysis, file, range, undefined, utf16, { textOfNew: () => undefined }, commands);
      for (const text of [
        ...findings.flatMap(({ message, related }) => [message, ...related.map((one) => one.message)]),
        ...actions.map(({ title }) => title),
        ...hovers,
        ...completionTexts(analysis, file),
        ...lensTitles(analysis, file),
      ]) {
        // The level of YAML or of effort, and a tool of Claude Code, have other meanings; a suppression has the name of its rule.
        const own = text.replace(
          /Suppress ‘[^’]*’ here|top level|effort level|^Artifact Claude Code|^missing-framing /gi,
          '',
        );
        const word = OWN_WORDS.exec(own)?.[0];
        if (word !== undefined) shown.set(`${word} in ${own}`, `${name}: ${path}`);
      }
    }
  }
  assert.deepEqual(
    [...shown].map(([text, where]) => `${where}: ${text}`),
    [],
  );
});

/** The menus that do not belong to a document. */
const GENERAL_MENUS: readonly string[] = ['commandPalette', 'file/newFile', 'view/title'];

it('a command whose title has such a word is in the palette and in menus only if the workspace has that format', () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
  const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;
  const { commands, menus } = manifest.contributes;
  const words = /catalog|framing|level|planner|surface|legacy/i;
  const own = commands.filter(({ title }) => words.test(texts[title.replaceAll('%', '')] ?? title));
  assert.ok(own.length >= 4);
  const inPalette = new Set(menus.commandPalette?.map(({ command }) => command));
  for (const { command } of own) {
    assert.ok(inPalette.has(command), `${command} is always in the palette`);
    for (const [menu, items] of Object.entries(menus))
      for (const item of items)
        if (item.command === command && item.when !== 'false' && GENERAL_MENUS.includes(menu))
          assert.match(item.when ?? '', /skillComposer\.hasOwnFormat/, `${command} in ${menu}`);
  }
});

it('a workspace has the own format if it has a skill in it, or a catalog', () => {
  const plain = { path: 'a/SKILL.md', content: '---\nname: a\ndescription: Use it for a.\n---\n\nDo it.\n' };
  const has = (path: string, content: string): boolean => {
    const files = [plain, { path, content }].map((one) => ({ ...one, language: 'skill', start: 0, end: 0 }));
    return about(openFiles(files).analysis, null, undefined).hasOwnFormat;
  };
  assert.equal(has('b/SKILL.md', plain.content), false);
  assert.equal(has('.claude/agents/a.md', plain.content), false);
  assert.equal(has('b.skill.md', plain.content), true);
  assert.equal(has('b.skill.yaml', 'name: b\n'), true);
  assert.equal(has('skills.config.yaml', 'tools: []\n'), true);
});

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
  };
}
