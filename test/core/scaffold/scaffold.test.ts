/** A new skill is valid and has no findings of any severity, for any name and description. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { findValue, stringOf } from '../../../server/src/languages/yaml/node.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { rules } from '../../../server/src/rules/engine/index.ts';
import { KINDS, type Scaffold, type ScaffoldRequest, scaffold } from '../../../server/src/scaffold/scaffold.ts';
import { cases } from '../../random.ts';

const made = (request: ScaffoldRequest): Scaffold => {
  const result = scaffold(request);
  assert.ok(!('problem' in result), 'problem' in result ? result.problem : '');
  return result;
};

const problemOf = (request: Partial<ScaffoldRequest>): string => {
  const result = scaffold({ kind: 'literal', name: 'draft-scene', ...request });
  assert.ok('problem' in result, 'it is refused');
  return result.problem;
};

/**
 * Turns on all rules, including those that are off by default, except `missing-owner` and `unclear-description`: a template
 * cannot know the owner and the description.
 */
const severities = Object.fromEntries(
  rules
    .filter(({ name }) => name !== 'missing-owner' && name !== 'unclear-description')
    .map(({ name }) => [name, 'hint']),
);

/** The document of a new skill in an otherwise empty workspace, after checking that it has no findings. */
function accepted({ fileName, text }: Scaffold) {
  const workspace = new Workspace();
  const uri = `file:///w/skills/${fileName}`;
  workspace.apply({ kind: 'overrides', severities: { ...severities, 'unclear-description': 'off' } });
  workspace.apply({ kind: 'text', uri, text });
  const analysis = workspace.analysis;
  const file = analysis.file(uri);
  assert.ok(file?.isSkill, `${fileName} is a skill`);
  assert.deepEqual(
    check(file, analysis).map(({ rule, message }) => `${rule}: ${message}`),
    [],
    text,
  );
  return file;
}

const textAt = (file: ReturnType<typeof accepted>, key: string): string | undefined =>
  stringOf(findValue(file.frontmatter.tree.root, key));

const NAMES = [
  'draft-scene',
  'a',
  '1',
  '007',
  '1e3',
  '0x1f',
  'null',
  'true',
  'no',
  '2024-01-31',
  'description',
  'x'.repeat(64),
];

const DESCRIPTIONS = [
  'Drafts a scene. Use it when the author asks for one.',
  'Use it for: pages',
  `It's "quoted", \\ and 'all' # that`,
  '- a list? {no} [no] & *no* !no | > % @ `no`',
  '---',
  'null',
  '🐉 dragons, 龍, and a family 👨‍👩‍👧',
  'one line\r\nand another\n\nand a third',
  '{{ 7 * 7 }} {% raw %} {# no #} $& $` $1',
  'tab\there, a null \0 and a bell \u0007',
  'x'.repeat(1024),
  undefined,
];

/** Characters with a meaning in YAML, Markdown or templates, and a few letters. */
const ODD = `"'\\:#-{}[]%&*!|>@\`,?~=<.$0a é龍🐉\r\n\t\0\u0085\u2028\ufeff`;

test('the description of a new SKILL.md has a finding until the author writes one', () => {
  for (const description of [undefined, 'Drafts a scene from its outline. Use when the user plans a chapter.']) {
    const { fileName, text, description: place } = made({ kind: 'agent-skill', name: 'draft-scene', description });
    const workspace = new Workspace();
    const uri = `file:///w/skills/${fileName}`;
    workspace.apply({ kind: 'text', uri, text });
    const file = workspace.analysis.file(uri);
    const found = (file ? check(file, workspace.analysis) : []).map(({ rule, span }) => ({ rule, span }));
    assert.deepEqual(found, description ? [] : [{ rule: 'unclear-description', span: place }]);
  }
});

for (const kind of KINDS) {
  test(`a new skill of kind ${kind} has no finding, whatever its name and description contain`, () => {
    for (const [at, description] of DESCRIPTIONS.entries()) {
      const name = NAMES[at] ?? 'draft-scene';
      const file = accepted(made({ kind, name, description }));
      assert.equal(textAt(file, 'name'), name);
      if (description) assert.equal(textAt(file, 'description'), description.replace(/[\r\n]+/g, ' '));
    }
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...ODD), minLength: 1, maxLength: 60 }), (text) => {
        fc.pre(text.trim() !== '');
        accepted(made({ kind, name: 'draft-scene', description: text }));
      }),
      cases(10),
    );
  });

  test(`a new skill of kind ${kind} is formatted`, () => {
    for (const tools of [[], ['read_page', 'mcp__wiki__search', 'wiki/search']]) {
      const { text } = made({ kind, name: 'draft-scene', tools });
      assert.doesNotMatch(text, /[ \t]$/m, 'no blank at the end of a line');
      assert.doesNotMatch(text, /\n{3}|\r/, 'no two empty lines in a row');
      assert.match(text, /[^\n]\n$/, 'one line break at the end');
      assert.doesNotMatch(text, /\{%-? raw|undefined|TBD|TODO|lorem/i);
      accepted({ ...made({ kind, name: 'draft-scene', tools }) });
    }
  });

  test(`the description of a new skill of kind ${kind} is at the returned position`, () => {
    for (const description of DESCRIPTIONS) {
      const { text, description: place } = made({ kind, name: 'description', description });
      const line = text.slice(0, place.start).split('\n').at(-1);
      assert.equal(line, 'description: ');
      assert.equal(text[place.end], '\n');
    }
  });
}

test('names files after the skill', () => {
  assert.deepEqual(
    KINDS.map((kind) => made({ kind, name: 'draft-scene' }).fileName),
    [
      'draft-scene.skill.md',
      'draft-scene.skill.md',
      'draft-scene.skill.md',
      'draft-scene.skill.yaml',
      'draft-scene/SKILL.md',
    ],
  );
});

test('writes stages, and uses the template as framing', () => {
  const staged = accepted(made({ kind: 'staged', name: 'a', tools: ['read_page', 'search'] }));
  assert.deepEqual(
    staged.body?.artifacts.map(({ kind, name }) => `${kind}: ${name}`),
    ['Approach: Approach', 'Example: a short question'],
  );
  assert.deepEqual(
    staged.body?.references.map(({ kind, name }) => `${kind} ${name}`),
    ['tool read_page', 'tool search'],
  );
  const template = accepted(made({ kind: 'template', name: 'a' }));
  assert.equal(textAt(template, 'framing'), template.body?.artifacts[0]?.name);
  assert.equal(template.templates.length, 1);
});

for (const [name, title, heading, subject] of [
  ['pdf-forms', 'PDF Forms', 'PDF Forms', 'PDF Forms'],
  ['pdf-forms', 'pdf-forms', 'Pdf forms', 'pdf forms'],
  ['pdf-forms', undefined, 'Pdf forms', 'pdf forms'],
  ['draft-scene', 'draft  scene', 'Draft scene', 'draft scene'],
  ['ios-builds', 'iOS builds', 'iOS builds', 'iOS builds'],
  ['c-style', 'C# style', 'C# style', 'C# style'],
  ['a-b', '## a `b`: [c](d.md) {{ e', 'A b c (d.md) e', 'a b c (d.md) e'],
  ['a', '龍 Größe', '龍 Größe', '龍 Größe'],
] as const) {
  test(`a new skill with the title ${title} has examples about ${subject}`, () => {
    const skill = made({ kind: 'agent-skill', name, title });
    assert.ok(skill.text.includes(`\n# ${heading}\n`), skill.text);
    assert.ok(skill.text.includes(`Handles requests such as "${subject}".`), skill.text);
    for (const kind of ['literal', 'template', 'staged'] as const) {
      const { text } = accepted(made({ kind, name, title }));
      assert.ok(text.includes(`topic: ${subject}\n`), text);
    }
  });
}

test('a new skill has no finding, whatever its title contains', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...KINDS),
      fc.string({ unit: fc.constantFrom(...ODD, '/', '(', ')', '_', '+', '!'), maxLength: 120 }),
      (kind, title) => {
        accepted(made({ kind, name: 'draft-scene', title }));
      },
    ),
    cases(40),
  );
});

test('refuses an invalid name with a suggestion', () => {
  assert.match(
    problemOf({ name: 'Draft Scene_2' }),
    /lower-case letters, digits and single hyphens.*Try `draft-scene-2`/,
  );
  assert.match(problemOf({ name: '../escape' }), /Try `escape`/);
  assert.match(problemOf({ name: 'x'.repeat(65) }), /at most 64/);
  for (const name of ['', ' ', '-', '龍', '{{ 7 * 7 }}'])
    assert.match(problemOf({ name }), /is not a valid skill name/);
  assert.ok(problemOf({ name: 'Ü '.repeat(1_000_000) }).length < 400);
});

test('refuses an empty description, a description that is too long, and an invalid tool', () => {
  assert.match(problemOf({ description: ' \n ' }), /The description is empty/);
  assert.match(problemOf({ description: 'x'.repeat(1025) }), /has 1,025 characters/);
  assert.match(problemOf({ tools: ['read_page', 'a, b]'] }), /`a, b\]` is not a valid tool name/);
});

test('does not render values from the user as templates', () => {
  const { text } = made({ kind: 'literal', name: 'a', description: '{{ range(3) | join }}{% include "x" %}' });
  assert.ok(text.includes('{{ range(3) | join }}{% include "x" %}'));
});

test('a new skill never has the name of a Windows device', () => {
  for (const name of ['con', 'aux', 'nul', 'com1', 'lpt9']) {
    for (const kind of KINDS) {
      assert.match(problemOf({ kind, name }), /^`(?:con|aux|nul|com1|lpt9)[./].* has the name of a Windows device\./);
    }
  }
  made({ kind: 'literal', name: 'console' });
});
