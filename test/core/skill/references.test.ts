import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseBody } from '../../../server/src/skill/body.ts';
import { referenceReader } from '../../../server/src/skill/references.ts';
import { sliceOf } from '../../../server/src/text.ts';

const written = (text: string) => parseBody(text, 0).references.map(({ span }) => sliceOf(text, span));

describe('references', () => {
  const cases: Record<string, string[]> = {
    'Use #tool:read_page, then #skill:scene-lint.': ['#tool:read_page', '#skill:scene-lint'],
    '#interrupt:on_ambiguous_input!': ['#interrupt:on_ambiguous_input'],
    '(#tool:server/tool) "#tool:mcp__a__b" **#tool:a.b-c/**': ['#tool:server/tool', '#tool:mcp__a__b', '#tool:a.b-c'],
    '_#tool:a_ and *#tool:b_*': ['#tool:a', '#tool:b_'],
    '- #tool:a\n> #tool:b\n\n| #tool:c |\n': ['#tool:a', '#tool:b', '#tool:c'],
    '## With #tool:a ##\n': ['#tool:a'],
    '[#tool:a](b) [c](#tool:d)': ['#tool:a'],
    '先に#tool:a、次に「#tool:b」': ['#tool:a', '#tool:b'],
    'foo#tool:x \\#tool:x ##tool:x http://a/#tool:x #tools:x #tool: x #tool:- #TOOL:x': [],
    '`#tool:x` <!-- #tool:x --> ![#tool:x](y) <http://a#tool:x>\n\n```\n#tool:x\n```\n\n    #tool:x\n': [],
    '[a]: #tool:x\n\n<div>\n#tool:x\n</div>\n': [],
  };
  for (const [text, expected] of Object.entries(cases)) {
    test(JSON.stringify(text), () => assert.deepEqual(written(text), expected));
  }

  test('have a kind, a name and spans', () => {
    const nameSpan = { start: 8, end: 11 };
    assert.deepEqual(parseBody('a #tool:b/c.', 0).references, [
      { kind: 'tool', name: 'b/c', span: { start: 2, end: 11 }, nameSpan },
    ]);
  });

  test('are found only outside of tags in a template', () => {
    const tags = '#tool:a {{ #tool:b }} {% #tool:c %} {# #tool:d #} #tool:e\n{{ #tool:f\n#tool:g';
    assert.deepEqual(written(`## Prompt Template\n\n${tags}\n`), ['#tool:a', '#tool:e', '#tool:g']);
    assert.deepEqual(written(`## Prompt Template\n\n\`\`\`jinja\n${tags}\n\`\`\`\n`), []);
    assert.deepEqual(written('{{ #tool:a }}'), ['#tool:a']);
    const ofArtifacts = 'Do #artifact:Case {{ #artifact:Case }} #tool:a #artifact:Case';
    const kept = ['#artifact:Case', '#tool:a', '#artifact:Case'];
    assert.deepEqual(written(`## Prompt Template\n\n${ofArtifacts}\n\n## Example: Case\n`), kept);
  });
});

describe('references to artifacts', () => {
  test('contain the longest artifact name that matches', () => {
    const text =
      'See #artifact:Check Prompt now, #artifact:Check and #artifact:Check Prompts.\n\n## Example: Check\n\n## PromptTemplate: Check Prompt\n';
    assert.deepEqual(written(text), ['#artifact:Check Prompt', '#artifact:Check', '#artifact:Check']);
  });

  test('contain one word in any script if no artifact name matches', () => {
    assert.deepEqual(written('#artifact:check Prompt. #artifact:Prüfung'), ['#artifact:check', '#artifact:Prüfung']);
  });

  test('use the kind to refer to an artifact without a name', () => {
    assert.deepEqual(written('#artifact:Approach.\n\n## approach\n'), ['#artifact:Approach']);
  });
});

test('reads references only in the given spans', () => {
  const text = '#tool:a #artifact:a #tool:b #artifact:b #tool:c';
  const { references, artifactSigns } = referenceReader.read(text, [{ start: 20, end: 39 }]);
  assert.deepEqual(
    references.map(({ name }) => name),
    ['b'],
  );
  assert.deepEqual(artifactSigns, [{ start: 28, end: 39 }]);
});
