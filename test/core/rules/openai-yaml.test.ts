/** Settings of a skill for Codex: what they hide, and what an edit affects. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

const FOLDER = 'file:///w/.agents/skills/tidy';
const SKILL = `${FOLDER}/SKILL.md`;
const SETTINGS = `${FOLDER}/agents/openai.yaml`;
const HIDES = 'policy:\n  allow_implicit_invocation: false\n';
const skill = (more = '') => `---\nname: tidy\ndescription: Tidies notes. Use it for notes.\n${more}---\n\nTidy.\n`;

function open(text: string, settings?: string): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: ['file:///w'] });
  workspace.apply({ kind: 'clients', clients: ['codex'] });
  workspace.apply({ kind: 'text', uri: SKILL, text });
  if (settings !== undefined) workspace.apply({ kind: 'text', uri: SETTINGS, text: settings });
  return workspace;
}

function listedIn({ analysis }: Workspace): string {
  const file = analysis.file(SKILL);
  const [codex] = analysis.clientsById.find('codex') ? [analysis.clientsById.find('codex')] : [];
  assert.ok(file && codex);
  const [row] = analysis.agentSkills.rowsOf(file, [codex], analysis.findLink);
  return `${row?.listed.outcome}: ${row?.listed.reasons.map(({ text }) => text).join('; ')}`;
}

const findingsIn = ({ analysis }: Workspace, uri: string) => {
  const file = analysis.file(uri);
  assert.ok(file);
  return check(file, analysis);
};

describe('a file with another path than agents/openai.yaml', () => {
  const at = (path: string, settings: string, more: Readonly<Record<string, string>> = {}) => {
    const workspace = open(skill());
    for (const [uri, text] of Object.entries({ ...more, [`${FOLDER}/${path}`]: settings }))
      workspace.apply({ kind: 'text', uri, text });
    return { workspace, found: findingsIn(workspace, `${FOLDER}/${path}`) };
  };

  it('is not read by Codex, and has a fix that moves it', () => {
    for (const path of ['agents/openai.yml', 'agents/OpenAI.yaml', 'openai.yaml', 'OpenAI.yml']) {
      const { workspace, found } = at(path, HIDES);
      assert.deepEqual(
        found.map(({ severity, message }) => `${severity}: ${message}`),
        [
          `warning: Codex reads only \`agents/openai.yaml\`, not \`${path}\`, so that the model may call this skill. Move the file.`,
        ],
      );
      assert.deepEqual(found[0]?.fixes[0]?.moves, { from: `${FOLDER}/${path}`, to: SETTINGS });
      assert.equal(listedIn(workspace), 'yes: ');
    }
    assert.match(
      at('agents/openai.yml', 'interface: {display_name: Tidy}\n').found[0]?.message ?? '',
      /`\. Move the file\.$/,
    );
  });

  it('has no fix beside the right file', () => {
    const { found } = at('agents/openai.yml', HIDES, { [SETTINGS]: HIDES });
    assert.deepEqual(
      found.map(({ message, fixes }) => [message, fixes.length]),
      [
        [
          'Codex reads only `agents/openai.yaml`, not `agents/openai.yml`. Remove this file, or move its keys there.',
          0,
        ],
      ],
    );
  });

  it('is not one of a skill without a SKILL.md, or outside of a folder of skills', () => {
    const workspace = open(skill());
    const uris = ['file:///w/src/agents/openai.yml', 'file:///w/openai.yaml'];
    for (const uri of uris) workspace.apply({ kind: 'text', uri, text: HIDES });
    for (const uri of uris) if (workspace.analysis.file(uri)) assert.deepEqual(findingsIn(workspace, uri), [], uri);
  });

  it('is checked again if the SKILL.md beside it comes or goes', () => {
    const { workspace } = at('agents/openai.yml', HIDES);
    const affected = workspace.apply({ kind: 'delete', uri: SKILL });
    assert.ok(affected === 'all' || affected.has(`${FOLDER}/agents/openai.yml`));
    assert.deepEqual(findingsIn(workspace, `${FOLDER}/agents/openai.yml`), []);
  });
});

describe('agents/openai.yaml', () => {
  it('has no finding if the skill is not for Codex', () => {
    const rulesFor = (catalog: string) => {
      const workspace = open(skill(), 'policy:\n  allow_implicit_invocation: no\n');
      workspace.apply({ kind: 'clients', clients: undefined });
      workspace.apply({ kind: 'text', uri: 'file:///w/skills.config.yaml', text: catalog });
      return findingsIn(workspace, SETTINGS).map(({ rule }) => rule);
    };
    assert.deepEqual(rulesFor('# nothing\n'), ['openai-yaml']);
    assert.deepEqual(rulesFor('agent_skills: {clients: [codex, opencode]}\n'), ['openai-yaml']);
    assert.deepEqual(rulesFor('agent_skills: {clients: [opencode]}\n'), []);
    const only = 'only: {.agents/skills: [opencode]}';
    assert.deepEqual(rulesFor(`agent_skills: {clients: [codex, opencode], ${only}}\n`), []);
  });

  it('removes a skill from the list of Codex, until it is deleted or broken', () => {
    const workspace = open(skill());
    assert.equal(listedIn(workspace), 'yes: ');
    const affected = workspace.apply({ kind: 'text', uri: SETTINGS, text: HIDES });
    assert.equal(affected, 'all');
    assert.equal(
      listedIn(workspace),
      'no: `policy.allow_implicit_invocation: false` in `agents/openai.yaml` removes the skill from the list.',
    );
    workspace.apply({ kind: 'text', uri: SETTINGS, text: `${HIDES}interface: []\n` });
    assert.equal(listedIn(workspace), 'yes: ');
    workspace.apply({ kind: 'text', uri: SETTINGS, text: HIDES });
    workspace.apply({ kind: 'delete', uri: SETTINGS });
    assert.equal(listedIn(workspace), 'yes: ');
  });

  it('does not matter in which order the files are read', () => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'text', uri: SETTINGS, text: HIDES });
    workspace.apply({ kind: 'text', uri: SKILL, text: skill() });
    assert.match(listedIn(workspace), /^no: /);
  });

  it('is offered for a skill that only other clients hide', () => {
    const [finding] = findingsIn(open(skill('disable-model-invocation: true\n')), SKILL).filter(
      ({ rule }) => rule === 'agent-skill-ignored',
    );
    assert.deepEqual(finding?.fixes[0]?.createsFile, { uri: SETTINGS, text: HIDES });
    const after = findingsIn(open(skill('disable-model-invocation: true\n'), HIDES), SKILL);
    assert.deepEqual(
      after.filter(({ rule }) => rule === 'agent-skill-ignored'),
      [],
    );
  });

  it('has one finding at the exact place', () => {
    const message = (settings: string) =>
      findingsIn(open(skill(), settings), SETTINGS).map(({ severity, message }) => `${severity} ${message}`);
    assert.deepEqual(message(`${HIDES}dependencies: x\n`), [
      'error Codex ignores this whole file, and offers the skill to its model. `dependencies` must be a map.',
    ]);
    assert.deepEqual(message('interface:\n  display_name: [a]\n'), [
      'warning Codex ignores this whole file. `interface.display_name` must be a text.',
    ]);
    assert.deepEqual(message('allow_implicit_invocation: false\n'), [
      'warning `allow_implicit_invocation` has no effect here. Write it under `policy`.',
    ]);
    assert.deepEqual(message(''), []);
  });

  it('is an error only if its keys are meant to hide the skill', () => {
    const severities = (settings: string) =>
      findingsIn(open(skill(), settings), SETTINGS).map(({ severity }) => severity);
    const wrong = 'interface: []\n';
    const HIDING = [
      ...['policy: {products: [chatgpt]}\n', 'policy: {products: [Atlas]}\n', 'policy: {products: chatgpt}\n'],
      ...['policy: {allow_implicit_invocation: no}\n', 'policy:\n  - allow_implicit_invocation: false\n', HIDES],
      'policy:\n  allow_implicit_invocation: false\n  allow_implicit_invocation: true\n',
    ];
    for (const settings of HIDING) assert.deepEqual(severities(`${wrong}${settings}`), ['error'], settings);
    const SHOWING = [
      ...['# allow_implicit_invocation: false\n', 'allow_implicit_invocation: false\n', 'policy: {products: []}\n'],
      ...['policy: {products: [codex, chatgpt]}\n', 'policy: {products: [Codex]}\n', ''],
      'interface: {default_prompt: "allow_implicit_invocation: false"}\n',
    ];
    for (const settings of SHOWING)
      assert.deepEqual(
        severities(`${settings}${settings.startsWith('interface') ? 'policy: x\n' : wrong}`),
        ['warning'],
        settings,
      );
    const offers = (settings: string) => findingsIn(open(skill(), settings), SETTINGS)[0]?.message.includes('offers');
    assert.equal(offers('policy:\n  allow_implicit_invocation: false\nx: "\n'), true);
    assert.equal(offers('# allow_implicit_invocation: false\nx: "\n'), false);
  });
});

it('a new or deleted file, also without an effect, affects the fix that would create it', () => {
  const workspace = open(skill('disable-model-invocation: true\n'));
  const creates = () =>
    findingsIn(workspace, SKILL).flatMap(({ fixes }) => fixes.flatMap(({ createsFile }) => createsFile?.uri ?? []));
  assert.deepEqual(creates(), [SETTINGS]);
  for (const change of [
    { kind: 'text', uri: SETTINGS, text: 'x: 1\n' },
    { kind: 'delete', uri: SETTINGS },
  ] as const) {
    const affected = workspace.apply(change);
    assert.ok(affected === 'all' || affected.has(SKILL));
    assert.deepEqual(creates(), change.kind === 'text' ? [] : [SETTINGS]);
  }
});
