/**
 * The scopes of the grammar. Each fixture has `^^^ scope` under every span with one of the scopes listed here; no other
 * text in the file has these scopes. `UPDATE_EXPECT=1` writes the markers.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import textmate from 'vscode-textmate';
import { loadGrammar, withMarkers, withoutMarkers } from './tokenize.ts';

const folder = 'test/core/grammar/fixtures';

const watched: Readonly<Record<string, readonly string[]>> = {
  'frontmatter.skill.md': [
    'punctuation.definition.begin',
    'punctuation.definition.end',
    'entity.name.tag.yaml',
    'comment.line',
    'meta.paragraph',
    'markup.heading',
  ],
  'conditions.skill.md': ['meta.embedded.expression', 'meta.flow-reference', 'string.unquoted'],
  'values.skill.md': ['meta.embedded.prose', 'support', 'variable.other.enummember', 'keyword.control'],
  'headings.skill.md': ['entity.name.type', 'entity.name.function', 'entity.name.section', 'invalid.deprecated'],
  'references.skill.md': [
    'meta.reference',
    'support',
    'variable.other',
    'keyword.other',
    'entity.name.function',
    'markup.inline.raw',
  ],
  'template.skill.md': [
    'meta.output',
    'meta.statement',
    'meta.raw.minijinja',
    'comment.block',
    'markup.bold',
    'entity.name',
  ],
  'template-fence.skill.md': ['meta.output', 'meta.statement', 'meta.artifact-metadata', 'markup.heading'],
  'unclosed.skill.md': ['meta.output', 'meta.statement', 'meta.raw.minijinja', 'comment.block', 'entity.name.type'],
  'contract.skill.yaml': ['entity.name.tag.yaml', 'comment.line', 'markup', 'meta.embedded.expression'],
  'contract-after-comment.skill.yaml': ['entity.name.tag.yaml', 'comment.line', 'markup'],
  'no-frontmatter.md': ['entity.name', 'comment.line', 'meta.reference', 'meta.paragraph'],
};

describe('the skill grammar', async () => {
  const grammar = await loadGrammar('text.html.markdown.skillmd');

  it('has a test for every fixture', () => {
    assert.deepEqual(readdirSync(folder).sort(), [...Object.keys(watched), 'expressions.jinja'].sort());
  });

  for (const [file, scopes] of Object.entries(watched)) it(file, () => checkFixture(grammar, file, scopes));

  it('tokenizes long lines of a template quickly', () => {
    const { ruleStack } = grammar.tokenizeLine('## PromptTemplate', textmate.INITIAL);
    /**
     * The shortest of several runs, in milliseconds of wall-clock time: load on the machine only adds time. Processor
     * time is less reliable: Linux may count a whole short run as system time, so that user time is 0.
     */
    const cost = (line: string): number => {
      const runs = Array.from({ length: 5 }, () => {
        const before = performance.now();
        grammar.tokenizeLine(line, ruleStack);
        return performance.now() - before;
      });
      return Math.min(...runs);
    };
    for (const piece of ['` a', '`` a ` ', '{{ a ', '<a ']) {
      const times = Math.floor(250 / piece.length);
      cost(piece.repeat(times));
      const short = Math.max(0.2, cost(piece.repeat(times)));
      // A string of four times the length takes at most about 16 times as long if lookahead reads the rest of the line.
      // A slow pattern is slow in every run.
      const isCheap = (): boolean => cost(piece.repeat(4 * times)) < 40 * short;
      assert.ok(isCheap() || isCheap() || isCheap(), piece);
    }
  });
});

describe('the template grammar', async () => {
  const grammar = await loadGrammar('source.minijinja');
  const scopes = ['keyword', 'constant', 'support', 'variable', 'entity', 'string.quoted', 'meta.raw', 'comment.block'];
  it('expressions.jinja', () => checkFixture(grammar, 'expressions.jinja', scopes));
});

function checkFixture(grammar: Awaited<ReturnType<typeof loadGrammar>>, file: string, scopes: readonly string[]) {
  const path = `${folder}/${file}`;
  const fixture = readFileSync(path, 'utf8');
  const actual = withMarkers(grammar, withoutMarkers(fixture), scopes);
  if (process.env.UPDATE_EXPECT === '1') writeFileSync(path, actual);
  else assert.equal(actual, fixture);
}
