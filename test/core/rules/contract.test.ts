/**
 * Cases of the rules about contracts and catalogs that their pages cannot show: unusual values, dates, addresses, and
 * one finding for each defect.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits, sliceOf } from '../../../server/src/text.ts';
import { findingsOf, fixed, rulesOf, skill, wholeText } from './findings.ts';

describe('levels', () => {
  const composite = (level: string) => ['output_schema: {}', `level: ${level}`, 'composes: [b]'];

  it('a composite without a level gets only a hint', () => {
    const others = { 'b.skill.md': skill('name: b', ...wholeText.slice(1), 'level: 1') };
    const findings = findingsOf('a.skill.md', skill(...wholeText, 'output_schema: {}', 'composes: [b]'), others);
    assert.deepEqual(
      findings.map(({ rule, severity }) => [rule, severity]),
      [['invalid-level', 'hint']],
    );
  });

  it('a level is not reported if a composed skill is missing', () => {
    const findings = findingsOf('a.skill.md', skill(...wholeText, 'output_schema: {}', 'composes: [b]'));
    assert.deepEqual(rulesOf(findings), ['skill-not-found']);
  });

  it('a higher level is not offered if a composed skill is a workflow', () => {
    const others = { 'b.skill.md': skill('name: b', ...wholeText.slice(1), 'level: 3') };
    const [finding] = findingsOf('a.skill.md', skill(...wholeText, ...composite('1')), others);
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
    it(`a fix replaces \`${written}\` with ${meant}`, () => {
      const text = skill(...wholeText, `level: ${written} # so`);
      assert.equal(fixed('a.skill.md', text, `Set the level to ${meant}`), skill(...wholeText, `level: ${meant} # so`));
    });
  }
});

describe('policies', () => {
  const policy = (...lines: string[]) =>
    [...wholeText.slice(0, 3), 'input_schema: {q: string}', 'policy:', ...lines].join('\n');

  for (const [written, right] of [
    ['800ms', '800'],
    ['"2 s"', '2000'],
    ['1.5min', '90000'],
  ] as const) {
    it(`a fix replaces the timeout \`${written}\` with ${right}`, () => {
      assert.equal(
        fixed('a.skill.yaml', policy(`  timeout_ms: ${written}`), `Replace with \`${right}\``),
        policy(`  timeout_ms: ${right}`),
      );
    });
  }

  it('reports the exact location in an idempotency key with escapes', () => {
    const text = policy(String.raw`  idempotency_key: "\u0061:{ p }:{q}"`);
    const [finding] = findingsOf('a.skill.yaml', text);
    assert.equal(finding && sliceOf(text, finding.span), 'p');
  });

  it('accept a scope of an idempotency key, for all surfaces or for each one', () => {
    const surfaces = { 'skills.config.yaml': 'surfaces: [chat, alerts]\n' };
    for (const scope of [
      '[user_id, session_id]',
      '{chat: [user_id, session_id], alerts: [user_id, day]}',
      '[region]',
    ]) {
      const text = policy('  idempotency_key: "{q}"', `  idempotency_scope: ${scope}`);
      assert.deepEqual(findingsOf('a.skill.yaml', text, surfaces), [], scope);
    }
    const messages = (scope: string) =>
      findingsOf('a.skill.yaml', policy(`  idempotency_scope: ${scope}`), surfaces).map(({ message }) => message);
    assert.deepEqual(messages('{chat: [user_id], alert: [day]}'), ['Unknown surface `alert`. Did you mean `alerts`?']);
    assert.equal(messages('user_id').length, 1);
    assert.equal(messages('{chat: [3 days]}').length, 1);
  });

  it('say that a part of the scope does not belong in the idempotency key', () => {
    const [finding] = findingsOf('a.skill.yaml', policy('  idempotency_key: "{q}:{user_id}"'));
    assert.equal(
      finding?.message,
      'Unknown input `user_id`. Remove it from the key, and add `user_id` to `idempotency_scope`.',
    );
  });

  it('a schema that allows other fields allows any name in an idempotency key', () => {
    const open = policy('  idempotency_key: "{p}"').replace(
      '{q: string}',
      '{type: object, additionalProperties: true}',
    );
    assert.deepEqual(findingsOf('a.skill.yaml', open), []);
  });
});

describe('the catalog', () => {
  it('is not used to check roles if it is invalid', () => {
    const text = skill(...wholeText, 'allowed_roles: [b]');
    assert.deepEqual(findingsOf('a.skill.md', text, { 'skills.config.yaml': 'roles:\n  c: [x:y]\n  b: [x:y' }), []);
  });

  it('offers a fix for a misspelt rule', () => {
    assert.equal(
      fixed('skills.config.yaml', 'rules: {invalid-shcema: off}', 'Rename to `invalid-schema`'),
      'rules: {invalid-schema: off}',
    );
  });

  it('may be empty', () => {
    assert.deepEqual(findingsOf('skills.config.yaml', ''), []);
  });
});

describe('a sunset', () => {
  const told = (today: string | undefined, sunset: string): string | undefined => {
    const workspace = new Workspace();
    const old = ['name: old', ...wholeText.slice(1), `deprecated: {sunset: ${sunset}, use: a}`];
    workspace.apply({ kind: 'text', uri: 'file:///w/old.skill.md', text: skill(...old) });
    workspace.apply({
      kind: 'text',
      uri: 'file:///w/b.skill.md',
      text: skill(...wholeText).replace('Say it', 'Ask #skill:old'),
    });
    if (today !== undefined) workspace.apply({ kind: 'today', date: today });
    const file = workspace.analysis.file('file:///w/b.skill.md');
    const findings = file ? check(file, workspace.analysis) : [];
    return /deprecated (.*?)\. Use/.exec(findings.find(({ rule }) => rule === 'deprecated-skill')?.message ?? '')?.[1];
  };

  it('is compared with the current day from the host', () => {
    assert.equal(told('2031-06-29', '2031-06-30'), 'and will be removed on 2031-06-30');
    assert.equal(told('2031-06-30', '2031-06-30'), 'and will be removed on 2031-06-30');
    assert.equal(told('2031-07-01', '2031-06-30'), 'and was due to be removed on 2031-06-30');
  });

  it('is shown unchanged if the day is unknown or the sunset is not a date', () => {
    assert.equal(told(undefined, '2031-06-30'), '(sunset 2031-06-30)');
    assert.equal(told('2031-07-01', 'soon'), '(sunset soon)');
  });
});

describe('the endpoint of a service', () => {
  const complete = [
    ...wholeText,
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
    it(`must not be \`${address}\``, () => assert.deepEqual(findingsWith(address), ['invalid-value']));
  }
});

describe('each defect is reported once', () => {
  it('an invalid scope is reported as a wrong value, but not as an unknown scope', () => {
    const catalog = { 'skills.config.yaml': 'scopes: ["read:pages"]\n' };
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', skill(...wholeText, 'required_scopes: [bogus]'), catalog)), [
      'invalid-value',
    ]);
  });

  it('a misspelt scope is not also reported as missing', () => {
    const catalog = { 'skills.config.yaml': 'scopes: ["read:pages"]\ntools: [{name: t, scope: "read:pages"}]\n' };
    const text = skill(...wholeText, 'required_scopes: ["read:pagez"]', 'tools: [t]');
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', text, catalog)), ['unknown-scope']);
  });

  it('a tool that is declared twice is reported as unused only once', () => {
    const text = skill(...wholeText, 'tools: [shout, whisper, shout]').replace('Say it.', 'Say it with #tool:whisper.');
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', text)), ['unused-tool', 'duplicate-key']);
  });

  it('a service without an owner is reported once, even if `missing-owner` is on', () => {
    const catalog = { 'skills.config.yaml': 'rules: {missing-owner: warning}\n' };
    const contract = (more: string) => skill(...wholeText, more);
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', contract('tags: [x]'), catalog)), ['missing-owner']);
    assert.deepEqual(rulesOf(findingsOf('a.skill.md', contract('backing_service: {endpoint: "a:1"}'), catalog)), [
      'incomplete-contract',
    ]);
  });
});

describe('retries', () => {
  const contract = (name: string, ...lines: string[]) =>
    [
      `name: ${name}`,
      'description: Says it.',
      'version: 1.0.0',
      'input_schema: {}',
      'output_schema: {}',
      ...lines,
    ].join('\n');
  const catalog = 'tools: [{name: save, operation: WRITE}, {name: read, operation: READ}, {name: odd}]';
  const parts = {
    'skills.config.yaml': catalog,
    'writes.skill.yaml': contract('writes', 'operation: WRITE'),
    'safe.skill.yaml': contract('safe', 'composes: [writes]', 'level: 2', 'policy: {idempotent: true}'),
    'reads.skill.yaml': contract('reads', 'tools: [read]', 'errors: [{code: BUSY}]'),
  };
  const severitiesOf = (...lines: string[]) =>
    findingsOf('a.skill.yaml', contract('a', ...lines), parts)
      .filter(({ rule }) => rule === 'unsafe-retry')
      .map(({ severity }) => severity);
  const cases: Readonly<Record<string, readonly string[]>> = {
    'retry: {max_attempts: 2}': ['hint'],
    'retry: {max_attempts: 1}': [],
    'retry: {attempts: 0}': [],
    'retry: {attempts: 1}\noperation: WRITE': ['warning'],
    'retry: {attempts: 1}\noperation: READ': [],
    'retry: {attempts: 1}\noperation: READ\ntools: [save]': ['warning'],
    'retry: {attempts: 1}\ntools: [{name: save, optional: true}]': ['warning'],
    'retry: {attempts: 1}\ntools: [read]': [],
    'retry: {attempts: 1}\ntools: [read, odd]': ['hint'],
    'retry: {attempts: 1}\neffects: [Query]': [],
    'retry: {attempts: 1}\neffects: [Query, Mutate]': ['warning'],
    'retry: {attempts: 1}\noperation: WRITE\npolicy: {idempotency_key: "{q}"}': [],
    'policy: {idempotent: false, retry: {max_attempts: 2}}\noperation: WRITE': ['warning'],
    'retry: {attempts: 1}\ncomposes: [writes]': ['warning'],
    'retry: {attempts: 1}\ncomposes: [safe, reads]\noperation: WRITE': [],
    'composes: [writes, reads]\nexecution: [{step: reads, retry: {attempts: 1}}, {step: writes}]': [],
    'composes: [writes]\nexecution: [{parallel: [{when: [{condition: 1 == 1, steps: [{step: writes, retry: {attempts: 1}}]}]}]}]':
      ['warning'],
    'composes: [writes, reads]\nexecution: [{speculate: [{step: reads}], until: {step: writes, retry: {max_attempts: 4}}}]':
      ['warning'],
  };
  for (const [lines, expected] of Object.entries(cases)) {
    it(`${lines.replaceAll('\n', ', ')}: ${expected.join() || 'no finding'}`, () => {
      assert.deepEqual(severitiesOf(lines), expected);
    });
  }

  it('a code is compared with the errors of the skill that is retried', () => {
    const messagesOf = (...lines: string[]) =>
      findingsOf('a.skill.yaml', contract('a', 'level: 2', 'composes: [reads]', ...lines), parts)
        .filter(({ rule }) => rule === 'invalid-policy')
        .map(({ severity, message }) => `${severity}: ${message}`);
    const misspelt = 'warning: Unknown error `BUSSY`. Did you mean `BUSY`?';
    assert.deepEqual(messagesOf('retry: {attempts: 1, retry_on: [BUSY, BUSSY]}'), [misspelt]);
    assert.deepEqual(messagesOf('execution: [{step: reads, retry: {attempts: 1, retry_on: [BUSSY]}}]'), [misspelt]);
    assert.deepEqual(messagesOf('execution: [{step: reeds, retry: {attempts: 1, retry_on: [BUSSY]}}]'), []);
    const alone = contract('b', 'retry: {attempts: 1, retry_on: [ANY]}');
    assert.deepEqual(rulesOf(findingsOf('b.skill.yaml', alone, parts)), ['unsafe-retry']);
  });
});

describe('entries of a list', () => {
  const fixesOf = (line: string) =>
    findingsOf('a.skill.md', skill(...wholeText, line)).map(({ message, fixes }) => [
      message,
      ...fixes.map(({ title }) => title),
    ]);

  it('are put in brackets only if the list can contain the value', () => {
    assert.deepEqual(fixesOf('tags: door'), [['`tags` must be a list, but is a string.', 'Make it a list']]);
    assert.deepEqual(fixesOf('capabilities_required: pro'), [
      ['`capabilities_required` must be a list, but is a string.'],
    ]);
    assert.deepEqual(fixesOf('capabilities_required: {tier: pro}'), [
      ['`capabilities_required` must be a list, but is a map of keys to values.', 'Make it a list'],
    ]);
    assert.deepEqual(fixesOf('adapts: flat'), [
      ['`adapts` must be a map of keys to values or a list, but is a string.'],
    ]);
  });

  it('become a map if each has its own name', () => {
    for (const [lines, samples] of [
      ['[{one: {request: Go.}}, {two: {request: Stop.}}]', '{one: {request: Go.}, two: {request: Stop.}}'],
      ['[{title: one, request: Go.}]', '{one: {request: Go.}}'],
      ['\n- name: one\n  request: Go. # Now\n- id: two', '\n {one: {request: Go.}, two: {}}'],
      ['\n  - one:\n      request: Go.', '\n   {one: {request: Go.}}'],
      ['[{name: one}, {name: one}]', undefined],
      ['[{request: Go.}]', undefined],
      ['[one, two]', undefined],
      ['[]', undefined],
    ] as const) {
      const text = skill(...wholeText, `samples: ${lines}`);
      const [finding] = findingsOf('a.skill.md', text).filter(({ rule }) => rule === 'invalid-value');
      const [fix] = finding?.fixes ?? [];
      const edits = fix?.edits.flatMap((one) => one.edits) ?? [];
      assert.equal(fix && applyEdits(text, edits), samples && skill(...wholeText, `samples: ${samples}`), lines);
    }
  });

  it('must name a flag or a tier if they are required capabilities', () => {
    const empty = 'This entry requires no capability. Write `{feature_flag: NAME}` or `{tier: NAME}`, or remove it.';
    assert.deepEqual(fixesOf('capabilities_required: [{x-note: later}]'), [[empty, 'Remove the empty entry']]);
    assert.deepEqual(fixesOf('capabilities_required: [{flag: maps}]'), [
      ['Unknown key `flag`. Did you mean `feature_flag`?', 'Rename to `feature_flag`'],
    ]);
  });
});

describe('a boolean `required`', () => {
  const schemaOf = (...lines: string[]) => skill(...wholeText.slice(0, 3), ...lines);
  const block = ['input_schema:', '  type: object', '  properties:'];
  const fix = 'List `tone` in `required`';

  for (const [name, written, meant] of [
    [
      'a flow map without a list',
      ['input_schema: {type: object, properties: {tone: {type: string, required: true}}}'],
      ['input_schema: {type: object, properties: {tone: {type: string}}, required: [tone]}'],
    ],
    [
      'a flow map with a list',
      ['input_schema: {type: object, properties: {n: {type: string}, tone: {required: true}}, required: [n]}'],
      ['input_schema: {type: object, properties: {n: {type: string}, tone: {}}, required: [n, tone]}'],
    ],
    [
      'a block whose last line is the key',
      [...block, '    tone:', '      type: string', '      required: true'],
      [...block.slice(0, 2), '  required: [tone]', '  properties:', '    tone:', '      type: string'],
    ],
    [
      'a property that is already listed',
      ['input_schema: {type: object, properties: {tone: {type: string, required: true}}, required: [tone]}'],
      ['input_schema: {type: object, properties: {tone: {type: string}}, required: [tone]}'],
    ],
  ] as const) {
    it(`is moved to the list of the schema in ${name}`, () => {
      assert.equal(fixed('a.skill.md', schemaOf(...written), fix), schemaOf(...meant));
    });
  }

  it('is removed if it is false', () => {
    const written = 'input_schema: {type: object, properties: {tone: {type: string, required: false}}}';
    const meant = 'input_schema: {type: object, properties: {tone: {type: string}}}';
    assert.equal(fixed('a.skill.md', schemaOf(written), 'Remove `required`'), schemaOf(meant));
  });
});

describe('a missing field below the top level of a sample', () => {
  const schema = [
    'input_schema:',
    '  type: object',
    '  properties:',
    '    plan: {type: object, properties: {scenes: {type: array, items: {$ref: "#/$defs/scene"}}}}',
    '  $defs:',
    '    scene: {type: object, properties: {title: {type: string}, mood: {enum: [grim, wry]}}, required: [title, mood]}',
  ];
  const withSample = (...lines: string[]) => skill(...wholeText.slice(0, 3), ...schema, 'samples:', ...lines);

  it('is added to an item of a list in an object', () => {
    assert.equal(
      fixed(
        'a.skill.md',
        withSample('  s: {parameters: {plan: {scenes: [{title: A, mood: wry}, {title: B}]}}}'),
        'Add `mood` to the sample',
      ),
      withSample('  s: {parameters: {plan: {scenes: [{title: A, mood: wry}, {title: B, mood: grim}]}}}'),
    );
  });
});

describe('a key without effect', () => {
  it('is removed from an exit', () => {
    const written = skill(...wholeText, 'exit: {on: caller, max_tool_calls: 3}');
    assert.equal(fixed('a.skill.md', written, 'Remove `max_tool_calls`'), skill(...wholeText, 'exit: {on: caller}'));
  });

  it('is removed from a step', () => {
    const steps = (step: string) =>
      skill(...wholeText, 'output_schema: {}', 'composes: [b]', 'execution:', `  - ${step}`);
    assert.equal(fixed('a.skill.md', steps('{step: b, color: red}'), 'Remove `color`'), steps('{step: b}'));
  });
});

describe('a word of another schema language', () => {
  const schema = (json: string): string =>
    `---\nname: a\ndescription: Says it.\nversion: 1.0.0\ninput_schema: ${json}\n---\n\nSay it.\n`;
  const meant = (json: string): readonly string[] =>
    findingsOf('a.skill.md', schema(json)).flatMap(({ fixes }) => fixes.map(({ title }) => title));

  it('is a keyword of JSON Schema if its value is that of the keyword', () => {
    assert.deepEqual(meant('{type: object, fields: {tone: {type: string}}}'), ['Rename to `properties`']);
    assert.deepEqual(meant('{type: object, props: {tone: {type: string}}}'), ['Rename to `properties`']);
    assert.deepEqual(meant('{type: object, properties: {t: {type: array, elements: {type: string}}}}'), [
      'Rename to `items`',
    ]);
    assert.deepEqual(meant('{type: object, properties: {t: {type: string, values: [a, b]}}}'), ['Rename to `enum`']);
  });

  it('is a note of the author if its value is another one, or if the keyword is there', () => {
    assert.deepEqual(meant('{type: object, properties: {t: {type: string}}, fields: {t: note}}'), []);
    assert.deepEqual(meant('{type: object, properties: {t: {type: string, values: some}}}'), []);
  });
});
