/** Hovers for each kind of symbol under the cursor. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { at, hoverAt, hoverIn } from '../cursor.ts';

const CATALOG = `tools:
  - name: read_page
    description: Reads one page.
    input_schema: {slug: string}
    operation: READ
    scope: read:pages
scopes: [read:pages]
roles: {worldbuilder: [read:pages]}
profiles: [{name: night-desk, role: worldbuilder}]
interrupts: [{name: on_canon_conflict, node: call_tools, description: A clash.}]
effects: [Embed]
models: [local]
rules: {unknown-tool: warning}
`;

const PART = `---
name: read
description: It reads.
version: 1.2.3
level: 1
input_schema: {id: string}
output_schema: {user: {name: string}}
---
`;

const SKILL = `---
name: test
description: A test.
version: 1.0.0
level: 2
required_scopes: [read:pages]
allowed_roles: [worldbuilder]
tools: [read_page]
effects: [Embed, Query]
input_schema:
  tone: [grim, wry]
  cast: {type: array, items: {properties: {name: string}}, description: Who is there.}
output_schema:
  type: object
  properties:
    answer: {type: string, description: The words.}
interrupts:
  - name: on_canon_conflict
    when: cast | length > 2 and tone is defined
framing: main
composes:
  - skill: read
    input_mapping: {tone: id}
    output_mapping: {user: answer}
execution:
  - step: read
    inputs: {id: $input.tone}
  - step: read
    inputs: {id: $read.output.user}
samples:
  one: {parameters: {cast: []}, profile: night-desk, model: local}
---

Use #tool:read_page, #skill:read and #artifact:main.

## Description: grim
\`\`\`yaml artifact
include_when: tone == "grim" and source == "explicit"
\`\`\`

Text.

## PromptTemplate: main

{% for one in cast %}{{ loop.index }} {{ one.name | upper }} {{ user_request }} {{ range(3) }}{% endfor %}
{% include "other" %}{% if parameters.tone is defined %}{{ cast[0].name }}{% endif %}{% set n = cast %}{{ n }}

## PromptTemplate: other

Other text.

## Example: one

### Input

\`\`\`yaml
tone: grim
\`\`\`
`;

const FILES = { 'skills.config.yaml': CATALOG, 'skills/read.skill.md': PART, 'skills/test.skill.md': SKILL };

/** The workspace that all cursors share. */
const opened = at({ ...FILES, 'skills/test.skill.md': `$0${SKILL}` });

/** Returns the hover in a file at the first occurrence of `before¦after`. */
function over(marked: string, path: keyof typeof FILES = 'skills/test.skill.md') {
  const start = FILES[path].indexOf(marked.replace('¦', ''));
  assert.ok(start >= 0, `\`${marked}\` is in the file`);
  const file = opened.analysis.file(`file:///skills-here/${path}`);
  assert.ok(file);
  return hoverIn({ ...opened, file, offset: start + marked.indexOf('¦') });
}

const says = (marked: string, expected: RegExp, mark?: string, path?: keyof typeof FILES) => {
  const found = over(marked, path);
  assert.match(found?.text ?? 'nothing', expected, marked);
  if (mark !== undefined) assert.equal(found?.marked, mark);
};

test('describes a key in frontmatter that is not closed', () => {
  assert.match(hoverAt('---\nname: test\nver$0sion: 1.0.0\n')?.text ?? '', /^\*\*version\*\*/);
});

test('describes keys and their allowed values', () => {
  says('le¦vel: 2', /^\*\*level\*\* · `1` or `2` or `3`.*section 4/s, 'level');
  says('level: ¦2', /Composite/, '2');
  says('input_sch¦ema', /As JSON Schema.*"enum"/s);
  says('include_¦when', /expression/);
});

test('describes names in the frontmatter and in the body', () => {
  says('[read_pa¦ge]', /tool · READ · requires `read:pages`.*Reads one page.*`slug`/s, 'read_page');
  says('#tool:read_¦page', /Reads one page/, 'read_page');
  says('skill: re¦ad', /skill · 1\.2\.3 · level 1.*It reads\..*Input.*Output/s, 'read');
  says('#skill:r¦ead', /It reads/);
  says('#artifact:ma¦in', /PromptTemplate.*for one in cast/s);
  says('[read:¦pages]', /scope.*Required by `read_page`/s);
  says('[world¦builder]', /Scopes: `read:pages`/);
  says('on_canon_¦conflict', /fired by `call_tools`.*A clash/s);
  says('[Em¦bed', /effect/);
  says('night-¦desk', /profile/);
  says('model: lo¦cal', /model family/);
  says('framing: m¦ain', /PromptTemplate/);
  says('- step: re¦ad', /It reads/);
  says('"oth¦er"', /Other text/, 'other');
});

test('describes a field in its declaration and its uses', () => {
  says('  to¦ne: [grim', /\*\*tone\*\* · `grim \| wry` · required$/, 'tone');
  says('answ¦er: {type', /\*\*answer\*\* · `string`.*The words/s);
  says('type: str¦ing, desc', /type.*Text\./s);
  says('descr¦iption: The words', /schema/);
  says('{parameters: {ca¦st', /Who is there/);
  says('\ntone¦: grim', /`grim \| wry`/);
  says('{tone: i¦d}', /\*\*id\*\* · `string`/);
  says('{us¦er: answer}', /\*\*user\*\*/);
  says('inputs: {i¦d: $input', /\*\*id\*\*/);
  says('$input.to¦ne', /`grim \| wry`/, '$input.tone');
  says('$read.output.us¦er', /\*\*user\*\*/);
  says('$re¦ad.output', /It reads/, 'read');
});

test('describes conditions in YAML', () => {
  says('when: ca¦st |', /Who is there/, 'cast');
  says('| leng¦th > 2', /\*\*length\*\* · filter.*renders/s, 'length');
  says('tone is defi¦ned\n', /defined.*test/s);
  says('include_when: to¦ne', /`grim \| wry`/, 'tone');
  says('and sour¦ce ==', /from the composer/, 'source');
});

test('describes names in templates', () => {
  says('for on¦e in', /\*\*one\*\* · `object` · item of the loop/);
  says('in ca¦st %', /Who is there/);
  says('loop.in¦dex', /field of `loop`.*renders `1,2,3,`/s, 'index');
  says('lo¦op.index', /the enclosing loop/);
  says('{{ one.na¦me', /\*\*one\.name\*\* · `string`/, 'name');
  says('| up¦per', /filter/);
  says('user_re¦quest', /from the composer/);
  says('ran¦ge(3)', /function/);
  says('parameters.to¦ne', /`grim \| wry`/);
  says('cast[0].na¦me', /\*\*cast\.name\*\* · `string`/);
  says('{{ ¦n }}', /set in this template/);
});

test('describes the types of variables in templates', () => {
  const head =
    '---\nname: a\ninput_schema: {cast: {type: array, items: {name: string, age: "integer?"}}}\n---\n\n## PromptTemplate: main\n\n';
  const over = (template: string) => hoverAt(`${head}${template}\n`)?.text ?? '';
  assert.match(
    over('{% macro m(one) %}{{ one.na$0me }}{% endmacro %}{{ m(cast[0]) }}'),
    /\*\*one\.name\*\* · `string`/,
  );
  assert.match(over('{% macro m(o$0ne) %}{{ one }}{% endmacro %}{{ m(1) }}'), /`number` · parameter of the macro/);
  assert.match(over('{% for one in cast %}{{ one.ag$0e | default(0) }}{% endfor %}'), /`integer` · may be undefined/);
  assert.match(
    over('{% for key, all in cast | groupby("name") %}{{ a$0ll }}{% endfor %}'),
    /`object\[\]` · item of the loop/,
  );
  assert.match(over('{% set ns = namespace(n=1) %}{{ ns.$0n }}'), /`number`/);
});

test('describes headings', () => {
  says('## Descr¦iption', /kind of artifact/, 'Description');
  says('## Example: o¦ne', /Example/, 'one');
  assert.match(hoverAt('---\nname: a\n---\n\n## Dspy$0Module: x\n\nText.\n')?.text ?? '', /No longer supported/);
});

test('describes the keys of the catalog', () => {
  const path = 'skills.config.yaml';
  says('name: read¦_page', /Reads one page/, 'read_page', path);
  says('{sl¦ug', /\*\*slug\*\* · `string`/, 'slug', path);
  says('world¦builder: [', /Scopes:/, 'worldbuilder', path);
  says('on_canon¦_conflict', /A clash/, undefined, path);
  says('operation: RE¦AD', /Reads external data/, 'READ', path);
  says('unknown-¦tool', /rule · error by default/, undefined, path);
  says('scopes: [read:¦pages', /scope/, undefined, path);
});

test('describes the target clients of the catalog', () => {
  const over = (text: string) => hoverAt({ 'skills.config.yaml': `agent_skills: {${text}}\n` })?.text ?? 'nothing';
  assert.match(over('cli$0ents: [codex]'), /The target clients/);
  assert.match(over('clients: [cod$0ex]'), /OpenAI Codex/);
  assert.match(over('context_$0tokens: 200000'), /\*\*model\*\*/);
  assert.match(over('tools: {claude-$0code: {a: Read}}'), /tools in Claude Code/);
});

test('describes the keys of the standard and of clients in a SKILL.md', () => {
  const skill = (text: string) => hoverAt({ 'a/SKILL.md': `---\n${text}\n---\n` })?.text ?? 'nothing';
  assert.match(skill('allowed-$0tools: Read'), /Agent Skills standard/);
  assert.match(skill('argument-$0hint: x'), /Claude Code/);
  assert.equal(skill('nobody-$0knows: x'), 'nothing');
});

test('shows nothing for unknown names', () => {
  assert.equal(over('A te¦st.'), undefined);
  assert.equal(hoverAt('---\nname: a\n---\n\nPro$0se.\n'), undefined);
  assert.equal(hoverAt('---\ntools: [nobody$0]\n---\n'), undefined);
});

test('describes a tool in the `allowed-tools` of a SKILL.md, and lists the target clients that support it', () => {
  const hovered = (clients: string) =>
    hoverAt({
      'skills.config.yaml': `agent_skills: {clients: [${clients}]}\n`,
      'a/SKILL.md': '---\nname: a\ndescription: b\nallowed-tools: Read Ba$0sh(git:*)\n---\n\nDo it.\n',
    });
  const known = hovered('claude-code');
  assert.equal(known?.marked, 'Bash(git:*)');
  assert.equal(known?.text, '**Bash** · tool · only `git:*`\n\nRuns commands in a shell. (Claude Code)');
  assert.match(
    hovered('claude-code, cursor')?.text ?? '',
    /^Cursor \(as of 2026-09-30\) has no tool with this name\.$/m,
  );
});

test('describes MCP servers and their tools in the `allowed-tools` of a SKILL.md', () => {
  const hovered = (word: string, clients = 'claude-code') =>
    hoverAt({
      'skills.config.yaml': `agent_skills: {clients: [${clients}]}\n`,
      'a/SKILL.md': `---\nname: a\ndescription: b\nallowed-tools: Read m$0${word.slice(1)}\n---\n\nDo it.\n`,
    })?.text;
  const ofServer = (name: string, server: string) =>
    `**${name.replace('__', '\\_\\_').replace(/__\*$/, '\\_\\_\\*')}** · MCP server\n\nAll tools of the MCP server \`${server}\` (Claude Code).`;
  for (const name of ['mcp__github', 'mcp__github__*']) assert.equal(hovered(name), ofServer(name, 'github'));
  assert.equal(hovered('mcp__my-db'), ofServer('mcp__my-db', 'my-db'));
  const ofTool = 'The tool `list_jobs` of the MCP server `gitlab-mcp` (Claude Code).';
  const tool = hovered('mcp__gitlab-mcp__list_jobs', 'claude-code, gemini-cli') ?? '';
  assert.match(tool, /· MCP tool$/m);
  assert.ok(tool.includes(ofTool));
  assert.match(tool, /^Gemini CLI writes `mcp_gitlab-mcp_list_jobs`\.$/m);
  assert.match(hovered('mcp__github__get_*') ?? '', /whose names match `get_\*`/);
  assert.match(hovered('mcp__x', 'gemini-cli') ?? '', /no tool with this name/);
});
