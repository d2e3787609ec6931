/**
 * The view of all skills of the workspace, which requests the skills when it is first shown, and then follows changes.
 */
import * as vscode from 'vscode';
import { RefreshRequest, SECTION, SkillsRequest } from '../../../../server/src/protocol.ts';
import { registerCommand } from '../../commands/first-steps.ts';
import { packSkills, skillNameOf, type ToPack } from '../../commands/pack.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { showInformation } from '../../notify.ts';
import { columnForFiles, skillOf, watchColumnForFiles } from '../../panels/command-target.ts';
import { dropToImport, type ImportSkills } from '../../panels/import/imports.ts';
import { errorMessage } from '../../plain-message.ts';
import { countListed } from '../workspace-count.ts';
import { countText } from '../workspace-entry.ts';
import { followImported, serveImportedCommands } from './imported.ts';
import {
  dimDisabled,
  type Findings,
  findingsIn,
  folderGroupOf,
  type Grouping,
  groupItem,
  levelGroupOf,
  placeOf,
  skillItem,
} from './items.ts';
import { type Arrangement, type GroupNode, SkillModel, type Stale, type TreeNode } from './model.ts';

/** The delay in milliseconds after which changed findings are drawn together. */
const DRAW_AFTER = 50;

export function serveSkills(
  { workspaceState }: vscode.ExtensionContext,
  server: SkillServer,
  importSkills: ImportSkills,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const drawn = new vscode.EventEmitter<TreeNode | TreeNode[] | undefined>();
  const kept = keptSettings(workspaceState);
  const findings = (uri: string): Findings => findingsIn(server.findings(vscode.Uri.parse(uri)));
  const arrangement = (): Arrangement => ({
    groupOf: kept.grouping() === 'folder' ? folderGroupOf : levelGroupOf,
    isShown: kept.onlyWithFindings() ? ({ uri }) => findings(uri).count + findings(uri).hints > 0 : () => true,
  });
  const model = new SkillModel(arrangement());
  const imported = followImported(server, log);
  let loading: Promise<void> | undefined;
  /** The files whose findings have changed but have not been redrawn yet. */
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const view = vscode.window.createTreeView<TreeNode>(`${SECTION}.skills`, {
    showCollapseAll: true,
    dragAndDropController: dropToImport(importSkills),
    treeDataProvider: {
      onDidChangeTreeData: drawn.event,
      getChildren: async (node) => {
        if (node) return node.kind === 'group' ? [...model.membersOf(node)] : [];
        loading ??= load();
        await loading;
        return [...model.groups];
      },
      getTreeItem: (node) => {
        if (node.kind === 'group') return groupItem(node, kept.grouping(), model.membersOf(node).length);
        const skill = model.skill(node.uri);
        if (!skill) return new vscode.TreeItem('');
        const place = model.hasNamesake(node) ? placeOf(skill, kept.grouping()) : '';
        return skillItem(skill, findings(node.uri), imported.find(node.uri), place);
      },
      getParent: (node) => model.parentOf(node),
      resolveTreeItem: async (item, node) => {
        if (node.kind === 'skill') {
          item.tooltip = (await server.skillDetails(node.uri).catch(() => undefined))?.description;
        }
        return item;
      },
    },
  });
  const describe = (): void => {
    const filter = kept.onlyWithFindings() ? vscode.l10n.t('only with findings') : '';
    const counts = countListed(model.skills);
    const worst = counts.notListed > 0 ? ({ kind: 'not-listed', count: counts.notListed } as const) : undefined;
    const count = counts.skills === 0 ? '' : countText(counts.skills, worst ?? { kind: 'unchecked' });
    view.description = [count, filter].filter(Boolean).join(' · ');
    const isAllLeftOut = model.size > 0 && model.groups.length === 0;
    // VS Code hides the description of a view that is alone in its container.
    const lost = counts.notListed > 0 ? count : '';
    view.message = isAllLeftOut ? vscode.l10n.t('No skill has a finding.') : lost;
  };
  const draw = (stale: Stale): void => {
    if (stale === 'all') drawn.fire(undefined);
    else if (stale.length > 0) drawn.fire([...stale]);
    describe();
  };
  const load = async (): Promise<void> => {
    try {
      model.reset((await server.send(SkillsRequest, {}))?.skills ?? []);
      describe();
      imported.refresh();
    } catch (error) {
      log.debug(`skills: ${errorMessage(error)}`);
    }
  };
  /** Reads the changes on disk that the editor may have missed. The changed skills follow in `onSkillsChanged`. */
  const refresh = async (): Promise<void> => {
    try {
      await server.send(RefreshRequest, {});
      imported.refresh();
    } catch (error) {
      log.warn(`refresh: ${errorMessage(error)}`);
    }
  };
  const arrange = (): void => {
    model.rearrange(arrangement());
    draw('all');
  };
  const drawWaiting = (): void => {
    timer = undefined;
    const uris = [...waiting].filter((uri) => model.skill(uri));
    waiting.clear();
    draw(model.update(uris));
  };
  /** Selects the skill of the active editor if the view is visible. */
  const follow = (): void => {
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    const node = uri === undefined ? undefined : model.node(uri);
    if (!view.visible || !node || view.selection.includes(node)) return;
    void view.reveal(node, { select: true, focus: false }).then(undefined, () => undefined);
  };

  return vscode.Disposable.from(
    view,
    drawn,
    { dispose: () => clearTimeout(timer) },
    server.onStarted(() => {
      // If `loading` is undefined, the view was never shown. Otherwise a new server has started, so load again.
      if (loading) loading = load().then(() => draw('all'));
    }),
    server.onSkillsChanged(({ changed, gone }) => {
      draw(model.change(changed, gone));
      imported.refresh();
    }),
    imported,
    imported.onDidChange((uris) => draw(model.update(uris))),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) waiting.add(uri.toString());
      timer ??= setTimeout(drawWaiting, DRAW_AFTER);
    }),
    vscode.window.onDidChangeActiveTextEditor(follow),
    watchColumnForFiles(() => draw('all')),
    view.onDidChangeVisibility(() => void loading?.then(follow)),
    kept.onDidChange(arrange),
    kept,
    dimDisabled(),
    registerCommand(`${SECTION}.refreshSkills`, () =>
      vscode.window.withProgress({ location: { viewId: `${SECTION}.skills` } }, refresh),
    ),
    serveSkillCommands(model, server, log),
    serveImportedCommands(imported, importSkills),
  );
}

/** The choices of the view's buttons, stored with the workspace and published as context keys for menus. */
function keptSettings(state: vscode.Memento) {
  const changed = new vscode.EventEmitter<void>();
  const grouping = (): Grouping => (state.get(`${SECTION}.skills.grouping`) === 'level' ? 'level' : 'folder');
  const onlyWithFindings = (): boolean => state.get(`${SECTION}.skills.onlyWithFindings`) === true;
  const publish = (): void => {
    const setContext = (key: string, value: boolean) =>
      vscode.commands.executeCommand('setContext', `${SECTION}.skills.${key}`, value);
    void setContext('byLevel', grouping() === 'level');
    void setContext('onlyWithFindings', onlyWithFindings());
  };
  const setter = (command: string, key: string, value: unknown): vscode.Disposable =>
    registerCommand(`${SECTION}.${command}`, async () => {
      await state.update(`${SECTION}.skills.${key}`, value);
      publish();
      changed.fire();
    });
  const disposables = vscode.Disposable.from(
    changed,
    setter('groupSkillsByFolder', 'grouping', 'folder'),
    setter('groupSkillsByLevel', 'grouping', 'level'),
    setter('showSkillsWithFindings', 'onlyWithFindings', true),
    setter('showAllSkills', 'onlyWithFindings', false),
  );
  publish();
  return { grouping, onlyWithFindings, onDidChange: changed.event, dispose: () => disposables.dispose() };
}

/** The commands on an item of the view of skills. */
function serveSkillCommands(model: SkillModel, server: SkillServer, log: vscode.LogOutputChannel): vscode.Disposable {
  const onSkill = (command: string, run: (file: vscode.Uri) => Promise<unknown>): vscode.Disposable =>
    registerCommand(`${SECTION}.${command}`, async (target?: unknown) => {
      const file = skillOf(target);
      if (file) await run(file).catch((error: unknown) => log.warn(`${command}: ${errorMessage(error)}`));
    });
  return vscode.Disposable.from(
    onSkill('revealSkill', async (file) => vscode.commands.executeCommand('revealInExplorer', file)),
    onSkill('copySkillName', async (file) => {
      const name = model.skill(file.toString())?.name;
      if (name !== undefined) await vscode.env.clipboard.writeText(name);
    }),
    onSkill('renameSkill', (file) => rename(file, server)),
    registerCommand(`${SECTION}.packSkills`, (target?: unknown) => packSkills(server, toPack(target, model))),
  );
}

/** Returns the skills of a tree row, or a file or folder from the explorer; undefined if the command has no target. */
function toPack(target: unknown, model: SkillModel): ToPack | undefined {
  if ((target as Partial<GroupNode> | undefined)?.kind === 'group') {
    const group = target as GroupNode;
    const uris = model.membersOf(group).map(({ uri }) => vscode.Uri.parse(uri));
    return { uris, name: group.key.replace(/^.*\//, '') || 'skills' };
  }
  const uri = skillOf(target);
  return uri && { uris: [uri], name: model.skill(uri.toString())?.name ?? skillNameOf(uri) };
}

/** Opens the skill at its name and starts the editor's rename, which changes every reference. */
async function rename(file: vscode.Uri, server: SkillServer): Promise<void> {
  const at = (await server.skillDetails(file.toString()))?.nameRange?.start;
  if (!at) {
    const message = vscode.l10n.t('This skill has no `name`. Add one to its frontmatter.');
    void showInformation(message);
    return;
  }
  await vscode.window.showTextDocument(file, {
    preview: false,
    viewColumn: columnForFiles(file),
    selection: new vscode.Range(at, at),
  });
  await vscode.commands.executeCommand('editor.action.rename', [file, at]);
}
