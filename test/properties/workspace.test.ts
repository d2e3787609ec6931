/** Properties of the composition graph, for any skills and any order of additions, changes and removals. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Analysis } from '../../server/src/analysis/analysis.ts';
import { type Change, Workspace } from '../../server/src/analysis/workspace.ts';
import { toDot, toMermaid } from '../../server/src/features/graph/drawing.ts';
import { graphView, NO_FINDINGS } from '../../server/src/features/graph/graph-view.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { rollUp } from '../../server/src/workspace/budgets.ts';
import { composersOf, dependentsOf } from '../../server/src/workspace/composition-lookups.ts';
import { effectiveContract } from '../../server/src/workspace/effective-contract.ts';
import { stepsByStage } from '../../server/src/workspace/order.ts';
import type { ResolvedGraph } from '../../server/src/workspace/resolved-graph.ts';
import { cases } from '../random.ts';
import { ROOT } from './opened.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
const FIELDS = ['x', 'y', 'z'] as const;

const name = fc.constantFrom(...NAMES);
const line = (key: string, value: fc.Arbitrary<string>, often = 1): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: often, arbitrary: value.map((text) => `${key}: ${text}\n`) },
    { weight: 1, arbitrary: fc.constant('') },
  );
const listOf = (of: fc.Arbitrary<string>, maxLength = 3): fc.Arbitrary<string> =>
  fc.uniqueArray(of, { maxLength }).map((items) => `[${items.join(', ')}]`);
const mapOf = (keys: readonly string[], value: string): fc.Arbitrary<string> =>
  fc.subarray([...keys]).map((picked) => `{${picked.map((key) => `${key}: ${value}`).join(', ')}}`);

/** Everything that a composite may define about its composed skills, in any combination. */
const skill: fc.Arbitrary<string> = fc
  .tuple(
    name.map((own) => `name: ${own}\n`),
    // An edit that moves spans of a file and keeps its summary.
    line('description', fc.constantFrom('Short.', 'A rather longer description of it.')),
    line('version', fc.constantFrom('1.0.0', '1.4.0', '2.0.0', '2.0.0-rc.1', 'none'), 8),
    line('level', fc.constantFrom('1', '2', '3'), 4),
    line('input_schema', mapOf(FIELDS, 'string'), 4),
    line('output_schema', mapOf(FIELDS, 'string'), 4),
    line('composes', listOf(name), 8),
    line(
      'requires',
      listOf(
        fc
          .tuple(name, fc.constantFrom('1.x', '^2.0.0', '>=1.2.0', 'x y'))
          .map(([skill, version]) => `{skill: ${skill}, version: "${version}"}`),
      ),
    ),
    line(
      'execution',
      listOf(
        fc.oneof(
          name.map((step) => `{step: ${step}}`),
          name.map((step) => `{step: ${step}, retry: {attempts: 1, retry_on: [BUSY]}}`),
          fc
            .tuple(name, name)
            .map(([one, two]) => `{speculate: [{step: ${one}, keep_when: $input.x == 1}], until: ${two}}`),
          fc.tuple(name, name).map(([one, two]) => `{parallel: [{step: ${one}}, {step: ${two}}]}`),
        ),
      ),
    ),
    line(
      'adapts',
      fc.tuple(name, fc.constantFrom('1.x', '1.4.0', '0.9', 'x y')).map(([adapter, from]) => {
        return `{from: "${from}", with: ${adapter}}`;
      }),
    ),
    line('backing_service', fc.constant('{endpoint: https://example.org}')),
    line('allowed_contexts', listOf(fc.constantFrom('channel', 'workspace', 'scheduled', 'autonomous'))),
    line('effects', listOf(fc.constantFrom('Query', 'Mutate', 'Fail'))),
    line('operation', fc.constantFrom('TRANSFORM', 'READ', 'WRITE')),
    line(
      'policy',
      fc.constantFrom('{timeout_ms: 100}', '{budget: {p95_ms: 30, cost_usd: 0.1}}', '{budget: {cost_usd: 0.3}}'),
    ),
    line('retry', fc.constantFrom('{max_attempts: 2}', '{max_attempts: 2, retry_on: [BUSY]}')),
    line('errors', listOf(fc.constantFrom('{code: BUSY, retry: never}', '{code: BUSY}', '{code: BUSI}'))),
    line(
      'tools',
      listOf(
        fc.oneof(
          fc.constantFrom('save', 'read', ...NAMES),
          name.map((tool) => `{name: ${tool}, constraints: {properties: {x: {maxLength: 3}}}}`),
        ),
      ),
    ),
    line(
      'samples',
      name.map((tool) => `{usual: {stubs: {${tool}: {returns: {x: 1}}}}}`),
    ),
    line('deprecated', fc.constantFrom('true', '{use: b}', '{use: c, sunset: 2031-01-01}')),
    fc.oneof({ weight: 12, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constant('tags: [x\n') }),
  )
  .map((lines) => lines.join(''));

const path = fc
  .constantFrom(...NAMES, 'g', 'h', 'account/a', 'account/b', 'account/i')
  .map((file) => `${file}.skill.yaml`);
const uriOf = (file: string): string => `${ROOT}/${file}`;

/** Permissions for existing, missing and misspelt skills. */
const catalog: fc.Arbitrary<string> = fc
  .tuple(
    fc.dictionary(
      fc.oneof(name, fc.constantFrom('h', 'aa')),
      fc.constantFrom(
        '{}',
        '{enabled: false}',
        '{enabled: true}',
        '{contexts: [channel, autonomous]}',
        '{contexts: []}',
      ),
    ),
    fc.constantFrom(
      '',
      'permissions_default: {enabled: false}\n',
      'tools: [{name: save, operation: WRITE}, {name: read, operation: READ}]\n',
    ),
  )
  .map(([entries, rest]) => {
    const lines = Object.entries(entries).map(([key, value]) => `  ${key}: ${value}\n`);
    return `${lines.length > 0 ? `permissions:\n${lines.join('')}` : ''}${rest}`;
  });
const governing = fc
  .tuple(fc.constantFrom('skills.config.yaml', 'account/skills.config.yaml'), fc.option(catalog))
  .map(([file, text]): Change[] => [
    text === null ? { kind: 'delete', uri: uriOf(file) } : { kind: 'text', uri: uriOf(file), text },
  ]);

const edit = fc.tuple(path, skill).map(([file, text]): Change[] => [{ kind: 'text', uri: uriOf(file), text }]);
const removal = path.map((file): Change[] => [{ kind: 'delete', uri: uriOf(file) }]);
const rename = fc.tuple(path, path, skill).map(([from, to, text]): Change[] => [
  { kind: 'delete', uri: uriOf(from) },
  { kind: 'text', uri: uriOf(to), text },
]);
const reading = fc.boolean().map((partial): Change[] => [{ kind: 'partial', partial }]);
const scope = fc.constantFrom([], [uriOf('account')]).map((folders): Change[] => [{ kind: 'account', folders }]);
const changes: fc.Arbitrary<readonly Change[]> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: edit },
      { weight: 2, arbitrary: removal },
      { weight: 2, arbitrary: rename },
      { weight: 2, arbitrary: governing },
      { weight: 1, arbitrary: reading },
      { weight: 1, arbitrary: scope },
    ),
    { minLength: 1, maxLength: 20 },
  )
  .map((all) => all.flat());

const texts = fc.dictionary(path, skill, { minKeys: 2, maxKeys: 8 });

/**
 * The findings of a file in a comparable form, without spans of related locations in other files: an edit in another
 * file moves these spans without affecting this file, and they are adjusted when the findings are reported.
 */
function findingsOf(workspace: Workspace, uri: string): unknown {
  const analysis = workspace.analysis;
  const file = analysis.file(uri);
  if (!file) return [];
  return check(file, analysis).map(({ related, ...finding }) => ({
    ...finding,
    related: related.map((place) => (place.uri === uri ? place : { uri: place.uri, message: place.message })),
  }));
}

const allFindings = (workspace: Workspace): Map<string, unknown> =>
  new Map([...workspace.index.files.keys()].sort().map((uri) => [uri, findingsOf(workspace, uri)]));

function openAll(all: readonly (readonly [string, string])[]): Workspace {
  const workspace = new Workspace();
  for (const [uri, text] of all) workspace.apply({ kind: 'text', uri, text });
  return workspace;
}

const opened = (files: Readonly<Record<string, string>>) =>
  openAll(Object.entries(files).map(([file, text]) => [uriOf(file), text]));

describe('a workspace of composites', () => {
  test('has the same findings as a new workspace, even if only the affected files are checked', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const workspace = new Workspace();
        const known = new Map<string, unknown>();
        const state = new Map<string, string>();
        for (const change of all) {
          const affected = workspace.apply(change);
          if (change.kind === 'text') state.set(change.uri, change.text);
          if (change.kind === 'delete') {
            state.delete(change.uri);
            known.delete(change.uri);
          }
          for (const uri of affected === 'all' ? state.keys() : affected) {
            if (state.has(uri)) known.set(uri, findingsOf(workspace, uri));
          }
        }
        const fresh = openAll([...state].reverse());
        fresh.apply({ kind: 'account', folders: workspace.analysis.graph.account });
        fresh.apply({ kind: 'partial', partial: workspace.analysis.partial });
        assert.deepEqual(workspace.analysis.graph.tools.toJS().sort(), fresh.analysis.graph.tools.toJS().sort());
        assert.deepEqual(new Map([...known].sort(([a], [b]) => (a < b ? -1 : 1))), allFindings(fresh));
      }),
      cases(150),
    );
  });

  test('has the same findings for any order of its files', () => {
    const shuffled = texts.chain((files) =>
      fc.tuple(fc.constant(files), fc.shuffledSubarray(Object.keys(files), { minLength: Object.keys(files).length })),
    );
    fc.assert(
      fc.property(shuffled, ([files, order]) => {
        const other = openAll(order.map((file) => [uriOf(file), files[file] ?? '']));
        assert.deepEqual(allFindings(other), allFindings(opened(files)));
      }),
      cases(100),
    );
  });
});

/** Returns the skills that a skill reaches, by definition: composed skills are added until there is no new skill. */
function reachable(graph: ResolvedGraph, from: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const step = (uri: string) => {
    const skill = graph.skills.get(uri);
    return skill ? graph.composedSkillsOf(skill).map((part) => part.skill.uri) : [];
  };
  let front = step(from);
  while (front.length > 0) {
    for (const uri of front) reached.add(uri);
    front = front.flatMap(step).filter((uri) => !reached.has(uri));
  }
  return reached;
}

const isBroken = (graph: ResolvedGraph, uri: string): boolean => graph.skills.get(uri)?.summary.broken === true;

function openAllReversed<T>(files: Readonly<Record<string, string>>, look: (analysis: Analysis) => T): T {
  return look(
    openAll(
      Object.entries(files)
        .reverse()
        .map(([file, text]) => [uriOf(file), text]),
    ).analysis,
  );
}

describe('any graph, cycles included,', () => {
  test('has a closure of all reachable skills, in topological order', () => {
    fc.assert(
      fc.property(texts, (files) => {
        const { graph } = opened(files).analysis;
        for (const root of graph.skills.values()) {
          const order = graph.closureOf(root);
          const expected = new Set(reachable(graph, root.uri));
          expected.delete(root.uri);
          assert.deepEqual(new Set(order.map(({ uri }) => uri)), expected);
          assert.equal(order.length, expected.size);
          for (const [at, composer] of order.entries()) {
            for (const { skill } of graph.composedSkillsOf(composer)) {
              const isCycle = skill.uri === composer.uri || reachable(graph, skill.uri).has(composer.uri);
              if (!isCycle) assert.ok(order.indexOf(skill) < at, `${skill.uri} before ${composer.uri}`);
            }
          }
        }
      }),
      cases(150),
    );
  });

  test('has the same edges in both directions, and complete sets of dependents', () => {
    fc.assert(
      fc.property(texts, (files) => {
        const { graph } = opened(files).analysis;
        for (const skill of graph.skills.values()) {
          // A file that does not parse has no composed skills in the graph, but may have some in its text.
          if (skill.summary.broken) continue;
          for (const composer of composersOf(graph, skill)) {
            assert.ok(graph.composedSkillsOf(composer).some((part) => part.skill.uri === skill.uri));
          }
          const dependents = dependentsOf(graph, skill.summary.name === undefined ? [] : [skill.summary.name]);
          for (const other of graph.skills.values()) {
            if (!reachable(graph, other.uri).has(skill.uri)) continue;
            assert.ok(dependents.has(other.uri), `${other.uri} depends on ${skill.uri}`);
          }
        }
      }),
      cases(150),
    );
  });

  test('causes `circular-dependency` exactly at the entries in a cycle', () => {
    fc.assert(
      fc.property(texts, (files) => {
        const analysis = opened(files).analysis;
        for (const file of analysis.allFiles()) {
          if (file.frontmatter.tree.broken) continue;
          const root = analysis.graph.skills.get(file.uri);
          assert.ok(root);
          const expected = analysis.graph
            .composedSkillsOf(root)
            .filter(({ skill }) => skill.uri === root.uri || reachable(analysis.graph, skill.uri).has(root.uri))
            .map(({ entry }) => file.contract.composes[entry]?.span);
          const found = check(file, analysis).filter(
            // The rule also reports cycles of data.
            ({ rule, message }) => rule === 'circular-dependency' && message.startsWith('Circular dependency'),
          );
          assert.deepEqual(
            found.map(({ span }) => span),
            expected,
          );
          for (const { related } of found) assert.equal(new Set(related.map(({ uri }) => uri)).size, related.length);
        }
      }),
      cases(150),
    );
  });

  test('is shown as a whole or from one skill, for any order of files', () => {
    fc.assert(
      fc.property(texts, (files) => {
        const analysis = opened(files).analysis;
        const { graph } = analysis;
        const viewOf = (from: Analysis, roots?: readonly string[]) =>
          graphView(from, { ...(roots ? { roots } : {}), countFindings: () => NO_FINDINGS });
        const whole = viewOf(analysis);
        assert.deepEqual(openAllReversed(files, viewOf), whole);
        const rankOf = new Map(whole.nodes.map(({ id, rank }) => [id, rank]));
        for (const { kind, from, to, isInCycle } of whole.edges) {
          if (kind !== 'composes') continue;
          assert.equal(isInCycle, from === to || (reachable(graph, to).has(from) && !isBroken(graph, to)));
          if (!isInCycle) assert.ok((rankOf.get(from) ?? 0) < (rankOf.get(to) ?? 0));
        }
        for (const node of whole.nodes) {
          const root = graph.skills.get(node.id);
          if (node.kind !== 'skill' || !root || root.summary.broken) continue;
          const closure = graph.closureOf(root);
          const { effects, operation } = effectiveContract([root, ...closure], analysis.operationOfTool);
          assert.deepEqual([...node.effects].sort(), [...effects.keys()].sort());
          assert.equal(node.operation, operation?.name ?? null);
          const isEndless = [root, ...closure].some(({ uri }) => reachable(graph, uri).has(uri));
          const { total, steps } = rollUp(graph, root, 'p95_ms');
          assert.equal(node.p95?.ofParts ?? null, isEndless || steps.length === 0 ? null : total);
          const one = viewOf(analysis, [root.uri]);
          // Adapters, and the skills that they compose, are shown but do not belong to the closure.
          const shown = new Set(one.nodes.map(({ id }) => id));
          assert.deepEqual(
            closure.filter(({ uri }) => !shown.has(uri)),
            [],
          );
          if (one.edges.some(({ kind }) => kind === 'adapts')) continue;
          const reached = one.nodes.flatMap(({ kind, id }) => (kind === 'skill' && id !== root.uri ? [id] : []));
          const known = reached.filter((id) => !isBroken(graph, id));
          assert.deepEqual(known.sort(), closure.map(({ uri }) => uri).sort());
        }
        toMermaid(whole);
        toDot(whole);
      }),
      cases(150),
    );
  });

  test('has stages that contain each composed skill once, after earlier skills whose outputs it uses', () => {
    fc.assert(
      fc.property(texts, (files) => {
        const { graph } = opened(files).analysis;
        for (const root of graph.skills.values()) {
          const stages = stepsByStage(graph, root);
          assert.ok(stages.every((stage) => stage.length > 0));
          if (root.summary.execution) continue;
          const parts = graph.composedSkillsOf(root);
          assert.deepEqual(stages.flat().sort(), root.summary.composes.map(({ step }) => step).sort());
          const stageOf = (step: string) => stages.findIndex((stage) => stage.includes(step));
          type Part = (typeof parts)[number];
          const uses = ({ skill }: Part, { skill: { summary } }: Part): boolean =>
            (summary.outputs?.fields ?? []).some((field) => skill.summary.inputs?.fields?.includes(field));
          for (const later of parts) {
            for (const earlier of parts.filter((part) => part.entry < later.entry && uses(later, part))) {
              // If the earlier one waits for data of the later one, the later one may get its value from a third skill.
              const awaited = new Set([earlier]);
              for (const part of awaited) for (const one of parts) if (uses(part, one)) awaited.add(one);
              if (awaited.has(later)) continue;
              assert.ok(stageOf(earlier.step) < stageOf(later.step), `${earlier.step} before ${later.step}`);
            }
          }
        }
      }),
      cases(150),
    );
  });
});
