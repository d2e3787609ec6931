/** Laws of refactoring: a refactoring that keeps the meaning keeps every byte of each sample's prompt. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { invocationContextOf } from '../../server/src/analysis/package-of.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../server/src/composer/prepare.ts';
import { utf16 } from '../../server/src/features/locate.ts';
import { refactorActions } from '../../server/src/features/refactor/actions.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../server/src/rules/engine/checked-package.ts';
import type { SkillFile } from '../../server/src/skill/skill-file.ts';
import { applyEdits, span } from '../../server/src/text.ts';
import { compose } from '../core/composer/composing.ts';
import { cases } from '../random.ts';
import { samples, soundSamples } from './corpus.ts';
import { anyPath, anyText, damagedSample } from './mutate.ts';

const workspace = new Workspace();
for (const [path, text] of samples) workspace.apply({ kind: 'text', uri: `file:///samples/${path}`, text });

/** Calls a function with this text as the file, then restores the file. */
function withText<T>(uri: string, text: string, look: (file: SkillFile) => T): T {
  const kept = workspace.analysis.file(uri)?.text;
  workspace.apply({ kind: 'text', uri, text });
  const file = workspace.analysis.file(uri);
  try {
    assert.ok(file);
    return look(file);
  } finally {
    workspace.apply(kept === undefined ? { kind: 'delete', uri } : { kind: 'text', uri, text: kept });
  }
}

interface Result {
  readonly title: string;
  readonly text: string;
}

const results = (uri: string, text: string, start: number, end: number): readonly Result[] =>
  withText(uri, text, (file) =>
    refactorActions(workspace.analysis, file, utf16.range(file, span(start, end)), {}, utf16).map(
      ({ title, edit }) => ({
        title,
        text: applyEdits(
          text,
          (edit?.changes?.[uri] ?? []).map(({ range, newText }) => ({
            span: span(utf16.offset(file, range.start), utf16.offset(file, range.end)),
            newText,
          })),
        ),
      }),
    ),
  );

/** The prompt of every sample, or its errors; either the complete prompt or only its framing. */
const prompts = (uri: string, text: string, part?: 'framing'): readonly string[] =>
  withText(uri, text, () => {
    const skill = checkedPackageOf(workspace.analysis, uri);
    if (!skill) return [];
    return [undefined, ...skill.samples.map(({ name }) => name)].map((sample) => {
      const result = compose(prepareRequest(skill, invocationContextOf(workspace.analysis, uri), sample).request);
      if (!result.ok) return `fails: ${result.errors.map(({ kind }) => kind).join(' ')}`;
      const { segments, prompt } = result.composition;
      if (!part) return prompt;
      return (
        segments
          .filter((segment) => segment.part === part)
          .map((segment) => prompt.slice(segment.start, segment.end))
          .join('')
          // If text follows the framing, empty lines separate them.
          .trimEnd()
      );
    });
  });

const rulesOf = (uri: string, text: string): readonly string[] =>
  withText(uri, text, (file) => check(file, workspace.analysis).map(({ rule }) => rule)).sort();

/** The number of trials of each refactoring, recorded so that a test without cases fails. */
const seen = new Map<string, number>();

/** Checks the refactorings of a selection, except those with a result in `tried`, to which it adds the others. */
function checkAll(uri: string, text: string, start: number, end: number, tried = new Set<string>()): void {
  for (const { title, text: after } of results(uri, text, start, end)) {
    if (tried.has(after)) continue;
    tried.add(after);
    const kind = title.replace(/‘[^’]*’/g, '…');
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
    assert.notEqual(after, text, title);
    // Unused parameters are reported only if there is a template.
    const known = ['unused-parameter', ...rulesOf(uri, text)];
    for (const rule of rulesOf(uri, after)) assert.ok(known.includes(rule), `${title}: ${rule}`);
    const isExample = title.startsWith('Add an example');
    const part = title === 'Extract into a parameter' ? 'framing' : undefined;
    if (!isExample) assert.deepEqual(prompts(uri, after, part), prompts(uri, text, part), `${title}\n${after}`);
  }
}

/** An offset in a string, as a fraction. */
const share = fc.integer({ min: 0, max: 999 }).map((part) => part / 1000);

const paths = [...soundSamples.keys()].filter((path) => path.endsWith('.md') && !path.endsWith('SKILL.md'));

test('refactoring a sample keeps every prompt', () => {
  fc.assert(
    fc.property(fc.constantFrom(...paths), share, fc.nat(120), (path, at, length) => {
      const text = soundSamples.get(path) ?? '';
      const start = Math.floor(at * text.length);
      checkAll(`file:///samples/${path}`, text, start, Math.min(text.length, start + (length > 60 ? 0 : length)));
    }),
    cases(60),
  );
});

const SCHEMA = 'input_schema: {tone: string, words: "string[]", n: {type: integer, default: 3}}';
const SAMPLES =
  'samples:\n  one: {request: a siege, parameters: {tone: grim, words: [x, y]}}\n  two:\n    parameters:\n      tone: wry\n      words: []';
/** Markdown without tags. */
const words = fc.constantFrom(
  'Do it.',
  'in the  end',
  'Keep to two',
  '\n',
  '\n\n',
  ' ',
  '🦀',
  '`code`',
  '\n- item\n',
  '\n### Three\n',
  '<!-- note -->',
  '[link](x)',
  '\n1. one\n',
  '\n***\n',
  '\n```\n# x\n```\n',
  '{',
  '%}',
);
/** Template pieces with complete tags and blocks, so that most templates render. */
const { nested } = fc.letrec<{ piece: string; nested: string }>((tie) => ({
  nested: fc.array(tie('piece'), { minLength: 1, maxLength: 4 }).map((all) => all.join('')),
  piece: fc.oneof(
    { maxDepth: 3 },
    { weight: 4, arbitrary: words },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '{{ tone }}',
        ' {{- n -}} ',
        '{% set x = tone %}{{ x }}',
        '{% raw %}{{ y }}{% endraw %}',
        '{# note #}',
        '{% include "tail" %}',
        '{{ loop.index if loop is defined }}',
      ),
    },
    fc
      .tuple(tie('nested'), tie('nested'))
      .map(([one, two]) => `{% if tone == "grim" -%} ${one} {% else %}${two}{%- endif %}`),
    tie('nested').map((inner) => `{% for word in words %}${inner}{{ word }}\n{%- endfor -%}`),
    tie('nested').map((inner) => `{% filter upper %}${inner}{% endfilter %}`),
    tie('nested').map((inner) => `{% macro m(a) %}${inner}{% endmacro %}{{ m(1) }}`),
  ),
}));
const text = fc.oneof(
  { weight: 3, arbitrary: nested },
  fc.array(words, { minLength: 1, maxLength: 8 }).map((all) => all.join('')),
);
const prose = fc.array(
  fc.oneof(words, fc.constantFrom('\n\n## Rules\n\n', '\n\n# Title\n\n', '\n\n## Description: d\n\n')),
  {
    minLength: 1,
    maxLength: 10,
  },
);

const literal = fc
  .tuple(prose, prose)
  .map(
    ([one, two]) =>
      `---\nname: x\ndescription: X.\nversion: 1.0.0\n${SCHEMA}\n${SAMPLES}\n---\n\n${one.join('')}\n\n## Description: e\n\nE.\n\n## Rules\n\n${two.join('')}\n`,
  );
const templated = fc
  .tuple(text, text, fc.boolean(), fc.constantFrom('\n', '\r\n'))
  .map(([one, tail, isFenced, lineBreak]) => {
    const two = tail.replaceAll('{% include "tail" %}', '');
    const inner = isFenced ? `\`\`\`\`jinja\n${one}\n\`\`\`\`` : one;
    const body = `# T\n\n## PromptTemplate: main\n\n${inner}\n\n## Description: d\n\nD.\n\n## PromptTemplate: tail\n\n${two}\n`;
    return `---\nname: x\ndescription: X.\nversion: 1.0.0\n${SCHEMA}\nframing: main\n${SAMPLES}\n---\n\n${body}`.replaceAll(
      '\n',
      lineBreak,
    );
  });

/** The boundaries of tags, words and lines, where selections begin and end. */
const edgesOf = (file: string, from: number): readonly number[] =>
  [...file.slice(from).matchAll(/(?<=[}%]\})|(?=\{[{%])|\b|$/gm)].map(({ index }) => from + index);

test('refactoring a random skill keeps every prompt', () => {
  const place = fc.tuple(share, fc.nat(8));
  fc.assert(
    fc.property(fc.oneof(literal, templated), fc.array(place, { minLength: 3, maxLength: 3 }), (file, places) => {
      const edges = edgesOf(file, file.indexOf('---', 3) + 4);
      for (const [at, length] of places) {
        const first = Math.floor(at * edges.length);
        const [start, end] = [edges[first], edges[Math.min(edges.length - 1, first + length)]];
        if (start !== undefined && end !== undefined) checkAll('file:///samples/skills/x.skill.md', file, start, end);
      }
    }),
    cases(40),
  );
});

const written = (head: string, body: string): string =>
  `---\nname: x\ndescription: X.\nversion: 1.0.0\n${SCHEMA}\n${SAMPLES}\n${head}---\n\n${body}\n`;

test('refactoring any selection keeps every prompt in skills with all constructs', () => {
  const files = [
    written('', '# T\n\nDo {{ it }}.\n\n## Description: d\n\nD.\n\n## Rules\n\nBe kind.'),
    written('framing: main\n', '## Description: d\n\nD.\n\n## PromptTemplate: main\n\nDo it.\n\nWell.'),
    written(
      '',
      '## PromptTemplate: main\n\n{% for word in words -%}\n{{ word }} of\n{%- endfor %}\n\n{% if tone %}two{% endif %}',
    ),
  ];
  for (const file of files) {
    const edges = edgesOf(file, file.indexOf('input_schema'));
    const tried = new Set<string>();
    for (const [at, start] of edges.entries()) {
      checkAll('file:///samples/skills/x.skill.md', file, start, edges[at + (at % 6)] ?? start, tried);
    }
  }
  for (const kind of [
    'Extract into a parameter',
    'Extract into an included template',
    'Convert the framing to a template',
    'Convert the template to literal framing',
    'Convert … to JSON Schema',
    'Add an example from the sample …',
  ]) {
    assert.ok((seen.get(kind) ?? 0) > 0, `${kind} was never offered`);
  }
});

test('converting literal framing to a template and back keeps every prompt', () => {
  fc.assert(
    fc.property(literal, (file) => {
      const uri = 'file:///samples/skills/x.skill.md';
      const body = file.indexOf('---', 3) + 4;
      for (const there of results(uri, file, body + 1, body + 1)) {
        if (there.title !== 'Convert the framing to a template') continue;
        const at = there.text.indexOf('## PromptTemplate: framing');
        const back = results(uri, there.text, at, at).find(({ title }) => title.startsWith('Convert the template'));
        // Prose of several passages becomes one passage.
        if (back) assert.equal(prompts(uri, back.text).join(), prompts(uri, file).join());
      }
    }),
    cases(30),
  );
});

test('refactoring never throws for any selection in any text', () => {
  fc.assert(
    fc.property(
      fc.oneof(damagedSample, fc.record({ path: anyPath, text: anyText })),
      fc.nat(),
      fc.nat(60),
      (file, at, length) => {
        const start = at % (file.text.length + 1);
        results(`file:///samples/${file.path}`, file.text, start, Math.min(file.text.length, start + length));
      },
    ),
    cases(60),
  );
});
