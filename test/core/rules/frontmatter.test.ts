/** What the pages cannot show of the rules about frontmatter: line breaks, odd styles, odd files. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits, sliceOf } from '../../../server/src/text.ts';
import { crlf, findingsOf, fixed, rulesOf, skill, whole } from './findings.ts';

describe('line breaks and byte order marks', () => {
  it('a key is added with the line breaks of the file', () => {
    const text = crlf(skill(...whole.slice(0, 3)));
    assert.equal(fixed('a.skill.md', text, 'Add `input_schema: {}`'), crlf(skill(...whole)));
  });

  it('the frontmatter is added behind the byte order mark', () => {
    const text = '\uFEFFSay it.\r\n';
    const after = fixed('a.skill.md', text, 'Add the frontmatter');
    assert.ok(after.startsWith('\uFEFF---\r\nname: a\r\n'), after);
    assert.ok(after.endsWith('input_schema: {}\r\n---\r\n\r\nSay it.\r\n'), after);
  });

  it('an empty file becomes a skill to which only words for the model are missing', () => {
    const after = fixed('a.skill.md', '', 'Add the frontmatter');
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', after)), ['missing-framing']);
    assert.deepEqual(findingsOf('a.skill.md', `${after}\nSay it.\n`), []);
  });

  it('a duplicate goes with its line break', () => {
    const text = crlf(skill(...whole, 'tags: [x]', 'tags: [y]'));
    assert.equal(fixed('a.skill.md', text, 'Remove this entry'), crlf(skill(...whole, 'tags: [x]')));
  });
});

describe('odd styles', () => {
  it('a frontmatter in braces', () => {
    const text = skill('{name: a, description: Says it., input_schema: {}}');
    assert.equal(
      fixed('a.skill.md', text, 'Add `version: 1.0.0`'),
      skill('{name: a, description: Says it., version: 1.0.0, input_schema: {}}'),
    );
  });

  it('an empty frontmatter lacks each key, at the fence', () => {
    const text = '---\n---\nSay it.\n';
    const findings = findingsOf('a.skill.md', text);
    assert.deepEqual(rulesOf(findings), Array(4).fill('missing-key'));
    assert.deepEqual(new Set(findings.map(({ span }) => sliceOf(text, span))), new Set(['---']));
    assert.equal(fixed('a.skill.md', text, 'Add `name: a`'), '---\nname: a\n---\nSay it.\n');
  });

  for (const nothing of ['version:', 'version: ', 'version: ~', 'version: null', 'version: # soon']) {
    it(`\`${nothing}\` is empty`, () => {
      const text = skill('name: a', 'description: Says it.', nothing, 'input_schema: {}');
      assert.deepEqual(rulesOf(findingsOf('a.skill.md', text)), ['missing-key']);
      assert.deepEqual(findingsOf('a.skill.md', fixed('a.skill.md', text, 'Add `version: 1.0.0`')), []);
    });
  }

  it('a frontmatter that is no map is one wrong value', () => {
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', skill('- name', '- description'))), ['invalid-value']);
  });

  it('a duplicate in braces', () => {
    const text = skill(...whole, 'policy: {idempotent: true, timeout_ms: 3, idempotent: true}');
    assert.equal(
      fixed('a.skill.md', text, 'Remove this entry'),
      skill(...whole, 'policy: {idempotent: true, timeout_ms: 3}'),
    );
  });

  it('a third occurrence is removed as the one that it is', () => {
    const text = skill(...whole, 'tags: [x]', 'tags: [y]', 'tags: [z]');
    const [, third] = findingsOf('a.skill.md', text);
    const edits = third?.fixes[0]?.edits[0]?.edits ?? [];
    assert.equal(applyEdits(text, edits), skill(...whole, 'tags: [x]', 'tags: [y]'));
  });
});

describe('what may be done unasked', () => {
  const safetyOf = (text: string) => findingsOf('a.skill.md', text)[0]?.fixes[0]?.safe;

  it('quoting a text with a colon, not a list with something behind it', () => {
    assert.equal(safetyOf(skill('name: a', 'description: Says: it.')), true);
    assert.equal(safetyOf(skill('name: a', 'tags: [a, b] c')), false);
    assert.equal(safetyOf(skill('name: a', 'description: {{ name }} says it')), true);
  });

  it('removing a duplicate that says the same', () => {
    assert.equal(safetyOf(skill(...whole, 'tags: [x]', 'tags:\n  - x')), true);
    assert.equal(safetyOf(skill(...whole, 'tags: [x]', 'tags: [y]')), false);
  });
});

describe('files', () => {
  it('`SKILL.md` takes its folder’s name, and only the keys of its standard', () => {
    const after = fixed('Merge%20PDFs/SKILL.md', 'Merge.\n', 'Add the frontmatter');
    assert.equal(
      after,
      '---\nname: merge-pdfs\ndescription: What this skill does, and when to use it.\n---\n\nMerge.\n',
    );
  });

  it('rules in the text are no late frontmatter', () => {
    for (const text of ['\n---\nSay it.\n---\n', '\n# Say\n---\nname: it\n---\n']) {
      assert.match(findingsOf('a.skill.md', text)[0]?.message ?? '', /no frontmatter/);
    }
  });

  it('text that is not saved yet has no file to be named for', () => {
    assert.deepEqual(findingsOf('untitled:Untitled-1', skill(...whole)), []);
  });

  it('an address that is not well encoded', () => {
    assert.deepEqual(rulesOf(findingsOf('100%.skill.md', skill(...whole))), ['name-file-mismatch']);
  });

  it('a copy with the name of its original is a duplicate, and its name is no second defect', () => {
    const others = { 'a.skill.md': skill(...whole) };
    assert.ok(!rulesOf(findingsOf('a-2.skill.md', skill(...whole), others)).includes('name-file-mismatch'));
  });
});

describe('a key that is not known', () => {
  it('is a warning where it is nearly a known one, else a hint', () => {
    const severities = findingsOf('a.skill.md', skill(...whole, 'tols: []', 'wholly_other: 1')).map(
      ({ rule, severity }) => [rule, severity],
    );
    assert.deepEqual(severities, [
      ['unknown-key', 'warning'],
      ['unknown-key', 'hint'],
    ]);
  });

  it('is told what the key of another format is called here, which stands there only once', () => {
    for (const key of ['allowed-tools', 'alowed-tools', 'allowed_tools']) {
      const [found] = findingsOf('a.skill.md', skill(...whole, `${key}: []`));
      assert.match(found?.message ?? '', /Did you mean `tools`\?$/, key);
      assert.deepEqual([found?.severity, found?.fixes.map(({ title }) => title)], ['warning', ['Rename to `tools`']]);
    }
    const [twice] = findingsOf('a.skill.md', skill(...whole, 'tools: []', 'allowed-tools: []'));
    assert.deepEqual([twice?.rule, twice?.fixes], ['unknown-key', []]);
  });
});
