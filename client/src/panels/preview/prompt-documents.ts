/**
 * Prompts and compositions as documents that nobody can edit: both sides of a comparison, and the JSON. They are composed
 * when the editor asks for them and again when the skill changes, so an open comparison follows the typing.
 */
import * as vscode from 'vscode';
import type { SkillServer } from '../../language-server/skill-server.ts';
import type { Asked, Opponent } from './messages.ts';
import { headText, savedText } from './older-texts.ts';
import { paramsOf } from './questions.ts';

const scheme = 'skill-prompt';

interface Subject {
  readonly skill: string;
  readonly asked: Asked;
  readonly text: 'buffer' | 'saved' | 'head';
  readonly as: 'prompt' | 'json';
}

export interface PromptDocuments extends vscode.Disposable {
  /** Opens the diff: the other prompt at the left, what `asked` gives at the right. Rejects where the other is out of reach. */
  readonly compare: (skill: string, name: string, asked: Asked, opponent: Opponent) => Promise<void>;
  readonly openJson: (skill: string, name: string, asked: Asked) => Promise<void>;
}

export function servePromptDocuments(server: SkillServer): PromptDocuments {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  /** By the document's address. What was asked may be large, so it is kept here and not in the address. */
  const subjects = new Map<string, Subject>();
  const contents = new WeakMap<Subject, string>();
  let opened = 0;

  const addressOf = (fileName: string, subject: Subject): vscode.Uri => {
    opened++;
    const uri = vscode.Uri.from({ scheme, path: `/${fileName}`, query: String(opened) });
    subjects.set(uri.toString(), subject);
    return uri;
  };
  const announce = (which: (subject: Subject) => boolean): void => {
    for (const [address, subject] of subjects) if (which(subject)) changed.fire(vscode.Uri.parse(address));
  };
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: async (uri) => {
      const subject = subjects.get(uri.toString());
      if (!subject) return vscode.l10n.t('What was shown here went with its window. Compare again.');
      const content = await contentOf(server, uri.toString(), subject);
      // Where a newer question is on its way, its answer comes in a moment.
      if (content !== undefined) contents.set(subject, content);
      return contents.get(subject) ?? '';
    },
  };
  const listening = vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(scheme, provider),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => subjects.delete(uri.toString())),
    vscode.workspace.onDidSaveTextDocument(({ uri }) =>
      announce(({ skill, text }) => text === 'saved' && skill === uri.toString()),
    ),
    server.onTextSent((uri) => announce(({ skill, text }) => text === 'buffer' && skill === uri.toString())),
    server.onComposableChanged(() => announce(() => true)),
  );

  return {
    compare: async (skill, name, asked, opponent) => {
      const left: Subject =
        opponent.kind === 'sample'
          ? { skill, asked: { sample: opponent.name, without: [] }, text: 'buffer', as: 'prompt' }
          : { skill, asked, text: opponent.kind, as: 'prompt' };
      // An older text that is out of reach is told before an editor opens.
      await textOf(left);
      const file = `${fileNameOf(name)}.md`;
      const right: Subject = { skill, asked, text: 'buffer', as: 'prompt' };
      const title = vscode.l10n.t('{0}: {1} ↔ preview', name, wordsFor(opponent));
      await vscode.commands.executeCommand('vscode.diff', addressOf(file, left), addressOf(file, right), title, {
        viewColumn: vscode.ViewColumn.Active,
      });
    },
    openJson: async (skill, name, asked) => {
      const uri = addressOf(`${fileNameOf(name)}.json`, { skill, asked, text: 'buffer', as: 'json' });
      await vscode.window.showTextDocument(uri, { preview: true });
    },
    dispose: () => listening.dispose(),
  };
}

async function contentOf(server: SkillServer, key: string, subject: Subject): Promise<string | undefined> {
  const { skill: uri, asked, as } = subject;
  let text: string | undefined;
  try {
    text = await textOf(subject);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const reply = await server.compose({ ...paramsOf(uri, key, asked), ...(text === undefined ? {} : { text }) });
  if (reply === null) return undefined;
  const { result } = reply;
  if (as === 'json') return `${JSON.stringify(result.ok ? result.composition : result, undefined, 2)}\n`;
  if (result.ok) return result.composition.prompt;
  return [vscode.l10n.t('Does not compose:'), ...result.errors.map(({ message }) => `- ${message}`), ''].join('\n');
}

/** The text that goes in the buffer's place; undefined for the buffer itself. */
async function textOf({ skill, text }: Subject): Promise<string | undefined> {
  const uri = vscode.Uri.parse(skill);
  if (text === 'buffer') return undefined;
  return text === 'saved' ? savedText(uri) : headText(uri);
}

const wordsFor = (opponent: Opponent): string =>
  ({ saved: vscode.l10n.t('last save'), head: 'git HEAD', sample: opponent.kind === 'sample' ? opponent.name : '' })[
    opponent.kind
  ];

/** A name may be anything that an author types. */
const fileNameOf = (name: string): string => name.replace(/[^\p{L}\p{N}._-]+/gu, '-') || 'skill';
