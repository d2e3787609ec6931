// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops in braces.
/** Snippets: each snippet is offered once, only where it belongs, and its text is valid there without changes. */
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { Workspace } from '../../../../server/src/analysis/workspace.ts';
import { completion } from '../../../../server/src/features/completion/completion.ts';
import { plainText } from '../../../../server/src/features/completion/items.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { check } from '../../../../server/src/rules/engine/check.ts';
import { ARTIFACT_KINDS } from '../../../../server/src/vocabulary/artifact-keys.ts';
import { type Snippet, type SnippetPlace, snippets } from '../../../../server/src/vocabulary/snippets.ts';
import { at, complete } from '../cursor.ts';

const PLACES: Readonly<Record<SnippetPlace, true>> = {
  'skill-file': true,
  'contract-file': true,
  'agent-skill-file': true,
  heading: true,
  metadata: true,
  key: true,
  item: true,
  template: true,
  comment: true,
};

const head = `name: draft\ndescription: Drafts. Use it for drafts.\nversion: 1.0.0\n`;
const schemas = 'input_schema: {topic: string}\noutput_schema: {answer: string}\n';
const OTHERS = ['first-skill', 'second-skill', 'third-skill'];
const composing = (text: string) =>
  `level: 2\ncomposes: [${OTHERS.filter((name) => text.includes(name)).join(', ')}]\n`;
const skill = (frontmatter: string, body: string) => `---\n${frontmatter}---\nYou draft.\n\n${body}\n`;
const listed = (key: string, item: string) => `${key}:\n  - ${item.replaceAll('\n', '\n    ')}\n`;

const atomic = (name: string, output: string) =>
  `---\nname: ${name}\ndescription: ${name}.\nversion: 1.0.0\ninput_schema: {topic: "string?", text: "string?"}\noutput_schema: ${output}\n---\nText.\n`;

const FILES: ReadonlyMap<SnippetPlace, string> = new Map<SnippetPlace, string>([
  ['contract-file', 'draft.skill.yaml'],
  ['agent-skill-file', 'draft/SKILL.md'],
]);

/** A file with the snippet: the snippet alone, or the snippet in the smallest file in which it can be valid. */
function fileOf({ place, of }: Snippet, text: string): string {
  switch (place) {
    case 'skill-file':
    case 'contract-file':
    case 'agent-skill-file':
      return text.replaceAll('$SKILL_NAME', 'draft');
    case 'heading':
      return skill(`${head}${schemas}`, `## ${text}${/^\s*$|```jinja\n```/.test(text) ? 'Text.' : ''}`);
    case 'metadata': {
      const rest = of === 'Example' ? '### Input\nHere.\n### Output\nThere.' : 'Text.';
      return skill(`${head}${schemas}tools: [read_page]\n`, `## ${of}: a\n${text}${rest}`);
    }
    case 'template':
      return skill(head + schemas, `## PromptTemplate: Framing\nText.\n## PromptTemplate: a\n${text}`);
    case 'comment':
      return skill(`${head}${schemas}# ${text}unknown-key\nmood: wry\n`, '');
    case 'item': {
      if (of === 'assertions') {
        const fence = `\`\`\`yaml artifact\n${listed('assertions', text)}\`\`\``;
        return skill(head + schemas, `## PromptTemplate: a\n${fence}\nText.`);
      }
      // A step may have a condition, so its output may be missing.
      const optional = schemas.replace('answer: string', 'answer: string?');
      return skill(`${head}${optional}${composing(text)}${listed('execution', text)}`, '');
    }
    case 'key': {
      const rest = schemas.split('\n').filter((line) => !line.startsWith(`${of}:`));
      const level = of === 'execution' ? composing(text) : of === 'composes' ? 'level: 2\n' : '';
      return skill(`${head}${rest.join('\n')}${level}${text}\n`, '');
    }
  }
}

describe('an unchanged skeleton is valid in its context', () => {
  for (const snippet of snippets) {
    it(`${snippet.place}: ${snippet.label}`, () => {
      const text = fileOf(snippet, plainText(snippet.body));
      const workspace = new Workspace();
      for (const other of OTHERS) {
        // A mapping renames `text` to `answer`, and only one of two parallel skills provides `answer`.
        const hasAnswer = snippet.of !== 'composes' && other !== 'first-skill';
        const output = hasAnswer ? '{answer: string, text: string}' : '{text: string}';
        workspace.apply({ kind: 'text', uri: `file:///w/${other}.skill.md`, text: atomic(other, output) });
      }
      const uri = `file:///w/${FILES.get(snippet.place) ?? 'draft.skill.md'}`;
      workspace.apply({ kind: 'text', uri, text });
      const file = workspace.analysis.file(uri);
      assert.ok(file);
      const found = check(file, workspace.analysis).filter(
        ({ severity, rule }) =>
          // Excludes findings about values that the author still has to fill in.
          (severity === 'error' || severity === 'warning') &&
          !(snippet.body.includes('include_when: $2') && rule === 'invalid-artifact-metadata'),
      );
      assert.deepEqual(
        found.map(({ rule, message }) => `${rule}: ${message}`),
        [],
        text,
      );
    });
  }
});

test('every skeleton has a known context, a unique name and a description', () => {
  for (const { label, place, description } of snippets) {
    assert.ok(Object.hasOwn(PLACES, place), `${label}: ${place}`);
    assert.match(description, /^[A-Z].{19,}[^.]\.$/, label);
  }
  const labels = snippets.map(({ label }) => label);
  assert.deepEqual(labels, [...new Set(labels)]);
});

test('every artifact kind has a skeleton with only a heading', () => {
  const plain = snippets.filter(({ place, of, label }) => place === 'heading' && of === label);
  assert.deepEqual(
    plain.map(({ label }) => label),
    ARTIFACT_KINDS,
  );
});

const HEAD = '---\nname: test\ndescription: A test.\nversion: 1.0.0\ninput_schema: {}\n---\n';
const NEW = ['New skill', 'New skill with a template', 'New composite skill', 'New workflow skill'];

/** The labels of all snippets, both plain and as headings. */
const skeletons = new Set(snippets.flatMap(({ label }) => [label, `## ${label}`]));
const skeletonsAt = (text: string) => complete(text).labels.filter((label) => skeletons.has(label));

test('offers only whole skills in an empty file', () => {
  assert.deepEqual(complete('$0').labels, NEW);
  assert.deepEqual(complete('ne$0').labels, NEW);
  assert.deepEqual(complete('\uFEFF$0').labels, NEW);
  assert.match(
    complete({ 'skills/draft-scene.skill.md': '$0' }).accept('New skill'),
    /^---\nname: \$\{1:draft-scene\}\n/,
  );
  assert.deepEqual(complete({ 'a/tidy-up/SKILL.md': '$0' }).labels, ['New Agent Skill']);
  assert.match(complete({ 'a/tidy-up/SKILL.md': '$0' }).accept('New Agent Skill'), /^---\nname: \$\{1:tidy-up\}\n/);
  const contract = complete({ 'fetch.skill.yaml': '$0' }).labels;
  assert.deepEqual(contract.slice(0, 2), ['New tool contract', 'name']);
  assert.deepEqual(
    complete({ 'skills.config.yaml': '$0' }).labels.filter((label) => skeletons.has(label)),
    [],
  );
});

test('offers each key once by its name, and its variants with content under other names', () => {
  const { labels, accept } = complete('---\nname: test\n$0\n---\n');
  assert.deepEqual(labels, [...new Set(labels)]);
  const wholes = labels.filter((label) => skeletons.has(label));
  assert.ok(wholes.includes('policy, every limit') && wholes.includes('input_schema as JSON Schema'));
  assert.deepEqual(labels.slice(-wholes.length), wholes);
  assert.match(accept('exit after tool calls'), /\nexit: \{on: tool_budget, max_tool_calls: \$\{1:8\}\}\n---/);
  const left = complete('---\nname: test\ninput_schema: {}\npolicy: {}\n$0\n---\n').labels;
  assert.ok(!left.includes('policy, every limit') && !left.includes('input_schema as JSON Schema'));
});

test('offers no skeleton for a value, in a nested map, in a comment or in prose', () => {
  for (const text of [
    '---\ndescription: $0\n---\n',
    '---\nlevel: $0\n---\n',
    '---\ntools:\n  - $0\n---\n',
    '---\nsamples:\n  a:\n    $0\n---\n',
    '---\nna$0: test\n---\n',
    '---\n# $0\n---\n',
    `${HEAD}\nSome prose$0\n`,
    `${HEAD}\nSome $0\n`,
    `${HEAD}\n\`\`\`text\n$0\n\`\`\`\n`,
    `${HEAD}\n<!--\n$0\n-->\n`,
    `${HEAD}\n## Description: a\n\nSee \`$0\`\n`,
  ]) {
    assert.deepEqual(skeletonsAt(text), [], text);
  }
});

test('offers sections on an empty line of the body', () => {
  const { labels, accept } = complete(`${HEAD}\nYou draft.\n\n$0\n`);
  assert.deepEqual(labels.slice(0, 4), ['## Description', '## Approach', '## PromptTemplate', '## Example']);
  assert.ok(labels.every((label) => label.startsWith('## ')));
  assert.match(accept('## Approach'), /\n\n## Approach: \$\{1:name\}\n\n\$0\n$/);
  assert.match(complete(`${HEAD}\nYou draft.\n\n##$0\n`).accept('## Example'), /\n\n## Example: \$\{1:name\}\n/);
});

test('offers metadata below the heading of an artifact without metadata', () => {
  assert.deepEqual(skeletonsAt(`${HEAD}\n## Approach: a\n$0\n\nText.\n`), ['Metadata of an Approach']);
  assert.ok(
    !skeletonsAt(`${HEAD}\n## Approach: a\n\`\`\`yaml artifact\ntools: []\n\`\`\`\n$0\nText.\n`).includes(
      'Metadata of an Approach',
    ),
  );
});

test('offers statements at the start of a line in a template', () => {
  const statements = ['{% if %}', '{% for %}', '{% include %}', '{% raw %}'];
  const fenced = `${HEAD}\n## PromptTemplate: a\n\n\`\`\`jinja\nText.\n$0\n\`\`\`\n`;
  assert.deepEqual(complete(fenced).labels, statements);
  const unfenced = complete(`${HEAD}\n## PromptTemplate: a\n\nText.\n\n$0\n`).labels;
  assert.deepEqual(unfenced.slice(0, 4), statements);
  assert.ok(unfenced.includes('## Example'));
});

test('inserts a whole step or assertion at the right indentation', () => {
  const flow = complete('---\ncomposes: [a]\nexecution:\n  - $0\n---\n');
  assert.match(flow.accept('branches on a condition'), /\n {2}- when:\n {6}- condition: .*\n {8}steps:\n/);
  const meta = `${HEAD}\n## PromptTemplate: a\n\`\`\`yaml artifact\nassertions:\n  - $0\n\`\`\`\n\nText.\n`;
  assert.deepEqual(skeletonsAt(meta), ['assertion on a pattern', 'assertion on the meaning']);
});

test('replaces all words that are typed, also after a space', () => {
  for (const typed of ['step', 'step ', 'step on', 'step on a ']) {
    const { accept } = complete(`---\ncomposes: [a]\nexecution:\n  - ${typed}$0\n---\n`);
    assert.match(accept('step on a condition'), /\n {2}- step: \$/, typed);
  }
  for (const typed of ['execution ', 'execution with']) {
    const { accept } = complete(`---\ncomposes: [a]\n${typed}$0\n---\n`);
    assert.match(accept('execution with data flow'), /\nexecution:\n/, typed);
  }
});

test('completes a suppression and its rule', () => {
  assert.match(
    complete('---\n# ski$0\nmood: wry\n---\n').accept('skill-disable-next-line'),
    /# skill-disable-next-line \$1\n/,
  );
  assert.match(
    complete(`${HEAD}\n<!-- skill$0 -->\nText.\n`).accept('skill-disable-next-line'),
    /<!-- skill-disable-next-line \$1 -->/,
  );
  const { labels, accept } = complete('---\n# skill-disable-next-line un$0\nmood: wry\n---\n');
  assert.ok(labels.includes('unknown-key') && !labels.includes('missing-frontmatter'));
  assert.match(accept('unknown-key'), /# skill-disable-next-line unknown-key\n/);
});

test('triggers completion after an inserted key if the client has a command for completion', () => {
  const { analysis, file, offset } = at('---\nname: test\n$0\n---\n');
  const commandsFor = (suggestCommand?: string) => {
    const client = { defaults: new Set<string>(), supportsSnippets: true, suggestCommand };
    const answer = completion(analysis, file, offset, utf16, client);
    const items = Array.isArray(answer) ? answer : answer.items;
    return items.filter(({ command }) => command).map(({ label, command }) => [label, command?.command]);
  };
  assert.deepEqual(commandsFor(), []);
  const opening = new Map(commandsFor('suggest').map(([label, command]) => [label, command]));
  const names = [
    'tools',
    'interrupts',
    'composes',
    'required_scopes',
    'effects',
    'framing',
    'policy',
    'license',
    'execution',
  ];
  for (const name of names) assert.equal(opening.get(name), 'suggest', name);
  for (const name of ['description', 'version', 'author', 'tags', 'input_schema', 'samples', 'requires_tools']) {
    assert.ok(!opening.has(name), name);
  }
});

test('inserts plain text for a client without snippets', () => {
  const { analysis, file, offset } = at('---\nname: test\n$0\n---\n');
  const answer = completion(analysis, file, offset, utf16, { defaults: new Set(), supportsSnippets: false });
  const items = Array.isArray(answer) ? answer : answer.items;
  assert.ok(items.every(({ insertTextFormat }) => insertTextFormat !== 2));
  const textOf = (label: string) => items.find((item) => item.label === label)?.textEdit?.newText;
  assert.equal(textOf('version'), 'version: 1.0.0');
  assert.equal(textOf('composes'), 'composes:\n  - ');
  assert.equal(textOf('requires_tools'), 'requires_tools: true');
  assert.equal(plainText('${1:a} \\$$1 ${2|x,y|} ${3} \\} $0'), 'a $a x  } ');
});

test('omits the indentation of the line for a client that adds it to each line', () => {
  const text = '---\nname: test\ncomposes: [part]\nexecution:\n  - step: part\n    ret$0\n---\n';
  const retry = (indentsSnippets: boolean) => {
    const { analysis, file, offset } = at(text);
    const answer = completion(analysis, file, offset, utf16, {
      defaults: new Set(),
      supportsSnippets: true,
      indentsSnippets,
    });
    const items = Array.isArray(answer) ? answer : answer.items;
    const { textEdit, insertTextMode } = items.find(({ label }) => label === 'retry') ?? {};
    return [textEdit?.newText.replace(/\$.*/s, ''), insertTextMode];
  };
  assert.deepEqual(retry(false), ['retry:\n      ', 1]);
  assert.deepEqual(retry(true), ['retry:\n  ', undefined]);
});

describe('a skeleton uses the names that are there', () => {
  const part = (name: string, schemas: string) =>
    `---\nname: ${name}\ndescription: ${name}.\nversion: 1.0.0\n${schemas}\n---\nText.\n`;
  const files = {
    'skills.config.yaml': 'tools: [{name: read_page}, {name: find_page}]\n',
    'skills/read-page.skill.md': part(
      'read-page',
      'input_schema: {slug: string}\noutput_schema: {state: [draft, done]}',
    ),
    'skills/sum-up.skill.md': part(
      'sum-up',
      'input_schema: {page: string, limit: integer?}\noutput_schema: {summary: string}',
    ),
  };
  const accept = (frontmatter: string, label: string) =>
    complete({
      ...files,
      'skills/test.skill.md': `---\nname: test\nlevel: 2\ninput_schema: {page: string, mode: [fast, slow]}\n${frontmatter}\n---\n`,
    }).accept(label);

  it('steps, their inputs, and values in conditions', () => {
    const steps = (item: string) => `composes: [read-page, sum-up]\nexecution:\n${item}`;
    assert.match(
      accept(steps('  - step: read-page\n  - $0'), 'step on a condition'),
      /- step: \$\{1\|sum-up,read-page\|\}\n {4}inputs:\n {6}\$\{2\|page,limit\|\}: \\\$input\.\$\{3\|page,mode\|\}\n {4}condition: \\\$input\.\$3 != \$\{4:""\}\n/,
    );
    assert.match(
      accept(steps('  - $0'), 'branches on a condition'),
      /condition: \\\$input\.\$\{1\|mode,page\|\} == \$\{2\|"fast","slow"\|\}\n {8}steps:\n {10}- step: \$\{3\|read-page,sum-up\|\}\n {4}else:\n {6}- step: \$\{4\|sum-up,read-page\|\}/,
    );
    assert.match(
      accept(steps('  - $0'), 'speculative steps'),
      /output\.\$\{3:summary\} == \$\{4:"draft"\}\n {4}until: \$2/,
    );
  });

  it('skills of the workspace in a new composite, and templates', () => {
    assert.match(
      complete({ ...files, 'skills/new.skill.md': '$0' }).accept('New composite skill'),
      /input_schema:\n {2}\$\{4:slug\}: string\n.*\n.*\ncomposes:\n {2}- \$\{6\|read-page,sum-up\|\}\n {2}- \$\{7\|sum-up,read-page\|\}\n.*\n.*\n.*\n.*\n {6}\$\{8\|page,limit\|\}: \\\$\$6\.output\.\$\{9:state\}\n/,
    );
    const templates = '## PromptTemplate: Look\nText.\n\n## PromptTemplate: Main\n$0\n';
    assert.match(complete(`${HEAD}\n${templates}`).accept('{% include %}'), /\{% include "\$\{1:Look\}" %\}/);
  });

  it('the flow of an execution, composed skills, tools and parameters', () => {
    assert.match(
      accept('composes: [read-page, sum-up]\n$0', 'execution with data flow'),
      /- step: \$\{1\|read-page,sum-up\|\}\n {2}- step: \$\{2\|sum-up,read-page\|\}\n {4}inputs:\n {6}\$\{3\|page,limit\|\}: \\\$\$1\.output\.\$\{4:state\}/,
    );
    const fed = {
      'skills/a.skill.md': part('a', 'input_schema: {day: string}\noutput_schema: {price: number, names: "string[]"}'),
      'skills/b.skill.md': part('b', 'input_schema: {city: string}\noutput_schema: {hotel: string}'),
      'skills/c.skill.md': part('c', 'input_schema: {title: string, names: "string[]"}\noutput_schema: {plan: string}'),
      'skills/test.skill.md': '---\nname: test\nlevel: 2\ncomposes: [a, b, c]\n$0\n---\n',
    };
    assert.match(
      complete(fed).accept('execution with data flow'),
      /- step: \$\{1\|a,b,c\|\}\n {2}- step: \$\{2\|c,.*\|\}\n {4}inputs:\n {6}\$\{3\|names,title\|\}: \\\$\$1\.output\.\$\{4\|names,price\|\}/,
    );
    assert.match(
      complete({ ...fed, 'skills/test.skill.md': '---\nname: test\noutput_schema: {trip: string}\n$0\n---\n' }).accept(
        'composes with mapped fields',
      ),
      /- \$\{1\|a,b,c\|\}\n {2}- skill: \$\{2\|c,b,a\|\}\n.*\n {4}input_mapping: \{\$\{5\|price,names\|\}: \$\{4\|title,names\|\}\}\n {4}output_mapping: \{\$\{6:plan\}: \$\{7:trip\}\}/,
    );
    assert.match(
      accept('$0', 'composes with mapped fields'),
      /- \$\{1\|read-page,sum-up\|\}\n {2}- skill: \$\{2\|sum-up,read-page\|\}/,
    );
    assert.match(
      accept('$0', 'tools, one optional'),
      /- \$\{1\|read_page,find_page\|\}\n {2}- \{name: \$\{2\|find_page,read_page\|\}/,
    );
    assert.match(accept('$0', 'samples with parameters'), /\n {6}\$\{3\|page,mode\|\}: \$\{4:a topic\}/);
  });

  it('only names and values that need no quotes there, and the values of the offered field', () => {
    const odd = part('odd-page', 'input_schema: {"a: b": string, "on": string, "x y": string, page: string}');
    const accepted = complete({
      'skills/odd-page.skill.md': odd,
      'skills.config.yaml': 'tools: [{name: "on"}, {name: "a: b"}, {name: find_page}]\n',
      'skills/test.skill.md':
        '---\nname: test\ninput_schema: {"a: b": integer, mode: {enum: ["a: b", "x #1", "q,r", fast]}}\ncomposes: [odd-page]\nexecution:\n  - $0\n---\n',
    });
    assert.match(
      accepted.accept('step on a condition'),
      /\$\{2:page\}: \\\$input\.\$\{3:mode\}\n {4}condition: \\\$input\.\$3 != \$\{4:"fast"\}\n/,
    );
    const tools = complete({
      'skills.config.yaml': 'tools: [{name: "on"}, {name: "a: b"}, {name: find_page}]\n',
      'skills/test.skill.md': '---\nname: test\n$0\n---\n',
    });
    assert.match(tools.accept('tools, one optional'), /\n {2}- \$\{1:find_page\}\n {2}- \{name: \$\{2:find_page\}/);
  });

  it('a parameter with several values for branches, before a number', () => {
    const text = '---\nname: test\ninput_schema: {n: integer, mode: [fast, slow]}\nexecution:\n  - $0\n---\n';
    assert.match(
      complete(text).accept('branches on a condition'),
      /input\.\$\{1\|mode,n\|\} == \$\{2\|"fast","slow"\|\}/,
    );
  });

  it('its own words, if no names are known', () => {
    assert.match(accept('composes: []\nexecution:\n  - $0', 'step on a condition'), /step: \$\{1:first-skill\}/);
  });
});
