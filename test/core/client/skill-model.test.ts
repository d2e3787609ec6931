/** The tree of skills: the nodes that a change redraws, and those that stay the same. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { SkillModel, type Stale } from '../../../client/src/views/skills/model.ts';
import type { ListedSkill } from '../../../server/src/protocol.ts';

const skill = (uri: string, more: Partial<ListedSkill> = {}): ListedSkill => ({
  ...{ uri, name: uri.replace(/^.*\//, ''), dialect: 'composer', version: '1.0.0', level: 1, isInWorkspace: true },
  ...{
    tokens: 100,
    isDeprecated: false,
    isDisabled: false,
    tests: 0,
    notListedBy: null,
    cutBy: [],
    onlyFor: [],
    ...more,
  },
});

const byFolder = { groupOf: ({ uri }: ListedSkill) => uri.replace(/\/.*$/, ''), isShown: () => true };

function modelOf(...uris: readonly string[]): SkillModel {
  const model = new SkillModel(byFolder);
  model.reset(uris.map((uri) => skill(uri)));
  return model;
}

const tree = (model: SkillModel): Record<string, readonly string[]> =>
  Object.fromEntries(model.groups.map((group) => [group.key, model.membersOf(group).map(({ uri }) => uri)]));

const keysOf = (stale: Stale) => (stale === 'all' ? stale : stale.map((node) => ('uri' in node ? node.uri : node.key)));

describe('the tree of skills', () => {
  it('sorts groups and skills by name, with numbers in numeric order', () => {
    const model = modelOf('b/z', 'a10/x', 'a9/x', 'b/step-10', 'b/step-9');
    assert.deepEqual(tree(model), { a9: ['a9/x'], a10: ['a10/x'], b: ['b/step-9', 'b/step-10', 'b/z'] });
    assert.deepEqual(
      model.groups.map(({ key }) => key),
      ['a9', 'a10', 'b'],
    );
  });

  it('knows the skills of a group that have the same name', () => {
    const model = modelOf('a/x', 'a/y', 'b/x');
    const namesakes = () =>
      model.groups.flatMap((group) =>
        model.membersOf(group).flatMap((node) => (model.hasNamesake(node) ? node.uri : [])),
      );
    assert.deepEqual(namesakes(), []);
    model.change([skill('a/z', { name: 'x', version: '2.0.0' })], []);
    assert.deepEqual(namesakes(), ['a/x', 'a/z']);
    model.change([skill('a/z')], []);
    assert.deepEqual(namesakes(), []);
  });

  it('refreshes only the changed skill if its position stays the same', () => {
    const model = modelOf('a/x', 'a/y');
    assert.deepEqual(keysOf(model.change([skill('a/x', { tokens: 200 })], [])), ['a/x']);
    assert.equal(model.skill('a/x')?.tokens, 200);
  });

  it('refreshes the group of a new, deleted or renamed skill', () => {
    const model = modelOf('a/x', 'a/y', 'b/x');
    assert.deepEqual(keysOf(model.change([skill('a/z')], [])), ['a']);
    assert.deepEqual(keysOf(model.change([], ['a/z'])), ['a']);
    assert.deepEqual(keysOf(model.change([skill('a/x', { name: 'zoo' })], [])), ['a']);
    assert.deepEqual(tree(model), { a: ['a/y', 'a/x'], b: ['b/x'] });
  });

  it('refreshes all nodes after a group is added or deleted', () => {
    const model = modelOf('a/x');
    assert.equal(model.change([skill('b/x')], []), 'all');
    assert.equal(model.change([], ['a/x']), 'all');
    assert.deepEqual(tree(model), { b: ['b/x'] });
  });

  it('keeps unchanged nodes, so that they stay expanded and selected', () => {
    const model = modelOf('a/x', 'a/y', 'b/x');
    const [a] = model.groups;
    const node = model.node('a/x');
    model.change([skill('a/w'), skill('c/x')], ['a/y']);
    model.rearrange(byFolder);
    assert.ok(a && node);
    assert.equal(model.groups[0], a);
    assert.equal(model.membersOf(a)[1], node);
    assert.equal(model.parentOf(node), a);
  });

  it('shows and hides skills when the result of the filter changes', () => {
    const wrong = new Set(['a/x']);
    const model = modelOf('a/x', 'a/y', 'b/x');
    model.rearrange({ ...byFolder, isShown: ({ uri }) => wrong.has(uri) });
    assert.deepEqual(tree(model), { a: ['a/x'] });
    assert.equal(model.node('b/x'), undefined);
    wrong.add('a/y');
    assert.deepEqual(keysOf(model.update(['a/y'])), ['a']);
    wrong.add('b/x');
    assert.equal(model.update(['b/x']), 'all');
    assert.deepEqual(tree(model), { a: ['a/x', 'a/y'], b: ['b/x'] });
    assert.deepEqual(keysOf(model.update(['nowhere'])), []);
  });

  it('recomputes only the group of the changed skill', () => {
    let asked = 0;
    const groupOf = () => {
      asked++;
      return 'all of them';
    };
    const model = new SkillModel({ groupOf, isShown: () => true });
    model.reset(Array.from({ length: 1000 }, (_, at) => skill(`a/${at}`)));
    asked = 0;
    model.change([skill('a/500', { tokens: 200 })], []);
    assert.equal(asked, 1);
  });
});
