/**
 * “Skill: Show Planner Catalog”: a read-only document with the catalog that a planner receives, updated as the user
 * types. A button changes the caller and the format.
 */
import * as vscode from 'vscode';
import { type PlannerCatalogFormat, PlannerCatalogRequest, SECTION } from '../../../server/src/protocol.ts';
import type { SkillServer } from '../language-server/skill-server.ts';
import { columnBeside } from '../panels/command-target.ts';
import { coalesce } from '../panels/kit/schedule.ts';
import { errorMessage } from '../plain-message.ts';
import { registerCommand } from './first-steps.ts';

const SCHEME = 'skill-catalog';

/** The content of a document, encoded in its URI. */
interface CatalogView {
  readonly format: PlannerCatalogFormat;
  readonly profile?: string;
}

export function servePlannerCatalog(server: SkillServer, log: vscode.LogOutputChannel): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /** The text of open documents by URI. */
  const texts = new Map<string, string>();
  const load = async (uri: vscode.Uri): Promise<string> => {
    const key = uri.toString();
    const folders = vscode.workspace.workspaceFolders?.map((folder) => folder.uri.toString()) ?? [];
    const ask = server.send(PlannerCatalogRequest, { ...parseUri(uri), folders });
    const text = await ask.then((reply) => reply?.text ?? texts.get(key) ?? '', plainErrorMessage);
    texts.set(key, text);
    return text;
  };
  const openOnes = (): readonly vscode.Uri[] =>
    vscode.workspace.textDocuments.flatMap(({ uri }) => (uri.scheme === SCHEME ? [uri] : []));
  const fail = (error: unknown): void => log.debug(`planner catalog: ${errorMessage(error)}`);
  const follow = coalesce(async () => {
    for (const uri of openOnes()) {
      const before = texts.get(uri.toString());
      if ((await load(uri)) !== before) changed.fire(uri);
    }
  }, fail);
  const show = async (shown: CatalogView, viewColumn: vscode.ViewColumn): Promise<void> => {
    const uri = uriOf(shown);
    await load(uri);
    changed.fire(uri);
    // The table is shown as rendered Markdown if the editor supports that, otherwise as source text.
    if (shown.format === 'markdown' && (await showRendered(uri, viewColumn))) return;
    await vscode.window.showTextDocument(uri, { preview: true, viewColumn });
  };
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      // After a reload, the editor requests the text of a restored document before this text is loaded.
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? load(uri),
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString())),
    server.onTextSent(follow),
    server.onComposableChanged(follow),
    registerCommand(`${SECTION}.showPlannerCatalog`, () => show({ format: 'prompt' }, columnBeside())),
    registerCommand(`${SECTION}.choosePlannerCatalog`, async () => {
      const editor = vscode.window.activeTextEditor;
      const isShown = editor?.document.uri.scheme === SCHEME;
      const now: CatalogView = isShown ? parseUri(editor.document.uri) : { format: 'prompt' };
      const chosen = await choose(server, now);
      if (chosen) await show(chosen, isShown ? vscode.ViewColumn.Active : columnBeside());
    }),
  );
}

async function showRendered(uri: vscode.Uri, viewColumn: vscode.ViewColumn): Promise<boolean> {
  const command = viewColumn === vscode.ViewColumn.Beside ? 'markdown.showPreviewToSide' : 'markdown.showPreview';
  return vscode.commands.executeCommand(command, uri).then(
    () => true,
    () => false,
  );
}

const plainErrorMessage = (error: unknown): string => errorMessage(error).replace(/`([^`]*)`/g, '‘$1’');

const FILE_EXTENSIONS: Readonly<Record<PlannerCatalogFormat, string>> = { prompt: 'md', json: 'json', markdown: 'md' };

/** Returns the URI of a document. The path of the URI is the title of the tab. */
function uriOf({ format, profile }: CatalogView): vscode.Uri {
  const name = format === 'markdown' ? vscode.l10n.t('Skill registry') : vscode.l10n.t('Planner catalog');
  // The name of a profile can contain a slash.
  const title = profile === undefined ? name : `${name} (${profile.replaceAll('/', '∕')})`;
  const query = new URLSearchParams({ format, ...(profile !== undefined && { profile }) }).toString();
  return vscode.Uri.from({ scheme: SCHEME, path: `/${title}.${FILE_EXTENSIONS[format]}`, query });
}

function parseUri({ query }: vscode.Uri): CatalogView {
  const words = new URLSearchParams(query);
  const format = words.get('format');
  const profile = words.get('profile');
  return {
    format: format === 'json' || format === 'markdown' ? format : 'prompt',
    ...(profile !== null && { profile }),
  };
}

interface CatalogItem extends vscode.QuickPickItem {
  readonly shown?: CatalogView;
}

/** Asks for another format or another caller. Each entry of the list changes either the format or the caller. */
async function choose(server: SkillServer, now: CatalogView): Promise<CatalogView | undefined> {
  const reply = await server.send(PlannerCatalogRequest, { format: 'markdown' }).catch(() => null);
  const { format, profile } = now;
  const entry = (label: string, shown: CatalogView, detail?: string): CatalogItem => ({
    label,
    shown,
    iconPath: new vscode.ThemeIcon(isSame(shown, now) ? 'check' : 'blank'),
    ...(detail !== undefined && { detail }),
  });
  const caller = profile === undefined ? {} : { profile };
  const planned = format === 'markdown' ? 'prompt' : format;
  const profiles = reply?.profiles ?? [];
  const items: CatalogItem[] = [
    separator(vscode.l10n.t('Format')),
    entry(
      vscode.l10n.t('Prompt'),
      { format: 'prompt', ...caller },
      vscode.l10n.t('The text from which a model chooses a skill'),
    ),
    entry(
      vscode.l10n.t('JSON'),
      { format: 'json', ...caller },
      vscode.l10n.t('The same content as data, not shortened'),
    ),
    entry(
      vscode.l10n.t('Table'),
      { format: 'markdown' },
      vscode.l10n.t('All skills with their owners and permissions, for people'),
    ),
    separator(vscode.l10n.t('Caller')),
    entry(vscode.l10n.t('Any caller'), { format: planned }, vscode.l10n.t('A caller with all roles and scopes')),
    ...profiles.map((name) => entry(name, { format: planned, profile: name })),
  ];
  const title = vscode.l10n.t('Planner Catalog');
  const placeHolder = vscode.l10n.t('Select the format or the caller');
  return (await vscode.window.showQuickPick(items, { title, placeHolder }))?.shown;
}

const isSame = (a: CatalogView, b: CatalogView): boolean => a.format === b.format && a.profile === b.profile;

const separator = (label: string): CatalogItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
