/** One preview: a skill, what is asked of it, and the page that shows what comes. */
import * as vscode from 'vscode';
import type { Invocation } from '../../../../server/src/protocol.ts';
import { newestOnly } from '../../coalesce.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { reveal } from '../reveal.ts';
import { applyFix, offeredFixes } from './fixes.ts';
import type { Asked, OfferedFix, ShownComposition, ShownError, ToPage, ToPanel, WirePlace } from './messages.ts';
import { isToPanel } from './messages-checks.ts';
import type { PromptDocuments } from './prompt-documents.ts';
import { type Answer, answer, createQuestions } from './questions.ts';
import { saveImage } from './save-image.ts';
import { saveSample } from './save-sample.ts';
import type { Scrolling } from './scrolling.ts';

/** What the previews of a window share. */
export interface Shared {
  readonly server: SkillServer;
  readonly documents: PromptDocuments;
  readonly log: vscode.LogOutputChannel;
  /** The skill in the active editor, for a preview that follows. */
  readonly activeSkill: () => vscode.Uri | undefined;
  /** Where the cursor stands in the active editor, if that is a file of the workspace. */
  readonly cursor: () => WirePlace | null;
  readonly scrolling: Pick<Scrolling, 'lead' | 'hush'>;
}

export interface Preview {
  readonly panel: vscode.WebviewPanel;
  readonly isLocked: () => boolean;
  /** The skill on the page, or on its way there. */
  readonly skill: () => string | undefined;
  /** Shows a skill, by one of its samples if that is named. A file that turns out to be none leaves the page as it is. */
  readonly show: (skill: vscode.Uri, sample?: string) => void;
  /** The active editor shows this file, which is no skill. */
  readonly showNoSkill: (file: vscode.Uri) => void;
  /** What is shown may be out of date. */
  readonly refresh: () => void;
  readonly post: (message: ToPage) => void;
}

/** What a preview begins with: a new one, or one that a reload of the window brings back. */
export interface Beginning {
  readonly skill: string | undefined;
  readonly locked: boolean;
  readonly asked: Asked | undefined;
}

/** Above this, the page says that what it shows is old. Below, saying so would only flicker. */
const staleAfter = 250;

type Show = Extract<ToPage, { type: 'show' }>;

let previewsMade = 0;

export function createPreview(panel: vscode.WebviewPanel, beginning: Beginning, shared: Shared): Preview {
  const { server, documents, log } = shared;
  previewsMade++;
  const key = `preview-${previewsMade}`;
  const questions = createQuestions();
  let { locked } = beginning;
  /** The skill that is wanted; `shown` may still be another. */
  let wanted = beginning.skill;
  if (wanted !== undefined && beginning.asked) questions.ask(wanted, beginning.asked);
  let shown: Show | undefined;
  let lastGood: ShownComposition | undefined;
  let serial = 0;
  let offered: readonly OfferedFix[] = [];
  /** The page's script runs. A hidden page has none. */
  let listening = false;
  let outdated = true;
  let askedAt = 0;

  const post = (message: ToPage): void => {
    if (listening) void panel.webview.postMessage(message);
  };
  const fail = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    log.debug(`${key}: ${text}`);
    post({ type: 'problem', text });
  };
  const setTitle = (): void => {
    const name = shown?.reply.name ?? (wanted === undefined ? undefined : baseName(vscode.Uri.parse(wanted)));
    panel.title = titleOf(name, locked);
  };

  const present = ({ reply, samples, asked }: Answer): void => {
    if (shown?.reply.uri !== reply.uri) lastGood = undefined;
    serial++;
    offered = [];
    shown = { type: 'show', serial, reply, samples, asked, locked };
    if (reply.result.ok) lastGood = reply.result.composition;
    setTitle();
    post(shown);
    // Without its fixes an error still says what to do.
    if (!reply.result.ok) offer(serial, reply.result.errors).catch((error: unknown) => log.debug(`${key}: ${error}`));
  };
  const offer = async (to: number, errors: readonly ShownError[]): Promise<void> => {
    const fixes = await offeredFixes(errors);
    if (to !== serial) return;
    offered = fixes;
    post({ type: 'fixes', serial, fixes });
  };
  const update = async (): Promise<void> => {
    if (wanted === undefined) return;
    const skill = wanted;
    outdated = false;
    askedAt = performance.now();
    const late = setTimeout(() => post({ type: 'stale' }), staleAfter);
    try {
      const answered = await answer(server, questions, skill, key);
      // Another skill, or another question, was asked for meanwhile, and comes next.
      if (answered === 'superseded' || skill !== wanted) return;
      if (answered === 'no skill') notThere(skill);
      else present(answered);
    } catch (error) {
      if (skill === wanted) fail(error);
    } finally {
      clearTimeout(late);
    }
  };
  const ask = newestOnly(update);
  const refresh = (): void => {
    outdated = true;
    // A hidden page has forgotten what it showed; it says when it is back.
    if (panel.visible) ask();
  };
  const notThere = (skill: string): void => {
    const file = vscode.Uri.parse(skill);
    // After a reload the server may not have read the file yet: it stays wanted, and is asked for when all is read.
    if (shown === undefined) post({ type: 'empty' });
    else if (shown.reply.uri === skill)
      fail(new Error(vscode.l10n.t('{0} is gone, or is no skill any more.', baseName(file))));
    else showNoSkill(file);
  };
  const showNoSkill = (file: vscode.Uri): void => {
    wanted = shown?.reply.uri;
    post(shown ? { type: 'notSkill', name: baseName(file) } : { type: 'empty' });
  };
  const show = (skill: vscode.Uri, sample?: string): void => {
    const uri = skill.toString();
    if (sample !== undefined) questions.ask(uri, { sample, without: [] });
    if (uri === shown?.reply.uri) post({ type: 'notSkill', name: null });
    if (uri === wanted && sample === undefined && shown && !outdated) return;
    wanted = uri;
    setTitle();
    refresh();
  };
  const setLocked = (value: boolean): void => {
    locked = value;
    if (shown) shown = { ...shown, locked };
    setTitle();
    post({ type: 'locked', locked });
    const active = shared.activeSkill();
    if (!locked && active) show(active);
  };
  const listen = (): void => {
    listening = true;
    if (shown) {
      post(lastGood && !shown.reply.result.ok ? { ...shown, lastGood } : shown);
      if (offered.length > 0) post({ type: 'fixes', serial, fixes: offered });
    }
    if (!shown && wanted === undefined) post({ type: 'empty' });
    post({ type: 'cursor', place: shared.cursor(), scroll: false });
    if (outdated) ask();
  };
  const save = async (skill: string, name: string, invocation: Invocation): Promise<void> => {
    const saved = await saveSample(server, skill, name, invocation);
    if (saved === undefined) return;
    if ('problem' in saved) return post({ type: 'saveRefused', problem: saved.problem });
    questions.ask(skill, { sample: saved.name, without: questions.of(skill)?.without ?? [] }, invocation);
    refresh();
  };

  const onMessage = async (message: ToPanel): Promise<void> => {
    if (message.type === 'ready') return listen();
    if (message.type === 'newSkill') return void vscode.commands.executeCommand('skillComposer.newSkill');
    if (message.type === 'lock') return setLocked(message.locked);
    if (message.type === 'scrolled') return shared.scrolling.lead(message.place);
    if (message.type === 'reveal') {
      shared.scrolling.hush();
      return reveal(message.place, panel.viewColumn, message.focus);
    }
    if (message.type === 'painted') {
      if (message.serial === serial)
        log.trace(`${key}: painted ${(performance.now() - askedAt).toFixed(1)} ms after the question`);
      return;
    }
    if (shown === undefined) return;
    const { uri, name } = shown.reply;
    const { asked } = shown;
    switch (message.type) {
      case 'compose':
        questions.ask(uri, message.asked);
        return refresh();
      case 'saveSample':
        return save(uri, message.name, message.invocation);
      case 'openJson':
        return documents.openJson(uri, name, asked);
      case 'compare':
        return documents.compare(uri, name, asked, message.with);
      case 'copyPrompt':
        await vscode.env.clipboard.writeText(lastGood?.prompt ?? '');
        return post({ type: 'copied' });
      case 'fix': {
        const title = offered.find(({ error }) => error === message.error)?.title;
        const error = shown.reply.result.ok ? undefined : shown.reply.result.errors[message.error];
        if (message.serial === serial && error && title !== undefined) await applyFix(error, title);
        return;
      }
      case 'exportImage':
        return saveImage(uri, message.format, message.data);
    }
  };

  const listeners = [
    panel.webview.onDidReceiveMessage((message: unknown) => {
      if (isToPanel(message)) void onMessage(message).catch(fail);
      else log.warn(`${key}: the page sent something else than it may.`);
    }),
    panel.onDidChangeViewState(() => {
      if (!panel.visible) listening = false;
    }),
    server.onTextSent((uri) => {
      if (uri.toString() === wanted) refresh();
    }),
    server.onComposableChanged(refresh),
    // What was not saved is gone, and the file counts again.
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.toString() === wanted) refresh();
    }),
  ];
  panel.onDidDispose(() => {
    wanted = undefined;
    for (const listener of listeners) listener.dispose();
  });
  setTitle();
  // The page takes its time to load; the answer is there when it asks.
  ask();
  return { panel, isLocked: () => locked, skill: () => wanted, show, showNoSkill, refresh, post };
}

const baseName = ({ path }: vscode.Uri): string => path.replace(/^.*\//, '');

/** The tab's title; brackets mean, as in the editor's own previews, that it stays with its file. */
function titleOf(name: string | undefined, locked: boolean): string {
  if (name === undefined) return vscode.l10n.t('Skill Preview');
  return locked ? vscode.l10n.t('[Preview] {0}', name) : vscode.l10n.t('Preview {0}', name);
}
