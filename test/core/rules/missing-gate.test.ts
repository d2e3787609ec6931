/** The gates of composed skills that a composite lacks: what its page does not show. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { scaffoldComposite } from '../../../server/src/scaffold/composite.ts';
import { applyEdits, sliceOf } from '../../../server/src/text.ts';

const contract = (name: string, ...lines: readonly string[]): string =>
  [
    `name: ${name}`,
    `description: Does ${name}.`,
    'version: 1.0.0',
    'input_schema: {a: string}',
    `output_schema: {${name}_out: string}`,
    ...lines,
    '',
  ].join('\n');

/** Returns the findings at the entries of `whole`, and its text after all first fixes, one after another. */
function judged(
  whole: readonly string[],
  parts: Readonly<Record<string, readonly string[]>>,
  catalog = '',
): { readonly told: readonly string[]; readonly fixed: string } {
  const workspace = new Workspace();
  const uri = 'file:///w/whole.skill.yaml';
  const put = (path: string, text: string) => workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
  for (const [name, lines] of Object.entries(parts)) put(`${name}.skill.yaml`, contract(name, ...lines));
  if (catalog !== '') put('skills.config.yaml', catalog);
  put('whole.skill.yaml', contract('whole', 'level: 3', ...whole));
  const findings = () => {
    const file = workspace.analysis.file(uri);
    assert.ok(file);
    const own = check(file, workspace.analysis).filter(({ rule }) => rule === 'missing-gate');
    return own.map(({ span, message, fixes }) => ({ at: sliceOf(file.text, span), message, fixes, text: file.text }));
  };
  const told = findings().map(({ at, message }) => `${at}: ${message}`);
  for (let [first] = findings(); first?.fixes[0]; [first] = findings()) {
    const edits = first.fixes[0].edits.flatMap((one) => one.edits);
    put('whole.skill.yaml', applyEdits(first.text, edits));
  }
  const text = workspace.analysis.file(uri)?.text ?? '';
  return { told, fixed: text.slice(text.indexOf('1.0.0')) };
}

describe('missing-gate', () => {
  it('counts parts of parts, arms and entries that no step runs, at the entry that brings them', () => {
    const parts = { mid: ['composes: [deep]'], deep: ['capabilities_required: [{feature_flag: beta}]'] };
    const told = [
      'mid: `mid` requires the feature flag `beta`, but this skill does not. Add it to `capabilities_required`.',
    ];
    assert.deepEqual(judged(['composes: [mid]'], parts).told, told);
    const execution = 'execution: [{when: [{condition: a == "x", steps: [{step: mid}]}]}]';
    assert.deepEqual(judged(['composes: [mid]', execution], parts).told, told);
    assert.deepEqual(judged(['composes: [mid]', 'execution: []'], parts).told, told);
  });

  it('counts the fallback of a part, and its gates close the composite', () => {
    const parts = {
      p: ['errors: [{code: LOST, fallback: q}]'],
      q: ['capabilities_required: [{tier: adult}]', 'composes: [deep]'],
      deep: ['allowed_roles: [writer]'],
    };
    assert.deepEqual(judged(['composes: [p]'], parts).told, [
      'p: `p` requires the tier `adult`, but this skill does not. Add it to `capabilities_required`.',
      'p: `p` allows only the role `writer`, but this skill allows every role. Add `allowed_roles: [writer]`.',
    ]);
  });

  it('counts the fallback of the skill itself, at the fallback', () => {
    const parts = { q: ['capabilities_required: [{tier: adult}]', 'required_scopes: ["read:x"]'] };
    assert.deepEqual(judged(['errors: [{code: LOST, fallback: q}]'], parts).told, [
      'q: `q` requires the tier `adult`, but this skill does not. Add it to `capabilities_required`.',
    ]);
  });

  it('asks for the intersection of the lists', () => {
    const parts = { p: ['allowed_roles: [x, y, z]'], q: ['allowed_roles: [y, z]'] };
    const { told, fixed } = judged(['composes: [p, q]'], parts);
    assert.equal(told.length, 1);
    assert.match(fixed, /^allowed_roles: \[y, z\]$/m);
  });

  it('removes all refused values at once, in every style of list', () => {
    const parts = { p: ['allowed_roles: [z]'] };
    const flow = judged(['allowed_roles: [x, y, z]', 'composes: [p]'], parts);
    assert.equal(flow.told.length, 1);
    assert.match(flow.fixed, /^allowed_roles: \[z\]$/m);
    const block = judged(['allowed_roles:', '  - x # one', '  - y', '  - z # last', 'composes: [p]'], parts);
    assert.match(block.fixed, /^allowed_roles:\n {2}- z # last\ncomposes/m);
  });

  it('takes `scheduled` and `autonomous` for the same context', () => {
    const parts = { p: ['allowed_contexts: [autonomous]'] };
    assert.deepEqual(judged(['allowed_contexts: [scheduled]', 'composes: [p]'], parts).told, []);
    assert.equal(judged(['allowed_contexts: [scheduled, channel]', 'composes: [p]'], parts).told.length, 1);
  });

  it('takes a list of all contexts for no limit', () => {
    const parts = { p: ['allowed_contexts: [channel, workspace, scheduled]'] };
    assert.deepEqual(judged(['composes: [p]'], parts).told, []);
    assert.equal(judged(['composes: [p]'], { p: ['allowed_contexts: [channel, workspace]'] }).told.length, 1);
  });

  it('tells that no value is left, for two and for three lists', () => {
    assert.deepEqual(judged(['allowed_roles: [x]', 'composes: [p]'], { p: ['allowed_roles: [y]'] }), {
      told: [
        'p: No role may use this skill: `p` allows only `y`, and this skill allows only `x`. Allow a common role, or compose another skill.',
      ],
      fixed:
        '1.0.0\ninput_schema: {a: string}\noutput_schema: {whole_out: string}\nlevel: 3\nallowed_roles: [x]\ncomposes: [p]\n',
    });
    const three = { p: ['allowed_roles: [x, y]'], q: ['allowed_roles: [y, z]'], r: ['allowed_roles: [x, z]'] };
    assert.deepEqual(judged(['composes: [p, q, r]'], three).told, [
      'r: No role may use this skill: `r` allows only `x` or `z`, and the other composed skills allow others. Allow a common role, or compose another skill.',
    ]);
  });

  it('tells that two parts need different tiers, and accepts the tier `any`', () => {
    const tier = (name: string) => [`capabilities_required: [{tier: ${name}}]`];
    assert.deepEqual(judged(['composes: [p, q]'], { p: tier('adult'), q: tier('child') }).told, [
      'p: `p` requires the tier `adult`, but this skill does not. Add it to `capabilities_required`.',
      'q: `q` requires the tier `child`, but this skill needs the tier `adult`, and a caller has only one tier. Compose another skill.',
    ]);
    assert.deepEqual(judged(['composes: [p]'], { p: tier('any') }).told, []);
  });

  it('leaves unknown roles and contexts to the file that lists them', () => {
    const catalog = 'roles: {writer: []}\n';
    assert.deepEqual(judged(['composes: [p]'], { p: ['allowed_roles: [writter]'] }, catalog).told, []);
    assert.deepEqual(judged(['composes: [p]'], { p: ['allowed_contexts: [chanel]'] }).told, []);
  });

  it('needs the surfaces of a part, unless all listed surfaces offer it', () => {
    const part = { p: ['surfaces: [chat, {name: web, canary_percent: 0}]'] };
    assert.match(judged(['composes: [p]'], part).fixed, /^surfaces: \[chat\]$/m);
    assert.deepEqual(judged(['composes: [p]'], part, 'surfaces: [chat]\n').told, []);
    assert.match(judged(['surfaces: [chat, web]', 'composes: [p]'], part).fixed, /^surfaces: \[chat\]$/m);
    const parts = { p: ['surfaces: [chat]'], q: ['surfaces: [web]'] };
    assert.deepEqual(judged(['composes: [p, q]'], parts, 'surfaces: [chat, web]\n').told, [
      'q: No surface offers this skill: `q` is not offered on `chat` and `p` is not offered on `web`. Offer its parts on a common surface.',
    ]);
    assert.deepEqual(judged(['surfaces: [web]', 'composes: [p]'], part).told, [
      'p: No surface offers this skill: `p` is not offered on `web`. Offer its parts on a common surface.',
    ]);
  });
});

describe('a tool that is a skill', () => {
  const service = ['capabilities_required: [{tier: adult}]', 'backing_service: {endpoint: "https://s.example.com"}'];

  it('closes the skills that call it, unless it is optional or the catalog declares the tool', () => {
    const told = ['svc: `svc` requires the tier `adult`, but this skill does not. Add it to `capabilities_required`.'];
    const { told: found, fixed } = judged(['tools: [svc]'], { svc: service });
    assert.deepEqual(found, told);
    assert.match(fixed, /tier: adult/);
    assert.deepEqual(judged(['tools: [{name: svc, optional: true}]'], { svc: service }).told, []);
    assert.deepEqual(judged(['tools: [svc]'], { svc: service }, 'tools: [{name: svc, operation: READ}]\n').told, []);
    assert.deepEqual(judged(['tools: [svc]'], { svc: ['capabilities_required: [{tier: adult}]'] }).told, []);
  });

  it('closes the composite of its caller through the gates of the caller', () => {
    const parts = { svc: service, part: ['tools: [svc]', 'capabilities_required: [{tier: adult}]'] };
    assert.deepEqual(judged(['composes: [part]'], parts).told, [
      'part: `part` requires the tier `adult`, but this skill does not. Add it to `capabilities_required`.',
    ]);
    // The caller has the finding, and not its composite, too.
    assert.deepEqual(judged(['composes: [part]'], { svc: service, part: ['tools: [svc]'] }).told, []);
  });
});

describe('a new composite', () => {
  it('has the gates of its composed skills', () => {
    const workspace = new Workspace();
    const put = (path: string, text: string) => workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
    const gates = ['allowed_roles: [x, y]', 'allowed_contexts: [channel]', 'surfaces: [chat]'];
    put('p.skill.yaml', contract('p', ...gates, 'capabilities_required: [{tier: adult}]'));
    put('q.skill.yaml', contract('q', 'allowed_roles: [y]'));
    const composes = ['file:///w/p.skill.yaml', 'file:///w/q.skill.yaml'];
    const made = scaffoldComposite(workspace.analysis, { level: 2, name: 'whole', composes });
    assert.ok('text' in made);
    put('whole.skill.md', made.text);
    const file = workspace.analysis.file('file:///w/whole.skill.md');
    assert.ok(file);
    assert.deepEqual(
      check(file, workspace.analysis).map(({ message }) => message),
      [],
    );
  });
});
