/** One composition graph: which part of the workspace it shows, and the page that shows it. */
import * as vscode from 'vscode';
import type { GraphReply } from '../../../../server/src/protocol.ts';
import { newestOnly } from '../../coalesce.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { reveal } from '../reveal.ts';
import { isToGraphPanel, type ToGraphPage, type ToGraphPanel, type WirePlace } from './messages.ts';

export interface GraphPanel {
  readonly panel: vscode.WebviewPanel;
  /** Shows a skill with all that it reaches, or the workspace. */
  readonly show: (scope: string | null) => void;
  /** The skill in the active editor; null where that is none. */
  readonly setActive: (uri: string | null) => void;
}

export function createGraphPanel(
  panel: vscode.WebviewPanel,
  scope: string | null,
  server: SkillServer,
  log: vscode.LogOutputChannel,
): GraphPanel {
  let wanted = scope;
  let shown: { readonly graph: GraphReply; readonly scope: string | null } | undefined;
  let active: string | null = null;
  /** The page's script runs. A hidden page has none. */
  let isListening = false;
  let isOutdated = true;
  /** A skill was typed in since: what is shown stands elsewhere by now, perhaps. */
  let isMoved = false;

  const post = (message: ToGraphPage): void => {
    if (isListening) void panel.webview.postMessage(message);
  };
  const fail = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    log.debug(`graph: ${text}`);
    post({ type: 'problem', text });
  };
  const take = (graph: GraphReply, of: string | null): void => {
    shown = { graph, scope: of };
    const root = graph.nodes.find(({ id }) => id === of);
    panel.title = root ? vscode.l10n.t('Composition of {0}', root.name) : vscode.l10n.t('Composition Graph');
    post({ type: 'show', ...shown });
  };
  const ask = newestOnly(async () => {
    isOutdated = false;
    isMoved = false;
    const asked = wanted;
    try {
      const graph = await server.graph(asked === null ? {} : { uri: asked });
      if (asked !== wanted) return;
      if (graph) take(graph, asked);
      else if (shown?.scope === asked)
        fail(new Error(vscode.l10n.t('This skill is gone. Show the workspace instead.')));
      else {
        // After a reload of the window the skill may be gone.
        wanted = shown?.scope ?? null;
        ask();
      }
    } catch (error) {
      fail(error);
    }
  });
  const refresh = (): void => {
    isOutdated = true;
    // A hidden page has forgotten what it showed; it says when it is back.
    if (panel.visible) ask();
  };
  const show = (next: string | null): void => {
    if (next === wanted && shown && !isOutdated) return;
    wanted = next;
    refresh();
  };
  /** Where a skill's name, or an entry, stands now: what changes no other file's view of a skill may still move it. */
  const currentPlace = async (place: WirePlace): Promise<WirePlace> => {
    if (!isMoved || shown === undefined) return place;
    const before = shown;
    const graph = await server.graph(before.scope === null ? {} : { uri: before.scope });
    if (!graph) return place;
    take(graph, before.scope);
    isMoved = false;
    const same = (one: WirePlace) => one.uri === place.uri && samePlace(one, place);
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
        if (shown) post({ type: 'show', ...shown });
        post({ type: 'active', uri: active });
        if (isOutdated) ask();
        return;
      case 'scope':
        return show(message.scope);
      case 'reveal':
        return reveal(await currentPlace(message.place), panel.viewColumn, message.focus);
    }
  };

  const listeners = [
    panel.webview.onDidReceiveMessage((message: unknown) => {
      if (isToGraphPanel(message)) void onMessage(message).catch(fail);
      else log.warn('graph: the page sent something else than it may.');
    }),
    panel.onDidChangeViewState(() => {
      if (!panel.visible) isListening = false;
    }),
    server.onGraphChanged(refresh),
    server.onTextSent(() => {
      isMoved = true;
    }),
  ];
  panel.onDidDispose(() => {
    for (const listener of listeners) listener.dispose();
  });
  // The page takes its time to load; the answer is there when it asks.
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

const samePlace = ({ range: a }: WirePlace, { range: b }: WirePlace): boolean =>
  a.start.line === b.start.line && a.start.character === b.start.character;
