/** The tree view of the skills that the active skill composes, and of the skills that compose the active skill. */
import * as vscode from 'vscode';
import {
  type GraphReply,
  GraphRequest,
  HasCompositionsRequest,
  requestGraph,
  SECTION,
} from '../../../server/src/protocol.ts';
import { activeSkill } from '../language-server/served-files.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { hasWorkspaceScheme, rangeOf } from '../locations.ts';
import { columnForFiles, watchColumnForFiles } from '../panels/command-target.ts';
import { coalesce } from '../panels/kit/schedule.ts';
import { errorMessage } from '../plain-message.ts';

type Node = GraphReply['nodes'][number];
type Edge = GraphReply['edges'][number];
type Direction = 'composes' | 'composedBy';

/** An item of the tree. A skill may appear many times. */
export interface CompositionItem {
  readonly direction: Direction;
  /** The edge from the parent item; undefined for the two top items. */
  readonly edge: Edge | undefined;
  readonly node: Node;
  /** The URI of the skill, which commands on an item read; undefined for an unknown skill. */
  readonly uri: string | undefined;
}

export function serveCompositionTree(server: SkillServer, log: vscode.LogOutputChannel): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let graph: GraphReply | undefined;
  let active = activeSkillId();
  let isOutdated = true;

  const view = vscode.window.createTreeView<CompositionItem>(`${SECTION}.composition`, {
    showCollapseAll: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getTreeItem: (item) => treeItemOf(item, childrenOf(graph, item).length),
      getChildren: (item) => (item ? childrenOf(graph, item) : topItems(graph, active)),
    },
  });
  const show = (): void => {
    const node = graph?.nodes.find(({ id }) => id === active);
    view.description = node?.name ?? '';
    const hasEdges = graph?.edges.some(({ from, to }) => from === active || to === active) ?? false;
    view.message = graph && !hasEdges ? emptyMessage(node) : '';
    changed.fire();
  };
  const fail = (error: unknown): void => {
    // The graph is requested again when the view is shown again.
    isOutdated = true;
    log.debug(`composition view: ${errorMessage(error)}`);
  };
  const ask = coalesce(async () => {
    const has = await server.send(HasCompositionsRequest, {});
    await vscode.commands.executeCommand('setContext', `${SECTION}.hasCompositions`, has);
    // The whole graph is requested only while the view is visible.
    if (!has || !view.visible || !isOutdated) return;
    isOutdated = false;
    graph = (await requestGraph((params) => server.send(GraphRequest, params), {})) ?? undefined;
    show();
  }, fail);

  ask();
  return vscode.Disposable.from(
    view,
    changed,
    server.onGraphChanged(() => {
      isOutdated = true;
      ask();
    }),
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) ask();
    }),
    watchColumnForFiles(() => changed.fire()),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      // While a panel has the focus, keep showing the last skill.
      if (editor === undefined || !hasWorkspaceScheme(editor.document.uri)) return;
      active = activeSkillId();
      show();
    }),
  );
}

function topItems(
  graph: GraphReply | undefined,
  active: string | undefined,
): readonly CompositionItem[] & CompositionItem[] {
  const node = graph?.nodes.find(({ id }) => id === active);
  if (!node) return [];
  const tops = (['composes', 'composedBy'] as const).map(
    (direction): CompositionItem => ({ direction, edge: undefined, node, uri: node.id }),
  );
  return tops.filter((item) => childrenOf(graph, item).length > 0);
}

function childrenOf(graph: GraphReply | undefined, { direction, node }: CompositionItem): CompositionItem[] {
  if (!graph) return [];
  const isDown = direction === 'composes';
  const seen = new Set<string>();
  return graph.edges.flatMap((edge) => {
    const [own, other] = isDown ? [edge.from, edge.to] : [edge.to, edge.from];
    // A skill that composes this skill twice is listed only once among the composers.
    if (own !== node.id || (!isDown && seen.has(other))) return [];
    seen.add(other);
    const next = graph.nodes.find(({ id }) => id === other);
    return next ? [{ direction, edge, node: next, uri: next.kind === 'skill' ? next.uri : undefined }] : [];
  });
}

function treeItemOf(item: CompositionItem, children: number): vscode.TreeItem {
  const { direction, edge, node } = item;
  const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  if (edge === undefined) {
    const title = direction === 'composes' ? vscode.l10n.t('Composes') : vscode.l10n.t('Composed by');
    return new vscode.TreeItem(title, Expanded);
  }
  const treeItem = new vscode.TreeItem(node.name, children > 0 ? Collapsed : None);
  treeItem.description = factsOf(item).join(' · ');
  treeItem.iconPath = iconOf(item);
  treeItem.tooltip = [
    node.name,
    ...(node.kind === 'skill' ? [node.description ?? '', ...factsOf(item)] : factsOf(item)),
  ]
    .filter((line) => line !== '')
    .join('\n');
  // For an unknown skill, open the location of its name in the composing skill.
  const place = node.kind === 'skill' ? node : edge;
  const uri = vscode.Uri.parse(place.uri);
  if (node.kind === 'skill') {
    // Gives the item the editor's badge and colour for problems in the file.
    treeItem.resourceUri = uri;
    treeItem.contextValue = 'skill';
  }
  const options: vscode.TextDocumentShowOptions = { selection: rangeOf(place.range), viewColumn: columnForFiles() };
  treeItem.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [uri, options] };
  treeItem.accessibilityInformation = { label: [node.name, ...factsOf(item)].join(', ') };
  return treeItem;
}

function factsOf({ node, edge }: CompositionItem): readonly string[] {
  if (node.kind === 'unknown') return [vscode.l10n.t('unknown skill')];
  const { version, level, findings, isDeprecated, isDisabled } = node;
  return [
    ...(edge?.isInCycle ? [vscode.l10n.t('cycle')] : []),
    ...(findings.errors > 0 ? [errorCountText(findings.errors)] : []),
    ...(edge?.as ? [vscode.l10n.t('as {0}', edge.as)] : []),
    ...(edge?.requires ? [edge.requires] : []),
    ...(version === null ? [] : [version]),
    ...(level === null ? [] : [vscode.l10n.t('level {0}', level)]),
    ...(isDeprecated ? [vscode.l10n.t('deprecated')] : []),
    ...(isDisabled ? [vscode.l10n.t('disabled in this workspace')] : []),
  ];
}

const errorCountText = (count: number): string =>
  count === 1 ? vscode.l10n.t('1 error') : vscode.l10n.t('{0} errors', count);

/** Returns the icon for a level, an unknown skill or a cycle. */
function iconOf({ node, edge }: CompositionItem): vscode.ThemeIcon {
  const wrong = new vscode.ThemeColor('list.errorForeground');
  if (node.kind === 'unknown') return new vscode.ThemeIcon('question', wrong);
  if (edge?.isInCycle) return new vscode.ThemeIcon('sync', wrong);
  const level = { 1: 'symbol-method', 2: 'layers', 3: 'type-hierarchy' }[node.level ?? 0] ?? 'symbol-method';
  return node.findings.errors > 0 ? new vscode.ThemeIcon(level, wrong) : new vscode.ThemeIcon(level);
}

function emptyMessage(node: Node | undefined): string {
  return node
    ? vscode.l10n.t('This skill does not compose other skills, and no skill composes it.')
    : vscode.l10n.t('Open a skill to see which skills it composes and which skills compose it.');
}

const activeSkillId = (): string | undefined => activeSkill()?.uri.toString();
