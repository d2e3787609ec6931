/** The state of a preview: every combination of facts, and the word and reason of each state. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { ToPage } from '../../../client/src/panels/preview/messages.ts';
import {
  type Model,
  newModel,
  newPageState,
  receive,
  stateOf,
} from '../../../client/src/panels/preview/webview/model.ts';
import { type Show, show, showText, skill } from '../../webview/reply.ts';

const CATALOG = `tools:
  - {name: read_page, description: Reads a page., input_schema: {slug: string}, operation: READ, scope: read:pages}
scopes: [read:pages]
profiles:
  - {name: guest, tools: []}
`;
const text = (head: string, body = 'Do it.\n'): string => skill(`input_schema: {who: string}\n${head}`, body);
const sample = { invocation: { parameters: { who: 'Ada' } } };
const ready = showText(text(''), sample);

const errorsOf = ({ reply }: Show) => (reply.result.ok ? assert.fail('it composes') : reply.result.errors);
const lacksTool = show({ 'skills.config.yaml': CATALOG, 'a.skill.md': text('tools: [read_page]\n') }, 'a.skill.md', {
  invocation: { ...sample.invocation, profile: 'guest' },
});

/** The facts that determine a state, the most urgent first, each with the state that it causes. */
const FACTS: readonly { readonly state: string; readonly set: (model: Model) => Model }[] = [
  { state: 'Deleted', set: (model) => ({ ...model, gone: { isDeleted: true } }) },
  { state: 'Out of date', set: (model) => ({ ...model, behind: { reason: 'The server is not running.' } }) },
  {
    state: 'Broken',
    set: withErrors(showText(text('', 'Say {{ hi.\n').replace('Say', '## PromptTemplate: a\n\nSay'), sample)),
  },
  { state: 'Check input', set: withErrors(showText(text(''), { invocation: { parameters: { who: 1 } } })) },
  { state: 'Not allowed here', set: withErrors(lacksTool) },
  {
    state: 'Has errors',
    set: (model) => ({
      ...model,
      findings: [
        { ...finding, severity: 'error' },
        { ...finding, severity: 'warning' },
      ],
    }),
  },
  { state: 'Generated values', set: withReply({ madeUp: ['who'] }) },
];
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const finding = { range, severity: 'error', message: 'Wrong.', rule: 'a' } as const;

function withErrors(refused: Show): (model: Model) => Model {
  return (model) => ({
    ...withReply({ denied: [...(model.show?.reply.denied ?? []), ...refused.reply.denied] })(model),
    errors: [...model.errors, ...errorsOf(refused)],
  });
}

function withReply(change: Partial<Show['reply']>): (model: Model) => Model {
  return (model) =>
    model.show ? { ...model, show: { ...model.show, reply: { ...model.show.reply, ...change } } } : model;
}

const receiving = (...messages: readonly ToPage[]): Model => messages.reduce(receive, newModel(newPageState()));

describe('the state of a preview', () => {
  it('is that of the most urgent fact, for every combination of facts', () => {
    for (let chosen = 0; chosen < 1 << FACTS.length; chosen++) {
      const facts = FACTS.filter((_, at) => chosen & (1 << at));
      const model = facts.reduce((before, { set }) => set(before), receiving(ready));
      assert.equal(stateOf(model).word, facts[0]?.state ?? 'Ready', facts.map(({ state }) => state).join());
    }
  });

  it('names the tool that a profile may not use, and not the input', () => {
    const { kind, why } = stateOf(receiving(lacksTool));
    assert.deepEqual(lacksTool.reply.denied, ['read_page']);
    assert.equal(kind, 'not-allowed');
    assert.match(why, /read_page.*guest may not use it/);
  });

  it('is broken for a tool that no catalog declares', () => {
    const files = { 'skills.config.yaml': CATALOG, 'a.skill.md': text('tools: [raed_page]\n') };
    assert.equal(stateOf(receiving(show(files, 'a.skill.md', sample))).kind, 'broken');
  });

  it('is over budget for a prompt that is only too long', () => {
    const [error] = errorsOf(lacksTool);
    const errors = [{ ...(error ?? assert.fail()), kind: 'ArtifactBudgetExceeded' as const }];
    assert.equal(stateOf({ ...receiving(ready), errors }).word, 'Over budget');
  });

  it('is out of date with the reason until the next composition', () => {
    const failed = receiving(ready, { type: 'stale', reason: 'The server stopped.' }, { type: 'stale' });
    assert.deepEqual([stateOf(failed).word, stateOf(failed).why], ['Out of date', 'The server stopped.']);
    assert.equal(stateOf(receive(failed, ready)).word, 'Ready');
    assert.equal(stateOf(receiving(ready, { type: 'stale' })).word, 'Updating…');
  });

  it('names a file that was deleted, or that is no longer a skill, until it is shown again', () => {
    const deleted = receiving(ready, { type: 'stale' }, { type: 'gone', isDeleted: true });
    assert.equal(stateOf(deleted).why, 'test.skill.md was deleted.');
    assert.equal(stateOf(receiving(ready, { type: 'gone', isDeleted: false })).word, 'Not a skill');
    assert.equal(stateOf(receive(deleted, ready)).word, 'Ready');
  });
});
