/** What the pages cannot show of the rules about frontmatter, contracts and catalogs: line breaks, odd styles, odd files. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Finding } from '../../../server/src/finding.ts';
import { check } from '../../../server/src/rules/check.ts';
import { applyEdits, sliceOf } from '../../../server/src/text.ts';

function findingsOf(path: string, text: string, others: Readonly<Record<string, string>> = {}): readonly Finding[] {
  const workspace = new Workspace();
  for (const [other, content] of Object.entries(others)) {
    workspace.apply({ kind: 'text', uri: `file:///w/${other}`, text: content });
  }
  const uri = path.includes(':') ? path : `file:///w/${path}`;
  workspace.apply({ kind: 'text', uri, text });
  const file = workspace.analysis.file(uri);
  return file ? check(file, workspace.analysis) : [];
}

const rulesOf = (findings: readonly Finding[]): string[] => findings.map(({ rule }) => rule);

/** The text after the fix of that title. */
function fixed(path: string, text: string, title: string): string {
  const fixes = findingsOf(path, text).flatMap((finding) => finding.fixes);
  const fix = fixes.find((one) => one.title === title);
  assert.ok(fix, `no "${title}" among ${JSON.stringify(fixes.map((one) => one.title))}`);
  return applyEdits(
    text,
    fix.edits.flatMap(({ edits }) => edits),
  );
}

const skill = (...lines: string[]): string => ['---', ...lines, '---', '', 'Say it.', ''].join('\n');
const crlf = (text: string): string => text.replaceAll('\n', '\r\n');
const whole = ['name: a', 'description: Says it.', 'version: 1.0.0', 'input_schema: {}'];

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

describe('levels', () => {
  const composite = (level: string) => ['output_schema: {}', `level: ${level}`, 'composes: [b]'];

  it('without a level a composite has the one above its highest part, and a hint alone says so', () => {
    const others = { 'b.skill.md': skill('name: b', ...whole.slice(1), 'level: 1') };
    const findings = findingsOf('a.skill.md', skill(...whole, 'output_schema: {}', 'composes: [b]'), others);
    assert.deepEqual(
      findings.map(({ rule, severity }) => [rule, severity]),
      [['invalid-level', 'hint']],
    );
  });

  it('while a part is not found nothing is said of the level', () => {
    const findings = findingsOf('a.skill.md', skill(...whole, 'output_schema: {}', 'composes: [b]'));
    assert.deepEqual(rulesOf(findings), ['skill-not-found']);
  });

  it('no level above is offered where the part is a workflow', () => {
    const others = { 'b.skill.md': skill('name: b', ...whole.slice(1), 'level: 3') };
    const [finding] = findingsOf('a.skill.md', skill(...whole, ...composite('1')), others);
    assert.deepEqual(
      finding?.fixes.map(({ title }) => title),
      ['Remove `composes`'],
    );
  });

  for (const [written, meant] of [
    ['L2', 2],
    ['"3"', 3],
    ['2.4', 2],
    ['-1', 1],
    ['Workflow', 3],
  ] as const) {
    it(`\`${written}\` means ${meant}`, () => {
      const text = skill(...whole, `level: ${written} # so`);
      assert.equal(fixed('a.skill.md', text, `Set the level to ${meant}`), skill(...whole, `level: ${meant} # so`));
    });
  }
});

describe('policies', () => {
  const policy = (...lines: string[]) =>
    [...whole.slice(0, 3), 'input_schema: {q: string}', 'policy:', ...lines].join('\n');

  for (const [written, right] of [
    ['800ms', '800'],
    ['"2 s"', '2000'],
    ['1.5min', '90000'],
  ] as const) {
    it(`a timeout of \`${written}\` is ${right}`, () => {
      assert.equal(
        fixed('a.skill.yaml', policy(`  timeout_ms: ${written}`), `Replace with \`${right}\``),
        policy(`  timeout_ms: ${right}`),
      );
    });
  }

  it('a place in a key with escapes is exact', () => {
    const text = policy(String.raw`  idempotency_key: "\u0061:{ p }:{q}"`);
    const [finding] = findingsOf('a.skill.yaml', text);
    assert.equal(finding && sliceOf(text, finding.span), 'p');
  });

  it('a schema that takes any field leaves open what a key may name', () => {
    const open = policy('  idempotency_key: "{p}"').replace(
      '{q: string}',
      '{type: object, additionalProperties: true}',
    );
    assert.deepEqual(findingsOf('a.skill.yaml', open), []);
  });
});

describe('the catalog', () => {
  it('roles of a broken catalog are not held against skills', () => {
    const text = skill(...whole, 'allowed_roles: [b]');
    assert.deepEqual(findingsOf('a.skill.md', text, { 'skills.config.yaml': 'roles:\n  c: [x:y]\n  b: [x:y' }), []);
  });

  it('a misspelt rule is renamed', () => {
    assert.equal(
      fixed('skills.config.yaml', 'rules: {invalid-shcema: off}', 'Rename to `invalid-schema`'),
      'rules: {invalid-schema: off}',
    );
  });

  it('an empty one is fine', () => {
    assert.deepEqual(findingsOf('skills.config.yaml', ''), []);
  });
});

describe('a sunset', () => {
  const told = (today: string | undefined, sunset: string): string | undefined => {
    const workspace = new Workspace();
    const old = ['name: old', ...whole.slice(1), `deprecated: {sunset: ${sunset}, use: a}`];
    workspace.apply({ kind: 'text', uri: 'file:///w/old.skill.md', text: skill(...old) });
    workspace.apply({
      kind: 'text',
      uri: 'file:///w/b.skill.md',
      text: skill(...whole).replace('Say it', 'Ask #skill:old'),
    });
    if (today !== undefined) workspace.apply({ kind: 'today', date: today });
    const file = workspace.analysis.file('file:///w/b.skill.md');
    const findings = file ? check(file, workspace.analysis) : [];
    return /deprecated(?:, (.*?))?\. Its/.exec(
      findings.find(({ rule }) => rule === 'deprecated-skill')?.message ?? '',
    )?.[1];
  };

  it('is past or to come by the day that the host gives', () => {
    assert.equal(told('2031-06-29', '2031-06-30'), 'and will be removed on 2031-06-30');
    assert.equal(told('2031-06-30', '2031-06-30'), 'and will be removed on 2031-06-30');
    assert.equal(told('2031-07-01', '2031-06-30'), 'and was to be removed on 2031-06-30, which is past');
  });

  it('is told as it is where the day is not known, or it is no date', () => {
    assert.equal(told(undefined, '2031-06-30'), 'and its sunset is 2031-06-30');
    assert.equal(told('2031-07-01', 'soon'), 'and its sunset is soon');
  });
});

describe('the endpoint of a service', () => {
  const complete = [
    ...whole,
    'owner: us',
    'errors: []',
    'policy: {idempotent: true, timeout_ms: 9, budget: {p95_ms: 1, p99_ms: 2, cost_usd: 0}}',
  ];
  const findingsWith = (endpoint: string) =>
    rulesOf(findingsOf('a.skill.md', skill(...complete, `backing_service: {endpoint: ${JSON.stringify(endpoint)}}`)));

  for (const address of [
    'https://titles.example.com/v1?full=1',
    'http://titles:8080',
    'grpc://user@titles.internal:50051/Find',
    'titles.internal:8443',
    'titles.internal',
    'titles:8443/find',
    'localhost',
    '[::1]:8443',
    '10.0.0.3:80',
    'unix:///run/titles.sock',
    'arn:aws:lambda:eu-west-1:123456789012:function:titles',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable that the deployment fills in
    '${TITLES_URL}/v1',
    'https://bücher.example/',
  ]) {
    it(`may be \`${address}\``, () => assert.deepEqual(findingsWith(address), []));
  }

  for (const address of [
    'the title service',
    'titles',
    '/v1/find',
    'https://',
    'titles.internal:port',
    'titles:99999',
    '???',
    '',
  ]) {
    it(`is no address as \`${address}\``, () => assert.deepEqual(findingsWith(address), ['invalid-value']));
  }
});

describe('one defect, one finding', () => {
  it('what is no scope at all is a wrong value, and no unknown scope besides', () => {
    const catalog = { 'skills.config.yaml': 'scopes: ["read:pages"]\n' };
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', skill(...whole, 'required_scopes: [bogus]'), catalog)), [
      'invalid-value',
    ]);
  });

  it('a scope that is misspelt is not missing besides', () => {
    const catalog = { 'skills.config.yaml': 'scopes: ["read:pages"]\ntools: [{name: t, scope: "read:pages"}]\n' };
    const text = skill(...whole, 'required_scopes: ["read:pagez"]', 'tools: [t]');
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', text, catalog)), ['unknown-scope']);
  });

  it('a tool that is declared twice and never named is unused once', () => {
    const text = skill(...whole, 'tools: [shout, whisper, shout]').replace('Say it.', 'Say it with #tool:whisper.');
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', text)), ['unused-tool', 'duplicate-key']);
  });

  it('a service without an owner has one finding, also where `missing-owner` is on', () => {
    const catalog = { 'skills.config.yaml': 'rules: {missing-owner: warning}\n' };
    const contract = (more: string) => skill(...whole, more);
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', contract('tags: [x]'), catalog)), ['missing-owner']);
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', contract('backing_service: {endpoint: "a:1"}'), catalog)), [
      'incomplete-contract',
    ]);
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
