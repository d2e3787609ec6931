/** Navigation returns valid results at every offset of every file, however broken. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { DocumentSymbol, Position, Range, SelectionRange } from 'vscode-languageserver-types';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { utf8, utf16 } from '../../../server/src/features/locate.ts';
import {
  definition,
  documentLinks,
  highlights,
  references,
} from '../../../server/src/features/navigation/definition.ts';
import { linkedEditingRanges } from '../../../server/src/features/navigation/linked-editing.ts';
import { documentSymbols, foldingRanges, selectionRange } from '../../../server/src/features/navigation/structure.ts';
import { planRename, prepareRename } from '../../../server/src/features/rename/rename.ts';
import { cases } from '../../random.ts';
import { samples } from '../corpus.ts';

const PATHS = [
  'skills/canon/check-scene-against-canon.skill.md',
  'skills/scenes/prepare-scene.skill.md',
  'skills/characters/coin-names.skill.md',
  'contracts/search-canon.skill.yaml',
  'skills.config.yaml',
] as const;

function opened(path: string, text: string) {
  const workspace = new Workspace();
  for (const one of PATHS) workspace.apply({ kind: 'text', uri: `file:///s/${one}`, text: samples.get(one) ?? '' });
  workspace.apply({ kind: 'text', uri: `file:///s/${path}`, text });
  const analysis = workspace.analysis;
  const file = analysis.file(`file:///s/${path}`);
  assert.ok(file);
  return { analysis, file };
}

const order = (a: Position, b: Position): number => a.line - b.line || a.character - b.character;
const holds = (outer: Range, inner: Range): boolean =>
  order(outer.start, inner.start) <= 0 && order(inner.end, outer.end) <= 0;

function checkSymbols(symbols: readonly DocumentSymbol[], holder?: Range): void {
  for (const { name, range, selectionRange: selection, children } of symbols) {
    assert.ok(name !== '' && holds(range, selection) && (!holder || holds(holder, range)), name);
    checkSymbols(children ?? [], range);
  }
}

function checkAt({ analysis, file }: ReturnType<typeof opened>, offset: number): void {
  definition(analysis, file, offset, utf16, true);
  const all = highlights(analysis, file, offset, utf8);
  const named = references(analysis, file, offset, utf8, true).filter(({ uri }) => uri === file.uri);
  assert.deepEqual(
    all.map(({ range }) => range),
    named.map(({ range }) => range),
  );
  prepareRename(analysis, file, offset, utf16);
  linkedEditingRanges(file, offset, utf16);
  let range: SelectionRange | undefined = selectionRange(file, offset, utf16);
  for (; range?.parent; range = range.parent) assert.ok(holds(range.parent.range, range.range));
}

function checkWhole({ analysis, file }: ReturnType<typeof opened>): void {
  checkSymbols(documentSymbols(file, utf16));
  documentLinks(analysis, file, utf16);
  const folds = foldingRanges(file);
  assert.equal(new Set(folds.map(({ startLine }) => startLine)).size, folds.length, 'one fold a line');
  for (const { startLine, endLine } of folds) assert.ok(startLine < endLine && endLine < file.lines.length);
}

test('navigation returns valid results at many offsets in valid files', () => {
  for (const path of PATHS) {
    const there = opened(path, samples.get(path) ?? '');
    checkWhole(there);
    for (let offset = 0; offset <= there.file.text.length; offset += 7) checkAt(there, offset);
  }
});

const SNIPPETS = [
  '{{',
  '{%',
  '"',
  "'",
  '#',
  '`',
  '```\n',
  ':',
  '\n',
  '\r\n',
  '- ',
  '[',
  '}',
  '---\n',
  '## ',
  '\t',
  '&a ',
  '*a',
  '😀',
  '',
];

test('navigation returns valid results at any offset in an invalid file', () => {
  const place = fc.integer({ min: 0, max: 5_000 });
  const edit = fc.record({ at: place, cut: fc.integer({ min: 0, max: 12 }), put: fc.constantFrom(...SNIPPETS) });
  fc.assert(
    fc.property(
      fc.constantFrom(...PATHS),
      fc.array(edit, { minLength: 1, maxLength: 4 }),
      fc.array(place, { minLength: 6, maxLength: 6 }),
      (path, edits, places) => {
        let text = samples.get(path) ?? '';
        for (const { at, cut, put } of edits) {
          const from = at % (text.length + 1);
          text = text.slice(0, from) + put + text.slice(from + cut);
        }
        const there = opened(path, text);
        checkWhole(there);
        for (const offset of [...places, ...edits.map(({ at }) => at)]) {
          const within = offset % (text.length + 1);
          checkAt(there, within);
          planRename(there.analysis, there.file, within, 'another');
        }
      },
    ),
    cases(40),
  );
});
