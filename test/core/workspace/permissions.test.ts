/**
 * Callers that may use a skill (docs/format.md, section 6, "Permissions"), computed from summaries and from packages.
 */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import { termsOfUse } from '../../../server/src/analysis/permissions.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { type Gate, type PrepareOptions, prepareRequest } from '../../../server/src/composer/prepare.ts';
import { denialsOf, heldScopes } from '../../../server/src/permissions/may-use.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { sliceOf } from '../../../server/src/text.ts';
import { contract } from './skills.ts';

interface Opened {
  readonly workspace: Workspace;
  readonly uri: string;
}

/** Opens a workspace with these files by path, and returns the URI of the first file, whose permissions are tested. */
function open(files: Readonly<Record<string, string>>): Opened {
  const workspace = new Workspace();
  for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `file:///${path}`, text });
  return { workspace, uri: `file:///${Object.keys(files)[0]}` };
}

function gatesOf({ workspace: { analysis }, uri }: Opened, use: PrepareOptions): readonly Gate[] {
  const skillPackage = checkedPackageOf(analysis, uri);
  assert.ok(skillPackage);
  return prepareRequest(skillPackage, invocationContextOf(analysis, uri), undefined, use).gates;
}

/** Returns the refusals as `gate: reason`, and asserts that summaries and packages have the same result. */
function denied(opened: Opened, use: PrepareOptions = {}): readonly string[] {
  const { workspace, uri } = opened;
  const { analysis } = workspace;
  const skill = analysis.graph.skills.get(uri);
  assert.ok(skill);
  const { profiles, roles } = invocationContextOf(analysis, uri);
  const profile = profiles.find(({ name }) => name === use.profile);
  const asked = { profile, scopes: heldScopes(profile, roles), source: use.source ?? 'explicit', channel: use.channel };
  const written = (all: readonly { readonly gate: string; readonly reason: string }[]): readonly string[] =>
    all.map(({ gate, reason }) => `${gate}: ${reason}`);
  const found = written(denialsOf(termsOfUse(analysis, skill), asked));
  assert.deepEqual(written(gatesOf(opened, use)), found);
  return found;
}

const under = (catalog: string, ...lines: readonly string[]): Opened =>
  open({ 'w/find.skill.yaml': contract('find', ...lines), 'w/skills.config.yaml': catalog });

describe('a skill', () => {
  it('may be used without an entry in a catalog', () => {
    assert.deepEqual(denied(under('permissions: {other: {enabled: false}}\n')), []);
    assert.deepEqual(denied(open({ 'w/find.skill.yaml': contract('find') })), []);
  });

  it('that is disabled may not be used', () => {
    const told = ['disabled: `find` is disabled in this workspace'];
    for (const catalog of [
      'permissions: {find: {enabled: false}}\n',
      'permissions: {find: {contexts: []}}\n',
      'permissions_default: {enabled: false}\n',
      'permissions: {find: {enabled: flase}}\n',
    ]) {
      assert.deepEqual(denied(under(catalog)), told, catalog);
    }
  });

  it('uses only its entry in the catalog, and ignores the default', () => {
    const byDefault = 'permissions_default: {enabled: false, contexts: [channel]}\n';
    assert.deepEqual(denied(under(`${byDefault}permissions: {find: {}}\n`)), []);
    assert.deepEqual(denied(under(`${byDefault}permissions: {find: {channels: [one]}}\n`)), []);
  });

  it('is limited to its channels if the invocation has a channel', () => {
    const opened = under('permissions: {find: {channels: [book-one, book-two]}}\n');
    assert.deepEqual(denied(opened, { channel: 'book-two' }), []);
    assert.deepEqual(denied(opened), []);
    assert.deepEqual(denied(opened, { channel: 'book-three' }), [
      'permission: `find` may be used only in the channels `book-one` and `book-two`, but this invocation is in the channel `book-three`',
    ]);
    assert.deepEqual(denied(under('permissions: {find: {channels: []}}\n'), { channel: 'book-one' }), [
      'permission: `find` may not be used in any channel of this workspace, but this invocation is in the channel `book-one`',
    ]);
  });

  it('is limited to the contexts that both the workspace and the skill allow', () => {
    const opened = under('permissions: {find: {contexts: [channel]}}\n');
    assert.deepEqual(denied(opened, { channel: 'book-one' }), []);
    assert.deepEqual(denied(opened), [
      "permission: `find` may be used only in the context `channel`, but this invocation's context is `workspace`",
    ]);
    assert.deepEqual(denied(under('', 'allowed_contexts: [channel]')), [
      "context: this invocation's context is `workspace`, but the skill may be invoked only in the context `channel`",
    ]);
  });

  it('that allows `autonomous` or `scheduled` may be run by a schedule', () => {
    for (const [context, isAllowed] of [
      ['autonomous', true],
      ['scheduled', true],
      ['channel', false],
      ['workspace', false],
    ] as const) {
      const own = under('', `allowed_contexts: [${context}]`);
      assert.equal(denied(own, { source: 'scheduled', channel: 'one' }).length === 0, isAllowed, context);
      const catalog = under(`permissions: {find: {contexts: [${context}]}}\n`);
      assert.equal(denied(catalog, { source: 'scheduled' }).length === 0, isAllowed, context);
    }
  });

  it('that an agent selects runs in the context `channel` or `workspace`', () => {
    for (const context of ['autonomous', 'scheduled']) {
      const opened = under('', `allowed_contexts: [${context}]`);
      assert.equal(denied(opened, { source: 'agent-selected' }).length, 1, context);
      assert.equal(denied(opened, { source: 'agent-selected', channel: 'one' }).length, 1, context);
    }
    assert.deepEqual(denied(under('', 'allowed_contexts: [workspace]'), { source: 'agent-selected' }), []);
    assert.deepEqual(
      denied(under('', 'allowed_contexts: [channel]'), { source: 'agent-selected', channel: 'one' }),
      [],
    );
  });
});

describe('a composite', () => {
  const parts = {
    'w/whole.skill.yaml': contract('whole', 'composes: [middle]'),
    'w/middle.skill.yaml': contract('middle', 'composes: [part]'),
    'w/part.skill.yaml': contract('part'),
  };

  it('is denied, with the location in the catalog, if a skill at any depth is disabled', () => {
    const catalog = 'permissions:\n  part: {enabled: false}\n';
    const opened = open({ ...parts, 'w/skills.config.yaml': catalog });
    assert.deepEqual(denied(opened), ['disabled: the composed skill `part` is disabled in this workspace']);
    const [gate] = gatesOf(opened, {});
    assert.equal(gate?.uri, 'file:///w/skills.config.yaml');
    assert.equal(gate && sliceOf(catalog, gate.span), 'part');
  });

  it('is denied if a composed skill may not be used', () => {
    const opened = open({ ...parts, 'w/skills.config.yaml': 'permissions: {part: {channels: [one]}}\n' });
    assert.equal(denied(opened, { channel: 'one' }).length, 0);
    assert.deepEqual(denied(opened, { channel: 'two' }), [
      'permission: the composed skill `part` may be used only in the channel `one`, but this invocation is in the channel `two`',
    ]);
  });
});

describe('the gates of a composed skill', () => {
  const profiles =
    'roles: {writer: ["read:pages"], reader: []}\nprofiles: [{name: kid, role: reader, tier: child}, {name: ada, role: writer, tier: adult, feature_flags: [beta]}]\n';
  const gated = [
    'capabilities_required: [{feature_flag: beta}, {tier: adult}]',
    'allowed_roles: [writer]',
    'allowed_contexts: [channel]',
    'required_scopes: ["read:pages"]',
  ];
  const files = {
    'w/whole.skill.yaml': contract('whole', 'composes: [middle]'),
    'w/middle.skill.yaml': contract('middle', 'composes: [part]'),
    'w/part.skill.yaml': contract('part', ...gated),
    'w/skills.config.yaml': profiles,
  };

  it('close the composite, each with the name of the composed skill and its location', () => {
    const opened = open(files);
    assert.deepEqual(denied(opened, { profile: 'kid' }), [
      'role: `kid` has the role `reader`, but the composed skill `part` requires the role `writer`',
      'scope: `kid` lacks the scope `read:pages`, which the composed skill `part` requires',
      "context: this invocation's context is `workspace`, but the composed skill `part` may be invoked only in the context `channel`",
      'capability: the composed skill `part` requires the feature flag `beta`, which `kid` does not have (CAPABILITY_DENIED)',
      'capability: the composed skill `part` requires the tier `adult`, which `kid` does not have (CAPABILITY_DENIED)',
    ]);
    const places = gatesOf(opened, { profile: 'kid' }).map(
      ({ uri, span }) => uri === 'file:///w/part.skill.yaml' && sliceOf(files['w/part.skill.yaml'], span),
    );
    assert.deepEqual(places, ['writer', '"read:pages"', 'channel', 'feature_flag: beta', 'tier: adult']);
    assert.deepEqual(denied(opened, { profile: 'ada', channel: 'one' }), []);
  });

  it('are told once if the composite has them, too', () => {
    const own = open({ ...files, 'w/whole.skill.yaml': contract('whole', ...gated, 'composes: [middle]') });
    const reasons = denied(own, { profile: 'kid' });
    assert.equal(reasons.length, 5);
    assert.ok(reasons.every((reason) => !reason.includes('composed skill')));
  });

  it('count for each version, arm and adapter that a run may reach', () => {
    const execution = 'execution: [{when: [{condition: "1 == 2", steps: [{step: part}]}]}]';
    const arm = open({ ...files, 'w/middle.skill.yaml': contract('middle', 'composes: [part]', execution) });
    assert.equal(denied(arm, { profile: 'kid' }).length, 5);
    const adapted = open({
      'w/whole.skill.yaml': contract('whole', 'composes: [middle]', 'requires: [{skill: middle, version: "^0.9.0"}]'),
      'w/middle.skill.yaml': contract('middle', 'adapts: {from: "0.9", with: part}'),
      'w/part.skill.yaml': contract('part', 'capabilities_required: [{tier: adult}]'),
      'w/skills.config.yaml': profiles,
    });
    assert.deepEqual(denied(adapted, { profile: 'kid' }), [
      'capability: the composed skill `part` requires the tier `adult`, which `kid` does not have (CAPABILITY_DENIED)',
    ]);
  });
});

describe('the catalog of a skill', () => {
  it('is the nearest catalog, even for a composed skill', () => {
    const opened = open({
      'w/whole.skill.yaml': contract('whole', 'composes: [part]'),
      'w/deep/part.skill.yaml': contract('part'),
      'w/deep/skills.config.yaml': '{}\n',
      'w/skills.config.yaml': 'permissions_default: {enabled: false}\npermissions: {whole: {}}\n',
    });
    assert.deepEqual(denied(opened), []);
    opened.workspace.apply({ kind: 'delete', uri: 'file:///w/deep/skills.config.yaml' });
    assert.deepEqual(denied(opened), ['disabled: the composed skill `part` is disabled in this workspace']);
  });

  it('is the outermost catalog in the workspace for a skill in the account', () => {
    const opened = open({
      'account/find.skill.yaml': contract('find'),
      'w/deep/skills.config.yaml': '{}\n',
      'w/skills.config.yaml': 'permissions: {find: {enabled: false}}\n',
    });
    opened.workspace.apply({ kind: 'account', folders: ['file:///account'] });
    assert.deepEqual(denied(opened), ['disabled: `find` is disabled in this workspace']);
  });
});

describe('a profile', () => {
  const told = (required: string, profile: string | undefined): readonly string[] => {
    const profiles =
      'profiles: [{name: ann, tier: adult, feature_flags: [maps]}, {name: all, tier: any, feature_flags: []}, {name: bob}]\n';
    return denied(under(profiles, `capabilities_required: ${required}`), profile === undefined ? {} : { profile });
  };

  it('that has all required capabilities may use the skill', () => {
    assert.deepEqual(told('[{feature_flag: maps}, {tier: adult}, {tier: any}]', 'ann'), []);
    assert.deepEqual(told('[{tier: child}]', 'all'), []);
  });

  it('that lacks a required capability, or lists no capabilities, is denied', () => {
    assert.deepEqual(told('[{feature_flag: links}, {tier: child}]', 'ann'), [
      'capability: the skill requires the feature flag `links`, which `ann` does not have (CAPABILITY_DENIED)',
      'capability: the skill requires the tier `child`, which `ann` does not have (CAPABILITY_DENIED)',
    ]);
    assert.deepEqual(told('[{feature_flag: maps}, {tier: any}]', 'bob'), [
      'capability: the skill requires the feature flag `maps`, which `bob` does not have (CAPABILITY_DENIED)',
    ]);
  });

  it('that is unknown has all permissions', () => {
    assert.deepEqual(told('[{tier: adult}, {feature_flag: maps}]', undefined), []);
    assert.deepEqual(told('[{tier: adult}]', 'nobody'), []);
  });
});
