/**
 * Read-only documents with prompts and compositions: both sides of a comparison, and the JSON. Prompts are composed
 * when the editor requests a document, and again when the skill changes, so an open comparison changes while the user
 * types.
 */
import * as vscode from 'vscode';
import { ComposeRequest } from '../../../../server/src/protocol.ts';
import { gitExtension, textAtHead } from '../../language-server/released-texts.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { errorMessage } from '../../plain-message.ts';
import { columnForFiles } from '../command-target.ts';
import type { CompareTarget, PreviewRequest } from './messages.ts';
import { paramsOf } from './requests.ts';

const scheme = 'skill-prompt';

/** The origin and the format of a document's text. */
interface Source {
  readonly skill: string;
  readonly asked: PreviewRequest;
  readonly text: 'buffer' | 'saved' | 'head';
  readonly as: 'prompt' | 'json';
}

export interface PromptDocuments extends vscode.Disposable {
  /** Opens a diff with the other prompt on the left. Rejects if the other text cannot be read. */
  readonly compare: (skill: string, name: string, asked: PreviewRequest, target: CompareTarget) => Promise<void>;
  readonly openJson: (skill: string, name: string, asked: PreviewRequest) => Promise<void>;
}

export function servePromptDocuments(server: SkillServer): PromptDocuments {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /** The sources by document URI. The URI does not contain the source, because an invocation can be large. */
  const sources = new Map<string, Source>();
  const contents = new WeakMap<Source, string>();
  let opened = 0;

  const newUri = (fileName: string, source: Source): vscode.Uri => {
    opened++;
    const uri = vscode.Uri.from({ scheme, path: `/${fileName}`, query: String(opened) });
    sources.set(uri.toString(), source);
    return uri;
  };
  const notifyChanged = (which: (source: Source) => boolean): void => {
    for (const [uri, source] of sources) if (which(source)) changed.fire(vscode.Uri.parse(uri));
  };
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const source = sources.get(uri.toString());
      if (!source) return vscode.l10n.t('This comparison ended when its window was closed. Compare again.');
      const content = await contentOf(server, uri.toString(), source);
      // `content` is undefined if a newer request for this document is running, or if the file is not a skill now.
      if (content !== undefined) contents.set(source, content);
      return contents.get(source) ?? '';
    },
  };
  const listening = vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(scheme, provider),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => sources.delete(uri.toString())),
    vscode.workspace.onDidSaveTextDocument(({ uri }) =>
      notifyChanged(({ skill, text }) => text === 'saved' && skill === uri.toString()),
    ),
    server.onTextSent((uri) => notifyChanged(({ skill, text }) => text === 'buffer' && skill === uri.toString())),
    server.onComposableChanged(() => notifyChanged(() => true)),
  );

  return {
    compare: async (skill, name, asked, target) => {
      const left: Source =
        target.kind === 'sample'
          ? { skill, asked: { sample: target.name, without: [] }, text: 'buffer', as: 'prompt' }
          : { skill, asked, text: target.kind, as: 'prompt' };
      // Read the text now, so that an error occurs before an editor opens.
      await textOf(left);
      const file = `${fileNameOf(name)}.md`;
      const right: Source = { skill, asked, text: 'buffer', as: 'prompt' };
      const title = vscode.l10n.t('{0}: {1} ↔ preview', name, targetLabel(target));
      await vscode.commands.executeCommand('vscode.diff', newUri(file, left), newUri(file, right), title, {
        viewColumn: columnForFiles(),
      });
    },
    openJson: async (skill, name, asked) => {
      const uri = newUri(`${fileNameOf(name)}.json`, { skill, asked, text: 'buffer', as: 'json' });
      await vscode.window.showTextDocument(uri, { preview: true, viewColumn: columnForFiles() });
    },
    dispose: () => listening.dispose(),
  };
}

async function contentOf(server: SkillServer, key: string, source: Source): Promise<string | undefined> {
  const { skill: uri, asked, as } = source;
  let text: string | undefined;
  try {
    text = await textOf(source);
  } catch (error) {
    return errorMessage(error);
  }
  const reply = await server.send(ComposeRequest, {
    ...paramsOf(uri, key, asked),
    ...(text === undefined ? {} : { text }),
  });
  if (reply === null || reply === 'superseded') return undefined;
  const { result } = reply;
  if (as === 'json') return `${JSON.stringify(result.ok ? result.composition : result, undefined, 2)}\n`;
  if (result.ok) return result.composition.prompt;
  return [vscode.l10n.t('Cannot be composed:'), ...result.errors.map(({ message }) => `- ${message}`), ''].join('\n');
}

/** Returns the text to compose instead of the buffer; undefined for the buffer. */
async function textOf({ skill, text }: Source): Promise<string | undefined> {
  const uri = vscode.Uri.parse(skill);
  if (text === 'buffer') return undefined;
  return text === 'saved' ? savedText(uri) : headText(uri);
}

const targetLabel = (target: CompareTarget): string =>
  ({ saved: vscode.l10n.t('last save'), head: 'git HEAD', sample: target.kind === 'sample' ? target.name : '' })[
    target.kind
  ];

/** Returns a file name for a skill name, which may contain characters that are not allowed in paths. */
const fileNameOf = (name: string): string => name.replace(/[^\p{L}\p{N}._-]+/gu, '-') || 'skill';

// Reads older versions of a skill: the saved text, and the text at git's HEAD.

/** Returns the saved text. Rejects for a file that was never saved. */
async function savedText(uri: vscode.Uri): Promise<string> {
  if (uri.scheme === 'untitled') throw new Error(vscode.l10n.t('The file has never been saved.'));
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

/** Returns the text at git's HEAD, from the editor's git extension. Rejects with a reason for the user. */
async function headText(uri: vscode.Uri): Promise<string> {
  // git may run programs that the repository's configuration names.
  if (!vscode.workspace.isTrusted) throw new Error(vscode.l10n.t('git’s HEAD is read only in a trusted workspace.'));
  const extension = gitExtension();
  if (extension === undefined)
    throw new Error(vscode.l10n.t('git’s HEAD cannot be read, because the editor’s git extension is not installed.'));
  const repository = (await extension.activate()).getAPI(1).getRepository(uri);
  if (repository === null)
    throw new Error(vscode.l10n.t('The file is not in a git repository that is open in the editor.'));
  const text = await textAtHead(repository, uri);
  if (text === undefined) throw new Error(vscode.l10n.t('git’s HEAD does not contain the file.'));
  return text;
}

/**
 * Returns the reasons why the file cannot be compared with its last save or with git's HEAD. A key is missing if the
 * comparison is possible.
 */
export async function comparisonProblems(
  uri: vscode.Uri,
): Promise<{ readonly saved?: string; readonly head?: string }> {
  const reasonOf = (reading: Promise<string>): Promise<string | undefined> =>
    reading.then(
      () => undefined,
      (error: Error) => error.message,
    );
  const [saved, head] = await Promise.all([reasonOf(savedText(uri)), reasonOf(headText(uri))]);
  return { ...(saved === undefined ? {} : { saved }), ...(head === undefined ? {} : { head }) };
}
