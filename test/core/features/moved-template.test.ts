/** A template that an edit above it moves is not parsed again, and its results equal those of a fresh parse. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { diagnostics } from '../../../server/src/features/diagnostics.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { highlights, references } from '../../../server/src/features/navigation/definition.ts';
import { linkedEditingRanges } from '../../../server/src/features/navigation/linked-editing.ts';
import { documentSymbols, foldingRanges, selectionRange } from '../../../server/src/features/navigation/structure.ts';
import { semanticTokens } from '../../../server/src/features/semantic-tokens/semantic-tokens.ts';

const URI = 'file:///skills-here/skills/test.skill.md';

const TEXT = [
  '---',
  'name: test',
  'description: Says something about a cast. Use it to see that places move.',
  'framing: main',
  'input_schema: {cast: string[]}',
  '---',
  '',
  '## PromptTemplate: main',
  '',
  '```jinja',
  '{# a comment',
  'of two lines #}',
  '{% include "other" %}{% include "nowhere" %}',
  '{% block scene %}{% for one in cast %}{{ one | uper }} {{ nobody }} {{ loop.indx }} {% endfor %}{% endblock scene %}',
  '```',
  '',
  '## PromptTemplate: other',
  '',
  '{% macro line(x) %}',
  '{{ x }} {% endmacro %}{% set n = cast %}{{ line(n) }} {{ n | }}',
  '',
].join('\n');

/** The distance between the tested offsets, small enough to reach every word. */
const STEP = 4;

/** The results of all features for the file. */
function told(workspace: Workspace): unknown {
  const analysis = workspace.analysis;
  const file = analysis.file(URI);
  assert.ok(file);
  return {
    findings: diagnostics(analysis, file, utf16),
    tokens: semanticTokens(analysis, file, utf16).data,
    symbols: documentSymbols(file, utf16),
    folds: foldingRanges(file),
    places: Array.from({ length: file.text.length / STEP }, (_, n) => n * STEP).map((offset) => [
      selectionRange(file, offset, utf16),
      linkedEditingRanges(file, offset, utf16),
      highlights(analysis, file, offset, utf16),
      references(analysis, file, offset, utf16, true),
    ]),
  };
}

function opened(...texts: readonly string[]): Workspace {
  const workspace = new Workspace();
  for (const text of texts) workspace.apply({ kind: 'text', uri: URI, text });
  return workspace;
}

for (const [what, edited] of [
  ['the frontmatter', TEXT.replace('something', 'something more')],
  ['the text above', TEXT.replace('## PromptTemplate: main', 'Prose.\n\n## PromptTemplate: main')],
  ['the previous template', TEXT.replace('{{ nobody }} ', '')],
  ['the other template, which is removed', TEXT.slice(0, TEXT.indexOf('## PromptTemplate: other'))],
] as const) {
  test(`returns moved positions after an edit to ${what}`, () => {
    assert.notEqual(edited, TEXT);
    assert.deepEqual(told(opened(TEXT, edited)), told(opened(edited)));
    assert.deepEqual(told(opened(TEXT, edited, TEXT)), told(opened(TEXT)));
  });
}
