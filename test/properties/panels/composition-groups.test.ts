/** Laws of the composition graph's groups: no skill is lost or shown twice, and merged edges keep their ends. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { GraphReply, ShownEdge, ShownNode } from '../../../client/src/panels/graph/messages.ts';
import { layoutOf } from '../../../client/src/panels/graph/webview/drawing.ts';
import {
  components,
  foldersOf,
  type GraphFilter,
  initialFolder,
  MAX_CONNECTED,
  shownItems,
} from '../../../client/src/panels/graph/webview/folders.ts';
import { overlaps } from '../../../client/src/panels/kit/graph/view.ts';
import { cases } from '../../random.ts';

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

const skill = (uri: string, level: number | null, errors: number): ShownNode => ({
  kind: 'skill',
  ...{ id: uri, uri, range, name: uri, version: null, level, rank: 0, description: null },
  ...{ isDeprecated: false, isDisabled: false, isBroken: false, isInCycle: false, effects: [], operation: null },
  ...{ isInferred: { effects: false, operation: false }, p95: null, cost: null, stages: [] },
  findings: { errors, warnings: 0, infos: 0, hints: 0 },
});

const edge = (from: string, to: string): ShownEdge => ({
  kind: 'composes',
  ...{ from, to, uri: from, range, step: '', as: null, requires: null, version: null, adapter: null },
  ...{ isAllowed: true, stage: null, isInCycle: false, isCritical: false },
});

const folder = fc
  .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 })
  .map((path) => ['file:///w', ...path].join('/'));

const graphs: fc.Arbitrary<GraphReply> = fc
  .tuple(
    fc.array(fc.tuple(folder, fc.option(fc.integer({ min: 1, max: 3 })), fc.nat(1)), { maxLength: 90 }),
    fc.array(fc.tuple(fc.nat(95), fc.nat(95)), { maxLength: 120 }),
  )
  .map(([skills, pairs]) => {
    const nodes = skills.map(([path, level, errors], at) => skill(`${path}/s${at}.skill.md`, level, errors));
    const ids = nodes.map(({ id }) => id);
    const named = (at: number): string => ids[at] ?? `unknown:${at}`;
    const edges = pairs.flatMap(([from, to]) => (ids[from] === undefined ? [] : [edge(ids[from], named(to))]));
    const unknown = new Set(edges.flatMap(({ to }) => (to.startsWith('unknown:') ? to : [])));
    const missing = [...unknown].map((id): ShownNode => ({ kind: 'unknown', id, name: id, rank: 1 }));
    return { nodes: [...nodes, ...missing], edges, cycles: [], partial: false, lists: [] };
  });

const parts = fc.record({
  folder: fc.nat(),
  level: fc.option(fc.integer({ min: 0, max: 3 })),
  onlyErrors: fc.boolean(),
  isGrouped: fc.option(fc.boolean()),
});

/** A part of a graph, limited to one of its folders or to the workspace. */
function partOf(graph: GraphReply, wanted: GraphFilter | { readonly folder: number }): GraphFilter {
  const { all } = foldersOf(graph);
  const at = typeof wanted.folder === 'number' ? wanted.folder % (all.length + 1) : 0;
  return { level: null, onlyErrors: false, isGrouped: null, ...wanted, folder: all[at - 1] ?? '' };
}

test('the graph of the workspace shows every skill exactly once, with and without groups', () => {
  fc.assert(
    fc.property(graphs, fc.option(fc.boolean()), (graph, isGrouped) => {
      const part = { folder: '', level: null, onlyErrors: false, isGrouped };
      const { items } = shownItems(graph, foldersOf(graph), part);
      const shown = items.flatMap((item) => item.nodes.map(({ id }) => id));
      assert.deepEqual(shown.toSorted(), graph.nodes.map(({ id }) => id).toSorted());
    }),
  );
});

test('a filtered graph shows every matching skill in its folder exactly once', () => {
  fc.assert(
    fc.property(graphs, parts, (graph, wanted) => {
      const folders = foldersOf(graph);
      const part = partOf(graph, wanted);
      const shown = shownItems(graph, folders, part).items.flatMap((item) => item.nodes.map(({ id }) => id));
      assert.equal(new Set(shown).size, shown.length);
      for (const node of graph.nodes) {
        if (node.kind === 'unknown' || !folders.has(part.folder, node.id)) continue;
        const passes =
          (part.level === null || (node.level ?? 0) === part.level) && (!part.onlyErrors || node.findings.errors > 0);
        assert.equal(shown.includes(node.id), passes);
      }
    }),
  );
});

test('merged edges keep their end nodes, and no edge between shown nodes is missing', () => {
  fc.assert(
    fc.property(graphs, parts, (graph, wanted) => {
      const { items, links } = shownItems(graph, foldersOf(graph), partOf(graph, wanted));
      const itemOf = new Map(items.flatMap((item) => item.nodes.map(({ id }) => [id, item] as const)));
      for (const { from, to, edges } of links) {
        for (const one of edges) assert.deepEqual([itemOf.get(one.from)?.id, itemOf.get(one.to)?.id], [from, to]);
      }
      const between = graph.edges.filter(({ from, to }) => {
        const [a, b] = [itemOf.get(from), itemOf.get(to)];
        return a && b && (a !== b || !a.opens);
      });
      assert.equal(
        links.reduce((sum, link) => sum + link.edges.length, 0),
        between.length,
      );
      assert.equal(new Set(links.map(({ from, to }) => `${from} ${to}`)).size, links.length);
    }),
  );
});

test('opening a group shows its skills', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const folders = foldersOf(graph);
      const whole = { folder: '', level: null, onlyErrors: false, isGrouped: true };
      for (const { opens, nodes } of shownItems(graph, folders, whole).items) {
        if (!opens || !('folder' in opens)) continue;
        const opened = shownItems(graph, folders, { ...whole, folder: opens.folder });
        const shown = new Set(opened.items.flatMap((item) => item.nodes.map(({ id }) => id)));
        for (const { id, kind } of nodes) if (kind === 'skill') assert.ok(shown.has(id), id);
      }
    }),
  );
});

test('a graph initially shows a folder that has no errors, or the whole workspace', () => {
  fc.assert(
    fc.property(graphs, (graph) => {
      const folders = foldersOf(graph);
      const opening = initialFolder(graph, folders, undefined);
      assert.ok(opening === '' || folders.all.includes(opening));
      if (opening === '') return;
      assert.ok(
        graph.nodes.every(
          (node) => !folders.has(opening, node.id) || (node.kind === 'skill' && node.findings.errors === 0),
        ),
      );
    }),
  );
});

const cards = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 120, max: 260 }), fc.integer({ min: 40, max: 100 })), {
      minLength: 1,
      maxLength: 40,
    }),
    fc.array(fc.tuple(fc.nat(39), fc.nat(39)), { maxLength: 50 }),
  )
  .map(([sizes, pairs]) => ({
    nodes: sizes.map(([width, height], at) => ({ id: `n${at}`, width, height })),
    edges: pairs.flatMap(([from, to]) =>
      from < sizes.length && to < sizes.length
        ? [{ from: `n${from}`, to: `n${to}`, label: { width: 0, height: 0 } }]
        : [],
    ),
  }));

test('a layout contains every card once within its bounds, and no two cards overlap', () => {
  fc.assert(
    fc.property(cards, fc.integer({ min: 320, max: 2000 }), ({ nodes, edges }, room) => {
      const { boxes, routes, width, height } = layoutOf(nodes, edges, room);
      assert.deepEqual([...boxes.keys()].toSorted(), nodes.map(({ id }) => id).toSorted());
      const all = [...boxes.values()];
      for (const box of all) {
        assert.ok(box.x >= -0.5 && box.y >= -0.5 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1);
      }
      assert.equal(all.filter((a, at) => all.slice(at + 1).some((b) => overlaps(a, b))).length, 0);
      assert.ok(routes.every((route) => route !== undefined));
    }),
    cases(40),
  );
});

test('every edge is within one connected component, and every card is in exactly one component', () => {
  fc.assert(
    fc.property(cards, ({ nodes, edges }) => {
      const found = components(nodes, edges);
      assert.equal(found.flat().length, nodes.length);
      const at = new Map(found.flatMap((all, number) => all.map(({ id }) => [id, number] as const)));
      for (const { from, to } of edges) assert.equal(at.get(from), at.get(to));
    }),
  );
});

/** Returns a chain of skills, in which each skill composes the next skill. */
function chain(count: number, levelOf: (at: number) => number | null): GraphReply {
  const nodes = Array.from({ length: count }, (_, at) => skill(`file:///w/s${at}.skill.md`, levelOf(at), 0));
  const edges = nodes.slice(1).map((node, at) => edge(nodes[at]?.id ?? '', node.id));
  return { nodes, edges, cycles: [], partial: false, lists: [] };
}

const everything: GraphFilter = { folder: '', level: null, onlyErrors: false, isGrouped: false };

test('too many connected skills in one folder are grouped by level, even if grouping is off', () => {
  const graph = chain(MAX_CONNECTED.cards + 1, (at) => (at < 20 ? 2 : 1));
  const { items, links, grouping, isTooLarge } = shownItems(graph, foldersOf(graph), everything);
  assert.deepEqual([grouping, isTooLarge, items.length, links.length], ['level', true, 2, 1]);
  const fewer = chain(MAX_CONNECTED.cards, (at) => (at < 20 ? 2 : 1));
  assert.equal(shownItems(fewer, foldersOf(fewer), everything).grouping, 'none');
  assert.equal(shownItems(fewer, foldersOf(fewer), { ...everything, isGrouped: null }).grouping, 'level');
});

/** Returns skills that compose each other, with this number of edges. */
function web(count: number, edges: number): GraphReply {
  const { nodes, ...rest } = chain(count, () => null);
  const pairs = nodes.flatMap((from) => nodes.map((to) => edge(from.id, to.id)));
  return { nodes, ...rest, edges: pairs.slice(0, edges) };
}

for (const [what, graph] of [
  ['skills', chain(MAX_CONNECTED.cards + 1, () => null)],
  ['edges', web(30, MAX_CONNECTED.edges + 1)],
] as const) {
  test(`shows all skills on a level with too many connected ${what}, but not their edges`, () => {
    const { items, links, grouping, isTooLarge } = shownItems(graph, foldersOf(graph), everything);
    assert.deepEqual([grouping, isTooLarge, items.length], ['none', true, graph.nodes.length]);
    const sized = items.map(({ id }) => ({ id, width: 120, height: 60 }));
    const { boxes, routes } = layoutOf(
      sized,
      links.map(({ from, to }) => ({ from, to, label: { width: 0, height: 0 } })),
      900,
    );
    assert.equal(boxes.size, graph.nodes.length);
    assert.ok(routes.every((route) => route === undefined));
  });
}
