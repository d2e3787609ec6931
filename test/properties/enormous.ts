/** Enormous generated strings, each of which repeats one construct at one position in a skill. */
import { COMPOSITE, type Enormous, framed, HEAD, INPUT, numbered, skill } from './enormous-parts.ts';

const CLOSED =
  'input_schema: {type: object, properties: {a: {type: array, items: {type: integer}}}, additionalProperties: false}\n';

const exampleOf = (data: string): string =>
  `## Example: x\n\n### Input\n\n\`\`\`yaml\n${data}\n\`\`\`\n\n### Output\n\nx\n`;

/** `size` is the approximate number of characters in each string. */
export function enormousTexts(size: number): readonly Enormous[] {
  const fill = (unit: string): string => unit.repeat(Math.ceil(size / unit.length));
  const some = (perItem: number): number => Math.ceil(size / perItem);
  const one = (title: string, text: string, path = 'a.skill.md', beside?: Enormous['beside']): Enormous => ({
    title,
    path,
    text,
    ...(beside ? { beside } : {}),
  });
  const inYaml = (title: string, yaml: string) => one(title, skill(yaml));
  const inBody = (title: string, body: string, yaml = INPUT) => one(title, skill(yaml, body));
  const inTemplate = (title: string, template: string) => one(title, framed(template));
  return [
    // Strings of one line.
    inYaml('a long description', `${INPUT}tags: [${fill('x')}]\n`),
    inYaml('a long line of words with colons', `${INPUT}author: ${fill('a: b ')}\n`),
    inYaml('a long flow list', `${INPUT}tags: [${fill('x, ')}]\n`),
    inYaml('a long name', `${INPUT}owner: "${fill('\\')}"\n`),
    inYaml('a long key', `${INPUT}${fill('k')}: 1\n`),
    inBody('a long line of prose', fill('word ')),
    inBody('a long word of prose', fill('w')),
    inBody('a long line of marks', fill('*_`[<')),
    inBody('a long line in a fence', `\`\`\`\n${fill('x')}\n\`\`\`\n`),
    inBody('a long heading', `## Example: ${fill('x')}\n`),
    inTemplate('a long line in a template', fill('{{ a }} ')),
    inTemplate('a long word in a template', `{{ ${fill('a')} }}`),
    // Depth.
    inYaml('brackets in YAML', `${INPUT}tags: ${fill('[')}\n`),
    inYaml('braces in YAML', `${INPUT}tags: ${fill('{a: ')}\n`),
    inYaml('closed brackets in YAML', `${INPUT}tags: ${'['.repeat(size / 2)}${']'.repeat(size / 2)}\n`),
    inYaml('dashes in YAML', `${INPUT}tags:\n  ${fill('- ')}x\n`),
    inYaml(
      'indentation in YAML',
      `${INPUT}x:\n${numbered(Math.ceil(Math.sqrt(size)), (n) => `${' '.repeat(n + 1)}a:\n`)}`,
    ),
    inYaml('a schema within a schema', `input_schema: {a: ${fill('{type: object, properties: {a: ')}\n`),
    inYaml('a schema of many levels', `input_schema:\n${numbered(150, (n) => `${' '.repeat(n + 1)}a:\n`)}`),
    inTemplate('brackets in a template', `{{ ${fill('(')}`),
    inTemplate('blocks in a template', fill('{% if a %}')),
    inTemplate('filters in a template', `{{ a${fill('|nope')} }}`),
    inBody('quotes in Markdown', `${fill('>')} x\n`),
    inBody('lists in Markdown', `${fill('- ')}x\n`),
    inBody('emphasis in Markdown', fill('*a **b ')),
    inBody('links in Markdown', fill('[a](')),
    inBody('brackets in Markdown', fill('[')),
    // Number.
    inYaml('many keys', INPUT + numbered(some(12), (n) => `k${n}: ${n}\n`)),
    inYaml('many equal keys', INPUT + fill('k: 1\n')),
    inYaml('many misspelt keys', INPUT + numbered(some(12), (n) => `tool${n}: x\n`)),
    inYaml('many tools', `${INPUT}tools:\n${numbered(some(10), (n) => `  - t${n}\n`)}`),
    inYaml('many equal tools', `${INPUT}tools:\n${fill('  - t\n')}`),
    inYaml('many fields', `input_schema:\n${numbered(some(16), (n) => `  f${n}: string\n`)}`),
    inYaml('many wrong fields', `input_schema:\n${numbered(some(16), (n) => `  f${n}: strnig\n`)}`),
    inYaml(
      'many composed skills',
      `${INPUT}level: 2\noutput_schema: {}\ncomposes:\n${numbered(some(10), (n) => `  - s${n}\n`)}`,
    ),
    inYaml(
      'many steps',
      `${INPUT}level: 3\noutput_schema: {}\ncomposes: [b]\nexecution:\n${numbered(some(20), (n) => `  - step: s${n}\n    inputs: {a: $s${n + 1}.output}\n`)}`,
    ),
    inYaml(
      'many samples',
      `input_schema: {a: string}\nsamples:\n${numbered(some(40), (n) => `  s${n}: {parameters: {b: 1}}\n`)}`,
    ),
    inYaml('many interrupts', `${INPUT}interrupts:\n${numbered(some(20), (n) => `  - {name: i${n}, when: a ==}\n`)}`),
    inYaml('many wrong effects', `${INPUT}effects:\n${numbered(some(10), (n) => `  - E${n}\n`)}`),
    inYaml('many aliases', `${INPUT}x: &a [1, 2]\ny:\n${fill('  - *a\n')}`),
    inYaml('many unknown aliases', `${INPUT}y:\n${fill('  - *a\n')}`),
    inYaml('many anchors', `${INPUT}y:\n${numbered(some(10), (n) => `  - &a${n} b\n`)}`),
    inYaml('many tags', `${INPUT}y:\n${fill('  - !a b\n')}`),
    inYaml('many comments', INPUT + fill('# c\n')),
    inYaml('many silencing comments', INPUT + fill('# skill-disable-next-line unknown-tool\n')),
    inYaml('many unquoted colons', INPUT + numbered(some(12), (n) => `k${n}: a: b\n`)),
    inYaml('many open quotes', INPUT + numbered(some(8), (n) => `k${n}: "a\n`)),
    inYaml('many tabs', INPUT + fill('\tk: 1\n')),
    inYaml('many NUL bytes', INPUT + fill('\0')),
    inYaml('many lone surrogates', INPUT + fill('\uD83D ')),
    inYaml('many lone CR', INPUT + fill('a\r')),
    inYaml('many documents', INPUT + fill('--- x\n')),
    inBody('many headings', fill('## Exmaple: x\n')),
    inBody(
      'many artifacts',
      numbered(some(20), (n) => `## Example: x${n}\n\n`),
    ),
    inBody('many equal artifacts', fill('## Example: x\n')),
    inBody(
      'many templates',
      numbered(some(40), (n) => `## PromptTemplate: x${n}\n\n{{ a${n} }}\n\n`),
    ),
    inBody(
      'many includes',
      numbered(some(60), (n) => `## PromptTemplate: x${n}\n\n{% include "x${n + 1}" %}\n\n`),
    ),
    inBody(
      'many examples',
      numbered(some(80), (n) => `## Example: x${n}\n\n### Input\n\n\`\`\`yaml\nb: 1\n\`\`\`\n\n### Output\n\nx\n\n`),
      'input_schema: {a: string}\n',
    ),
    inBody(
      'much metadata',
      numbered(
        some(50),
        (n) => `## Approach: x${n}\n\`\`\`yaml artifact\ninclude_when: a ==\ntools: [t${n}]\n\`\`\`\nx\n`,
      ),
    ),
    inBody('many fences', fill('```\nx\n```\n')),
    inBody(
      'many open fences',
      numbered(Math.ceil(Math.sqrt(size)), (n) => `${'`'.repeat(n + 3)}\n`),
    ),
    inBody(
      'many references',
      numbered(some(12), (n) => `#tool:t${n} `),
    ),
    inBody(
      'many references to skills',
      numbered(some(12), (n) => `#skill:s${n} `),
    ),
    inBody(
      'many references to interrupts',
      numbered(some(16), (n) => `#interrupt:i${n} `),
    ),
    inBody(
      'many references to artifacts',
      numbered(some(16), (n) => `#artifact:a${n} `),
    ),
    inBody(
      'many links',
      numbered(some(14), (n) => `[a](f${n}.md) `),
    ),
    inBody('many comments in Markdown', fill('<!-- c -->\n')),
    inBody('many open comments in Markdown', fill('<!-- c\n\n')),
    inBody('many silencing comments in Markdown', fill('<!-- skill-disable-next-line unknown-tool -->\n')),
    inBody('many braces in prose', fill('{{ a }} ')),
    inBody('many lines', fill('\n')),
    inBody('many list items', fill('- a\n')),
    inBody('many stages', `## Approach\n\n${numbered(some(12), (n) => `${n}. do it\n`)}`),
    inTemplate(
      'many variables',
      numbered(some(10), (n) => `{{ v${n} }}`),
    ),
    inTemplate('many misspelt variables', fill('{{ aa }}')),
    inTemplate(
      'many filters',
      numbered(some(14), (n) => `{{ a|f${n} }}`),
    ),
    inTemplate(
      'many tests',
      numbered(some(18), (n) => `{{ a is t${n} }}`),
    ),
    inTemplate('many open tags', fill('{{ b ')),
    inTemplate('many open tags on lines', fill('{{ b\n')),
    inTemplate('many open statements', fill('{% set x\n')),
    inTemplate('many open strings', fill('{{ "b\n')),
    inTemplate(
      'many includes in a template',
      numbered(some(20), (n) => `{% include "t${n}" %}`),
    ),
    // Lists that may be expanded.
    inYaml('a long list of numbers', `${INPUT}tags: [${fill('1,')}]\n`),
    inYaml('many numbers on lines', `${INPUT}tags:\n${fill('- 1\n')}`),
    inYaml('many required names', `input_schema: {type: object, properties: {a: {}}, required: [${fill('b,')}]}\n`),
    inYaml('many choices', `input_schema: {type: object, properties: {a: {enum: [${fill('b,')}]}}}\n`),
    inYaml('many alternatives', `input_schema: {type: object, properties: {a: {anyOf: [${fill('{},')}]}}}\n`),
    inYaml('many parts of a schema', `input_schema: {type: object, allOf: [${fill('{minimum: 1},')}]}\n`),
    inYaml('many values of a sample', `${INPUT}samples: {a: {parameters: {b: [${fill('1,')}]}}}\n`),
    inYaml('many composed twice', `${COMPOSITE}composes: [${fill('b,')}]\n`),
    inYaml('many steps side by side', `${COMPOSITE}composes: [b]\nexecution:\n  - parallel: [${fill('{step: b},')}]\n`),
    inYaml('many retries', `${COMPOSITE}composes: [b]\nexecution: [${fill('[{retry: 1}],')}]\n`),
    inBody('many stray fields of an example', exampleOf(`{${numbered(some(8), (n) => `k${n}: 1, `)}}`), CLOSED),
    inBody('many wrong items of an example', exampleOf(`{a: [${fill('x,')}]}`), CLOSED),
    inTemplate('many items of a list in a template', `{{ [${fill('1,')}] }}`),
    inTemplate('many arguments', `{{ range(${fill('1,')}) }}`),
    // Other dialects.
    one('a long agent skill', `---\nname: a\ndescription: ${fill('x')}\n---\n`, 'a/SKILL.md'),
    one(
      'many keys of an agent skill',
      `---\nname: a\ndescription: x\n${numbered(some(12), (n) => `k${n}: ${n}\n`)}---\n`,
      'a/SKILL.md',
    ),
    one(
      'much metadata of an agent skill',
      `---\nname: a\ndescription: x\nmetadata:\n${numbered(some(12), (n) => `  k${n}: ${n}\n`)}---\n`,
      'a/SKILL.md',
    ),
    one(
      'many tools of an agent skill',
      `---\nname: a\ndescription: x\nallowed-tools: ${fill('Read ')}\n---\n`,
      'a/SKILL.md',
    ),
    one(
      'open brackets in the tools of an agent skill',
      `---\nname: a\ndescription: x\nallowed-tools: ${fill('Bash(')}\n---\n`,
      'a/SKILL.md',
    ),
    one(
      'many links of an agent skill',
      `---\nname: a\ndescription: x\n---\n${numbered(some(14), (n) => `[a](f/g/${n}.md) `)}`,
      'a/SKILL.md',
    ),
    one('many lines of an agent skill', `---\nname: a\ndescription: x\n---\n${fill('x\n')}`, 'a/SKILL.md'),
    one('a long contract', fill('x'), 'a.skill.yaml'),
    one('a contract of many keys', HEAD + INPUT + numbered(some(12), (n) => `k${n}: ${n}\n`), 'a.skill.yaml'),
    one('a long idempotency key', `${HEAD}${INPUT}policy: {idempotency_key: "${fill('{a}')}"}\n`, 'a.skill.yaml'),
    one(
      'a catalog of many tools',
      `tools:\n${numbered(some(40), (n) => `  - {name: t${n}, scope: read:p${n}}\n`)}scopes: [read:x]\n`,
      'skills.config.yaml',
    ),
    one('a catalog of many equal tools', `tools:\n${fill('  - {name: t}\n')}`, 'skills.config.yaml'),
    one(
      'a catalog of many roles',
      `roles:\n${numbered(some(20), (n) => `  r${n}: [read:p${n}]\n`)}scopes: [read:x]\n`,
      'skills.config.yaml',
    ),
    one(
      'a catalog of many profiles',
      `roles: {r: []}\nprofiles:\n${numbered(some(25), (n) => `  - {name: p${n}, role: q${n}}\n`)}`,
      'skills.config.yaml',
    ),
    one('a catalog of many rules', `rules:\n${numbered(some(14), (n) => `  r${n}: errror\n`)}`, 'skills.config.yaml'),
    // Large files that refer to large files.
    one(
      'many wrong tools against many tools',
      skill(
        `${INPUT}tools:\n${numbered(some(12), (n) => `  - tol_${n}\n`)}`,
        numbered(some(12), (n) => `#tool:too_${n} `),
      ),
      'a.skill.md',
      {
        'skills.config.yaml': `tools:\n${numbered(some(24), (n) => `  - {name: tool_${n}, scope: read:x}\n`)}scopes: [read:x]\n`,
      },
    ),
    one(
      'many declared tools and their scopes',
      skill(
        `${INPUT}tools:\n${numbered(some(12), (n) => `  - tool_${n}\n`)}`,
        numbered(some(12), (n) => `#tool:tool_${n} `),
      ),
      'a.skill.md',
      {
        'skills.config.yaml': `tools:\n${numbered(some(24), (n) => `  - {name: tool_${n}, scope: read:p${n}}\n`)}`,
      },
    ),
    one('many mentions of one skill', skill(INPUT, fill('#skill:b ')), 'a.skill.md', {
      'b.skill.md': skill(INPUT).replace('name: a', 'name: b'),
    }),
  ];
}
