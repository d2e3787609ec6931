/** A file for each code of a cause, with the findings that report it. The compiler requires a file for a new code. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { targetRows } from '../../../server/src/analysis/targets.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { CauseCode } from '../../../server/src/clients/matrix/causes.ts';
import { COLUMNS } from '../../../server/src/clients/matrix/cell.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { sliceOf } from '../../../server/src/text.ts';
import { skillText } from './fixtures.ts';

interface Case {
  readonly clients: readonly string[];
  readonly path?: string;
  readonly text: string;
  readonly others?: Readonly<Record<string, string>>;
  readonly link?: 'folder' | 'file';
  readonly severities?: Readonly<Record<string, string>>;
  readonly model?: number;
}

/** For each code, the findings of its file as `rule "text": message [fixes]`, with the first 40 characters of the text. */
const EXPECTED = 'test/core/clients/causes.txt';

const NAME = 'name: tidy-notes';
const DESCRIPTION = "description: Tidies a novelist's notes when asked.";
const PLAIN = skillText(NAME, DESCRIPTION);
const NOTES = '.claude/skills/tidy-notes/SKILL.md';

/** A skill in a plugin of Claude Code. */
function inPlugin(manifest: string, folder: string, others: Case['others'] = {}, root = ''): Case {
  return {
    clients: ['claude-code'],
    path: `${folder}/SKILL.md`,
    text: PLAIN,
    others: { [`${root}.claude-plugin/plugin.json`]: manifest, ...others },
  };
}

/** `find/setting` is only in predictions: rows have another text for a folder that a setting adds. */
const CASES: Readonly<Record<Exclude<CauseCode, 'find/setting'>, Case>> = {
  'find/folder': { clients: ['codex'], path: NOTES, text: PLAIN },
  'find/file-name': { clients: ['codex'], path: '.agents/skills/tidy-notes/skill.md', text: PLAIN },
  'find/depth': { clients: ['claude-code'], path: '.claude/skills/a/tidy-notes/SKILL.md', text: PLAIN },
  'find/hidden': { clients: ['gemini-cli'], path: '.gemini/skills/.tidy-notes/SKILL.md', text: PLAIN },
  'find/below-skill': {
    clients: ['pi'],
    path: '.pi/skills/all/tidy-notes/SKILL.md',
    text: PLAIN,
    others: { '.pi/skills/all/SKILL.md': PLAIN },
  },
  'find/link': { clients: ['codex'], path: '.agents/skills/tidy-notes/SKILL.md', text: PLAIN, link: 'file' },
  'find/left-out': {
    clients: ['gemini-cli'],
    path: '.gemini/skills/node_modules/SKILL.md',
    text: skillText('name: node_modules', DESCRIPTION),
  },
  'find/plugin-refused': inPlugin('{"name": "a b"}', 'skills/tidy-notes'),
  'find/plugin-name': {
    ...inPlugin('{"name": "notes"}', '.claude/skills/q/skills/tidy-notes'),
    others: Object.fromEntries(
      ['p', 'q'].map((name) => [`.claude/skills/${name}/.claude-plugin/plugin.json`, '{"name": "notes"}']),
    ),
  },
  'find/plugin-root': inPlugin('{"name": "notes"}', 'notes', { 'notes/skills/map/SKILL.md': PLAIN }, 'notes/'),
  'find/plugin-no-root': { ...inPlugin('{"name": "notes"}', 'notes', {}, 'notes/'), clients: ['codex'] },
  'find/plugin-other': inPlugin('{"name": "notes"}', 'skills/tidy-notes', { 'skills/SKILL.md': PLAIN }),
  'find/plugin-depth': inPlugin('{"name": "notes"}', 'skills/all/tidy-notes'),
  'find/plugin-path': inPlugin('{"name": "notes"}', 'Skills/tidy-notes'),
  'find/plugin-command': inPlugin('{"name": "notes"}', 'skills/tidy-notes', { 'commands/tidy-notes.md': PLAIN }),
  'find/too-large': { clients: ['zed'], text: `${PLAIN}${'word '.repeat(21_000)}\n` },
  'open/no-frontmatter': { clients: ['codex'], text: 'Merge notes.\n' },
  'open/before': { clients: ['codex'], text: `\n${PLAIN}` },
  'open/bom': { clients: ['codex', 'vscode', 'kimi-cli'], text: `\uFEFF${PLAIN}` },
  'open/cr': { clients: ['codex', 'claude-code'], text: PLAIN.replaceAll('\n', '\r') },
  'open/crlf': { clients: ['cursor'], text: PLAIN.replaceAll('\n', '\r\n') },
  'open/unclosed': { clients: ['codex'], text: PLAIN.replace('\n---\n', '\n...\n') },
  'open/encoding': { clients: ['codex'], text: skillText(NAME, 'description: Tidies \uFFFD.') },
  'parse/syntax': { clients: ['codex'], text: skillText(NAME, 'description: "open') },
  'parse/colon': { clients: ['zed'], text: skillText(NAME, 'description: Use when: many') },
  'parse/tab': { clients: ['openhands', 'claude-ai'], text: skillText('name:\ttidy-notes', DESCRIPTION) },
  'parse/line-break': { clients: ['crush'], text: skillText(NAME, 'description: Tidies.\u2028Use it.') },
  'parse/escape': { clients: ['crush'], text: skillText(NAME, 'description: "Tidies a\\/b."') },
  'parse/duplicate-key': { clients: ['zed'], text: skillText(NAME, DESCRIPTION, DESCRIPTION) },
  'parse/not-a-map': { clients: ['zed'], text: skillText('- tidy-notes') },
  'fields/missing': { clients: ['zed'], text: skillText(NAME) },
  'fields/type': { clients: ['crush'], path: '2024-01-01/SKILL.md', text: skillText('name: 2024-01-01', DESCRIPTION) },
  'fields/pattern': { clients: ['zed'], text: skillText('name: Tidy_Notes', DESCRIPTION) },
  'fields/length': {
    clients: ['zed'],
    path: `${'a'.repeat(65)}/SKILL.md`,
    text: skillText(`name: ${'a'.repeat(65)}`, DESCRIPTION),
  },
  'fields/folder': { clients: ['roo-code'], path: 'notes/SKILL.md', text: PLAIN },
  'fields/reserved': {
    clients: ['claude-ai'],
    path: 'claude-notes/SKILL.md',
    text: skillText('name: claude-notes', DESCRIPTION),
  },
  'fields/tags': { clients: ['claude-ai'], text: skillText(NAME, 'description: Tidies <b>notes</b>.') },
  'fields/value': { clients: ['kimi-cli'], text: skillText(NAME, DESCRIPTION, 'type: other') },
  'fields/unknown-key': { clients: ['claude-ai'], text: skillText(NAME, DESCRIPTION, 'mood: good') },
  'fields/body': { clients: ['cline'], text: `---\n${NAME}\n${DESCRIPTION}\n---\n` },
  'fields/renamed': { clients: ['vscode'], path: 'notes/SKILL.md', text: PLAIN },
  'resolve/equal-name': {
    clients: ['copilot-cli'],
    path: '.claude/skills/notes/SKILL.md',
    text: PLAIN,
    others: { '.github/skills/tidy-notes/SKILL.md': PLAIN },
  },
  'admit/key': { clients: ['claude-code'], text: skillText(NAME, DESCRIPTION, 'disable-model-invocation: true') },
  'admit/missing': { clients: ['vscode'], text: skillText(NAME) },
  'admit/side-file': {
    clients: ['codex'],
    path: '.agents/skills/tidy-notes/SKILL.md',
    text: PLAIN,
    others: { '.agents/skills/tidy-notes/agents/openai.yaml': 'policy: {allow_implicit_invocation: false}\n' },
  },
  'entry/cut': {
    clients: ['claude-code'],
    text: skillText(NAME, `description: ${'a'.repeat(1_000)}`, `when_to_use: ${'a'.repeat(600)}`),
  },
  'entry/lines': { clients: ['letta-code'], text: skillText(NAME, 'description: |\n  Tidies notes.\n  Use it.') },
  'keys/unknown': { clients: ['codex'], text: skillText(NAME, DESCRIPTION, 'user-invocable: false') },
  'keys/no-effect': { clients: ['gemini-cli'], text: skillText(NAME, DESCRIPTION, 'allowed-tools: Read') },
  'call/name': { clients: ['codex'], path: 'shell/SKILL.md', text: skillText('name: shell', DESCRIPTION) },
};

/** A file for each rule that uses the names and texts that clients show, with the same findings in `EXPECTED`. */
const RULES: Readonly<Record<string, Case>> = {
  'duplicate-skill': {
    clients: ['claude-code'],
    path: NOTES,
    text: PLAIN,
    others: { '.claude/skills/notes/SKILL.md': PLAIN },
  },
  'duplicate-skill, of a hidden folder': {
    clients: ['gemini-cli'],
    path: '.gemini/skills/.tidy-notes/SKILL.md',
    text: PLAIN,
    others: { '.gemini/skills/tidy-notes/SKILL.md': PLAIN },
  },
  'duplicate-skill, beside a hidden folder': {
    clients: ['gemini-cli'],
    path: '.gemini/skills/tidy-notes/SKILL.md',
    text: PLAIN,
    others: { '.gemini/skills/.tidy-notes/SKILL.md': PLAIN },
  },
  'duplicate-skill, with a hidden folder that the client reads': {
    clients: ['qwen-code'],
    path: '.qwen/skills/.tidy-notes/SKILL.md',
    text: PLAIN,
    others: { '.qwen/skills/tidy-notes/SKILL.md': PLAIN },
  },
  'overlapping-skills': {
    clients: ['claude-code'],
    path: NOTES,
    text: PLAIN,
    others: { '.claude/skills/clean-notes/SKILL.md': PLAIN.replace(NAME, 'name: clean-notes') },
    severities: { 'overlapping-skills': 'hint' },
  },
  'agent-skill-metadata': { clients: ['codex'], text: skillText(NAME, DESCRIPTION, 'metadata: notes') },
  'unshipped-skill': {
    clients: ['claude-code'],
    path: 'skills/tidy-notes/SKILL.md',
    text: PLAIN,
    others: {
      '.claude-plugin/marketplace.json':
        '{"name": "tools", "plugins": [{"name": "notes", "source": "./", "strict": false, "skills": ["./skills/map"]}]}',
      'skills/map/SKILL.md': PLAIN.replace(NAME, 'name: map'),
    },
  },
  'listing-over-budget': {
    clients: ['claude-code'],
    path: NOTES,
    text: skillText(NAME, `description: Tidies notes. ${'It sorts and merges notes. '.repeat(36)}`),
    others: Object.fromEntries(
      ['map', 'chart'].map((name) => [
        `.claude/skills/${name}/SKILL.md`,
        skillText(`name: ${name}`, `description: Finds a ${name}. ${'Every place is found. '.repeat(35)}`),
      ]),
    ),
    model: 200_000,
  },
};

function open({ clients, path = 'tidy-notes/SKILL.md', text, others = {}, link, severities = {}, model }: Case) {
  const workspace = new Workspace();
  const uri = `file:///w/${path}`;
  for (const [other, content] of Object.entries({ ...others, [path]: text }))
    workspace.apply({ kind: 'text', uri: `file:///w/${other}`, text: content });
  workspace.apply({ kind: 'clients', clients });
  // The wording of the descriptions is not the cause.
  workspace.apply({ kind: 'severities', severities: { 'unclear-description': 'off', ...severities } });
  if (model !== undefined) workspace.apply({ kind: 'model', model });
  if (link) workspace.apply({ kind: 'link', uri, link: { folder: link === 'folder', file: link === 'file' } });
  const file = workspace.analysis.file(uri);
  assert.ok(file);
  const { rows } = targetRows(workspace.analysis, file);
  const reasons = rows.flatMap((row) => COLUMNS.flatMap((column) => row[column].reasons));
  const findings = check(file, workspace.analysis).map(({ rule, span, message, fixes }) => {
    const place = JSON.stringify(sliceOf(text, span).slice(0, 40));
    return `${rule} ${place}: ${message} [${fixes.map(({ title }) => title).join(' | ')}]`;
  });
  return { codes: new Set(reasons.flatMap(({ cause }) => cause?.code ?? [])), findings };
}

/** Returns a code with the findings of its file. */
const blockOf = ([code, one]: readonly [string, Case]): string => {
  const { findings } = open(one);
  return [code, ...(findings.length > 0 ? findings : ['no finding'])].join('\n  ');
};

describe('the code of a cause', () => {
  for (const [code, one] of Object.entries(CASES))
    it(`${code} is the cause of a file`, () => {
      const { codes } = open(one);
      assert.ok(codes.has(code as CauseCode), [...codes].join(', '));
    });

  it('has the checked findings: UPDATE_EXPECT=1 npm run test:core -- --filter core/clients', () => {
    const text = `${Object.entries({ ...CASES, ...RULES })
      .map(blockOf)
      .join('\n\n')}\n`;
    if (process.env.UPDATE_EXPECT === '1') writeFileSync(EXPECTED, text);
    else assert.equal(text, readFileSync(EXPECTED, 'utf8'));
  });
});
