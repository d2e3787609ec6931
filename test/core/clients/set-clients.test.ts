/** A choice of target clients is saved with the smallest edit of the catalog, or in the settings. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { catalogEdits, saveChoice } from '../../../server/src/features/clients/set-clients.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { applyEdits } from '../../../server/src/text.ts';

const URI = 'file:///w/skills.config.yaml';

function edited(text: string, ...ids: string[]): string {
  const edits = catalogEdits(new SkillFile(URI, text), ids);
  return typeof edits === 'string' ? edits : applyEdits(text, edits);
}

describe('the clients in a catalog', () => {
  const CASES: readonly (readonly [title: string, before: string, ids: string, after: string])[] = [
    ['are added to an empty file', '', 'codex', 'agent_skills: {clients: [codex]}\n'],
    ['are added below comments', '# Ours.\n', 'codex', '# Ours.\nagent_skills: {clients: [codex]}\n'],
    [
      'are added after other keys',
      'tools:\n  - name: a # one\n',
      'codex pi',
      'tools:\n  - name: a # one\nagent_skills: {clients: [codex, pi]}\n',
    ],
    [
      'are added beside other targets',
      'agent_skills:\n  model: m # big\n',
      'pi',
      'agent_skills:\n  model: m # big\n  clients: [pi]\n',
    ],
    ['are added to a flow map', 'agent_skills: {model: m}\n', 'pi', 'agent_skills: {model: m, clients: [pi]}\n'],
    ['are added to an empty key', 'agent_skills:\n', 'pi', 'agent_skills:\n  clients: [pi]\n'],
    ['are added to an empty list', 'agent_skills:\n  clients: []\n', 'pi', 'agent_skills:\n  clients: [pi]\n'],
    ['are added to an empty inner key', 'agent_skills:\n  clients:\n', 'pi', 'agent_skills:\n  clients: [pi]\n'],
    ['replace a value that is not a list', 'agent_skills: {clients: codex}\n', 'pi', 'agent_skills: {clients: [pi]}\n'],
    ['replace one item', 'agent_skills: {clients: [codex]}\n', 'pi', 'agent_skills: {clients: [pi]}\n'],
    [
      'replace the only item of a block',
      'agent_skills:\n  clients:\n    - codex\n',
      'pi',
      'agent_skills:\n  clients:\n    - pi\n',
    ],
    [
      'keep the comments of the items that stay',
      'agent_skills:\n  clients:\n    # For us.\n    - codex # main\n    - pi # old\nrules: {}\n',
      'codex zed',
      'agent_skills:\n  clients:\n    # For us.\n    - codex # main\n    - zed\nrules: {}\n',
    ],
    [
      'are written in the given order',
      'agent_skills: {clients: [codex, pi]}\n',
      'pi codex zed',
      'agent_skills: {clients: [pi, codex, zed]}\n',
    ],
    [
      'lose duplicates and unknown names',
      'agent_skills: {clients: [pi, codx, pi]}\n',
      'pi',
      'agent_skills: {clients: [pi]}\n',
    ],
    [
      'keep CRLF line endings',
      'a: 1\r\nagent_skills:\r\n  clients:\r\n    - pi\r\n',
      'pi zed',
      'a: 1\r\nagent_skills:\r\n  clients:\r\n    - pi\r\n    - zed\r\n',
    ],
    [
      'stay as they are',
      'agent_skills: { clients: [ "pi" ] } # ours\n',
      'pi',
      'agent_skills: { clients: [ "pi" ] } # ours\n',
    ],
    ['are removed with an empty key', 'a: 1\nagent_skills: {clients: [pi]}\n', '', 'a: 1\n'],
    ['are removed beside a model', 'agent_skills: {clients: [pi], model: m}\n', '', 'agent_skills: {model: m}\n'],
    ['are removed if the list is empty', 'a: 1\nagent_skills:\n  clients: []\n', '', 'a: 1\n'],
    ['are removed from a file without other keys', '# Ours.\nagent_skills: {clients: [pi]}\n', '', '# Ours.\n'],
  ];
  for (const [title, before, ids, after] of CASES) {
    it(`${title}: ${JSON.stringify(before)}`, () => {
      assert.equal(edited(before, ...ids.split(' ').filter(Boolean)), after);
    });
  }

  it('are not changed in a file that does not parse', () => {
    assert.match(edited('agent_skills: {clients: [pi]\n', 'codex'), /has a syntax error/);
  });

  it('are not changed in an unusual form', () => {
    for (const text of ['- a\n', 'x: &x [pi]\nagent_skills: {clients: *x}\n', 'agent_skills: [pi]\n'])
      assert.match(edited(text, 'codex'), /cannot be changed automatically/, text);
  });
});

describe('a choice', () => {
  const FILE = 'file:///w/.claude/skills/pdf/SKILL.md';
  const saved = (catalog: string | undefined, settings: readonly string[] | undefined, ...ids: string[]) => {
    const workspace = new Workspace();
    workspace.apply({ kind: 'text', uri: FILE, text: '---\nname: pdf\ndescription: Merges files.\n---\n' });
    if (catalog !== undefined) workspace.apply({ kind: 'text', uri: URI, text: catalog });
    workspace.apply({ kind: 'clients', clients: settings });
    const choice = saveChoice(workspace.analysis, FILE, ids);
    if ('problem' in choice) return choice.problem;
    const text = choice.catalog && applyEdits(catalog ?? '', choice.catalog.edits);
    return { ...(text !== undefined && { text }), ...(choice.settings && { settings: choice.settings }) };
  };

  it('is saved in the catalog if there is one', () => {
    assert.deepEqual(saved('a: 1\n', undefined, 'pi'), { text: 'a: 1\nagent_skills: {clients: [pi]}\n' });
  });

  it('is saved in the settings if there is no catalog', () => {
    assert.deepEqual(saved(undefined, undefined, 'pi'), { settings: ['pi'] });
    assert.deepEqual(saved(undefined, ['codex'], 'pi'), { settings: ['pi'] });
  });

  it('is saved in the settings if they name clients, because they take precedence', () => {
    assert.deepEqual(saved('a: 1\n', ['codex'], 'pi'), { settings: ['pi'] });
  });

  it('is removed from both if no client is chosen', () => {
    assert.deepEqual(saved('agent_skills: {clients: [pi]}\n', ['codex']), { text: '', settings: [] });
    assert.deepEqual(saved('agent_skills: {clients: [pi]}\n', undefined), { text: '' });
    assert.deepEqual(saved(undefined, ['codex']), { settings: [] });
    assert.deepEqual(saved(undefined, undefined), {});
  });

  it('changes nothing if the catalog does not parse', () => {
    assert.match(String(saved('a: [\n', undefined, 'pi')), /has a syntax error/);
  });
});
