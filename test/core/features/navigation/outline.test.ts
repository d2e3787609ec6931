/** Outline, folding ranges, selection ranges, links, and workspace symbols. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { DocumentSymbol, SelectionRange } from 'vscode-languageserver-types';
import { Workspace } from '../../../../server/src/analysis/workspace.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { documentLinks } from '../../../../server/src/features/navigation/definition.ts';
import { linkedEditingRanges } from '../../../../server/src/features/navigation/linked-editing.ts';
import {
  documentSymbols,
  flattenSymbols,
  foldingRanges,
  selectionRange,
} from '../../../../server/src/features/navigation/structure.ts';
import { workspaceSymbols } from '../../../../server/src/features/navigation/workspace-symbols.ts';
import { lineStartsOf } from '../../../../server/src/text.ts';
import { analysisOf, at, WORLD } from './world.ts';

const SKILL = `---
# who
# when
name: a
tags: [x]
input_schema:
  cast:
    type: array
    items: {properties: {role: string}}
tools:
  - name: x
    optional: true
  - y
samples:
  dusk:
    request: >
      Long
      text.
---

# Title

Prose here.

## Approach

1. **First**: do
   more.
2. Then.

### Deeper

Text.

## PromptTemplate: main
\`\`\`yaml artifact
model_variant: local
\`\`\`

{# a
comment #}
{% block head %}
{% if one.two[0] == "x" %}
yes
{% elif b %}
b
{% else %}
no
{% endif %}
{% endblock head %}
{% macro big(x) %}
{{ x }}
{% endmacro %}
`;

const FILES = { 'a.skill.md': SKILL };

/** One line for each entry, indented by its depth: name, detail, lines. */
const outlined = (symbols: readonly DocumentSymbol[], indent = ''): readonly string[] =>
  symbols.flatMap(({ name, detail, range, children }) => [
    `${indent}${name}${detail ? ` (${detail})` : ''} ${range.start.line + 1}-${range.end.line + 1}`,
    ...outlined(children ?? [], `${indent}  `),
  ]);

const symbolsOf = (path: string, files = FILES as Readonly<Record<string, string>>): DocumentSymbol[] =>
  documentSymbols(at(path, '¦', files).file, utf16);

test('the outline has the skill as its root, and contains keys, sections, artifacts, stages and blocks', () => {
  assert.deepEqual(outlined(symbolsOf('a.skill.md')), [
    'a (skill) 1-54',
    '  input_schema 6-9',
    '    cast (object[]) 7-9',
    '      role (string) 9-9',
    '  tools 10-13',
    '    x 11-12',
    '    y 13-13',
    '  samples 14-18',
    '    dusk 15-18',
    '  Title 21-54',
    '    Approach (Approach) 25-35',
    '      First (stage) 27-28',
    '      Then (stage) 29-29',
    '      Deeper 31-35',
    '    main (PromptTemplate) 35-54',
    '      head (block) 42-50',
    '      big (macro) 51-53',
  ]);
});

test('the root of the outline has the name of the skill or of its file', () => {
  const roots = (text: string) =>
    symbolsOf('b.skill.md', { 'b.skill.md': text }).map(
      ({ name, selectionRange: { start } }) => `${name} ${start.line + 1}`,
    );
  assert.deepEqual(roots('---\ndescription: x\nname: b\n---\n\n# One\n\n# Two\n'), ['b 3']);
  assert.deepEqual(roots('---\ndescription: x\n---\n\n# One\n'), ['b.skill.md 1']);
  assert.deepEqual(roots('---\nname: b\n\n# One\n'), ['b 2']);
  assert.deepEqual(roots('# One\n\n# Two\n'), ['One 1', 'Two 3']);
});

test('the outline contains the sections of an example and the entries of a catalog', () => {
  const find = outlined(symbolsOf('find-page.skill.md', WORLD));
  assert.deepEqual(find.slice(-3), ['  first (Example) 41-55', '    Input 43-50', '    Output 50-55']);
  const catalog = outlined(symbolsOf('skills.config.yaml', WORLD));
  assert.deepEqual(catalog.slice(0, 3), ['tools 1-3', '  read_page 2-2', '  note 3-3']);
});

test('the range of an entry is inside its parent, and its name is inside the entry', () => {
  const within = (inner: DocumentSymbol['range'], { start, end }: DocumentSymbol['range']): boolean => {
    const number = ({ line, character }: { line: number; character: number }) => line * 1000 + character;
    return number(start) <= number(inner.start) && number(inner.end) <= number(end);
  };
  const holds = (symbol: DocumentSymbol): void => {
    assert.ok(within(symbol.selectionRange, symbol.range), symbol.name);
    for (const child of symbol.children ?? []) {
      assert.ok(within(child.range, symbol.range), child.name);
      holds(child);
    }
  };
  for (const path of Object.keys(WORLD))
    if (path !== 'skills.tools.json') for (const one of symbolsOf(path, WORLD)) holds(one);
});

test('returns a flat list to a client without hierarchy', () => {
  const flat = flattenSymbols('file:///skills-here/a.skill.md', symbolsOf('a.skill.md'));
  assert.deepEqual(flat.find(({ name }) => name === 'role')?.containerName, 'cast');
});

test('folds whole lines, and keeps the end of a block visible', () => {
  const { file } = at('a.skill.md', '¦', FILES);
  assert.deepEqual(
    foldingRanges(file).map(({ startLine, endLine, kind }) => `${startLine + 1}-${endLine + 1} ${kind ?? ''}`.trim()),
    [
      '1-19 region',
      '2-3 comment',
      '6-9',
      '7-9',
      '10-13',
      '11-12',
      '14-18',
      '15-18',
      '16-18',
      '21-53 region',
      '25-33 region',
      '31-33 region',
      '35-53 region',
      '36-38',
      '40-41 comment',
      '42-49',
      '43-44',
      '45-46',
      '47-48',
      '51-52',
    ],
  );
});

test('expands a selection from the word to the file', () => {
  const grown = (marked: string, steps: number): readonly string[] => {
    const { file, offset } = at('a.skill.md', marked, FILES);
    const found: string[] = [];
    for (let range: SelectionRange | undefined = selectionRange(file, offset, utf16); range; range = range.parent) {
      found.push(file.text.slice(utf16.offset(file, range.range.start), utf16.offset(file, range.range.end)));
    }
    assert.equal(found.at(-1), SKILL);
    return found.slice(0, steps);
  };
  assert.deepEqual(grown('opti¦onal', 4), [
    'optional',
    'optional: true',
    'name: x\n    optional: true',
    '- name: x\n    optional: true\n  - y',
  ]);
  assert.deepEqual(grown('one.t¦wo', 5), [
    'two',
    'one.two',
    'one.two[0]',
    'one.two[0] == "x"',
    '{% if one.two[0] == "x" %}',
  ]);
  assert.deepEqual(grown('**Fi¦rst', 3), ['First', '1. **First**: do', '1. **First**: do\n   more.']);
});

test('edits both names of a block together if the end tag repeats the name', () => {
  const pair = (marked: string, files: Readonly<Record<string, string>> = FILES) => {
    const { file, offset } = at('a.skill.md', marked, files);
    return linkedEditingRanges(file, offset, utf16)?.ranges.map(({ start }) => start.line + 1);
  };
  assert.deepEqual(pair('block he¦ad'), [42, 50]);
  assert.deepEqual(pair('endblock he¦ad'), [42, 50]);
  assert.equal(pair('macro bi¦g'), undefined);
  assert.equal(pair('one.t¦wo'), undefined);
  // Names that already differ are not edited together.
  assert.equal(pair('block he¦ad', { 'a.skill.md': SKILL.replace('endblock head', 'endblock tail') }), undefined);
});

test('links, paths in code, in a manifest and in `from` become document links only if the file exists', () => {
  const workspace = new Workspace();
  const text =
    '---\nname: a\n---\n\n[a](references/a.md#top), [b](references/b.md), [c](https://example.com)\n\nRead `references/a.md`.\n';
  workspace.apply({ kind: 'text', uri: 'file:///skills-here/a/SKILL.md', text });
  workspace.apply({ kind: 'exists', uri: 'file:///skills-here/a/references/a.md', exists: true });
  workspace.apply({ kind: 'exists', uri: 'file:///skills-here/a/references/b.md', exists: false });
  workspace.apply({ kind: 'exists', uri: 'file:///skills-here/.vscode/mcp.json', exists: true });
  const catalog = 'tools:\n  - from: .vscode/mcp.json\n  - from: ~/tools.json\n  - from: gone.json\n';
  workspace.apply({ kind: 'text', uri: 'file:///skills-here/skills.config.yaml', text: catalog });
  const manifest = '{"skills": ["./a", "./b"],\n"hooks": "./hooks.json", "name": "p"}';
  workspace.apply({ kind: 'text', uri: 'file:///skills-here/.claude-plugin/plugin.json', text: manifest });
  workspace.apply({ kind: 'exists', uri: 'file:///skills-here/hooks.json', exists: true });
  const analysis = workspace.analysis;
  const targets = (uri: string) => {
    const file = analysis.file(uri);
    assert.ok(file && lineStartsOf(file.text).length > 1);
    return documentLinks(analysis, file, utf16).map(({ target }) => target);
  };
  assert.deepEqual(targets('file:///skills-here/a/SKILL.md'), Array(2).fill('file:///skills-here/a/references/a.md'));
  assert.deepEqual(targets('file:///skills-here/skills.config.yaml'), ['file:///skills-here/.vscode/mcp.json']);
  assert.deepEqual(targets('file:///skills-here/.claude-plugin/plugin.json'), [
    'file:///skills-here/a/SKILL.md',
    'file:///skills-here/hooks.json',
  ]);
});

test('finds skills and tools by a few letters, with the best match first', () => {
  const named = (query: string) => workspaceSymbols(analysisOf(WORLD), query, utf16).map(({ name }) => name);
  assert.deepEqual(named('re'), ['read_page', 'report']);
  assert.deepEqual(named('fp'), ['find-page']);
  assert.deepEqual(named('zzz'), []);
});
