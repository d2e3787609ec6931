/** The row of a client with the loss that the budget of its list causes (docs/clients.md, "The columns"). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { clientsView } from '../../../server/src/features/clients/clients-view.ts';
import { skillText } from './fixtures.ts';

/** Returns the cells of a client for the last of `count` skills in a folder, with this model in the catalog. */
function cellsOf(client: string, folder: string, count: number, length: number, model: string) {
  const workspace = new Workspace();
  const uriOf = (number: number) => `file:///w/${folder}/skill-${String(number).padStart(3, '0')}/SKILL.md`;
  for (let number = 0; number < count; number++) {
    const description = `Sorts heap ${number}. ${'Use it for heaps. '.repeat(length / 18)}`.trim();
    const name = `skill-${String(number).padStart(3, '0')}`;
    workspace.apply({
      kind: 'text',
      uri: uriOf(number),
      text: skillText(`name: ${name}`, `description: ${description}`),
    });
  }
  const text = `agent_skills: {clients: [${client}], model: ${model}}\n`;
  workspace.apply({ kind: 'text', uri: 'file:///w/skills.config.yaml', text });
  const { analysis } = workspace;
  const file = analysis.file(uriOf(count - 1));
  assert.ok(file);
  const view = clientsView(analysis, file)?.clients.find(({ id }) => id === client);
  assert.ok(view);
  return view.cells;
}

test('a row follows the model, which limits the list', () => {
  const cutFor = (model: string) => cellsOf('codex', '.agents/skills', 40, 900, model).cut;
  assert.equal(cutFor('gpt-5.5').outcome, 'yes');
  assert.match(cutFor('gpt-5.5').reasons[0]?.text ?? '', /The list contains about \d+ tokens of this description\.$/);
  assert.equal(cellsOf('codex', '.agents/skills', 3, 60, 'gpt-5.5').cut.outcome, 'no');
});

test('a row is unknown if the least used skills lose their descriptions, with the numbers of the list', () => {
  const { cut, listed } = cellsOf('claude-code', '.claude/skills', 60, 180, 'claude-sonnet-4-5');
  assert.equal(listed.outcome, 'yes');
  assert.equal(cut.outcome, 'unknown');
  assert.match(cut.reasons[0]?.text ?? '', /removes at least \d+ descriptions, those of the least used skills\./);
});

test('an entry that does not fit into the list is not listed, and not cut', () => {
  const { cut, listed } = cellsOf('zed', '.agents/skills', 100, 900, 'gpt-5.5');
  assert.deepEqual([listed.outcome, cut.outcome], ['no', 'no']);
});
