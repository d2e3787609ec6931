/** A new catalog lists the names that the skills already use, and adds no findings. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { namesInUse } from '../../../server/src/features/workspace-facts.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
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

/** A group of commented-out lines that is valid YAML; prose in comments begins with a capital letter. */
const EXAMPLE = /(?:^(?: {2})?# (?:[a-z_]+:(?: [[{].*)?| *- .*| {2}.*)\n)+/gm;

const uncommented = (text: string): string => text.replace(/^( *)# /gm, '$1');

for (const [what, all] of [
  ['skills', files],
  ['an empty workspace', {}],
  [
    'skills that use the names of the examples',
    {
      'a.skill.md': skill(
        'a',
        'tools: [read_page, read_page_2]\nrequired_scopes: [read:maps]\neffects: [Notify]\nmodel_preference: [tiny]',
      ),
    },
  ],
] as const) {
  test(`every example in the comments of a new catalog for ${what} is valid when it is uncommented`, () => {
    const workspace = workspaceOf(all);
    const text = catalogFor(workspace, 'file:///w');
    const after = (catalog: string) => {
      workspace.apply({ kind: 'text', uri: 'file:///w/skills.config.yaml', text: catalog });
      return findings(workspace).filter((one) => !one.includes('`nonsense`'));
    };
    const before = after(text);
    const examples = [...text.matchAll(EXAMPLE)].map(([example]) => example);
    assert.ok(examples.length >= 6, text);
    const added = (catalog: string) => after(catalog).filter((finding) => !before.includes(finding));
    for (const example of examples) assert.deepEqual(added(text.replace(example, uncommented)), [], example);
    const taken = text.replace(EXAMPLE, uncommented);
    assert.deepEqual(added(taken), [], taken);
    const [catalog] = workspace.index.catalogs.values();
    assert.ok([...(catalog?.tools.keys() ?? [])].some((name) => /^read_page/.test(name)));
    assert.deepEqual([...(catalog?.profiles.keys() ?? [])], ['author at work']);
    assert.equal(catalog?.interrupts.get('on_conflict')?.node, 'call_tools');
    assert.equal(catalog?.severities.get('deprecated-skill'), 'error');
    assert.doesNotMatch(taken, /^# *[a-z_-]+:|^ *# *- /m);
  });
}

test('keeps names from skills on one line, whatever they contain', () => {
  const text = scaffoldCatalog({
    tools: [{ name: 'a\nb: {{ 7 * 7 }}', skills: ['x\ny\u2028z: {% raw %}'] }],
    scopes: [],
    models: [],
  });
  assert.match(text, /^ {2}- name: "a\\nb: \{\{ 7 \* 7 \}\}" {2}# x y z: \{% raw %\}$/m);
});
