/**
 * The composition graph of a window: the commands that open its panel, its restoration after a reload, and the panel,
 * which requests the graph of a skill or of the workspace and sends it to the page.
 */
import * as vscode from 'vscode';
import { type GraphReply, GraphRequest, requestGraph, SECTION } from '../../../../server/src/protocol.ts';
import { createStep, registerCommand } from '../../commands/first-steps.ts';
import { activeSkill } from '../../language-server/served-files.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { errorMessage } from '../../plain-message.ts';
import { columnForFiles, reveal, skillOf } from '../command-target.ts';
import type { FileRange } from '../kit/file-range.ts';
import { STATE_VERSIONS, savedState } from '../kit/saved-state.ts';
import { coalesce } from '../kit/schedule.ts';
import { pageOptions, pageShell } from '../page-shell.ts';
import { namesFile, readMessage } from '../read-message.ts';
import { type GraphState, type ToGraphPage, type ToGraphPanel, toGraphPanel } from './messages.ts';

export interface GraphPanel {
  readonly panel: vscode.WebviewPanel;
  /** Shows a skill with its closure, or the workspace. */
  readonly show: (scope: string | null) => void;
  /** Sends the skill in the active editor to the page, or null if there is no such skill. */
  readonly setActive: (uri: string | null) => void;
}

function createGraphPanel(
  panel: vscode.WebviewPanel,
  scope: string | null,
  server: SkillServer,
  log: vscode.LogOutputChannel,
): GraphPanel {
  let wanted = scope;
  let shown: { readonly graph: GraphReply; readonly scope: string | null } | undefined;
  let active: string | null = null;
  /** True while the page's script runs. VS Code stops the script of a hidden page. */
  let isListening = false;
  let isOutdated = true;
  /** True if a skill was edited after the graph was shown, so ranges may have moved. */
  let mayHaveMoved = false;

  const completeStep = createStep('graph');

  const post = (message: ToGraphPage): void => {
    if (!isListening) return;
    void panel.webview.postMessage(message);
    if (message.type === 'show') completeStep();
  };
  const fail = (error: unknown): void => {
    const text = errorMessage(error);
    log.debug(`graph: ${text}`);
    post({ type: 'problem', text });
  };
  const present = (graph: GraphReply, scope: string | null): void => {
    shown = { graph, scope };
    const root = graph.nodes.find(({ id }) => id === scope);
    panel.title = root ? vscode.l10n.t('Composition of {0}', root.name) : vscode.l10n.t('Composition Graph');
    post({ type: 'show', ...shown });
  };
  const request = (scope: string | null): Promise<GraphReply | null> =>
    requestGraph((params) => server.send(GraphRequest, params), scope === null ? {} : { uri: scope });
  const failToAsk = (error: unknown): void => {
    isOutdated = true;
    fail(error);
  };
  const ask = coalesce(async () => {
    isOutdated = false;
    mayHaveMoved = false;
    const asked = wanted;
    const graph = await request(asked);
    if (asked !== wanted) return;
    if (graph) present(graph, asked);
    else if (shown?.scope === asked)
      fail(new Error(vscode.l10n.t('This skill was deleted. Show the workspace instead.')));
    else {
      // The skill was deleted: return to the previous graph, or to the workspace.
      wanted = shown?.scope ?? null;
      ask();
    }
  }, failToAsk);
  const refresh = (): void => {
    isOutdated = true;
    // If the page is hidden, the request is sent when it becomes visible.
    if (panel.visible) ask();
  };
  const show = (next: string | null): void => {
    if (next === wanted && shown && !isOutdated) return;
    wanted = next;
    refresh();
  };
  /**
   * Returns the current location of a skill or of an entry in `composes`, because edits can move ranges without
   * changing the graph.
   */
  const currentPlace = async (place: FileRange): Promise<FileRange> => {
    if (!mayHaveMoved || shown === undefined) return place;
    const before = shown;
    const graph = await request(before.scope);
    if (!graph) return place;
    present(graph, before.scope);
    mayHaveMoved = false;
    const same = (one: FileRange) => one.uri === place.uri && samePlace(one, place);
    const node = before.graph.nodes.find((one) => one.kind === 'skill' && same(one));
    const renewed = graph.nodes.find((one) => one.kind === 'skill' && one.id === node?.id);
    if (renewed?.kind === 'skill') return renewed;
    const at = before.graph.edges.filter(({ from }) => from === place.uri).findIndex(same);
    return graph.edges.filter(({ from }) => from === place.uri)[at] ?? place;
  };

  const onMessage = async (message: ToGraphPanel): Promise<void> => {
    switch (message.type) {
      case 'ready':
        isListening = true;
        post({ type: 'active', uri: active });
        if (shown) post({ type: 'show', ...shown });
        if (isOutdated) ask();
        return;
      case 'scope':
        return show(message.scope);
      case 'newSkill':
        return void vscode.commands.executeCommand('skillComposer.newSkill');
      case 'reveal':
        // The page can open only files that it shows.
        if (!namesFile(shown?.graph, message.place.uri)) return;
        return reveal(await currentPlace(message.place), message.focus);
    }
  };

  const listeners = [
    panel.webview.onDidReceiveMessage((sent: unknown) => {
      const message = readMessage(toGraphPanel, sent);
      if (message) void onMessage(message).catch(fail);
      else log.warn('graph: the page sent an invalid message.');
    }),
    panel.onDidChangeViewState(() => {
      if (!panel.visible) isListening = false;
    }),
    server.onGraphChanged(refresh),
    server.onTextSent(() => {
      mayHaveMoved = true;
    }),
  ];
  panel.onDidDispose(() => {
    isListening = false;
    for (const listener of listeners) listener.dispose();
  });
  // Request the graph now, while the page loads.
  ask();
  return {
    panel,
    show,
    setActive: (uri) => {
      active = uri;
      post({ type: 'active', uri });
    },
  };
}

const samePlace = ({ range: a }: FileRange, { range: b }: FileRange): boolean =>
  a.start.line === b.start.line && a.start.character === b.start.character;

const viewType = `${SECTION}.graph`;

export function serveGraphs(
  context: vscode.ExtensionContext,
  server: SkillServer,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  let current: GraphPanel | undefined;

  const register = (panel: vscode.WebviewPanel, scope: string | null): void => {
    const created = createGraphPanel(panel, scope, server, log);
    current = created;
    panel.onDidDispose(() => {
      if (current === created) current = undefined;
    });
    created.setActive(activeSkill()?.uri.toString() ?? null);
    panel.webview.html = pageShell(panel.webview, context, 'graph');
  };
  const open = (scope: string | null): void => {
    if (current) {
      current.show(scope);
      current.panel.reveal();
      return;
    }
    const title = vscode.l10n.t('Composition Graph');
    register(vscode.window.createWebviewPanel(viewType, title, columnForFiles(), pageOptions(context)), scope);
  };

  return vscode.Disposable.from(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state: unknown) => {
        panel.webview.options = pageOptions(context);
        const scope: unknown = savedState<GraphState>(state, STATE_VERSIONS.graph)?.scope;
        register(panel, typeof scope === 'string' ? scope : null);
      },
    }),
    registerCommand(`${SECTION}.showGraph`, () => open(null)),
    registerCommand(`${SECTION}.showSkillGraph`, (target?: unknown) =>
      open((skillOf(target) ?? activeSkill()?.uri)?.toString() ?? null),
    ),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      // While the panel has the focus, no editor is active; the last skill stays active.
      if (editor) current?.setActive(activeSkill()?.uri.toString() ?? null);
    }),
  );
}
