/** The tools that a `SKILL.md` names: misspelt names, servers and patterns, and the names that are not reported. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';

const SNAPSHOT = JSON.stringify({
  servers: [{ name: 'github' }],
  tools: ['create_issue', 'list_issues', 'get_issue', 'pulls.merge'].map((name) => ({ name, server: 'github' })),
});

/** Returns the value of `key` after the first fix of each finding; undefined if nothing is reported. */
function fixedValue(
  value: string,
  path = '.claude/skills/tidy/SKILL.md',
  key = 'allowed-tools',
  others: Readonly<Record<string, string>> = {},
) {
  const uri = `file:///w/${path}`;
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  workspace.apply({ kind: 'text', uri: 'file:///w/skills.tools.json', text: SNAPSHOT });
  workspace.apply({ kind: 'exists', uri: 'file:///w/.mcp.json', exists: true, servers: ['playwright', 'my-db'] });
  const text = `---\nname: tidy\ndescription: Tidies notes.\n${key}: ${value}\n---\n\n# Tidy\n`;
  workspace.apply({ kind: 'text', uri, text });
  for (const [other, content] of Object.entries(others)) {
    workspace.apply({ kind: 'text', uri: `file:///w/${other}`, text: content });
  }
  const file = workspace.analysis.file(uri);
  const findings = file ? check(file, workspace.analysis) : [];
  const own = findings.filter(({ rule }) => rule === 'unknown-tool' || rule === 'agent-skill-allowed-tools');
  if (own.length === 0) return undefined;
  const edits = own.flatMap(({ fixes }) => fixes[0]?.edits.flatMap((one) => one.edits) ?? []);
  const after = applyEdits(text, edits);
  return after.slice(after.indexOf(`\n${key}: `) + key.length + 3, after.indexOf('\n---\n\n#'));
}

describe('a tool that is clearly misspelt', () => {
  const cases: Readonly<Record<string, string>> = {
    'Raed Grep Wirte': 'Read Grep Write',
    Grpe: 'Grep',
    '[Raed]': '[Read]',
    '["Raed", Wrte]': '["Read", Write]',
    'Edt, Gob, Bsh': 'Edit, Glob, Bash',
    'Readd Grepp': 'Read Grep',
    'Web-Fetch, WEBSEARCH, webFetch': 'WebFetch, WebSearch, WebFetch',
    'bash, read': 'Bash, Read',
    'Bahs(git:*)': 'Bash(git:*)',
    '\n  - Raed\n  - Bash': '\n  - Read\n  - Bash',
    'Read; Write': 'Read Write',
    TodoWrit: 'TodoWrite',
    AskUserQuestions: 'AskUserQuestion',
    mcp__github__create_isue: 'mcp__github__create_issue',
    mcp__githb__create_issue: 'mcp__github__create_issue',
    'mcp__playwrigth__*': 'mcp__playwright__*',
    mcp__playwrihgt: 'mcp__playwright',
    mcp__my_db__query: 'mcp__my-db__query',
    mcp_playwright_click: 'mcp__playwright__click',
    'mcp-playwright-click': 'mcp__playwright__click',
    mcp__github_create_issue: 'mcp__github__create_issue',
    mcp_other__do_it: 'mcp__other__do_it',
    mcp__playwright__: 'mcp__playwright',
    'mcp__github__pulls.merge': 'mcp__github__pulls_merge',
    'Read, list_issues': 'Read, mcp__github__list_issues',
  };
  for (const [value, meant] of Object.entries(cases)) {
    it(`is reported with a fix: ${value.trim()}`, () => assert.equal(fixedValue(value), meant));
  }

  it('is reported in `disallowed-tools`', () => {
    assert.equal(fixedValue('Wrte', undefined, 'disallowed-tools'), 'Write');
  });

  it('is reported in a skill outside the folders of clients, if the tool is of a client that grants tools', () => {
    assert.equal(fixedValue('Raed Grep', 'skills/tidy/SKILL.md'), 'Read Grep');
    assert.equal(fixedValue('bash, read', 'skills/tidy/SKILL.md'), undefined);
  });

  it('is compared with the tools of the client to which the folder belongs', () => {
    assert.equal(fixedValue('shel read', '.github/skills/tidy/SKILL.md'), 'shell read');
    assert.equal(fixedValue('runInTerminl', '.github/skills/tidy/SKILL.md'), 'execute/runInTerminal');
  });
});

describe('a pattern that no client can read', () => {
  const cases: Readonly<Record<string, string>> = {
    'Bash(git:*': 'Bash(git:*)',
    'Bash(git:*, Read': 'Bash(git:*), Read',
    'Bash(git add * Read Grep': 'Bash(git add *) Read Grep',
    'Bash(git:*, Bash(npm:*)': 'Bash(git:*), Bash(npm:*)',
    '[Read, "Bash(git:*"]': '[Read, "Bash(git:*)"]',
    'Bash(git:*)) Read': 'Bash(git:*) Read',
    'Read), Grep': 'Read, Grep',
    'Bash[git:*] Read': 'Bash(git:*) Read',
    'Bash (git:*) Read': 'Bash(git:*) Read',
    'Bash(git:*)Read': 'Bash(git:*), Read',
    'Bash(npx:checkly:*)': 'Bash(npx checkly:*)',
    'Bash(git:status)': 'Bash(git status)',
    'Bash(git:* push)': 'Bash(git * push)',
    '["Bash(git: *)"]': '["Bash(git:*)"]',
    'Bash(git :*)': 'Bash(git:*)',
    'Bash(git:*, npm:*)': 'Bash(git:*), Bash(npm:*)',
    'Bash(ls, cat, grep)': 'Bash(ls), Bash(cat), Bash(grep)',
    '\n  - Bash(git:*, npm:*)\n  - Read': '\n  - Bash(git:*)\n  - Bash(npm:*)\n  - Read',
    'Bash() Read': 'Bash Read',
    'Read( Grep': 'Read Grep',
    'Bash((git:*) Read': 'Bash(git:*) Read',
    'Bash git:*) Read': 'Bash(git:*) Read',
    'Bash(git:*, Read, Grep)': 'Bash(git:*), Read, Grep',
    'Bash(git:* && npm:*)': 'Bash(git:*), Bash(npm:*)',
    'Bash(git:*:*)': 'Bash(git:*)',
    'Bash(git::*)': 'Bash(git:*)',
    'Bash(git:)': 'Bash(git:*)',
    '["WebFetch(domain: example.com)"]': '["WebFetch(domain:example.com)"]',
    'Read|Write Grep': 'Read, Write Grep',
    'Read;Edit': 'Read, Edit',
    'WebFetch(https://example.com/docs)': 'WebFetch(domain:example.com)',
    'mcp__github(create_issue)': 'mcp__github__create_issue',
  };
  for (const [value, meant] of Object.entries(cases)) {
    it(`is reported with a fix: ${value.trim()}`, () => assert.equal(fixedValue(value), meant));
  }
});

describe('nothing is reported for', () => {
  const cases = [
    'Read, Write, Edit, Bash(git add *), Task, TodoWrite',
    'run_in_terminal, runCommands, think, codebase, MultiEdit, LS, NotebookRead, BashOutput, KillShell',
    'read_file, run_shell_command, execute/runInTerminal',
    'Deploy, my-tool, ctx, Foo, git, head, hash, list, "*"',
    'mcp__gitlab__create_mr, mcp__gitlab, mcp__gitlab__*, mcp__gitlab_2__x, mcp__claude_ai_Slack__send',
    'mcp__github__get_*, mcp__github__delete_repository, mcp__github__*, mcp__github',
    'mcp_gitlab_create_issue, github/create_issue',
    'Bash(npm run test:*), Bash(npm run test:unit), Bash(rake db:migrate:*), Bash(git * main)',
    'Bash(python -c "print(1)"), Bash(awk \'{print $1}\' *), Bash(C:\\tools\\x.exe *), Bash(./run.sh:*)',
    'Bash(echo a,b), Bash(cut -d, -f1), Bash(git log --format=%h,%s), Bash(curl https://x.y:*)',
    'Agent(Explore, Plan), Task(x), Skill(name:*), Read(./src/**), Edit(docs/{a,b}/**)',
    "Bash(git commit -m ':*'), Bash(git|npm:*), Bash(:*), Bash( git:* ), Skill(review:*)",
    'Read and Write, read/readFile, edit/editFiles, search/codebase',
    'WebFetch(domain:example.com), WebFetch, WebFetch(domain:*), PowerShell(Get-ChildItem *)',
    '{a: b}',
    '',
  ];
  for (const value of cases) {
    it(value, () => {
      const reported = fixedValue(value);
      assert.equal(value === '{a: b}' ? undefined : reported, undefined);
    });
  }

  it('the tools of a catalog’s clients', () => {
    assert.equal(fixedValue('shell(git:*), github(create_issue), url', '.github/skills/tidy/SKILL.md'), undefined);
  });
});

describe('an agent or a command of Claude Code', () => {
  const skill = { 'p/skills/tidy/SKILL.md': '---\nname: tidy\ndescription: Tidies.\n---\n' };
  const manifest = { 'p/.claude-plugin/plugin.json': '{"name": "p"}' };

  it('is checked in a folder `.claude`', () => {
    assert.equal(fixedValue('Raed, Bash(git:*', '.claude/agents/a.md', 'tools'), 'Read, Bash(git:*)');
    assert.equal(fixedValue('[Wrte]', '.claude/agents/review/a.md', 'disallowedTools'), '[Write]');
    assert.equal(fixedValue('bash, Grpe', '.claude/commands/a.md'), 'Bash, Grep');
    assert.equal(fixedValue('mcp__githb__create_issue', '.claude/agents/a.md', 'tools'), 'mcp__github__create_issue');
  });

  it('is checked beside the skills or the manifest of a plugin', () => {
    for (const others of [skill, manifest]) {
      assert.equal(fixedValue('Raed', 'p/agents/a.md', 'tools', others), 'Read');
      assert.equal(fixedValue('Raed', 'p/commands/a.md', 'allowed-tools', others), 'Read');
    }
  });

  it('may belong to another client beside skills, if it names only tools of that client', () => {
    const names = 'read_file, grep, web_fetch';
    assert.equal(fixedValue(names, 'p/agents/a.md', 'tools', skill), undefined);
    assert.equal(fixedValue('Read, grep', 'p/agents/a.md', 'tools', skill), 'Read, Grep');
    assert.equal(fixedValue('grep, web_fetch', 'p/agents/a.md', 'tools', manifest), 'Grep, web_fetch');
  });

  it('is not checked elsewhere, and a key of another file has no meaning', () => {
    assert.equal(fixedValue('Raed', 'p/agents/a.md', 'tools'), undefined);
    assert.equal(fixedValue('Raed', '.github/agents/a.md', 'tools', skill), undefined);
    assert.equal(fixedValue('Raed', 'p/agents/a.agent.md', 'tools', skill), undefined);
    assert.equal(fixedValue('Raed', 'p/skills/tidy/agents/a.md', 'tools', skill), undefined);
    assert.equal(fixedValue('Raed', '.claude/agents/a.md', 'allowed-tools'), undefined);
    assert.equal(fixedValue('Raed', '.claude/commands/a.md', 'tools'), undefined);
  });

  it('is not a skill', () => {
    const workspace = new Workspace();
    for (const path of ['.claude/agents/a.md', '.grok/agents/a.md', '.cursor/commands/b/a.md', 'agents/a.agent.md']) {
      workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text: '---\nname: a\ndescription: b\n---\n' });
    }
    assert.equal(workspace.analysis.graph.skills.size, 0);
    assert.equal(workspace.analysis.isSkillName('a'), false);
  });
});
