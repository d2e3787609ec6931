/**
 * The edits of the formatter. Each case is a file before and after formatting; formatting the result again changes
 * nothing.
 */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { format, formatOnType } from '../../../server/src/features/format/format.ts';
import { KINDS, scaffold } from '../../../server/src/scaffold/scaffold.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { applyEdits, span } from '../../../server/src/text.ts';
import { tableOf } from '../../../server/src/vocabulary/tables.ts';
import { withCursor } from '../with-cursor.ts';

const URI = 'file:///w/skills/draft-scene.skill.md';

const head = (...lines: string[]): string => ['---', ...lines, '---', '', 'Draft it.', ''].join('\n');

function formatted(text: string, uri = URI): string {
  return applyEdits(text, format(new SkillFile(uri, text)).edits);
}

const cases: Readonly<Record<string, readonly [string, string]>> = {
  'keys stand in the order of the format': [
    head('version: 1.0.0', 'input_schema: {}', 'description: Drafts.', 'name: draft-scene'),
    head('name: draft-scene', 'description: Drafts.', 'version: 1.0.0', 'input_schema: {}'),
  ],
  'a comment travels with the key below it, one behind a value with its value': [
    head('version: 1.0.0 # the first', '# what others call it', '# and what the file is called', 'name: draft-scene'),
    head('# what others call it', '# and what the file is called', 'name: draft-scene', 'version: 1.0.0 # the first'),
  ],
  'a comment that stands deeper than the keys belongs to the value above it': [
    head('tools:', '  - a', '  # - b', 'name: draft-scene'),
    head('name: draft-scene', 'tools:', '  - a', '  # - b'),
  ],
  'what speaks of the whole file stays on top': [
    head('# yaml-language-server: $schema=x', 'version: 1.0.0', 'name: a'),
    head('# yaml-language-server: $schema=x', 'name: a', 'version: 1.0.0'),
  ],
  'so does a comment that an empty line parts from the first key': [
    head('# Drafting, second attempt', '', 'version: 1.0.0', 'name: a'),
    head('# Drafting, second attempt', '', 'name: a', 'version: 1.0.0'),
  ],
  'empty lines part what they parted, and none comes to stand on top': [
    head('input_schema: {}', '', 'name: a', 'version: 1.0.0'),
    head('name: a', 'version: 1.0.0', '', 'input_schema: {}'),
  ],
  'a key that the format does not know stays below the key that it followed': [
    head('version: 1.0.0', 'x-team: y', 'tols: [a]', 'name: a'),
    head('name: a', 'version: 1.0.0', 'x-team: y', 'tols: [a]'),
  ],
  'accepted spellings of a key stand where the key does': [
    head('output: {a: string}', 'input: {b: string}', 'name: a'),
    head('name: a', 'input: {b: string}', 'output: {a: string}'),
  ],
  'an alias stays below its anchor': [
    head('output_schema: &s {a: string}', 'version: 1.0.0', 'input_schema: *s', 'name: a'),
    head('name: a', 'version: 1.0.0', 'output_schema: &s {a: string}', 'input_schema: *s'),
  ],
  'blanks at the ends of lines go, those in strings of several lines stay': [
    head('name: a  ', '# c\t', 'description: |  ', '  one  ', '   ', '  two', 'version: 1.0.0 ', 'tags:   '),
    head('name: a', '# c', 'description: |  ', '  one  ', '   ', '  two', 'version: 1.0.0', 'tags:'),
  ],
  'blanks go from what moves, too': [head('version: 1.0.0  ', 'name: a  '), head('name: a', 'version: 1.0.0')],
  'the empty lines that a block keeps move with it': [
    head('version: 1.0.0', 'description: |+', '  one', '', 'name: a'),
    head('name: a', 'description: |+', '  one', '', 'version: 1.0.0'),
  ],
  'headings of artifacts': [
    '##   prompt template :  main   ##\n\nDo.\n\n##EXAMPLE\n\n## EXAMPLE:\n\n### input:\n\nx\n\n###  Output\n\ny\n\napproach\n--------\n\nz\n',
    '## PromptTemplate: main\n\nDo.\n\n##EXAMPLE\n\n## Example\n\n### Input\n\nx\n\n### Output\n\ny\n\n## Approach\n\nz\n',
  ],
  'headings of prose, in fences and of other levels are not touched': [
    '#  A title\n\n##  Rules \n\n###  example: x\n\n```\n##  example: y\n```\n\n## Exmaple: z\n',
    '#  A title\n\n##  Rules \n\n###  example: x\n\n```\n##  example: y\n```\n\n## Exmaple: z\n',
  ],
  'the last line ends': ['---\nname: a\n---\n\nDo  ', '---\nname: a\n---\n\nDo  \n'],
  'but for a fence that never does': ['---\nname: a\n---\n\n```\nDo', '---\nname: a\n---\n\n```\nDo'],
  'a byte order mark stays': ['\uFEFF---\nversion: 1.0.0\nname: a\n---\n', '\uFEFF---\nname: a\nversion: 1.0.0\n---\n'],
};

describe('formatting', () => {
  for (const [title, [before, after]] of Object.entries(cases)) {
    it(title, () => {
      assert.equal(formatted(before), after);
      assert.deepEqual(format(new SkillFile(URI, after)).edits, [], 'formatted again');
      const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
      assert.equal(formatted(crlf(before)), crlf(after), 'with CRLF');
    });
  }

  it('sorts a contract, even without a final line break', () => {
    const uri = 'file:///w/read-page.skill.yaml';
    assert.equal(formatted('version: 1.0.0\nname: read-page', uri), 'name: read-page\nversion: 1.0.0\n');
    assert.equal(formatted('name: read-page\nversion: 1.0.0', uri), 'name: read-page\nversion: 1.0.0\n');
    assert.equal(formatted('{version: 1.0.0, name: a}\n', uri), '{version: 1.0.0, name: a}\n');
  });

  it('sorts a SKILL.md in the order of the open standard, and keeps its headings', () => {
    const text = '---\nlicense: MIT\nmodel: opus\ndescription: Tidies.\nname: tidy\n---\n\n##  example :  x\n';
    assert.equal(
      formatted(text, 'file:///w/tidy/SKILL.md'),
      '---\nname: tidy\ndescription: Tidies.\nlicense: MIT\nmodel: opus\n---\n\n##  example :  x\n',
    );
  });

  it('ignores the catalog and files that are not skills', () => {
    const text = 'tools: []  ';
    assert.deepEqual(format(new SkillFile('file:///w/skills.config.yaml', text)).edits, []);
    assert.deepEqual(format(new SkillFile('file:///w/skills/README.md', '##  example')).edits, []);
  });

  it('moves as few lines as possible', () => {
    const long = `description: ${'Drafts. '.repeat(20)}end`;
    const text = head('name: a', 'input_schema: {}', long, 'version: 1.0.0');
    const { edits } = format(new SkillFile(URI, text));
    assert.deepEqual(
      edits.map(({ span: place, newText }) => [text.slice(place.start, place.end), newText]),
      [
        ['input_schema: {}\n', ''],
        ['', 'input_schema: {}\n'],
      ],
    );
  });

  it('does not change a file with invalid frontmatter, and reports the reason', () => {
    const { edits, problem } = format(new SkillFile(URI, head('version: 1.0.0  ', 'tools: [a', 'name: a')));
    assert.deepEqual(edits, []);
    assert.match(problem ?? '', /^Not formatted: the frontmatter cannot be read\. /);
  });

  it('sorts only the keys in a selected range', () => {
    const text = head('version: 1.0.0', 'tags: [a]  ', 'license: MIT', 'name: a  ');
    const start = text.indexOf('tags');
    const { edits } = format(new SkillFile(URI, text), span(start, text.indexOf('MIT')));
    assert.equal(applyEdits(text, edits), head('version: 1.0.0', 'license: MIT', 'tags: [a]', 'name: a  '));
  });
});

test('formats only the heading of an artifact when a line break is typed after it', () => {
  const typed = (marked: string): string => {
    const { text, offset } = withCursor(marked);
    return applyEdits(text, formatOnType(new SkillFile(URI, text), offset).edits);
  };
  assert.equal(typed('---\nname: a  \n---\n\n## example : x\n$0'), '---\nname: a  \n---\n\n## Example: x\n');
  assert.equal(typed('## example : x\n\n$0'), '## example : x\n\n');
  assert.equal(typed('## example : x\nword\n$0'), '## example : x\nword\n');
  assert.equal(typed('##  rules :\n$0'), '##  rules :\n');
});

test('keeps the headings of a SKILL.md', () => {
  const text = '---\nname: a\ndescription: Does it.\n---\n\n## example : x\n';
  const uri = 'file:///w/skills/a/SKILL.md';
  assert.equal(formatted(text, uri), text);
  assert.deepEqual(formatOnType(new SkillFile(uri, text), text.length).edits, []);
});

test('sorts keys in the order of the table in section 2 of docs/format.md', () => {
  const listed =
    'name id description version title author owner license tags source intent_patterns trigger_phrases required_scopes ' +
    'allowed_roles allowed_contexts tools requires_tools input_schema output_schema errors interrupts progress exit framing ' +
    'model_preference planner_delegates_shape samples routing retry examples surfaces level composes requires execution effects operation deprecated adapts ' +
    'policy capabilities_required backing_service';
  assert.deepEqual(
    tableOf('composer').map(({ name }) => name),
    listed.split(' '),
  );
});

test('a new skill is already formatted', () => {
  for (const kind of KINDS) {
    const made = scaffold({ kind, name: 'draft-scene', tools: kind === 'contract' ? [] : ['read_page'] });
    assert.ok('text' in made, kind);
    assert.deepEqual(format(new SkillFile(`file:///w/skills/${made.fileName}`, made.text)).edits, [], kind);
  }
});
