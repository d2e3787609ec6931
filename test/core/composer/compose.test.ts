/** The steps of docs/composer.md, one after the other. */
import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { composed, failures, prepared, skill, told } from './composing.ts';

const FENCE = '```';

describe('the prompt', () => {
  test('framing, context, examples and request stand in this order under fixed headings', () => {
    const text = skill(
      'input_schema: {tone: string}\n',
      `
# Outline a scene

You outline scenes.

Keep   it short.

## Description: house style

One pair of eyes per scene.

## Example: the ferry

### Input

${FENCE}yaml
tone: grim
${FENCE}

### Output

Three beats.

## Rules

Never kill the cat.
`,
    );
    assert.equal(
      composed(text, { request: 'Outline the siege.', parameters: { tone: 'wry' } }).prompt,
      `You outline scenes.

Keep   it short.

## Rules

Never kill the cat.

## Context: house style

One pair of eyes per scene.

## Examples

### Example 1: the ferry

#### Input

${FENCE}yaml
tone: grim
${FENCE}

#### Output

Three beats.

## Request

Outline the siege.

${FENCE}yaml
tone: wry
${FENCE}`,
    );
  });

  test('without words and parameters there is no request', () => {
    assert.equal(composed(skill('', '\nDo it.\n')).prompt, 'Do it.');
  });

  test('a fence is as long as the parameters need', () => {
    const { prompt } = composed(skill('input_schema: {code: string}\n', '\nDo it.\n'), {
      parameters: { code: '````' },
    });
    assert.match(prompt, /\n`````yaml\ncode: "````"\n`````$/);
  });

  test('what silences a rule is not part of the prompt, other comments are', () => {
    const text = skill(
      '',
      '\n<!-- skill-disable-next-line template-in-prose -->\nWrite {{ braces }}.\n<!-- kept -->\n',
    );
    assert.equal(composed(text).prompt, 'Write {{ braces }}.\n<!-- kept -->');
  });

  test('segments tile it, and each tells what it is and where it stands', () => {
    const text = skill(
      'input_schema: {tone: string}\nframing: main\n',
      '\n## Description: style\n\nShort.\n\n## PromptTemplate: main\n\nTone: {{ tone | upper }}.\n',
    );
    const { prompt, segments } = composed(text, { request: 'Go.', parameters: { tone: 'wry' } });
    assert.deepEqual(
      segments.map(({ start, end, part, kind, source }) => [
        part,
        kind,
        prompt.slice(start, end),
        source && text.slice(source.span.start, source.span.end),
      ]),
      [
        ['framing', 'authored', 'Tone: ', 'Tone: '],
        ['framing', 'value', 'WRY', '{{ tone | upper }}'],
        ['framing', 'authored', '.', '.'],
        ['framing', 'fixed', '\n\n', undefined],
        ['context', 'fixed', '## Context: style', '## Description: style'],
        ['context', 'fixed', '\n\n', undefined],
        ['context', 'authored', 'Short.', 'Short.'],
        ['context', 'fixed', '\n\n', undefined],
        ['request', 'fixed', '## Request', undefined],
        ['request', 'fixed', '\n\n', undefined],
        ['request', 'value', 'Go.', undefined],
        ['request', 'fixed', '\n\n', undefined],
        ['request', 'fixed', '```yaml\n', undefined],
        ['request', 'value', 'tone: wry', undefined],
        ['request', 'fixed', '\n```', undefined],
      ],
    );
  });
});

describe('the framing', () => {
  const variants = (model: string): string => {
    const text = skill(
      'framing: main\n',
      `\n## PromptTemplate: main\n${FENCE}yaml artifact\nmodel_variant: openai\n${FENCE}\nFor openai.\n\n## PromptTemplate: main\n\nFor all.\n\n## PromptTemplate: main\n${FENCE}yaml artifact\nmodel_variant: anthropic\n${FENCE}\nFor anthropic.\n`,
    );
    return composed(text, { model }).prompt.split('\n')[0] ?? '';
  };

  test('the exact variant of the model, else the one without', () => {
    assert.deepEqual(['anthropic', 'openai', 'other'].map(variants), ['For anthropic.', 'For openai.', 'For all.']);
  });

  test('a body without prose and with one template is framed by it', () => {
    assert.match(composed(skill('', '\n## PromptTemplate: only\n\nYou write.\n')).prompt, /^You write\.$/);
  });

  test('an include takes another template, and both are used', () => {
    const { prompt, usedArtifacts } = composed(
      skill(
        'framing: main\n',
        '\n## PromptTemplate: main\n\nA {% include "part" %} C\n\n## PromptTemplate: part\n\nB\n',
      ),
    );
    assert.equal(prompt, 'A B C');
    assert.deepEqual(
      usedArtifacts.map(({ id, version }) => `${id} ${version}`),
      ['PromptTemplate:main 1.0.0', 'PromptTemplate:part 1.0.0'],
    );
  });

  test('an undefined variable is an error at its place', () => {
    const text = skill(
      'framing: main\ninput_schema: {tone: string}\n',
      '\n## PromptTemplate: main\n\n🦀 漢字 {{ tnoe }}\n',
    );
    const [error, ...more] = failures(text, { parameters: { tone: 'wry' } });
    assert.equal(more.length, 0);
    assert.equal(error?.kind, 'MalformedTemplate');
    assert.equal(error?.at, 'tnoe');
    assert.match(error?.suggestion ?? '', /`tone`/);
  });

  test('blank lines that a template prints at its ends are not part of the prompt', () => {
    const text = skill(
      'framing: main\n',
      `\n## PromptTemplate: main\n\n${FENCE}jinja\n{% if true %}\n\n  A\n\n{% endif %}\n${FENCE}\n`,
    );
    assert.equal(composed(text).prompt, '  A');
  });
});

describe('validation', () => {
  test('finds all errors, not the first alone', () => {
    const text = '---\ndescription: x\nversion: 1.0.0\ntools: [read_page]\ninput_schema: {tone: strnig}\n---\n';
    const files = { 'skills/test.skill.md': text, 'skills.config.yaml': 'tools:\n  - {name: write_page}\n' };
    assert.deepEqual(
      failures(files).map(({ kind, subject }) => `${kind} ${subject}`),
      [
        'MissingRequiredField name',
        'MissingRequiredField framing',
        'MissingRequiredField input_schema',
        'UnknownTool read_page',
      ],
    );
  });

  test('a frontmatter that cannot be read is one error', () => {
    const errors = failures('---\nname: [a\ntools: [b\n---\nDo it.\n');
    assert.deepEqual(
      errors.map(({ kind, subject }) => `${kind} ${subject}`),
      ['MissingRequiredField frontmatter'],
    );
  });

  const catalog = `tools:
  - {name: read_page, scope: read:pages, operation: READ}
  - {name: write_page, scope: write:pages, operation: WRITE}
scopes: [read:pages, write:pages]
roles: {reader: [read:pages], writer: [read:pages, write:pages]}
profiles:
  - {name: reader, role: reader}
  - {name: writer, role: writer}
  - {name: nobody, scopes: []}
`;

  test('a tool that the caller may not use is an error that says why', () => {
    const files = {
      'skills/test.skill.md': skill('tools: [read_page, write_page]\n', '\nDo it.\n'),
      'skills.config.yaml': catalog,
    };
    assert.deepEqual(told(failures(files, { profile: 'reader' })), [
      'UnknownTool at "write_page": The tool `write_page` is not available: reader lacks write:pages.',
    ]);
    assert.deepEqual(composed(files, { profile: 'writer' }).subgraph.toolAvailability, ['read_page', 'write_page']);
  });

  test('one marked optional may be absent', () => {
    const text = skill('tools: [read_page, {name: write_page, optional: true}]\n', '\nUse #tool:write_page.\n');
    const { subgraph, decisions } = composed(
      { 'skills/test.skill.md': text, 'skills.config.yaml': catalog },
      { profile: 'reader' },
    );
    assert.deepEqual(subgraph.toolAvailability, ['read_page']);
    assert.deepEqual(
      decisions.map(({ name, taken, reason }) => `${name} ${taken}: ${reason}`),
      ['read_page true: declared and held by reader', 'write_page false: reader lacks write:pages'],
    );
  });

  test('tools required and none available', () => {
    const files = {
      'skills/test.skill.md': skill('tools: [read_page]\n', '\nDo it.\n'),
      'skills.config.yaml': catalog,
    };
    assert.deepEqual(told(failures(files, { profile: 'nobody' })), [
      'CapabilityNarrowing at "[read_page]": The skill requires tools, and `nobody` may use none of them: `read_page`: nobody lacks read:pages.',
    ]);
  });

  test('a tool that the body names and the surface lacks', () => {
    const text = skill('tools: [read_page]\n', '\nUse #tool:read_page and #tool:raed_page.\n');
    assert.deepEqual(told(failures(text)), [
      'UnknownTool at "#tool:raed_page": The body refers to the tool `raed_page`, which is not in `tools`.',
    ]);
  });

  test('the authoring tools are there for authoring alone', () => {
    const text = skill('tools: [create_skill]\n', '\nDo it.\n');
    assert.deepEqual(composed(text, { source: 'authoring' }).subgraph.toolAvailability, ['create_skill']);
    assert.equal(failures(text).length, 1);
  });

  test('parameters are held against the schema, at the sample that gives them', () => {
    const text = skill(
      'input_schema: {tone: [grim, wry], n: {type: integer, default: 3}}\nsamples:\n  one: {parameters: {tone: sad, n: 4}}\n',
      '\nDo it.\n',
    );
    const [error] = failures(text, { sample: 'one' });
    assert.equal(error?.kind, 'ParameterMismatch');
    assert.equal(error?.at, 'sad');
    assert.deepEqual(
      failures(text, { parameters: {} }).map(({ subject, at }) => [subject, at]),
      [['tone', 'tone']],
    );
    assert.match(composed(text, { parameters: { tone: 'wry' } }).prompt, /"n": 3\ntone: wry/);
  });
});

describe('artifacts', () => {
  const described = (name: string, when: string) =>
    `\n## Description: ${name}\n${FENCE}yaml artifact\ninclude_when: ${when}\n${FENCE}\n\nText of ${name}.\n`;

  test('descriptions whose include_when holds, in document order', () => {
    const text = skill(
      'input_schema: {tone: string}\n',
      `\nDo it.\n${described('b', 'tone == "grim"')}${described('a', 'scope == "channel"')}${described('c', 'tone | length > 9')}`,
    );
    const { prompt, decisions, usedArtifacts } = composed(text, { parameters: { tone: 'grim' }, channel: 'one' });
    assert.deepEqual(
      usedArtifacts.map(({ name }) => name),
      ['b', 'a'],
    );
    assert.ok(prompt.indexOf('Text of b.') < prompt.indexOf('Text of a.'));
    assert.deepEqual(
      decisions.filter(({ taken }) => !taken).map(({ name, reason }) => `${name}: ${reason}`),
      ['c: include_when is false: `tone | length > 9`, and `tone` is `grim`'],
    );
  });

  test('a condition is told with the values that decided it', () => {
    const text = skill(
      'input_schema: {place: {name: string, far: boolean}, tags: "string[]"}\n',
      `\nDo it.\n${described('a', 'place.far and "x" in tags')}${described('b', 'source == "explicit"')}`,
    );
    const { decisions } = composed(text, { parameters: { place: { name: 'Vey', far: false }, tags: ['`x`'] } });
    assert.deepEqual(
      decisions.filter(({ subject }) => subject === 'artifact').map(({ name, reason }) => `${name}: ${reason}`),
      [
        'a: include_when is false: `place.far and "x" in tags`, and `place.far` is `false` and `tags` is `["\'x\'"]`',
        'b: include_when is true: `source == "explicit"`, and `source` is `explicit`',
      ],
    );
  });

  test('a condition that fails is an error at its place', () => {
    const text = skill(
      '',
      `\nDo it.\n\n## Description: a\n${FENCE}yaml artifact\ninclude_when: tone\n${FENCE}\n\nA.\n`,
    );
    assert.deepEqual(
      failures(text).map(({ kind, at }) => [kind, at]),
      [['MalformedTemplate', 'tone']],
    );
  });

  const example = (name: string, tags: string) =>
    `\n## Example: ${name}\n${FENCE}yaml artifact\ntags: ${tags}\n${FENCE}\n\n### Output\n\nOutput of ${name}.\n`;
  const text = skill(
    'input_schema: {tone: string}\n',
    `\nDo it.\n${example('none', '[]')}${example('one', '[night, siege]')}${example('two', '[Grim, siege, ferry]')}${example('also none', '[tea]')}`,
  );

  test('examples by the number of matching tags, ties in document order, up to the limit', () => {
    const { usedArtifacts, decisions } = composed(text, { request: 'A SIEGE, by day.', parameters: { tone: 'grim' } });
    assert.deepEqual(
      usedArtifacts.map(({ name }) => name),
      ['two', 'one', 'none'],
    );
    assert.deepEqual(
      decisions.map(({ name, reason }) => `${name}: ${reason}`),
      [
        'two: 2 of its 3 tags match',
        'one: 1 of its 2 tags matches',
        'none: it has no tags, so it fits every request',
        'also none: its tag does not match',
      ],
    );
  });

  test('a tag is a word, not a part of one', () => {
    const { usedArtifacts } = composed(text, { request: 'Besieged at midnight.', parameters: { tone: 'grimly' } });
    assert.deepEqual(
      usedArtifacts.map(({ name }) => name),
      ['none'],
    );
  });

  test('those without tags come after those that match; those whose tags match nothing are left out', () => {
    const { decisions } = composed(
      skill('', `\nDo it.\n${example('general', '[]')}${example('night', '[night]')}${example('tea', '[tea, ferry]')}`),
      { request: 'By night.' },
    );
    assert.deepEqual(
      decisions.map(({ name, taken, reason }) => `${name} ${taken}: ${reason}`),
      [
        'night true: its tag matches',
        'general true: it has no tags, so it fits every request',
        'tea false: none of its 2 tags matches',
      ],
    );
  });

  test('an example beyond the limit says so', () => {
    const { decisions } = composed({
      'skills/test.skill.md': skill('', `\nDo it.\n${example('a', '[]')}${example('b', '[]')}`),
      'skills.config.yaml': 'composer: {examples: 1}\n',
    });
    assert.equal(decisions.at(-1)?.reason, 'it has no tags, so it fits every request; the limit of 1 is reached');
  });

  test('over the budget, the smallest trimming that fits is suggested, and it does fit', () => {
    const long = (name: string, words: number) => `\n## Description: ${name}\n\n${'word '.repeat(words)}\n`;
    const files = {
      'skills/test.skill.md': skill('', `\nDo it.\n${long('small', 30)}${long('middle', 60)}${long('big', 200)}`),
      'skills.config.yaml': 'composer: {context_tokens: 270}\n',
    };
    const [error] = failures(files);
    assert.equal(error?.kind, 'ArtifactBudgetExceeded');
    assert.deepEqual(error?.trimming?.without, ['Description:middle']);
    const { tokens } = composed(files, { without: error?.trimming?.without ?? [] });
    assert.equal(tokens.total, error?.trimming?.tokens);
    assert.ok(tokens.total <= 270);
  });
});

test('progress is carried through, and the assertions of what is used', () => {
  const asserting = (kind: string, name: string, min: number, rest: string) =>
    `\n## ${kind}: ${name}\n${FENCE}yaml artifact\nassertions: [{type: length, min: ${min}, severity: soft}]\n${FENCE}\n\n${rest}\n`;
  const text = skill(
    'framing: main\nprogress: {unit: beat, total: 5}\n',
    asserting('PromptTemplate', 'main', 3, 'Do it.') +
      asserting('PromptTemplate', 'other', 4, 'Not read.') +
      asserting('Example', 'one', 5, '### Output\n\nDone.'),
  );
  const { progress, assertions } = composed(text);
  assert.deepEqual(progress, { unit: 'beat', total: 5 });
  assert.deepEqual(
    assertions.map(({ artifact, assertion }) => [artifact, assertion]),
    [
      ['PromptTemplate:main', { type: 'length', min: 3, severity: 'soft' }],
      ['Example:one', { type: 'length', min: 5, severity: 'soft' }],
    ],
  );
  assert.deepEqual(
    [composed(skill('', '\nDo it.\n')).progress, composed(skill('', '\nDo it.\n')).assertions],
    [null, []],
  );
});

test('of several preferred models the first chooses the variant, and all are carried through', () => {
  const preferring = (written: string) =>
    composed(
      skill(
        `framing: main\nmodel_preference: ${written}\n`,
        `\n## PromptTemplate: main\n\nFor all.\n\n## PromptTemplate: main\n${FENCE}yaml artifact\nmodel_variant: small\n${FENCE}\nFor small.\n`,
      ),
    );
  assert.match(preferring('[small, large]').prompt, /^For small\./);
  assert.match(preferring('[large, small]').prompt, /^For all\./);
  assert.deepEqual(preferring('[small, large]').modelPreference, ['small', 'large']);
  assert.equal(preferring('small').modelPreference, 'small');
  assert.equal(composed(skill('', '\nDo it.\n')).modelPreference, null);
});

describe('prose that goes nowhere', () => {
  test('has a decision that says why, at the prose', () => {
    const text = skill(
      'framing: main\n',
      `\nNot used.\n\n## PromptTemplate: main\n\nA note.\n\n${FENCE}jinja\nDo it.\n${FENCE}\n\n## Example: one\n\nAn aside.\n\n### Output\n\nDone.\n\n### Notes\n\nMore.\n`,
    );
    assert.deepEqual(
      composed(text)
        .decisions.filter(({ subject }) => subject === 'prose')
        .map(({ name, span, reason }) => `${name}: ${text.slice(span.start, span.end)} ${reason}`),
      [
        "main: A note. it stands beside the template's fence",
        'prose of the body: Not used. main renders the framing',
        'one: An aside. it stands outside of Input and Output',
        'one: ### Notes\n\nMore. it stands outside of Input and Output',
      ],
    );
  });
});

describe('memory', () => {
  const text = skill(
    'framing: main\n',
    '\n## PromptTemplate: main\n\n{% for item in memory if item.tier == "canon" %}- {{ item.text }}\n{% endfor %}Go.\n',
  );

  test('the items without which the prompt would be another', () => {
    const memory = [
      { id: 'a', tier: 'canon', text: 'The chain is down.' },
      { id: 'b', tier: 'session', text: 'Hello.' },
    ];
    assert.deepEqual(composed(text, { memory }).memoryDependencies, ['a']);
  });
});

describe('preparing the request', () => {
  test("the planner's gates are told, and it composes all the same", () => {
    const files = {
      'skills/test.skill.md': skill(
        'allowed_roles: [writer]\nallowed_contexts: [channel]\nrequired_scopes: [write:pages]\ndeprecated: {use: other}\n',
        '\nDo it.\n',
      ),
      'skills.config.yaml': 'roles: {reader: [read:pages]}\nprofiles: [{name: ann, role: reader}]\n',
    };
    assert.deepEqual(
      prepared(files, { profile: 'ann' }).gates.map(({ gate, reason }) => `${gate}: ${reason}`),
      [
        'role: `ann` has the role `reader`, and the skill takes callers with the role `writer` only',
        'scope: `ann` lacks the scope `write:pages`',
        "context: this invocation's context is `workspace`, and the skill may be invoked in the context `channel` only",
        'deprecation: the skill is deprecated; use `other`',
      ],
    );
    assert.match(composed(files, { profile: 'ann' }).prompt, /^Do it\./);
  });

  test('tier and feature flags of the profile answer what the skill requires of its caller', () => {
    const gates = (required: string, profile: string | undefined): readonly string[] => {
      const files = {
        'skills/test.skill.md': skill(`capabilities_required: ${required}\n`, '\nDo it.\n'),
        'skills.config.yaml':
          'profiles: [{name: ann, tier: adult, feature_flags: [maps]}, {name: all, tier: any, feature_flags: []}, {name: bob}]\n',
      };
      return prepared(files, profile === undefined ? {} : { profile }).gates.map(
        ({ gate, reason, closed }) => `${gate} ${closed}: ${reason}`,
      );
    };
    assert.deepEqual(gates('[{feature_flag: maps}, {tier: adult}, {tier: any}]', 'ann'), []);
    assert.deepEqual(gates('[{tier: child}]', 'all'), []);
    assert.deepEqual(gates('[{feature_flag: links}, {tier: child}]', 'ann'), [
      'capability true: the skill needs the feature flag `links`, which `ann` does not have',
      'capability true: the skill needs the tier `child`, which `ann` does not have',
    ]);
    assert.deepEqual(gates('[{feature_flag: maps}, {tier: adult}, {tier: any}]', 'bob'), [
      'capability false: the skill needs the feature flag `maps`, which `bob` may lack',
      'capability false: the skill needs the tier `adult`, which `bob` may lack',
    ]);
    assert.deepEqual(gates('[{tier: adult}]', undefined), [
      'capability false: the skill needs the tier `adult`, which the caller may lack',
    ]);
  });
});

test('a skill of the open standard is its body and the request', () => {
  const text =
    '---\nname: notes\ndescription: Keeps notes.\n---\n\n# Notes\n\n## Example: not an artifact here\n\nWrite it down.\n';
  assert.match(
    composed({ 'notes/SKILL.md': text }, { request: 'Go.' }).prompt,
    /^# Notes\n\n## Example: .*\n\nWrite it down\.\n\n## Request\n\nGo\.$/s,
  );
});

test('blank lines around a framing go, however many a template prints, and the first indentation stays', () => {
  const framed = (template: string): string =>
    composed(skill('', `\n## PromptTemplate: main\n\n${template}\n`), { request: 'Go.' }).prompt;
  assert.equal(framed('{{ "\\n" * 900000 }}  Draft it.{{ " \\n" * 400000 }}'), '  Draft it.\n\n## Request\n\nGo.');
  assert.match(framed('{{ " " * 900000 ~ "x" }}'), /^ {900000}x\n/);
});

test('a tool that the approach leaves out has one decision, which says so', () => {
  const text = skill(
    'tools: [a, b]\n',
    `\nDo it.\n\n## Approach: narrow\n${FENCE}yaml artifact\ntools: [a]\n${FENCE}\n\nUse little.\n`,
  );
  const { decisions, subgraph } = composed(text);
  assert.deepEqual(subgraph.toolAvailability, ['a']);
  assert.deepEqual(
    decisions.filter(({ subject }) => subject === 'tool').map(({ name, taken }) => `${name} ${taken}`),
    ['a true', 'b false'],
  );
});

test('a body of comments and one template is framed by the template', () => {
  const body = '<!-- To do: a better name. -->\n\n## PromptTemplate: main\n\nDo it.\n';
  assert.equal(composed(skill('', body)).prompt, 'Do it.');
});

test('an interrupt ends the skill that names it as its exit', () => {
  const text = skill('interrupts: [before_exit]\nexit: {on: interrupt, name: before_exit}\n', 'Do it.\n');
  assert.deepEqual(composed(text).exitCondition, { on: 'interrupt', name: 'before_exit' });
  assert.deepEqual(composed(text, { maxToolCalls: 2 }).exitCondition, {
    on: 'interrupt',
    name: 'before_exit',
    maxToolCalls: 2,
  });
});

describe('a reference to a tool that is not declared', () => {
  const when = (condition: string): string =>
    skill(
      'input_schema: {tone: string}\n',
      `Do it.\n\n## Description: d\n${FENCE}yaml artifact\ninclude_when: ${condition}\n${FENCE}\n\nUse #tool:other.\n`,
    );
  const options = { parameters: { tone: 'grim' } };

  test('fails in a description that is taken', () => {
    assert.deepEqual(told(failures(when('tone == "grim"'), options)), [
      'UnknownTool at "#tool:other": The body refers to the tool `other`, which is not in `tools`.',
    ]);
  });

  test('does no harm in a description that is not taken', () => {
    assert.doesNotMatch(composed(when('tone == "wry"'), options).prompt, /other/);
  });

  test('does no harm in prose that a template replaces', () => {
    const text = skill('framing: main\n', 'Use #tool:other.\n\n## PromptTemplate: main\n\nDo it.\n');
    assert.doesNotMatch(composed(text).prompt, /other/);
  });

  test('fails in a template that the framing includes', () => {
    const text = skill(
      'framing: main\n',
      '## PromptTemplate: main\n\n{% include "part" %}\n\n## PromptTemplate: part\n\nUse #tool:other.\n',
    );
    assert.deepEqual(
      failures(text).map(({ kind }) => kind),
      ['UnknownTool'],
    );
  });
});

test('without a declared budget no prompt is too long, and a SKILL.md has none at all', () => {
  const long = 'word '.repeat(9_000);
  assert.equal(composed(skill('', long)).tokens.budget, null);
  const files = {
    'long/SKILL.md': `---\nname: long\ndescription: Says a lot.\n---\n\n${long}`,
    'skills.config.yaml': 'composer: {context_tokens: 20}\n',
  };
  assert.equal(composed(files).tokens.budget, null);
});
