/** A preview panel: the shown skill, the requests to the server, and the messages to the page. */
import * as vscode from 'vscode';
import {
  AbilitiesRequest,
  type AbilitiesView,
  ChoiceRequest,
  type ChosenReply,
  ChosenRequest,
  type ClientsReply,
  type DebugProgress,
  type Invocation,
  type ModelChoice,
  RunSkillRequest,
  type ShownRun,
} from '../../../../server/src/protocol.ts';
import { createStep } from '../../commands/first-steps.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';
import { fileRangeOf, rangeOf } from '../../locations.ts';
import { errorMessage } from '../../plain-message.ts';
import { askForChoices, countChoices } from '../../views/testing/model/choices.ts';
import {
  agrees,
  amount,
  isTrusted,
  isWithinLimit,
  type Models,
  modelOf,
  newBudget,
} from '../../views/testing/model/editor-model.ts';
import { reveal } from '../command-target.ts';
import type { FileRange } from '../kit/file-range.ts';
import { coalesce } from '../kit/schedule.ts';
import { namesFile, readMessage } from '../read-message.ts';
import {
  type PreviewRequest,
  type Show,
  type ShownChoice,
  type ShownComposition,
  type ShownFinding,
  type ToPage,
  type ToPanel,
  toPanel,
} from './messages.ts';
import { comparisonProblems, type PromptDocuments } from './prompt-documents.ts';
import { type Answer, answer, createQuestions, paramsOf } from './questions.ts';
import { saveShownPrompt } from './save-prompt.ts';
import { saveImage, saveSample } from './save-sample.ts';
import type { Scrolling } from './scrolling.ts';
import { shortened, shownPromptOf } from './shown-prompt.ts';

/** The services that all previews of a window share. */
export interface PreviewContext {
  readonly server: SkillServer;
  readonly documents: PromptDocuments;
  readonly log: vscode.LogOutputChannel;
  readonly models: Models;
  /** The skill in the active editor, for a preview that is not locked. */
  readonly activeSkill: () => vscode.Uri | undefined;
  /** Returns the selection in the active editor if this editor shows a file of the workspace. */
  readonly cursor: () => FileRange | null;
  /** Returns the debug session of a skill. */
  readonly debugged: (skill: string | undefined) => DebugProgress | undefined;
  readonly scrolling: Pick<Scrolling, 'scrollEditors' | 'ignoreEditors'>;
}

export interface Preview {
  readonly panel: vscode.WebviewPanel;
  readonly isLocked: () => boolean;
  /** The skill that is shown or requested. */
  readonly skill: () => string | undefined;
  /**
   * Shows a skill, composed with `asked` if it is given. If the file is not a skill, the page keeps showing the
   * previous skill.
   */
  readonly show: (skill: vscode.Uri, asked?: PreviewRequest) => void;
  /** Shows a note that the active file is not a skill. */
  readonly showNoSkill: (file: vscode.Uri) => void;
  /** Requests the composition again. */
  readonly refresh: () => void;
  /** Saves the shown prompt of a sample as the expected prompt of its test. */
  readonly keepPrompt: () => Promise<void>;
  /** Shows the debug session of the shown skill in the tab *Run*, or its end. */
  readonly followDebugging: () => void;
  readonly post: (message: ToPage) => void;
}

/** The initial state of a new or restored preview. */
export interface InitialPreview {
  readonly skill: string | undefined;
  readonly locked: boolean;
  readonly asked: PreviewRequest | undefined;
}

/** The delay after which the page marks the composition as out of date. A shorter delay would flicker. */
const STALE_AFTER_MILLISECONDS = 200;

/** Creates a preview. `key` identifies the preview for the server and in the log. */
export function createPreview(
  panel: vscode.WebviewPanel,
  key: string,
  initial: InitialPreview,
  context: PreviewContext,
): Preview {
  const { server, documents, log } = context;
  const questions = createQuestions();
  let { locked } = initial;
  /** The skill to show; `shown` may still contain another skill. */
  let wanted = initial.skill;
  if (wanted !== undefined && initial.asked) questions.ask(wanted, initial.asked);
  let shown: Show | undefined;
  let lastGood: ShownComposition | undefined;
  let serial = 0;
  /** True while the page's script runs. VS Code stops the script of a hidden page. */
  let isListening = false;
  let isOutdated = true;
  let askedAt = 0;

  const completeStep = createStep('preview');
  const completeRun = createStep('run');

  /** The last `show` that the page received; undefined if the page has started since. */
  let posted: Show | undefined;
  const post = (message: ToPage): void => {
    if (!isListening) return;
    void panel.webview.postMessage(message.type === 'show' ? shortened(message, posted) : message);
    if (message.type !== 'show') return;
    posted = message;
    completeStep();
  };
  const fail = (error: unknown): void => {
    const text = errorMessage(error);
    log.debug(`${key}: ${text}`);
    post({ type: 'problem', text });
  };
  /** Marks the shown composition as out of date. It is requested again when the page or the skill is shown again. */
  const failToCompose = (error: unknown): void => {
    const reason = errorMessage(error);
    log.debug(`${key}: ${reason}`);
    isOutdated = true;
    post({ type: 'stale', reason });
  };
  const setTitle = (): void => {
    const name = shown?.reply.name ?? (wanted === undefined ? undefined : baseName(vscode.Uri.parse(wanted)));
    panel.title = titleOf(name, locked);
  };

  const present = ({ reply, samples, asked, missingSample }: Answer): void => {
    const isOther = shown?.reply.uri !== reply.uri;
    if (isOther) {
      lastGood = undefined;
      lazyPanels.forget();
      modelChoice.forget();
    }
    serial++;
    shown = {
      type: 'show',
      serial,
      reply,
      samples,
      asked,
      locked,
      ...(missingSample !== undefined && { missingSample }),
    };
    if (reply.result.ok) lastGood = reply.result.composition;
    setTitle();
    post(shown);
    followDebugging();
    sendFindings();
    if (isOther) void sendComparable(reply.uri).catch(fail);
  };
  let answered: Extract<ToPanel, { type: 'run' }>['answered'] = [];
  const sendRun = coalesce(async () => {
    // If the skill or its values have changed meanwhile, the run is requested again.
    for (let asked = shown; asked; asked = asked === shown ? undefined : shown) {
      const { asked: input, reply } = asked;
      const { uri } = reply;
      // Without a reply, the page shows a run that failed, so that it does not wait.
      const failed = (message: string): ShownRun => ({ uri, events: [], end: { kind: 'failed', message } });
      const run = await server
        .send(RunSkillRequest, { ...paramsOf(uri, key, input), answered })
        .catch((error: unknown) => failed(errorMessage(error)));
      if (run?.events.length) completeRun();
      if (asked !== shown) continue;
      post({ type: 'run', run: run ?? failed(vscode.l10n.t('The run was stopped. Start it again.')) });
    }
  }, fail);
  /** The session that the page shows; undefined if it shows none, or has started since. */
  let followed: DebugProgress | undefined;
  const followDebugging = (): void => {
    const progress = context.debugged(shown?.reply.uri);
    if (!isListening || progress === followed) return;
    const { past } = progress ?? {};
    // Only the position is sent of a run that the page knows.
    const move = past !== undefined && progress?.run === followed?.run ? { past } : progress;
    followed = progress;
    post({ type: 'debug', progress: move ?? null });
  };
  const sendFindings = coalesce(async () => {
    const uri = shown?.reply.uri;
    if (uri === undefined) return;
    post({ type: 'findings', uri, findings: await findingsOf(vscode.Uri.parse(uri)) });
  }, fail);
  const modelChoice = createModelChoice(context, () => shown?.reply.uri, post);
  const lazyPanels = createAsides(server, () => shown?.reply.uri, post, modelChoice.compare, fail);
  const sendComparable = async (uri: string): Promise<void> =>
    post({ type: 'comparable', ...(await comparisonProblems(vscode.Uri.parse(uri))) });
  const update = async (): Promise<void> => {
    if (wanted === undefined) return;
    const skill = wanted;
    isOutdated = false;
    askedAt = performance.now();
    const stale = setTimeout(() => post({ type: 'stale' }), STALE_AFTER_MILLISECONDS);
    try {
      const answered = await answer(server, questions, skill, key);
      // If the skill or the request has changed, the next update is already scheduled.
      if (answered === 'superseded' || skill !== wanted) return;
      if (answered === 'no skill') await showMissing(skill);
      else present(answered);
    } catch (error) {
      if (skill === wanted) failToCompose(error);
    } finally {
      clearTimeout(stale);
    }
  };
  const ask = coalesce(update, failToCompose);
  const refresh = (): void => {
    isOutdated = true;
    // If the page is hidden, the request is sent when it becomes visible.
    if (panel.visible) ask();
  };
  const showMissing = async (skill: string): Promise<void> => {
    const file = vscode.Uri.parse(skill);
    // After a reload of the window, the server may not have read the file yet, so `wanted` does not change.
    if (shown === undefined) post({ type: 'empty' });
    else if (shown.reply.uri !== skill) showNoSkill(file);
    else {
      const isDeleted = !(await exists(file));
      isOutdated = true;
      if (shown?.reply.uri === skill && wanted === skill) post({ type: 'gone', isDeleted });
    }
  };
  const showNoSkill = (file: vscode.Uri): void => {
    wanted = shown?.reply.uri;
    post(shown ? { type: 'notSkill', name: baseName(file) } : { type: 'empty' });
  };
  const show = (skill: vscode.Uri, asked?: PreviewRequest): void => {
    const uri = skill.toString();
    if (asked) questions.ask(uri, asked);
    if (uri === shown?.reply.uri) post({ type: 'notSkill', name: null });
    if (uri === wanted && !asked && shown && !isOutdated) return;
    wanted = uri;
    setTitle();
    refresh();
  };
  /** Follows the shown skill when its file, or a folder that contains it, was renamed. */
  const follow = ({ files }: vscode.FileRenameEvent): void => {
    const renamed = files.flatMap(({ oldUri, newUri }) => newPathOf(wanted, oldUri, newUri) ?? [])[0];
    if (wanted === undefined || renamed === undefined) return;
    questions.move(wanted, renamed);
    if (shown?.reply.uri === wanted) shown = { ...shown, reply: { ...shown.reply, uri: renamed } };
    wanted = renamed;
    isOutdated = true;
    if (isListening) onReady();
  };
  const setLocked = (value: boolean): void => {
    locked = value;
    if (shown) shown = { ...shown, locked };
    setTitle();
    post({ type: 'locked', locked });
    const active = context.activeSkill();
    if (!locked && active) show(active);
  };
  const onReady = (): void => {
    isListening = true;
    posted = undefined;
    followed = undefined;
    if (shown) {
      post(lastGood && !shown.reply.result.ok ? { ...shown, lastGood } : shown);
      followDebugging();
      sendFindings();
      void sendComparable(shown.reply.uri);
      modelChoice.repeat();
    }
    if (!shown && wanted === undefined) post({ type: 'empty' });
    post({ type: 'cursor', place: context.cursor(), scroll: false });
    if (isOutdated) ask();
  };
  const save = async (skill: string, name: string, invocation: Invocation): Promise<void> => {
    const saved = await saveSample(server, skill, name, invocation);
    if (saved === undefined) return;
    if ('problem' in saved) return post({ type: 'saveRefused', problem: saved.problem });
    questions.ask(skill, { sample: saved.name, without: questions.of(skill)?.without ?? [] }, invocation);
    refresh();
  };

  const keepPrompt = async (): Promise<void> => {
    if (shown && (await saveShownPrompt(shown.reply.uri, shown.asked)) === 'edit')
      post({ type: 'focus', what: 'input' });
  };

  const onMessage = async (message: ToPanel): Promise<void> => {
    if (message.type === 'ready') return onReady();
    if (message.type === 'close') return panel.dispose();
    if (message.type === 'newSkill') return void vscode.commands.executeCommand('skillComposer.newSkill');
    if (message.type === 'lock') return setLocked(message.locked);
    if (message.type === 'scrolled') return context.scrolling.scrollEditors(message.place);
    if (message.type === 'reveal') {
      // The page can open only files that it shows.
      if (!namesFile([shown?.reply, lastGood, lazyPanels.told(), modelChoice.told()], message.place.uri)) return;
      context.scrolling.ignoreEditors();
      return reveal(message.place, message.focus);
    }
    if (message.type === 'painted') {
      if (message.serial === serial)
        log.trace(`${key}: painted ${(performance.now() - askedAt).toFixed(1)} ms after the request`);
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
      case 'keepPrompt':
        return keepPrompt();
      case 'openJson':
        return documents.openJson(uri, name, asked);
      case 'compare':
        return documents.compare(uri, name, asked, message.with);
      case 'menuOpened':
        return sendComparable(uri);
      case 'askClients':
        return lazyPanels.sendClients();
      case 'askChosen':
        return lazyPanels.sendChosen({
          ...(asked.client !== undefined && { client: asked.client }),
          ...(asked.arguments !== undefined && { arguments: asked.arguments }),
          ...(message.request !== undefined && { request: message.request }),
        });
      case 'askModel':
        return modelChoice.ask(message);
      case 'stopModel':
        return modelChoice.stop();
      case 'askAbilities':
        return lazyPanels.sendAbilities();
      case 'run':
        answered = message.answered;
        return sendRun();
      case 'copyPrompt':
        await vscode.env.clipboard.writeText(shownPromptOf(shown.reply.result, lastGood)?.prompt ?? '');
        return post({ type: 'copied' });
      case 'fix':
        return applyFix(vscode.Uri.parse(uri), message.finding);
      case 'exportImage':
        return saveImage(uri, message.format, message.data);
      default:
        return message satisfies never;
    }
  };

  const listeners = [
    lazyPanels,
    modelChoice,
    panel.webview.onDidReceiveMessage((sent: unknown) => {
      const message = readMessage(toPanel, sent);
      if (message) void onMessage(message).catch(fail);
      else log.warn(`${key}: the page sent an invalid message.`);
    }),
    panel.onDidChangeViewState(() => {
      if (!panel.visible) isListening = false;
    }),
    server.onTextSent((uri) => {
      if (uri.toString() === wanted) refresh();
    }),
    server.onComposableChanged(refresh),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some((uri) => uri.toString() === shown?.reply.uri)) sendFindings();
    }),
    vscode.workspace.onDidRenameFiles(follow),
    // Closing a document discards its unsaved changes.
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.toString() === wanted) refresh();
    }),
  ];
  panel.onDidDispose(() => {
    wanted = undefined;
    for (const listener of listeners) listener.dispose();
  });
  setTitle();
  // Request the composition now, while the page loads.
  ask();
  return {
    panel,
    isLocked: () => locked,
    skill: () => wanted,
    show,
    showNoSkill,
    refresh,
    keepPrompt,
    followDebugging,
    post,
  };
}

const exists = (file: vscode.Uri): Promise<boolean> =>
  Promise.resolve(vscode.workspace.fs.stat(file)).then(
    () => true,
    () => false,
  );

/** Returns the new URI of a skill after a file or folder was renamed; undefined if this does not affect the skill. */
function newPathOf(skill: string | undefined, from: vscode.Uri, to: vscode.Uri): string | undefined {
  if (skill === from.toString()) return to.toString();
  return skill?.startsWith(`${from}/`) ? `${to}${skill.slice(from.toString().length)}` : undefined;
}

const baseName = ({ path }: vscode.Uri): string => path.replace(/^.*\//, '');

/** Returns the title of the tab. Brackets mark a locked preview, as in other previews of the editor. */
function titleOf(name: string | undefined, locked: boolean): string {
  if (name === undefined) return vscode.l10n.t('Skill Preview');
  return locked ? vscode.l10n.t('[Preview] {0}', name) : vscode.l10n.t('Preview {0}', name);
}

type ChosenQuestion = Pick<PreviewRequest, 'client' | 'arguments'> & { readonly request?: string };

/** The additional data of a `SKILL.md`: how clients use it, whether a client chooses it, and the abilities of its folder. */
interface AdditionalData extends vscode.Disposable {
  readonly sendClients: () => void;
  readonly sendAbilities: () => void;
  /** Sends whether a client chooses the skill. Calls during a request cause one more request, with the latest question. */
  readonly sendChosen: (asked: ChosenQuestion) => void;
  /** Returns the data that was sent for the shown skill. */
  readonly told: () => readonly unknown[];
  /** Clears the data, because another skill is shown. */
  readonly forget: () => void;
}

/** Creates the functions that send the additional data. `shown` returns the URI of the shown skill. */
function createAsides(
  server: Pick<SkillServer, 'clients' | 'send'>,
  shown: () => string | undefined,
  post: (message: ToPage) => void,
  onChosen: (view: ChosenReply, request: string | undefined) => Promise<void>,
  fail: (error: unknown) => void,
): AdditionalData {
  let clients: ClientsReply | undefined;
  let chosen: ChosenReply | undefined;
  let abilities: AbilitiesView | undefined;
  const sending = (send: (uri: string) => Promise<void>) =>
    coalesce(async () => {
      const uri = shown();
      if (uri !== undefined) await send(uri);
    }, fail);
  const sendClients = sending(async (uri) => {
    let view: ClientsReply | null | undefined;
    // The result is undefined if something changed after the request, so send the request again.
    while (view === undefined && shown() === uri) view = await server.clients(uri);
    if (!view || shown() !== uri) return;
    clients = view;
    post({ type: 'clients', view });
  });
  const sendAbilities = sending(async (uri) => {
    const view = await server.send(AbilitiesRequest, { uri });
    if (!view || shown() !== uri) return;
    abilities = view;
    post({ type: 'abilities', view });
  });
  let question: ChosenQuestion = {};
  const sendChosen = sending(async (uri) => {
    const { request } = question;
    const view = await server.send(ChosenRequest, { uri, ...question });
    if (!view || shown() !== uri) return;
    chosen = view;
    post({ type: 'chosen', view });
    await onChosen(view, request);
  });
  // The server does not watch scripts, so request the abilities again when a file in the folder is saved.
  const saves = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    if (abilities && uri.toString().startsWith(abilities.uri.replace(/[^/]*$/, ''))) sendAbilities();
  });
  return {
    sendClients,
    sendAbilities,
    sendChosen: (asked) => {
      question = asked;
      sendChosen();
    },
    told: () => [clients, chosen, abilities],
    forget: () => {
      clients = undefined;
      chosen = undefined;
      abilities = undefined;
    },
    dispose: () => saves.dispose(),
  };
}

// The choice of a model (docs/clients.md, "A model's choice").

interface ModelChoiceRun extends vscode.Disposable {
  /** Asks a model, after the user selects it and agrees. Ignored while a model is being asked. */
  readonly ask: (asked: Extract<ToPanel, { type: 'askModel' }>) => Promise<void>;
  readonly stop: () => void;
  /** Marks the choice as older if the question for the current view is another one. */
  readonly compare: (view: ChosenReply, request: string | undefined) => Promise<void>;
  /** Sends the choice to a page that has started again. */
  readonly repeat: () => void;
  readonly told: () => ShownChoice | undefined;
  /** Stops the run and clears the choice, because another skill is shown. */
  readonly forget: () => void;
}

/** Creates the functions that ask a model for its choice. `shown` returns the URI of the shown skill. */
function createModelChoice(
  { server, models }: Pick<PreviewContext, 'server' | 'models'>,
  shown: () => string | undefined,
  post: (message: ToPage) => void,
): ModelChoiceRun {
  let running: vscode.CancellationTokenSource | undefined;
  let last: { readonly text: string; readonly choice: ShownChoice } | undefined;
  const show = (text: string, choice: ShownChoice): void => {
    last = { text, choice };
    post({ type: 'choice', choice });
  };
  const change = (part: Partial<ShownChoice>): void => {
    if (last) show(last.text, { ...last.choice, ...part });
  };
  const run = async (asked: Extract<ToPanel, { type: 'askModel' }>, token: vscode.CancellationToken): Promise<void> => {
    const { client, request, trials } = asked;
    const uri = shown();
    if (uri === undefined || !isTrusted()) return;
    const reply = await server.send(ChoiceRequest, { uri, client, requests: [request] });
    const question = reply?.questions[0];
    if (!reply || !question || !isWithinLimit(trials * question.tokens)) return;
    const chat = await models.select(true);
    if (!chat || token.isCancellationRequested) return;
    const title = vscode.l10n.t('Ask {0} which skill it chooses from the list of {1}?', chat.name, reply.client.name);
    const tokens = amount(trials * question.tokens);
    const sent =
      trials === 1
        ? vscode.l10n.t('1 prompt with {0} tokens is sent.', tokens)
        : vscode.l10n.t('{0} prompts with {1} tokens in total are sent.', amount(trials), tokens);
    const contents = vscode.l10n.t('A prompt contains the names and descriptions in the list, and the request.');
    if (!(await agrees(title, [sent, contents])) || token.isCancellationRequested) return;
    const answers: ModelChoice[] = [];
    show(question.text, {
      ...{ uri, client: reply.client, request, trials, isExact: reply.isExact, isOlder: false },
      ...{ model: chat.name, counted: [], isRunning: true, time: Date.now() },
    });
    const purpose = vscode.l10n.t('Skill Composer asks the model which skill it chooses for a request.');
    const model = modelOf(chat, token, purpose);
    const { names, none } = reply;
    let problem: string | undefined;
    try {
      const asking = { text: question.text, names, none, trials };
      for await (const answer of askForChoices(model, asking, newBudget(), () => token.isCancellationRequested)) {
        answers.push(answer);
        change({ counted: countChoices(answers) });
      }
    } catch (error) {
      problem = errorMessage(error);
    }
    if (shown() === uri) change({ isRunning: false, ...(problem !== undefined && { problem }) });
  };
  const stop = (): void => running?.cancel();
  const forget = (): void => {
    stop();
    last = undefined;
  };
  return {
    ask: async (asked) => {
      if (running) return;
      running = new vscode.CancellationTokenSource();
      try {
        await run(asked, running.token);
      } finally {
        running.dispose();
        running = undefined;
      }
    },
    stop,
    compare: async ({ uri, client }, request) => {
      if (!last) return;
      const params = { uri, client: client.id, requests: request === undefined ? [] : [request] };
      const reply = await server.send(ChoiceRequest, params);
      if (last?.choice.uri === uri) change({ isOlder: reply?.questions[0]?.text !== last.text });
    },
    repeat: () => change({}),
    told: () => last?.choice,
    forget,
    dispose: forget,
  };
}

// The findings of the shown file, as *Problems* lists them, each with its preferred fix.

const severities: readonly (ShownFinding['severity'] | undefined)[] = ['error', 'warning', 'info', undefined];

/**
 * The maximum number of findings for which fixes are requested. Each finding requires a separate request to the server.
 */
const MOST_WITH_FIX = 20;

/** Returns the findings of a file except hints, which *Problems* also omits. */
async function findingsOf(uri: vscode.Uri): Promise<readonly ShownFinding[]> {
  const shown = vscode.languages.getDiagnostics(uri).flatMap(({ severity, range, message, code }) => {
    const name = severities[severity];
    if (name === undefined) return [];
    const rule = String(typeof code === 'object' ? code.value : (code ?? ''));
    return [{ range: fileRangeOf(uri, range).range, severity: name, message, rule, place: range }];
  });
  return Promise.all(
    shown.map(async ({ place, ...finding }, at) => {
      // While the server restarts, the findings have no fixes.
      const fix = at < MOST_WITH_FIX ? await findFix(uri, place, finding.rule).catch(() => undefined) : undefined;
      return fix === undefined ? finding : { ...finding, fix: fix.title };
    }),
  );
}

/** Applies a fix as one undo step, if the editor still offers it. */
async function applyFix(uri: vscode.Uri, { range, rule, fix: title }: ShownFinding): Promise<void> {
  const fix = await findFix(uri, rangeOf(range), rule);
  if (fix?.edit && fix.title === title) await vscode.workspace.applyEdit(fix.edit);
}

async function findFix(uri: vscode.Uri, range: vscode.Range, rule: string): Promise<vscode.CodeAction | undefined> {
  const actions = await vscode.commands.executeCommand<readonly (vscode.CodeAction | vscode.Command)[]>(
    'vscode.executeCodeActionProvider',
    uri,
    range,
    vscode.CodeActionKind.QuickFix.value,
  );
  const isForRule = ({ diagnostics }: vscode.CodeAction): boolean =>
    diagnostics === undefined ||
    diagnostics.some(({ code }) => String(typeof code === 'object' ? code.value : code) === rule);
  return actions.find(
    (one): one is vscode.CodeAction =>
      one instanceof vscode.CodeAction && one.isPreferred === true && one.edit !== undefined && isForRule(one),
  );
}
