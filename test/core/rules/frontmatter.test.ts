/** Cases of the rules about frontmatter that their pages cannot show: line endings, unusual styles, unusual files. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits, sliceOf } from '../../../server/src/text.ts';
import { crlf, findingsOf, fixed, rulesOf, skill, wholeText } from './findings.ts';

describe('fixes', () => {
  it('use the line breaks of the file for a new key', () => {
    const text = crlf(skill(...wholeText.slice(0, 3)));
    assert.equal(fixed('a.skill.md', text, 'Add `input_schema: {}`'), crlf(skill(...wholeText)));
  });

  it('add the frontmatter after the byte order mark', () => {
    const text = '\uFEFFSay it.\r\n';
    const after = fixed('a.skill.md', text, 'Add the frontmatter');
    assert.ok(after.startsWith('\uFEFF---\r\nname: a\r\n'), after);
    assert.ok(after.endsWith('input_schema: {}\r\n---\r\n\r\nSay it.\r\n'), after);
  });

  it('turn an empty file into a skill that lacks only text for the model', () => {
    const after = fixed('a.skill.md', '', 'Add the frontmatter');
    // The placeholder in the description is reported, too.
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', after)), ['missing-framing', 'missing-key']);
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', `${after}\nSay it.\n`)), ['missing-key']);
  });

  it('remove a duplicate with its line break', () => {
    const text = crlf(skill(...wholeText, 'tags: [x]', 'tags: [y]'));
    assert.equal(fixed('a.skill.md', text, 'Remove this entry'), crlf(skill(...wholeText, 'tags: [x]')));
  });
});

describe('frontmatter that clients do not find', () => {
  const keys = 'name: x\ndescription: Does one thing. Use it when asked.\n';
  const right = (body: string) => `---\n${keys}---\n${body}`;
  const rows: readonly (readonly [text: string, after: string, isSafe?: boolean])[] = [
    // Text before it moves below it.
    [`<!--\n(c) A\n-->\n\n---\n${keys}---\n# B\n`, right('<!--\n(c) A\n-->\n\n# B\n'), true],
    [`# X\n---\n${keys}---\nSay it.\n`, right('# X\nSay it.\n')],
    [`#!/bin/skill\n---\n${keys}---\n# B\n`, right('#!/bin/skill\n# B\n')],
    [`\u200B---\n${keys}---\n# B\n`, right('# B\n'), true],
    [`Here it is:\n\`\`\`md\n---\n${keys}---\n# B\n\`\`\`\n`, right('Here it is:\n# B\n')],
    // A fence or a comment around it, or around the file.
    [
      `\`\`\`\n---\n${keys}---\n\n~~~\na\n~~~\n\`\`\`sh\nls\n\`\`\`\n\`\`\`\n`,
      right('\n~~~\na\n~~~\n```sh\nls\n```\n'),
    ],
    [`\`\`\`\`markdown\n---\n${keys}---\n\`\`\`\nls\n\`\`\`\n\`\`\`\`\n`, right('```\nls\n```\n')],
    [`\`\`\`markdown\n---\n${keys}---\n\`\`\`\nls\n\`\`\`\n`, right('```\nls\n```\n')],
    [`\`\`\`yaml\n---\n${keys}---\n\`\`\`\n\n# B\n`, right('\n# B\n')],
    [`\`\`\`yaml\n${keys}\`\`\`\n\n# B\n`, right('\n# B\n')],
    [`<!--\n---\n${keys}---\n-->\n# B\n`, right('# B\n')],
    // Other lines than `---`.
    ...['----', '–––', '—', '***', '* * *', '___', '===', '\\---', '---yaml'].map(
      (line) => [`${line}\n${keys}${line}\n# B\n`, right('# B\n')] as const,
    ),
    [` ---\n${keys} ---\n# B\n`, right('# B\n'), true],
    [`  ---\n  ${keys.trim().replace('\n', '\n  ')}\n  ---\n# B\n`, right('# B\n'), true],
    [`${keys}---\n# B\n`, right('# B\n')],
    [`${keys}\n# B\n`, right('\n# B\n')],
    ['+++\nname = "x"\ndescription = "Does: it"\n+++\n# B\n', '---\nname: "x"\ndescription: "Does: it"\n---\n# B\n'],
    ['--- name: x description: Does it. ---\n# B\n', '---\nname: x\ndescription: Does it.\n---\n# B\n'],
  ];
  for (const [text, after, isSafe = false] of rows) {
    it(`is put in its place in ${JSON.stringify(text.slice(0, 40))}`, () => {
      for (const convert of [(one: string) => one, crlf, (one: string) => `\uFEFF${one}`]) {
        const [finding, ...others] = findingsOf('x/SKILL.md', convert(text)).filter(
          ({ rule }) => rule !== 'invisible-text',
        );
        assert.deepEqual([finding?.rule, others], ['missing-frontmatter', []]);
        assert.deepEqual(
          finding?.fixes.map(({ safe }) => safe),
          [isSafe],
        );
        assert.equal(fixed('x/SKILL.md', convert(text), finding?.fixes[0]?.title ?? ''), convert(after));
      }
    });
  }

  it('is not inserted a second time if it cannot be converted', () => {
    const [finding] = findingsOf('x/SKILL.md', '+++\nname = "x"\n[a]\nb = [\n1]\n+++\n');
    assert.deepEqual(finding?.fixes, []);
  });

  it('is not an example in a code fence, a rule, or prose with a colon', () => {
    for (const text of [
      `# X\n\n\`\`\`yaml\n---\nname: y\ndescription: An example.\n---\n\`\`\`\n`,
      '# X\n\n---\n\nNote: this.\n\n---\n',
      'name: of a thing\n\nSay it.\n',
    ]) {
      const [finding] = findingsOf('x/SKILL.md', text);
      assert.deepEqual(
        finding?.fixes.map(({ title }) => title),
        ['Add the frontmatter'],
        text,
      );
    }
  });

  it('has a line at its end that is not quite `---`', () => {
    for (const line of ['----', '  ---', '–––', '***', '===']) {
      const text = `---\n${keys}${line}\n\n# B\n`;
      assert.equal(fixed('x/SKILL.md', text, 'Replace the line with `---`'), right('\n# B\n'), line);
    }
  });
});

describe('a `#` in a text', () => {
  const hits = (...lines: string[]) =>
    findingsOf('x/SKILL.md', skill('name: x', ...lines)).filter(({ rule }) => rule === 'invalid-yaml');

  it('is reported where it ends the text, and the fix quotes the whole text', () => {
    const rows = [
      ['description: Closes issue #12 now.', 'description: "Closes issue #12 now."'],
      ['description: For C # and F # code. Use it.', 'description: "For C # and F # code. Use it."'],
      ['description: Say "it\'s" #loud', "description: 'Say \"it''s\" #loud'"],
      ['description: Closes\n  an issue #12 now.', 'description: "Closes\n  an issue #12 now."'],
      [
        'description: Closes\n  an issue #12 or\n  two. Use it.',
        'description: "Closes\n  an issue #12 or\n  two. Use it."',
      ],
      ['description: a\nwhen_to_use: On issue #5', 'description: a\nwhen_to_use: "On issue #5"'],
    ] as const;
    for (const [line, after] of rows) {
      assert.equal(hits(line).length, 1, line);
      assert.equal(fixed('x/SKILL.md', skill('name: x', line), 'Put the value in quotes'), skill('name: x', after));
    }
  });

  it('is not reported in quotes, in a block, in a word, or as a note', () => {
    for (const line of [
      'description: "Closes #12"',
      'description: >-\n  Closes #12 # now',
      'description: C# and a#b',
      'description: Does it. # soon',
      'description: Does it  # required',
      'description: Does it # required',
      'license: MIT # or any other licence. Ask us.',
    ]) {
      assert.deepEqual(hits(line), [], line);
    }
  });
});

it('text after the sign of a block moves to the next line if the block has more lines', () => {
  const text = skill('name: x', 'description: > Does it.', '  Use it when asked.');
  const after = skill('name: x', 'description: >', '  Does it.', '  Use it when asked.');
  assert.equal(fixed('x/SKILL.md', text, 'Move the text to the next line'), after);
});

describe('the rules for frontmatter', () => {
  it('support frontmatter in braces', () => {
    const text = skill('{name: a, description: Says it., input_schema: {}}');
    assert.equal(
      fixed('a.skill.md', text, 'Add `version: 1.0.0`'),
      skill('{name: a, description: Says it., version: 1.0.0, input_schema: {}}'),
    );
  });

  it('report each missing key of empty frontmatter at the fence', () => {
    const text = '---\n---\nSay it.\n';
    const findings = findingsOf('a.skill.md', text);
    assert.deepEqual(rulesOf(findings), Array(4).fill('missing-key'));
    assert.deepEqual(new Set(findings.map(({ span }) => sliceOf(text, span))), new Set(['---']));
    assert.equal(fixed('a.skill.md', text, 'Add `name: a`'), '---\nname: a\n---\nSay it.\n');
  });

  for (const nothing of ['version:', 'version: ', 'version: ~', 'version: null', 'version: # soon']) {
    it(`report \`${nothing}\` as a missing key`, () => {
      const text = skill('name: a', 'description: Says it.', nothing, 'input_schema: {}');
      assert.deepEqual(rulesOf(findingsOf('a.skill.md', text)), ['missing-key']);
      assert.deepEqual(findingsOf('a.skill.md', fixed('a.skill.md', text, 'Add `version: 1.0.0`')), []);
    });
  }

  it('report frontmatter that is not a map as one wrong value', () => {
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', skill('- name', '- description'))), ['invalid-value']);
  });

  it('offer to remove a duplicate in braces', () => {
    const text = skill(...wholeText, 'policy: {idempotent: true, timeout_ms: 3, idempotent: true}');
    assert.equal(
      fixed('a.skill.md', text, 'Remove this entry'),
      skill(...wholeText, 'policy: {idempotent: true, timeout_ms: 3}'),
    );
  });

  it('offer to remove only the reported occurrence of a key', () => {
    const text = skill(...wholeText, 'tags: [x]', 'tags: [y]', 'tags: [z]');
    const [, third] = findingsOf('a.skill.md', text);
    const edits = third?.fixes[0]?.edits[0]?.edits ?? [];
    assert.equal(applyEdits(text, edits), skill(...wholeText, 'tags: [x]', 'tags: [y]'));
  });
});

describe('safe fixes', () => {
  const safetyOf = (text: string) => {
    const found = findingsOf('a.skill.md', text);
    return (found.find(({ rule }) => rule === 'invalid-yaml') ?? found[0])?.fixes[0]?.safe;
  };

  it('quote a string with a colon, but not text after a list', () => {
    assert.equal(safetyOf(skill('name: a', 'description: Says: it.')), true);
    assert.equal(safetyOf(skill('name: a', 'tags: [a, b] c')), false);
    assert.equal(safetyOf(skill('name: a', 'description: {{ name }} says it')), true);
  });

  it('quote no list item that was a key of the map above it', () => {
    const text = 'tags:\n    a: b\n  - c d\n    e: f\n    g: h\n';
    assert.deepEqual(
      findingsOf('a.skill.yaml', text).flatMap(({ rule, fixes }) => (rule === 'invalid-yaml' ? fixes : [])),
      [],
    );
  });

  it('quote no entries below a value whose key was deleted', () => {
    const lines = ['version: 1.0', '  toll house:', '    request: Get ready', '  other: x'];
    assert.equal(safetyOf(skill('name: a', ...lines)), undefined);
  });

  it('leave it to the author whether a deeper line with a key belongs to the text above it', () => {
    const safety = (line: string) => safetyOf(skill('name: a', 'description: Says it to all', line));
    assert.equal(safety('  license: MIT'), false);
    assert.equal(safety('  - who: listens'), false);
    assert.equal(safety('  of them: always.'), true);
  });

  it('remove no duplicate from broken YAML, where an entry may contain other lines', () => {
    const text = skill('name: a', 'tags: [x', 'tags: [x', 'version: 1.0.0', 'input_schema: {}');
    const duplicate = findingsOf('a.skill.md', text).find(({ rule }) => rule === 'duplicate-key');
    assert.deepEqual(duplicate?.fixes, []);
  });

  it('remove a duplicate with an equal value', () => {
    assert.equal(safetyOf(skill(...wholeText, 'tags: [x]', 'tags:\n  - x')), true);
    assert.equal(safetyOf(skill(...wholeText, 'tags: [x]', 'tags: [y]')), false);
  });
});

describe('files', () => {
  it('new frontmatter of a `SKILL.md` contains the folder’s name, and only keys of the standard', () => {
    const after = fixed('Merge%20PDFs/SKILL.md', 'Merge.\n', 'Add the frontmatter');
    assert.equal(
      after,
      '---\nname: merge-pdfs\ndescription: What this skill does, and when to use it.\n---\n\nMerge.\n',
    );
  });

  it('thematic breaks in the text are not frontmatter', () => {
    for (const text of ['\n---\nSay it.\n---\n', '\n# Say\n---\nname: it\n---\n']) {
      assert.match(findingsOf('a.skill.md', text)[0]?.message ?? '', /no frontmatter/);
    }
  });

  it('unsaved text has no file name to compare with', () => {
    assert.deepEqual(findingsOf('untitled:Untitled-1', skill(...wholeText)), []);
  });

  it('accepts an invalid percent-encoding in a URI', () => {
    assert.deepEqual(rulesOf(findingsOf('100%.skill.md', skill(...wholeText))), ['name-file-mismatch']);
  });

  it('a copy with the name of its original is reported only as a duplicate', () => {
    const others = { 'a.skill.md': skill(...wholeText) };
    assert.ok(!rulesOf(findingsOf('a-2.skill.md', skill(...wholeText), others)).includes('name-file-mismatch'));
  });
});

describe('an unknown key', () => {
  it('is reported as a warning if it is similar to a known key, and otherwise as a hint', () => {
    const severities = findingsOf('a.skill.md', skill(...wholeText, 'tols: []', 'wholly_other: 1')).map(
      ({ rule, severity }) => [rule, severity],
    );
    assert.deepEqual(severities, [
      ['unknown-key', 'warning'],
      ['unknown-key', 'hint'],
    ]);
  });

  it('is reported with a suggestion if another format uses that key, unless the suggested key exists', () => {
    for (const key of ['allowed-tools', 'alowed-tools', 'allowed_tools']) {
      const [found] = findingsOf('a.skill.md', skill(...wholeText, `${key}: []`));
      assert.match(found?.message ?? '', /Did you mean `tools`\?$/, key);
      assert.deepEqual([found?.severity, found?.fixes.map(({ title }) => title)], ['warning', ['Rename to `tools`']]);
    }
    const [twice] = findingsOf('a.skill.md', skill(...wholeText, 'tools: []', 'allowed-tools: []'));
    assert.deepEqual([twice?.rule, twice?.fixes], ['unknown-key', []]);
  });

  it('is a warning if it is the name of a known key in another format, at every depth', () => {
    const fixesIn = (...lines: readonly string[]): readonly string[] =>
      findingsOf('a.skill.yaml', [...wholeText, ...lines, ''].join('\n')).flatMap(({ severity, fixes }) =>
        severity === 'hint' ? [] : fixes.map(({ title }) => title),
      );
    const cases: readonly (readonly [string, string])[] = [
      ['outputs: {a: string}', 'output_schema'],
      ['composed_of: []', 'composes'],
      ['dependencies: []', 'requires'],
      ['steps: []', 'execution'],
      ['scopes: []', 'required_scopes'],
      ['triggers: []', 'trigger_phrases'],
      ['samples: {x: {params: {}}}', 'parameters'],
      ['samples: {x: {input: {}}}', 'parameters'],
      ['samples: {x: {message: Go.}}', 'request'],
    ];
    for (const [line, right] of cases) {
      assert.deepEqual(
        fixesIn(line).filter((title) => title.startsWith('Rename')),
        [`Rename to \`${right}\``],
        line,
      );
    }
    const steps: readonly (readonly [string, string])[] = [
      ['{run: b}', 'step'],
      ['{skill: b}', 'step'],
      ['{step: b, if: $input.a}', 'condition'],
      ['{step: b, when: $input.a}', 'condition'],
      ['{step: b, with: {a: 1}}', 'inputs'],
      ['{when: [], otherwise: []}', 'else'],
      ['{speculate: [{step: b, if: $input.a}], until: c}', 'keep_when'],
    ];
    for (const [step, right] of steps) {
      const titles = fixesIn('composes: [b]', 'level: 2', `execution: [${step}]`);
      assert.deepEqual(
        titles.filter((title) => title.startsWith('Rename')),
        [`Rename to \`${right}\``],
        step,
      );
    }
  });
});

describe('fixes for missing fields and comments', () => {
  it('adds a field to JSON, in the layout of its object', () => {
    const example = (fields: string) =>
      `${skill(...wholeText.slice(0, 3), 'input_schema: {a: string, n: integer}')}\n## Example: one\n\n### Input\n\n\`\`\`json\n${fields}\n\`\`\`\n`;
    const title = 'Add `n` to the example';
    assert.equal(fixed('a.skill.md', example('{"a": "x"}'), title), example('{"a": "x", "n": 1}'));
    assert.equal(fixed('a.skill.md', example('{\n  "a": "x"\n}'), title), example('{\n  "a": "x",\n  "n": 1\n}'));
  });

  it('removes one of several rules from a comment, or the comment with its line', () => {
    const text = (comment: string) => skill(...wholeText.slice(0, 3), `${comment}x-a: 1`, 'input_schema: {}');
    const first = text('# skill-disable-next-line invalid-level, unknown-key\n');
    assert.equal(fixed('a.skill.md', first, 'Remove `invalid-level`'), text('# skill-disable-next-line unknown-key\n'));
    assert.equal(fixed('a.skill.md', first, 'Remove `unknown-key`'), text('# skill-disable-next-line invalid-level\n'));
    assert.equal(
      fixed('a.skill.md', text('# skill-disable-next-line invalid-level\n'), 'Remove the comment'),
      text(''),
    );
  });
});

describe('a misspelt key without which a required one is missing', () => {
  const KINDS = [
    ['a.skill.md', '---\nnme: a\ndescription: Says it.\nversion: 1.0.0\ninput_schema: {}\n---\n\nSay it.\n', ''],
    ['a/SKILL.md', '---\nnme: a\ndescription: Use it for a.\n---\n\nSay it.\n', 'agent-skill-'],
  ] as const;
  for (const [path, text, prefix] of KINDS)
    it(`is one finding, also if the rule about missing keys is off: ${path}`, () => {
      const rulesWith = (catalog: string) =>
        rulesOf(findingsOf(path, text, { 'skills.config.yaml': catalog })).filter((rule) => /key$/.test(rule));
      assert.deepEqual(rulesWith('tools: []\n'), [`${prefix}missing-key`]);
      assert.deepEqual(rulesWith(`rules: {${prefix}missing-key: off}\n`), [`${prefix}unknown-key`]);
      assert.deepEqual(rulesWith(`rules: {${prefix}missing-key: off, ${prefix}unknown-key: off}\n`), []);
    });
});
