/** A new catalog lists the names that the skills already use, and adds no findings. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { namesInUse } from '../../../server/src/features/workspace-facts.ts';
import { check } from '../../../server/src/rules/check.ts';
import { scaffoldCatalog } from '../../../server/src/scaffold/scaffold.ts';

const skill = (name: string, keys: string, body = 'Do it.'): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it for that.\nversion: 1.0.0\ninput_schema: {}\n${keys}\n---\n\n${body}\n`;

const files = {
  'skills/a.skill.md': skill(
    'a',
    'tools: [read_page, {name: save-page, optional: true}]\nrequired_scopes: [read:pages]',
  ),
  'skills/b.skill.md': skill('b', 'tools: [read_page, search]', 'Look with #tool:search and #tool:only-in-prose.'),
  'skills/c.skill.md': skill('c', 'tools: [read_page, "odd: name # 1"]\nrequired_scopes: [nonsense]'),
  'skills/d.skill.md': skill('d', 'tools: [read_page]'),
  'skills/search.skill.yaml': `name: search\ndescription: Searches.\nversion: 1.0.0\ninput_schema: {}\noutput_schema: {found: "string[]"}\nerrors: []\nbacking_service: {endpoint: "https://example.org", health_check: /up}\n`,
  'other/e.skill.md': skill('e', 'tools: [elsewhere]'),
};

function workspaceOf(all: Readonly<Record<string, string>>): Workspace {
  const workspace = new Workspace();
  for (const [path, text] of Object.entries(all)) workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
  return workspace;
}

const findings = (workspace: Workspace): readonly string[] =>
  [...workspace.analysis.allFiles()].flatMap((file) =>
    check(file, workspace.analysis).map(({ rule, message }) => `${file.uri} ${rule}: ${message}`),
  );

const catalogFor = (workspace: Workspace, folder: string): string =>
  scaffoldCatalog(namesInUse(workspace.analysis, folder));

test('lists the tools and scopes that skills in the folder use', () => {
  const text = catalogFor(workspaceOf(files), 'file:///w/skills');
  assert.match(
    text,
    /^tools:\n {2}- name: "odd: name # 1" {2}# c\n {2}- name: only-in-prose {2}# b\n {2}- name: read_page {2}# a, b, c and 1 more\n {2}- name: save-page {2}# a\n {2}# A complete tool:\n/m,
  );
  assert.match(text, /^scopes:\n {2}- read:pages\n\n/m);
  assert.doesNotMatch(text, /elsewhere|nonsense|name: search/);
});

for (const [what, all] of [
  ['skills', files],
  ['an empty workspace', {}],
] as const) {
  test(`the new catalog does not change the findings in ${what}`, () => {
    const workspace = workspaceOf(all);
    const text = catalogFor(workspace, 'file:///w/');
    const before = findings(workspace);
    workspace.apply({ kind: 'text', uri: 'file:///w/skills.config.yaml', text });
    // With a list of scopes, an invalid scope is reported.
    assert.deepEqual(
      findings(workspace).filter((one) => !one.includes('`nonsense`')),
      before.filter((one) => !one.includes('`nonsense`')),
    );
  });
}

test('contains commented-out keys that are valid when they are uncommented', () => {
  const text = catalogFor(workspaceOf({}), 'file:///w').replace('tools: []', 'tools:');
  // In comments, prose begins with a capital letter, and commented-out entries with a key or a space.
  const taken = text.replace(/^# (?=[a-z_]+:( [[{]|$)| {2})|(?<=^ {2})# (?=- | {2})/gm, '');
  const workspace = workspaceOf({ 'skills.config.yaml': taken });
  const [catalog] = workspace.index.catalogs.values();
  assert.deepEqual([...(catalog?.tools.keys() ?? [])], ['read_page']);
  assert.deepEqual([...(catalog?.profiles.keys() ?? [])], ['author at work']);
  assert.equal(catalog?.interrupts.get('on_conflict')?.node, 'call_tools');
  assert.equal(catalog?.severities.get('missing-owner'), 'warning');
  assert.deepEqual(findings(workspace), [], taken);
});

test('keeps names from skills on one line, whatever they contain', () => {
  const text = scaffoldCatalog({
    tools: [{ name: 'a\nb: {{ 7 * 7 }}', skills: ['x\ny\u2028z: {% raw %}'] }],
    scopes: [],
  });
  assert.match(text, /^ {2}- name: "a\\nb: \{\{ 7 \* 7 \}\}" {2}# x y z: \{% raw %\}$/m);
});
